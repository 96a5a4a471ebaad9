"""House rules: an edition with some options changed, and what can change. Stores nothing."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, count

from pi_app.model.screens import NOTHING, Message
from pi_app.texts.rule_words import REFUSALS, option_values
from rules.ruleset import (
    DERIVED,
    OPTIONS,
    PAIRS,
    PRESET_TABLE,
    PRESETS,
    RuleSet,
    RuleSetError,
    Value,
    differences,
    parse_ruleset,
)

HOUSE_PREFIX = "house."  # of the keys of house rules, in the journal and in the configuration
MAX_NAME_LENGTH = 12  # fits in large letters beside a count
MAX_TYPED_LENGTH = 8  # of a name that is entered with the buttons
NAME = re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9 '&-]{{0,{MAX_NAME_LENGTH - 2}}}[A-Za-z0-9])?")
# The names and titles of the editions, in lower case.
EDITION_WORDS = {text.casefold() for key, one in PRESET_TABLE.items() for text in (key, one.title)}
_YES_NO = {"True": "yes", "False": "no"}  # as a line has them


@dataclass(frozen=True, slots=True)
class House:
    """House rules: the name of the edition that they are made from, and the rules."""

    base: str
    ruleset: RuleSet

    def __str__(self) -> str:
        """Return them as text for `parse_house`."""
        return json.dumps(self.changes, separators=(",", ":"))

    @property
    def changes(self) -> dict[str, Value]:
        """The base, and each option that differs from its rules and is no other's result."""
        changes = differences(PRESETS[self.base], self.ruleset)
        changes.pop(DERIVED, None)
        return {"base": self.base, **changes}

    @property
    def line(self) -> str:
        """Them as a line to type, `ludo-uk to-win:1`, for `parse_house`; capitals do as well."""
        (_, base), *changes = self.changes.items()
        options = (f"{name}:{_YES_NO.get(str(value), value)}" for name, value in changes)
        return " ".join([str(base), *options]).replace("_", "-")


def house(changes: Mapping[str, object]) -> House:
    """Return house rules from options and a base, which a RuleSetError calls `preset`."""
    base = changes.get("base")
    options = {name: value for name, value in changes.items() if name != "base"}
    return House(str(base), parse_ruleset({**options, "preset": base}))


@lru_cache  # it takes 0.1 ms, and each line of the menu needs all house rules
def parse_house(text: str) -> House:
    """Return house rules from their text, which may be a `House.line`. Raises ValueError."""
    if not text.startswith(("{", "[")):
        return _parse_line(text)
    try:
        changes = json.loads(text)
    except RecursionError as error:
        raise ValueError(f"house rules are nested too deeply: {error}") from None
    if not isinstance(changes, dict) or "preset" in changes:
        raise ValueError(
            f"house rules must be an object with a base and options, not {text[:40]!r}"
        )
    return house(changes)


def _parse_line(line: str) -> House:
    base, *options = line.lower().split() or [""]
    parts = (option.partition(":") for option in options)
    changes = ((name.replace("-", "_"), value) for name, _, value in parts)
    return house({"base": base, **{name: _value(name, value) for name, value in changes}})


def _value(option: str, text: str) -> Value:
    """Return an option's value from its text in a line."""
    if option in OPTIONS and isinstance(OPTIONS[option].values[0], bool):
        return {"yes": True, "no": False, "true": True, "false": False}.get(text, text)
    return int(text) if text.isdecimal() else text


Options = dict[str, Value]

_NO_BLOCKADE: Options = {"pair_rule": "off", "stop_behind_blockade": False, "blockade_limit": 0}
_BARS: Options = {"held_target": "bars", "stars": "none"}
_SENDS_BACK: Options = {"pairs": "immune", "safety_shared": "no"}
# What a change of an option carries along, if it needs it.
_CARRIED: dict[tuple[str, Value], Options] = {
    ("dice", 1): {
        "entry_by": "die",
        "total_move": "never",
        "touch_down": False,
        "doublet_spaces": "four-when-entered",
        "doublet_home_whole": False,
    },
    ("dice", 2): {"doublet_spaces": "four-when-entered", "overshoot": "stop", **_BARS},
    ("partners", True): {"play_on": False, **_BARS},
    ("held_target", "bars"): {"stars": "none"},
    ("held_target", "sends-back"): _SENDS_BACK,
    ("stars", "jump"): {"held_target": "sends-back", "stacking": "any", **_SENDS_BACK},
    **{("safety_shared", how): _BARS for how in ("two", "any")},
    **{("stacking", most): {"stars": "none"} for most in ("two", "one")},
    ("overshoot", "back"): {"stop_behind_blockade": False},
    ("overshoot", "over"): {"stop_behind_blockade": False},
    ("passing", "free"): {"stop_behind_blockade": False},
    ("captures", "landing"): {"pairs": "none"},
    ("captures", "passing"): {
        **_NO_BLOCKADE,
        "pairs": "none",
        "stacking": "any",
        "safety_shared": "any",
        "entry_captures": "landing",
    },
    **{("pairs", name): _NO_BLOCKADE for name in PAIRS if name != "blockade"},
    ("pairs", "blockade"): {"stacking": "two"},
    **{("entry_number", n): {"entry_by": "sum"} for n in range(7, 12)},
}


@lru_cache(maxsize=2048)  # the menu needs all values of a group at each press
def change_rules(ruleset: RuleSet, option: str, value: Value) -> RuleSet:
    """Return the rules with another value of an option, and the fewest other changes it needs.

    Raises RuleSetError with the first combination that stays impossible.
    """
    carried = _CARRIED.get((option, value), {})
    for size in range(len(carried) + 1):
        for names in combinations(carried, size):
            changes = {option: value, **{name: carried[name] for name in names}}
            try:
                return replace(ruleset, **changes)  # type: ignore[arg-type]
            except RuleSetError as error:
                refused = error
    raise refused


def carried_changes(ruleset: RuleSet, option: str, value: Value) -> Options:
    """Return what else changes if an option gets a value that is possible."""
    changes = differences(ruleset, change_rules(ruleset, option, value))
    return {name: new for name, new in changes.items() if name not in (option, DERIVED)}


@lru_cache(maxsize=2048)
def refusal(ruleset: RuleSet, option: str, value: Value) -> Message | None:
    """Return why an option can't get a value, NOTHING if there are no words; None if it can."""
    try:
        change_rules(ruleset, option, value)
    except RuleSetError as error:
        return REFUSALS.get(error.together, NOTHING)
    return None


@lru_cache(maxsize=2048)
def offered_values(ruleset: RuleSet, option: str) -> tuple[Value, ...]:
    """Return the value of an option, then the others to offer, in the order of NEXT.

    They are the possible ones and those that a reason refuses; none if no other is possible.
    """
    now, *others = option_values(option, getattr(ruleset, option))
    why = {one: refusal(ruleset, option, one) for one in others if option != DERIVED}
    offered = [one for one in why if why[one] != NOTHING] if None in why.values() else []
    return (now, *offered)


def is_name(name: str) -> bool:
    """Whether house rules can have this name. An edition may have it already."""
    return NAME.fullmatch(name) is not None


def is_edition_name(name: str) -> bool:
    """Whether an edition has this name or title, in upper or lower case."""
    return name.casefold() in EDITION_WORDS


def free_name(taken: tuple[str, ...]) -> str:
    """Return the first number that is not taken, as a name for new house rules."""
    return next(name for name in map(str, count(1)) if name not in taken)
