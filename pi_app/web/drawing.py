"""Where what is told of a table lies on the page's board: pawns, their ways, where to look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pi_app.public.spectator_state import spectator_state
from pi_app.public.state import board_of, board_state
from pi_app.screens.screen import BoardMap
from pi_app.table.session import Reply
from pi_app.texts.language import Language
from pi_app.web.geometry import Spot, pawn_size, pawn_spot, spots_passed
from rules.board import HOME, NEST
from rules.position import PAWNS, Position


def spectator_page(reply: Reply, language: Language) -> dict[str, Any]:
    """Return what the page of those who look on is sent."""
    return draw_state(reply, spectator_state(reply, language))


def draw_state(reply: Reply, told: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of a table with each pawn, the way of each move and where to look."""
    rules, position = board_state(reply)
    board = board_of(reply.screen)
    trails = () if board is None else _trails(board)
    return {
        **told,
        "pawns": pawn_places(rules.layout, rules.travel, position),
        "moves": [
            {**move, "trail": trail} for move, trail in zip(told["moves"], trails, strict=True)
        ],
        "looks": [] if board is None else _looks(board),
    }


def pawn_places(layout: str, travel: str, position: Position) -> list[list[float]]:
    """Return seat, place, x, y and size of each pawn; where some share a place, side by side."""
    placed: list[list[float]] = []
    for seat, all_places in enumerate(position):
        counts, seen = Counter(all_places), Counter[int]()
        for place in all_places:
            at = pawn_spot(layout, travel, seat, place, seen[place], counts[place])
            placed.append([seat, place, *at, pawn_size(place, counts[place])])
            seen[place] += 1
    return placed


def _trails(board: BoardMap) -> Iterator[list[Spot]]:
    """Yield the way of each pawn that a hand moves.

    Of the pawns in a nest it is the last that goes, and one that comes stands after them.
    """
    crowds = Counter((seat, place) for seat in board.seats for place in board.position[seat])
    for seat, origin, target, there in board.by_hand:
        shown, other = (target, origin) if there else (origin, target)
        nth = {shown: crowds[seat, shown] - 1, other: crowds[seat, other]}
        crowds[seat, other] += 1
        crowds[seat, shown] -= 1
        ends = _spot_of(origin, nth[origin]), _spot_of(target, nth[target])
        yield spots_passed(board.layout, board.travel, seat, origin, target, ends)


def _spot_of(place: int, nth: int) -> int:
    """Return which of a place's spots it is; on the way a step is marked in the middle of it."""
    return min(max(nth, 0), PAWNS - 1) if place in (NEST, HOME) else 0


def _looks(board: BoardMap) -> list[Spot]:
    """Return the spots to look at, where there is nothing to be moved: each pawn's in a nest."""
    rests = board.target in (None, board.origin) or board.hand == "rests"
    pawns = dict.fromkeys((board.origin, board.target) if rests else ())
    return [
        pawn_spot(board.layout, board.travel, seat, place, nth, 1)
        for seat, place in filter(None, pawns)
        for nth in range(board.position[seat].count(place) if place in (NEST, HOME) else 1)
    ]
