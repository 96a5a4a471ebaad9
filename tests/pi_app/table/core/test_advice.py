"""What the table asks its players, and what it takes of the answers."""

import json
from dataclasses import replace

from pi_app.model.advice import AdviceQuestion, BotQuestion, ChancesQuestion
from pi_app.model.events import AdviceGiven, Setup
from pi_app.settings.settings import Settings
from pi_app.table.core.advice import bot_choice, next_question
from pi_app.table.core.state import Odds
from rules import PRESETS, Phase, at
from tests.pi_app.sitting import Sitting

FOUR = "12,N,N,N/22,5,N,N/3,N,N,N/N,N,N,N"


def box_to_move(*faces: int, level: str = "strong", position: str = FOUR) -> Sitting:
    """Return a table at which a bot plays A and has thrown; nobody answers what is asked."""
    table = Sitting(dice=[faces], settings=Settings({"box.A": level}), advise=None)
    table.resume(position, 0, "findler")
    table.throw()
    return table


def asked(table: Sitting) -> BotQuestion:
    question = next_question(table.session)
    assert isinstance(question, BotQuestion)
    return question


def answer(table: Sitting, *actions: str) -> None:
    """Answer what is asked as the worker does."""
    question = asked(table)
    table.tell(AdviceGiven(question, question.read(json.dumps(actions)), table.t))


def plan(table: Sitting) -> str:
    action = bot_choice(table.session)
    return "" if action is None else str(action)


def test_a_bot_s_play_is_asked_by_the_game_and_its_level() -> None:
    table = box_to_move(6, 3, level="easy")
    assert asked(table) == BotQuestion(table.game, "easy")


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
    answered = late.read(json.dumps(["move 12-18(6)", "move 18-21(3)"]))
    table.tell(AdviceGiven(replace(late, level="club"), answered, table.t))
    assert (bot_choice(table.session), asked(table)) == (None, late)


def test_another_level_is_asked_anew() -> None:
    table = box_to_move(6, 3)
    answer(table, "move 12-18(6)", "move 18-21(3)")
    table.session = replace(table.session, settings=Settings({"box.A": "child"}))
    assert asked(table).level == "child"


def test_the_chance_is_of_the_throw_alone() -> None:
    table = box_to_move(6, 3)
    before = asked(table).chance
    assert 0 <= before < 1
    assert asked(box_to_move(6, 3, level="child")).chance == before
    assert asked(box_to_move(3, 6)).chance != before


# --- chances for spectators ----------------------------------------------------------------------

SHOWN = Setup(chances=True)


def chances_asked(table: Sitting) -> ChancesQuestion:
    question = next_question(table.session)
    assert isinstance(question, ChancesQuestion)
    return question


def tell_chances(table: Sitting, question: AdviceQuestion, *chances: float | None) -> None:
    table.tell(AdviceGiven(question, question.read(json.dumps(chances or None)), table.t))


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
    assert before.game == at(PRESETS["findler"], table.game.position, 0)
    tell_chances(table, before, 0.1, 0.2, 0.3, 0.4)
    assert next_question(table.session) is None
    table.throw()
    table.ok(0)
    assert (table.game.seat, next_question(table.session)) == (0, None)
    table.ok(0)
    assert table.game.seat == 3
    assert chances_asked(table) != before
    assert table.session.odds == Odds(before.game, (0.1, 0.2, 0.3, 0.4), 0)


def test_a_bot_s_play_is_asked_before_the_chances() -> None:
    table = Sitting(SHOWN, dice=[(6, 3)], settings=Settings({"box.A": "strong"}), advise=None)
    table.resume(FOUR, 0, "findler")
    assert chances_asked(table)
    table.throw()
    answer(table, "move 12-18(6)", "move 18-21(3)")
    assert chances_asked(table)


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
    assert chances_asked(table).game.seat == 2


def test_where_nobody_can_tell_the_chances_they_are_not_asked_again() -> None:
    table = Sitting(SHOWN, advise=None)
    table.resume(FOUR, 0, "findler")
    tell_chances(table, chances_asked(table))
    assert next_question(table.session) is None
