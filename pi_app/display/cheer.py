"""Draws the celebration of a winner: a cup, the seat's large shape and letter, and confetti.

The confetti has the seats' shapes and falls a few pixels a frame. The screen does not flash.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image

from pi_app.display import pictures
from pi_app.display.lettering import DARK, WORDS, draw_text
from rules.board import SEAT_LETTERS

WIDTH, HEIGHT = 128, 50
PIECES = 32
X_STEP = 53  # x distance of two pieces, modulo the width; a prime, so they do not share columns
Y_STEP = 31  # y distance, modulo the height
MIN_SPEED, SPEED_COUNT = 2, 3  # pixels a frame: 2, 3 or 4
SHAPE_SCALE = 9  # of the winner's shape
LETTER_SCALE = 3  # of the winner's letter
MARGIN = 3  # pixels around cup, shape and letter without confetti


class Piece(NamedTuple):
    """A piece of confetti: its seat's shape, the scale, and the top left corner in pixels."""

    seat: int
    scale: int
    x: int
    y: int


def draw_celebration(winner: int, seats: tuple[int, ...], frame: int) -> Image.Image:
    """Return a frame of the celebration. The confetti has the shapes of `seats`."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for piece in confetti(winner, seats, frame):
        shape = pictures.glyph(piece.seat, piece.scale)
        image.paste(shape, (piece.x, piece.y))
    cup = pictures.CUP.copy()
    cup.paste(pictures.glyph(winner, 3), pictures.ON_CUP)
    shape = pictures.glyph(winner, SHAPE_SCALE)
    small = draw_text(WORDS, SEAT_LETTERS[winner])
    small = small.crop((0, 0, small.width, WORDS.cap))
    size = (LETTER_SCALE * small.width, LETTER_SCALE * small.height)
    letter = small.resize(size, Image.Resampling.NEAREST)
    x = (WIDTH - cup.width - shape.width - letter.width - 4 * MARGIN) // 2
    for part in (cup, shape, letter):
        y = (HEIGHT - part.height) // 2
        cleared = (x - MARGIN, y - MARGIN, x + part.width + MARGIN, y + part.height + MARGIN)
        image.paste(DARK, cleared)
        image.paste(part, (x, y))
        x += part.width + 2 * MARGIN
    return image


def confetti(winner: int, seats: tuple[int, ...], frame: int) -> Iterator[Piece]:
    """Yield the pieces of a frame. Half have the winner's shape, and half of those are large."""
    for n in range(PIECES):
        seat = winner if n % 2 else seats[n // 2 % len(seats)]
        scale = 2 if n % 4 == 1 else 1
        size = pictures.CELL * scale
        fallen = n * Y_STEP + frame * (MIN_SPEED + n % SPEED_COUNT)
        x = 1 + n * X_STEP % (WIDTH - 1 - size)  # the first column stays dark, as on all screens
        yield Piece(seat, scale, x, fallen % (HEIGHT + size) - size)
