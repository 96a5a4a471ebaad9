"""Dice: how a throw is drawn, and what its row names as the source. Reads no settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dice:
    """A source of throws; `randbelow(n)` gives each of 0 .. n-1 equally often."""

    source: str
    randbelow: Callable[[int], int]

    def throw(self, count: int) -> tuple[int, ...]:
        """Draw `count` faces, 1 to 6 each."""
        return tuple(self.randbelow(6) + 1 for _ in range(count))


KERNEL = Dice("kernel", secrets.randbelow)
