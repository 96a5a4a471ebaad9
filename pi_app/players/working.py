"""Answers the questions of the table's worker: one line of JSON in, one out. No dice, no clocks.

A question of the kind `play` is `{"kind": "play", "game": "...", "level": "easy", "chance": 0.25}`,
with the game as `rules.game_text` writes it. Its answer holds the actions up to the end of the
play: `{"play": ["move N-0(5)", "stop"]}`. The answer to `hint` is
`{"action": "move N-0(5)", "why": ["safer", [], 10, 36]}`; its last value is a `HintReason`. A
question of the kind `review` holds a `ReviewRequest`; its answer is `{"found": [...]}`, or null
without a table of weights. A question of the kind `chances` holds a game that waits for a throw;
its answer is `{"chances": [0.4, null, 0.6, null]}`, by seat.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pi_app.advice.reviews import SEATS, parse_review_request, remove_seats
from pi_app.players.choosing import choose
from pi_app.players.hints import hint
from pi_app.players.review import review_throw
from pi_app.players.tables import judge
from pi_app.players.value import Judge
from rules import Action, Game, Move, RuleSet, parse_game

Judging = Callable[[RuleSet], Judge | None]


def answer_line(line: str, judging: Judging = judge) -> str:
    """Return the answer to a line; what can't be answered raises."""
    asked = json.loads(line)
    return json.dumps(KINDS[asked["kind"]](asked, judging))


def answer_as_grace(line: str) -> str:
    """Return the answer to a line as `grace` has it, who reads no table of weights."""
    return answer_line(line, lambda ruleset: None)


def _play(asked: dict[str, Any], judging: Judging) -> dict[str, Any]:
    """Answer with the rest of what is best with the throw, if that is how its play has begun.

    Otherwise others have made steps of it, and the best is made of what is left.
    """
    game = parse_game(asked["game"])
    begun = parse_game(json.dumps({**json.loads(asked["game"]), "play": []}))

    def chosen(one: Game) -> tuple[Action, ...]:
        return choose(one, judging(one.ruleset), asked["level"], asked["chance"])

    made = tuple(map(Move, game.made))
    whole = chosen(begun)
    rest = whole[len(made) :] if whole[: len(made)] == made else chosen(game)
    return {"play": list(map(str, rest))}


def _hint(asked: dict[str, Any], judging: Judging) -> dict[str, Any]:
    """Answer with the best step and why, at full strength."""
    game = parse_game(asked["game"])
    best = hint(game, judging(game.ruleset))
    return {"action": f"move {best.step}" if best.step else "stop", "why": best.why}


def _review(asked: dict[str, Any], judging: Judging) -> dict[str, Any]:
    """Answer with what is found of a throw: nothing where there are no chances to win."""
    one = parse_review_request(asked["game"])
    by = judging(parse_game(one.thrown_in).ruleset)
    return {"found": None if by is None else review_throw(one, by)}


def _chances(asked: dict[str, Any], judging: Judging) -> dict[str, Any]:
    """Answer with each seat's chance to win, or to take the next place, before the throw."""
    game = parse_game(asked["game"])
    by = judging(game.ruleset)
    if by is None:
        return {"chances": None}
    found = by.chances(remove_seats(game.position, game.places), game.seat)
    return {"chances": [found.get(seat) for seat in range(SEATS)]}


KINDS: dict[str, Callable[[dict[str, Any], Judging], dict[str, Any]]] = {
    "play": _play,
    "hint": _hint,
    "review": _review,
    "chances": _chances,
}


def main() -> None:
    """Answer line by line, until no more can come or nobody reads."""
    for line in iter(sys.stdin.readline, ""):
        try:
            sys.stdout.write(f"{answer_line(line)}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            with suppress(BrokenPipeError):
                sys.stdout.close()  # else the interpreter complains when it ends
            break


if __name__ == "__main__":
    main()
