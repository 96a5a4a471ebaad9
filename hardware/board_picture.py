"""A board as pixels: the drawing of the sheets in the strong colours of a bought board."""

from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from hardware.ludo_board import STAR, WIDTH, draw_board
from hardware.paper import INK, Lines, Paint, Paper
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
        canvas = Canvas((2 * half, 2 * half))
        quarter = Quarter(canvas, cells, WIDTH / cells.size, part)
        draw_board(quarter, dict.fromkeys(safety_spaces(cells.layout, safety), STAR))
        left, top = _scaled(*quarter.edge)
        drawn = canvas.image.crop((left, top, left + side, top + side))
        whole.paste(drawn, (part % 2 * side, part // 2 * side))
    return whole.reduce(SHRUNK)


@dataclass(slots=True)
class Canvas(Paper):
    """A paper whose areas are pixels. It has no thin lines, and only the letters of the seats."""

    image: Image.Image = field(init=False)

    def __post_init__(self) -> None:
        width, height = _scaled(*self.size)
        self.image = Image.new("RGB", (width, height), CARD)

    def shape(self, lines: Lines, fill: Paint = None, stroke: Paint = INK) -> None:
        mask = Image.new("1", self.image.size)
        for number, line in enumerate(lines):
            ImageDraw.Draw(mask).polygon(_scaled(*sum(line, ())), fill=number == 0)
        self.image.paste(_strong(fill), mask=mask)

    def box(self, at: Point, size: Point, fill: Paint = None, stroke: Paint = INK) -> None:
        if fill:
            area = _scaled(*at, at[0] + size[0], at[1] + size[1])
            ImageDraw.Draw(self.image).rectangle(area, _strong(fill))

    def disc(self, at: Point, radius: float, fill: Paint, stroke: Paint = None) -> None:
        x, y = at
        area = _scaled(x - radius, y - radius, x + radius, y + radius)
        ImageDraw.Draw(self.image).ellipse(area, _strong(fill))

    def words(self, at: Point, text: str, size: float, bold: bool = False, ink: str = INK) -> None:
        (x, y), side = at, size / 10
        for row, line in enumerate(DOTS[text]):
            for column in (n for n, dot in enumerate(line) if dot == "#"):
                self.box((x + column * side, y + (row - 7) * side), (side, side), CARD)


def _strong(fill: Paint) -> str:
    return STRONG.get(fill or CARD, fill or CARD)


def _scaled(*lengths: float) -> list[int]:
    return [round(length * FINENESS) for length in lengths]
