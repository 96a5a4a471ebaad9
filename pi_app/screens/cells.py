"""The place of each space on a grid of 19x19 cells. No pixels, no pawns.

A cell is (column, row), counted from the top left. The board is a cross of four arms, three cells
wide and eight long, around a centre of 3x3 cells, with a nest of 8x8 cells in each corner:

    68 spaces     down one side of an arm (8), its tip, up the other side (8): 17 an arm
    64 spaces     sides of 7, and between two arms one space that touches the corner of the centre

The home row leads from the tip, in the middle of the arm's end, straight up to the centre.
"""

from dataclasses import dataclass
from functools import cache

from rules.board import HOME, ROW_LENGTH, SEATS, board

Cell = tuple[int, int]
GRID = 19
MIDDLE = 9
CENTRE: Cell = (MIDDLE, MIDDLE)

# From the tip of the bottom arm, counterclockwise, to the space before the next arm's tip.
TIP_TO_TIP: dict[int, tuple[Cell, ...]] = {
    17: (
        (9, 18),
        *((10, 18), (10, 17), (10, 16), (10, 15), (10, 14), (10, 13), (10, 12), (10, 11)),
        *((11, 10), (12, 10), (13, 10), (14, 10), (15, 10), (16, 10), (17, 10), (18, 10)),
    ),
    16: (
        (9, 18),
        *((10, 18), (10, 17), (10, 16), (10, 15), (10, 14), (10, 13), (10, 12)),
        (11, 11),
        *((12, 10), (13, 10), (14, 10), (15, 10), (16, 10), (17, 10), (18, 10)),
    ),
}
HOME_ROW: tuple[Cell, ...] = tuple((MIDDLE, 17 - n) for n in range(ROW_LENGTH))
NEST: tuple[Cell, ...] = ((11, 11), (18, 18))  # two opposite corners of its area


@dataclass(frozen=True, slots=True)
class Cells:
    """A board as one seat sees it.

    ring: by space of the ring. rows: the home rows, by seat. nests: the top left cell of each
    seat's nest of 8x8 cells.
    """

    layout: str
    ring: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    nests: tuple[Cell, ...]

    def cell(self, seat: int, place: int) -> Cell | None:
        """Return the cell of a place, or None for the nest."""
        if place == HOME:
            return CENTRE
        space = board(self.layout).space(seat, place)
        if space is not None:
            return self.ring[space]
        return self.rows[seat][place - (HOME - ROW_LENGTH)] if place >= 0 else None


@cache
def board_cells(layout: str, travel: str, viewer: int) -> Cells:
    """Return a board's cells, with the home row of `viewer` at the middle of the bottom edge."""
    shape = board(layout)
    mirrored = travel == "clockwise"
    from_tip = [
        _turn_cell(cell, quarter, mirrored)
        for quarter in range(SEATS)
        for cell in TIP_TO_TIP[shape.arm]
    ]
    own_tip = (viewer * shape.arm + shape.last) % shape.ring
    quarters = [(seat - viewer) % SEATS for seat in range(SEATS)]
    nests = []
    for quarter in quarters:
        (x1, y1), (x2, y2) = (_turn_cell(corner, quarter, mirrored) for corner in NEST)
        nests.append((min(x1, x2), min(y1, y2)))
    return Cells(
        layout,
        ring=tuple(from_tip[(space - own_tip) % shape.ring] for space in range(shape.ring)),
        rows=tuple(tuple(_turn_cell(cell, q, mirrored) for cell in HOME_ROW) for q in quarters),
        nests=tuple(nests),
    )


def _turn_cell(cell: Cell, quarter: int, mirrored: bool) -> Cell:
    """Return a cell after so many quarter turns counterclockwise, then mirrored left to right."""
    x, y = cell[0] - MIDDLE, cell[1] - MIDDLE
    for _ in range(quarter):
        x, y = y, -x
    return MIDDLE + (-x if mirrored else x), MIDDLE + y
