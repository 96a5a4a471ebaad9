"""`referee self-test`: what works, what is wrong and where to look; no pin of a table that runs."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest
from gpiozero import LED

from pi_app.commands.self_test import (
    CHAMBER,
    MENU,
    RUNNING,
    VOICE_TEXT,
    WIRES,
    SelfTest,
    print_findings,
    self_test_findings,
)
from pi_app.config.keys import Config
from pi_app.config.reading import parse_config
from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.devices.oled import CONTRAST
from pi_app.display.view import draw
from pi_app.model.parts import PowerState
from pi_app.model.screens import Pattern
from pi_app.record.journal import FILE, keep_closed, load
from pi_app.runtime import wiring
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands
from pi_app.simulate.simulation import VirtualClock
from tests.end_to_end.lit_table import Local
from tests.end_to_end.service import METAL, ROOT
from tests.end_to_end.service import Service as Running
from tests.pi_app.devices.gadget import Gadget, Pump

pytestmark = pytest.mark.slow  # nearly each test starts a process

SMALL = """
panel.A = { ok = 17, next = 27, lamp = 22 }
panel.C = { ok = 16 }
pins = { dome = 23, buzzer = 18 }
"""
BUTTONS = ("A.ok", "A.next", "C.ok", "dome")
DISPLAY = "the display: you should see all dots, the edge and checks; every dot must be there"
SEEN = [
    DISPLAY,
    "lamp A, GPIO22: it should be lit now",
    *(f"tone {seat}, GPIO18: you should hear it now" for seat in "ABCD"),
]
POWER = "power: Strong enough. The Pi is cool."


class Bench:
    """A bot on mock pins, and somebody who presses its buttons while it waits for that."""

    def __init__(self, folder: Path, config: Config | None = None, **others: Any) -> None:
        self.config = config or parse_config(SMALL)
        self.said: list[str] = []
        self.pressing: list[str] = []
        self.clock = VirtualClock()
        self.factory = pin_factory("mock")
        self.glass = DummyDisplay()
        given: dict[str, Any] = {
            "config": self.config,
            "factory": self.factory,
            "devices": (lambda: self.glass,),
            "folder": folder,
            "print_text": self.said.append,
            "supply": PowerState,
            "in_memory": lambda folder: False,
            "clock": self.clock,
            "sleep": self.sleep,
            "look_s": 0.0,
        }
        self.service = SelfTest(**given | others)

    def sleep(self, seconds: float) -> None:
        self.clock.now += seconds
        if self.said[-1].startswith("press every button") or self.said[-1].endswith(": works"):
            hands = Hands(wiring.button_pins(self.config), self.factory)
            for name in self.pressing[:1]:
                hands.down(name)
                hands.up(name)
            del self.pressing[:1]

    def tried(self, *pressing: str) -> list[str]:
        self.pressing = list(pressing)
        return print_findings(self.service, self_test_findings(self.service))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal, _ = load(tmp_path / FILE)
    journal.close()
    return tmp_path


def test_a_voice_without_a_sound_card_is_faulty(folder: Path) -> None:
    program = folder / "voice"
    program.write_text('#!/bin/sh\ncat > /dev/null\necho "error: No card" >&2\n')
    program.chmod(0o755)
    config = parse_config(f'{SMALL}voice.program = "{program}"')
    bench = Bench(folder, config, wait_s=0.0)
    assert bench.tried() == ["the voice"]
    start = bench.said.index(f"the voice: you should hear {VOICE_TEXT!r} now")
    assert f"({program}: error: No card)" in bench.said[start + 1]
    assert bench.said[start + 2] == f"    {WIRES.format('Voice')}"


def test_where_all_is_well_every_part_is_said_and_nothing_is_wrong(folder: Path) -> None:
    bench = Bench(folder)
    assert bench.tried(*BUTTONS) == []
    journal = bench.said.pop(len(SEEN))
    assert re.fullmatch(r"journal: Written and read back\. (\d+ MB|\d+\.\d GB) are free\.", journal)
    assert bench.said == [
        *SEEN,
        POWER,
        "press every button within 30 s",
        "A's OK, GPIO17: works",
        "A's NEXT, GPIO27: works",
        "C's button, GPIO16: works",
        "the dome, GPIO23: works",
        "no faults found",
    ]


def test_the_display_shows_all_dots_the_edge_and_checks(folder: Path) -> None:
    seen: list[bytes] = []
    levels: list[int] = []

    class Kept(DummyDisplay):
        def display(self, image: Any) -> None:
            super().display(image)
            seen.append(image.tobytes())

        def contrast(self, level: int) -> None:
            assert not seen
            levels.append(level)

    Bench(folder, devices=(Kept,)).tried(*BUTTONS)
    wanted = [draw(Pattern(one)).tobytes() for one in ("all-dots", "the-edge", "checks")]
    assert [one for one in seen if one != bytes(1024)] == wanted
    assert levels[-1:] == [CONTRAST["half"]]


def test_a_button_that_is_not_pressed_is_wrong_with_where_to_look(folder: Path) -> None:
    bench = Bench(folder)
    assert bench.tried("A.ok", "A.ok", "dome") == ["C's button, GPIO16", "A's NEXT, GPIO27"]
    assert bench.said[-5:-1] == [
        "C's button, GPIO16: was not pressed, or its wire is loose",
        '    see hardware/README.md, "Buttons, dome and power button"',
        "A's NEXT, GPIO27: was not pressed, or its wire is loose",
        '    see hardware/README.md, "Buttons, dome and power button"',
    ]
    assert bench.said[-1] == "faulty: C's button, GPIO16 and A's NEXT, GPIO27"


def test_a_button_that_is_down_from_the_start_is_wrong(folder: Path) -> None:
    factory: Any = pin_factory("mock")

    def short() -> bool:
        factory.pin(16).drive_low()
        return True

    bench = Bench(folder, factory=factory, ask_perceived=short)
    bench.factory = factory
    assert bench.tried("A.ok", "A.next", "dome") == ["C's button, GPIO16"]
    assert "C's button, GPIO16: reads as pressed, but nobody presses it" in bench.said


def test_buttons_may_be_left_out(folder: Path) -> None:
    bench = Bench(folder, wait_s=0.0)
    assert bench.tried() == []
    assert bench.said[-2] == POWER


def test_what_eyes_and_ears_miss_is_wrong_where_they_are_asked(folder: Path) -> None:
    answers: Iterator[bool] = iter([True, False, True, True, False, True])
    bench = Bench(folder, ask_perceived=lambda: next(answers))
    assert bench.tried(*BUTTONS) == ["lamp A, GPIO22", "tone C, GPIO18"]
    assert bench.said[2:4] == [
        "lamp A, GPIO22: not lit",
        '    see hardware/README.md, "Lamps"',
    ]


def test_a_display_that_is_missing_or_hangs_is_wrong_and_the_rest_is_tried(folder: Path) -> None:
    def absent() -> Any:
        raise OSError("no device at 0x3D")

    bench = Bench(folder, devices=(DummyDisplay, absent), wait_s=0.0)
    assert bench.tried() == ["the second display"]
    assert bench.said[2].startswith("the second display: the second display can't be reached (no")
    assert bench.said[-2] == POWER


def test_a_journal_in_memory_is_wrong(folder: Path) -> None:
    bench = Bench(folder, in_memory=lambda asked: asked == folder, wait_s=0.0)
    assert bench.tried() == ["journal"]


def test_low_power_and_a_disk_that_can_not_be_written_are_wrong(folder: Path) -> None:
    (folder / FILE).write_bytes(b"not a database at all" * 100)
    bench = Bench(folder, supply=lambda: PowerState(was_low=True), wait_s=0.0)
    assert bench.tried() == ["journal", "power"]
    assert bench.said[-5:-1] == [
        "journal: No access to the disk.",
        "    The referee can't write.",
        "power: It was too low.",
        "    Use a stronger power supply.",
    ]


def test_without_a_journal_none_is_made(tmp_path: Path) -> None:
    bench = Bench(tmp_path, wait_s=0.0)
    assert bench.tried() == []
    assert bench.said[-3].endswith("does not exist yet; the first game creates it")
    assert list(tmp_path.iterdir()) == []


def test_pins_that_another_program_has_are_left_to_it_before_anything_is_tried(
    folder: Path,
) -> None:
    bench = Bench(folder)
    in_use = pytest.raises(
        PinsError, match=rf"pin 22 can't be used .*; if the referee is running, {MENU}"
    )
    with LED(22, pin_factory=bench.factory), in_use:
        bench.tried()
    assert bench.said == []


@pytest.mark.slow
@pytest.mark.parametrize("press", [True, False])
def test_the_lit_chamber_lights_up_and_its_dome_is_pressed(folder: Path, press: bool) -> None:
    gadget = Gadget(folder)
    pump = Pump(gadget, Local(1, 0))
    lit: set[int] = set()
    each_light = {1 << n for n in range(8)}
    ended: list[bool] = []

    def serve() -> None:
        last = monotonic()
        while not ended:
            now = monotonic()  # on a busy machine the chamber's clock waits: each light is seen
            pump.ahead -= max(0, round(1000 * (now - last)) - 50)
            last = now
            pump.step()
            lit.add(pump.lights)
            asked = any("press the lit dome" in line for line in bench.said)
            pump.down = press and asked and each_light <= lit

    config = replace(parse_config(SMALL), chamber=str(gadget.path), dome=None)
    bench = Bench(folder, config, wait_s=30.0 if press else 1.0)
    thread = Thread(target=serve)
    thread.start()
    wrong = bench.tried("A.ok", "A.next", "C.ok")
    ended.append(True)
    thread.join()
    assert wrong == ([] if press else ["the lit dome"])
    assert each_light <= lit
    [line] = [said for said in bench.said if said.startswith("the chamber:")]
    assert re.fullmatch(
        r"the chamber: It answers in \d+ ms. \d+ commands?, 0 lines lost, 0 throws by itself\.",
        line,
    )


def test_where_to_look_is_there_to_be_read() -> None:
    page = (ROOT / "hardware" / "README.md").read_text()
    file = WIRES.removeprefix("see ").partition(",")[0]
    assert (ROOT / file).exists()
    assert (ROOT / CHAMBER.removeprefix("see ")).exists()
    for section in ("Buttons, dome and power button", "Lamps", "Display", "Buzzer"):
        assert f"### {section}\n" in page


def test_the_journal_is_held_meanwhile_and_only_if_no_table_has_it(folder: Path) -> None:
    with keep_closed(folder / FILE) as ours:
        assert ours
    journal, _ = load(folder / FILE)
    with keep_closed(folder / FILE) as ours:
        assert not ours
    journal.close()
    with keep_closed(folder / "other.db") as ours:
        assert ours
    assert not (folder / "other.db.lock").exists()


# In a process of its own, on faked metal.


def self_test(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pi_app", "self-test", *options],
        env={**os.environ, "PYTHONPATH": f"{METAL}:{ROOT}", "METAL": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_while_the_table_runs_it_names_the_menus_entry_and_takes_no_pin(tmp_path: Path) -> None:
    running = Running(tmp_path)
    try:
        running.expect("READY=1")
        done = self_test(tmp_path, "--config", str(running.config))
        assert running.process.poll() is None
    finally:
        running.close()
    assert (done.returncode, done.stdout) == (os.EX_TEMPFAIL, "")
    assert done.stderr == f"referee: {RUNNING}\n"


@pytest.mark.slow
@pytest.mark.parametrize("absent", [False, True])
def test_its_exit_status_says_whether_something_is_wrong(tmp_path: Path, absent: bool) -> None:
    config = tmp_path / "my.toml"
    config.write_text(f'panel.A.ok = 17\npanel.C.ok = 16\ntable.journal_folder = "{tmp_path}"\n')
    if absent:
        (tmp_path / "absent").touch()
    done = self_test(tmp_path, "--config", str(config), "--wait", "0")
    assert done.stderr == ""
    assert done.returncode == int(absent)
    assert ("faulty: the display" in done.stdout) == absent
