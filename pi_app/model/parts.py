"""The state of parts of the referee, and the faults of the journal's disk. Judges nothing."""

from typing import Literal, NamedTuple

# Why a game's rows can't be saved.
Fault = Literal["disk-full", "read-only", "no-access", "disk-busy", "bad-disk", "disk-gone"]


class PowerState(NamedTuple):
    """What the Pi reports: power too low or chip too hot, now or at any time since its start."""

    low: bool = False
    hot: bool = False
    was_low: bool = False
    was_hot: bool = False


class LinkState(NamedTuple):
    is_connected: bool
    commands: int = 0  # that were sent
    dropped: int = 0  # lines that were lost
    own_throws: int = 0  # that it made by itself
    round_trip_s: float | None = None  # the median time from a command to its answer
