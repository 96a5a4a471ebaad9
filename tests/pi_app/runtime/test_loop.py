"""The loop: record before show, one commit a press, and nothing that goes wrong ends it."""

from collections.abc import Iterator
from threading import Thread

import pytest

from pi_app.model.events import Button, Down, Edge, PartChecked, Setup, Tick
from pi_app.model.history import Row
from pi_app.model.screens import BoardScreen, Pattern, QrScreen, Screen
from pi_app.record.trouble import JournalError
from pi_app.runtime.debounce import CLOSED_S, Contact
from pi_app.runtime.dice import Dice
from pi_app.runtime.loop import App, Output
from pi_app.settings.settings import PLAYERS, Player
from pi_app.simulate.simulation import VirtualClock
from pi_app.table.session import Reply, new_session
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from tests.pi_app.sitting import notice_of
from tests.pi_app.table.session_reader import parse_session

A_OK, C_OK, DOME = 1, 2, 3
POWER = Button(None, "power")
BUTTONS = {A_OK: Button(0, "ok"), C_OK: Button(2, "ok"), DOME: Button(None, "dome")}


class Bench:
    """An app whose every part tells, in order, what it was asked to do."""

    def __init__(self, *faces: int, setup: Setup | None = None) -> None:
        left = iter(faces)
        self.told: list[str] = []
        self.faults: list[Exception] = []
        self.broken_disk = False
        self.failing_s = 0.0  # how long the broken disk takes to fail
        self.waiting: list[Row] = []
        self.levels = dict.fromkeys(BUTTONS, 1)
        self.clock = VirtualClock()
        self.outputs: list[Output] = [Shown(self)]
        self.app = App(
            session=new_session(setup or Setup()),
            contacts={pin: Contact(button) for pin, button in BUTTONS.items()},
            read_pins=lambda: [
                Edge(pin, level, self.clock.now) for pin, level in self.levels.items()
            ],
            presses_arrive=lambda: True,
            commit=self.record,
            keep_in_memory=lambda reply: self.waiting.extend(reply.rows),
            save_waiting_rows=self.save,
            finish_commit=lambda reply: self.told.append("settle"),
            dice=Dice("simulated", lambda sides: self.draw(left)),
            clock=self.clock,
            outputs=self.outputs,
            report_error=self.faults.append,
        )
        self.app.process(Tick(0.0))
        self.told.clear()

    def record(self, reply: Reply) -> None:
        self.try_disk()
        self.told += [f"record {row.entry!s}" for row in reply.rows]

    def save(self) -> None:
        self.try_disk()
        self.told.append(f"save {', '.join(str(row.entry) for row in self.waiting)}")
        self.waiting.clear()

    def try_disk(self) -> None:
        if self.broken_disk:
            self.told.append("fail")
            self.clock.now += self.failing_s
            raise JournalError("the disk is full: free some space", "disk-full")

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
        while (due := self.app.next_tick_at()) is not None and due <= end:
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
        self.notice = notice_of(reply)
        self.bench.told.append(f"show {headline(reply.screen)}")
        return None


def headline(content: Screen) -> str:
    screen = word_screen(content, ENGLISH)
    assert not isinstance(screen, QrScreen | Pattern)
    return screen.heading if isinstance(screen, BoardScreen) else screen.title


@pytest.fixture
def bench() -> Bench:
    return Bench(5, 3, 2, 1, 6, 4)


def test_a_confirmed_action_is_recorded_before_it_is_shown(bench: Bench) -> None:
    bench.begin()
    bench.edge(DOME, 0)
    assert bench.told == []
    bench.wait(CLOSED_S)
    shown = ["draw", "draw", "record throw 5 3", "show A throws", "settle"]
    assert bench.told == [*shown, "show A throws"]  # of the press, then of the time


def test_a_spark_is_no_press(bench: Bench) -> None:
    bench.begin()
    bench.edge(DOME, 0)
    bench.wait(0.000_05)
    bench.edge(DOME, 1)
    bench.wait(0.01)
    assert bench.told == []


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
    assert bench.told[-1] == "show The disk is full"
    bench.broken_disk = False
    bench.wait(1.0)
    bench.press(A_OK)
    bench.press(DOME)
    assert "record throw 5 3" in bench.told  # the dice that were drawn for it before
    assert bench.told.count("draw") == 2
    assert bench.waiting == []


def test_a_hold_that_can_not_be_recorded_did_not_happen_either() -> None:
    bench = Bench(setup=Setup(next_buttons=()))
    bench.press(A_OK)
    bench.press(C_OK)
    bench.broken_disk = True
    bench.press(A_OK, held=5.0)
    assert bench.app.session.record is None
    assert bench.told[-1] == "show The disk is full"


@pytest.fixture
def unsaved(bench: Bench) -> Bench:
    """A table that plays on unsaved, with A's first throw, 5 3, waiting."""
    bench.begin()
    bench.broken_disk = True
    bench.press(DOME)
    bench.wait(1.0)
    bench.press(A_OK, held=1.2)
    bench.press(DOME)
    assert [str(row.entry) for row in bench.waiting] == ["throw 5 3"]
    bench.wait(3.0)
    bench.told.clear()
    return bench


def test_what_waits_is_saved_before_the_next_press_is_taken_and_said_once(unsaved: Bench) -> None:
    unsaved.press(DOME)
    assert [str(row.entry) for row in unsaved.waiting] == ["throw 5 3", "throw 2 1"]
    unsaved.wait(3.0)
    unsaved.broken_disk = False
    unsaved.told.clear()
    unsaved.edge(DOME, 0)
    unsaved.wait(CLOSED_S)
    assert unsaved.told == [
        "save throw 5 3, throw 2 1",
        "draw",
        "draw",
        "record throw 6 4",
        "show A throws",
        "settle",
        "show A throws",
        "show A throws",
    ]
    assert shown(unsaved).notice == "saved-again"


def test_what_waits_is_tried_every_five_seconds_and_at_no_tick_between(unsaved: Bench) -> None:
    unsaved.wait(20.0)
    assert unsaved.told.count("fail") == 4
    unsaved.broken_disk = False
    unsaved.wait(5.0)
    assert "save throw 5 3" in unsaved.told
    assert unsaved.told.count("settle") == 1
    assert not unsaved.app.session.unsaved
    unsaved.told.clear()
    unsaved.wait(20.0)
    assert not any(line.startswith("save") for line in unsaved.told)


def test_a_disk_that_fails_slowly_takes_a_tenth_of_the_time_at_most(unsaved: Bench) -> None:
    unsaved.failing_s = 1.0
    began = unsaved.clock.now
    for _ in range(100):
        unsaved.press(C_OK)
    assert unsaved.told.count("fail") <= (unsaved.clock.now - began) / 10
    assert unsaved.told.count("fail") >= 2


def test_a_disk_that_runs_full_again_at_once_is_not_said_to_be_well(unsaved: Bench) -> None:
    def save() -> None:
        unsaved.waiting.clear()  # and there is no room for a row more

    unsaved.app.save_waiting_rows = save
    unsaved.press(DOME)
    assert [str(row.entry) for row in unsaved.waiting] == ["throw 2 1"]
    assert unsaved.app.session.unsaved
    assert shown(unsaved).notice != "saved-again"


def test_where_nothing_waits_yet_playing_on_unsaved_records_what_can_be_recorded(
    bench: Bench,
) -> None:
    bench.begin()
    bench.broken_disk = True
    bench.press(DOME)
    bench.wait(1.0)
    bench.press(A_OK, held=1.2)
    bench.broken_disk = False
    assert shown(bench).notice == "not-saved(fault-disk-full)"
    bench.press(DOME)
    assert "record throw 5 3" in bench.told
    assert bench.waiting == []
    assert shown(bench).notice == "saved-again"


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
    assert shown(bench).notice == "corrected-turn(A)"


def test_an_edge_that_was_lost_is_made_good_by_the_next_tick(bench: Bench) -> None:
    bench.begin()
    bench.levels[DOME] = 0  # nobody says so
    bench.app.process(Tick(bench.clock.now))
    bench.wait(CLOSED_S)
    assert "record throw 5 3" in bench.told


def test_an_output_is_called_again_when_it_asked_for_it(bench: Bench) -> None:
    calls: list[float] = []

    def blinking(reply: Reply, now: float) -> float | None:
        calls.append(now)
        return now + 0.25 if now < 0.5 else None

    bench.app.outputs = (blinking,)
    bench.app.process(Tick(0.0))
    bench.wait(59.0)
    assert calls == [0.0, 0.25, 0.5]


def test_run_decides_what_is_in_the_inbox_and_ends_when_told_to(bench: Bench) -> None:
    bench.app.inbox.put(Edge(A_OK, 0, 0.0))
    bench.app.inbox.put(Edge(A_OK, 1, 0.004))
    bench.app.stop()
    bench.app.run()
    assert bench.app.session.joined == (0,)


def test_stop_ends_a_table_that_waits_for_a_press(bench: Bench) -> None:
    deciding = Thread(target=bench.app.run)
    deciding.start()
    bench.app.stop()
    deciding.join(timeout=60.0)
    assert not deciding.is_alive()


def test_the_loop_beats_after_each_event_that_it_has_taken(bench: Bench) -> None:
    beats: list[int] = []
    bench.app.report_alive = lambda: beats.append(len(bench.told))
    bench.app.inbox.put(Edge(A_OK, 0, 0.0))
    bench.app.inbox.put(Edge(A_OK, 1, 0.004))
    bench.app.stop()
    bench.app.run()
    assert beats == [0, 1]


def test_run_ends_when_the_table_is_switched_off(bench: Bench) -> None:
    bench.app.session = new_session(Setup(requests=("power-off",)))
    for event in (Down(POWER, 0.0), Tick(3.1), Down(Button(0, "ok"), 3.2)):
        bench.app.inbox.put(event)
    bench.app.run()
    assert bench.told[-1] == "show Switching off"


def test_run_ends_when_no_more_presses_can_come(bench: Bench) -> None:
    bench.app.presses_arrive = lambda: False
    bench.app.run()
    assert bench.told == []


# What is told of faults.


def test_a_fault_that_repeats_is_told_once_until_it_changes_or_ends(bench: Bench) -> None:
    [shown] = bench.outputs
    assert isinstance(shown, Shown)
    shown.whole = False
    for _ in range(3):
        bench.press(A_OK)
    assert [repr(fault) for fault in bench.faults] == ["OSError('a wire is loose')"]
    shown.whole = True
    bench.press(A_OK)
    shown.whole = False
    bench.press(A_OK)
    assert len(bench.faults) == 2


def test_the_log_has_the_event_and_the_session_of_a_fault_without_players_names(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = PartChecked(None, 1.0)  # type: ignore[arg-type]
    bench.app.process(wrong)
    before = bench.app.session
    bench.app.session = before.set(PLAYERS[0], Player("LUC", "red"))
    bench.app.process(wrong)  # what was found before is looked through
    [logged] = [one.getMessage() for one in caplog.records if one.name == "pi_app.runtime.loop"]
    event, _, session = logged.removeprefix("the error came from ").partition(" in ")
    assert (event, parse_session(session)) == ("PartChecked(finding=None, t=1.0)", before)


def test_a_disk_that_takes_nothing_is_told_once_and_again_when_it_does(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    bench.begin()
    bench.broken_disk = True
    for _ in range(3):
        bench.press(DOME)
        bench.wait(1.0)
        bench.press(A_OK)  # try again
    bench.broken_disk = False
    bench.press(DOME)
    assert [record.getMessage() for record in caplog.records] == [
        "the disk is full: free some space",
        "writing to the journal works again",
    ]
