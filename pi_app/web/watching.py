"""The page for spectators: a process that serves a socket and reads states from standard input.

    python -m pi_app.web.watching SOCKET JOURNAL LANGUAGE NAME...

SOCKET is the socket's file descriptor, JOURNAL the journal's file, LANGUAGE the code of the page's
language, and each NAME a host name under which browsers may ask for the page. Each line of standard
input is a state in JSON. The process ends when its input ends.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Collection
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pi_app.logs import log_handler
from pi_app.texts.language import Language, language
from pi_app.web.answers import (
    NO_STORE,
    check_site,
    error_handlers,
    log_faults_once,
    make_server,
    routes,
)
from pi_app.web.shelf import GameRoutes
from pi_app.web.stage import KEEPALIVE_S, StateStream, Stream

IDLE_TIMEOUT_S = 10.0  # how long a connection may send no request, or read no data
MAX_CONNECTIONS = 400  # far fewer than the 1024 files that a process may open
SEND_BUFFER = 65_536  # bytes that the kernel buffers per connection: twenty states
ACK_TIMEOUT_MS = (
    30_000  # how long sent data may stay unacknowledged, for example by a phone that went away
)
MAX_STATE_BYTES = 1_000_000
FILES = {
    "": ("pi_app.web", "watch.html"),
    "watch.css": ("pi_app.web", "watch.css"),
    "watch.js": ("pi_app.web", "watch.js"),
}


class TimeoutProtocol(H11Protocol):
    """Closes a connection that sends no request, or reads no data, for IDLE_TIMEOUT_S.

    uvicorn's own limits can't do this. `timeout_keep_alive` begins with the first answer, so a
    connection without a request stays open. uvicorn never closes one that reads no data. Above
    `limit_concurrency` it keeps the connection, and answers each request with 503.
    """

    patience_s = IDLE_TIMEOUT_S
    _request_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering():
            _cancel(self._request_timer)

    def on_response_complete(self) -> None:
        super().on_response_complete()  # begins the next response if its request has come
        if not self._is_answering():
            self._wait_for_request()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        _cancel(self._read_timer)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._request_timer)
        _cancel(self._read_timer)
        super().connection_lost(exc)
        _cancel(self.timeout_keep_alive_task)  # uvicorn leaves it running after a reset

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP like uvicorn, but with the default headers."""
        headers = [*self.server_state.default_headers, (b"connection", b"close")]
        lines = [b"HTTP/1.1 400 Bad Request", *(b"%b: %b" % header for header in headers)]
        self.transport.write(b"\r\n".join([*lines, b"content-type: text/plain", b"", msg.encode()]))
        self.transport.close()

    def _wait_for_reader(self, unread: int) -> None:
        """Abort unless the client reads some of the `unread` bytes in time. Slow is enough."""
        self._read_timer = self.loop.call_later(self.patience_s, self._check_reader, unread)

    def _check_reader(self, before: int) -> None:
        unread = self.transport.get_write_buffer_size()
        if unread < before:
            self._wait_for_reader(unread)
        else:
            self.transport.abort()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_request(self) -> None:
        _cancel(self._request_timer)
        self._request_timer = self.loop.call_later(self.patience_s, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class HostCheck:
    """Passes only requests whose host is one of `names`, or the address of the socket itself."""

    def __init__(self, application: ASGIApp, names: Collection[str]) -> None:
        self._application = application
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        name = host_name(request.headers.get("host", ""))
        if name in self._names or is_address(name, scope["server"][0]):
            await self._application(scope, receive, send)
        else:
            why = f"this table does not have the name {name[:60]!r}: add it to names under [page]"
            await PlainTextResponse(f"{why}\n", 421)(scope, receive, send)


def host_name(host: str) -> str:
    """Return the name in a Host header, without the port, in lower case."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).strip("[]").lower()


def is_address(name: str, own: str) -> bool:
    """Whether `name` is the numeric address `own`. Another site can't have that as its name."""
    try:
        return _parse_address(name) == _parse_address(own)
    except ValueError:
        return False


def _parse_address(text: str) -> object:
    """Return an address. An IPv4 address that is mapped into IPv6 becomes plain IPv4."""
    address = ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


class SpectatorPage:
    """The web application of the page: a stream of states, and stored games. It is read-only."""

    def __init__(
        self, stage: StateStream, shelf: GameRoutes, names: Collection[str], language: Language
    ) -> None:
        self._stage = stage
        application = Starlette(
            routes=[Route("/stream", self._stream), *shelf.routes, *routes(FILES, language)],
            exception_handlers={**error_handlers(language), **shelf.error_handlers},
        )
        self.application = HostCheck(application, names)

    async def _stream(self, request: Request) -> Response:
        check_site(request)
        if request.method == "HEAD":  # gets no stream, so it takes no place
            return Response(headers=NO_STORE)
        tab = self._stage.join()
        return Stream(self._stage.states(tab), lambda: self._stage.leave(tab))


async def serve_page(
    sock: socket.socket,
    states: asyncio.StreamReader,
    journal: Path,
    names: Collection[str],
    language: Language,
    beat_s: float = KEEPALIVE_S,
    http: type[H11Protocol] = TimeoutProtocol,
) -> None:
    """Serve the page on a listening socket until the states end.

    states: a line of JSON each. journal: the file with the stored games. names: the host names
    under which browsers may ask. language: of the words. beat_s: see `StateStream`. http: the
    protocol, with its timeouts.
    """
    newest = await states.readline()
    stage = StateStream(lambda: newest.decode().rstrip(), beat_s)
    shelf = GameRoutes(journal, language)
    server = make_server(SpectatorPage(stage, shelf, names, language).application, http)

    async def follow() -> None:
        nonlocal newest
        while line := await states.readline():
            newest = line
            stage.changed()

    with log_faults_once():
        serving = asyncio.create_task(server.serve([limit_send_buffer(sock)]))
        await asyncio.wait({serving, asyncio.create_task(follow())}, return_when="FIRST_COMPLETED")
        stage.close()
        shelf.close()
        server.should_exit = True
        await serving


def limit_send_buffer(sock: socket.socket) -> socket.socket:
    """Limit the send buffer and the acknowledgement time of all connections of a socket."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, ACK_TIMEOUT_MS)
    return sock


async def _main(descriptor: str, journal: str, code: str, *names: str) -> None:
    states = asyncio.StreamReader(MAX_STATE_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(states), sys.stdin
    )
    sock = socket.socket(fileno=int(descriptor))
    await serve_page(sock, states, Path(journal), names, language(code))


if __name__ == "__main__":
    logging.basicConfig(handlers=[log_handler(sys.stderr, os.environ.get("JOURNAL_STREAM"))])
    asyncio.run(_main(*sys.argv[1:]))
