"""Steps: one step of a play; writes and parses its text, whether or not the step is legal.

NOTATION.md has the text form.
"""

import re
from typing import NamedTuple

from .board import PLACE_TEXTS, parse_place
from .errors import InputError


class Step(NamedTuple):
    """One step of a play, `12-17(5)x`: from where to where, what it spends, whether it captures."""

    origin: int
    target: int
    spent: str
    captures: bool = False

    def __str__(self) -> str:
        """Return the step's text form."""
        ends = f"{PLACE_TEXTS[self.origin]}-{PLACE_TEXTS[self.target]}"
        return f"{ends}({self.spent}){'x' * self.captures}"


_STEP = re.compile(
    r"(?P<origin>\w+)-(?P<target>\w+)\((?P<spent>[1-9]\d?(?:[+,][1-6]|/14)?)\)(?P<captures>x?)",
    re.ASCII,
)


def parse_step(text: str) -> Step:
    """Return the step in a text. Raises ValueError if the text is not a step."""
    match = _STEP.fullmatch(text)
    if match is None:
        raise InputError(
            f"{text!r} is not a step: write one such as 12-17(5), N-0(4+1) or 17-37(20)x"
        )
    origin, target = parse_place(match["origin"]), parse_place(match["target"])
    return Step(origin, target, match["spent"], bool(match["captures"]))
