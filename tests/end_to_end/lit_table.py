"""A table with a lit chamber in numbers: both real ends, a line between them that does harm.

Time is virtual. The Pi's end is `pi_app.devices.chamber`, the chamber's end the firmware, under
CPython or in a MicroPython process. Between the desk (which records throws) and the chamber lies
a line that drops, flips, cuts, splices, doubles and delays; it never reorders.
"""

from __future__ import annotations

import random
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from firmware.chamber import TICKS_MASK, Dice, Dome, led_mask
from firmware.link import Link as ChamberLink
from pi_app.devices import chamber
from pi_app.devices.chamber import Conversation, Exchange
from pi_app.model.events import ChamberPress, ChamberRolled, Event, Wishes
from tests.firmware.interpreter import micropython

STEP_MS = 10
REST_MS = 200  # no frame of a tumble, dark blink or test lasts so long
PLENTY = 10**6
MAIN = Path(__file__).parents[2] / "firmware" / "main.py"  # only MicroPython can import it
VERSION = re.findall(r'^VERSION = b"(.+)"$', MAIN.read_text(), re.M)[0].encode()


class Chamber(Protocol):
    """One chamber since its start."""

    def step(self, now: int, down: bool, room: int, data: bytes) -> tuple[bytes, int, bool]:
        """Give it time, dome and what came; take what it says, its lights, if it has a session."""


class Local:
    """The firmware's pure modules under CPython; alone it throws sixes."""

    def __init__(self, seed: int, now: int) -> None:
        self.dice = Dice(lambda: 5)
        self.dome = Dome(False)
        self.link = ChamberLink(self.dice, VERSION + b" e661", b"%08x" % seed, now)

    def step(self, now: int, down: bool, room: int, data: bytes) -> tuple[bytes, int, bool]:
        for byte in data:
            self.link.take(byte, now)
        self.link.update(now, self.dome.update(now, down))
        out, self.link.unsent = self.link.unsent[:room], self.link.unsent[room:]
        return out, self.dice.update_lights(now), self.link.is_connected


class Interpreter:
    """The whole firmware with its main.py, in a MicroPython process."""

    def __init__(self) -> None:
        command = micropython("serve", "tests/firmware/metal.py")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().split()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()


class Served:
    """One start of the chamber in a MicroPython process."""

    def __init__(self, interpreter: Interpreter, seed: int, now: int) -> None:
        self._interpreter = interpreter
        assert interpreter.ask(f"restart {seed} {now}") == ["restarted"]

    def step(self, now: int, down: bool, room: int, data: bytes) -> tuple[bytes, int, bool]:
        answer = self._interpreter.ask(f"{now} {int(down)} {room} {data.hex()}")
        return bytes.fromhex(answer[0].replace("-", "")), int(answer[1]), answer[2] == "1"


class Wire:
    """One direction of the line. `harm` is the chance that a chunk is harmed."""

    def __init__(self, draw: random.Random, harm: float) -> None:
        self._draw = draw
        self.harm = harm
        self._waiting = b""
        self.held_until = 0

    def put(self, data: bytes, now: int) -> None:
        if data and self._draw.random() < self.harm:
            data = self._harmed(data, now)
        self._waiting += data

    def take(self, now: int) -> bytes:
        if now < self.held_until:
            return b""
        data, self._waiting = self._waiting, b""
        return data

    def lose(self) -> None:
        self._waiting = b""

    def _harmed(self, data: bytes, now: int) -> bytes:
        at = self._draw.randrange(len(data))
        to = self._draw.randrange(at, len(data))
        match self._draw.choice(("drop", "flip", "cut", "splice", "double", "delay")):
            case "drop":
                return b""
            case "flip":
                return data[:at] + bytes([data[at] ^ 1 << self._draw.randrange(8)]) + data[at + 1 :]
            case "cut":
                return data[:at]
            case "splice":
                return data[:at] + data[to:]
            case "double":
                return data + data
            case _:
                self.held_until = now + self._draw.randrange(2500)
                return data


@dataclass(frozen=True)
class Recorded:
    """A throw in the desk's journal; key is how many rows there were before it."""

    key: int
    faces: tuple[int, ...]
    boot: str | None = None
    n: int | None = None


@dataclass
class Desk:
    """What the session does, as far as the chamber is concerned. Its journal outlives it."""

    journal: list[Recorded | str] = field(default_factory=list)
    shown: tuple[int, ...] = ()
    held: bool = False
    tests: int = 0

    def wishes(self, mode: str) -> Wishes:
        seat = None if self.shown or self.held else len(self.journal) % 4
        return Wishes(
            len(self.journal),
            "roll" if mode == "roll" else "press",
            2,
            self.shown,
            len(self.throws()) if self.shown else 0,
            seat,
            self.tests,
        )

    def throws(self) -> list[Recorded]:
        return [row for row in self.journal if isinstance(row, Recorded)]

    def throw(
        self, own: tuple[int, ...] = (), boot: str | None = None, n: int | None = None
    ) -> None:
        """Record a throw, then show it. Throws follow each other through 25 pairs without a six."""
        count = len(self.throws())
        faces = own or (count // 5 % 5 + 1, count % 5 + 1)
        self.journal.append(Recorded(len(self.journal), faces, boot, n))
        self.shown = faces

    def choose(self) -> None:
        """The play is made: the next throw may come."""
        if self.shown:
            self.journal.append("chosen")
            self.shown = ()

    def take(self, event: ChamberPress | ChamberRolled) -> None:
        known = {(row.boot, row.n) for row in self.throws()}
        if (event.boot, event.n) in known:
            return
        if event.arm == len(self.journal) and not self.shown and not self.held:
            own = event.faces if isinstance(event, ChamberRolled) else ()
            self.throw(own, event.boot, event.n)

    def again(self) -> Desk:
        """The desk after the Pi's restart: the journal says what is shown."""
        last = self.journal[-1] if self.journal else ""
        shown = last.faces if isinstance(last, Recorded) else ()
        return Desk(self.journal, shown, tests=self.tests)


class LitTable:
    """Both ends, the line between them, and what somebody saw who watched both."""

    def __init__(self, seed: int, harm: float, interpreter: Interpreter | None, mode: str) -> None:
        self.draw = random.Random(seed)
        self.mode = mode
        self.now = TICKS_MASK - 20_000  # the chamber's clock wraps early in the run
        self.interpreter = interpreter
        self.to_chamber = Wire(self.draw, harm)
        self.to_pi = Wire(self.draw, harm)
        self.desk = Desk()
        self.inbox: list[tuple[int, Event]] = []
        self.starts = 0
        self.down_until = 0
        self.dome_presses = 0
        self.room_from = 0
        # What was watched:
        self.arms: dict[tuple[str, int], int] = {}
        self.made: dict[tuple[str, int], tuple[str, int]] = {}
        self.boot = self.session = ""
        self.lights = 0
        self.since = 0
        self.rested = 0
        self._heard = b""
        self.start_chamber()
        self.start_pi()

    @property
    def seconds(self) -> float:
        return self.now / 1000

    def fresh(self) -> str:
        return f"{self.draw.getrandbits(32):08x}"

    def start_chamber(self) -> None:
        self.starts += 1
        ticks = self.now & TICKS_MASK
        self.chamber: Chamber = (
            Served(self.interpreter, self.starts, ticks)
            if self.interpreter
            else Local(self.starts, ticks)
        )
        self.session = "-"

    def start_pi(self) -> None:
        self.desk = self.desk.again()
        self.inbox.clear()
        self.rest = b""
        self.talk = Conversation(self.fresh(), self.seconds, self.desk.wishes(self.mode))

    def reopen(self) -> None:
        """The port goes away with what is under way, and comes back."""
        self.to_chamber.lose()
        self.to_pi.lose()
        self.rest = b""
        self.talk = chamber.greet(self.talk, self.fresh(), self.seconds)

    def press(self) -> None:
        if self.now >= self.down_until + 60:
            self.down_until = self.now + 80
            self.dome_presses += 1

    def step(self) -> None:
        """Ten milliseconds."""
        self.now += STEP_MS
        self._pi()
        self._chamber()

    def _pi(self) -> None:
        self._carry_out(chamber.tick(self.talk, self.seconds, self.fresh()))
        part = chamber.split_input(self.rest, self.to_pi.take(self.now))
        self.partial_line = part.partial_line
        for body in part.bodies:
            self._carry_out(chamber.receive(self.talk, body, self.seconds, self.fresh()))
        due = [event for at, event in self.inbox if at <= self.now]
        self.inbox = [(at, event) for at, event in self.inbox if at > self.now]
        for event in due:
            if isinstance(event, ChamberPress | ChamberRolled):
                self.desk.take(event)
                self.wish()
                self._carry_out(chamber.acknowledge(self.talk, event.n, self.seconds))
        self.wish()

    def wish(self) -> None:
        wishes = self.desk.wishes(self.mode)
        if wishes != self.talk.wishes:
            self._carry_out(chamber.take_wishes(self.talk, wishes, self.seconds))

    def _carry_out(self, turn: Exchange) -> None:
        self.talk = turn.conversation
        for line in turn.lines:
            if line.startswith(b"$ARM"):
                self.arms[self.talk.session, int(line.split()[1])] = self.talk.arm[1]
            self.to_chamber.put(line, self.now)
        delay = self.draw.choice((0, 0, 20, 300))
        self.inbox += [(self.now + delay, event) for event in turn.events]

    def _chamber(self) -> None:
        down = self.now < self.down_until
        room = 0 if self.now < self.room_from else PLENTY
        data = self.to_chamber.take(self.now)
        out, lights, up = self.chamber.step(self.now & TICKS_MASK, down, room, data)
        self._watch_lines(out)
        self._watch_lights(lights, up)
        self.to_pi.put(out, self.now)

    def _watch_lines(self, out: bytes) -> None:
        """Note what the chamber says before the line harms it."""
        *ended, self._heard = (self._heard + out).split(b"\n")
        for line in ended:
            words = line[1:-5].decode().split()
            if words[0] == "HELLO":
                self.boot, self.session = words[4], words[5]
            if words[0] in ("PRESS", "ROLLED"):
                self._watch_press(int(words[1]), int(words[2]))

    def _watch_lights(self, lights: int, up: bool) -> None:
        """What rests on the dice while the line is up is a throw of the journal, or TEST's line.

        Two dice have at least two lines lit, TEST lights one.
        """
        if lights != self.lights:
            self.lights, self.since = lights, self.now
        if up and lights.bit_count() > 1 and self.now - self.since >= REST_MS:
            self.rested += 1
            recent = [led_mask(row.faces) for row in self.desk.throws()[-25:]]
            assert lights in recent, f"{lights:08b} is in no journal"

    def _watch_press(self, n: int, arm: int) -> None:
        made = (self.session, arm)
        assert self.made.setdefault((self.boot, n), made) == made, "one press under two ARMs"
        assert len(self.made) <= self.dome_presses, "more presses than anybody made"

    def judge_journal(self) -> None:
        """Every recorded press was made once, under the ARM for that very moment of the game."""
        pressed = [row for row in self.desk.throws() if row.boot is not None]
        pairs = [(row.boot or "", row.n or 0) for row in pressed]
        assert len(set(pairs)) == len(pairs), "a press is recorded twice"
        for row, pair in zip(pressed, pairs, strict=True):
            assert self.arms[self.made[pair]] == row.key, (row, self.made[pair])


def _choose(table: LitTable) -> None:
    table.desk.choose()


def _other_dome(table: LitTable) -> None:
    """The dome on GPIO, or typed dice."""
    if not table.desk.shown and not table.desk.held:
        table.desk.throw()


def _menu(table: LitTable) -> None:
    table.desk.held = not table.desk.held


def _test_lights(table: LitTable) -> None:
    table.desk.tests += 1


def _stall(table: LitTable) -> None:
    table.room_from = table.now + table.draw.randrange(6000)


def _away(table: LitTable) -> None:
    """Nothing gets through for a while: long enough to be alone now and then."""
    table.to_chamber.held_until = table.to_pi.held_until = table.now + table.draw.randrange(6000)


def _restart_chamber(table: LitTable) -> None:
    """Half of the resets take the port away at once, half are only seen by what is said."""
    table.start_chamber()
    if table.draw.random() < 0.5:
        table.reopen()


EVENTS = {
    LitTable.press: 30,
    _choose: 30,
    _other_dome: 3,
    _menu: 4,
    _test_lights: 1,
    _stall: 1,
    _away: 1,
    LitTable.start_pi: 1,
    _restart_chamber: 1,
    LitTable.reopen: 1,
}


def happen(table: LitTable, events: int) -> None:
    """Let things happen, one every 200 ms or so: fingers, menus, restarts at any point."""
    happenings, weights = list(EVENTS), list(EVENTS.values())
    for happening in table.draw.choices(happenings, weights, k=events):
        happening(table)
        for _ in range(table.draw.randrange(40)):
            table.step()
