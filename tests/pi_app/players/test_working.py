"""The worker: a line in, a line out, by the real program and by the function within."""

import json
import os
import subprocess
import sys

import pytest

from pi_app.model.advice import BotQuestion, ChancesQuestion, HintQuestion
from pi_app.model.reviews import review_questions
from pi_app.players.averaging import average_chances
from pi_app.players.choosing import LEVELS, choose
from pi_app.players.hints import find_hint
from pi_app.players.review import review_throw
from pi_app.players.tables import load_judge
from pi_app.players.working import answer_as_grace, answer_line
from pi_app.settings import settings
from pi_app.system.child import ROOT, WORKER
from rules import (
    PRESETS,
    Action,
    Game,
    Move,
    Record,
    Throw,
    at,
    enter,
    parse_action,
    parse_entry,
    parse_position,
    play,
)

FINDLER = PRESETS["findler"]
POSITION = parse_position("40,0,N,N/22,5,N,N/3,N,N,N/N,N,N,N", FINDLER)


def thrown(*faces: int, ruleset: str = "findler") -> Game:
    return play(at(PRESETS[ruleset], POSITION, 0), Throw(faces))[0]


def asked(game: Game, level: str = "strong") -> str:
    return BotQuestion(game, level).line()


def texts(actions: tuple[Action, ...]) -> list[str]:
    return [str(action) for action in actions]


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_s_play_is_what_a_player_of_its_level_chooses(level: str) -> None:
    game = thrown(6, 3)
    question = BotQuestion(game, level)
    told = json.loads(answer_line(question.line()))
    assert told == texts(choose(game, load_judge(FINDLER), level, question.chance))


def test_the_table_knows_the_levels_of_players() -> None:
    assert settings.LEVELS == LEVELS


def test_a_play_that_has_begun_is_gone_on_with_as_it_was_meant() -> None:
    game = thrown(6, 3)
    first, *rest = choose(game, load_judge(FINDLER), "easy", BotQuestion(game, "easy").chance)
    after, _ = play(game, first)
    assert json.loads(answer_line(asked(after, "easy"))) == texts(tuple(rest))


def test_what_others_have_begun_is_gone_on_with_from_there() -> None:
    game = thrown(6, 3)
    meant = choose(game, load_judge(FINDLER))
    other = next(step for step in sorted(game.steps) if Move(step) not in meant)
    after, _ = play(game, Move(other))
    told = json.loads(answer_line(asked(after)))
    assert told == texts(choose(after, load_judge(FINDLER)))


def test_without_weights_it_plays_by_grace() -> None:
    game = thrown(6, 3)
    assert json.loads(answer_as_grace(asked(game))) == texts(choose(game, None))


def test_the_program_answers_line_by_line_and_ends_with_its_input() -> None:
    lines = [asked(thrown(6, 3)), asked(thrown(2, 2), "child")]
    done = subprocess.run(
        WORKER,
        input="".join(f"{line}\n" for line in lines),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [answer_line(line) for line in lines]
    assert done.stderr == ""


def test_a_program_whose_answers_nobody_reads_ends_without_a_word() -> None:
    with subprocess.Popen(
        WORKER,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        program.stdout.close()
        program.stdout = None
        _, said = program.communicate(f"{asked(thrown(6, 3))}\n", timeout=60)
    assert (program.returncode, said) == (0, "")


def test_what_it_needs_is_quickly_there() -> None:
    """Modules that take memory and are of no use to it."""
    code = "import sys, pi_app.players.working; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-SP", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    heavy = {"argparse", "importlib.resources", "tempfile", "random", "site", "subprocess"}
    assert heavy & set(done.stdout.split()) == set()


# --- chances -------------------------------------------------------------------------------------


def test_chances_are_those_of_the_seats_that_play_before_the_throw() -> None:
    game = at(FINDLER, parse_position("40,0,N,N/22,5,N,N/3,N,N,N/-", FINDLER), 1)
    line = ChancesQuestion(game).line()
    told = json.loads(answer_line(line))
    found = average_chances(load_judge(FINDLER), game.position, 1)
    assert told == [found[0], found[1], found[2], None]
    assert sum(told[:3]) == pytest.approx(1.0)
    assert json.loads(answer_as_grace(line)) is None


def test_who_has_won_has_no_chance_of_the_next_place() -> None:
    rules = PRESETS["pb"]
    game = at(rules, parse_position("H,H,H,H/H,H,H,5/3,N,N,N/-", rules), 1)
    line = ChancesQuestion(game).line()
    told = json.loads(answer_line(line))
    assert (told[0], told[3]) == (None, None)
    assert told[1] > told[2] > 0


# --- hints, luck and skill -----------------------------------------------------------------------


def test_a_hint_is_the_best_step_and_why() -> None:
    game = thrown(6, 3)
    question = HintQuestion(game)
    best = find_hint(game, load_judge(FINDLER))
    told = question.read(answer_line(question.line()))
    assert told == (parse_action(f"move {best.step}"), best.reason)
    action, _ = question.read(answer_as_grace(question.line()))
    assert isinstance(action, Move)


def test_a_review_is_asked_throw_by_throw_and_found_by_a_table_of_weights_alone() -> None:
    record = Record(at(FINDLER, POSITION, 0), host=0)
    for text in ("throw 6 3", "move 40-46(6)", "move 46-49(3)"):
        record, _ = enter(record, parse_entry(text))
    [one] = review_questions(record)
    assert one.read(answer_line(one.line())) == review_throw(one)
    assert one.read(answer_as_grace(one.line())) is None
