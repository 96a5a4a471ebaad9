"""Coordinates on the page's map, in cells from the map's top left corner."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, isqrt
from typing import Any

from pi_app.model.cells import Box, Cell, board_cells
from pi_app.model.screens import BoardMap
from rules.board import HOME, NEST, ROW, SEATS, board, safety_spaces, star_spaces
from rules.position import PAWNS, Position
from rules.ruleset import OPTIONS

Point = tuple[float, float]
# By the width of a nest, in cells: how far its pawns are from its middle, and from its edge.
NESTS = {8: (1.05, 2.2), 6: (1.0, 1.75), 4: (0.7, 1.2)}
# In a nest in which pawns stand in a line: how far they are from its edge, and their diameter.
IN_LINE = (0.47, 0.66)
# By how many pawns a row of a space has: the diameter of each, and from one to the next.
SHARED = {1: (1.0, 0.0), 2: (0.56, 0.5), 3: (0.4, 0.38), 4: (0.3, 0.29)}
PAIR = (0.66, 0.58)  # the same of two pawns, on a diagonal
DIAMETER_AT_HOME = 0.5
# For each pawn: its distance from the centre towards the home row, and its distance sideways.
HOME_POINTS = ((1.2, 0.0), (1.2, -0.6), (1.2, 0.6), (0.65, 0.0))
VIEWER = 0  # the page shows the board as seat A sees it


def board_geometry(layout: str, travel: str, safety: str, stars: str = "none") -> dict[str, Any]:
    """Return what is printed on a board. Raises KeyError if a name is unknown.

    layout, travel, safety, stars: names of values of these options.
    """
    if travel not in OPTIONS["travel"].values or stars not in OPTIONS["stars"].values:
        raise KeyError(travel, stars)
    cells, game_board = board_cells(layout, travel, VIEWER), board(layout)
    centre = _cell_centre(cells.centre)
    return {
        "size": cells.size,
        "cloth": cells.is_cloth,
        "centre": centre,
        "ring": [_cell_centre(cell) for cell in cells.ring],
        "rows": [[_cell_centre(cell) for cell in row] for row in cells.rows],
        "safety": sorted(safety_spaces(layout, safety)),
        **({"stars": star_spaces(layout, stars)} if stars != "none" else {}),
        "entries": [game_board.space(seat, 0) for seat in range(SEATS)],
        "nests": [
            [
                pawn_point(layout, travel, seat, cells.corner_place, index, PAWNS)
                for index in range(PAWNS)
            ]
            for seat in range(SEATS)
        ],
        "nestEdge": IN_LINE[0] if _is_line(cells.nests[0]) else NESTS[cells.nests[0].wide][1],
        "homes": []
        if game_board.is_goal
        else [_home_point(centre, row[-1], 0) for row in cells.rows],
    }


def pawn_point(layout: str, travel: str, seat: int, place: int, index: int, count: int) -> Point:
    """Return the centre of a pawn.

    layout, travel: describe the board. place: where the pawn is. count: how many pawns there are,
    of all seats. index: the number of this pawn among them, from 0.
    """
    cells = board_cells(layout, travel, VIEWER)
    if place == cells.corner_place:
        return _nest_point(cells.nests[seat], cells.rows[seat], index)
    if place in (NEST, HOME) and not cells.home_is_cell:
        return _home_point(_cell_centre(cells.centre), cells.rows[seat][-1], index)
    cell = cells.cell(seat, place)
    assert cell is not None
    x, y = _cell_centre(cell)
    if count <= 2:
        # Two pawns are side by side on one diagonal. The stroke of seat D's glyph is on the other
        # diagonal, so the glyph stays readable.
        offset = PAIR[1] * (min(index, count - 1) - (count - 1) / 2)
        return x + offset, y + offset
    across = _pawns_across(count)
    down, apart = ceil(count / across), SHARED[across][1]
    return (
        x + apart * (index % across - (across - 1) / 2),
        y + apart * (index // across - (down - 1) / 2),
    )


def pawn_diameter(layout: str, place: int, count: int) -> float:
    """Return the diameter, in cells, of each of `count` pawns on a place."""
    cells = board_cells(layout, "clockwise", VIEWER)
    if place == NEST or (place == HOME and not cells.home_is_cell):
        if (place == HOME) != cells.is_cloth:
            return DIAMETER_AT_HOME
        nest = cells.nests[0]
        return IN_LINE[1] if _is_line(nest) else SHARED[1][0]
    return PAIR[0] if count == 2 else SHARED[_pawns_across(count)][0]


def _pawns_across(count: int) -> int:
    """Return how many pawns are in a row of a space that has `count` of them."""
    return isqrt(count - 1) + 1


def find_way(
    layout: str,
    travel: str,
    seat: int,
    origin: int,
    target: int,
    indices: Sequence[int] = (0, 0),
    walk: tuple[int, ...] = (),
) -> list[Point]:
    """Return the points of a pawn's way from origin to target, including both.

    layout, travel: describe the board. indices: the pawn's index at the origin and at the target,
    which matters only in a nest and at home. walk: the places that a step touches, if it is one.
    """
    game_board = board(layout)
    following = dict(pairwise(game_board.way))
    if target < ROW:
        following.pop(game_board.last, None)  # it goes round again
    leaps = target == NEST or (origin == NEST and not game_board.has_way_out)
    most = 0 if leaps else game_board.longest  # a correction may be of more spaces than any step
    places = [origin]
    while places[-1] != target and len(places) <= most:
        place = places[-1]
        places.append(following.get(place, place if place > ROW else (place + 1) % game_board.ring))
    if walk:
        places = [origin, *walk]
    elif places[-1] != target:
        places = [origin, target]  # a straight line
    at = [indices[0], *[0] * (len(places) - 2), indices[1]]
    pawns = zip(places, at, strict=True)
    return [pawn_point(layout, travel, seat, place, index, 1) for place, index in pawns]


def points_to_look_at(board: BoardMap) -> list[list[float]]:
    """Return the points to look at while nobody moves: in a nest those of all its pawns."""
    is_still = board.target in (None, board.origin) or board.hand == "rests"
    pawns = filter(None, dict.fromkeys((board.origin, board.target) if is_still else ()))
    return [
        list(pawn_point(board.layout, board.travel, seat, place, index, 1))
        for seat, place in pawns
        for index in range(board.position[seat].count(place) if place in (NEST, HOME) else 1)
    ]


def pawn_places(layout: str, travel: str, position: Position) -> list[list[float]]:
    """Return seat, place, x, y and size of each pawn. Pawns on one space are side by side."""
    pawns = [(seat, place) for seat, all_places in enumerate(position) for place in all_places]
    spaces = [pawn_point(layout, travel, *pawn, 0, 1) for pawn in pawns]
    counts, drawn = Counter(spaces), Counter[Point]()
    placed: list[list[float]] = []
    for (seat, place), space in zip(pawns, spaces, strict=True):
        point = pawn_point(layout, travel, seat, place, drawn[space], counts[space])
        placed.append([seat, place, *point, pawn_diameter(layout, place, counts[space])])
        drawn[space] += 1
    return placed


def trails(board: BoardMap) -> Iterator[list[list[float]]]:
    """Yield the way of each pawn that a player moves by hand.

    The last pawn leaves a nest, and one that comes is behind the others.
    """
    counts = Counter((seat, place) for seat in board.seats for place in board.position[seat])
    for seat, origin, target, there, walk in board.by_hand:
        shown, other = (target, origin) if there else (origin, target)
        index_at = {shown: counts[seat, shown] - 1, other: counts[seat, other]}
        counts[seat, other] += 1
        counts[seat, shown] -= 1
        indices = [min(max(index_at[place], 0), PAWNS - 1) for place in (origin, target)]
        way = (board.layout, board.travel, seat, origin, target)
        yield list(map(list, find_way(*way, indices, walk)))


def _nest_point(nest: Box, row: tuple[Cell, ...], index: int) -> Point:
    """Return the place of a pawn in a nest: about its middle, or in a line that ends at the entry.

    row: the home row, which leads away from the entry.
    """
    if _is_line(nest):
        along = (PAWNS - 1 - index if row[0] < row[-1] else index) + 0.5
        return nest.left + min(along, nest.wide - 0.5), nest.top + min(along, nest.high - 0.5)
    (x, y), (apart, _) = nest.middle, NESTS[nest.wide]
    return x + apart * (index % 2 * 2 - 1), y + apart * (index // 2 * 2 - 1)


def _is_line(nest: Box) -> bool:
    return nest.wide != nest.high


def _cell_centre(cell: Cell) -> Point:
    return cell[0] + 0.5, cell[1] + 0.5


def _home_point(centre: Point, row_end: Cell, index: int) -> Point:
    """Return the place of a pawn at home. row_end: the cell before it, on the seat's side."""
    x, y = centre
    dx, dy = row_end[0] + 0.5 - x, row_end[1] + 0.5 - y
    step_x, step_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    outwards, sideways = HOME_POINTS[index]
    return x + outwards * step_x + sideways * step_y, y + outwards * step_y + sideways * step_x
