"""The USB connection to the lit chamber (pyserial).

It runs in its own thread, which puts events into the inbox and does nothing else.
`pi_app.devices.chamber` defines the lines that both sides send.
"""

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
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

import serial

from pi_app.devices import chamber
from pi_app.model.events import Event, Notice, Wishes
from pi_app.model.parts import LinkState
from pi_app.model.screens import Message, message
from pi_app.system.logs import LastComplaints, RateLimit

log = logging.getLogger(__name__)

AUTO_PORT = "auto"
SERIAL_FOLDER = Path("/dev/serial/by-id")
PICO_GLOB = "usb-MicroPython_*"  # how udev names a Pico with MicroPython in that folder

REOPEN_PAUSE_S = 0.5
WRITE_TIMEOUT_S = 0.05
JOIN_TIMEOUT_S = 1.0  # closing a port takes a few milliseconds
CHAMBER_MISSING = message("chamber-missing")
MESSAGE_BY_ERRNO = {
    errno.EACCES: message("chamber-not-allowed"),
    errno.EAGAIN: message("chamber-port-in-use"),
}


@dataclass(eq=False)
class ChamberLink:
    """Talks to the lit chamber if it is connected, and otherwise looks for it.

        link = ChamberLink(inbox.put)
        link.start()
        link.set_wishes(Wishes(key=7, seat=0))

    `set_wishes` and `acknowledge` return at once. Call both from the same thread. To read:
    conversation, the state of the protocol; dropped_line_count, of invalid lines; round_trips_s,
    how long the newest answers took.
    """

    put_event: Callable[[Event], None]
    port: str = AUTO_PORT  # a device's path; "auto": a Pico with MicroPython in `serial_folder`
    _: KW_ONLY
    serial_folder: Path = SERIAL_FOLDER
    clock: Callable[[], float] = time.monotonic  # in seconds
    wait: Callable[..., Any] = select.select
    join_s: float = JOIN_TIMEOUT_S  # how long `close` waits for the thread

    def __post_init__(self) -> None:
        self._wishes = Wishes()
        self._to_acknowledge: deque[int] = deque()
        self._close_requested = threading.Event()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.thread = threading.Thread(target=self._run, name="chamber", daemon=True)
        self._path_index = 0
        self._partial_line = b""
        self._complaints = LastComplaints()
        self._rate_limit = RateLimit()
        self.conversation = chamber.Conversation(secrets.token_hex(4), self.clock())
        self.dropped_line_count = 0
        self.round_trips_s: deque[float] = deque(maxlen=100)

    def start(self) -> None:
        self.thread.start()

    def set_wishes(self, wishes: Wishes) -> None:
        """Set what the chamber should do. This replaces wishes that were not sent yet."""
        self._wishes = wishes
        self._wake()

    def acknowledge(self, press_number: int) -> None:
        """Tell the chamber that the table recorded or ignored a press.

        The chamber receives the newest wishes before the acknowledgement.
        """
        self._to_acknowledge.append(press_number)
        self._wake()

    @property
    def state(self) -> LinkState:
        """Return the state of the connection: whether it is up, and its counters."""
        hello, round_trips = self.conversation.hello, sorted(self.round_trips_s.copy())
        return LinkState(
            is_connected=hello is not None,
            commands=self.conversation.seq,
            dropped=self.dropped_line_count,
            own_throws=0 if hello is None else hello.alone,
            round_trip_s=round_trips[len(round_trips) // 2] if round_trips else None,
        )

    def close(self) -> None:
        """End the thread and close the port. Raises TimeoutError if the thread is stuck."""
        self._close_requested.set()
        self._wake()
        if self.thread.ident is not None:
            self.thread.join(self.join_s)
            if self.thread.is_alive():
                raise TimeoutError(f"the chamber's thread has not ended within {self.join_s:g} s")
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wake(self) -> None:
        # BlockingIOError means that the pipe is full. Then the thread wakes anyway.
        with suppress(BlockingIOError):
            os.write(self._wake_write, b".")

    # The thread runs everything below.

    def _run(self) -> None:
        while not self._close_requested.is_set():
            try:
                port = self._open()
            except (OSError, termios.error) as error:
                self._report_disconnection(MESSAGE_BY_ERRNO.get(error.args[0], CHAMBER_MISSING))
                self._close_requested.wait(REOPEN_PAUSE_S)
                continue
            try:
                self._exchange_lines(port)
            except Exception as error:  # usually an OSError, because somebody unplugged it
                is_bug = not isinstance(error, OSError | termios.error)
                if is_bug and self._complaints.is_new("connection", repr(error)):
                    log.exception("unexpected error; the table connects to the chamber again")
                self._report_disconnection(CHAMBER_MISSING)
                self._close_requested.wait(REOPEN_PAUSE_S)
            finally:
                # Otherwise close() waits up to 30 s for the kernel to send the unsent bytes.
                with suppress(OSError, termios.error):
                    port.reset_output_buffer()
                with suppress(OSError):
                    port.close()

    def _report_disconnection(self, text: Message) -> None:
        self._apply(None, chamber.lose_connection(self.conversation, text, self.clock()))

    def _paths(self) -> list[str]:
        if self.port != AUTO_PORT:
            return [self.port]
        return sorted(map(str, self.serial_folder.glob(PICO_GLOB)))

    def _open(self) -> serial.Serial:
        """Open the next port. If there are several Picos, each call tries the next one."""
        paths = self._paths()
        if not paths:
            raise FileNotFoundError(errno.ENOENT, "a Pico with MicroPython is not connected")
        path = paths[self._path_index % len(paths)]
        self._path_index += 1
        return serial.Serial(path, 115200, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)

    def _exchange_lines(self, port: serial.Serial) -> None:
        """Send and receive lines until the port fails or `close` is called.

        Also return if this Pico does not answer and another one is connected.
        """
        self._partial_line = b""
        self.conversation = chamber.greet(self.conversation, secrets.token_hex(4), self.clock())
        while not self._close_requested.is_set():
            is_silent = self.clock() - self.conversation.last_received_at >= chamber.SILENCE_S
            if is_silent and self.conversation.hello is None and len(self._paths()) > 1:
                return
            now = self.clock()
            presses = [self._to_acknowledge.popleft() for _ in range(len(self._to_acknowledge))]
            # Read the wishes after the presses have been taken from the queue. Then the chamber has
            # the newest wishes before each GOT, which acknowledges a press.
            if (wishes := self._wishes) != self.conversation.wishes:
                self._apply(port, chamber.take_wishes(self.conversation, wishes, now))
            for press in presses:
                self._apply(port, chamber.acknowledge(self.conversation, press, now))
            self._apply(port, chamber.tick(self.conversation, now, secrets.token_hex(4)))
            due_s = max(0.0, chamber.due_at(self.conversation) - self.clock())
            ready, _, _ = self.wait([port.fileno(), self._wake_read], [], [], min(due_s, 1.0))
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            if port.fileno() in ready:
                self._read_lines(port)

    def _read_lines(self, port: serial.Serial) -> None:
        parsed = chamber.split_input(self._partial_line, port.read(4096))
        self._partial_line = parsed.partial_line
        self.dropped_line_count += parsed.dropped
        for body in parsed.bodies:
            self._log_refusal(body)
            now, command = self.clock(), self.conversation.command
            self._apply(port, chamber.receive(self.conversation, body, now, secrets.token_hex(4)))
            next_command = self.conversation.command
            if command is not None and (next_command is None or next_command.seq > command.seq):
                self.round_trips_s.append(now - command.sent_at)

    def _log_refusal(self, body: str) -> None:
        word = body.partition(" ")[0]
        if word == "OK":
            self._complaints.clear("connection")
        # At most one a minute. The texts can all differ, so a check for repeats is not enough.
        elif word == "NO" and self._rate_limit.allows("refusal", self.clock()):
            log.warning("the chamber refused a command: %s", body)

    def _apply(self, port: serial.Serial | None, exchange: chamber.Exchange) -> None:
        self.conversation = exchange.conversation
        for line in exchange.lines:
            # A stalled port is not writable. `chamber.tick` sends the line again later.
            if port is not None and select.select([], [port.fileno()], [], 0)[1]:
                with suppress(serial.SerialTimeoutException):
                    port.write(line)
        for event in exchange.events:
            if isinstance(event, Notice) and event.text == chamber.REFUSED:
                log.warning("%s", chamber.REFUSED_TEXT)
            self.put_event(event)
