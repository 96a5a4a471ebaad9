"""Dice: draws throws from a source, whose name goes into their rows. It reads no settings."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from rules.ruleset import SHELLS


@dataclass(frozen=True, slots=True)
class Dice:
    """A source of throws. `randbelow(n)` returns each of 0 .. n-1 equally often."""

    source: str
    randbelow: Callable[[int], int]

    def throw(self, count: int, shells: bool = False) -> tuple[int, ...]:
        """Return `count` random faces, 1 to 6 each; of six shells, how many mouths are up."""
        if shells:
            return (self.randbelow(2**SHELLS).bit_count(),)
        return tuple(self.randbelow(6) + 1 for _ in range(count))


KERNEL = Dice("kernel", secrets.randbelow)
