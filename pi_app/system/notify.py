"""Reports to systemd (sd_notify), and takes the sockets that it passes. Idle outside a unit."""

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

FIRST_FILE = 3  # the first that systemd passes
WAIT_S = 0.5  # how long systemd may keep us waiting: far below WATCHDOG_USEC


class Unit:
    """The systemd unit of this process; reports its state as in sd_notify(3).

    address: a socket's path or, after `@`, its abstract name; "" to report nothing. watchdog_s: how
    often systemd wants a sign of life, in seconds; 0 for never. clock: monotonic seconds.
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
        self._send("READY=1")

    def status(self, text: str) -> None:
        """Report the state in one line, unless it is the last one reported."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={text}")

    def beat(self) -> None:
        """Report that the caller is not stuck, once in each third of the watchdog's time."""
        if self._beat_s and self._clock() >= self._beat_at:
            self._beat_at = self._clock() + self._beat_s
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, word: str) -> None:
        if not self._address:
            return
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            line.settimeout(WAIT_S)
            line.connect(self._address)
            line.send(word.encode())


def this_unit() -> Unit:
    """Return the unit as which systemd has started us; one that reports nothing otherwise."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    text = os.environ.get("WATCHDOG_USEC", "")
    return Unit(address, int(text) / 1e6 if ours and text.isdecimal() else 0.0)


class Sockets(NamedTuple):
    """Listening sockets, each or None. page: a TCP port. local: a path, for programs here."""

    page: socket.socket | None = None
    local: socket.socket | None = None


FAMILIES = {"page": (socket.AF_INET, socket.AF_INET6), "local": (socket.AF_UNIX,)}


class PassedSocketError(Exception):
    """The socket units have passed something else than `Sockets`. The text says what to do."""

    def __init__(self, found: str) -> None:
        remedy = "the unit of the page must have one ListenStream= with a port, local with a path"
        super().__init__(f"systemd has passed {found}: {remedy}")


def passed_sockets() -> Sockets:
    """Return the sockets that socket units have passed, by their names (sd_listen_fds(3)).

    A socket without a name is the page's. Raises PassedSocketError if anything else was passed.
    """
    count = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or count in ("", "0"):
        return Sockets()
    names = os.environ.get("LISTEN_FDNAMES", "page").split(":")
    if count != str(len(names)) or len({*names} & FAMILIES.keys()) < len(names):
        raise PassedSocketError(f"{count} sockets with the names {', '.join(names)}")
    return Sockets(**{name: _take(FIRST_FILE + n, name) for n, name in enumerate(names)})


def _take(file: int, name: str) -> socket.socket:
    """Return the listening socket that a file is. Raises PassedSocketError if it is none."""
    try:
        sock = socket.socket(fileno=file)
    except OSError:
        raise PassedSocketError(f"as {name} a file that is not a socket") from None
    is_stream = sock.family in FAMILIES[name] and sock.type == socket.SOCK_STREAM
    if not is_stream or sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) != 1:
        sock.close()
        raise PassedSocketError(f"as {name} a socket of another kind, or that does not listen")
    sock.set_inheritable(False)
    return sock
