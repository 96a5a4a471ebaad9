"""Hints: which pawn, which step, why, asked from the menu, and marked for children."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pi_app.model.advice import HintQuestion
from pi_app.model.events import AdviceGiven, Setup
from pi_app.players.working import answer_as_grace
from pi_app.settings.settings import Settings
from pi_app.table.core.advice import next_question
from pi_app.table.core.speech import screen_words
from pi_app.table.core.state import Hints
from rules.actions import Move, Throw
from rules.game import Phase
from rules.history import Undo
from tests.pi_app.sitting import IDS, Sitting, told

# The five captures what C has brought 52 spaces, or enters A's last.
CAPTURE_OR_ENTER = "H,40,13,N/N,N,N,N/52,N,N,N/N,N,N,N"
ONE_BUTTON = Setup(next_buttons=())


def thrown(
    position: str,
    *faces: int,
    ruleset: str = "findler",
    settings: dict[str, str] | None = None,
    setup: Setup | None = None,
) -> Sitting:
    """A table at which A has thrown; nobody answers what is asked until `answer` does."""
    table = Sitting(setup, [faces], settings=Settings(settings or {}))
    table.resume(position, 0, ruleset)
    table.throw()
    return table


def hinted(position: str, *faces: int, ruleset: str = "findler") -> Sitting:
    table = thrown(position, *faces, ruleset=ruleset)
    table.choose(0, "hint")
    return table


def answer(table: Sitting) -> None:
    question = next_question(table.session)
    assert question is not None
    line = answer_as_grace(question.line())
    table.tell(AdviceGiven(question, question.read(line), table.t))


def hints(table: Sitting) -> list[str | None]:
    """Return how far a hint is told to have been given, of each row."""
    return [row.hint for row in table.rows]


def test_next_asks_for_more_pawn_step_why_and_round_again() -> None:
    table = hinted(CAPTURE_OR_ENTER, 6, 5)
    said = []
    for _ in range(4):
        said.append((told(table), table.keys))
        table.next(0)
    assert said == [
        ("move-this-one A+13", ("press-next: do-the-step", "press-ok: do-back")),
        ("5: A+13 → B+1 to-nest(C)", ("press-next: why", "press-ok: do-back")),
        ("why why-captures(C)", ("press-next: do-the-pawn", "press-ok: do-back")),
        said[0],
    ]


def test_the_pawn_and_its_way_are_shown_on_the_map_and_no_hand_moves_it() -> None:
    table = hinted(CAPTURE_OR_ENTER, 6, 5)
    assert (table.table.board.origin, table.table.board.target) == ((0, 13), None)
    table.next(0)
    assert (table.table.board.origin, table.table.board.target) == ((0, 13), (0, 18))
    assert table.table.board.by_hand == ()


def test_why_is_one_text() -> None:
    table = hinted("16,12,N,N/-/44,N,N,N/-", 2, 1)
    table.next(0)
    table.next(0)
    assert (table.table.lead, table.table.words) == ("why", ("why-safer(count=10, throws=36)",))


def test_ok_goes_back_to_the_choice_and_so_does_a_half_minute() -> None:
    leaving: tuple[Callable[[Sitting], object], ...] = (
        lambda table: table.ok(0),
        lambda table: table.hold_next(0),
        lambda table: table.wait(31),
    )
    for leave in leaving:
        table = thrown(CAPTURE_OR_ENTER, 6, 5)
        before = table.screen
        table.choose(0, "hint")
        leave(table)
        assert (
            screen_words(table.screen).split(",")[0]
            == screen_words(before).split(",")[0]
            == "moves(A)"
        )


def test_until_the_answer_is_there_it_says_so_and_only_goes_back() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5)
    table.advise = None
    table.choose(0, "hint")
    assert (table.table.words, table.keys) == (("thinking",), ("press-ok: do-back",))
    table.next(0)
    assert table.table.words == ("thinking",)
    answer(table)
    assert table.table.lead == "move-this-one"


def test_others_are_told_who_asks() -> None:
    table = hinted(CAPTURE_OR_ENTER, 6, 5)
    table.ok(2)
    assert table.notice == "asks-for-a-hint(A)"


def test_where_leaving_the_rest_is_best_it_says_that() -> None:
    table = thrown("H,H,r7,23/19,16,14,N/3,0,N,N/-", 6, 1, ruleset="encyclopedia")
    while (table.table.words[0], table.table.lead[0]) != ("B+12", "6"):
        table.next(0)
    table.ok(0)
    table.ok(0)
    assert table.game.may_stop
    table.choose(0, "hint")
    for far in ("what-is-left unused", "what-is-left unused", "why why-safer(count=36, throws=36)"):
        assert told(table) == far
        table.next(0)


def test_it_is_at_most_six_presses_away() -> None:
    table = thrown("20,12,N,N/-/N,N,N,N/-", 4, 3)
    table.ok(0)  # there is an undo now
    table.hold_next(0)
    table_of_lines = table.page.lines
    assert 1 + table_of_lines.index("menu-hint") + 1 <= 6


def test_there_is_none_before_the_throw_nor_where_nothing_can_be_moved_nor_for_a_bot() -> None:
    table = Sitting(dice=[(6, 4)])
    table.resume(CAPTURE_OR_ENTER, 0, "findler")
    stuck = thrown("N,N,N,N/-/3,N,N,N/-", 1, 2)
    box = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"box.A": "easy"})
    for one in (table, stuck, box):
        one.hold_next(2)
        assert "hint" not in one.choices


def test_one_button_asks_for_all_of_it() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, setup=ONE_BUTTON)
    while table.table.words != ("menu",):
        table.press(0, "ok")
    table.hold_ok(0)
    while table.marked != "hint":
        table.press(0, "ok")
    table.hold_ok(0)
    assert table.keys == ("press-tap: do-the-step", "press-hold: do-back")
    table.press(0, "ok")
    table.press(0, "ok")
    assert told(table) == "why why-captures(C)"
    table.hold_ok(0)
    assert table.table.heading == "moves(A)"


# --- off for a game ------------------------------------------------------------------------------


def test_hints_are_off_for_a_game_and_on_again_in_the_next() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5)
    table.choose(2, "board", "hints")
    assert table.page.lines[table.page.chosen or 0] == "menu-hints: off"
    assert table.session.settings.kept == {"hints": "off"}
    table.hold_next(2)
    assert "hint" not in table.choices
    table.choose(2, "game", "end")
    table.hold_ok(2)
    table.hold_ok(0)
    assert table.game.phase is Phase.STARTER
    assert table.session.settings.kept.get("hints") is None


def test_they_are_forgotten_with_a_new_game_of_others_too() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"hints": "off"})
    table.choose(2, "game", "end")
    table.hold_ok(2)
    table.next(0)
    table.hold_ok(0)
    assert table.session.settings.kept.get("hints") is None


# --- what is recorded ----------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "far"), [(1, "pawn"), (2, "step"), (3, "why"), (5, "why")])
def test_how_far_was_asked_is_a_key_of_the_action_that_follows(asked: int, far: str) -> None:
    table = hinted(CAPTURE_OR_ENTER, 6, 5)
    for _ in range(asked - 1):
        table.next(0)
    table.ok(0)
    assert hints(table) == [None]  # the throw: to ask is no action
    table.ok(0)
    table.ok(0)
    assert hints(table) == [None, far, None]


def test_what_was_told_before_undo_is_known_after_it() -> None:
    table = hinted(CAPTURE_OR_ENTER, 6, 5)
    table.ok(0)
    table.ok(0)
    table.choose(0, "undo")
    while len(table.rows) < 4:  # the pawns are put back by hand first
        table.ok(0)
    assert [type(row.entry) for row in table.rows] == [Throw, Move, Undo, Move]
    assert hints(table) == [None, "pawn", None, "pawn"]


# --- for children --------------------------------------------------------------------------------


def test_a_child_sees_a_star_on_what_is_best() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"children": "A"})
    stars = []
    for _ in range(len(table.game.steps)):
        stars += [told(table)] if table.table.star else []
        table.next(0)
    assert stars == ["5: A+13 → B+1 to-nest(C)"]


def test_nobody_else_does_and_no_child_for_whom_hints_are_off_or_who_has_no_choice() -> None:
    for settings in ({}, {"children": "B"}, {"children": "A", "hints": "off"}):
        table = thrown(CAPTURE_OR_ENTER, 6, 5, settings=settings)
        assert next_question(table.session) is None
        assert not stars(table)
    alone = thrown("H,H,H,r6/-/N,N,N,N/-", 5, 2, settings={"children": "A"})
    assert not stars(alone)


def stars(table: Sitting) -> bool:
    found = False
    for _ in range(8):
        found = found or table.table.star
        table.next(0)
    return found


def test_the_star_is_not_waited_for() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"children": "A"})
    table.session = replace(table.session, hints=Hints())
    table.advise = None
    table.wait(1.0)
    assert not table.table.star
    first = told(table)
    table.next(0)
    assert told(table) != first
    answer(table)
    assert table.session.hints.tip is not None


def test_the_star_is_told_to_who_can_not_see_it() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"children": "A"})
    while not table.table.star:
        table.next(0)
    assert "the-best" in screen_words(table.reply.screen, IDS).split(", ")


def test_who_saw_the_star_had_the_step_told() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"children": "A"})
    table.ok(0)
    assert hints(table) == [None, "step"]


# --- what is asked -------------------------------------------------------------------------------


def test_it_is_asked_by_the_games_text_at_full_strength_whatever_plays_elsewhere() -> None:
    table = thrown(CAPTURE_OR_ENTER, 6, 5, settings={"box.C": "child"})
    table.advise = None
    table.choose(0, "hint")
    question = next_question(table.session)
    assert question is not None
    assert question == HintQuestion(table.game)
