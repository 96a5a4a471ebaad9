"""How parts of the table say that they are: values that a self test is told. Judges nothing."""

from typing import NamedTuple


class Supply(NamedTuple):
    """What the Pi tells of its power: too low, too hot, now or at any time since the start."""

    low: bool = False
    hot: bool = False
    was_low: bool = False
    was_hot: bool = False


class LinkState(NamedTuple):
    """How the line to the lit chamber is.

    alone: throws that it made by itself. trip_s: the middle of the times from command to answer.
    """

    up: bool
    commands: int = 0
    dropped: int = 0
    alone: int = 0
    trip_s: float | None = None
