"""The link's thread at a real port: a pseudo-terminal, with a script or MicroPython behind it."""

import errno
import logging
import os
import select
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread

import pytest

from firmware.chamber import led_mask
from pi_app.devices.chamber import ALONE, HI_S, REFUSED, REFUSED_TEXT, SILENT, refusal_notice
from pi_app.devices.link import CHAMBER_MISSING, MESSAGE_BY_ERRNO, REOPEN_PAUSE_S, ChamberLink
from pi_app.model.events import ChamberLine, ChamberPress, Event, Notice, Wishes
from pi_app.model.screens import Message
from pi_app.simulate.simulation import VirtualClock
from tests.end_to_end.lit_table import Interpreter, Served
from tests.pi_app.devices.gadget import Gadget, Pump, wait_for

ARMED = Wishes(key=7, seat=0)
THROWN = Wishes(key=8, faces=(5, 3), throw=1)


class Inbox:
    """What the link has posted."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[Event] = SimpleQueue()
        self.events: list[Event] = []

    def all(self) -> list[Event]:
        while not self.queue.empty():
            self.events.append(self.queue.get())
        return self.events

    def presses(self) -> list[ChamberPress]:
        return [event for event in self.all() if isinstance(event, ChamberPress)]

    def notices(self) -> list[Message | None]:
        """The lines that have stood on the panel, the newest last."""
        return [event.text for event in self.all() if isinstance(event, Notice)]

    def notice(self) -> Message | None:
        """The line that stands on the panel."""
        notices = self.notices()
        return notices[-1] if notices else None

    def up(self) -> bool:
        lines_up = [event.up for event in self.all() if isinstance(event, ChamberLine)]
        return bool(lines_up) and lines_up[-1]


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def link(tmp_path: Path, inbox: Inbox) -> Iterator[ChamberLink]:
    link = ChamberLink(inbox.queue.put, serial_folder=tmp_path)
    link.start()
    yield link
    link.close()
    assert not link.thread.is_alive()


@pytest.fixture
def interpreter() -> Iterator[Interpreter]:
    interpreter = Interpreter()
    yield interpreter
    interpreter.close()


@pytest.fixture
def gadget(tmp_path: Path) -> Gadget:
    return Gadget(tmp_path)


def accept(gadget: Gadget, command: str) -> None:
    """Wait for the next command of this kind, which is this one, and answer OK."""
    word, seq, *_ = command.split()
    assert gadget.expect(f"{word} ") == command
    gadget.send(f"OK {seq}")


def join(gadget: Gadget, boot: str = "b007b007", alone: int = 0) -> None:
    """Answer the greeting and the first command."""
    session = gadget.expect("HI 1 ").split()[2]
    gadget.send(f"HELLO 1 0.2.0 e661 {boot} {session} {alone}")
    accept(gadget, "MODE 1 press 2")


@pytest.mark.micropython
def test_a_whole_throw_with_micropython_at_the_other_end(
    tmp_path: Path, inbox: Inbox, link: ChamberLink, interpreter: Interpreter
) -> None:
    pump = Pump(Gadget(tmp_path), Served(interpreter, 1, 0))
    link.set_wishes(ARMED)
    pump.run(inbox.up)
    pump.run(lambda: link.conversation.state.arm is not None)
    pump.down = True
    pump.run(inbox.presses)
    assert [press.arm for press in inbox.presses()] == [7]
    link.set_wishes(THROWN)
    link.acknowledge(inbox.presses()[0].n)
    pump.down = False
    pump.run(lambda: pump.lights == led_mask((5, 3)))
    pump.run(lambda: link.conversation.state.arm == (0, -1))
    assert len(inbox.presses()) == 1
    assert inbox.notice() is None
    # The Pico is reset: another boot, and what is wished is told anew.
    pump.chamber = Served(interpreter, 2, 0)
    pump.run(lambda: pump.lights == 0)
    pump.run(lambda: pump.lights == led_mask((5, 3)))


@pytest.mark.micropython
def test_a_chamber_that_was_alone_is_told_on_the_panel_and_put_out(
    tmp_path: Path, inbox: Inbox, link: ChamberLink, interpreter: Interpreter
) -> None:
    pump = Pump(Gadget(tmp_path), Served(interpreter, 1, 0))
    link.set_wishes(ARMED)
    pump.run(lambda: link.conversation.state.arm is not None)
    pump.down = True
    pump.ahead = 3000  # it has heard nothing for 3 s: this press is a popper's
    pump.step(hears=False)
    pump.ahead += 700
    pump.run(lambda: ALONE in inbox.notices())
    assert inbox.presses() == []
    pump.run(lambda: pump.lights == 0 and link.conversation.state.arm is not None)
    pump.down = False
    pump.ahead += 100
    pump.step()
    pump.down = True
    pump.run(inbox.presses)


class Patience:
    """select.select, whose waits time does not end while `endless` is set."""

    def __init__(self) -> None:
        self.endless = False
        self.waiting = False

    def __call__(
        self, reading: list[int], writing: list[int], failing: list[int], seconds: float
    ) -> tuple[list[int], list[int], list[int]]:
        ready = select.select(reading, writing, failing, 0 if self.endless else seconds)
        while self.endless and not any(ready):
            self.waiting = True
            ready = select.select(reading, writing, failing, 0.01)
        self.waiting = False
        return ready

    def begin(self) -> None:
        """From now on only what happens ends a wait, and one has begun."""
        self.endless = True
        wait_for(lambda: self.waiting)


@pytest.fixture
def patience() -> Patience:
    return Patience()


@pytest.fixture
def patient(tmp_path: Path, inbox: Inbox, patience: Patience) -> Iterator[ChamberLink]:
    link = ChamberLink(inbox.queue.put, serial_folder=tmp_path, wait=patience)
    link.start()
    yield link
    patience.endless = False
    link.close()


def test_a_wish_and_a_got_go_out_at_once_and_not_when_something_is_due(
    gadget: Gadget, inbox: Inbox, patient: ChamberLink, patience: Patience
) -> None:
    patient.set_wishes(ARMED)
    join(gadget)
    accept(gadget, "BLANK 2")
    accept(gadget, "ARM 3 1")
    gadget.send("PRESS 1 3")
    wait_for(inbox.presses)
    patience.begin()
    patient.set_wishes(THROWN)
    assert gadget.expect("SHOW ", within=10.0) == "SHOW 4 5 3"
    wait_for(lambda: patience.waiting)
    patient.acknowledge(1)
    assert gadget.expect("GOT ", within=10.0) == "GOT 1"


def test_of_what_the_chamber_says_the_log_tells_what_it_refuses(
    gadget: Gadget, inbox: Inbox, link: ChamberLink, caplog: pytest.LogCaptureFixture
) -> None:
    join(gadget)
    accept(gadget, "BLANK 2")
    gadget.expect("HOLD 3")
    gadget.send("NO 3 not now")
    wait_for(inbox.notice)
    assert inbox.notice() == refusal_notice("HOLD")
    assert caplog.messages == ["the chamber refused a command: NO 3 not now"]


def test_the_log_says_once_for_each_plugging_in_that_the_chamber_is_refused(
    gadget: Gadget, inbox: Inbox, link: ChamberLink, caplog: pytest.LogCaptureFixture
) -> None:
    for times in (1, 2):
        for _ in range(2):
            gadget.expect("HI 1 ")
            gadget.send("HELLO 2 whatever it may say")
        wait_for(lambda: inbox.notice() == REFUSED)
        gadget.unplug()
        wait_for(lambda: inbox.notice() == CHAMBER_MISSING)
        gadget.plug()
        assert caplog.messages == [REFUSED_TEXT] * times


def test_of_our_protocol_the_log_says_nothing(
    gadget: Gadget, inbox: Inbox, link: ChamberLink, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    join(gadget)
    accept(gadget, "BLANK 2")
    assert caplog.messages == []


def test_to_close_it_does_not_wait_for_what_is_due(
    gadget: Gadget, inbox: Inbox, patience: Patience
) -> None:
    link = ChamberLink(inbox.queue.put, str(gadget.path), wait=patience)
    link.start()
    join(gadget)
    accept(gadget, "BLANK 2")
    gadget.expect("HOLD ")
    patience.begin()
    closing = Thread(target=link.close)
    closing.start()
    closing.join(10)
    woken = not closing.is_alive()
    patience.endless = False
    closing.join()
    assert woken


def test_with_no_chamber_the_panel_says_so(inbox: Inbox, link: ChamberLink) -> None:
    wait_for(lambda: inbox.notice() == CHAMBER_MISSING)
    assert not inbox.up()


@pytest.mark.slow
def test_unplugged_and_plugged_in_again_it_comes_back(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    """Under another terminal's name too: the folder by id has the name that lasts."""
    link.set_wishes(THROWN)
    for _ in range(3):
        join(gadget)
        accept(gadget, "SHOW 2 5 3")
        wait_for(inbox.up)
        gadget.unplug()
        wait_for(lambda: inbox.notice() == CHAMBER_MISSING)
        assert not inbox.up()
        gadget.plug()
        gadget.expect("HI 1 ")


def test_what_it_waits_for_until_it_comes_back_is_less_than_2_s() -> None:
    """Until it looks for the port again, and until it may greet again."""
    assert REOPEN_PAUSE_S + HI_S < 2.0


def test_a_press_s_line_is_answered_by_its_show_line(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    link.set_wishes(ARMED)
    join(gadget)
    accept(gadget, "BLANK 2")
    accept(gadget, "ARM 3 1")
    gadget.send("PRESS 1 3", "PRESS 1 3")
    wait_for(inbox.presses)
    link.set_wishes(THROWN)
    link.acknowledge(1)
    assert gadget.expect("SHOW ") == "SHOW 4 5 3"
    gadget.expect("GOT 1")
    gadget.send("OK 4", "PRESS 1 3")
    gadget.expect("GOT 1")
    assert len(inbox.presses()) == 1


def test_noise_half_lines_and_spliced_lines_are_dropped(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    link.set_wishes(ARMED)
    join(gadget)
    accept(gadget, "BLANK 2")
    gadget.expect("ARM 3 1")
    gadget.send_bytes(b"\x00\xff$OK 3*\n$OK $PRE$PRESS 9 3*0000\r\nTraceback (most recent call")
    gadget.send("OK 3", "PRESS 1 3")
    wait_for(inbox.presses)
    assert [press.n for press in inbox.presses()] == [1]
    assert link.dropped_line_count == 6


@pytest.mark.slow
def test_another_gadget_on_the_port_is_one_line_on_the_panel(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    gadget.send_bytes(b"GPS $GPGGA,123519,4807.038,N*47\r\n>>> ")
    wait_for(lambda: inbox.notice() == SILENT)
    assert not inbox.up()


@pytest.mark.slow
def test_of_two_boards_the_one_that_answers_is_taken(
    tmp_path: Path, inbox: Inbox, link: ChamberLink
) -> None:
    mute = Gadget(tmp_path, "usb-MicroPython_a")
    chamber = Gadget(tmp_path, "usb-MicroPython_b")
    join(chamber)
    wait_for(inbox.up)
    mute.unplug()


@pytest.mark.slow
def test_a_gadget_that_stops_reading_delays_nobody(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    join(gadget)
    wait_for(inbox.up)
    gadget.fill()
    for key in range(1000):
        link.set_wishes(Wishes(key=key, seat=0))
        link.acknowledge(key + 1)  # if it waited for the gadget, it would wait for ever
    wait_for(lambda: not inbox.up())
    assert link.thread.is_alive()
    gadget.read()
    while gadget.read():
        pass
    join(gadget)
    wait_for(inbox.up)


def test_an_old_boot_s_hello_is_answered_by_a_new_session(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    join(gadget)
    wait_for(inbox.up)
    gadget.send("HELLO 1 0.2.0 e661 0badcafe - 0")
    assert gadget.expect("HI 1 ").split()[2] == link.conversation.session
    join(gadget, boot="0badcafe", alone=1)
    wait_for(lambda: inbox.notice() == ALONE)


def test_a_port_that_somebody_has_is_said_to_be_in_use(
    gadget: Gadget, inbox: Inbox, link: ChamberLink
) -> None:
    gadget.expect("HI 1 ")
    other = Inbox()
    second = ChamberLink(other.queue.put, str(gadget.path))
    second.start()
    wait_for(lambda: other.notice() == MESSAGE_BY_ERRNO[errno.EAGAIN])
    second.close()
    assert link.thread.is_alive()


def test_closed_it_leaves_the_port_and_says_no_more(tmp_path: Path, inbox: Inbox) -> None:
    gadget = Gadget(tmp_path)
    link = ChamberLink(inbox.queue.put, str(gadget.path))
    link.start()
    join(gadget)
    open_files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    link.close()
    assert len(os.listdir("/proc/self/fd")) < open_files  # noqa: PTH208
    gadget.read()
    assert gadget.read(0.1) == b""


def test_closed_before_it_was_started_nothing_is_left(inbox: Inbox) -> None:
    ChamberLink(inbox.queue.put).close()


def test_whatever_goes_wrong_in_the_thread_the_line_begins_anew(tmp_path: Path) -> None:
    gadget, inbox = Gadget(tmp_path), Inbox()
    faults = [RuntimeError("once")]

    def put(event: Event) -> None:
        if isinstance(event, ChamberLine) and faults:
            raise faults.pop()
        inbox.queue.put(event)

    link = ChamberLink(put, serial_folder=tmp_path)
    link.start()
    join(gadget)
    wait_for(lambda: inbox.notice() == CHAMBER_MISSING)
    link.set_wishes(ARMED)
    join(gadget)
    accept(gadget, "BLANK 2")
    gadget.expect("ARM ")
    wait_for(inbox.up)
    link.close()


def test_a_chamber_that_gives_another_reason_each_time_is_logged_once_a_minute(
    gadget: Gadget, inbox: Inbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = VirtualClock()
    link = ChamberLink(inbox.queue.put, serial_folder=tmp_path, clock=clock)
    for second in range(200):
        clock.now = float(second)
        link._log_refusal(f"NO {second} reason {second}")
    link.close()
    assert caplog.messages == [
        f"the chamber refused a command: NO {n} reason {n}" for n in (0, 60, 120, 180)
    ]


def test_a_thread_that_is_stuck_does_not_hold_up_the_end(inbox: Inbox, gadget: Gadget) -> None:
    let_go, stuck = Flag(), Flag()

    def hang(*what: object) -> tuple[list[int], list[int], list[int]]:
        stuck.set()
        let_go.wait(60.0)
        return [], [], []

    link = ChamberLink(inbox.queue.put, str(gadget.path), wait=hang, join_s=0.01)
    link.start()
    assert stuck.wait(60.0)
    with pytest.raises(TimeoutError, match="has not ended"):
        link.close()
    let_go.set()
    wait_for(lambda: not link.thread.is_alive())
    link.close()
