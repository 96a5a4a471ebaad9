"""Coordinates on the page's board: pawns, the ways of moves, and points to look at."""

from collections import Counter
from collections.abc import Iterator

from pi_app.model.screens import BoardMap
from pi_app.web.geometry import Point, find_way, pawn_diameter, pawn_point
from rules.board import HOME, NEST
from rules.position import PAWNS, Position


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
        indices = (_point_index(origin, index_at[origin]), _point_index(target, index_at[target]))
        way = (board.layout, board.travel, seat, origin, target)
        yield list(map(list, find_way(*way, indices, walk)))


def _point_index(place: int, index: int) -> int:
    """Return the index of one of the points in a nest or at home. Elsewhere it is 0."""
    return min(max(index, 0), PAWNS - 1) if place in (NEST, HOME) else 0
