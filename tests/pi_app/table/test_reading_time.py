"""What the table leaves time to read: OK deaf after an OK, what was last, keys in turn."""

from dataclasses import replace

import pytest

from pi_app.model.events import Kind, Setup
from rules.actions import Move
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.sitting import Sitting, told

ONE_BUTTON = Setup(next_buttons=())


def thrown(position: str, faces: tuple[int, int], setup: Setup | None = None) -> Sitting:
    """Return a table at which A has thrown these faces by Findler's rules."""
    table = Sitting(setup, dice=[faces, (2, 1)])
    table.resume(position, 0, "findler")
    table.throw()
    return table


def tap(table: Sitting, seat: int, after: float) -> None:
    """Press a panel's OK so long after what was done before, and let it go at once."""
    table.wait(after)
    table.tell_ok(seat)


# --- after an OK that changed what is asked --------------------------------------------------


@pytest.mark.parametrize(("after", "moves"), [(0.0, 1), (0.39, 1), (0.41, 2)])
def test_an_ok_is_nothing_until_0_4_s_after_the_one_that_changed_what_is_asked(
    after: float, moves: int
) -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1))
    table.tell_ok(0)
    tap(table, 0, after)
    assert len([row for row in table.rows if isinstance(row.entry, Move)]) == moves


def test_a_deaf_ok_that_is_held_on_does_nothing_either() -> None:
    table = thrown("20,N,N,N/-/N,N,N,N/-", (3, 1), ONE_BUTTON)
    table.press(0, "ok", 1.0)
    rows = table.rows[:]
    table.press(0, "ok", 5.0)
    assert table.rows == rows


def test_the_second_press_of_a_double_tap_on_the_winning_step_does_not_wipe_the_result() -> None:
    table = thrown("H,H,H,r4/-/H,3,N,N/-", (4, 6))
    table.tell_ok(0)
    end = table.podium
    table.wait(0.2)
    table.press(0, "ok", 1.5)
    result = replace(table.podium, cheers=end.cheers)  # the winner is celebrated meanwhile
    assert (result, table.game.phase) == (end, Phase.OVER)


def test_an_ok_that_is_refused_makes_nobody_deaf() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1))
    table.tell_ok(2)
    tap(table, 0, 0.1)
    assert str(table.rows[-1].entry) == "move 20-23(3)"


def test_who_has_just_joined_may_begin_by_holding_at_once() -> None:
    table = Sitting()
    table.tell_ok(2)
    table.tell_ok(0)
    table.wait(0.1)
    table.press(2, "ok", 1.2)
    assert str(table.rows[0].entry) == 'new "royal-2023" seats 2,0'


def test_two_players_who_join_within_0_4_s_both_join() -> None:
    table = Sitting()
    table.tell_ok(0)
    tap(table, 2, 0.1)
    assert table.session.joined == (0, 2)


def test_a_double_tap_joins_and_says_nothing_whoever_joins_between() -> None:
    table = Sitting()
    table.tell_ok(0)
    tap(table, 2, 0.1)
    tap(table, 0, 0.1)
    tap(table, 2, 0.1)
    assert (table.session.joined, table.session.whisper) == ((0, 2), None)


def test_a_double_tap_on_leaving_does_not_join_again() -> None:
    table = Sitting()
    table.tell_ok(0)
    table.choose(0, "game")
    while table.marked != "leave":
        table.next(0)
    table.read(0)
    table.tell_ok(0)
    tap(table, 0, 0.1)
    assert table.session.joined == ()


def test_next_is_never_deaf() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1))
    table.tell_ok(0)
    assert table.keys[0] == "press-next: 1 of 2"
    table.press(0, "next", 0.0)
    assert table.keys[0] == "press-next: 2 of 2"


def test_a_one_button_panel_s_tap_is_never_deaf() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), ONE_BUTTON)
    table.down(0, "ok")
    table.wait(1.0)
    table.up(0, "ok")
    assert table.keys[0] == "press-tap: 1 of 3"
    table.tell_ok(0)
    assert table.keys[0] == "press-tap: 2 of 3"


# --- what was confirmed last -----------------------------------------------------------------


def test_the_last_confirmed_move_is_on_the_screen_that_follows_until_the_next_press() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1))
    assert table.table.last == ""
    table.ok(0)
    table.wait(60)
    assert table.table.last == "done(origin=B+3, target=B+6)"
    table.next(0)
    assert table.table.last == ""


def test_it_is_there_for_the_next_player_too() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1))
    table.ok(0)
    table.ok(0)
    table.wait(60)
    assert (table.table.heading, table.table.last) == ("throws(C)", "done(origin=B+6, target=B+7)")
    table.throw()
    assert table.table.last == ""


def test_what_a_penalty_moved_is_there_too() -> None:
    table = Sitting(dice=[(3, 3)])
    table.resume("20,10,N,N/-/N,N,N,N/-", 0, doublets=2)
    table.throw()
    table.ok(0)
    assert table.table.last == "done(origin=B+3, target=nest)"


def test_a_pass_moves_nothing_and_says_nothing() -> None:
    table = thrown("N,N,N,N/-/N,N,N,N/-", (6, 1))
    table.ok(0)
    assert (table.table.heading, table.table.last) == ("throws(C)", "")


# --- keys in turn ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "kind", "keys"),
    [
        (Setup(), "next", ("press-next: 2 of 4", "press-ok: do-moved", "press-dome: do-back")),
        (ONE_BUTTON, "ok", ("press-tap: 2 of 5", "press-hold: do-moved", "press-dome: do-back")),
    ],
)
def test_keys_take_turns_every_2_s_and_begin_with_the_one_for_the_other_choices(
    setup: Setup, kind: Kind, keys: tuple[str, ...]
) -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1), setup)
    table.press(0, kind, 0.0)
    beats = [table.beat]
    for _ in range(12):
        table.wait(0.5)
        beats.append(table.beat)
    assert table.keys == keys
    assert beats == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_the_keys_begin_anew_with_each_choice_that_is_shown() -> None:
    table = thrown("20,3,N,N/-/N,N,N,N/-", (3, 1))
    table.wait(3.0)
    table.down(0, "next")
    table.up(0, "next")
    assert (table.beat, table.keys[0]) == (0, "press-next: 2 of 4")


# --- what a bonus is for ---------------------------------------------------------------------


def test_a_bonus_says_what_it_was_earned_for() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1))
    table.ok(0)
    table.ok(0)
    assert (told(table), table.table.note) == ("+20: B+7 → C+10", "for-the-capture")
    table = thrown("H,H,r4,20/-/N,N,N,N/-", (4, 6))
    table.ok(0)
    table.ok(0)
    assert (told(table), table.table.note) == ("+10: B+9 → C+2", "for-coming-home")


def test_a_bonus_for_home_is_never_as_large_as_one_for_a_capture() -> None:
    for rules in PRESETS.values():
        assert rules.finish_bonus != rules.capture_bonus or not rules.finish_bonus
