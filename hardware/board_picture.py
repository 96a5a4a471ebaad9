"""A board as pixels: the drawing of the sheets in the strong colours of a bought board."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from hardware.ludo_board import WIDTH, draw_board
from hardware.paper import INK, Paper
from hardware.quarters import EDGE, PARTS, Quarter, pale
from hardware.shapes import COLOURS, DOTS, LETTERS, Point
from pi_app.model.cells import Cells
from rules.board import safety_spaces

FINENESS, SHRUNK = 8, 2  # pixels in a mm, and how many become one, for smooth edges
CARD = "#fbf4e2"
STRONG = {pale(seat): COLOURS[letter] for seat, letter in enumerate(LETTERS)}


def board_picture(cells: Cells, safety: str) -> Image.Image:
    """Return a whole board with its edge."""
    half = WIDTH / 2 + EDGE
    side = round(half * FINENESS)
    whole = Image.new("RGB", (2 * side, 2 * side))
    for part in range(PARTS):
        canvas, right, low = Canvas((2 * half, 2 * half)), part % 2, part // 2
        quarter = Quarter(canvas, cells, WIDTH / cells.size, part)
        draw_board(quarter, safety_spaces(cells.layout, safety))
        x, y = quarter.corner
        left, top = _scaled(x - EDGE * (1 - right), y - EDGE * (1 - low))
        drawn = canvas.image.crop((left, top, left + side, top + side))
        whole.paste(drawn, (right * side, low * side))
    return whole.reduce(SHRUNK)


@dataclass(slots=True)
class Canvas(Paper):
    """A paper whose areas are pixels. It has no thin lines, and only the letters of the seats."""

    image: Image.Image = field(init=False)

    def __post_init__(self) -> None:
        width, height = _scaled(*self.size)
        self.image = Image.new("RGB", (width, height), CARD)

    def shape(
        self, lines: Sequence[Sequence[Point]], fill: str | None = None, stroke: str | None = INK
    ) -> None:
        mask = Image.new("1", self.image.size)
        for number, line in enumerate(lines):
            ImageDraw.Draw(mask).polygon(_scaled(*sum(line, ())), fill=number == 0)
        self.image.paste(_strong(fill), mask=mask)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None = None,
        stroke: str | None = INK,
    ) -> None:
        if fill:
            area = _scaled(x, y, x + width, y + height)
            ImageDraw.Draw(self.image).rectangle(area, _strong(fill))

    def disc(
        self, x: float, y: float, radius: float, fill: str | None, stroke: str | None = None
    ) -> None:
        area = _scaled(x - radius, y - radius, x + radius, y + radius)
        ImageDraw.Draw(self.image).ellipse(area, _strong(fill))

    def words(
        self, x: float, y: float, text: str, size: float, bold: bool = False, ink: str = INK
    ) -> None:
        side = size / 10
        for row, line in enumerate(DOTS[text]):
            for column in (n for n, dot in enumerate(line) if dot == "#"):
                self.box(x + column * side, y + (row - 7) * side, side, side, CARD)


def _strong(fill: str | None) -> str:
    return STRONG.get(fill or CARD, fill or CARD)


def _scaled(*lengths: float) -> list[int]:
    return [round(length * FINENESS) for length in lengths]
