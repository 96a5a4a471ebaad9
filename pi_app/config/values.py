"""The rules for the values of keys, each with a sentence that asks for one. It knows no key."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from pi_app.texts.language import codes
from rules.board import SEAT_LETTERS


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


def readable_text(read: Callable[[str], object], wanted: str) -> ValueRule:
    """Return the rule for a text that `read` accepts.

    read: raises ValueError or returns None for any other text. wanted: as in `ValueRule`.
    """

    def accepts(value: object) -> bool:
        try:
            return isinstance(value, str) and read(value) is not None
        except ValueError:
            return False

    return ValueRule(accepts, wanted)


def matching(pattern: str, wanted: str) -> ValueRule:
    """Return the rule for a printable text that matches the whole of a regular expression."""
    return ValueRule(
        lambda v: isinstance(v, str) and v.isprintable() and bool(re.fullmatch(pattern, v)), wanted
    )


def hexadecimal(value: object) -> str:
    """Return a value as TOML. A number has the form `0x3C` of the datasheets."""
    number = type(value) is int and value >= 0
    return f"0x{value:02X}" if number else json.dumps(value, default=str)


TRUE_OR_FALSE = one_of(True, False)
PIN = whole_number(0, 27, "a BCM pin number")
PART = ValueRule(lambda v: v is False or PIN.accepts(v), f"{PIN.wanted}, or false for none")
DEAD_TIME = whole_number(5, 100, "whole milliseconds")
I2C_ADDRESS = ValueRule(
    whole_number(0x08, 0x77, "").accepts, "an address, 0x08 to 0x77", hexadecimal
)
FOLDER = matching("~?/.*", 'an absolute folder, "/..." or "~/..."')
LASTING_PORT = matching(
    r"/dev/(?!tty(ACM|USB)\d+$).+|",
    'a port by its lasting name, "/dev/pachisi-chamber" or "/dev/serial/...", or "" for none',
)
LANGUAGE = ValueRule(
    lambda v: isinstance(v, str) and v.replace("-", "_") in ("", *codes()),
    f'one of {", ".join(json.dumps(code.replace("_", "-")) for code in codes())}, or ""',
)
PROGRAM = matching(r"(/\S*)?\w[\w.-]*|", 'a program, "espeak-ng" or its path, or "" for no voice')
SOUND_DEVICE = matching(
    r"([A-Za-z]\S*)?",
    'a sound device as `aplay -L` names it, such as "plughw:CARD=Headphones", or ""',
)
MOST_NAMES = 8  # of the page
NAMES = ValueRule(
    lambda v: isinstance(v, list) and len(v) <= MOST_NAMES and all(type(one) is str for one in v),
    f'a list of {MOST_NAMES} names at most, as ["pachisi.local"]',
)
FILE = matching("(/.*)?", 'the path of a file, "/...", or ""')
TLS = ValueRule(
    lambda v: type(v) is bool or (v != "" and FILE.accepts(v)),
    'true, false, or the path of a file with certificates, "/..."',
)
HOST = matching(r"[A-Za-z0-9._:-]*", 'a host name or an address, such as "192.168.1.7", or ""')
TOPIC_LEVEL = matching(r"[a-z0-9_-]{0,32}", "at most 32 of the letters a to z, digits, _ and -")
LEVELS = r"[a-z0-9_-]+(/[a-z0-9_-]+)*"
TOPIC_LEVELS = matching(
    LEVELS, 'letters a to z, digits, _ and -, with / between levels, as in "pachisi/london"'
)
TOPIC_LEVELS_OR_NONE = matching(rf"({LEVELS})?", f'{TOPIC_LEVELS.wanted}, or ""')
PRINTABLE = matching(".*", "a text in one line")
SEATS = ValueRule(
    lambda v: (
        isinstance(v, list)
        and sorted(map(str, v)) == [letter for letter in SEAT_LETTERS if letter in v]
    ),
    'a list of seats, as ["C", "D"]',
)
