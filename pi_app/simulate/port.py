"""The page's port, on this machine only. Serves nothing."""

import socket

from pi_app.errors import UserError

HOST = "127.0.0.1"
DEFAULT_PORT = 8337


class PortError(UserError):
    """The port can't be had; the text says why and what to do."""


def listen(port: int | None = None) -> socket.socket:
    """Return a listening socket: on `port`, or else on the usual port or any free one."""
    if port is not None:
        return _bound(port)
    try:
        return _bound(DEFAULT_PORT)
    except PortError:
        return _bound(0)


def url(sock: socket.socket) -> str:
    """Return what to type into a browser."""
    return f"http://{HOST}:{sock.getsockname()[1]}/"


def _bound(port: int) -> socket.socket:
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
            "name another by --port, or leave it out to get a free one"
        ) from None
    return sock
