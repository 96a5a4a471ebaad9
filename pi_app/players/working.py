"""What the table's worker knows: a line of JSON in, a line out; keeps out dice and clocks.

A question is `{"kind": "play", "game": "...", "level": "easy", "chance": 0.25}`, the game as
`rules.game_text` has it; the answer is `{"play": ["move N-0(5)", "stop"]}`, to the end of the play.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pi_app.players.choosing import choose
from pi_app.players.tables import judge
from pi_app.players.value import Judge
from rules import Action, Game, Move, RuleSet, parse_game

Judging = Callable[[RuleSet], Judge | None]


def worked_out(line: str, judging: Judging = judge) -> str:
    """Return the answer to a line; what can't be answered raises."""
    asked = json.loads(line)
    return json.dumps(KINDS[asked["kind"]](asked, judging))


def by_grace(line: str) -> str:
    """Return the answer to a line as `grace` has it, who reads no table of weights."""
    return worked_out(line, lambda ruleset: None)


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


KINDS: dict[str, Callable[[dict[str, Any], Judging], dict[str, Any]]] = {"play": _play}


def main() -> None:
    """Answer line by line, until no more can come or nobody reads."""
    for line in iter(sys.stdin.readline, ""):
        try:
            sys.stdout.write(f"{worked_out(line)}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            with suppress(BrokenPipeError):
                sys.stdout.close()  # else the interpreter complains when it ends
            break


if __name__ == "__main__":
    main()
