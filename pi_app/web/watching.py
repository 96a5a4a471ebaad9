"""The page for who looks on: a process that serves a socket, and is told states by lines.

python -m pi_app.web.watching SOCKET JOURNAL LANGUAGE NAME...: the socket's file descriptor, the
journal's file, the code of the page's language, the names by which browsers may ask for the page.
Standard input has a state a line, in JSON; its end is the end of the page.
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

IDLE_TIMEOUT_S = (
    10.0  # how long a connection may ask for nothing, or take nothing of what it asked for
)
MAX_CONNECTIONS = 400  # well below the 1024 files that a process may have open
SEND_BUFFER = 65_536  # bytes that the kernel holds for a reader: twenty states
ACK_TIMEOUT_MS = (
    30_000  # how long what was sent may stay unacknowledged: a phone that left the house
)
MAX_STATE_BYTES = 1_000_000  # bytes
FILES = {
    "": ("pi_app.web", "watch.html"),
    "watch.css": ("pi_app.web", "watch.css"),
    "watch.js": ("pi_app.web", "watch.js"),
}


class TimeoutProtocol(H11Protocol):
    """A connection that is cut if it asks for nothing, or takes nothing, for PATIENCE_S.

    uvicorn's public limits do not do this: `timeout_keep_alive` begins with the first answer, so a
    connection that never asks stays open; nothing ends one that takes nothing; and beyond
    `limit_concurrency` a connection is kept and each request answered by 503.
    """

    patience_s = IDLE_TIMEOUT_S
    _asks: asyncio.TimerHandle | None = None
    _takes: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answered():
            _cancel(self._asks)

    def on_response_complete(self) -> None:
        super().on_response_complete()  # which begins the next, if that was asked for already
        if not self._is_answered():
            self._wait_for_request()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        _cancel(self._takes)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._asks)
        _cancel(self._takes)
        super().connection_lost(exc)
        _cancel(self.timeout_keep_alive_task)  # uvicorn's, which it forgets where it was reset

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP as uvicorn does, with the headers of every answer."""
        headers = [*self.server_state.default_headers, (b"connection", b"close")]
        lines = [b"HTTP/1.1 400 Bad Request", *(b"%b: %b" % header for header in headers)]
        self.transport.write(b"\r\n".join([*lines, b"content-type: text/plain", b"", msg.encode()]))
        self.transport.close()

    def _wait_for_reader(self, left: int) -> None:
        """Wait until it has taken some of so many bytes; who is slow, but reads, may go on."""
        self._takes = self.loop.call_later(self.patience_s, self._look_at_reader, left)

    def _look_at_reader(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < before:
            self._wait_for_reader(left)
        else:
            self.transport.abort()

    def _is_answered(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_request(self) -> None:
        _cancel(self._asks)
        self._asks = self.loop.call_later(self.patience_s, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class HostCheck:
    """Lets through what asks for one of some names, or for the address that it has reached."""

    def __init__(self, application: ASGIApp, names: Collection[str]) -> None:
        self._application = application
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        name = host_name(request.headers.get("host", ""))
        if name in self._names or is_address(name, scope["server"][0]):
            await self._application(scope, receive, send)
        else:
            why = f"this table is not called {name[:60]!r}: add that to names under [page]"
            await PlainTextResponse(f"{why}\n", 421)(scope, receive, send)


def host_name(host: str) -> str:
    """Return the name in a Host header, without its port, in small letters."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).strip("[]").lower()


def is_address(name: str, own: str) -> bool:
    """Whether a name is the numeric address `own`, which no other site's name can be."""
    try:
        return _plain(name) == _plain(own)
    except ValueError:
        return False


def _plain(text: str) -> object:
    """Return an address; one of IPv4 as such, even where a socket of IPv6 took it."""
    address = ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


class SpectatorPage:
    """The page's answers: a stream of states, and the games that were kept. Nothing is taken."""

    def __init__(
        self, stage: StateStream, shelf: GameRoutes, names: Collection[str], language: Language
    ) -> None:
        self._stage = stage
        application = Starlette(
            routes=[Route("/stream", self._stream), *shelf.routes, *routes(FILES, language)],
            exception_handlers={**error_handlers(language), **shelf.refusals},
        )
        self.application = HostCheck(application, names)

    async def _stream(self, request: Request) -> Response:
        check_site(request)
        if request.method == "HEAD":  # takes no place: it would be told nothing
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
    """Serve the page on a listening socket until no more states come."""
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
        served = asyncio.create_task(server.serve([limit_send_buffer(sock)]))
        await asyncio.wait({served, asyncio.create_task(follow())}, return_when="FIRST_COMPLETED")
        stage.close()
        shelf.close()
        server.should_exit = True
        await served


def limit_send_buffer(sock: socket.socket) -> socket.socket:
    """Have what a listening socket accepts hold little for who does not take it."""
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
