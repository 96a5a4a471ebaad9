"""Every question is a line, from which the same question is read."""

import json
from typing import Any

import pytest

from pi_app.model.advice import (
    AdviceQuestion,
    BotQuestion,
    ChancesQuestion,
    HintQuestion,
    ReviewQuestion,
    parse_question,
)
from pi_app.model.hint_reasons import HintReason
from pi_app.model.reviews import review_questions
from rules import parse_game
from tests.pi_app.players.played import strong_game
from tests.rules.editions import QUICK
from tests.rules.moments import moments

MOVING = parse_game(
    '{"ruleset": "findler", "position": "40,0,N,N/22,5,N,N/-/-", "seat": 0, "throw": [6, 3]}'
)


@pytest.mark.parametrize("preset", QUICK)
def test_a_question_about_any_game_is_read_from_its_line(preset: str) -> None:
    for game in moments(preset, "both, overtaking", actions=8):
        assert is_read_again(HintQuestion(game))
        assert is_read_again(ChancesQuestion(game))
        assert is_read_again(question := BotQuestion(game, "easy"))
        assert chance_of(question.line()) == question.chance


def test_a_question_about_each_throw_of_a_game_is_read_from_its_line() -> None:
    assert all(map(is_read_again, review_questions(strong_game(5))))


def test_a_line_shows_its_question() -> None:
    assert json.loads(BotQuestion(MOVING, "easy").line()) == {
        "question": "BotQuestion",
        "game": {
            "ruleset": "findler",
            "position": "40,0,N,N/22,5,N,N/-/-",
            "seat": 0,
            "throw": [6, 3],
            "turns": 1,
            "throws": 1,
        },
        "level": "easy",
    }


NO_ANSWERS: dict[AdviceQuestion, list[Any]] = {
    BotQuestion(MOVING, "easy"): [None, 5, {}, [], [5], ["fly"], [["fly"]], ["move 5-11(6)"]],
    HintQuestion(MOVING): [
        [],
        [["wins", [], 0, 0]],
        ["move 5-11(6)", ["wins", [], 0, 0]],
        ["move 40-46(6)", "wins"],
        ["move 40-46(6)", ["thinks so", [], 0, 0]],
        ["move 40-46(6)", ["captures", [], 0, 0]],
        ["move 40-46(6)", ["captures", [4], 0, 0]],
        ["move 40-46(6)", ["captures", [[2]], 0, 0]],
        ["move 40-46(6)", ["safer", [], "10", 36]],
        ["move 40-46(6)", ["safer", [], 10]],
    ],
    ChancesQuestion(MOVING): [5, {}, [1], "none"],
    ReviewQuestion(MOVING, 1, (6, 3), True): [5, {}, [1.0, 0.0, []], [1.0, 0.0, 5, 5]],
}


@pytest.mark.parametrize("question", NO_ANSWERS, ids=lambda question: type(question).__name__)
def test_nonsense_is_no_answer(question: AdviceQuestion) -> None:
    for line in ("", "hello", *map(json.dumps, NO_ANSWERS[question])):
        with pytest.raises(ValueError):  # noqa: PT011  # of JSON, of an action, or ours
            question.read(line)


def test_an_answer_is_read() -> None:
    reason = ["safer", [], 10, 36]
    action, why = HintQuestion(MOVING).read(json.dumps(["move 40-46(6)", reason]))
    assert (str(action), why) == ("move 40-46(6)", HintReason("safer", (), 10, 36))


def is_read_again(question: AdviceQuestion) -> bool:
    return parse_question(question.line()) == question


def chance_of(line: str) -> float:
    question = parse_question(line)
    assert isinstance(question, BotQuestion)
    return question.chance
