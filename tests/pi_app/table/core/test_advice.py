"""What the table asks its players, and what it takes of the answers."""

import json
from dataclasses import replace

import pytest

from pi_app.model.events import AdviceGiven, AdviceQuestion, Setup
from pi_app.settings.settings import Settings
from pi_app.table.core.advice import bot_choice, next_question, question_line, read_answer
from rules import PRESETS, Game, IllegalAction, Phase, action_text, at, game_text
from tests.pi_app.sitting import Sitting

FOUR = "12,N,N,N/22,5,N,N/3,N,N,N/N,N,N,N"


def box_to_move(*faces: int, level: str = "strong", position: str = FOUR) -> Sitting:
    """Return a table at which a bot plays A and has thrown; nobody answers what is asked."""
    table = Sitting(dice=[faces], settings=Settings({"box.A": level}), advise=None)
    table.resume(position, 0, "findler")
    table.throw()
    return table


def chance(question: AdviceQuestion) -> float:
    """Return the chance by which a level that varies chooses."""
    found: float = json.loads(question_line(question))["chance"]
    return found


def asked(table: Sitting) -> AdviceQuestion:
    question = next_question(table.session)
    assert question is not None
    return question


def answer(table: Sitting, *actions: str) -> None:
    """Answer what is asked as the worker does."""
    question = asked(table)
    table.tell(AdviceGiven(question, read_answer(question, json.dumps({"play": actions})), table.t))


def plan(table: Sitting) -> str:
    action = bot_choice(table.session)
    return "" if action is None else action_text(action)


def test_a_bot_s_play_is_asked_by_the_game_s_text_and_its_level() -> None:
    table = box_to_move(6, 3, level="easy")
    question = asked(table)
    assert question == AdviceQuestion("play", table.game, "easy")
    assert 0 <= chance(question) < 1
    assert json.loads(question_line(question)) == {
        "kind": "play",
        "game": game_text(table.game),
        "level": "easy",
        "chance": chance(question),
    }


def test_nothing_is_asked_for_people_nor_before_the_throw_nor_where_no_step_is_legal() -> None:
    table = Sitting(dice=[(6, 3)], settings=Settings({"box.A": "strong"}), advise=None)
    assert next_question(table.session) is None
    table.resume(FOUR, 1, "findler")
    table.throw()
    assert next_question(table.session) is None
    table = box_to_move(1, 2, position="N,N,N,N/-/3,N,N,N/-")
    assert (table.game.steps, next_question(table.session)) == ((), None)


def test_an_answer_is_asked_no_more_and_holds_to_the_end_of_the_play() -> None:
    table = box_to_move(6, 3)
    answer(table, "move 12-18(6)", "move 18-21(3)")
    assert (next_question(table.session), plan(table)) == (None, "move 12-18(6)")
    table.ok(1)
    assert (next_question(table.session), plan(table)) == (None, "move 18-21(3)")


def test_an_answer_to_what_is_asked_no_longer_is_of_no_use() -> None:
    table = box_to_move(6, 3)
    late = asked(table)
    answered = read_answer(late, json.dumps({"play": ["move 12-18(6)", "move 18-21(3)"]}))
    table.tell(AdviceGiven(late._replace(level="club"), answered, table.t))
    assert (bot_choice(table.session), asked(table)) == (None, late)


def test_another_level_is_asked_anew() -> None:
    table = box_to_move(6, 3)
    answer(table, "move 12-18(6)", "move 18-21(3)")
    table.session = replace(table.session, settings=Settings({"box.A": "child"}))
    assert asked(table).level == "child"


def test_the_chance_is_of_the_throw_alone() -> None:
    table = box_to_move(6, 3)
    before = chance(asked(table))
    assert chance(asked(box_to_move(6, 3, level="child"))) == before
    assert chance(asked(box_to_move(3, 6))) != before


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "[1]",
        "5",
        "null",
        "{}",
        '{"play": 5}',
        '{"play": []}',
        '{"play": [5]}',
        '{"play": ["fly"]}',
    ],
)
def test_nonsense_is_no_answer(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # of JSON, of an action, or ours
        read_answer(asked(box_to_move(6, 3)), line)


def test_a_play_that_is_not_legal_is_no_answer() -> None:
    with pytest.raises(IllegalAction):
        read_answer(asked(box_to_move(6, 3)), '{"play": ["move 3-9(6)"]}')


# --- chances for spectators ----------------------------------------------------------------------

SHOWN = Setup(chances=True)


def chances_asked(table: Sitting) -> AdviceQuestion:
    question = asked(table)
    assert question.kind == "chances"
    return question


def tell_chances(table: Sitting, question: AdviceQuestion, *chances: float | None) -> None:
    line = json.dumps({"chances": chances or None})
    table.tell(AdviceGiven(question, read_answer(question, line), table.t))


def test_chances_are_never_asked_unless_they_are_shown() -> None:
    table = Sitting(dice=[(6, 3)], advise=None)
    table.resume(FOUR, 0, "findler")
    assert next_question(table.session) is None
    table.throw()
    assert next_question(table.session) is None


def test_the_chances_asked_are_those_before_the_throw_until_its_play_is_complete() -> None:
    table = Sitting(SHOWN, dice=[(6, 3)], advise=None)
    assert next_question(table.session) is None
    table.resume(FOUR, 0, "findler")
    before = chances_asked(table)
    assert before.of == at(PRESETS["findler"], table.game.position, 0)
    tell_chances(table, before, 0.1, 0.2, 0.3, 0.4)
    assert next_question(table.session) is None
    table.throw()
    table.ok(0)
    assert (table.game.seat, next_question(table.session)) == (0, None)
    table.ok(0)
    assert table.game.seat == 3
    assert chances_asked(table) != before
    assert table.session.odds == (before.of, (0.1, 0.2, 0.3, 0.4), 0)


def test_a_bot_s_play_is_asked_before_the_chances() -> None:
    table = Sitting(SHOWN, dice=[(6, 3)], settings=Settings({"box.A": "strong"}), advise=None)
    table.resume(FOUR, 0, "findler")
    assert asked(table).kind == "chances"
    table.throw()
    assert asked(table).kind == "play"
    answer(table, "move 12-18(6)", "move 18-21(3)")
    assert asked(table).kind == "chances"


def test_chances_that_come_after_the_position_has_changed_are_dropped() -> None:
    table = Sitting(SHOWN, dice=[(6, 3)], advise=None)
    table.resume(FOUR, 0, "findler")
    late = chances_asked(table)
    table.throw()
    table.ok(0)
    table.ok(0)
    tell_chances(table, late, 0.1, 0.2, 0.3, 0.4)
    assert (table.session.odds, chances_asked(table) != late) == (None, True)


def test_while_the_last_throw_for_who_begins_is_shown_nothing_is_asked() -> None:
    table = Sitting(SHOWN, dice=[(3, 1), (6, 5)], advise=None)
    table.begin(0, 2)
    for _ in range(2):
        assert next_question(table.session) is None
        table.wait(4.0)
        table.dome()
    assert (table.game.phase, table.game.seat, next_question(table.session)) == (
        Phase.THROW,
        2,
        None,
    )
    table.wait(4.0)
    assert isinstance(of := chances_asked(table).of, Game)
    assert of.seat == 2


def test_where_nobody_can_tell_the_chances_they_are_not_asked_again() -> None:
    table = Sitting(SHOWN, advise=None)
    table.resume(FOUR, 0, "findler")
    tell_chances(table, chances_asked(table))
    assert next_question(table.session) is None


@pytest.mark.parametrize("line", ["{}", '{"chances": [1]}', '{"chances": "none"}', "[5]"])
def test_nonsense_is_no_chances(line: str) -> None:
    table = Sitting(SHOWN, advise=None)
    table.resume(FOUR, 0, "findler")
    with pytest.raises(ValueError):  # noqa: PT011  # of a number, or ours
        read_answer(chances_asked(table), line)
