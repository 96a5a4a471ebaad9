"""Draws the course of one seat's chance to win, as a line over the whole width.

On so few pixels, several lines could not be told apart, so the seats take turns.
"""

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from pi_app.display.lettering import LIT
from pi_app.model.advice import Chances
from rules.board import SEATS

WIDTH, HEIGHT = 127, 42  # without the first column: a screen at rest moves by a pixel
HALF_STEP = 8  # pixels between two dots of the line at one half


def seats_with_chances(chances: Sequence[Chances], partners: bool) -> tuple[int, ...]:
    """Return the seats that have a chance after at least one turn; of each side the first one."""
    seats = range(SEATS // 2 if partners else SEATS)
    return tuple(seat for seat in seats if any(after[seat] is not None for after in chances))


def draw_curve(chances: Sequence[Chances], turns: int, seat: int) -> Image.Image:
    """Return the line of a seat's chance: a sure win is on top, one half is dotted.

    chances: after each of the first turns. turns: how many the whole width stands for.
    """
    image = Image.new("1", (WIDTH, HEIGHT))
    for x in range(0, WIDTH, HALF_STEP):
        image.putpixel((x, HEIGHT // 2), LIT)
    columns = WIDTH * len(chances) // max(turns, 1)
    shown = (chances[min(x * turns // WIDTH, len(chances) - 1)][seat] for x in range(columns))
    rows = [None if chance is None else round((HEIGHT - 1) * (1 - chance)) for chance in shown]
    for x, (before, y) in enumerate(pairwise([*rows[:1], *rows])):
        if y is None:
            continue
        start = y if before is None else before
        # The dot reaches up or down to the one before, so that the line has no gaps.
        top, bottom = sorted((y, start + (y > start) - (y < start)))
        image.paste(LIT, (x, top, x + 1, bottom + 1))
    return image
