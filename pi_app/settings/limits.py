"""The limit of an evening: after so many minutes or turns the last round comes. Asks no clock.

A Pi without a network or a battery for its clock does not know the time of day, and its clock may
jump. So the limit is a number of minutes with the table switched on, and no time of day.
"""

from typing import Literal, NamedTuple, get_args

Unit = Literal["minutes", "turns"]


class Limit(NamedTuple):
    """So many minutes from now, or turns of each seat from the start of a game; 0: no limit."""

    amount: int = 0
    unit: Unit = "minutes"

    def __str__(self) -> str:
        return f"{self.amount} {self.unit}"


NO_LIMIT = Limit()


def read_limit(text: str) -> Limit:
    """Return a limit from its text: `45 minutes`, `30 turns`. Raises ValueError."""
    for unit in get_args(Unit):
        count = text.removesuffix(f" {unit}")
        if count != text and count.isdecimal() and len(count) < 4:
            return Limit(int(count), unit)
    raise ValueError(f"{text!r} is not a limit: write 45 minutes, or 30 turns")
