"""The self test in the menu: step by step, every button named, and the game as it was."""

import pytest

from pi_app.model.events import (
    Button,
    ChamberLine,
    ChamberPress,
    Finding,
    Kind,
    PartChecked,
    Setup,
    Stuck,
    Tone,
)
from pi_app.model.screens import BoardScreen, Pattern
from pi_app.table.core.speech import screen_words
from pi_app.table.core.state import SEATS
from pi_app.table.wishes import TEST_KEY, wishes_of
from tests.pi_app.sitting import Sitting, marks, told

CROWDED = "H,r3,12,N/45,45,7,N/20,3,N,N/-"
ONE_BUTTON = Setup(next_buttons=())


def in_game(setup: Setup | None = None) -> Sitting:
    """Return a table at which A has thrown 5 and 3, and C has begun a self test."""
    table = Sitting(setup, dice=[(5, 3)])
    table.resume(CROWDED, 0)
    table.throw()
    table.open_menu(2)
    table.go_to(2, "setup", "self-test")
    return table


def steps(table: Sitting, seat: int) -> list[str]:
    """Go on until the buttons are asked for; return what was shown on the way."""
    seen = []
    while not screen_words(table.screen).startswith("press-each"):
        seen.append(screen_words(table.screen).partition(",")[0])
        table.read(seat)
        table.press(seat, "ok")
    return seen


# --- from step to step ---------------------------------------------------------------------------


def test_it_goes_through_all_that_this_table_has_and_leaves_the_game_as_it_was() -> None:
    table = in_game()
    before = table.session.record
    assert steps(table, 2) == [
        "display",
        "all dots",
        "the edge",
        "checks",
        "lamp-and-tone",
        "kept-games",
        "power",
    ]
    table.hold_next(2)
    assert isinstance(table.screen, BoardScreen)
    assert (table.session.record, told(table)) == (before, "5: nest → A+0")


def test_the_lit_chamber_is_among_it_where_there_is_one() -> None:
    table = Sitting(Setup(chamber=True, lamps=(), buzzer=False))
    table.tell(ChamberLine(True, 0.0))
    table.ok(0)
    table.hold_next(0)
    table.go_to(0, "setup", "self-test")
    assert steps(table, 0)[4:] == ["dice-lights", "dice-chamber", "kept-games", "power"]


def test_the_voice_is_among_it_where_there_is_one() -> None:
    table = Sitting(Setup(voice=True, lamps=(), buzzer=False))
    table.ok(0)
    table.hold_next(0)
    table.go_to(0, "setup", "self-test")
    assert steps(table, 0)[4:] == ["voice", "kept-games", "power"]


def test_it_begins_while_players_join_and_goes_back_to_that() -> None:
    table = Sitting()
    table.ok(0)
    table.ok(2)
    table.hold_next(2)
    table.go_to(2, "setup", "self-test")
    assert table.page.title == "display"
    table.hold_next(2)
    assert marks(table) == "A:joined B:- C:joined D:-"


@pytest.mark.parametrize("presses", range(8))
def test_a_hold_leaves_it_at_every_step(presses: int) -> None:
    table = in_game()
    for _ in range(presses):
        table.ok(2)
    table.hold_next(2)
    assert isinstance(table.screen, BoardScreen)


@pytest.mark.parametrize("presses", range(8))
def test_with_one_button_a_tap_goes_on_and_a_hold_leaves(presses: int) -> None:
    table = in_game(ONE_BUTTON)
    for _ in range(presses):
        table.press(2, "ok")
    assert (screen_words(table.screen).partition(",")[0] == "press-each") == (presses == 7)
    table.hold_ok(2)
    assert table.page.title == "C: menu-setup"


def test_untouched_for_two_minutes_it_ends() -> None:
    table = in_game()
    table.wait(119)
    assert table.page.title == "display"
    table.wait(1)
    assert isinstance(table.screen, BoardScreen)


def test_the_others_are_told_who_tests() -> None:
    table = in_game()
    table.ok(0)
    assert (table.page.title, table.notice) == ("display", "runs-a-self-test(C)")


def test_the_pictures_are_all_lit_the_edge_alone_and_squares() -> None:
    table = in_game()
    shown = []
    for _ in range(3):
        table.ok(2)
        assert isinstance(table.screen, Pattern)
        shown.append(table.screen.picture)
    assert shown == ["all-dots", "the-edge", "checks"]


# --- lamps, tones and lights ---------------------------------------------------------------------


def test_lamps_and_tones_come_one_after_another_with_their_letter() -> None:
    table = in_game(Setup(panels=(0, 2), next_buttons=(0, 2), lamps=(0, 2)))
    for _ in range(4):
        table.ok(2)
    table.tones.clear()
    seen = []
    for _ in range(3):
        table.wait(1.5)
        seen.append((table.page.large, table.reply.lamps))
    a, c = ("A", ("on", "off", "off", "off")), ("C", ("off", "off", "on", "off"))
    assert seen == [c, a, c]
    assert table.tones == [Tone(2, "turn"), Tone(0, "turn"), Tone(2, "turn")]


def test_without_a_buzzer_nothing_sounds() -> None:
    table = in_game(Setup(buzzer=False))
    for _ in range(4):
        table.ok(2)
    table.tones.clear()
    table.wait(10)
    assert (table.page.title, table.tones) == ("lamp", [])


def test_the_chambers_lights_are_tested_at_once_and_again_while_one_looks() -> None:
    table = Sitting(Setup(chamber=True))
    table.tell(ChamberLine(True, 0.0))
    table.ok(0)
    table.hold_next(0)
    table.go_to(0, "setup", "self-test")
    assert wishes_of(table.session).test == 0
    for _ in range(5):
        table.ok(0)
    assert table.page.title == "dice-lights"
    assert wishes_of(table.session).test == 1
    table.wait(6.0)
    assert wishes_of(table.session).test == 3
    table.hold_next(0)
    table.wait(10.0)
    assert wishes_of(table.session).test == 3


# --- what only the referee can look at ------------------------------------------------------------


def reading(table: Sitting) -> tuple[str, ...]:
    for _ in range(5):
        table.ok(2)
    assert table.page.title == "kept-games"
    return table.page.lines


def test_what_was_found_before_is_there_at_once() -> None:
    table = in_game()
    table.tell(PartChecked(Finding("journal", False, "The disk is full.", "Make room."), table.t))
    assert reading(table) == ("The disk is full.", "Make room.")


def test_what_is_found_late_is_waited_for_and_what_hangs_is_said() -> None:
    table = in_game()
    assert reading(table) == ("looking",)
    table.wait(10.1)
    assert table.page.lines == ("hangs",)
    table.tell(PartChecked(Finding("journal", True, "Written."), table.t))
    assert table.page.lines == ("Written.",)


def test_each_part_keeps_what_was_found_of_it_last() -> None:
    table = in_game()
    for finding in (
        Finding("voice", True, "Spoken."),
        Finding("journal", False, "Full."),
        Finding("journal", True, "Written."),
    ):
        table.tell(PartChecked(finding, table.t))
    found = {one.part: one.words for one in table.session.findings}
    assert found == {"voice": "Spoken.", "journal": "Written."}


def test_a_new_test_forgets_what_the_last_one_found() -> None:
    table = in_game()
    table.tell(PartChecked(Finding("journal", True, "Written."), table.t))
    table.hold_next(2)
    table.hold_next(2)
    table.choose(2, "setup", "self-test")
    assert reading(table) == ("looking",)


# --- the buttons ---------------------------------------------------------------------------------


def pressing(setup: Setup | None = None) -> Sitting:
    table = in_game(setup)
    steps(table, 2)
    return table


def test_every_button_is_named_when_it_is_pressed_whoevers_it_is() -> None:
    table = pressing()
    presses: list[tuple[int | None, Kind]] = [
        *((seat, kind) for seat in SEATS for kind in ("ok", "next")),
        (None, "dome"),
        (None, "power"),
    ]
    named = []
    for seat, kind in presses:
        table.press(seat, kind)
        named.append(table.page.title)
    assert named == [
        *(f"seats-{kind}({letter})" for letter in "ABCD" for kind in ("ok", "next")),
        "the-dome",
        "power-key",
    ]
    assert marks(table) == "A:works B:works C:works D:works"
    assert table.page.lines == ("all-buttons-work",)


def test_what_was_not_pressed_yet_is_listed() -> None:
    table = pressing()
    assert marks(table) == "A:do-press B:do-press C:do-press D:do-press"
    assert table.page.lines == ("what-is-it(the-dome) what-is-it(power-key)",)
    table.press(0, "next")
    table.press(3, "ok")
    table.press(None, "dome")
    assert marks(table) == "A:no-button(press-ok) B:do-press C:do-press D:no-button(press-next)"
    assert table.page.lines == ("what-is-it(power-key)",)
    assert table.reply.lamps == ("on", "on", "on", "on")


def test_a_lamp_goes_out_when_its_panels_buttons_work() -> None:
    table = pressing(Setup(panels=(0, 2), next_buttons=(2,)))
    table.press(0, "ok")
    assert table.page.title == "seats-button(A)"
    assert table.reply.lamps == ("off", "off", "on", "off")


def test_a_button_that_is_stuck_is_said() -> None:
    table = pressing()
    table.down(1, "ok")
    table.tell(Stuck(Button(1, "ok"), table.t))
    assert table.notice == "is-stuck(seats-ok(B))"


def test_no_press_of_it_reaches_the_game() -> None:
    table = pressing()
    before, rows = table.session.record, len(table.rows)
    for seat in SEATS:
        table.press(seat, "ok")
        table.press(seat, "next")
    table.press(0, "next", 1.2)
    assert (table.page.title, table.notice) == ("seats-next(A)", "")
    table.dome()
    table.hold_next(2)
    assert (table.session.record, len(table.rows)) == (before, rows)


def test_the_lit_dome_is_named_and_its_press_throws_nothing_however_late() -> None:
    table = Sitting(Setup(chamber=True, dome=False, power=False), dice=[(5, 3)])
    table.tell(ChamberLine(True, 0.0))
    table.resume(CROWDED, 0)
    table.hold_next(2)
    table.go_to(2, "setup", "self-test")
    steps(table, 2)
    assert (wishes_of(table.session).key, wishes_of(table.session).seat) == (TEST_KEY, 2)
    assert table.page.lines == ("what-is-it(the-dome)",)
    table.tell(ChamberPress("b007b007", 1, TEST_KEY, table.t))
    assert table.page.title == "the-dome"
    table.hold_next(2)
    rows = len(table.rows)
    table.tell(ChamberPress("b007b007", 2, TEST_KEY, table.t))
    assert len(table.rows) == rows
    table.tell(ChamberPress("b007b007", 3, wishes_of(table.session).key, table.t))
    assert str(table.rows[-1].entry) == "throw 5 3"


def test_with_one_button_only_the_driver_s_hold_leaves() -> None:
    table = pressing(ONE_BUTTON)
    table.hold_ok(0)
    assert (table.page.title, table.notice) == ("seats-button(A)", "")
    table.hold_ok(2)
    assert table.page.title == "C: menu-setup"
