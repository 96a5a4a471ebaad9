"""The USB line to the lit chamber (pyserial), in a thread of its own that only posts events.

What is said on it is `pi_app.devices.chamber`'s.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import select
import termios
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any

import serial

from pi_app.devices import chamber
from pi_app.input.events import ChamberLine, Event, Wishes
from pi_app.input.parts import LinkState
from pi_app.logs import LastComplaints, RateLimit
from pi_app.screens.screen import Message, message

log = logging.getLogger(__name__)

SelectFunction = Callable[
    [list[int], list[int], list[int], float], tuple[list[Any], list[Any], list[Any]]
]

AUTO = "auto"
BY_ID = Path("/dev/serial/by-id")
PICO = "usb-MicroPython_*"  # the name that MicroPython's USB descriptor gives a board there

REOPEN_S = 0.5
WRITE_S = 0.05
JOIN_S = 1.0  # to leave a port takes a few milliseconds
CHAMBER_MISSING = message("chamber-missing")
MESSAGE_BY_ERRNO = {
    errno.EACCES: message("chamber-not-allowed"),
    errno.EAGAIN: message("chamber-port-in-use"),
}


class ChamberLink:
    """Talks with the lit chamber while there is one, and looks for it while there is none.

        link = Link(inbox.put)
        link.start()
        link.wish(Wishes(key=7, seat=0))

    put: takes each event. port: the device's path, or "auto" for a MicroPython board in `by_id`.
    clock: monotonic seconds. wait: waits for bytes, for `wish`, `got` and `close`, or for time.
    `wish` and `got` return at once and may be called from any one thread. To look at: `talk`, the
    conversation as it is; `dropped`, how much was no good line; `trips`, seconds from each command
    to its answer.
    """

    def __init__(
        self,
        put: Callable[[Event], None],
        port: str = AUTO,
        *,
        by_id: Path = BY_ID,
        clock: Callable[[], float] = time.monotonic,
        wait: SelectFunction = select.select,
        join_s: float = JOIN_S,
    ) -> None:
        self._join_s = join_s
        self._put = put
        self._port = port
        self._by_id = by_id
        self._clock = clock
        self._wait = wait
        self._wishes = Wishes()
        self._got: deque[int] = deque()
        self._closing = Flag()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = Thread(target=self._run, name="chamber", daemon=True)
        self._turn = 0
        self._rest = b""
        self._complaints = LastComplaints()
        self._rate_limit = RateLimit()
        self.talk = chamber.Conversation(secrets.token_hex(4), clock())
        self.dropped = 0
        self.trips: deque[float] = deque(maxlen=100)

    def start(self) -> None:
        """Begin to look for the chamber."""
        self._thread.start()

    def wish(self, wishes: Wishes) -> None:
        """What the chamber should do now; a wish that is not yet said gives way to it."""
        self._wishes = wishes
        self._wake()

    def got(self, n: int) -> None:
        """The posted press n is recorded, or counts for nothing. The wishes after it come first."""
        self._got.append(n)
        self._wake()

    @property
    def alive(self) -> bool:
        """Whether the thread still works."""
        return self._thread.is_alive()

    @property
    def line(self) -> LinkState:
        """How the line is, with its counters."""
        hello, trips = self.talk.hello, sorted(self.trips.copy())
        return LinkState(
            up=hello is not None,
            commands=self.talk.seq,
            dropped=self.dropped,
            alone=0 if hello is None else hello.alone,
            trip_s=trips[len(trips) // 2] if trips else None,
        )

    def close(self) -> None:
        """End the thread, then leave the port; a thread that is stuck does not hold up the end."""
        self._closing.set()
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(self._join_s)
            if self._thread.is_alive():
                raise TimeoutError(f"it has not ended for {self._join_s:g} s")
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # full: it is woken already
            os.write(self._wake_write, b".")

    # From here on everything runs in the thread.

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                port = self._open()
            except (OSError, termios.error) as error:
                self._note(MESSAGE_BY_ERRNO.get(error.args[0], CHAMBER_MISSING))
                self._closing.wait(REOPEN_S)
                continue
            try:
                self._converse(port)
            except Exception as error:  # mostly OSError: it was unplugged
                ours = not isinstance(error, OSError | termios.error)
                if ours and self._complaints.is_new("line", repr(error)):
                    log.exception("the line to the dice chamber begins anew")
                self._note(CHAMBER_MISSING)
                self._closing.wait(REOPEN_S)
            finally:
                _leave(port)

    def _note(self, text: Message) -> None:
        turn = chamber.lose_line(self.talk, text, self._clock())
        self.talk = turn.conversation
        for event in turn.events:
            self._put(event)

    def _paths(self) -> list[str]:
        if self._port != AUTO:
            return [self._port]
        return sorted(str(path) for path in self._by_id.glob(PICO))

    def _open(self) -> serial.Serial:
        """Open the path whose turn it is: with several boards each is asked in turn."""
        paths = self._paths()
        if not paths:
            raise FileNotFoundError(errno.ENOENT, "no board", str(self._by_id))
        path = paths[self._turn % len(paths)]
        self._turn += 1
        return serial.Serial(path, 115200, timeout=0, write_timeout=WRITE_S, exclusive=True)

    def _converse(self, port: serial.Serial) -> None:
        """Talk until the port fails, the link closes, or another board may be the chamber."""
        self._rest = b""
        self._complaints.clear("firmware")
        self.talk = chamber.greet(self.talk, secrets.token_hex(4), self._clock())
        while not self._closing.is_set() and not self._another():
            self._speak(port, self._clock())
            if self._ready(port):
                self._listen(port)

    def _another(self) -> bool:
        """Whether this board is silent and there is another one to ask."""
        silent = self._clock() - self.talk.heard >= chamber.SILENCE_S
        return silent and self.talk.hello is None and len(self._paths()) > 1

    def _speak(self, port: serial.Serial, now: float) -> None:
        """Say what the loop wants to have said, and what is due."""
        done = [self._got.popleft() for _ in range(len(self._got))]
        wishes = self._wishes  # read after `done`: a wish comes before its GOT
        if wishes != self.talk.wishes:
            self._carry_out(port, chamber.take_wishes(self.talk, wishes, now))
        for n in done:
            self._carry_out(port, chamber.acknowledge(self.talk, n, now))
        self._carry_out(port, chamber.tick(self.talk, now, secrets.token_hex(4)))

    def _ready(self, port: serial.Serial) -> bool:
        """Wait for bytes, for the loop or for the next thing that is due; whether bytes came."""
        due = max(0.0, chamber.due_at(self.talk) - self._clock())
        ready, _, _ = self._wait([port.fileno(), self._wake_read], [], [], min(due, 1.0))
        if self._wake_read in ready:
            os.read(self._wake_read, 4096)
        return port.fileno() in ready

    def _listen(self, port: serial.Serial) -> None:
        bodies, dropped, self._rest = chamber.split_input(self._rest, port.read(4096))
        self.dropped += dropped
        for body in bodies:
            self._note_refusal(body)
            now, order = self._clock(), self.talk.order
            self._carry_out(port, chamber.hear(self.talk, body, now, secrets.token_hex(4)))
            if order is not None and (self.talk.order is None or self.talk.order.seq > order.seq):
                self.trips.append(now - order.at)

    def _note_refusal(self, body: str) -> None:
        """Log a refusal, once a minute at most: a chamber can give another reason each time."""
        word = body.partition(" ")[0]
        if word == "OK":
            self._complaints.clear("line")
        elif word == "NO" and self._rate_limit.allows("refusal", self._clock()):
            log.warning("the dice chamber says %s", body)

    def _carry_out(self, port: serial.Serial, turn: chamber.Exchange) -> None:
        self.talk = turn.conversation
        for line in turn.lines:
            if select.select([], [port.fileno()], [], 0)[1]:  # else it is stalled: said again later
                with suppress(serial.SerialTimeoutException):
                    port.write(line)
        for event in turn.events:
            if isinstance(event, ChamberLine):
                self._note_firmware()
            self._put(event)

    def _note_firmware(self) -> None:
        """Log a firmware that is too old, once for each opening of the port.

        It is no fault, and `referee chamber` says it itself: so it is no warning.
        """
        hello = self.talk.hello
        if hello is None or hello.keeps_lights:
            return
        if self._complaints.is_new("firmware", hello.firmware):
            log.info("%s", chamber.UPDATE.format(hello.firmware))


def _leave(port: serial.Serial) -> None:
    """Close the port. What is unsent goes first: the kernel would wait 30 s to send it."""
    with suppress(OSError, termios.error):
        port.reset_output_buffer()
    with suppress(OSError):
        port.close()
