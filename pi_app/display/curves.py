"""How one seat's chance to win went, as a line over the full width. No words.

One line is all that can be told apart on so few dots: the seats take turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from pi_app.display.lettering import LIT
from rules.board import SEATS

WIDTH, HEIGHT = 127, 42  # the first column is free: what rests is moved by a dot
HALF_STEP = 8  # dots from one dot of the line at half to the next
Chances = tuple[float | None, ...]  # by seat


def seats_with_chances(chances: Sequence[Chances]) -> tuple[int, ...]:
    """Return the seats of which there is a line."""
    return tuple(seat for seat in range(SEATS) if any(after[seat] is not None for after in chances))


def draw_curve(chances: Sequence[Chances], turns: int, seat: int) -> Image.Image:
    """Return a seat's chance after the first turns of so many: the sure win on top, half dotted."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for x in range(0, WIDTH, HALF_STEP):
        image.putpixel((x, HEIGHT // 2), LIT)
    rows = _rows(chances, turns, seat)
    for x, (before, y) in enumerate(pairwise([*rows[:1], *rows])):
        if y is not None:
            _draw_dot(image, x, y if before is None else before, y)
    return image


def _rows(chances: Sequence[Chances], turns: int, seat: int) -> list[int | None]:
    """Return for each column that is known the row of the seat's dot, None where it has none."""
    known = WIDTH * len(chances) // max(turns, 1)
    shown = (chances[min(x * turns // WIDTH, len(chances) - 1)][seat] for x in range(known))
    return [None if one is None else round((HEIGHT - 1) * (1 - one)) for one in shown]


def _draw_dot(image: Image.Image, x: int, before: int, y: int) -> None:
    """Draw a column's dot, joined to the one before where that is higher or lower."""
    top, bottom = sorted((y, before + (y > before) - (y < before)))
    image.paste(LIT, (x, top, x + 1, bottom + 1))
