"""The USB connection to the lit chamber (pyserial), in a thread of its own that only posts events.

`pi_app.devices.chamber` defines what the two ends send.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import select
import termios
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
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
PICO = "usb-MicroPython_*"  # udev's name in by-id for a board that runs MicroPython

REOPEN_S = 0.5
WRITE_S = 0.05
JOIN_S = 1.0  # closing a port takes a few milliseconds
CHAMBER_MISSING = message("chamber-missing")
MESSAGE_BY_ERRNO = {
    errno.EACCES: message("chamber-not-allowed"),
    errno.EAGAIN: message("chamber-port-in-use"),
}


class ChamberLink:
    """Talks to the lit chamber if it is connected, and otherwise looks for it.

        link = ChamberLink(inbox.put)
        link.start()
        link.set_wishes(Wishes(key=7, seat=0))

    put: takes each event. port: the device's path, or "auto" for a MicroPython board in `by_id`.
    clock: monotonic seconds. wait: like select.select. join_s: how long `close` waits for the
    thread. `set_wishes` and `acknowledge` return at once; call both from the same thread.
    Attributes to read: `conversation`; `dropped`, the number of invalid lines; `round_trips_s`, the
    times from each command to its answer.
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
        self._acknowledged: deque[int] = deque()
        self._closing = threading.Event()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name="chamber", daemon=True)
        self._path_index = 0
        self._partial_line = b""
        self._complaints = LastComplaints()
        self._rate_limit = RateLimit()
        self.conversation = chamber.Conversation(secrets.token_hex(4), clock())
        self.dropped = 0
        self.round_trips_s: deque[float] = deque(maxlen=100)

    def start(self) -> None:
        """Begin to look for the chamber."""
        self._thread.start()

    def set_wishes(self, wishes: Wishes) -> None:
        """Set what the chamber should do. This replaces wishes that were not sent yet."""
        self._wishes = wishes
        self._wake()

    def acknowledge(self, n: int) -> None:
        """Acknowledge the posted press `n`: it is recorded, or it is ignored.

        The chamber receives the newest wishes before the acknowledgement.
        """
        self._acknowledged.append(n)
        self._wake()

    @property
    def is_alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    @property
    def state(self) -> LinkState:
        """Return whether the chamber is connected, with the connection's counters."""
        hello, trips = self.conversation.hello, sorted(self.round_trips_s.copy())
        return LinkState(
            up=hello is not None,
            commands=self.conversation.seq,
            dropped=self.dropped,
            alone=0 if hello is None else hello.alone,
            trip_s=trips[len(trips) // 2] if trips else None,
        )

    def close(self) -> None:
        """End the thread and close the port. Raises TimeoutError if the thread is stuck."""
        self._closing.set()
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(self._join_s)
            if self._thread.is_alive():
                raise TimeoutError(f"its thread has not ended within {self._join_s:g} s")
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # the pipe is full, so the thread wakes anyway
            os.write(self._wake_write, b".")

    # The thread runs everything below.

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                port = self._open()
            except (OSError, termios.error) as error:
                self._report_loss(MESSAGE_BY_ERRNO.get(error.args[0], CHAMBER_MISSING))
                self._closing.wait(REOPEN_S)
                continue
            try:
                self._converse(port)
            except Exception as error:  # mostly OSError: it was unplugged
                is_bug = not isinstance(error, OSError | termios.error)
                if is_bug and self._complaints.is_new("line", repr(error)):
                    log.exception("connecting to the chamber again after an error")
                self._report_loss(CHAMBER_MISSING)
                self._closing.wait(REOPEN_S)
            finally:
                with suppress(OSError, termios.error):
                    port.reset_output_buffer()  # or the kernel tries for 30 s to send the rest
                with suppress(OSError):
                    port.close()

    def _report_loss(self, text: Message) -> None:
        exchange = chamber.lose_line(self.conversation, text, self._clock())
        self.conversation = exchange.conversation
        for event in exchange.events:
            self._put(event)

    def _paths(self) -> list[str]:
        if self._port != AUTO:
            return [self._port]
        return sorted(str(path) for path in self._by_id.glob(PICO))

    def _open(self) -> serial.Serial:
        """Open the next path: several boards are tried one after the other."""
        paths = self._paths()
        if not paths:
            raise FileNotFoundError(errno.ENOENT, "no board", str(self._by_id))
        path = paths[self._path_index % len(paths)]
        self._path_index += 1
        return serial.Serial(path, 115200, timeout=0, write_timeout=WRITE_S, exclusive=True)

    def _converse(self, port: serial.Serial) -> None:
        """Talk until the port fails, the link closes, or a silent board makes way for another."""
        self._partial_line = b""
        self._complaints.clear("firmware")
        self.conversation = chamber.greet(self.conversation, secrets.token_hex(4), self._clock())
        while not self._closing.is_set():
            is_silent = self._clock() - self.conversation.heard >= chamber.SILENCE_S
            if is_silent and self.conversation.hello is None and len(self._paths()) > 1:
                return
            now = self._clock()
            acknowledged = [self._acknowledged.popleft() for _ in range(len(self._acknowledged))]
            wishes = self._wishes  # read after these, so that new wishes go out before GOT
            if wishes != self.conversation.wishes:
                self._apply(port, chamber.take_wishes(self.conversation, wishes, now))
            for n in acknowledged:
                self._apply(port, chamber.acknowledge(self.conversation, n, now))
            self._apply(port, chamber.tick(self.conversation, now, secrets.token_hex(4)))
            due_s = max(0.0, chamber.due_at(self.conversation) - self._clock())
            ready, _, _ = self._wait([port.fileno(), self._wake_read], [], [], min(due_s, 1.0))
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            if port.fileno() in ready:
                self._read_lines(port)

    def _read_lines(self, port: serial.Serial) -> None:
        parsed = chamber.split_input(self._partial_line, port.read(4096))
        self._partial_line = parsed.rest
        self.dropped += parsed.dropped
        for body in parsed.bodies:
            self._log_refusal(body)
            now, command = self._clock(), self.conversation.command
            self._apply(port, chamber.hear(self.conversation, body, now, secrets.token_hex(4)))
            following = self.conversation.command
            if command is not None and (following is None or following.seq > command.seq):
                self.round_trips_s.append(now - command.sent_at)

    def _log_refusal(self, body: str) -> None:
        """Log a refusal, at most one a minute: the chamber can give another reason each time."""
        word = body.partition(" ")[0]
        if word == "OK":
            self._complaints.clear("line")
        elif word == "NO" and self._rate_limit.allows("refusal", self._clock()):
            log.warning("the chamber refused a command: %s", body)

    def _apply(self, port: serial.Serial, exchange: chamber.Exchange) -> None:
        self.conversation = exchange.conversation
        for line in exchange.lines:
            # A stalled port is not writable. The line is then sent again later.
            if select.select([], [port.fileno()], [], 0)[1]:
                with suppress(serial.SerialTimeoutException):
                    port.write(line)
        for event in exchange.events:
            hello = self.conversation.hello
            if (
                isinstance(event, ChamberLine)
                and hello is not None
                and not hello.keeps_lights
                and self._complaints.is_new("firmware", hello.firmware)
            ):
                # Old firmware is not a fault, and `referee chamber` shows it too: no warning.
                log.info("%s", chamber.UPDATE.format(hello.firmware))
            self._put(event)
