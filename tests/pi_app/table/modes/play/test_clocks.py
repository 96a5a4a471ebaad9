"""The clocks of the table: the last round of an evening, and the time that a player has."""

from dataclasses import replace

import pytest

from pi_app.model.events import Notice, Resume
from pi_app.model.history import fold
from pi_app.model.screens import message
from pi_app.players.working import answer_line
from pi_app.settings.settings import LAST_ROUND, Settings
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.sitting import Sitting, told, words

HOUR = 3600.0
UNDOES = replace(PRESETS["ludo-india"], third_doublet="undo-turn")


def playing(*dice: tuple[int, ...], **settings: str) -> Sitting:
    """Return a table at which A, B and C play by Findler's rules and A begins; order A, C, B."""
    table = Sitting(dice=dice, settings=Settings(settings), advise=None)
    table.begin(0, 1, 2, ruleset="findler")
    table.ok(0)
    return table


def play_turn(table: Sitting) -> None:
    """Throw and confirm whatever is shown first until the turn passes on."""
    seat = table.game.seat
    while table.game.seat == seat and table.game.phase is not Phase.OVER:
        table.throw() if table.game.phase is Phase.THROW else table.ok(seat)


def lamp(table: Sitting) -> str:
    return table.reply.lamps[0]


def last_rows(table: Sitting) -> list[tuple[str, str | None]]:
    return [(str(row.entry), row.by) for row in table.rows if "last-turn" in str(row.entry)]


# --- the last round -------------------------------------------------------------------------------


def test_this_round_is_the_last_and_all_have_as_many_turns() -> None:
    table = playing((1, 3), (1, 2), (1, 3))
    play_turn(table)
    table.choose(2, "last-round", "now")
    assert table.notice == "last-round(B)"
    assert last_rows(table) == [("last-turn B", None)]
    assert "last-round(B)" in table.table.note
    play_turn(table)
    assert table.game.phase is Phase.THROW
    play_turn(table)
    assert (table.game.phase, table.game.turns) == (Phase.OVER, 3)
    assert set(table.game.places) == {0, 1, 2}
    assert "length-and-homes" in str(table.screen)


def test_after_so_many_minutes_the_clock_calls_the_last_round() -> None:
    table = playing((1, 3), (1, 2))
    table.choose(0, "last-round", "30 minutes")
    assert table.page.lines[table.chosen] == "menu-last-round: after-minutes(30)"
    table.wait(29 * 60)
    assert last_rows(table) == []
    table.wait(61)
    ((entry, by),) = last_rows(table)
    assert (entry[:9], by, table.notice[:11]) == ("last-turn", "clock", "last-round(")
    assert not table.session.settings.get(LAST_ROUND).amount
    assert fold(table.rows).game.last_turn == table.game.last_turn


def test_the_clock_waits_while_a_menu_is_open() -> None:
    table = playing()
    table.choose(0, "last-round", "30 minutes")
    table.wait(1795)
    table.next(0)  # the screen was dark
    table.hold_next(0)
    table.wait(20)
    assert last_rows(table) == []
    table.wait(31)
    assert len(last_rows(table)) == 1


def test_the_menu_shows_the_minutes_of_its_last_press() -> None:
    table = playing()
    table.choose(0, "last-round", "30 minutes")
    table.wait(50)
    table.next(0)  # the screen was dark
    table.hold_next(0)
    while table.marked != "last-round":
        table.next(0)
    table.wait(15)
    assert table.page.lines[table.chosen] == "menu-last-round: after-minutes(30)"
    table.next(0)
    assert "menu-last-round: after-minutes(29)" in table.page.lines


def test_it_waits_for_the_roll_off_to_end() -> None:
    table = Sitting(dice=[(6, 4), (5, 3)], advise=None)
    table.begin(0, 2)
    table.choose(0, "last-round", "30 minutes")
    table.wait(HOUR)
    table.dome()  # the screen was dark
    table.throw()
    assert last_rows(table) == []
    table.throw()
    table.wait(1)
    assert len(last_rows(table)) == 1


def test_the_minutes_that_are_left_survive_a_restart_and_do_not_pass_while_it_is_off() -> None:
    table = playing((1, 3))
    table.choose(0, "last-round", "30 minutes")
    table.wait(10 * 60 + 1)
    table.throw()
    assert str(table.session.settings.get(LAST_ROUND)) == "20 minutes"
    after = Sitting(settings=table.session.settings, advise=None)
    after.tell(Resume(table.record, after.t))
    after.wait(19 * 60)
    assert last_rows(after) == []
    after.wait(61)
    assert len(last_rows(after)) == 1


def test_with_so_many_turns_each_the_last_round_is_the_one_in_which_all_have_them() -> None:
    table = playing(*[(1, 3)] * 90)
    table.choose(0, "last-round", "30 turns")
    while table.game.phase is not Phase.OVER:
        play_turn(table)
        assert table.game.turns <= 90
    assert table.game.turns == 90
    assert [by for _, by in last_rows(table)] == ["clock"]


def test_the_menu_takes_the_last_round_back() -> None:
    table = playing((1, 3))
    table.choose(1, "last-round", "now")
    table.hold_next(1)
    assert "menu-last-round: is-last(B)" in table.page.lines
    table.choose(1, "last-round", "off")
    assert (table.game.last_turn, table.notice) == (None, "no-last-round")
    assert [entry for entry, _ in last_rows(table)] == ["last-turn B", "last-turn -"]


def test_an_undo_leaves_the_last_round_in_force() -> None:
    table = playing((1, 3), (1, 2))
    play_turn(table)
    table.choose(1, "last-round", "now")
    table.choose(1, "undo")
    assert table.game.last_turn is not None


def test_the_choice_of_a_player_stays_when_the_clock_calls_the_last_round() -> None:
    table = playing((1, 6))
    table.choose(0, "last-round", "30 minutes")
    table.hold_next(0)
    table.throw()
    table.next(0)
    before = told(table)
    table.wait(1800)
    assert (len(last_rows(table)), told(table)) == (1, before)


def test_a_hint_before_the_clock_calls_the_last_round_stands_with_the_choice_after_it() -> None:
    table = Sitting(dice=[(6, 3)], settings=Settings({"last_round": "2 minutes"}))
    table.resume("12,9,N,N/-/20,N,N,N/-", 0, "findler")
    table.throw()
    table.choose(0, "hint")
    table.wait(125)
    table.ok(0)  # the screen was dark
    while len(table.rows) < 3:
        table.ok(0)
    told_of = [(str(row.entry).split()[0], row.hint) for row in table.rows]
    assert told_of == [("throw", None), ("last-turn", None), ("move", "pawn")]


@pytest.mark.parametrize(
    ("limit", "presses"),
    [("now", 8), ("30 minutes", 9), ("90 minutes", 11), ("30 turns", 12)],
)
def test_it_is_set_by_twelve_presses_at_most_after_the_hold_that_opens_the_menu(
    limit: str, presses: int
) -> None:
    table = playing((6, 5))
    table.throw()
    table.advise = answer_line
    table.hold_next(0)
    assert "hint" in table.choices
    assert table.go_to(0, "last-round", limit) == presses


def test_a_limit_that_is_set_can_be_taken_off() -> None:
    table = playing()
    table.choose(0, "last-round", "30 turns")
    table.choose(0, "last-round")
    assert table.page.lines == ("this-round", "off", "do-back")
    table.choose(0, "off")
    assert str(table.session.settings.get(LAST_ROUND)) == "0 minutes"


# --- the time of a player -------------------------------------------------------------------------


def test_whoever_does_not_throw_is_only_reminded() -> None:
    table = playing((1, 3), turn_limit="30", late_turn="move")
    table.wait(29.5)
    assert (table.notice, lamp(table)) == ("", "on")
    table.tones.clear()
    table.wait(0.6)
    assert table.notice == "time-is-up(A)"
    assert (lamp(table), [tone.name for tone in table.tones]) == ("blink", ["turn"])
    table.wait(60)
    assert table.game.phase is Phase.THROW
    table.throw()
    assert table.game.throw == (1, 3)
    assert lamp(table) == "on"


def test_a_reminder_moves_nothing() -> None:
    table = playing((6, 5), turn_limit="30")
    table.throw()
    table.next(0)
    before = told(table)
    table.wait(31)
    assert (told(table), table.notice, lamp(table)) == (before, "time-is-up(A)", "blink")
    table.ok(1)
    assert table.notice == "corrected-turn(A)"


def test_the_clock_makes_the_first_step_and_any_panel_confirms_it() -> None:
    table = playing((6, 5), turn_limit="60", late_turn="move")
    table.throw()
    first = told(table)
    table.next(0)
    table.wait(61)
    assert told(table) == first
    assert table.reply.lamps == ("blink", "breathe", "breathe", "off")
    while table.game.phase is Phase.MOVE and table.game.made == ():
        table.ok(1)
    assert table.rows[-1].by == "clock"
    assert str(table.rows[-1].entry).startswith("move")
    table.ok(2)
    assert (str(table.rows[-1].entry)[:4], table.rows[-1].by) == ("move", "clock")


def test_a_press_at_that_moment_confirms_nothing() -> None:
    table = playing((6, 5), turn_limit="30", late_turn="move")
    table.throw()
    rows, since = len(table.rows), table.session.clock.since or 0.0
    table.wait(since + 30.1 - table.t)
    table.press(0, "ok")
    assert len(table.rows) == rows


def test_the_clock_stands_still_while_a_menu_or_a_notice_is_open() -> None:
    table = playing(turn_limit="30")
    table.wait(20)
    table.hold_next(1)
    table.wait(25)
    table.choose(1, "back")
    table.wait(8)
    assert table.notice == ""
    table.tell(Notice("chamber", message("chamber-missing"), table.t))
    table.wait(60)
    table.tell(Notice("chamber", None, table.t))
    assert lamp(table) == "on"
    table.wait(3)
    assert lamp(table) == "blink"


def test_after_an_undo_the_time_begins_anew() -> None:
    table = playing((6, 5), turn_limit="30", late_turn="move")
    table.throw()
    table.wait(31)
    table.ok(1)
    assert table.rows[-1].by == "clock"
    table.choose(1, "undo")
    while table.game.seat == 0 and table.session.mode.runs_clocks is False:
        table.ok(0)
    assert lamp(table) == "on"
    table.wait(29)
    assert lamp(table) == "on"
    table.wait(2)
    assert lamp(table) == "blink"


def test_a_child_has_twice_as_long() -> None:
    table = playing(turn_limit="30", children="A")
    table.wait(59)
    assert table.notice == ""
    table.wait(2)
    assert table.notice == "time-is-up(A)"


def test_a_bot_has_no_clock() -> None:
    table = Sitting(settings=Settings({"turn_limit": "30", "box.A": "club"}), advise=None)
    table.resume("12,N,N,N/-/20,N,N,N/-", 0, "findler")
    table.wait(HOUR)
    assert table.session.clock.up is False


def test_dice_that_are_typed_keep_their_faces_when_the_time_is_up() -> None:
    table = playing(turn_limit="30", dice="typed")
    table.next(0)
    table.next(0)
    shown = table.table.dice
    table.wait(31)
    assert (table.table.dice, table.notice, lamp(table)) == (
        shown,
        "time-is-up(A)",
        "blink",
    )


def test_after_a_restart_the_time_begins_anew() -> None:
    table = playing(turn_limit="30")
    table.wait(29)
    after = Sitting(settings=table.session.settings, advise=None)
    after.tell(Resume(table.record, after.t))
    after.wait(29)
    assert after.session.clock.up is False


# --- a turn undone -------------------------------------------------------------------------------


@pytest.fixture
def undone() -> Sitting:
    """Return a table at which A, by Ludo, enters, captures and throws a third six."""
    table = Sitting(dice=[(6,), (6,), (6,), (3,)], advise=None)
    table.resume("N,N,N,N/-/32,N,N,N/-", 0, UNDOES)
    for _ in range(2):
        table.throw()
        table.ok(0)
    table.throw()
    return table


def test_the_pawns_of_an_undone_turn_go_back_one_by_one_the_own_first(undone: Sitting) -> None:
    assert undone.table.words == ("turn-undone",)
    assert undone.keys == ("press-ok: do-go-on",)
    undone.wait(3)
    undone.dome()  # it does not count where pawns go back by hand
    assert undone.game.phase is Phase.PENALTY
    undone.ok(0)
    assert (undone.table.heading, told(undone)) == ("put-back", "A: A+6 → nest")
    assert undone.game.seat == 2
    undone.ok(0)
    assert told(undone) == "C: nest → A+6"
    assert undone.reply.lamps[2] == "blink"
    undone.ok(2)
    assert undone.table.heading == "throws(C)"


def test_an_undo_of_the_undone_turn_moves_only_the_pawns_that_were_put_back(
    undone: Sitting,
) -> None:
    undone.ok(0)
    undone.choose(0, "undo")
    assert undone.game.phase is Phase.PENALTY
    assert undone.table.words == ("turn-undone",)


def test_where_nothing_moved_nothing_is_shown() -> None:
    table = Sitting(dice=[(6,), (3,)], advise=None)
    table.resume("20,N,N,N/-/32,N,N,N/-", 0, UNDOES, doublets=2)
    table.throw()
    assert table.table.words == ("no-move",)
    table.ok(2)
    assert table.table.heading == "throws(C)"


def test_after_a_power_cut_the_walk_shows_where_the_pawns_of_an_undone_turn_belong(
    undone: Sitting,
) -> None:
    undone.ok(0)
    again = Sitting(advise=None)
    again.tell(Resume(replace(undone.record, displaced=None), again.t, walk=True))
    again.ok(2)
    again.next(2)
    stops = [(again.table.heading, words(again))]
    for _ in range(2):
        again.ok(2)
        stops.append((again.table.heading, words(again)))
    assert stops == [
        ("has(A)", "pawns-on(count=4, place=nest)"),
        ("has(C)", "pawns-on(count=3, place=nest)"),
        ("has(C)", "pawns-on(count=1, place=A+6)"),
    ]
