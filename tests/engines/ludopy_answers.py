"""Answers requests of the analysis protocol under `ludo-dk` by LUDOpy's rules.

Run as a process of its own with LUDOpy on the path. Only its module of players is loaded: the
others draw pictures. Its numbers are those of a way: 0 is the nest, 1 the start, 57 home. An answer
has the `results` alone.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tests.rules.from_the_texts import NEST, Board, options_of, position_of, position_text

BOARD = Board(options_of("ludo-dk"))


def _load_players() -> Any:
    package = find_spec("ludopy")
    assert package is not None
    assert package.origin is not None
    spec = spec_from_file_location("players", Path(package.origin).with_name("player.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAYERS = _load_players()


def numbers_of(pawns: tuple[int, ...]) -> list[int]:
    return [0 if place == NEST else place for place in pawns or (NEST,) * 4]


def result(request: dict[str, Any], moved: int) -> str:
    seats, seat = position_of(BOARD, request["position"]), request["seat"]
    player = PLAYERS.Player()
    player.set_pieces(numbers_of(seats[seat]))
    others = [(seat + further) % 4 for further in (1, 2, 3)]
    after = player.move_piece(
        moved, request["throw"][0], [numbers_of(seats[other]) for other in others]
    )
    found = {seat: player.pieces, **dict(zip(others, after, strict=True))}
    return position_text(
        BOARD,
        [[int(n) or NEST for n in found[one]] if seats[one] else [] for one in range(4)],
    )


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Move each pawn that may move."""
    player = PLAYERS.Player()
    player.set_pieces(numbers_of(position_of(BOARD, request["position"])[request["seat"]]))
    movable = player.get_pieces_that_can_move(request["throw"][0])
    results = {result(request, pawn) for pawn in movable}
    return {"results": sorted(results or {request["position"]})}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
