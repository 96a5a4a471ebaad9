"""Adds coordinates on the page's board to a state: pawns, their ways, and spots to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pi_app.public.spectator_state import spectator_state
from pi_app.public.state import board_of, board_state
from pi_app.screens.screen import BoardMap
from pi_app.table.session import Reply
from pi_app.texts.language import Language
from pi_app.web.geometry import Point, find_way, pawn_diameter, pawn_point
from rules.board import HOME, NEST
from rules.position import PAWNS, Position


def spectator_page(reply: Reply, language: Language) -> dict[str, Any]:
    """Return the state that the spectators' page shows."""
    return draw_state(reply, spectator_state(reply, language))


def draw_state(reply: Reply, state: dict[str, Any]) -> dict[str, Any]:
    """Return a table's state with all pawns, the way of each move, and the spots to look at."""
    rules, position = board_state(reply)
    board = board_of(reply.screen)
    trails = () if board is None else _trails(board)
    return {
        **state,
        "pawns": pawn_places(rules.layout, rules.travel, position),
        "moves": [
            {**move, "trail": trail} for move, trail in zip(state["moves"], trails, strict=True)
        ],
        "looks": [] if board is None else _spots_to_look_at(board),
    }


def pawn_places(layout: str, travel: str, position: Position) -> list[list[float]]:
    """Return seat, place, x, y and size of each pawn. Pawns on one place are side by side."""
    placed: list[list[float]] = []
    for seat, all_places in enumerate(position):
        counts, drawn = Counter(all_places), Counter[int]()
        for place in all_places:
            spot = pawn_point(layout, travel, seat, place, drawn[place], counts[place])
            placed.append([seat, place, *spot, pawn_diameter(place, counts[place])])
            drawn[place] += 1
    return placed


def _trails(board: BoardMap) -> Iterator[list[Point]]:
    """Yield the way of each pawn that a player moves by hand.

    The last pawn leaves a nest, and one that comes is behind the others.
    """
    counts = Counter((seat, place) for seat in board.seats for place in board.position[seat])
    for seat, origin, target, there in board.by_hand:
        shown, other = (target, origin) if there else (origin, target)
        indexes = {shown: counts[seat, shown] - 1, other: counts[seat, other]}
        counts[seat, other] += 1
        counts[seat, shown] -= 1
        ends = _spot_index(origin, indexes[origin]), _spot_index(target, indexes[target])
        yield find_way(board.layout, board.travel, seat, origin, target, ends)


def _spot_index(place: int, index: int) -> int:
    """Return the index of one of a nest's or home's spots; 0 on the way, for its middle."""
    return min(max(index, 0), PAWNS - 1) if place in (NEST, HOME) else 0


def _spots_to_look_at(board: BoardMap) -> list[Point]:
    """Return the spots to look at while nobody moves: in a nest, those of all its pawns."""
    is_still = board.target in (None, board.origin) or board.hand == "rests"
    pawns = dict.fromkeys((board.origin, board.target) if is_still else ())
    return [
        pawn_point(board.layout, board.travel, seat, place, index, 1)
        for seat, place in filter(None, pawns)
        for index in range(board.position[seat].count(place) if place in (NEST, HOME) else 1)
    ]
