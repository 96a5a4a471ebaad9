"""A clock that the caller sets."""

from dataclasses import dataclass


@dataclass(slots=True)
class VirtualClock:
    """A clock whose time, in seconds, changes only when `now` is set."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now
