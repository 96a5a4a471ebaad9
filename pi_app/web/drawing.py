"""Adds coordinates on the page's board to a state: pawns, their ways, and points to look at."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pi_app.model.screens import BoardMap
from pi_app.table.session import Reply
from pi_app.web.geometry import Point, find_way, pawn_diameter, pawn_point
from pi_app.web.packing import pack
from pi_app.web.spectator_state import spectator_state
from pi_app.web.state import board_of, board_state
from rules.board import HOME, NEST
from rules.position import PAWNS, Position


def spectator_page(reply: Reply) -> dict[str, Any]:
    """Return the state that the spectators' page shows, as JSON, with packed messages."""
    return draw_state(reply, pack(spectator_state(reply)))


def draw_state(reply: Reply, state: dict[str, Any]) -> dict[str, Any]:
    """Return a table's state with all pawns, the way of each move, and the points to look at.

    The points to look at are there while nobody moves. In a nest, they are those of all its pawns.
    """
    rules, position = board_state(reply)
    board = board_of(reply.screen)
    trails = () if board is None else _trails(board)
    looks: list[Point] = []
    if board is not None:
        is_still = board.target in (None, board.origin) or board.hand == "rests"
        pawns = dict.fromkeys((board.origin, board.target) if is_still else ())
        for seat, place in filter(None, pawns):
            count = board.position[seat].count(place) if place in (NEST, HOME) else 1
            looks += [
                pawn_point(board.layout, board.travel, seat, place, index, 1)
                for index in range(count)
            ]
    return {
        **state,
        "pawns": pawn_places(rules.layout, rules.travel, position),
        "moves": [
            {**move, "trail": trail} for move, trail in zip(state["moves"], trails, strict=True)
        ],
        "looks": looks,
    }


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


def _trails(board: BoardMap) -> Iterator[list[Point]]:
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
        yield find_way(*way, indices, walk)


def _point_index(place: int, index: int) -> int:
    """Return the index of one of the points in a nest or at home. Elsewhere it is 0."""
    return min(max(index, 0), PAWNS - 1) if place in (NEST, HOME) else 0
