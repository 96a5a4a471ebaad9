"""The sockets on which a simulated table is served, reachable only from this machine."""

import socket
from pathlib import Path

from pi_app.model.errors import UserError

HOST = "127.0.0.1"
DEFAULT_PORT = 8337
WATCH = "watch"  # the path of the spectators' page


class PortError(UserError):
    """The port can't be used. The text says why and what to do."""


def listen(port: int | None = None) -> socket.socket:
    """Return a listening socket on `port`. Without one: on the default port, or a free one.

    Raises PortError if `port` can't be used.
    """
    if port is not None:
        return _listen_at(port)
    try:
        return _listen_at(DEFAULT_PORT)
    except PortError:
        return _listen_at(0)


def listen_locally(path: Path) -> socket.socket:
    """Return a listening Unix socket at a path, in place of one there. Raises PortError."""
    if path.is_socket():
        path.unlink()
    sock = socket.socket(socket.AF_UNIX)
    return _bind(sock, str(path), f"{path} can't be used", "name another path with --local")


def url(sock: socket.socket) -> str:
    return f"http://{HOST}:{sock.getsockname()[1]}/"


def _listen_at(port: int) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    remedy = "name another with --port, or leave --port out to get a free one"
    return _bind(sock, (HOST, port), f"port {port} on {HOST} can't be used", remedy)


def _bind(sock: socket.socket, address: object, what: str, remedy: str) -> socket.socket:
    try:
        sock.bind(address)  # type: ignore[arg-type]
        sock.listen()
    except (OSError, OverflowError) as error:
        sock.close()
        reason = getattr(error, "strerror", "no such port") or error
        raise PortError(f"{what} ({reason}): {remedy}") from None
    return sock
