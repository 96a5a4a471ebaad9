"""House rules: a preset with some options changed, as a value and as text both ways. Keeps none."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules.ruleset import PRESET_TABLE, PRESETS, RuleSet, Value, differences, parse_ruleset

PREFIX = "house."  # how the keys of house rules begin, in the journal and in the configuration
LONGEST_NAME = 12  # stands large beside a count
TYPED_NAME = 8  # of one that is entered with the buttons
NAME = re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9 '&-]{{0,{LONGEST_NAME - 2}}}[A-Za-z0-9])?")
# The names and titles of the editions, which house rules can't have, in any case.
TAKEN = {text.casefold() for key, one in PRESET_TABLE.items() for text in (key, one.title)}


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


@lru_cache
def parse_house(text: str) -> House:
    """Return the house rules that a text tells; ValueError where it tells none."""
    try:
        changes = json.loads(text)
    except RecursionError as error:
        raise ValueError(f"house rules are no table in a hundred others: {error}") from None
    if not isinstance(changes, dict) or "preset" in changes:
        raise ValueError(f"house rules are an object of a base and options, not {text[:40]!r}")
    return house(changes)


def wrong_name(name: str) -> str | None:
    """Return why house rules can't be called so, None if they can."""
    if NAME.fullmatch(name) is None:
        return f"a name is 1 to {LONGEST_NAME} letters from A to Z, digits, and between them ' & -"
    if name.casefold() in TAKEN:
        return "an edition is called so"
    return None


def free_name(taken: tuple[str, ...]) -> str:
    """Return a name for new house rules that none of these have."""
    n = 1
    while f"house {n}" in taken:
        n += 1
    return f"house {n}"
