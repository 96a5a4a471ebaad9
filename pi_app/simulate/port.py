"""The socket on which the pages are served, reachable only from this machine."""

import socket

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
        return _bind(port)
    try:
        return _bind(DEFAULT_PORT)
    except PortError:
        return _bind(0)


def url(sock: socket.socket) -> str:
    """Return the address for a browser."""
    return f"http://{HOST}:{sock.getsockname()[1]}/"


def _bind(port: int) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((HOST, port))
        sock.listen()
    except (OSError, OverflowError) as error:
        sock.close()
        reason = error.strerror if isinstance(error, OSError) else "no such port"
        raise PortError(
            f"port {port} on {HOST} can't be used ({reason}): "
            "name another with --port, or leave --port out to get a free one"
        ) from None
    return sock
