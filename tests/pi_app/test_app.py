"""The loop: record before show, one commit a press, and nothing that goes wrong ends it."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import pytest

from pi_app.app import App, Output
from pi_app.dice import Dice
from pi_app.record.history import Row
from pi_app.record.trouble import JournalError
from pi_app.simulate.clock import VirtualClock
from pi_app.table.debounce import Contact
from pi_app.table.events import Button, Edge, Setup, Tick
from pi_app.table.screen import Screen, Table
from pi_app.table.session import Reply, new_session

A_OK, C_OK, DOME = 1, 2, 3
BUTTONS = {A_OK: Button(0, "ok"), C_OK: Button(2, "ok"), DOME: Button(None, "dome")}


class Bench:
    """An app whose every part tells, in order, what it was asked to do."""

    def __init__(self, *faces: int) -> None:
        left = iter(faces)
        self.told: list[str] = []
        self.faults: list[Exception] = []
        self.broken_disk = False
        self.levels = dict.fromkeys(BUTTONS, 1)
        self.clock = VirtualClock()
        self.outputs: list[Output] = [Shown(self)]
        self.app = App(
            session=new_session(Setup()),
            contacts={pin: Contact(button) for pin, button in BUTTONS.items()},
            read=lambda: [Edge(pin, level, self.clock.now) for pin, level in self.levels.items()],
            alive=lambda: True,
            record=self.record,
            settle=lambda reply: self.told.append("settle"),
            dice=Dice("test", lambda sides: self.draw(left)),
            clock=self.clock,
            outputs=self.outputs,
            fault=self.faults.append,
        )
        self.app.take(Tick(0.0))
        self.told.clear()

    def record(self, rows: tuple[Row, ...], reply: Reply) -> None:
        if self.broken_disk:
            raise JournalError("the disk is full: free some space", "disk full")
        self.told += [f"record {row.action}" for row in rows]

    def draw(self, faces: Iterator[int]) -> int:
        face = next(faces, None)
        if face is None:
            raise OSError("no die is left")
        self.told.append("draw")
        return face - 1

    def edge(self, pin: int, level: int) -> None:
        self.levels[pin] = level
        self.app.inbox.put(Edge(pin, level, self.clock.now))
        self.app.drain()

    def wait(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while (due := self.app.due()) is not None and due <= end:
            self.clock.now = max(due, self.clock.now)
            self.app.drain()
        self.clock.now = end

    def press(self, pin: int, held: float = 0.1) -> None:
        self.edge(pin, 0)
        self.wait(held)
        self.edge(pin, 1)
        self.wait(0.1)

    def begin(self) -> None:
        """Let A and C begin a game."""
        self.press(A_OK)
        self.press(C_OK)
        self.press(A_OK, held=1.2)
        self.told.clear()


class Shown:
    """An output that tells the first words of what it is shown, and works only if it is whole."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.whole = True
        self.notice = ""

    def __call__(self, reply: Reply, now: float) -> float | None:
        if not self.whole:
            raise OSError("a wire is loose")
        self.notice = reply.screen.notice
        self.bench.told.append(f"show {headline(reply.screen)}")
        return None


def headline(screen: Screen) -> str:
    return screen.heading if isinstance(screen, Table) else screen.title


@pytest.fixture
def bench() -> Bench:
    return Bench(5, 3, 2, 1, 6, 4)


def test_a_confirmed_action_is_recorded_before_it_is_shown(bench: Bench) -> None:
    bench.begin()
    bench.edge(DOME, 0)
    assert bench.told == ["draw", "draw", "record throw 5 3", "show A throws", "settle"]


def test_the_dice_are_drawn_at_the_press_and_not_before(bench: Bench) -> None:
    bench.begin()
    bench.wait(60.0)
    assert "draw" not in bench.told
    bench.press(DOME)
    assert bench.told.count("draw") == 2


def test_a_bouncing_contact_is_one_press(bench: Bench) -> None:
    bench.begin()
    for level in (0, 1, 0, 1, 0):
        bench.edge(DOME, level)
        bench.wait(0.002)
    assert [line for line in bench.told if line.startswith("record")] == ["record throw 5 3"]


def test_what_can_not_be_recorded_did_not_happen_and_is_said(bench: Bench) -> None:
    bench.begin()
    before = bench.app.session.record
    bench.broken_disk = True
    bench.press(DOME)
    assert bench.app.session.record == before
    assert shown(bench).notice == "NOT SAVED: disk full"
    bench.broken_disk = False
    bench.press(DOME)
    assert "record throw 2 1" in bench.told
    assert shown(bench).notice == ""


def shown(bench: Bench) -> Shown:
    [output] = [output for output in bench.outputs if isinstance(output, Shown)]
    return output


def test_an_output_that_fails_stops_neither_the_others_nor_the_game() -> None:
    bench = Bench(5, 3)
    loose = Shown(bench)
    loose.whole = False
    bench.app.outputs = (loose, *bench.outputs)
    bench.begin()
    bench.press(DOME)
    assert "record throw 5 3" in bench.told
    assert "show A throws" in bench.told
    assert {str(fault) for fault in bench.faults} == {"a wire is loose"}


def test_dice_that_fail_leave_the_game_as_it_was_and_the_table_deciding() -> None:
    bench = Bench(5)  # for two dice
    bench.begin()
    before = bench.app.session
    bench.press(DOME)
    assert bench.app.session.record == before.record
    assert [str(fault) for fault in bench.faults] == ["no die is left"]
    bench.press(C_OK)
    assert shown(bench).notice == "A's turn"


def test_an_edge_that_was_lost_is_made_good_by_the_next_tick(bench: Bench) -> None:
    bench.begin()
    bench.levels[DOME] = 0  # nobody says so
    bench.app.take(Tick(bench.clock.now))
    assert "record throw 5 3" in bench.told


def test_an_output_is_called_again_when_it_asked_for_it(bench: Bench) -> None:
    calls: list[float] = []

    def blinking(reply: Reply, now: float) -> float | None:
        calls.append(now)
        return now + 0.25 if now < 0.5 else None

    bench.app.outputs = (blinking,)
    bench.app.take(Tick(0.0))
    bench.wait(59.0)
    assert calls == [0.0, 0.25, 0.5]


def test_run_decides_what_is_in_the_inbox_and_ends_when_told_to(bench: Bench) -> None:
    bench.app.inbox.put(Edge(A_OK, 0, 0.0))
    bench.app.stop()
    bench.app.run()
    assert bench.app.session.joined == (0,)


def test_stop_ends_a_table_that_waits_for_a_press(bench: Bench) -> None:
    deciding = Thread(target=bench.app.run)
    deciding.start()
    bench.app.stop()
    deciding.join(timeout=60.0)
    assert not deciding.is_alive()


def test_run_ends_when_no_more_presses_can_come(bench: Bench) -> None:
    bench.app.alive = lambda: False
    bench.app.run()
    assert bench.told == []
