"""Answers requests of the analysis protocol under `ludo-india` by ludo-king-engine's rules.

Run as a process of its own with ludo-king-engine on the path. Its stars are set 8 spaces past each
start: it has them 7 past. An answer has the `results`, and `again` as a list of results.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ludo_engine.core import LudoGame, PlayerColor, TokenState
from ludo_engine.models.constants import BoardConstants

from tests.rules.from_the_texts import NEST, Board, options_of, position_of, position_text

COLORS = (PlayerColor.RED, PlayerColor.GREEN, PlayerColor.YELLOW, PlayerColor.BLUE)
BOARD = Board(options_of("ludo-india"))
# The engine counts ring spaces from 1 at seat 0's start, as a way does, the column from 100.
COLUMN, RING, ARM = 99 - BOARD.tip, 52, 13
BoardConstants.STAR_SQUARES.clear()
BoardConstants.STAR_SQUARES.update({9, 22, 35, 48})


def index_of(seat: int, place: int) -> int:
    if place == NEST:
        return -1
    return COLUMN + place if place > BOARD.tip else (ARM * seat + place) % RING


def place_of_index(seat: int, index: int) -> int:
    if index == -1:
        return NEST
    return index - COLUMN if index > COLUMN + BOARD.tip else (index - 1 - ARM * seat) % RING + 1


def state_of(place: int) -> TokenState:
    if place in (NEST, BOARD.home):
        return TokenState.HOME if place == NEST else TokenState.FINISHED
    return TokenState.HOME_COLUMN if place > BOARD.tip else TokenState.ACTIVE


def game_at(request: dict[str, Any]) -> LudoGame:
    game = LudoGame(list(COLORS))
    for seat, pawns in enumerate(position_of(BOARD, request["position"])):
        for token, place in zip(game.players[seat].tokens, pawns, strict=False):
            token.state, token.position = state_of(place), index_of(seat, place)
            if token.position >= 0:
                game.board.add_token(token, token.position)
    game.current_player_index = request["seat"]
    six = request["throw"] == [6]
    game.consecutive_sixes = request["doublets"] + 1 if six else 0
    return game


def result(game: LudoGame, request: dict[str, Any]) -> str:
    seats = []
    for seat, pawns in enumerate(position_of(BOARD, request["position"])):
        tokens = game.players[seat].tokens if pawns else ()
        seats.append([place_of_index(seat, token.position) for token in tokens])
    return position_text(BOARD, seats)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Play the turn once for each pawn that may move."""
    [die] = request["throw"]
    game = game_at(request)
    movable = [move.token_id for move in game.get_valid_moves(game.get_current_player(), die)]
    results, again = set[str](), set[str]()
    for token in movable or [None]:
        game = game_at(request)
        turn = game.play_turn(token, die)
        assert turn.error is None, turn
        results.add(result(game, request))
        if turn.extra_turn and not game.game_over:
            again.add(result(game, request))
    return {"results": sorted(results), "again": sorted(again)}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
