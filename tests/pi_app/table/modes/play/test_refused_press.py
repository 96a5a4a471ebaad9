"""The journal refuses a row: the press does nothing, and rows wait only if players choose so."""

import pytest

from pi_app.display.view import draw
from pi_app.model.events import ChamberPress, ChamberRolled, Setup
from pi_app.model.history import fold
from pi_app.model.parts import Fault
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.setup.joining import Joining
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from pi_app.texts.words import FAULT_REMEDIES
from rules.actions import Throw
from rules.game import Phase
from tests.pi_app.sitting import Sitting

THROWS = [(6, 1), (1, 2), (5, 3), (4, 6), (2, 1), (3, 3)]
OF_FOUR = Setup(next_buttons=())


def begun(*dice: tuple[int, ...], setup: Setup | None = None) -> Sitting:
    """A and C play, and A, who threw the most, is to throw; dice: what falls then."""
    table = Sitting(setup, [*THROWS[:2], *dice])
    if setup is None:
        table.begin(0, 2)
    else:
        for seat in (0, 2, 0, 0):
            table.hold_ok(seat)
    table.throw()
    table.throw()
    assert (table.game.phase, table.game.seat) == (Phase.THROW, 0)
    return table


def refused(*dice: tuple[int, ...], setup: Setup | None = None) -> Sitting:
    """The throw of A at the turn's beginning was not taken: the disk is full."""
    table = begun(*dice, setup=setup)
    table.wait(3.0)
    table.refusing = "disk-full"
    table.dome()
    return table


def test_a_press_that_is_not_taken_is_said_with_its_reason_and_what_can_be_done() -> None:
    table = refused((5, 3))
    assert table.page.title == "disk-full"
    assert table.page.lines[1:] == ("press-not-taken", "hold-ok-plays-on")
    assert table.hint == "press-ok-or-next: do-try-again"
    assert table.game.throw == ()
    assert str(table.rows[-1].entry) == "throw 1 2"


@pytest.mark.parametrize("fault", FAULT_REMEDIES)
@pytest.mark.parametrize("setup", [Setup(), OF_FOUR], ids=["two buttons", "one"])
def test_each_reason_fits_the_panel(fault: Fault, setup: Setup) -> None:
    table = Sitting(setup)
    table.refusing = fault
    for seat in (0, 2, 0):
        table.hold_ok(seat)
    assert isinstance(table.session.mode, RefusedPress)
    draw(word_screen(table.reply.screen, ENGLISH))


@pytest.mark.parametrize("key", ["ok", "next", "hold next"])
def test_a_tap_goes_back_to_what_was_asked_and_the_next_press_is_tried(key: str) -> None:
    table = refused((5, 3))
    table.read(2)
    {"ok": table.ok, "next": table.next, "hold next": table.hold_next}[key](2)
    assert table.table.heading == "throws(A)"
    assert not table.session.unsaved
    table.dome()
    assert isinstance(table.session.mode, RefusedPress)
    table.ok(0)
    table.refusing = ""
    table.dome()
    assert str(table.rows[-1].entry) == "throw 5 3"


def test_dice_that_were_drawn_for_a_press_not_taken_are_those_of_its_next_try() -> None:
    table = refused((5, 3), (1, 1))
    for _ in range(3):
        table.ok(0)
        table.dome()
    table.refusing = ""
    table.ok(0)
    table.throw()
    assert table.game.throw == (5, 3)
    assert table.session.held == ()


def test_faces_that_the_chamber_has_shown_are_not_thrown_again_either() -> None:
    table = begun(setup=Setup(rolls=True))
    table.wait(3.0)
    table.refusing = "disk-busy"
    table.tell(ChamberRolled("b00t", 7, table.session.moment, (6, 6), table.t))
    assert isinstance(table.session.mode, RefusedPress)
    table.refusing = ""
    table.ok(0)
    table.tell(ChamberRolled("b00t", 8, table.session.moment, (1, 2), table.t))
    row = table.rows[-1]
    assert (str(row.entry), row.source, row.n) == ("throw 6 6", "chamber", 8)


def test_a_correction_of_the_turn_before_the_next_try_does_not_draw_again() -> None:
    table = begun((5, 3), (4, 6), (2, 1))
    table.wait(3.0)
    table.refusing = "disk-full"
    table.dome()  # A's throw, 5 3, is not taken
    table.ok(0)
    table.refusing = ""
    for turn, faces in (("turn-of(A)", (4, 6)), ("turn-of(C)", (5, 3))):
        table.choose(0, "board", "correct", turn, "record-it")
        table.throw()
        assert table.game.throw == faces


def test_nor_are_its_dice_typed_in_instead() -> None:
    table = refused((5, 3))
    table.refusing = ""
    table.ok(0)
    table.choose(0, "dice")
    assert "type" not in table.choices


def test_an_undo_before_the_next_try_does_not_draw_again() -> None:
    table = begun((5, 3), (4, 6), (2, 1))
    table.throw()
    while table.game.seat == 0:
        table.ok(0)
    table.wait(3.0)
    table.refusing = "disk-full"
    table.dome()  # C's throw, 4 6, is not taken
    table.ok(2)
    table.refusing = ""
    table.hold_next(0)
    table.ok(0)  # undo: A's last choice is asked again
    while table.game.seat == 0:
        table.ok(0)
    table.throw()
    assert Throw((4, 6)) in [done.action for done in table.record.past]


def test_it_is_kept_for_its_seat_though_another_throws_first() -> None:
    table = Sitting(dice=[(5, 3), (1, 2), (6, 4)])
    table.begin(0, 2, ruleset="findler")

    def let_begin(seat: int) -> None:
        while table.page.chosen != (0, 2).index(seat):
            table.next(0)
        table.ok(0)

    let_begin(0)
    table.wait(2.0)
    table.refusing = "disk-full"
    table.dome()  # A's throw, 5 3, is not taken
    table.ok(0)
    table.refusing = ""
    undo(table)
    let_begin(2)
    table.throw()
    assert table.game.throw == (1, 2)
    undo(table)
    let_begin(0)
    table.throw()
    assert table.game.throw == (5, 3)


def undo(table: Sitting) -> None:
    table.hold_next(0)
    assert table.page.lines[table.page.chosen or 0] == "menu-undo"
    table.ok(0)


def test_a_new_game_has_new_dice() -> None:
    table = refused((5, 3))
    table.refusing = ""
    table.ok(0)
    table.choose(0, "game", "end")
    table.hold_ok(0)
    assert table.game.phase is Phase.OVER
    assert table.session.held != ()
    table.next(0)
    table.hold_ok(0)
    assert isinstance(table.session.mode, Joining)
    assert table.session.held == ()


def test_any_player_may_choose_to_play_on_unsaved_and_who_does_not_play_may_not() -> None:
    table = refused((5, 3))
    table.hold_ok(1)
    assert not table.session.unsaved
    assert table.notice == "first-ok"
    table.hold_ok(2)
    assert table.session.unsaved
    assert table.table.heading == "throws(A)"
    assert table.notice == "not-saved(fault-disk-full)"


def test_a_second_ok_within_a_moment_answers_nothing_that_was_not_read() -> None:
    table = begun((5, 3))
    table.throw()
    table.refusing = "disk-full"
    table.tell_ok(0)
    table.tell_ok(0)
    assert isinstance(table.session.mode, RefusedPress)


def test_a_hold_whose_press_is_not_taken_does_not_happen_a_moment_later() -> None:
    table = Sitting(Setup(next_buttons=()))
    table.hold_ok(0)
    table.hold_ok(2)
    table.refusing = "disk-full"
    table.press(0, "ok", 3.0)  # held on and on: it begins nothing and chooses nothing
    assert isinstance(table.session.mode, RefusedPress)
    assert table.session.record is None
    assert not table.session.unsaved
    assert table.hint == "press-tap: do-try-again"
    table.hold_ok(3)  # any panel, while players join
    assert table.session.unsaved
    table.hold_ok(0)
    assert str(table.waiting[0].entry) == 'new "royal-2023" seats 0,2'


def test_a_menu_that_has_timed_out_meanwhile_is_closed() -> None:
    table = begun((5, 3))
    table.choose(0, "game", "end")
    table.refusing = "disk-full"
    table.hold_ok(0)
    table.wait(40.0)
    table.ok(2)
    assert isinstance(table.session.mode, Playing)


def test_unsaved_the_game_goes_on_undo_and_end_and_a_new_game_too() -> None:
    table = refused((5, 3), (1, 2), (6, 5), (2, 2), (3, 4), (4, 4))
    table.hold_ok(0)
    table.throw()
    while table.game.seat == 0:
        table.ok(0)
    table.hold_next(2)
    table.ok(2)
    assert str(table.waiting[-1].entry) == "undo"
    while not isinstance(table.session.mode, Playing):
        table.ok(0)
    table.choose(0, "game", "end")
    table.hold_ok(0)
    table.next(0)
    table.hold_ok(0)
    table.begin(1, 3)
    assert not isinstance(table.session.mode, Menu | RefusedPress)
    assert [str(row.entry) for row in table.waiting].count('new "royal-2023" seats 1,3') == 1
    saved = len(table.rows)
    waited = list(table.waiting)
    table.refusing = ""
    table.wait(0.0)
    assert table.rows[saved:] == waited
    assert fold(table.rows[-1:]) == table.record


def test_that_all_is_saved_again_is_said_once_whatever_screen_follows() -> None:
    table = refused((5, 3))
    table.hold_ok(0)
    table.throw()
    table.refusing = ""
    table.ok(0)
    assert table.notice == "saved-again"
    assert not table.session.unsaved
    table.wait(2.0)
    assert table.notice == ""
    table.wait(60.0)
    assert table.notice == ""


def test_the_next_refusal_asks_again() -> None:
    table = refused((5, 3))
    table.hold_ok(0)
    table.throw()
    table.refusing = ""
    table.wait(1.0)
    table.refusing = "bad-disk"
    table.ok(0)
    assert table.page.title == "disk-fault"


def test_a_press_of_the_chamber_that_is_not_taken_counts_when_it_is_pressed_again() -> None:
    table = begun((5, 3), (1, 1))
    table.wait(3.0)
    table.refusing = "disk-full"
    table.tell(ChamberPress("b00t", 7, table.session.moment, table.t))
    assert isinstance(table.session.mode, RefusedPress)
    table.hold_ok(0)
    table.tell(ChamberPress("b00t", 8, table.session.moment, table.t))
    assert (str(table.waiting[-1].entry), table.waiting[-1].n) == ("throw 5 3", 8)
