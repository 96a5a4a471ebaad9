"""The advice protocol: one JSON line in, one out; keeps out files and chance.

Requests are those of rules/PROTOCOL.md, but that `throw` may be left out, where only chances are
asked, and that there may be a `level` and a `seed`, of which levels that vary draw. The answer is
`{"play": ["N-0(5)", "0-3(3)"], "chances": {"A": 0.31, "C": 0.69}}`: one complete play, which begins
with the steps of the request's `play`, and each playing seat's chance to win after it, or before
the throw. The chances sum to 1. `results` changes nothing: they are never listed.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from pi_app.advice.reviews import remove_seats
from pi_app.players.choosing import LEVELS, choose
from pi_app.players.tables import judge
from rules import (
    SEAT_LETTERS,
    Game,
    Move,
    Phase,
    PositionError,
    RuleSetError,
    Throw,
    at,
    parse_ruleset,
    play,
)
from rules.analyse import BLANKS, KEYS
from rules.explain import explain
from rules.fields import (
    FieldError,
    brief,
    read_flag,
    read_json,
    read_object,
    read_playing_seat,
    read_position,
    read_steps,
    read_throw,
    read_whole_number,
)

REQUIRED = KEYS[:3]
ADVICE_KEYS = (*KEYS, "level", "seed")
DIGITS = 4


def advice_lines(lines: Iterable[str]) -> Iterator[str]:
    """Return an answer for each line that is not blank, in order."""
    for line in lines:
        if line.strip(BLANKS):
            yield json.dumps(advice_line(line))


def advice_line(line: str) -> dict[str, Any]:
    """Return the answer to one line; `{"error": ...}` where it can't be used."""
    try:
        return _advice(read_object(read_json(line), "a request", ADVICE_KEYS, REQUIRED))
    except (FieldError, RuleSetError, PositionError) as error:
        return {"error": brief(str(error))}


def _advice(request: dict[str, Any]) -> dict[str, Any]:
    ruleset = parse_ruleset(request["ruleset"])
    position = read_position(request["position"], ruleset)
    seat = read_playing_seat(request["seat"], position)
    doublets = read_whole_number("doublets", request.get("doublets", 0))
    seed = read_whole_number("seed", request.get("seed", 0))
    level = _read_level(request.get("level", LEVELS[-1]))
    begun = read_steps(request.get("play", []))
    read_flag("results", request.get("results", False))
    if sum(map(bool, position)) < 2:
        raise FieldError(f"position {request['position']!r} has one seat: at least two play")
    game = at(ruleset, position, seat, doublets)
    if "throw" in request:
        throw = Throw(read_throw(request["throw"], ruleset.dice))
        chance = _chance(seed, f"{request['position']} {seat} {throw.faces}")
        steps, after = _played(play(game, throw)[0], begun, level, chance)
        return {"play": steps, "chances": _chances(after, game.places)}
    if begun:
        raise FieldError("play has steps, but 'throw' is missing")
    return {"play": [], "chances": _chances(game, game.places)}


def _played(thrown: Game, begun: list[str], level: str, chance: float) -> tuple[list[str], Game]:
    """Return all steps of a play that has begun with some, and the game after it."""
    game = _after(thrown, begun)
    if begun and game.phase is not Phase.MOVE:
        return begun, game
    actions = choose(game, judge(game.ruleset), level, chance)
    for action in actions:
        game, _ = play(game, action)
    return [*begun, *(str(action.step) for action in actions if isinstance(action, Move))], game


def _after(game: Game, begun: list[str]) -> Game:
    """Return the game after the steps with which a play begins."""
    for text in begun:
        offered = {str(step): step for step in game.steps}
        if text not in offered:
            raise FieldError(f"play: {text} is not legal: {explain(game, text)}")
        game, _ = play(game, Move(offered[text]))
    return game


def _read_level(level: object) -> str:
    if level not in LEVELS:
        raise FieldError(f"level {level!r} is none of {', '.join(LEVELS)}")
    return str(level)


def _chances(game: Game, had_won: tuple[int, ...]) -> dict[str, float]:
    """Return each seat's chance by its letter, of those that had not won before; they sum to 1."""
    by = judge(game.ruleset)
    found = by.chances(remove_seats(game.position, had_won), game.seat)
    told = {SEAT_LETTERS[seat]: round(found[seat], DIGITS) for seat in sorted(found)}
    likeliest = max(told, key=lambda seat: told[seat])  # which the rounding changes least
    others = sum(chance for seat, chance in told.items() if seat != likeliest)
    return {**told, likeliest: round(1 - others, DIGITS)}


def _chance(seed: int, told: str) -> float:
    """Return a number from 0 up to 1, the same for the same seed and request."""
    return crc32(f"{seed} {told}".encode()) / 2**32
