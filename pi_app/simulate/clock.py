"""A clock that somebody else moves on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class VirtualClock:
    """Time that passes only when it is told to, in seconds."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now
