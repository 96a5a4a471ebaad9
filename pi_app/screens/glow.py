"""How the screen glows while nothing is being decided: dim, moved by a dot, dark. No panel.

An OLED that stands still burns in, and no game stands still while its players play.
"""

from bisect import bisect_right
from typing import Literal, NamedTuple

Level = Literal["bright", "half", "low", "dim", "dark"]

DIM_AFTER_S = 60.0  # longer than a throw takes
MOVE_S = 60.0  # so slow that nobody sees it move
DARK_AFTER_S = 600.0  # a meal, not a glance at the board


class Glow(NamedTuple):
    """How bright the screen is, and whether its picture is moved by a dot."""

    level: Level = "bright"
    moved: bool = False


AWAKE = Glow()
STEPS = range(int(DIM_AFTER_S), int(DARK_AFTER_S) + 1, int(MOVE_S))


def glow(rested_s: float) -> Glow:
    """Return how the screen glows after so long a rest."""
    steps = bisect_right(STEPS, rested_s + 1e-6)
    if steps == len(STEPS):
        return Glow("dark")
    return Glow("dim", moved=steps % 2 == 0) if steps else AWAKE


def next_glow(rested_s: float) -> float | None:
    """Return after how long a rest the glow is another one next, None if it stays."""
    steps = bisect_right(STEPS, rested_s + 1e-6)
    return STEPS[steps] if steps < len(STEPS) else None
