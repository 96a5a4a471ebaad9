"""Coordinates on the page's map, in cells from the map's top left corner."""

from __future__ import annotations

from typing import Any

from pi_app.screens.cells import CENTRE, Cell, board_cells
from rules.board import HOME, NEST, ROW, SEATS, board, safety_spaces
from rules.position import PAWNS
from rules.ruleset import OPTIONS

Point = tuple[float, float]
NEST_WIDTH = 8
NEST_RADIUS = 3.25
DIAMETERS = (1.0, 0.66)  # of a lone pawn, and of a pawn that shares its space
DIAMETER_AT_HOME = 0.5
# For each pawn: its distance from the centre towards the home row, and its distance sideways.
HOME_POINTS = ((1.2, 0.0), (1.2, -0.6), (1.2, 0.6), (0.65, 0.0))
# A step has fewer spaces than this. A correction may have more, and the page draws it as a straight
# line.
MAX_WAY_SPACES = 21
VIEWER = 0  # the page shows the board as seat A sees it


def board_geometry(layout: str, travel: str, safety: str) -> dict[str, Any]:
    """Return what is printed on a board. Raises KeyError if a name is unknown.

    layout, travel, safety: names of values of these options.
    """
    if travel not in OPTIONS["travel"].values:
        raise KeyError(travel)
    cells = board_cells(layout, travel, VIEWER)
    return {
        "centre": _cell_centre(CENTRE),
        "ring": [_cell_centre(cell) for cell in cells.ring],
        "rows": [[_cell_centre(cell) for cell in row] for row in cells.rows],
        "safety": sorted(safety_spaces(layout, safety)),
        "entries": [board(layout).space(seat, 0) for seat in range(SEATS)],
        "nests": [
            [pawn_point(layout, travel, seat, NEST, index, PAWNS) for index in range(PAWNS)]
            for seat in range(SEATS)
        ],
        "nestRadius": NEST_RADIUS,
        "homes": [_home_point(row[-1], 0) for row in cells.rows],
    }


def pawn_point(layout: str, travel: str, seat: int, place: int, index: int, count: int) -> Point:
    """Return the centre of a pawn.

    layout, travel: describe the board. place: where the pawn is. count: how many pawns of the seat
    are on that place. index: the number of this pawn among them, from 0.
    """
    cells = board_cells(layout, travel, VIEWER)
    if place == NEST:
        x, y = cells.nests[seat][0] + NEST_WIDTH / 2, cells.nests[seat][1] + NEST_WIDTH / 2
        return x + (-1.05, 1.05, -1.05, 1.05)[index], y + (-1.05, -1.05, 1.05, 1.05)[index]
    if place == HOME:
        return _home_point(cells.rows[seat][-1], index)
    cell = cells.cell(seat, place)
    assert cell is not None
    x, y = _cell_centre(cell)
    # Pawns on one space are side by side on one diagonal. The stroke of seat D's glyph is on the
    # other diagonal, so the glyph stays readable.
    offset = 0.29 * (2 * index - count + 1)
    return x + offset, y + offset


def pawn_diameter(place: int, count: int) -> float:
    """Return the diameter, in cells, of each of `count` pawns on a place."""
    if place == NEST:
        return DIAMETERS[0]
    return DIAMETER_AT_HOME if place == HOME else DIAMETERS[min(count, 2) - 1]


def find_way(
    layout: str, travel: str, seat: int, origin: int, target: int, indices: tuple[int, int] = (0, 0)
) -> list[Point]:
    """Return the points of a pawn's way from origin to target, including both.

    layout, travel: describe the board. indices: the pawn's index at the origin and at the target,
    which matters only in a nest and at home.
    """
    game_board = board(layout)
    touches_nest = NEST in (origin, target)
    places = [origin]
    while places[-1] != target and len(places) <= MAX_WAY_SPACES and not touches_nest:
        place = places[-1]
        if place == game_board.last and target > ROW:
            places.append(ROW + 1)
        elif place > ROW or place < game_board.last:
            places.append(min(place + 1, HOME))
        else:
            places.append((place + 1) % game_board.ring)
    if places[-1] != target:
        places = [origin, target]
    first, *between, last = places
    return [
        pawn_point(layout, travel, seat, first, indices[0], 1),
        *(pawn_point(layout, travel, seat, place, 0, 1) for place in between),
        pawn_point(layout, travel, seat, last, indices[1], 1),
    ]


def _cell_centre(cell: Cell) -> Point:
    return cell[0] + 0.5, cell[1] + 0.5


def _home_point(row_end: Cell, index: int) -> Point:
    dx, dy = row_end[0] - CENTRE[0], row_end[1] - CENTRE[1]
    x, y = _cell_centre(CENTRE)
    step_x, step_y = dx and dx // abs(dx), dy and dy // abs(dy)
    outwards, sideways = HOME_POINTS[index]
    return x + outwards * step_x + sideways * step_y, y + outwards * step_y + sideways * step_x
