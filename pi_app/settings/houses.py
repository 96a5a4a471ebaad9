"""House rules: a preset with some options changed, as a value and as text both ways. Keeps none."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from rules.ruleset import PRESET_TABLE, PRESETS, RuleSet, Value, differences, parse_ruleset

PREFIX = "house."  # how the keys of house rules begin, in the journal and in the configuration
MAX_NAME_LENGTH = 12  # stands large beside a count
MAX_TYPED_LENGTH = 8  # of one that is entered with the buttons
NAME = re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9 '&-]{{0,{MAX_NAME_LENGTH - 2}}}[A-Za-z0-9])?")
# The names and titles of the editions, in small letters.
EDITION_WORDS = {text.casefold() for key, one in PRESET_TABLE.items() for text in (key, one.title)}


@dataclass(frozen=True, slots=True)
class House:
    """House rules: the preset that they were made from, and the rules."""

    base: str
    ruleset: RuleSet

    def __str__(self) -> str:
        """Return them as text that `parse_house` reads back."""
        return json.dumps(self.changes, separators=(",", ":"))

    @property
    def changes(self) -> dict[str, Value]:
        """The base, and each option that differs from it."""
        return {"base": self.base, **differences(PRESETS[self.base], self.ruleset)}


def house(changes: Mapping[str, object]) -> House:
    """Return the house rules of a base and options; RuleSetError, in which `base` is `preset`."""
    base = changes.get("base")
    options = {name: value for name, value in changes.items() if name != "base"}
    ruleset = parse_ruleset({**options, "preset": base})
    return House(str(base), ruleset)


@lru_cache  # takes 0.1 ms, and each line of the menu asks for all house rules
def parse_house(text: str) -> House:
    """Return the house rules that a text tells; ValueError where it tells none."""
    try:
        changes = json.loads(text)
    except RecursionError as error:
        raise ValueError(f"house rules are no table in a hundred others: {error}") from None
    if not isinstance(changes, dict) or "preset" in changes:
        raise ValueError(f"house rules are an object of a base and options, not {text[:40]!r}")
    return house(changes)


def is_name(name: str) -> bool:
    """Whether house rules can have this name, unless an edition has it."""
    return NAME.fullmatch(name) is not None


def is_edition_name(name: str) -> bool:
    """Whether an edition has this name or title, in any case."""
    return name.casefold() in EDITION_WORDS


def free_name(taken: tuple[str, ...]) -> str:
    """Return the first number that is not a name yet, as the name of new house rules."""
    return next(name for name in map(str, count(1)) if name not in taken)
