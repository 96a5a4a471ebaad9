"""Coordinates on the page's board, in cells from its top left corner."""

from __future__ import annotations

from typing import Any

from pi_app.screens.cells import CENTRE, Cell, board_cells
from rules.board import HOME, NEST, ROW, SEATS, board, safety_spaces
from rules.ruleset import OPTIONS

Spot = tuple[float, float]
NEST_CELLS = 8
NEST_RADIUS = 3.25
SIZES = (1.0, 0.66)  # of a pawn that is alone on its space, and of one that shares it
SIZE_AT_HOME = 0.5
HOME_SPOTS = (
    (1.2, 0.0),
    (1.2, -0.6),
    (1.2, 0.6),
    (0.65, 0.0),
)  # for each pawn: distance from the centre, and to the side
MAX_PATH = 21  # spaces, more than any step; a longer way is drawn as a straight line
VIEWER = 0  # the page shows the board as seat A sees it


def board_geometry(layout: str, travel: str, safety: str) -> dict[str, Any]:
    """Return everything that is printed on a board. Raises KeyError for an unknown name."""
    if travel not in OPTIONS["travel"].values:
        raise KeyError(travel)
    cells = board_cells(layout, travel, VIEWER)
    return {
        "centre": _middle(CENTRE),
        "ring": [_middle(cell) for cell in cells.ring],
        "rows": [[_middle(cell) for cell in row] for row in cells.rows],
        "safety": sorted(safety_spaces(layout, safety)),
        "entries": [board(layout).space(seat, 0) for seat in range(SEATS)],
        "nests": [
            [pawn_spot(layout, travel, seat, NEST, index, 4) for index in range(4)]
            for seat in range(4)
        ],
        "nestRadius": NEST_RADIUS,
        "homes": [_home_spot(row[-1], 0) for row in cells.rows],
    }


def pawn_spot(layout: str, travel: str, seat: int, place: int, index: int, count: int) -> Spot:
    """Return the centre of a pawn.

    layout, travel: of the board. place: of the pawn. index, count: which of how many pawns of the
    seat it is on that place, from 0.
    """
    cells = board_cells(layout, travel, VIEWER)
    if place == NEST:
        x, y = cells.nests[seat][0] + NEST_CELLS / 2, cells.nests[seat][1] + NEST_CELLS / 2
        return x + (-1.05, 1.05, -1.05, 1.05)[index], y + (-1.05, -1.05, 1.05, 1.05)[index]
    if place == HOME:
        return _home_spot(cells.rows[seat][-1], index)
    cell = cells.cell(seat, place)
    assert cell is not None
    x, y = _middle(cell)
    offset = 0.29 * (2 * index - count + 1)
    return x + offset, y + offset  # at a right angle to the diagonal of seat D's glyph


def pawn_size(place: int, count: int) -> float:
    """Return the diameter, in cells, of each of `count` pawns on a place."""
    if place == NEST:
        return SIZES[0]
    return SIZE_AT_HOME if place == HOME else SIZES[min(count, 2) - 1]


def spots_passed(
    layout: str, travel: str, seat: int, origin: int, target: int, ends: tuple[int, int] = (0, 0)
) -> list[Spot]:
    """Return the spots that a pawn passes from origin to target, with both ends.

    layout, travel: of the board. ends: if the way begins or ends in a nest or at home, the index of
    its spot there.
    """
    this = board(layout)
    uses_nest = NEST in (origin, target)
    places = [origin]
    while places[-1] != target and len(places) <= MAX_PATH and not uses_nest:
        place = places[-1]
        if place == this.last and target > ROW:
            places.append(ROW + 1)
        elif place > ROW or place < this.last:
            places.append(min(place + 1, HOME))
        else:
            places.append((place + 1) % this.ring)
    if places[-1] != target:
        places = [origin, target]
    first, *between, last = places
    return [
        pawn_spot(layout, travel, seat, first, ends[0], 1),
        *(pawn_spot(layout, travel, seat, place, 0, 1) for place in between),
        pawn_spot(layout, travel, seat, last, ends[1], 1),
    ]


def _middle(cell: Cell) -> Spot:
    return cell[0] + 0.5, cell[1] + 0.5


def _home_spot(row_end: Cell, index: int) -> Spot:
    dx, dy = row_end[0] - CENTRE[0], row_end[1] - CENTRE[1]
    x, y = _middle(CENTRE)
    out_x, out_y = dx and dx // abs(dx), dy and dy // abs(dy)
    out, aside = HOME_SPOTS[index]
    return x + out * out_x + aside * out_y, y + out * out_y + aside * out_x
