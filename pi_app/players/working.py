"""Answers the questions of the table: one line of JSON in, one out. It has no dice and no clock.

`{"kind": "play", "game": "...", "level": "easy", "chance": 0.25}` asks for a play. The game is
written by `rules.game_text`. The answer has the actions up to the end of the play:
`{"play": ["move N-0(5)", "stop"]}`.

`hint` asks for the best step of a game. The answer is
`{"action": "move N-0(5)", "why": ["safer", [], 10, 36]}`; `why` is a `HintReason`.

`review` asks about one throw, with a `ReviewRequest` as its game. The answer is
`{"found": [...]}`, or null without a table of weights.

`chances` asks about a game that waits for a throw. The answer is
`{"chances": [0.4, null, 0.6, null]}`, by seat, or null without a table of weights.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress

from pi_app.model.reviews import SEATS, parse_review_request, remove_seats
from pi_app.players.choosing import choose
from pi_app.players.hints import find_hint
from pi_app.players.review import review_throw
from pi_app.players.tables import find_judge
from pi_app.players.value import Judge
from rules import Action, Game, Move, RuleSet, parse_game

JudgeLoader = Callable[[RuleSet], Judge | None]


def answer_line(line: str, judge_of: JudgeLoader = find_judge) -> str:
    """Return the answer to a line. Raises any exception if the line is not a valid question.

    judge_of: returns the judge of a rule set, or None to play without a table of weights.
    """
    question = json.loads(line)
    text = question["game"]
    if question["kind"] == "review":
        request = parse_review_request(text)
        judge = judge_of(parse_game(request.thrown_in).ruleset)
        return json.dumps({"found": None if judge is None else review_throw(request, judge)})
    game = parse_game(text)
    judge = judge_of(game.ruleset)
    match question["kind"]:
        case "play":
            actions = _rest_of_play(game, text, judge, question["level"], question["chance"])
            return json.dumps({"play": list(map(str, actions))})
        case "hint":
            best = find_hint(game, judge)
            action = f"move {best.step}" if best.step else "stop"
            return json.dumps({"action": action, "why": best.reason})
        case "chances":
            if judge is None:
                return json.dumps({"chances": None})
            position = remove_seats(game.ruleset, game.position, game.places)
            found = judge.chances(position, game.seat, game.doublets)
            return json.dumps({"chances": [found.get(seat) for seat in range(SEATS)]})
        case kind:
            raise ValueError(f"unknown kind of question: {kind}")


def answer_as_grace(line: str) -> str:
    """Return the answer to a line without a table of weights, as `grace` plays."""
    return answer_line(line, lambda ruleset: None)


def _rest_of_play(
    game: Game, text: str, judge: Judge | None, level: str, chance: float
) -> tuple[Action, ...]:
    """Return the rest of the best play with the throw, if the play so far is its beginning.

    Otherwise somebody else has made the steps so far, and the best rest is chosen. text: the game.
    judge, level, chance: as in `choose`.
    """
    before = parse_game(json.dumps({**json.loads(text), "play": []}))
    made = tuple(map(Move, game.made))
    whole = choose(before, judge, level, chance)
    return whole[len(made) :] if whole[: len(made)] == made else choose(game, judge, level, chance)


def main() -> None:
    """Answer each line of the input until it ends, or until nobody reads the answers."""
    for line in iter(sys.stdin.readline, ""):
        try:
            sys.stdout.write(f"{answer_line(line)}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            with suppress(BrokenPipeError):
                sys.stdout.close()  # otherwise Python complains when it ends
            break


if __name__ == "__main__":
    main()
