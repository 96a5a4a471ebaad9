"""The protocol for other programs that ask for advice: one line of JSON in, one out.

pi_app/players/README.md describes it. This module reads no files and draws nothing.
"""

from typing import Any
from zlib import crc32

from pi_app.model.reviews import remove_seats
from pi_app.players.choosing import LEVELS, choose
from pi_app.players.tables import find_judge
from rules import SEAT_LETTERS, Game, Move, Phase, Throw, at, parse_ruleset, play
from rules.errors import InputError
from rules.lines.analyse import KEYS
from rules.lines.fields import (
    FieldError,
    read_flag,
    read_json,
    read_object,
    read_playing_seat,
    read_position,
    read_steps,
    read_throw,
    read_whole_number,
)
from rules.questions.explain import explain

REQUIRED = KEYS[:3]
ADVICE_KEYS = (*KEYS, "level", "seed")
DIGITS = 4


def advice_line(line: str) -> dict[str, Any]:
    """Return the answer to one line, or `{"error": ...}` if it is not a valid request."""
    try:
        request = read_object(read_json(line), "a request", ADVICE_KEYS, REQUIRED)
        ruleset = parse_ruleset(request["ruleset"])
        position = read_position(request["position"], ruleset)
        seat = read_playing_seat(request["seat"], position, ruleset)
        doublets = read_whole_number("doublets", request.get("doublets", 0))
        seed = read_whole_number("seed", request.get("seed", 0))
        level = request.get("level", LEVELS[-1])
        if level not in LEVELS:
            raise FieldError(f"level {level!r} is not one of {', '.join(LEVELS)}")
        begun = read_steps(request.get("play", []))
        read_flag("results", request.get("results", False))
        if sum(map(bool, position)) < 2:
            raise FieldError(f"position {request['position']!r} has one seat: at least two play")
        game = at(ruleset, position, seat, doublets)
        if "throw" in request:
            throw = Throw(read_throw(request["throw"], ruleset.dice, ruleset))
            seeded = f"{seed} {request['position']} {seat} {throw.faces}"
            chance = crc32(seeded.encode()) / 2**32  # 0 up to 1, the same for the same request
            steps, after = _complete_play(play(game, throw)[0], begun, level, chance)
            return {"play": steps, "chances": _chances(after, game.places)}
        if begun:
            raise FieldError("play has steps, but 'throw' is missing")
        return {"play": [], "chances": _chances(game, game.places)}
    except InputError as error:
        return {"error": str(error)}


def _complete_play(
    game: Game, begun: list[str], level: str, chance: float
) -> tuple[list[str], Game]:
    """Return all steps of a play that begins with the steps in `begun`, and the game after it.

    game: with the throw on the table. chance: as in `choose`.
    """
    for text in begun:
        offered = {str(step): step for step in game.steps}
        if text not in offered:
            raise FieldError(f"play: {text} is not legal: {explain(game, text)}")
        game, _ = play(game, Move(offered[text]))
    if begun and game.phase is not Phase.MOVE:
        return begun, game
    actions = choose(game, find_judge(game.ruleset), level, chance)
    for action in actions:
        game, _ = play(game, action)
    return [*begun, *(str(action.step) for action in actions if isinstance(action, Move))], game


def _chances(game: Game, winners: tuple[int, ...]) -> dict[str, float] | None:
    """Return the chances of all seats but `winners`, by their letters. They sum to 1.

    Return None if the rule set has no table of weights.
    """
    judge = find_judge(game.ruleset)
    if judge is None:
        return None
    position = remove_seats(game.ruleset, game.position, winners)
    found = judge.chances(position, game.seat, game.doublets)
    chances = {SEAT_LETTERS[seat]: round(found[seat], DIGITS) for seat in sorted(found)}
    likeliest = max(chances, key=lambda seat: chances[seat])  # rounding changes it least
    others = sum(chance for seat, chance in chances.items() if seat != likeliest)
    return {**chances, likeliest: round(1 - others, DIGITS)}
