"""The tables of weights: which one a rule set plays by, and reading it; keeps out what it is for.

A table is read when it is first asked for. It says itself how it was made.
"""

import json
from functools import lru_cache
from importlib.resources import files

from pi_app.players.features import NAMES
from pi_app.players.value import Judge, Value
from rules import PRESETS, RuleSet, differences

GRACE = "grace"  # plays where there is no table
# The table of each preset with two seats and with more: its own, the nearest one's, or none where
# none was measured to be better than `grace`.
PLAYS_BY: dict[str, tuple[str, str]] = {
    **dict.fromkeys(PRESETS, (GRACE, "royal-2023-4")),
    "findler": (GRACE, "findler-4"),
}


@lru_cache(maxsize=2)
def judge(ruleset: RuleSet, seats: int) -> Judge | None:
    """Return who judges positions by a rule set and number of seats; None where `grace` plays.

    A house rule plays by the table of the preset that differs in the fewest fields.
    """
    name = table_name(ruleset, seats)
    return Judge(table(name), ruleset) if name != GRACE else None


def table_name(ruleset: RuleSet, seats: int) -> str:
    """Return the name of the table that a rule set plays by, `GRACE` for none."""
    near = min(PRESETS, key=lambda name: len(differences(PRESETS[name], ruleset)))
    return PLAYS_BY[near][min(seats, 3) - 2]


def table(name: str) -> Value:
    """Return the weights of a table."""
    return parse_table(table_text(name))


def table_text(name: str) -> str:
    """Return a table as it is kept."""
    return (files("pi_app.players") / "tables" / f"{name}.json").read_text(encoding="utf-8")


def parse_table(text: str) -> Value:
    """Return the weights that a table's text gives; ValueError where they are of other features."""
    kept = json.loads(text)
    if tuple(kept["features"]) != NAMES:
        raise ValueError("the table is of other features: make it anew with make train")
    return Value(tuple(map(tuple, kept["weights"])), tuple(kept["biases"]), tuple(kept["counts"]))
