"""House rules: an edition with some options changed, as a value and as text. Stores nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from rules.ruleset import PRESET_TABLE, PRESETS, RuleSet, Value, differences, parse_ruleset

HOUSE_PREFIX = "house."  # of the keys of house rules, in the journal and in the configuration
MAX_NAME_LENGTH = 12  # fits in large letters beside a count
MAX_TYPED_LENGTH = 8  # of a name that is entered with the buttons
NAME = re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9 '&-]{{0,{MAX_NAME_LENGTH - 2}}}[A-Za-z0-9])?")
# The names and titles of the editions, in lower case.
EDITION_WORDS = {
    text.casefold() for key, edition in PRESET_TABLE.items() for text in (key, edition.title)
}


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
        """The base, and each option that differs from its rules."""
        return {"base": self.base, **differences(PRESETS[self.base], self.ruleset)}


def house(changes: Mapping[str, object]) -> House:
    """Return house rules from a base and options.

    Raises RuleSetError, which calls the base `preset`.
    """
    base = changes.get("base")
    options = {name: value for name, value in changes.items() if name != "base"}
    ruleset = parse_ruleset({**options, "preset": base})
    return House(str(base), ruleset)


@lru_cache  # it takes 0.1 ms, and each line of the menu needs all house rules
def parse_house(text: str) -> House:
    """Return house rules from their text. Raises ValueError."""
    try:
        changes = json.loads(text)
    except RecursionError as error:
        raise ValueError(f"house rules are nested too deeply: {error}") from None
    if not isinstance(changes, dict) or "preset" in changes:
        raise ValueError(
            f"house rules must be an object with a base and options, not {text[:40]!r}"
        )
    return house(changes)


def is_name(name: str) -> bool:
    """Whether house rules can have this name. An edition may have it already."""
    return NAME.fullmatch(name) is not None


def is_edition_name(name: str) -> bool:
    """Whether an edition has this name or title, in upper or lower case."""
    return name.casefold() in EDITION_WORDS


def free_name(taken: tuple[str, ...]) -> str:
    """Return the first number that is not taken, as a name for new house rules."""
    return next(name for name in map(str, count(1)) if name not in taken)
