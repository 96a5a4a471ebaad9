"""The whole table with its lit chamber: presses become rows, rows become faces."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from firmware.chamber import led_mask
from pi_app.devices import chamber, link
from pi_app.devices.link import CHAMBER_MISSING
from pi_app.display.fitting import PIECE_S
from pi_app.display.view import frame
from pi_app.model.events import Button, Down, Notice, Tick, Up
from pi_app.model.screens import BoardScreen, Message, TextScreen
from pi_app.table.core.state import OK_DEAF_S
from pi_app.table.modes.care.self_test import LightsStep, PressesStep
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.play import Playing
from pi_app.table.session import handle
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from rules.actions import Throw
from tests.end_to_end.lit_app import BOOT, DOME, LitApp, config, new_game, running
from tests.end_to_end.lit_table import Interpreter, Local, Served
from tests.pi_app.devices.gadget import Gadget, Pump, wait_for
from tests.pi_app.sitting import notice_of


@pytest.fixture
def gadget(tmp_path: Path) -> Gadget:
    return Gadget(tmp_path)


@pytest.fixture
def lit(tmp_path: Path, gadget: Gadget) -> Iterator[LitApp]:
    new_game(tmp_path)
    with running(tmp_path, gadget, config(DOME)) as lit:
        yield lit


def faces(lit: LitApp) -> list[str]:
    throw = lit.throws()[-1].entry
    assert isinstance(throw, Throw)
    return list(map(str, throw.faces))


def test_a_press_is_recorded_with_its_boot_and_number_then_shown(lit: LitApp) -> None:
    lit.join()
    arm = lit.take("ARM")
    assert arm[2] == "1"
    lit.gadget.send(f"PRESS 1 {arm[1]}")
    shown = lit.take("SHOW")
    (row,) = lit.throws()
    assert shown[2:] == faces(lit)
    assert (row.source, row.boot, row.n) == ("kernel", BOOT, 1)


def test_a_press_that_is_said_again_is_got_again_and_nothing_else(lit: LitApp) -> None:
    lit.join()
    arm = lit.take("ARM")[1]
    lit.gadget.send(*[f"PRESS 1 {arm}"] * 3)
    lit.gadget.expect("GOT 1")
    lit.gadget.send(f"PRESS 1 {arm}")
    lit.gadget.expect("GOT 1")
    lit.settle()
    assert len(lit.throws()) == 1


def test_a_press_that_the_journal_has_is_got_after_a_crash_too(
    tmp_path: Path, gadget: Gadget
) -> None:
    new_game(tmp_path)
    with running(tmp_path, gadget, config()) as before:
        before.join()
        gadget.send(f"PRESS 1 {before.take('ARM')[1]}")
        before.take("SHOW")
    with running(tmp_path, gadget, config()) as after:
        after.join()
        arm = after.take("ARM")
        assert arm[2] == "3"  # C throws next for who begins
        gadget.send(f"PRESS 1 {arm[1]}")
        gadget.expect("GOT 1")
        after.settle()
        assert after.throws() == []
        gadget.send(f"PRESS 2 {after.take('ARM')[1]}")
        after.take("SHOW")
        assert [row.n for row in after.throws()] == [2]


def test_a_press_for_a_turn_that_is_over_does_nothing(lit: LitApp) -> None:
    """The dome on GPIO was faster, and the next thrower is armed already."""
    lit.join()
    first = lit.take("ARM")[1]
    lit.dome()
    assert lit.take("SHOW")[2:] == faces(lit)
    lit.next_throw()
    lit.take("ARM")
    lit.gadget.send(f"PRESS 1 {first}")
    lit.gadget.expect("GOT 1")
    lit.settle()
    assert len(lit.throws()) == 1


def test_while_the_faces_have_not_stood_for_a_second_nobody_is_armed(lit: LitApp) -> None:
    lit.join()
    lit.gadget.send(f"PRESS 1 {lit.take('ARM')[1]}")
    lit.take("SHOW")
    assert lit.take("HOLD")
    lit.next_throw()
    assert lit.take("ARM")[2] == "3"


def test_while_the_menu_is_open_nobody_is_armed(lit: LitApp) -> None:
    lit.join()
    lit.take("ARM")
    lit.app.inbox.put(Down(Button(2, "next"), lit.clock()))
    lit.clock.ahead += 1.1
    lit.app.inbox.put(Up(Button(2, "next"), lit.clock()))
    lit.take("HOLD")


def test_rolled_dice_are_recorded_as_the_chamber_s(tmp_path: Path, gadget: Gadget) -> None:
    new_game(tmp_path)
    with running(tmp_path, gadget, config('chamber.dice_from = "chamber"\n')) as lit:
        lit.join("roll 2")
        gadget.send(f"ROLLED 1 {lit.take('ARM')[1]} 6 1")
        assert lit.take("SHOW")[2:] == ["6", "1"]
        (row,) = lit.throws()
        assert (str(row.entry), row.source, row.boot, row.n) == ("throw 6 1", "chamber", BOOT, 1)


@pytest.mark.micropython
def test_throw_after_throw_with_micropython_under_the_dome(tmp_path: Path, gadget: Gadget) -> None:
    """Each press one row, its faces what rests on the dice; two chambers' boots in one game."""
    interpreter = Interpreter()
    new_game(tmp_path)
    with running(tmp_path, gadget, config()) as lit:
        pump = Pump(gadget, Served(interpreter, 1, 0))
        for count in range(1, 7):
            if count == 4:
                pump.chamber = Served(interpreter, 2, 0)
            pump.run(lambda: lit.armed)
            pump.down = True
            pump.run(lambda: len(lit.throws()) == count)  # noqa: B023
            pump.down = False
            pump.run(lambda: pump.lights == led_mask(tuple(int(face) for face in faces(lit))))
            lit.next_throw()
        assert [row.n for row in lit.throws()] == [1, 2, 3, 1, 2, 3]
        assert len({row.boot for row in lit.throws()}) == 2
    interpreter.close()


def words(lit: LitApp) -> str:
    screen = word_screen(lit.app.session.mode.show(lit.app.session).screen, ENGLISH)
    assert isinstance(screen, BoardScreen | TextScreen)
    return " ".join(screen.words if isinstance(screen, BoardScreen) else screen.lines)


def notices(lit: LitApp) -> dict[str, Message]:
    return dict(lit.app.session.notices)


def test_without_the_chamber_and_without_a_dome_holding_ok_throws(
    tmp_path: Path, gadget: Gadget
) -> None:
    new_game(tmp_path)
    with running(tmp_path, gadget, config()) as lit:
        lit.join()
        lit.take("ARM")
        wait_for(lambda: "press the dome" in words(lit))
        gadget.unplug()
        wait_for(lambda: notices(lit) == {"chamber": CHAMBER_MISSING})
        wait_for(lambda: "hold OK" in words(lit))
        lit.app.inbox.put(Down(Button(0, "ok"), lit.clock()))
        lit.settle()
        lit.clock.ahead += 1.1
        wait_for(lit.throws)
        gadget.plug()
        lit.join()
        assert lit.take("SHOW")[2:] == faces(lit)
        wait_for(lambda: notices(lit) == {})


def test_the_dome_on_gpio_goes_on_without_the_chamber(lit: LitApp) -> None:
    lit.join()
    lit.take("ARM")
    lit.gadget.unplug()
    wait_for(lambda: notices(lit) == {"chamber": CHAMBER_MISSING})
    wait_for(lambda: "press the dome" in words(lit))
    lit.dome()
    wait_for(lit.throws)
    lit.gadget.plug()
    lit.join()
    assert lit.take("SHOW")[2:] == faces(lit)


@pytest.mark.slow
def test_a_board_that_says_no_hello_is_told_with_what_a_family_can_do(lit: LitApp) -> None:
    """Its dome was down at power-on, say: it waits for an update and is otherwise mute."""
    lit.gadget.expect("HI 1 ")

    def told() -> bool:
        lit.clock.ahead += 0.5
        lit.settle()
        return notice_of(handle(lit.app.session, Tick(lit.clock()))) == "chamber-silent"

    wait_for(told)
    lit.join()
    wait_for(lambda: notices(lit) == {})


def test_what_the_chamber_has_to_say_fits_the_screen(lit: LitApp) -> None:
    texts = [
        chamber.ALONE,
        chamber.SILENT,
        chamber.REFUSED,
        CHAMBER_MISSING,
        *link.MESSAGE_BY_ERRNO.values(),
    ]
    texts.append(chamber.refusal_notice("BLANK"))
    for text in texts:
        now = lit.clock()
        reply = handle(lit.app.session, Notice("chamber", text, now))
        for piece in range(4):
            frame(reply.screen, reply.motion, now + piece * PIECE_S)  # an Overflow is an error


@pytest.mark.slow
def test_a_self_test_lights_the_chamber_up_and_names_its_dome_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    new_game(tmp_path)
    gadget = Gadget(tmp_path)
    pump = Pump(gadget, Local(1, 0))
    lit: set[int] = set()

    def step() -> None:
        pump.step()
        lit.add(pump.lights)

    def forward(seconds: float) -> None:
        app.clock.ahead += seconds
        pump.ahead += round(1000 * seconds)

    def until(condition: Callable[[], object]) -> None:
        end = monotonic() + 60
        while not condition():
            assert monotonic() < end, "it did not happen in time"
            step()

    with running(tmp_path, gadget, config()) as app:
        until(lambda: app.armed)
        app.app.inbox.put(Down(Button(2, "next"), app.clock()))
        forward(1.1)
        until(lambda: isinstance(app.app.session.mode, Menu))
        app.app.inbox.put(Up(Button(2, "next"), app.clock()))
        for line in ("setup", "self-test"):
            menu = app.app.session.mode
            assert isinstance(menu, Menu)
            for _ in range(menu.ids(app.app.session).index(line)):
                app.app.inbox.put(Down(Button(2, "next"), app.clock()))
                app.app.inbox.put(Up(Button(2, "next"), app.clock()))
            forward(OK_DEAF_S)
            app.ok(2)
            until(lambda: getattr(app.app.session.mode, "path", None) != menu.path)  # noqa: B023
        seen: list[type] = [type(app.app.session.mode)]
        while not isinstance(app.app.session.mode, PressesStep):
            before = app.app.session.mode
            forward(OK_DEAF_S)
            app.ok(2)
            until(lambda: app.app.session.mode != before)  # noqa: B023
            seen.append(type(app.app.session.mode))
            if isinstance(app.app.session.mode, LightsStep):
                until(lambda: {1 << n for n in range(8)} <= lit)
        assert LightsStep in seen
        until(lambda: any(found.part == "chamber" for found in app.app.session.findings))
        chamber = next(found for found in app.app.session.findings if found.part == "chamber")
        assert chamber.good
        assert ", 0 lines lost, 0 throws by itself." in ENGLISH.say(chamber.look)
        until(lambda: app.armed)
        pump.down = True
        dome = Button(None, "dome")
        until(lambda: dome in getattr(app.app.session.mode, "presses", ()))
        pump.down = False
        assert app.throws() == []
        app.app.inbox.put(Down(Button(2, "next"), app.clock()))
        forward(1.1)
        until(lambda: isinstance(app.app.session.mode, Playing) and app.armed)
        for _ in range(100):
            step()
        pump.down = True
        until(app.throws)
