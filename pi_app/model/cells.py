"""The place of each space on a grid of square cells. No pixels, no pawns.

A cell is (column, row), counted from the top left. Each board but one is a cross of four arms,
three cells wide, with a nest in each corner. The home row leads from the tip, in the middle of the
arm's end, straight up to the centre.

This is the right half of each bottom arm, and the lower side of the next arm: T tip, r home row,
o other spaces.

    standard, 19x19    corner-64, 19x19    ludo-52, 15x15    ring-56, 15x15    ring-40, 11x11
    nest 8x8           nest 8x8            nest 6x6          nest 6x6          nest 4x4

    ..oooooooo         ...ooooooo          ..oooooo          rooooooo          rooooo
    ro                 r.o                 ro                ro                ro
    ro                 ro                  ro                ro                ro
    ro                 ro                  ro                ro                ro
    ro                 ro                  ro                ro                To
    ro                 ro                  ro                ro
    ro                 ro                  To                To
    ro                 ro
    To                 To

ring-28 is the edge of a square. Each nest is four cells beside its home row; n is the own nest.

    ooTooooo
    o.r....o
    o.rrrrrT
    o.r..rno
    o.r..rno
    Trrrrrno
    o....rno
    oooooToo
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from rules.board import HOME, NEST, ROW, SEATS, board

Cell = tuple[int, int]


class Box(NamedTuple):
    """Some cells: the top left one, and how many there are side by side and one below another."""

    left: int
    top: int
    wide: int
    high: int

    @property
    def middle(self) -> tuple[float, float]:
        """The point in the middle, in cells from the top left corner of the board."""
        return self.left + self.wide / 2, self.top + self.high / 2


class Plan(NamedTuple):
    """Where the spaces of the bottom arm are, for travel counterclockwise."""

    size: int  # cells along an edge of the board
    nest: tuple[Cell, Cell]  # two opposite corners
    from_tip: tuple[Cell, ...]  # from the tip to the space before the next arm's tip
    row: tuple[Cell, ...]  # the home row, beginning at the tip


def _plan(size: int, side: int, row: int, corner: Iterable[Cell] = ()) -> Plan:
    """Return a plan. side: spaces along the side of an arm. corner: cells between two arms."""
    middle, end = size // 2, size - 1
    up = [(middle + 1, end - n) for n in range(side)]
    along = [(y, x) for x, y in reversed(up)]  # the next arm's side, without a space of both
    from_tip = dict.fromkeys([(middle, end), *up, *corner, *along])
    nest = (middle + 2, middle + 2), (end, end)
    return Plan(size, nest, tuple(from_tip), tuple((middle, end - 1 - n) for n in range(row)))


_SEVENTEEN = _plan(19, side=8, row=7)
PLANS = {
    "standard": _SEVENTEEN,
    "corner-64": _plan(19, side=7, row=7, corner=[(11, 11)]),
    "pachisi": _SEVENTEEN,
    "tip-entry": _SEVENTEEN,
    "ludo-52": _plan(15, side=6, row=5),
    "ring-40": _plan(11, side=5, row=4),
    "ring-56": _plan(15, side=7, row=6),
    "ring-28": Plan(
        8,
        nest=((6, 3), (6, 6)),
        from_tip=((5, 7), (6, 7), (7, 7), (7, 6), (7, 5), (7, 4), (7, 3)),
        row=((5, 6), (5, 5), (5, 4), (5, 3)),
    ),
    "cross": _SEVENTEEN,
}


@dataclass(frozen=True, slots=True)
class Cells:
    """A board as one seat sees it.

    On a cloth pawns wait in the centre, and the nests hold those that are home.
    """

    layout: str
    size: int  # cells along an edge of the board
    ring: tuple[Cell, ...]  # by space of the ring
    rows: tuple[tuple[Cell, ...], ...]  # by seat
    nests: tuple[Box, ...]  # by seat

    @property
    def centre(self) -> Cell:
        """The cell in the middle of a cross."""
        return self.size // 2, self.size // 2

    @property
    def home_is_cell(self) -> bool:
        """Whether home is the cell in the middle alone, with the home rows' ends beside it."""
        (x, y), (row_x, row_y) = self.centre, self.rows[0][-1]
        return not board(self.layout).is_goal and abs(x - row_x) + abs(y - row_y) == 1

    @property
    def is_cloth(self) -> bool:
        """Whether the board is a cloth, with a way out of the centre."""
        return board(self.layout).has_way_out

    @property
    def corner_place(self) -> int:
        """The place whose pawns are in the corners: the nest, or home on a cloth."""
        return HOME if self.is_cloth else NEST

    def cell(self, seat: int, place: int) -> Cell | None:
        """Return the cell of a place, or None for a place in the corners."""
        if place == self.corner_place:
            return None
        if place == HOME:
            return self.centre
        if place == NEST:  # in the centre, at the corner that has the seat's letter
            x, y = (self.size // 2 + (1 if near else -1) for near in self.nests[seat][:2])
            return x, y
        space = board(self.layout).space(seat, place)
        if space is not None:
            return self.ring[space]
        if place > ROW:
            return self.rows[seat][place - ROW - 1]
        return self.rows[seat][NEST - place]  # the way out begins at the end of the row


@cache
def board_cells(layout: str, travel: str, viewer: int) -> Cells:
    """Return a board's cells, with the tip of `viewer` at the bottom edge."""
    shape, plan = board(layout), PLANS[layout]

    def turn(cells: Iterable[Cell], quarter: int) -> list[Cell]:
        """Return cells after quarter turns counterclockwise, then mirrored left to right."""
        last, turned = plan.size - 1, list(cells)
        for _ in range(quarter):
            turned = [(y, last - x) for x, y in turned]
        return [(last - x, y) for x, y in turned] if travel == "clockwise" else turned

    from_tip = [cell for quarter in range(SEATS) for cell in turn(plan.from_tip, quarter)]
    own_tip = (viewer * shape.arm + shape.last) % shape.ring
    quarters = [(seat - viewer) % SEATS for seat in range(SEATS)]
    return Cells(
        layout,
        plan.size,
        ring=tuple(from_tip[(space - own_tip) % shape.ring] for space in range(shape.ring)),
        rows=tuple(tuple(turn(plan.row, quarter)) for quarter in quarters),
        nests=tuple(_box(*turn(plan.nest, quarter)) for quarter in quarters),
    )


def _box(one: Cell, other: Cell) -> Box:
    """Return the box of two opposite corners."""
    (left, right), (top, low) = (sorted(pair) for pair in zip(one, other, strict=True))
    return Box(left, top, right - left + 1, low - top + 1)
