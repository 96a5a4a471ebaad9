"""How the chances went, as lines over the full width, told apart without colour. No words.

Each seat's line has its own dashes, and its letter where it is farthest from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PIL import Image

from pi_app.display.lettering import DARK, LIT, NOTES, line
from rules.board import SEAT_LETTERS

WIDTH, HEIGHT = 127, 42  # the first column is free: what rests is moved by a dot
DASHES = ("#", "#####..", "#...", "####..#..")  # of the seats, over and over
JUMP = 2  # dots from one column to the next: more are joined, whatever the dashes
EDGE = 8  # dots from either end in which no letter stands
Chances = tuple[float | None, ...]  # by seat
Column = dict[int, int]  # by seat the row of its dot


def drawn(chances: Sequence[Chances], turns: int) -> Image.Image:
    """Return the chances after the first turns of so many, the sure win on top."""
    image = Image.new("1", (WIDTH, HEIGHT))
    columns = _columns(chances, turns)
    for x, (before, after) in enumerate(pairwise([*columns[:1], *columns])):
        for seat, y in after.items():
            jumps = abs(before.get(seat, y) - y) > JUMP
            if jumps or DASHES[seat][x % len(DASHES[seat])] == "#":
                _draw_dot(image, x, before.get(seat, y), y)
    for seat in range(len(SEAT_LETTERS)):
        _draw_letter(image, columns, seat)
    return image


def _columns(chances: Sequence[Chances], turns: int) -> list[Column]:
    """Return for each column that is known the rows of the seats' dots."""
    known = WIDTH * len(chances) // max(turns, 1)
    shown = (chances[min(x * turns // WIDTH, len(chances) - 1)] for x in range(known))
    return [
        {seat: round((HEIGHT - 1) * (1 - one)) for seat, one in enumerate(now) if one is not None}
        for now in shown
    ]


def _draw_dot(image: Image.Image, x: int, before: int, y: int) -> None:
    """Draw a column's dot, joined to the one before where that is higher or lower."""
    top, bottom = sorted((y, before + (y > before) - (y < before)))
    image.paste(LIT, (x, top, x + 1, bottom + 1))


def _draw_letter(image: Image.Image, columns: Sequence[Column], seat: int) -> None:
    """Write a seat's letter next to its line, where that is farthest from the others if it can."""
    places = [x for x in range(EDGE, len(columns) - EDGE) if seat in columns[x]]
    places.sort(key=lambda x: _free(columns[x], seat), reverse=True)
    text = SEAT_LETTERS[seat]
    letter = line(NOTES, text).crop((0, 0, NOTES.width(text), NOTES.cap))
    corners = [corner for x in places for corner in _corners(x, columns[x][seat], letter.width)]
    if corners:
        x, y = next((one for one in corners if _is_free(image, one, letter)), corners[0])
        image.paste(DARK, (x - 1, y - 1, x + letter.width + 1, y + NOTES.cap + 1))
        image.paste(letter, (x, y))


def _corners(x: int, y: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield where a letter may begin beside a dot: above it, under it."""
    for top in (y - NOTES.cap - 2, y + 3):
        if 0 <= top < HEIGHT - NOTES.cap:
            yield x - width // 2, top


def _is_free(image: Image.Image, corner: tuple[int, int], letter: Image.Image) -> bool:
    x, y = corner
    return image.crop((x - 1, y - 1, x + letter.width + 1, y + NOTES.cap + 1)).getbbox() is None


def _free(column: Column, seat: int) -> int:
    """Return how far the nearest other line is."""
    return min((abs(y - column[seat]) for one, y in column.items() if one != seat), default=HEIGHT)
