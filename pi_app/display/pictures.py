"""The pictures of seats, dice, cowries and the cup, as one-bit images.

Do not change the images of cached functions.
"""

from functools import cache
from typing import Literal

from PIL import Image, ImageChops, ImageOps

from pi_app.display.lettering import DARK, LIT, PICTURES
from pi_app.model.screens import Die, PatternName
from rules.board import SEAT_LETTERS
from rules.ruleset import SHELLS

GLYPHS = tuple(PICTURES[f"small-{letter}"] for letter in SEAT_LETTERS)

# The glyphs on the cup, by how many seats have won: their scale and the corner of each.
CUP_GLYPHS = {
    1: (3, ((7, 4),)),
    2: (2, ((5, 5), (12, 5))),
    3: (1, ((5, 6), (10, 6), (15, 6))),
    4: (1, ((7, 3), (13, 3), (7, 8), (13, 8))),
}

# The pips of each face, in 3 rows.
PIPS = {
    1: ("...", ".#.", "..."),
    2: ("..#", "...", "#.."),
    3: ("..#", ".#.", "#.."),
    4: ("#.#", "...", "#.#"),
    5: ("#.#", ".#.", "#.#"),
    6: ("#.#", "#.#", "#.#"),
}
# A die's size in pixels: the width of a pip, and the gap before, between and after the three pips.
SMALL, BIG = (2, 1), (5, 3)
TUMBLING_SIZES = {SMALL: (1, 1), BIG: (4, 2)}  # smaller, because the die is tilted
TILT_DEGREES = 25  # for each pip of the face


@cache
def glyph(seat: int, scale: int) -> Image.Image:
    """Return a seat's glyph, each pixel enlarged to `scale` pixels."""
    return ImageOps.scale(GLYPHS[seat], scale, Image.Resampling.NEAREST)


@cache
def draw_cup(winners: tuple[int, ...]) -> Image.Image:
    image = PICTURES["cup"].copy()
    scale, corners = CUP_GLYPHS[len(winners)]
    for seat, corner in zip(winners, corners, strict=True):
        image.paste(glyph(seat, scale), corner)
    return image


def die_width(size: tuple[int, int]) -> int:
    pip, gap = size
    return 3 * pip + 4 * gap


@cache
def draw_die(this: Die, size: tuple[int, int]) -> Image.Image:
    """Return a die from above, tilted if it tumbles. size: `SMALL` or `BIG`."""
    image = Image.new("1", (die_width(size), die_width(size)))
    if not this.tumbling:
        _draw_face(image, this.face, size)
        return image
    _draw_face(image, this.face, TUMBLING_SIZES[size])
    margin = (die_width(size) - die_width(TUMBLING_SIZES[size])) // 2
    return ImageChops.offset(image, margin).rotate(this.face * TILT_DEGREES)


def _draw_face(image: Image.Image, face: int, size: tuple[int, int]) -> None:
    pip, gap = size
    edge = die_width(size) - 1
    image.paste(LIT, (0, 0, edge + 1, edge + 1))
    if size == BIG:
        for corner in ((0, 0), (0, edge), (edge, 0), (edge, edge)):
            image.putpixel(corner, DARK)
    for row, marks in enumerate(PIPS[face]):
        for column, mark in enumerate(marks):
            x, y = (gap + n * (pip + gap) for n in (column, row))
            if mark == "#":
                image.paste(DARK, (x, y, x + pip, y + pip))


PASSING = (4, 1, 5, 2, 0, 3)  # mouths up, one after the other while the shells tumble
SHELL_ROWS = 2
SHELL_GAPS = {"small": 1, "big": 3}  # pixels between two


@cache
def draw_shells(up: int, size: Literal["small", "big"]) -> Image.Image:
    """Return six shells in two rows. up: how many mouths are up."""
    down, with_mouth = PICTURES[f"{size}-shell-down"], PICTURES[f"{size}-shell-up"]
    gap = SHELL_GAPS[size]
    across, width, height = SHELLS // SHELL_ROWS, down.width + gap, down.height + gap
    image = Image.new("1", (across * width - gap, SHELL_ROWS * height - gap))
    for number in range(SHELLS):
        corner = number % across * width, number // across * height
        image.paste(with_mouth if number < up else down, corner)
    return image


CHECK_SIZE = 8  # pixels: visible as squares from where people read the display


def draw_pattern(what: PatternName, size: tuple[int, int]) -> Image.Image:
    """Return a picture of the display's size that shows missing dots, or a shift."""
    width, height = size
    image = Image.new("1", size, LIT)
    if what == "the-edge":
        image.paste(DARK, (1, 1, width - 1, height - 1))
    elif what == "checks":
        for x in range(0, width, CHECK_SIZE):
            for y in range(x % (2 * CHECK_SIZE), height, 2 * CHECK_SIZE):
                image.paste(DARK, (x, y, x + CHECK_SIZE, y + CHECK_SIZE))
    return image
