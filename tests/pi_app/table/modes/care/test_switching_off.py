"""Switching off: held for 3 s from any screen, counted down, called off by letting go."""

import pytest

from pi_app.display.view import draw
from pi_app.model.events import Button, Down, Setup, Tick, Up
from pi_app.model.parts import Fault
from pi_app.model.screens import TextScreen
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.telling import last_pages
from pi_app.texts.words import FAULTS
from tests.pi_app.sitting import Sitting

OFF = Setup(requests=("power-off",))
NESTS = "N,N,N,N/-/N,N,N,N/-"


def throwing() -> Sitting:
    table = Sitting(OFF, dice=[(5, 3)])
    table.resume(NESTS, 0)
    return table


def tumbling() -> Sitting:
    table = throwing()
    table.wait(2.0)
    table.dome()
    return table


def choosing() -> Sitting:
    table = throwing()
    table.throw()
    return table


def in_menu() -> Sitting:
    table = choosing()
    table.hold_next(2)
    return table


def ended() -> Sitting:
    table = in_menu()
    table.next(2)
    table.ok(2)
    table.hold_ok(2)
    return table


ANYWHERE = {
    "nobody joined": lambda: Sitting(OFF),
    "throwing": throwing,
    "tumbling": tumbling,
    "choosing": choosing,
    "menu": in_menu,
    "ended": ended,
}


def counted(table: Sitting, seconds: float) -> list[str]:
    """Return what the countdown shows while so much time passes, a tenth at a time."""
    shown: list[str] = []
    for _ in range(round(seconds * 10)):
        table.wait(0.1)
        if isinstance(table.screen, TextScreen) and table.screen.large not in ("", *shown[-1:]):
            shown.append(table.screen.large)
    return shown


@pytest.mark.parametrize("where", ANYWHERE)
def test_held_for_3_s_it_counts_down_and_switches_off(where: str) -> None:
    table = ANYWHERE[where]()
    table.down(None, "power")
    assert table.page.large == "3"
    assert counted(table, 2.9) == ["3", "2", "1"]
    assert not table.session.mode.off
    table.wait(0.2)
    assert table.session.mode.off
    assert table.reply.screen == last_pages.SWITCHING_OFF


@pytest.mark.parametrize("where", ANYWHERE)
def test_letting_go_before_calls_it_off(where: str) -> None:
    table = ANYWHERE[where]()
    table.press(None, "power", 2.9)
    table.wait(5.0)
    assert not table.session.mode.off
    assert getattr(table.screen, "large", "") == ""


def test_a_tap_says_how_it_is_done() -> None:
    table = choosing()
    table.press(None, "power")
    assert table.notice == "hold-switch-off"


def test_where_nothing_can_be_switched_off_the_button_says_so_and_the_menu_has_no_entry() -> None:
    table = Sitting()
    table.down(None, "power")
    assert table.notice == "can-not-switch-off"
    table.wait(4.0)
    assert not table.session.mode.off
    table.up(None, "power")
    table.ok(0)
    table.choose(0, "setup")
    assert table.page.lines == (
        "menu-sound: on",
        "menu-brightness: full",
        "menu-children: off",
        "menu-turn-limit: off",
        "menu-self-test",
        "do-back",
    )


def test_the_screen_is_bright_while_it_counts() -> None:
    table = Sitting(OFF)
    table.wait(61)
    assert table.reply.glow.level == "dim"
    assert table.down(None, "power").glow.level == "bright"


def test_held_on_a_dark_screen_the_power_button_lights_it_and_counts() -> None:
    table = Sitting(OFF)
    table.wait(601)
    assert table.reply.glow.level == "dark"
    table.down(None, "power")
    table.wait(3.0)
    assert table.session.mode.off


def test_a_press_that_can_not_be_answered_visibly_does_nothing() -> None:
    table = choosing()
    game = table.game
    table.down(None, "power")
    table.wait(0.5)
    table.ok(0)
    table.dome()
    assert table.page.large == "3"
    assert table.game == game
    table.up(None, "power")
    table.ok(0)
    assert table.game != game


def test_the_dome_throws_nothing_that_can_not_be_seen() -> None:
    table = throwing()
    table.wait(2.0)
    table.down(None, "power")
    table.dome()
    table.up(None, "power")
    assert table.rows == []
    table.dome()
    assert str(table.rows[-1].entry) == "throw 5 3"


def test_another_panels_only_button_counts_down_nothing() -> None:
    table = Sitting(Setup(requests=("power-off",), next_buttons=(0,)))
    table.ok(0)
    table.press(2, "ok")
    table.hold_next(0)
    shut_down(table)
    table.read(2)
    table.down(2, "ok")
    table.wait(0.5)
    assert table.page.large == ""
    table.wait(3.0)
    assert not table.session.mode.off


def test_the_dice_that_tumble_under_it_stand_when_it_is_called_off() -> None:
    table = tumbling()
    table.press(None, "power", 1.5)
    assert not isinstance(table.session.mode, ShowingThrow)
    assert table.table.increments != ()


def in_menu_of_a() -> Sitting:
    table = choosing()
    table.hold_next(0)
    return table


def shut_down(table: Sitting) -> None:
    """Choose the menu's entry on A's panel."""
    table.choose(0, "setup", "off")


def test_the_menu_asks_and_ok_held_for_3_s_counts_down_and_switches_off() -> None:
    table = in_menu_of_a()
    shut_down(table)
    assert table.page.title == "A: ask-off"
    assert table.hint == "press-next: do-no, press-hold-ok: do-off"
    table.read(0)
    table.down(0, "ok")
    assert counted(table, 2.9) == ["3", "2", "1"]
    table.wait(0.2)
    assert table.session.mode.off


def test_in_the_menu_letting_go_and_next_call_it_off() -> None:
    table = in_menu_of_a()
    shut_down(table)
    table.read(0)
    table.press(0, "ok", 2.9)
    assert table.page.title == "A: ask-off"
    table.ok(0)
    assert table.notice == "hold-to-switch-off"
    table.next(0)
    assert table.page.title == "A: menu-setup"


def test_while_players_join_the_menu_has_it_too() -> None:
    table = Sitting(OFF)
    table.ok(1)
    table.hold_next(1)
    assert table.page.lines == ("menu-dice", "menu-game", "menu-setup", "do-back")
    table.choose(1, "setup", "off")
    table.read(1)
    table.press(1, "ok", 3.1)
    assert table.session.mode.off


def test_nothing_is_recorded_and_no_press_counts_once_it_goes_off() -> None:
    table = choosing()
    rows = list(table.rows)
    table.press(None, "power", 3.1)
    for button in (Button(0, "ok"), Button(2, "next"), Button(None, "dome"), Button(None, "power")):
        table.tell(Down(button, table.t))
        table.tell(Up(button, table.t))
    table.tell(Tick(table.t + 60.0))
    assert table.reply.screen == last_pages.SWITCHING_OFF
    assert table.reply.lamps == ("off",) * 4
    assert table.rows == rows


@pytest.mark.parametrize("fault", FAULTS)
def test_a_page_that_stays_has_room_for_what_is_wrong_with_the_disk(fault: Fault) -> None:
    draw(last_pages.no_journal(fault))


@pytest.mark.parametrize("maker", ["0.3.0", "another version", "12.34.56"])
def test_a_page_that_stays_has_room_for_every_version(maker: str) -> None:
    draw(last_pages.newer_games(maker))


@pytest.mark.parametrize("line", ["", "1", "9999"])
def test_a_page_that_stays_has_room_for_every_line(line: str) -> None:
    draw(last_pages.wrong_settings(line))
