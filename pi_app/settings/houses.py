"""House rules: an edition with some options changed, as a value and as text, and what can change.

Stores nothing.
"""

import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from pi_app.model.screens import Message, message
from pi_app.texts.rule_words import (
    GROUPS,
    OPTION_WORDS,
    REFUSALS,
    WORDS,
    option_values,
    value_words,
)
from rules.ruleset import (
    DERIVED,
    OPTIONS,
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
MOST_BEFORE = 3  # changes before another: so many lead to one die from every edition with two
# The names and titles of the editions, in lower case.
EDITION_WORDS = {
    text.casefold() for key, edition in PRESET_TABLE.items() for text in (key, edition.title)
}

OptionChange = tuple[str, Value]  # an option and the value that it gets


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


class _Way(NamedTuple):
    """Rules on the way to others: the changes that led to them, and those still to make."""

    ruleset: RuleSet
    made: tuple[OptionChange, ...]
    wanted: tuple[OptionChange, ...]


def offered_values(ruleset: RuleSet, option: str) -> tuple[Value, ...]:
    """Return the value of an option, then the others that it can get, in the order of NEXT.

    Others may have to change before; a value that would be refused in any case is not among them.
    """
    now, *others = option_values(option, getattr(ruleset, option))
    if option == DERIVED:
        return (now,)
    return (now, *(one for one in others if changes_before(ruleset, option, one) is not None))


@lru_cache(maxsize=2048)  # the menu needs all values of a group at each press
def changes_before(ruleset: RuleSet, option: str, value: Value) -> tuple[OptionChange, ...] | None:
    """Return the fewest changes after which an option can get a value, each possible in its turn.

    Returns None if these are more than `MOST_BEFORE`, or if no changes help.
    """
    ways = deque([_Way(ruleset, (), ((option, value),))])
    while ways:
        rules, made, (wanted, *later) = ways.popleft()
        name, new = wanted
        try:
            changed = replace(rules, **{name: new})  # type: ignore[arg-type]
        except RuleSetError as error:
            if len(made) + len(later) < MOST_BEFORE:
                known = {one for one, _ in (*made, wanted, *later)}
                ways.extend(
                    _Way(rules, made, ((other, helpful), wanted, *later))
                    for other in error.together.split("+")
                    if other not in known
                    for helpful in OPTIONS[other].values
                    if helpful != getattr(rules, other)
                )
        else:
            if not later:
                return made
            ways.appendleft(_Way(changed, (*made, wanted), tuple(later)))
    return None


def refusal(ruleset: RuleSet, option: str, value: Value, together: str) -> tuple[Message, ...]:
    """Return why an option can't get a value yet, if there are words, and what to set first, where.

    together: the combination that is refused, a key of `IMPOSSIBLE`.
    """
    before = reversed(changes_before(ruleset, option, value) or ())
    first, new = next(change for change in before if change[0] in together.split("+"))
    group = next(GROUPS[group] for group, options in OPTION_WORDS.items() if first in options)
    line = message("line-and-value", line=WORDS[first].name, value=value_words(first, new))
    why = (REFUSALS[together],) if together in REFUSALS else ()
    return (*why, message("first-set", group=group, line=line))


def is_name(name: str) -> bool:
    """Whether house rules can have this name. An edition may have it already."""
    return NAME.fullmatch(name) is not None


def is_edition_name(name: str) -> bool:
    """Whether an edition has this name or title, in upper or lower case."""
    return name.casefold() in EDITION_WORDS


def free_name(taken: tuple[str, ...]) -> str:
    """Return the first number that is not taken, as a name for new house rules."""
    return next(name for name in map(str, count(1)) if name not in taken)
