"""What a club counts of a kept game: its places, and when it ended. Pure."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from typing import Any

from pi_app.club.people import PlayedGame
from pi_app.table.telling.standings import spaces_to_go
from rules.board import SEATS, board
from rules.game import Game, Phase
from rules.lines.replay import judge
from rules.position import parse_position
from rules.ruleset import parse_ruleset

LAST_TURN = '"last-turn '  # in the record of a game that may have ended with one


def played_game(
    id: str, table: str, record: str, places: Sequence[int], received: float
) -> PlayedGame | None:
    """Return a kept game as a club counts it, None if it was ended without a winner.

    record: its text. places: the seats that have one, in their order. received: when the club got
    it, in seconds since 1970; this counts if the record does not say when the game ended.
    """
    lines = record.split("\n")
    first, last = json.loads(lines[0]), json.loads([line for line in lines if line.strip()][-1])
    ruleset = parse_ruleset(first["ruleset"])
    position = parse_position(last["position"], ruleset)
    game = Game(
        ruleset,
        tuple(first["seats"]),
        position,
        Phase.OVER,
        first["seats"][0],
        places=tuple(places),
    )
    if LAST_TURN in record:  # then places may be shared
        game = game._replace(ties=tuple(map(tuple, judge(lines).get("ties", ()))))
    if not game.winners:
        return None
    ended = _time_of(last) or received
    at_home = board(ruleset.layout).home
    home = [sum(pawn in at_home for pawn in position[seat]) for seat in range(SEATS)]
    played_on = ruleset.play_on or (len(places) > len(game.winners) and not ruleset.partners)
    is_of_sides = ruleset.partners and not game.ties
    return PlayedGame(id, table, ended, final_tiers(game, home), home, played_on, is_of_sides)


def final_tiers(game: Game, home: Sequence[int]) -> list[list[int]]:
    """Return the seats of a game that is over by place, its winners first; equal ones together.

    Places that nobody played for are by pawns at home, then by spaces still to go. Who has left
    the game is last. home: by seat, the pawns at home.
    """
    others = [seat for seat in game.seats if seat not in game.winners]
    if game.ruleset.partners:
        return [list(game.winners), others] if others else [list(game.winners)]
    placed = {seat: place for place, tied in enumerate(game.ranks) for seat in tied}

    def rank(seat: int) -> tuple[int, ...]:
        if seat in placed:
            return 0, placed[seat]
        if not game.position[seat]:
            return (2,)
        return 1, -home[seat], spaces_to_go(game, seat)

    tiers = [list(tier) for _, tier in groupby(sorted(others, key=rank), key=rank)]
    return [list(game.winners), *tiers]


def _time_of(row: Mapping[str, Any]) -> float | None:
    """Return when a row of a record was made, in seconds since 1970, if it says so."""
    with suppress(KeyError, TypeError, ValueError):
        return datetime.fromisoformat(row["at"]).timestamp()
    return None
