"""A quarter of a board on a sheet of paper, and what each board to print has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hardware.paper import INK, Lines, Paper
from hardware.shapes import COLOURS, LETTERS, Point
from pi_app.model.cells import Cell, Cells
from pi_app.model.screens import Message, Text, message

PARTS = 4  # top left, top right, bottom left, bottom right
EDGE = 6.0  # mm, outside the spaces
TOP = 10.0  # mm, from the paper's upper edge to the board's
FRAME = 0.02  # the width of a line, in spaces: at least 0.4 mm, so that it is seen across a table
PALE = 0.62  # how much white is mixed into a seat's colour, to save ink
GREY = "#5b636d"


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter of a board on a sheet. square: the side of a space, in mm. part: 0 to 3."""

    paper: Paper
    cells: Cells
    square: float
    part: int

    @property
    def width(self) -> float:
        """The side of the quarter in mm, without its edge."""
        return self.cells.size / 2 * self.square

    @property
    def edge(self) -> Point:
        """The top left corner of the quarter and its edge on the paper, in mm."""
        return (self.paper.size[0] - self.width - EDGE) / 2, TOP

    @property
    def corner(self) -> Point:
        """The top left corner of the quarter's spaces on the paper, in mm."""
        left, top = self.edge
        return left + EDGE * (1 - self.part % 2), top + EDGE * (1 - self.part // 2)

    @property
    def first(self) -> Point:
        """The top left corner of the quarter, in spaces from that of the board."""
        return self.cells.size / 2 * (self.part % 2), self.cells.size / 2 * (self.part // 2)

    def holds(self, at: Point) -> bool:
        """Whether a point of the board is inside the quarter, not on its edge."""
        (left, top), half = self.first, self.cells.size / 2
        return left < at[0] < left + half and top < at[1] < top + half

    def place(self, points: Sequence[Point]) -> list[Point]:
        """Return points of the board, in spaces, as mm on the paper. The quarter's edge cuts them.

        A shape that goes beyond the edge needs a point wherever it crosses it.
        """
        (left, top), half, (x0, y0) = self.first, self.cells.size / 2, self.corner
        inside = [
            (min(max(x, left), left + half) - left, min(max(y, top), top + half) - top)
            for x, y in points
        ]
        return [(x0 + x * self.square, y0 + y * self.square) for x, y in inside]

    def draw_about(self, at: Point, size: float, shape: Lines, fill: str) -> None:
        """Draw what is in this quarter of a shape about a point of the board.

        size: of 1 in the shape, in spaces. A line of the shape inside another one is a hole.
        """
        (left, top), half = at, self.cells.size / 2
        middle = half - left, half - top
        for axis in (0, 1):
            shape = [list(_split(line, middle[axis] / size, axis)) for line in shape]
        placed = [
            self.place([(left + x * size, top + y * size) for x, y in line]) for line in shape
        ]
        corners = [point for line in placed for point in line]
        sizes = [max(side) - min(side) for side in zip(*corners, strict=True)]
        if sizes and min(sizes) > 0.1:  # mm
            self.paper.shape(placed, fill, None)

    def draw_disc(self, at: Point, radius: float, fill: str) -> None:
        """Draw a filled circle about a point of the board. radius: in spaces."""
        [middle] = self.place([at])
        self.paper.disc(middle, radius * self.square, fill)

    def draw_edge(self) -> None:
        """Draw the line along which to cut."""
        self.paper.box(self.edge, (self.width + EDGE, self.width + EDGE))

    def draw_square(self, cell: Cell, fill: str) -> None:
        """Draw a space in a frame, if some of it is in this quarter."""
        x, y = cell
        for inset, colour in ((0.0, GREY), (FRAME, fill)):
            far = 1 - inset
            (left, top), (right, low) = self.place([(x + inset, y + inset), (x + far, y + far)])
            if left < right and top < low:
                self.paper.box((left, top), (right - left, low - top), colour, None)

    def write(self, text: str, at: Point, height: float, ink: str = INK) -> None:
        """Write a text that begins in this quarter at its lower left corner. height: in spaces."""
        if self.holds(at):
            [corner] = self.place([at])
            self.paper.words(corner, text, height * self.square, bold=True, ink=ink)

    def draw_mark(self, seat: int, at: Point, size: float) -> None:
        """Draw a seat's shape in its colour about a point of the board. size: in spaces."""
        [middle] = self.place([at])
        self.paper.mark(LETTERS[seat], middle, size * self.square)

    def draw_centre(self, seat: int) -> None:
        """Draw the half of a seat's triangle of the centre that is in this quarter."""
        x, y = (n + 0.5 for n in self.cells.centre)
        end = self.cells.rows[seat][-1]
        centre = self.cells.centre
        dx, dy = ((n > middle) - (n < middle) for n, middle in zip(end, centre, strict=True))
        half = max(abs(end[0] - centre[0]), abs(end[1] - centre[1])) - 0.5
        for side in (-1, 1):
            corner = (x + (dx + side * dy) * half, y + (dy + side * dx) * half)
            third = self.place([(x, y), corner, (x + dx * half, y + dy * half)])
            (ax, ay), (bx, by), (cx, cy) = third
            if abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) > 1:  # mm2: not cut to nothing
                self.paper.shape([third], pale(seat), GREY)

    def write_below(self, title: Text, about: Message) -> None:
        """Write below the quarter which part it is, what to do, and about the board."""
        margin, top = 12.0, TOP + self.width + EDGE
        room = self.paper.size[0] - 32 - 2 * margin  # beside the picture of the parts
        which = message("sheet-part", board=title, part=self.part + 1)
        how = message("sheet-tape", width=round(2 * (self.width + EDGE)))
        self.paper.text((margin, top + 9), which, 5, room, bold=True)
        y = self.paper.text((margin, top + 9 + 7), how, 3.8, room, 5)
        self.paper.text((margin, y + 2), about, 3.8, room, 4)
        for n in range(PARTS):
            corner = self.paper.size[0] - 32 + n % 2 * 9, top + 4 + n // 2 * 9
            self.paper.box(corner, (9, 9), GREY if n == self.part else None)
        self.paper.ruler(self.paper.size[1] - 18)


def _split(line: Sequence[Point], at: float, axis: int) -> Iterator[Point]:
    """Yield the points of a closed line, and one more wherever it crosses `at` on an axis."""
    for one, other in zip(line, (*line[1:], line[0]), strict=True):
        yield one
        if (one[axis] - at) * (other[axis] - at) < 0:
            part = (at - one[axis]) / (other[axis] - one[axis])
            yield one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])


def pale(seat: int) -> str:
    """Return a seat's colour mixed with white."""
    colour = COLOURS[LETTERS[seat]]
    parts = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * PALE):02x}" for part in parts)
