"""Draws the celebration of the winners: a cup, each seat's large glyph and letter, and confetti.

Each piece of confetti is a seat's glyph, and falls a few pixels a frame. The screen does not flash.
"""

from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image

from pi_app.display import pictures
from pi_app.display.lettering import DARK, draw_enlarged
from rules.board import SEAT_LETTERS

WIDTH, HEIGHT = 128, 50
PIECE_COUNT = 32
# x distance from one piece to the next, modulo the width. It is prime, so that the pieces spread
# over all columns.
X_STEP = 53
Y_STEP = 31  # y distance, modulo the height
MIN_SPEED, SPEED_COUNT = 2, 3  # pixels a frame: 2, 3 or 4
# By how many seats have won: how many times its normal size a winner's glyph is, and its letter.
SCALES = {1: (9, 3), 2: (6, 2), 3: (4, 1), 4: (2, 1)}
MARGIN = 3  # confetti stays this many pixels away from the cup, the glyphs and the letters


class Piece(NamedTuple):
    """A piece of confetti: its seat's glyph, the scale, and the top left corner in pixels."""

    seat: int
    scale: int
    x: int
    y: int


def draw_celebration(winners: tuple[int, ...], seats: tuple[int, ...], frame: int) -> Image.Image:
    """Return a frame of the celebration. seats: the confetti has their glyphs."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for piece in confetti_pieces(winners, seats, frame):
        shape = pictures.glyph(piece.seat, piece.scale)
        image.paste(shape, (piece.x, piece.y))
    shape_scale, letter_scale = SCALES[len(winners)]
    parts = [pictures.draw_cup(winners)]
    for seat in winners:
        letter = draw_enlarged(SEAT_LETTERS[seat], letter_scale)
        parts += [pictures.glyph(seat, shape_scale), letter.crop(letter.getbbox())]
    x = (WIDTH - sum(part.width for part in parts) - 2 * (len(parts) - 1) * MARGIN) // 2
    for part in parts:
        y = (HEIGHT - part.height) // 2
        margin_box = (x - MARGIN, y - MARGIN, x + part.width + MARGIN, y + part.height + MARGIN)
        image.paste(DARK, margin_box)
        image.paste(part, (x, y))
        x += part.width + 2 * MARGIN
    return image


def confetti_pieces(
    winners: tuple[int, ...], seats: tuple[int, ...], frame: int
) -> Iterator[Piece]:
    """Yield the pieces of a frame. Half have a winner's glyph, and half of those are large."""
    for n in range(PIECE_COUNT):
        seat = winners[n // 4 % len(winners)] if n % 2 else seats[n // 2 % len(seats)]
        scale = 2 if n % 4 == 1 else 1
        size = pictures.GLYPHS[seat].width * scale
        distance = n * Y_STEP + frame * (MIN_SPEED + n % SPEED_COUNT)
        x = 1 + n * X_STEP % (WIDTH - 1 - size)  # the first column stays dark, as on all screens
        yield Piece(seat, scale, x, distance % (HEIGHT + size) - size)
