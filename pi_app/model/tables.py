"""Which table of weights serves which rule set. It does not load the tables.

A table was trained for one game. Under rules of another game its numbers would mean nothing, so
such rules have no chances, luck or hints until they have a table of their own.
"""

from collections.abc import Iterable
from functools import lru_cache

from pi_app.model.editions import EDITION_TABLE
from rules.board import board
from rules.ruleset import PRESETS, RuleSet, differences

# House rules use the table of the preset that differs in the fewest fields.
TABLES_BY_PRESET = {name: network for name in PRESETS if (network := EDITION_TABLE[name].network)}
# The options that decide which pawns are in danger, how a pawn enters and what wins. A table knows
# one value.
MEANINGS = (
    "stacking",
    "pairs",
    "safety_shared",
    "entry_captures",
    "lots",
    "grace",
    "free_entry",
    "entry_also",
    "partners",
    "dice",
    "to_win",
    "pairs_on",
    "overshoot",
    "row_by",
    "passing",
    "stars",
    "held_target",
    "captures",
    "counts_double",
)
# What no table has learned, though one serves: its choices are not called strong then.
UNLEARNED = (
    ("third_doublet", "undo-turn"),
    ("third_doublet", "all-open"),
    ("doublet_spaces", "twelve-when-entered"),
    ("must_capture", True),
    ("entry_pairs", "give-way"),
)


@lru_cache(maxsize=16)  # each screen of a bot's turn needs it
def has_table(ruleset: RuleSet) -> bool:
    """Whether a table was trained for the game of a rule set, perhaps with other house rules."""
    return bool(_served(ruleset))


@lru_cache(maxsize=16)
def is_learned(ruleset: RuleSet) -> bool:
    """Whether a rule set has a table that has learned all that it asks of a player."""
    served = _served(ruleset)
    if not served:
        return False
    changed = differences(PRESETS[_nearest(served, ruleset)], ruleset)
    return changed.items().isdisjoint(UNLEARNED)


def table_name(ruleset: RuleSet) -> str:
    """Return the name of the table for a rule set. Raises LookupError if there is none."""
    served = _served(ruleset)
    if not served:
        raise LookupError(f"no table of weights was trained for {ruleset}")
    return TABLES_BY_PRESET[_nearest(served, ruleset)]


def _nearest(names: Iterable[str], ruleset: RuleSet) -> str:
    """Return the preset that differs from a rule set in the fewest fields."""
    return min(names, key=lambda name: len(differences(PRESETS[name], ruleset)))


def _served(ruleset: RuleSet) -> tuple[str, ...]:
    """Return the presets with a table that are the same game as a rule set."""
    return tuple(name for name in TABLES_BY_PRESET if _game(PRESETS[name]) == _game(ruleset))


def _game(ruleset: RuleSet) -> tuple[object, ...]:
    """Return what a table can't do without: the end of the way, and the options of `MEANINGS`."""
    this = board(ruleset.layout)
    return this.row, this.home, *(getattr(ruleset, name) for name in MEANINGS)
