"""`referee chamber`: what one types, what one is told, and how dice are judged."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest

from pi_app.commands import UsageError
from pi_app.commands.chamber import ChamberConsole, parse_wishes, read_lines
from pi_app.devices.chamber import REFUSED_TEXT, SILENT, split_input
from pi_app.devices.link import CHAMBER_MISSING
from pi_app.input.events import Wishes
from pi_app.screens.screen import Message
from pi_app.texts.language import ENGLISH
from tests.end_to_end.lit_table import Local
from tests.pi_app.devices.gadget import Gadget, Pump, wait_for

pytestmark = pytest.mark.slow  # nearly each test starts a process


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def console(tmp_path: Path, said: list[str]) -> Iterator[ChamberConsole]:
    gadget = Gadget(tmp_path)
    console = ChamberConsole(str(gadget.path), said.append)
    console.gadget = gadget  # type: ignore[attr-defined]
    yield console
    console.close()


def gadget_of(console: ChamberConsole) -> Gadget:
    gadget = console.gadget  # type: ignore[attr-defined]
    assert isinstance(gadget, Gadget)
    return gadget


def seen(console: ChamberConsole, said: list[str]) -> list[str]:
    """What has been said by now."""
    console.print_events()
    return said


def join(console: ChamberConsole, said: list[str]) -> Gadget:
    gadget = gadget_of(console)
    session = gadget.expect("HI 1 ").split()[2]
    gadget.send(f"HELLO 1 0.2.0 e661 b007b007 {session} 2")
    for command in ("MODE 1", "BLANK 2", "HOLD 3"):
        gadget.expect(command)
        gadget.send(f"OK {command.split()[1]}")
    wait_for(lambda: seen(console, said))
    return gadget


def test_it_shows_who_answers_and_how_the_line_is(console: ChamberConsole, said: list[str]) -> None:
    join(console, said)
    assert said[0].startswith("firmware 0.2.0, board e661, boot b007b007, session ")
    wait_for(lambda: len(console.link.round_trips_s) == 3)
    said.clear()
    console.execute("status")
    assert "2 throws without the Pi, 0 lines dropped, 3 commands in this session" in said[0]
    assert said[0].endswith("(3 measured)")
    console.link.round_trips_s.clear()
    console.link.round_trips_s.extend((0.003, 0.0451, 0.0012))
    console.execute("status")
    assert said[1].endswith("\nround trip 3.0 ms, at most 45.1 ms (3 measured)")


def test_of_an_older_firmware_it_says_that_it_must_be_updated(console: ChamberConsole) -> None:
    gadget = gadget_of(console)
    gadget.send(f"HELLO 1 0.1.0 e661 b007b007 {gadget.expect('HI 1 ').split()[2]} 0")
    with pytest.raises(UsageError, match=re.escape(REFUSED_TEXT)):
        console.collect_throws(1)


def test_one_lights_tests_and_presses_by_hand(console: ChamberConsole, said: list[str]) -> None:
    gadget = join(console, said)
    for line, command in (("show 5 3", "SHOW 4 5 3"), ("test", "TEST 5"), ("blank", "BLANK 6")):
        console.execute(line)
        assert gadget.expect(command.split()[0]) == command
        gadget.send(f"OK {command.split()[1]}")
    console.execute("arm B")
    assert gadget.expect("ARM") == "ARM 7 2"
    gadget.send("OK 7", "PRESS 1 7")
    wait_for(lambda: "press 1" in seen(console, said))
    gadget.expect("GOT 1")


def test_a_line_that_says_nothing_is_answered_by_what_can_be_said(
    console: ChamberConsole, said: list[str]
) -> None:
    join(console, said)
    console.execute("show 7 3")
    assert said[-1].startswith("'show 7 3' is not one of these commands:\narm SEAT")


class Listened(Local):
    """A chamber, and the commands that reached it, each once and without its seq."""

    def __init__(self) -> None:
        super().__init__(1, 0)
        self._data = b""

    def step(self, now: int, down: bool, room: int, data: bytes) -> tuple[bytes, int, bool]:
        self._data += data
        return super().step(now, down, room, data)

    def commands(self) -> list[str]:
        bodies = [body.split(" ", 2) for body in split_input(b"", self._data).bodies]
        commands = {
            int(seq): " ".join((word, *rest))
            for word, seq, *rest in (body for body in bodies if len(body) > 1)
            if word not in ("HI", "GOT")
        }
        return list(commands.values())


def no_chamber(why: Message) -> str:
    return f"no chamber answers ({ENGLISH.say(why)}): plug it in, or name its port with --port"


JOINED = ["MODE press 2", "BLANK", "HOLD"]


def typed_at_once(console: ChamberConsole, text: str) -> list[str]:
    """What reaches the chamber when all this is in the pipe before anybody reads it."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    pump = Pump(gadget_of(console), Listened())
    with os.fdopen(reading) as source:
        talking = Thread(target=console.run, args=(source,))
        talking.start()
        pump.run(lambda: not talking.is_alive())
    assert isinstance(pump.chamber, Listened)
    return pump.chamber.commands()


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("show 5 3", ["SHOW 5 3"]),
        ("show 6", ["MODE press 1", "SHOW 6"]),
        ("show 5 3\nblank", ["SHOW 5 3", "BLANK"]),
        ("show 5 3\nshow 5 3", ["SHOW 5 3", "SHOW 5 3"]),
        ("show 5 3\narm A", ["SHOW 5 3", "ARM 1"]),
        ("test", ["TEST"]),
        ("test\ntest", ["TEST", "TEST"]),
        ("arm B", ["ARM 2"]),
        ("arm B\nhold", ["ARM 2", "HOLD"]),
        ("roll", ["MODE roll 2"]),
        ("roll\npress", ["MODE roll 2", "MODE press 2"]),
        ("show 1 1\nshow 2 2\narm D", ["SHOW 1 1", "SHOW 2 2", "ARM 4"]),
    ],
)
def test_each_line_of_a_pipe_reaches_the_chamber_in_its_turn(
    console: ChamberConsole, line: str, commands: list[str]
) -> None:
    assert typed_at_once(console, f"{line}\nquit\n") == JOINED + commands


def test_the_last_line_counts_without_its_end(console: ChamberConsole) -> None:
    assert typed_at_once(console, "\n  show 6 6  \r\ntest") == [*JOINED, "SHOW 6 6", "TEST"]


def test_what_comes_after_quit_is_not_done(console: ChamberConsole) -> None:
    assert typed_at_once(console, "blank\nquit\nshow 1 1\n") == JOINED


def test_status_in_a_pipe_is_of_the_chamber_that_answers(
    console: ChamberConsole, said: list[str]
) -> None:
    typed_at_once(console, "status\n")
    assert said[-1].startswith("firmware 0.2.0, board e661, boot 00000001, session ")


def test_lines_come_whole_however_they_are_cut_and_an_empty_one_where_none_comes() -> None:
    reading, writing = os.pipe()
    lines = read_lines(reading)
    os.write(writing, b"sho")
    assert next(lines) == ""
    os.write(writing, b"w 6\nhold\nte")
    assert [next(lines), next(lines), next(lines)] == ["show 6", "hold", ""]
    os.write(writing, b"st")
    os.close(writing)
    assert list(lines) == ["test"]
    os.close(reading)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "show 5 3\nquit\n"])
def test_a_board_that_never_answers_is_an_error(
    console: ChamberConsole, tmp_path: Path, text: str
) -> None:
    lines = tmp_path / "lines"
    lines.write_text(text)
    why = f"^{re.escape(no_chamber(SILENT))}$"
    with lines.open() as source, pytest.raises(UsageError, match=why):
        console.run(source)


@pytest.mark.parametrize(
    ("line", "wishes"),
    [
        ("arm A", Wishes(seat=0)),
        ("arm D", Wishes(seat=3)),
        ("hold", Wishes()),
        ("show 6", Wishes(dice=1, faces=(6,), throw=1)),
        ("show 6 1", Wishes(faces=(6, 1), throw=1)),
        ("test", Wishes(test=1)),
        ("roll", Wishes(mode="roll")),
        ("press", Wishes()),
    ],
)
def test_what_each_line_wishes(line: str, wishes: Wishes) -> None:
    assert parse_wishes(Wishes(), line.split()) == wishes


@pytest.mark.parametrize("line", ["arm", "arm E", "show", "show 1 2 3", "show 0", "sing", "test 1"])
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="is not one of these commands"):
        parse_wishes(Wishes(), line.split())


def test_a_chamber_s_own_dice_are_judged_by_their_presses(
    console: ChamberConsole, said: list[str]
) -> None:
    gadget = gadget_of(console)
    session = gadget.expect("HI 1 ").split()[2]
    gadget.send(f"HELLO 1 0.2.0 e661 b007b007 {session} 0")
    thrown: list[tuple[int, ...]] = []

    def roll(n: int, faces: str) -> None:
        while not (line := gadget.expect("")).startswith("ARM"):
            if line.split()[0] in ("MODE", "BLANK", "HOLD"):
                gadget.send(f"OK {line.split()[1]}")
        gadget.send(f"OK {line.split()[1]}", f"ROLLED {n} {line.split()[1]} {faces}")

    thread = Thread(target=lambda: thrown.extend(console.collect_throws(3)))
    thread.start()
    for n, faces in enumerate(("6 1", "3 3", "2 5"), start=1):
        roll(n, faces)
    thread.join()
    assert thrown == [(6, 1), (3, 3), (2, 5)]


def test_it_rolls_as_often_as_the_dome_is_pressed(console: ChamberConsole) -> None:
    pump = Pump(gadget_of(console), Listened())
    thrown: list[tuple[int, ...]] = []
    thread = Thread(target=lambda: thrown.extend(console.collect_throws(4)))
    thread.start()

    def done() -> bool:
        pump.down = int(monotonic() * 10) % 2 == 1  # whether it is armed or not
        return not thread.is_alive()

    pump.run(done)
    assert thrown == [(6, 6)] * 4


def test_the_command_judges_the_pi_s_dice_without_a_chamber() -> None:
    command = [sys.executable, "-m", "pi_app", "chamber", "--dice-test", "600"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("600 throws, 1200 dice\nface ")
    assert "\nchi-square " in done.stdout


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_number_of_throws_that_is_none_is_refused(count: str) -> None:
    command = [sys.executable, "-m", "pi_app", "chamber", f"--dice-test={count}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"write a number of throws, for example 6000, instead of {count!r}" in done.stderr


def referee_chamber(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pi_app", "chamber", *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("options", [(), ("--dice-test", "6000", "--roll")])
def test_without_a_chamber_it_says_so_and_fails(tmp_path: Path, options: tuple[str, ...]) -> None:
    with referee_chamber("--port", str(tmp_path / "none"), *options) as talk:
        _, error = talk.communicate("test\nquit\n", timeout=60)
    assert talk.returncode == 1
    assert error == f"referee: {no_chamber(CHAMBER_MISSING)}\n"


def test_lines_that_are_piped_into_the_command_reach_the_chamber(tmp_path: Path) -> None:
    chamber = Listened()
    pump = Pump(Gadget(tmp_path), chamber)
    with referee_chamber("--port", str(pump.gadget.path)) as talk:
        assert talk.stdin is not None
        talk.stdin.write("show 5 3\ntest\nquit\n")
        talk.stdin.flush()
        pump.run(lambda: talk.poll() is not None)
    assert talk.returncode == 0
    assert chamber.commands() == [*JOINED, "SHOW 5 3", "TEST"]
