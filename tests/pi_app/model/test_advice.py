"""Every question is a line, from which the same question is read."""

import json

import pytest

from pi_app.model.advice import (
    AdviceQuestion,
    BotQuestion,
    ChancesQuestion,
    HintQuestion,
    parse_question,
)
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


def is_read_again(question: AdviceQuestion) -> bool:
    return parse_question(question.line()) == question


def chance_of(line: str) -> float:
    question = parse_question(line)
    assert isinstance(question, BotQuestion)
    return question.chance
