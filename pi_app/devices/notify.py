"""What systemd is told, and what it hands over. Nothing outside a unit."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from socket import (
    AF_INET,
    AF_INET6,
    AF_UNIX,
    SO_ACCEPTCONN,
    SOCK_CLOEXEC,
    SOCK_DGRAM,
    SOCK_STREAM,
    SOL_SOCKET,
    socket,
)

FIRST_FILE = 3  # of those that are handed over
WAIT_S = 0.5  # how long one that does not listen may hold us up: far below WATCHDOG_USEC


class Unit:
    """The unit that this process is, as told to systemd (sd_notify(3)).

    address: a socket's path or, after `@`, its abstract name; "" to tell nothing. watchdog_s: in
    how many seconds `beat` must come, 0 where nobody waits for it. clock: monotonic seconds.
    """

    def __init__(
        self, address: str, watchdog_s: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = address.replace("@", "\0", 1) if address.startswith("@") else address
        self._beat_s = watchdog_s / 3
        self._clock = clock
        self._beat_at = clock()
        self._status = ""

    def ready(self) -> None:
        """Say that the table can be used."""
        self._tell("READY=1")

    def status(self, text: str) -> None:
        """Say how it stands, in one line; what was said last is not said again."""
        if text != self._status:
            self._status = text
            self._tell(f"STATUS={text}")

    def beat(self) -> None:
        """Say that the caller is not stuck, if a third of the watchdog's time has passed."""
        if self._beat_s and self._clock() >= self._beat_at:
            self._beat_at = self._clock() + self._beat_s
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._tell("STOPPING=1")

    def _tell(self, word: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC) as line:
            line.settimeout(WAIT_S)
            line.connect(self._address)
            line.send(word.encode())


def this_unit() -> Unit:
    """Return the unit that systemd has started us as, one that is told nothing if it has not."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return Unit(address, int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6 if ours else 0.0)


class PassedSocketError(Exception):
    """What a socket unit has handed over is no port to serve; the text says what to do."""

    def __init__(self, what: str) -> None:
        must = "the socket unit of the page must have one ListenStream= with a port"
        super().__init__(f"systemd has handed over {what}: {must}")


def passed_socket() -> socket | None:
    """Return the listening port that a socket unit has handed over, if any (sd_listen_fds(3)).

    NoPort where it is anything else.
    """
    count = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or count in ("", "0"):
        return None
    if count != "1":
        raise PassedSocketError(f"{count} sockets")
    try:
        sock = socket(fileno=FIRST_FILE)
    except OSError:
        raise PassedSocketError("what is no socket") from None
    if not _listens(sock):
        sock.close()
        raise PassedSocketError("no TCP port to listen on")
    sock.set_inheritable(False)
    return sock


def _listens(sock: socket) -> bool:
    """Whether it takes connections of TCP."""
    by_net = sock.family in (AF_INET, AF_INET6) and sock.type == SOCK_STREAM
    return by_net and sock.getsockopt(SOL_SOCKET, SO_ACCEPTCONN) == 1
