"""Where things lie on the page's board, in cells from its top left corner. No colours."""

from __future__ import annotations

from typing import Any

from pi_app.screens.cells import CENTRE, Cell, board_cells
from rules.board import HOME, NEST, ROW, SEATS, board, safety_spaces
from rules.ruleset import OPTIONS

Spot = tuple[float, float]
NEST_CELLS = 8
NEST_RADIUS = 3.25
SIZES = (1.0, 0.66)  # of a pawn alone on its space, and of one that shares it
SIZE_AT_HOME = 0.5
HOME_SPOTS = ((1.2, 0.0), (1.2, -0.6), (1.2, 0.6), (0.65, 0.0))  # out from the middle, and along
MAX_PATH = 21  # more than any step: a pawn taken back is shown by a straight line
VIEWER = 0  # the page's board lies as seat A sees it


def board_geometry(layout: str, travel: str, safety: str) -> dict[str, Any]:
    """Return everything that is printed on a board; KeyError for an unknown name."""
    if travel not in OPTIONS["travel"].values:
        raise KeyError(travel)
    this = board_cells(layout, travel, VIEWER)
    return {
        "centre": _middle(CENTRE),
        "ring": [_middle(cell) for cell in this.ring],
        "rows": [[_middle(cell) for cell in row] for row in this.rows],
        "safety": sorted(safety_spaces(layout, safety)),
        "entries": [board(layout).space(seat, 0) for seat in range(SEATS)],
        "nests": [
            [pawn_spot(layout, travel, seat, NEST, n, 4) for n in range(4)] for seat in range(4)
        ],
        "nestRadius": NEST_RADIUS,
        "homes": [_home_spot(row[-1], 0) for row in this.rows],
    }


def pawn_spot(layout: str, travel: str, seat: int, place: int, n: int, count: int) -> Spot:
    """Return where the `n`-th of `count` pawns on a place stands."""
    this = board_cells(layout, travel, VIEWER)
    if place == NEST:
        return _nest_spot(this.nests[seat], n)
    if place == HOME:
        return _home_spot(this.rows[seat][-1], n)
    cell = this.cell(seat, place)
    assert cell is not None
    x, y = _middle(cell)
    apart = 0.29 * (2 * n - count + 1)
    return x + apart, y + apart  # across D's diagonal


def pawn_size(place: int, count: int) -> float:
    """Return how large each of `count` pawns on a place is drawn, in cells."""
    if place == NEST:
        return SIZES[0]
    return SIZE_AT_HOME if place == HOME else SIZES[min(count, 2) - 1]


def spots_passed(
    layout: str, travel: str, seat: int, origin: int, target: int, ends: tuple[int, int] = (0, 0)
) -> list[Spot]:
    """Return the spots that a pawn passes from origin to target, both included.

    ends: which of a nest's or home's spots it leaves and comes to.
    """
    places = [origin]
    while places[-1] != target and len(places) <= MAX_PATH and origin != NEST != target:
        places.append(_next(layout, places[-1], target))
    if places[-1] != target:
        places = [origin, target]
    first, *between, last = places
    return [
        pawn_spot(layout, travel, seat, first, ends[0], 1),
        *(pawn_spot(layout, travel, seat, place, 0, 1) for place in between),
        pawn_spot(layout, travel, seat, last, ends[1], 1),
    ]


def _next(layout: str, place: int, target: int) -> int:
    this = board(layout)
    if place == this.last and target > ROW:
        return ROW + 1
    if place > ROW or place < this.last:
        return min(place + 1, HOME)
    return (place + 1) % this.ring


def _middle(cell: Cell) -> Spot:
    return cell[0] + 0.5, cell[1] + 0.5


def _nest_spot(corner: Cell, n: int) -> Spot:
    x, y = corner[0] + NEST_CELLS / 2, corner[1] + NEST_CELLS / 2
    return x + (-1.05, 1.05, -1.05, 1.05)[n], y + (-1.05, -1.05, 1.05, 1.05)[n]


def _home_spot(row_end: Cell, n: int) -> Spot:
    dx, dy = row_end[0] - CENTRE[0], row_end[1] - CENTRE[1]
    x, y = _middle(CENTRE)
    out_x, out_y = dx and dx // abs(dx), dy and dy // abs(dy)
    out, along = HOME_SPOTS[n]
    return x + out * out_x + along * out_y, y + out * out_y + along * out_x
