"""The menu: who drives it, undo with the pawns to move back, the end of the game."""

import pytest

from pi_app.model.events import Button, Down, Kind, Resume, Setup
from pi_app.model.history import fold
from pi_app.model.screens import BoardScreen, TextScreen
from rules.board import NEST
from rules.game import Phase
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting, told

NESTS = "N,N,N,N/-/N,N,N,N/-"


def started(*dice: tuple[int, ...], setup: Setup | None = None) -> Sitting:
    """Return a table at which A, first to join, and C play by Findler's rules and A begins."""
    table = Sitting(setup, dice)
    table.begin(0, 2, ruleset="findler")
    table.ok(0)
    return table


# --- who drives it -------------------------------------------------------------------------------


def test_any_panel_that_joined_opens_the_menu_by_holding_next() -> None:
    table = started()
    table.hold_next(2)
    assert (table.page.title, table.page.lines, table.page.chosen) == (
        "C: menu",
        (
            *("menu-undo", "menu-board", "menu-dice", "menu-game", "menu-setup"),
            *("menu-last-round: off", "do-back"),
        ),
        0,
    )
    assert table.reply.lamps == ("off", "off", "on", "off")


def test_it_opens_at_its_first_line_wherever_it_was_left() -> None:
    table = started()
    table.choose(2, "setup", "brightness")
    table.hold_next(2)
    table.hold_next(2)
    assert isinstance(table.screen, BoardScreen)
    table.hold_next(2)
    assert (table.page.title, table.marked) == ("C: menu", "undo")


def test_hint_is_its_second_line() -> None:
    table = Sitting(dice=[(3, 1)])
    table.resume("20,3,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    table.hold_next(0)
    assert table.choices[:3] == ("undo", "hint", "board")


def test_a_panel_that_did_not_join_opens_nothing() -> None:
    table = started()
    table.hold_next(1)
    assert table.notice == "corrected-turn(A)"


def test_then_that_panel_drives_it_and_the_others_are_told() -> None:
    table = started()
    table.hold_next(2)
    for press in (table.ok, table.next, table.hold_next):
        press(0)
        assert (table.notice, table.page.chosen) == ("has-the-menu(C)", 0)
    table.dome()
    assert str(table.rows[-1].entry) == "choose 0"
    table.next(2)
    assert table.page.chosen == 1


def test_untouched_for_30_s_it_closes() -> None:
    table = started((5, 3))
    table.throw()
    table.hold_next(2)
    table.wait(20)
    table.next(2)
    table.wait(29.8)
    assert isinstance(table.screen, TextScreen)
    table.wait(0.3)
    assert told(table) == "5: nest → A+0"


def test_back_and_holding_next_again_close_it() -> None:
    table = started()
    table.choose(2, "back")
    assert isinstance(table.screen, BoardScreen)
    table.hold_next(2)
    table.hold_next(2)
    assert isinstance(table.screen, BoardScreen)


def test_the_same_choice_is_shown_after_the_menu_as_before() -> None:
    table = Sitting(dice=[(3, 1)])
    table.resume("20,3,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.next(0)
    before = told(table)
    table.choose(2, "back")
    assert told(table) == before


def test_it_offers_only_what_is_possible() -> None:
    table = Sitting(dice=[(6, 3)])
    table.begin(0, 2)
    table.throw()
    table.hold_next(0)
    assert table.page.lines == (
        "menu-dice",
        "menu-game",
        "menu-setup",
        "menu-last-round: off",
        "do-back",
    )


def test_it_opens_while_players_join() -> None:
    table = Sitting()
    table.ok(1)
    table.hold_next(1)
    assert table.page.title == "B: menu"
    assert table.page.lines == ("menu-dice", "menu-game", "menu-setup", "do-back")
    table.choose(1, "back")
    assert table.page.title == "ask-who-plays"


def test_the_menu_shows_the_version_of_the_program_if_it_knows_it() -> None:
    table = Sitting(Setup(requests=("power-off",), version="1.0.0"))
    table.ok(1)
    table.choose(1, "setup")
    assert table.page.lines[-3:] == ("menu-off", "version", "do-back")
    table.choose(1, "version")
    assert (table.page.title, table.page.lines) == ("B: version", ("referee-and-version(1.0.0)",))
    table.ok(1)
    assert chosen(table) == ("B: menu-setup", "version")
    unknown = Sitting(Setup(requests=("power-off",)))
    unknown.ok(1)
    unknown.choose(1, "setup")
    assert unknown.page.lines[-2:] == ("menu-off", "do-back")


# --- going back ------------------------------------------------------------------------------


def chosen(table: Sitting) -> tuple[str, str]:
    """Return the title of a page and its line that is marked."""
    return table.page.title, table.page.lines[table.page.chosen or 0].partition(":")[0]


def test_back_lands_on_the_line_that_one_came_from_at_every_depth() -> None:
    table = started()
    table.choose(2, "game", "bots", "back")
    assert chosen(table) == ("C: menu-game", "menu-bots")
    table.choose(2, "back")
    assert chosen(table) == ("C: menu", "menu-game")


def test_with_one_button_back_lands_on_the_line_that_one_came_from() -> None:
    table = Sitting(ONE_BUTTON)
    table.resume(NESTS, 0)
    table.hold_ok(2)
    for line in ("game", "bots", "back"):
        while table.marked != line:
            table.ok(2)
        table.hold_ok(2)
    assert chosen(table) == ("C: menu-game", "menu-bots")


def test_holding_next_in_a_section_lands_on_its_line_at_the_top() -> None:
    table = started()
    table.choose(2, "game", "bots")
    table.hold_next(2)
    assert chosen(table) == ("C: menu", "menu-game")


def test_what_an_entry_has_opened_goes_back_step_by_step_to_the_lines_that_led_there() -> None:
    table = started()
    table.choose(2, "game", "someone-leaves", "A", "pawns-off-the-board")
    assert table.page.title == "ask-leaves(A)"
    table.next(2)
    assert chosen(table) == ("leaves(A)", "pawns-off-the-board")
    table.hold_next(2)
    assert chosen(table) == ("C: ask-who-leaves", "A")
    table.hold_next(2)
    assert chosen(table) == ("C: menu-game", "menu-someone-leaves")


def test_who_names_a_player_comes_back_to_that_player() -> None:
    table = started()
    table.choose(2, "game", "players", "A: no-name")
    table.hold_next(2)
    assert chosen(table) == ("C: players", "A")
    table.choose(2, "A: no-name")
    while table.page.large != "name-none":
        table.next(2)
    table.ok(2)
    assert table.page.title == "ask-pawns(A)"
    table.ok(2)
    assert chosen(table) == ("C: players", "A")


def test_correcting_goes_back_to_the_landmark_the_pawn_and_the_seat_chosen_before() -> None:
    table = Sitting()
    table.resume("20,3,N,N/-/30,N,N,N/-", 0)
    table.choose(0, "board", "correct", "pawns-of(A)")
    table.next(0)
    table.ok(0)
    assert told(table).startswith("A: A+3 →")
    table.hold_next(0)
    assert told(table) == "A+3"
    table.hold_next(0)
    assert chosen(table) == ("A: correct", "pawns-of(A)")


# --- undo ------------------------------------------------------------------------------------


def test_undo_shows_what_to_move_back_then_the_same_throw_again() -> None:
    table = started((5, 3))
    table.throw()
    table.ok(0)
    table.choose(2, "undo")
    assert table.rows[-1] == recorded("undo", NESTS)
    assert (table.table.heading, told(table)) == ("put-back", "A: A+0 → nest")
    assert table.keys == ("press-ok: do-moved",)
    assert (table.table.board.origin, table.table.board.target) == ((0, 0), (0, NEST))
    table.ok(2)
    assert (told(table), table.game.throw) == ("5: nest → A+0", (5, 3))


def test_undo_of_a_capture_shows_the_captured_pawn_too() -> None:
    table = Sitting(dice=[(3, 1)])
    table.resume("20,N,N,N/-/57,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    table.choose(0, "undo")
    shown = []
    while table.table.heading == "put-back":
        shown.append((table.table.note, told(table), table.reply.lamps))
        table.ok(0)
    assert shown == [
        ("1 of 2", "A: B+6 → B+3", ("blink", "off", "breathe", "off")),
        ("2 of 2", "C: nest → B+6", ("breathe", "off", "blink", "off")),
    ]


def test_undo_before_the_pawns_are_back_shows_them_from_where_they_stand() -> None:
    table = Sitting(dice=[(6, 2)])
    table.resume("10,N,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    table.ok(0)
    table.choose(0, "undo")
    assert told(table) == "A: B+1 → A+16"
    table.choose(0, "undo")
    assert told(table) == "A: B+1 → A+10"


def test_undo_after_the_pawns_are_back_shows_only_what_is_left() -> None:
    table = Sitting(dice=[(6, 2)])
    table.resume("10,N,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    table.ok(0)
    table.choose(0, "undo")
    table.ok(0)
    table.choose(0, "undo")
    assert told(table) == "A: A+16 → A+10"


def test_after_a_power_cut_the_pawns_that_undo_moved_are_still_to_be_put_back() -> None:
    before = started((5, 3))
    before.throw()
    before.ok(0)
    before.choose(2, "undo")
    after = Sitting()
    after.tell(Resume(fold(before.rows), 0.0))
    assert after.table == before.table
    after.ok(0)
    assert told(after) == "5: nest → A+0"


def test_undo_reaches_over_turns_and_the_throws_come_back_without_new_dice() -> None:
    table = started((6, 3), (4, 2))
    for seat in (0, 2):
        table.throw()
        table.ok(seat)
    table.choose(0, "undo")
    table.choose(0, "undo")
    assert (table.game.seat, table.game.throw) == (0, (6, 3))
    table.ok(0)
    table.throw()
    assert (table.game.seat, table.game.throw) == (2, (4, 2))
    assert table.rows[-1] == recorded("throw 4 2", NESTS, "simulated")
    assert fold(table.rows) == table.record


def test_undo_where_nothing_was_moved_goes_on_at_once() -> None:
    table = started((6, 3))
    table.throw()
    table.ok(0)
    table.choose(2, "undo")
    assert told(table) == "no-move"


def test_any_player_may_confirm_that_the_pawns_are_back() -> None:
    table = started((5, 3))
    table.throw()
    table.ok(0)
    table.choose(2, "undo")
    table.ok(0)
    assert told(table) == "5: nest → A+0"


def test_the_dome_waits_until_the_pawns_are_back() -> None:
    table = started((5, 1), (6, 4))
    table.throw()
    table.ok(0)
    table.choose(2, "undo")
    table.dome()
    assert (table.notice, str(table.rows[-1].entry)) == ("pawns-go-back-first", "undo")


# --- the end ---------------------------------------------------------------------------------


def test_the_game_ends_only_by_holding_ok_when_asked_again() -> None:
    table = started()
    table.choose(2, "game", "end")
    assert table.page.title == "C: ask-end-game"
    table.ok(2)
    assert (table.notice, table.game.phase) == ("hold-to-end", Phase.THROW)
    table.hold_ok(0)
    assert table.game.phase is Phase.THROW
    table.hold_ok(2)
    assert (table.rows[-1], table.podium.title) == (recorded("end", NESTS), "game-ended")


def test_the_ok_that_asked_does_not_end_the_game_when_held_on() -> None:
    table = started()
    table.choose(2, "game")
    table.press(2, "ok", 5.0)
    assert table.game.phase is Phase.THROW


def test_next_goes_back_to_the_menu_and_30_s_close_it() -> None:
    table = started()
    table.choose(2, "game", "end")
    table.next(2)
    assert table.page.title == "C: menu-game"
    table.ok(2)
    table.wait(31)
    assert isinstance(table.screen, BoardScreen)


def test_the_end_of_a_game_can_be_undone() -> None:
    table = started((5, 3))
    table.throw()
    table.choose(2, "game", "end")
    table.hold_ok(2)
    table.choose(0, "undo")
    assert (told(table), table.game.throw) == ("5: nest → A+0", (5, 3))


# --- panels with one button ------------------------------------------------------------------

ONE_BUTTON = Setup(next_buttons=())


def test_with_one_button_a_click_is_next_and_a_hold_is_ok() -> None:
    table = Sitting(ONE_BUTTON, [(3, 1)])
    table.resume("20,3,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.tell(Down(Button(0, "ok"), table.t))
    assert told(table) == "3: B+3 → B+6"
    table.wait(0.3)
    table.up(0, "ok")
    assert told(table) == "3: A+3 → A+6"
    assert table.keys == ("press-tap: 2 of 5", "press-hold: do-moved", "press-dome: do-back")
    table.hold_ok(0)
    assert str(table.rows[-1].entry) == "move 3-6(3)"


def test_with_one_button_the_menu_is_the_last_choice() -> None:
    table = Sitting(ONE_BUTTON, [(5, 3)])
    table.resume(NESTS, 0)
    assert (told(table), table.keys) == ("press-the-dome", ("press-tap: menu",))
    table.ok(0)
    assert (told(table), table.keys) == ("menu", ("press-tap: 2 of 2", "press-hold: do-open-it"))
    table.hold_ok(0)
    assert (table.page.title, table.hint) == ("A: menu", "press-tap: do-other, press-hold: do-it")


def test_with_one_button_a_hold_out_of_turn_opens_the_menu_and_a_click_is_refused() -> None:
    table = Sitting(ONE_BUTTON)
    table.resume(NESTS, 0)
    table.ok(2)
    assert table.notice == "corrected-turn(A)"
    table.hold_ok(2)
    assert table.page.title == "C: menu"


def test_with_one_button_players_join_change_the_rules_and_begin() -> None:
    table = Sitting(ONE_BUTTON)
    assert table.hint == "press-tap: do-join-then-rules"
    table.ok(0)
    table.ok(0)
    table.hold_ok(0)
    assert table.page.lines[0] == "edition-royal-2023"
    table.ok(0)
    table.hold_ok(0)
    assert table.page.lines[0] == "edition-sr-1942"
    table.ok(2)
    assert table.hint == "hold-to-begin(A)"
    table.hold_ok(0)
    assert [str(row.entry) for row in table.rows] == ['new "sr-1942" seats 0,2']


def test_with_one_button_and_no_dome_a_hold_throws_and_the_menu_is_two_clicks_away() -> None:
    table = Sitting(Setup(next_buttons=(), dome=False), [(5, 3)])
    table.resume(NESTS, 0)
    assert table.keys == ("press-tap: 1 of 3", "press-hold: do-throw")
    table.ok(0)
    table.ok(0)
    table.hold_ok(0)
    assert table.page.title == "A: menu"
    table.hold_next(0)
    table.wait(31)
    table.ok(0)
    table.hold_ok(0)
    assert str(table.rows[-1].entry) == "throw 5 3"


def test_with_one_button_the_end_of_the_game_is_a_hold_and_no_is_a_click() -> None:
    table = Sitting(ONE_BUTTON)
    table.resume(NESTS, 0)
    table.hold_ok(2)
    while table.marked != "game":
        table.ok(2)
    table.hold_ok(2)
    while table.marked != "end":
        table.ok(2)
    table.hold_ok(2)
    assert table.page.title == "C: ask-end-game"
    assert table.hint == "press-tap: do-no, press-hold: do-end"
    table.ok(2)
    assert table.page.title == "C: menu-game"
    table.hold_ok(2)
    table.hold_ok(2)
    assert table.game.phase is Phase.OVER


def test_with_one_button_a_hold_begun_while_the_dice_tumble_confirms_nothing() -> None:
    table = Sitting(ONE_BUTTON, [(5, 3)])
    table.resume(NESTS, 0)
    table.dome()
    table.press(0, "ok", 3.0)
    assert str(table.rows[-1].entry) == "throw 5 3"


@pytest.mark.parametrize("setup", [Setup(), ONE_BUTTON])
def test_a_hold_acts_while_still_down_and_its_release_does_nothing(setup: Setup) -> None:
    table = Sitting(setup)
    table.resume(NESTS, 0)
    kind: Kind = "next" if setup.next_buttons else "ok"
    table.down(2, kind)
    table.wait(1.0)
    assert table.page.title == "C: menu"
    table.up(2, kind)
    assert (table.page.title, table.page.chosen) == ("C: menu", 0)
