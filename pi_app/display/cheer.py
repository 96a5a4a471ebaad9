"""A winner celebrated: a cup, the seat's shape and letter large, and confetti. Knows no clock.

The confetti is of the seats' shapes and falls a few dots a frame; nothing flashes.
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
X_STEP = (
    53  # dots from one piece to the next, round the width: a prime, so that none share a column
)
Y_STEP = 31  # and round the height
MIN_SPEED, SPEED_COUNT = 2, 3  # dots a frame: 2, 3 or 4
SHAPE_SCALE = 9  # times a seat's shape
LETTER_SCALE = 3  # times a usual letter
MARGIN = 3  # dots without confetti round what stands


class Piece(NamedTuple):
    """One piece of confetti: whose shape, how large, and its top left corner."""

    seat: int
    scale: int
    x: int
    y: int


def draw_celebration(winner: int, seats: tuple[int, ...], frame: int) -> Image.Image:
    """Return a frame of the celebration; seats: whose shapes the confetti has."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for piece in confetti(winner, seats, frame):
        shape = pictures.glyph(piece.seat, piece.scale)
        image.paste(shape, (piece.x, piece.y))
    cup, shape, letter = _trophy(winner), pictures.glyph(winner, SHAPE_SCALE), _letter(winner)
    x = (WIDTH - cup.width - shape.width - letter.width - 4 * MARGIN) // 2
    for part in (cup, shape, letter):
        y = (HEIGHT - part.height) // 2
        room = (x - MARGIN, y - MARGIN, x + part.width + MARGIN, y + part.height + MARGIN)
        image.paste(DARK, room)
        image.paste(part, (x, y))
        x += part.width + 2 * MARGIN
    return image


def confetti(winner: int, seats: tuple[int, ...], frame: int) -> Iterator[Piece]:
    """Yield the pieces of a frame: the winner's are large, and as many as all others."""
    for n in range(PIECES):
        seat = winner if n % 2 else seats[n // 2 % len(seats)]
        scale = 2 if n % 4 == 1 else 1
        size = pictures.CELL * scale
        fallen = n * Y_STEP + frame * (MIN_SPEED + n % SPEED_COUNT)
        x = 1 + n * X_STEP % (WIDTH - 1 - size)  # the first column is free, as on all screens
        yield Piece(seat, scale, x, fallen % (HEIGHT + size) - size)


def _trophy(winner: int) -> Image.Image:
    cup = pictures.CUP.copy()
    cup.paste(pictures.glyph(winner, 3), pictures.ON_CUP)
    return cup


def _letter(winner: int) -> Image.Image:
    usual = draw_text(WORDS, SEAT_LETTERS[winner])
    usual = usual.crop((0, 0, usual.width, WORDS.cap))
    return usual.resize(
        (LETTER_SCALE * usual.width, LETTER_SCALE * usual.height), Image.Resampling.NEAREST
    )
