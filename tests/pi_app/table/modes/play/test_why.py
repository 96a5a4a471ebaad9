"""Why can't I: what each pawn could do with each increment, asked from the menu."""

from random import Random

import pytest

from pi_app.model.events import Setup
from pi_app.table.modes.play.why import stopped_first, why_questions
from rules.game import Phase
from rules.ruleset import RuleSet, parse_ruleset
from tests.pi_app.sitting import Sitting, told
from tests.rules import draw

BLOCKED = "12,9,N,N/-/47,47,N,N/-"  # C's two stand on A+13
ONE_BUTTON = Setup(next_buttons=())


def thrown(
    position: str,
    *faces: int,
    ruleset: RuleSet | str = "royal-2023",
    seat: int = 0,
    setup: Setup | None = None,
) -> Sitting:
    table = Sitting(setup, [faces])
    table.resume(position, seat, ruleset)
    table.throw()
    return table


def asked(position: str, *faces: int, ruleset: RuleSet | str = "royal-2023") -> Sitting:
    """A table at which A, whose turn it is, has just asked why not."""
    table = thrown(position, *faces, ruleset=ruleset)
    ask(table, 0)
    return table


def ask(table: Sitting, seat: int) -> int:
    """Ask by the menu with two buttons; return how many presses that took after opening it."""
    table.hold_next(seat)
    presses = 0
    for line in ("board", "why"):
        for _ in range(table.choices.index(line) - (table.page.chosen or 0)):
            table.next(seat)
            presses += 1
        table.ok(seat)
        presses += 1
    return presses


def answers(table: Sitting, seat: int = 0) -> list[str]:
    """Return every answer, once round."""
    said = []
    for _ in why_questions(table.game):
        said.append(told(table))
        table.next(seat)
    return said


def test_it_goes_round_what_is_stopped_and_says_why_then_what_can_go_and_where_to() -> None:
    table = asked(BLOCKED, 5, 3)
    first = table.table
    assert answers(table) == [
        "5: A+12 reason-blocked(C)",
        "5: A+9 reason-blocked(C)",
        "3: A+12 reason-blocked(C)",
        "3: nest reason-only-enters(5)",
        "5: nest you-can-go-to(A+0)",
        "3: A+9 you-can-go-to(A+12)",
    ]
    assert table.table.lead == first.lead


@pytest.mark.parametrize("undoable", [False, True])
def test_the_first_answer_is_at_most_six_presses_from_the_menu(undoable: bool) -> None:
    table = thrown("20,12,N,N/-/N,N,N,N/-", 4, 3)
    if undoable:
        table.ok(0)
    assert ask(table, 0) <= 6
    assert table.table.heading == "why-not"


def test_the_pawn_and_the_space_that_blocks_blink_on_the_map() -> None:
    table = asked(BLOCKED, 5, 3)
    board = table.table.board
    assert (board.origin, board.target) == ((0, 12), (0, 13))
    assert table.table.note == "on-place(A+13)"
    lit = []
    for _ in range(4):
        lit.append(table.is_lit)
        table.wait(0.5)
    assert lit == [True, False, True, False]


def test_where_the_step_is_legal_its_target_blinks() -> None:
    table = asked(BLOCKED, 5, 3)
    for _ in range(4):
        table.next(0)
    assert (table.table.words, table.table.board.target) == (("you-can-go-to(A+0)",), (0, 0))


def test_a_bonus_of_two_digits_asked_of_a_pawn_in_the_home_row_fits_its_line() -> None:
    table = thrown("r6,12,N,N/-/49,N,N,N/-", 3, 1, ruleset="findler")
    table.ok(0)  # 12 to 15, which captures
    ask(table, 0)
    leads = [table.table.lead]
    for _ in why_questions(table.game)[1:]:
        table.next(0)
        leads.append(table.table.lead)
    assert "+20: place-home-row(6)" in leads  # a screen that does not fit is an Overflow


def test_where_no_pawn_stands_in_the_way_only_the_pawn_blinks() -> None:
    table = asked("r5,N,N,N/-/N,N,N,N/-", 6, 4)
    board = table.table.board
    assert told(table) == "6: place-home-row(5) reason-too-far"
    assert (board.origin, board.target, table.table.note) == ((0, 105), None, "")


def test_both_keys_are_told_in_turn() -> None:
    table = asked(BLOCKED, 5, 3)
    assert (table.keys, table.beat) == (("press-next: 1 of 6", "press-ok: do-back"), 0)
    table.wait(2.0)
    assert table.beat == 1


def test_a_sum_that_enters_is_named() -> None:
    table = asked("12,N,N,N/N,N,N,N/-/-", 4, 1)
    while told(table) != "4: nest you-can-go-to(A+0)":
        table.next(0)
    assert told(table) == "4: nest you-can-go-to(A+0)"
    assert table.table.note == "with-numbers(4+1)"


def test_of_14_spaces_it_says_how_far() -> None:
    table = asked("40,22,12,N/45,45,7,N/-/-", 2, 2, ruleset="tr-1938")
    assert told(table) == "14: nest reason-only-enters(5)"
    table.next(0)
    assert told(table) == "14: C+6 you-can-go-as-far-as(D+3)"
    table.ok(0)
    table.tell_ok(0)
    assert table.table.heading == "moves(A)"


def test_of_14_spaces_the_rest_is_asked_for_when_some_are_used() -> None:
    table = thrown("H,H,22,12/-/N,N,N,N/-", 4, 4, ruleset="tr-1960")
    table.ok(0)
    while not table.table.lead.startswith("9:"):
        table.next(0)
    table.ok(0)
    ask(table, 0)
    assert answers(table) == ["5: B+14 reason-had-its-part", "5: A+12 you-can-go-as-far-as(B+0)"]


def test_a_bonus_is_asked_about_as_such() -> None:
    table = thrown("30,12,N,N/1,N,N,N/-/-", 6, 2, ruleset="findler")
    while "to-nest(B)" not in table.table.words:
        table.next(0)
    table.ok(0)
    ask(table, 0)
    assert "+20: nest reason-only-enters(5)" in answers(table)


# --- back --------------------------------------------------------------------------------------


def test_ok_and_a_hold_go_back_to_the_choice_that_was_shown() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", 3, 1, ruleset="findler")
    table.next(0)
    before = told(table)
    for back in (table.ok, table.hold_next):
        ask(table, 2)
        back(2)
        assert told(table) == before
    assert [str(row.entry) for row in table.rows] == ["throw 3 1"]


def test_untouched_for_30_s_it_goes_back() -> None:
    table = asked(BLOCKED, 5, 3)
    table.wait(20)
    table.next(0)
    table.wait(29.8)
    assert table.table.heading == "why-not"
    table.wait(0.3)
    assert table.table.heading == "moves(A)"


def test_only_the_panel_that_asked_drives_it() -> None:
    table = thrown(BLOCKED, 5, 3)
    ask(table, 2)
    assert table.reply.lamps == ("off", "off", "on", "off")
    for press in (table.ok, table.next, table.hold_next):
        press(0)
        assert (table.notice, table.keys[0]) == ("asks-why-not(C)", "press-next: 1 of 6")
    table.dome()
    assert table.notice == "asks-why-not(C)"
    assert told(table) == "5: A+12 reason-blocked(C)"


def test_it_is_there_only_while_a_throw_is_on_the_table() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(BLOCKED, 0)
    table.choose(0, "board")
    assert "why" not in table.choices
    table.hold_next(0)
    table.hold_next(0)
    table.throw()
    table.choose(0, "board")
    assert "why" in table.choices


def test_where_nothing_can_be_moved_it_is_there_too() -> None:
    table = asked("N,N,N,N/-/34,34,N,N/-", 5, 1)
    assert answers(table) == ["5: nest reason-entry-blocked(C)", "1: nest reason-only-enters(5)"]


def test_with_one_button_a_tap_asks_on_and_a_hold_goes_back() -> None:
    table = thrown(BLOCKED, 5, 3, setup=ONE_BUTTON)
    table.hold_ok(2)  # out of turn: the menu
    for line in ("board", "why"):
        while table.marked != line:
            table.ok(2)
        table.hold_ok(2)
    assert told(table) == "5: A+12 reason-blocked(C)"
    assert table.keys == ("press-tap: 1 of 6", "press-hold: do-back")
    table.ok(2)
    assert told(table) == "5: A+9 reason-blocked(C)"
    table.hold_ok(2)
    assert table.table.heading == "moves(A)"


# --- drawn -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_whatever_is_asked_there_is_an_answer_and_it_fits() -> None:
    """Each screen is drawn, its keys too; under house rules, wherever the pawns stand."""
    rng = Random(11)
    stopped = 0
    for _ in range(60):
        named = draw.house_rules(rng)
        drawn, rules = draw.request(rng, named), parse_ruleset(named)
        table = thrown(drawn["position"], *drawn["throw"], ruleset=rules, seat=drawn["seat"])
        if table.game.phase is not Phase.MOVE:
            continue
        seat = drawn["seat"]
        ask(table, seat)
        for asked_for in stopped_first(table.game):
            shown = table.table
            assert shown.words
            legal = "you can" in shown.words[0]
            stopped += not legal
            origins = {step.origin for step in table.game.steps}
            assert not legal or asked_for.place in origins
            table.next(seat)
    assert stopped
