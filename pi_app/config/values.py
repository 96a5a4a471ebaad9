"""The rules for the values of keys, each with a sentence that asks for one. It knows no key."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple


class ValueRule(NamedTuple):
    """A rule for the values of a key.

    accepts: returns whether a value is allowed. wanted: the allowed values, in words.
    shown: returns a wrong value as text for a message.
    """

    accepts: Callable[[Any], bool]
    wanted: str
    shown: Callable[[Any], str] = partial(json.dumps, default=str)


def whole_number(low: int, high: int, what: str) -> ValueRule:
    """Return the rule for a whole number from `low` to `high`. what: the thing it counts."""
    return ValueRule(lambda v: type(v) is int and low <= v <= high, f"{what}, {low} to {high}")


def one_of(*values: object) -> ValueRule:
    """Return the rule for exactly these values. 1, true and 1.0 differ."""
    shown = [json.dumps(value) for value in values]
    return ValueRule(
        lambda v: any(type(v) is type(value) and v == value for value in values),
        f"one of {', '.join(shown)}",
    )


def matching(pattern: str, wanted: str) -> ValueRule:
    """Return the rule for a printable text that matches the whole of a regular expression."""
    return ValueRule(
        lambda v: isinstance(v, str) and v.isprintable() and bool(re.fullmatch(pattern, v)), wanted
    )


def hexadecimal(value: object) -> str:
    """Return a value as TOML. A number has the form `0x3C` of the datasheets."""
    number = type(value) is int and value >= 0
    return f"0x{value:02X}" if number else json.dumps(value, default=str)
