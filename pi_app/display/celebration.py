"""Draws the celebration of a winner: a cup, the seat's large glyph and letter, and confetti.

Each piece of confetti is a seat's glyph, and falls a few pixels a frame. The screen does not flash.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image

from pi_app.display import pictures
from pi_app.display.lettering import DARK, WORDS, draw_text
from rules.board import SEAT_LETTERS

WIDTH, HEIGHT = 128, 50
PIECE_COUNT = 32
# x distance from one piece to the next, modulo the width. It is prime, so that the pieces spread
# over all columns.
X_STEP = 53
Y_STEP = 31  # y distance, modulo the height
MIN_SPEED, SPEED_COUNT = 2, 3  # pixels a frame: 2, 3 or 4
SHAPE_SCALE = 9  # the winner's glyph is this many times its normal size
LETTER_SCALE = 3  # the winner's letter likewise
MARGIN = 3  # confetti stays this many pixels away from the cup, the glyph and the letter


class Piece(NamedTuple):
    """A piece of confetti: its seat's glyph, the scale, and the top left corner in pixels."""

    seat: int
    scale: int
    x: int
    y: int


def draw_celebration(winner: int, seats: tuple[int, ...], frame: int) -> Image.Image:
    """Return a frame of the celebration. seats: the confetti has their glyphs."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for piece in confetti_pieces(winner, seats, frame):
        shape = pictures.glyph(piece.seat, piece.scale)
        image.paste(shape, (piece.x, piece.y))
    cup = pictures.CUP.copy()
    cup.paste(pictures.glyph(winner, 3), pictures.CUP_SHAPE_POSITION)
    shape = pictures.glyph(winner, SHAPE_SCALE)
    letter = draw_text(WORDS, SEAT_LETTERS[winner])
    letter = letter.crop((0, 0, letter.width, WORDS.cap))
    size = (LETTER_SCALE * letter.width, LETTER_SCALE * letter.height)
    letter = letter.resize(size, Image.Resampling.NEAREST)
    x = (WIDTH - cup.width - shape.width - letter.width - 4 * MARGIN) // 2
    for part in (cup, shape, letter):
        y = (HEIGHT - part.height) // 2
        margin_box = (x - MARGIN, y - MARGIN, x + part.width + MARGIN, y + part.height + MARGIN)
        image.paste(DARK, margin_box)
        image.paste(part, (x, y))
        x += part.width + 2 * MARGIN
    return image


def confetti_pieces(winner: int, seats: tuple[int, ...], frame: int) -> Iterator[Piece]:
    """Yield the pieces of a frame. Half have the winner's glyph, and half of those are large."""
    for n in range(PIECE_COUNT):
        seat = winner if n % 2 else seats[n // 2 % len(seats)]
        scale = 2 if n % 4 == 1 else 1
        size = pictures.GLYPHS[seat].width * scale
        distance = n * Y_STEP + frame * (MIN_SPEED + n % SPEED_COUNT)
        x = 1 + n * X_STEP % (WIDTH - 1 - size)  # the first column stays dark, as on all screens
        yield Piece(seat, scale, x, distance % (HEIGHT + size) - size)
