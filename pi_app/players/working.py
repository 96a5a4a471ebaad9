"""Answers the lines of pi_app/model/advice.py with lines. It has no dice and no clock."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress

from pi_app.model.advice import (
    BotQuestion,
    ChancesQuestion,
    HintQuestion,
    ReviewQuestion,
    parse_question,
)
from pi_app.model.reviews import remove_seats
from pi_app.players.averaging import average_chances
from pi_app.players.choosing import choose
from pi_app.players.hints import find_hint
from pi_app.players.review import review_throw
from pi_app.players.tables import find_judge
from pi_app.players.value import Judge
from rules import Action, Move, RuleSet
from rules.board import SEATS
from rules.memory import Memory

JudgeLoader = Callable[[RuleSet], Judge | None]


def answer_line(line: str, judge_of: JudgeLoader = find_judge) -> str:
    """Return the answer to a line. Raises any exception if the line is not a valid question.

    judge_of: returns the judge of a rule set, or None to play without a table of weights.
    """
    question = parse_question(line)
    game = question.game
    judge = judge_of(game.ruleset)
    match question:
        case BotQuestion():
            return json.dumps(list(map(str, _rest_of_play(question, judge))))
        case HintQuestion():
            best = find_hint(game, judge)
            return json.dumps([f"move {best.step}" if best.step else "stop", best.reason])
        case ReviewQuestion() if judge:
            return json.dumps(review_throw(question, judge))
        case ChancesQuestion() if judge:
            position, began = (
                remove_seats(game.ruleset, pawns, game.places)
                for pawns in (game.position, game.memory.began or game.position)
            )
            memory = Memory(began=began)
            found = average_chances(judge, position, game.seat, game.doublets, memory)
            return json.dumps([found.get(seat) for seat in range(SEATS)])
    return json.dumps(None)  # nobody can tell without a table of weights


def answer_as_grace(line: str) -> str:
    """Return the answer to a line without a table of weights, as `grace` plays."""
    return answer_line(line, lambda ruleset: None)


def _rest_of_play(question: BotQuestion, judge: Judge | None) -> tuple[Action, ...]:
    """Return the rest of the best play with the throw, if the play so far is its beginning.

    Otherwise somebody else has made the steps so far, and the best rest is chosen.
    """
    game, level, chance = question.game, question.level, question.chance
    if made := tuple(map(Move, game.made)):
        plays, _ = game.plays
        before = game._replace(position=game.thrown_in, made=(), reached=plays.start)
        whole = choose(before, judge, level, chance)
        if whole[: len(made)] == made:
            return whole[len(made) :]
    return choose(game, judge, level, chance)


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
