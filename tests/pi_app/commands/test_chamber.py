"""`referee chamber`: how a chamber is tested at any computer, and how dice are judged."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from pi_app.devices.chamber import REFUSED, REFUSED_TEXT
from pi_app.devices.link import CHAMBER_MISSING
from pi_app.texts.language import ENGLISH
from tests.end_to_end.lit_table import Local
from tests.pi_app.devices.gadget import Gadget, Pump

pytestmark = pytest.mark.slow  # each test starts a process


def referee_chamber(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pi_app", "chamber", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def pressed_all_the_time(pump: Pump, done: Callable[[], object]) -> None:
    """Press the dome ten times a second, whether it is armed or not."""

    def press() -> bool:
        pump.down = int(monotonic() * 10) % 2 == 1
        return bool(done())

    pump.run(press)


def test_its_lights_and_its_dome_are_tested_with_nothing_but_the_chamber(tmp_path: Path) -> None:
    pump = Pump(Gadget(tmp_path), Local(1, 0))
    with referee_chamber("--port", str(pump.gadget.path)) as command:
        pressed_all_the_time(pump, lambda: command.poll() is not None)
        said, error = command.communicate()
    assert (command.returncode, error) == (0, "")
    *steps, finding, end = said.splitlines()
    assert steps == [
        "the chamber has firmware 0.2.0",
        "the dice lights: they should light up one after another",
        "press the lit dome within 30 s",
        "the lit dome: works",
    ]
    assert finding.startswith("the chamber: It answers in ")
    assert end == "no faults found"


def test_a_chamber_that_is_not_there_is_faulty(tmp_path: Path) -> None:
    with referee_chamber("--port", str(tmp_path / "none")) as command:
        said, error = command.communicate()
    assert (command.returncode, error) == (1, "")
    assert said.splitlines() == [
        "the chamber: It does not answer.",
        f"    {ENGLISH.say(CHAMBER_MISSING)}; check its USB cable; see hardware/chamber.md",
        "faulty: the chamber",
    ]


def test_its_own_dice_roll_as_often_as_the_dome_is_pressed(tmp_path: Path) -> None:
    pump = Pump(Gadget(tmp_path), Local(1, 0))  # it throws sixes
    options = ("--port", str(pump.gadget.path), "--dice-test", "4", "--roll")
    with referee_chamber(*options) as command:
        pressed_all_the_time(pump, lambda: command.poll() is not None)
        said, _ = command.communicate()
    assert command.returncode == 0
    assert said.splitlines()[:5] == [*(f"{n} of 4: 6 6" for n in (1, 2, 3, 4)), "4 throws, 8 dice"]


def test_dice_of_a_chamber_that_is_not_there_are_not_tested(tmp_path: Path) -> None:
    options = ("--port", str(tmp_path / "none"), "--dice-test", "6000", "--roll")
    with referee_chamber(*options) as command:
        _, error = command.communicate()
    why = ENGLISH.say(CHAMBER_MISSING)
    assert command.returncode == 1
    assert error == (
        f"referee: no chamber answers ({why}): plug it in, or name its port with --port\n"
    )


def test_of_another_protocol_it_says_how_to_update_the_firmware(tmp_path: Path) -> None:
    gadget = Gadget(tmp_path)
    options = ("--port", str(gadget.path), "--dice-test", "1", "--roll")
    with referee_chamber(*options) as command:
        gadget.expect("HI 1 ")
        gadget.send("HELLO 2 whatever it may say")
        _, error = command.communicate()
    assert command.returncode == 1
    assert REFUSED_TEXT in error
    assert f"no chamber answers ({ENGLISH.say(REFUSED)})" in error


def test_the_pi_s_dice_are_judged_without_a_chamber() -> None:
    with referee_chamber("--dice-test", "600") as command:
        said, _ = command.communicate()
    assert command.returncode == 0
    assert said.startswith("600 throws, 1200 dice\nface ")
    assert "\nchi-square " in said


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_number_of_throws_that_is_none_is_refused(count: str) -> None:
    with referee_chamber(f"--dice-test={count}") as command:
        _, error = command.communicate()
    assert command.returncode == 2
    assert f"write a number of throws, for example 6000, instead of {count!r}" in error
