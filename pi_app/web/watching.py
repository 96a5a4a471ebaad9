"""The page for spectators: a process that serves it on a socket and reads states from stdin.

    python -m pi_app.web.watching PAGE LOCAL JOURNAL EXPORT NAME...

PAGE     file descriptor of the page's listening TCP socket, "-" for none
LOCAL    the same of a Unix socket, for programs of this computer
JOURNAL  path of the journal
EXPORT   "True" if the page has links to take the games away
NAME     a host name under which browsers may request the page

Each line of standard input is a state in JSON, with packed messages. Each tab gets it in its
language, and programs get it in the table's. The process ends when its input ends.
"""

import asyncio
import json
import logging
import os
import re
import socket
import sys
from collections.abc import Collection
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pi_app.system.logs import log_handler
from pi_app.system.notify import Sockets
from pi_app.texts.language import ENGLISH, all_languages, find_language
from pi_app.web import answers
from pi_app.web.house_line import house_route
from pi_app.web.packing import unpack
from pi_app.web.pages import STATIC
from pi_app.web.shelf import GameRoutes
from pi_app.web.stage import KEEPALIVE_S, StateStream
from pi_app.web.state import say_all

IDLE_TIMEOUT_S = 10.0  # a client that sends or reads nothing for this time is disconnected
MAX_CONNECTIONS = 400  # far fewer than the 1024 files that a process may open
SEND_BUFFER = 65_536  # bytes that the kernel buffers per connection, enough for about twenty states
# A client, such as a phone out of range, is disconnected if it acknowledges no data for this time.
ACK_TIMEOUT_MS = 30_000
MAX_STATE_BYTES = 1_000_000
AVAHIS_NUMBER = re.compile(r"-([2-9]|[1-9][0-9]+)\.local$")


class TimeoutProtocol(H11Protocol):
    """Closes a connection when its client sends no request, or reads no data, for IDLE_TIMEOUT_S.

    uvicorn's own limits can't do this. The time of `timeout_keep_alive` starts after the first
    answer, so a connection without a request stays open. uvicorn never closes a connection whose
    client does not read. With more connections than `limit_concurrency`, uvicorn keeps them open
    and answers each request with 503.
    """

    idle_timeout_s = IDLE_TIMEOUT_S
    _request_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._start_request_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering():
            _cancel(self._request_timer)

    def on_response_complete(self) -> None:
        super().on_response_complete()  # starts the next response if there is another request
        if not self._is_answering():
            self._start_request_timer()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_read_timer(self.transport.get_write_buffer_size())

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

    def _start_read_timer(self, unread: int) -> None:
        """Abort unless the client reads some of the `unread` bytes in time. It may read slowly."""
        self._read_timer = self.loop.call_later(self.idle_timeout_s, self._check_reader, unread)

    def _check_reader(self, unread_before: int) -> None:
        unread = self.transport.get_write_buffer_size()
        if unread < unread_before:
            self._start_read_timer(unread)
        else:
            self.transport.abort()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _start_request_timer(self) -> None:
        _cancel(self._request_timer)
        self._request_timer = self.loop.call_later(self.idle_timeout_s, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def check_host(application: ASGIApp, names: Collection[str]) -> ASGIApp:
    """Return an application for requests whose host is in `names` or is the socket's own address.

    If another machine has a name in `.local`, Avahi adds a number: `pachisi-2.local`.
    """
    own_names = {name.lower() for name in names}

    async def check(scope: Scope, receive: Receive, send: Send) -> None:
        name = host_name(Request(scope).headers.get("host", ""))
        known = {name, AVAHIS_NUMBER.sub(".local", name)} & own_names
        if known or is_address(name, scope["server"][0]):
            await application(scope, receive, send)
        else:
            why = f"this table does not have the name {name[:60]!r}: add it to names under [page]"
            await PlainTextResponse(f"{why}\n", 421)(scope, receive, send)

    return check


def host_name(host: str) -> str:
    """Return the name in a Host header, without the port, in lower case."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).strip("[]").lower()


def is_address(name: str, own_address: str) -> bool:
    """Whether `name` is the numeric `own_address`. A foreign site can't use that as its name."""
    try:
        return _parse_address(name) == _parse_address(own_address)
    except ValueError:
        return False


def _parse_address(text: str) -> object:
    """Return an address. An IPv4 address that is mapped into IPv6 becomes plain IPv4."""
    address = ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def state_routes(stage: StateStream, languages: answers.Languages) -> list[BaseRoute]:
    """Return the routes of the state and of a stream of states, in these languages."""

    async def state(request: Request) -> Response:
        answers.check_site(request)
        text = stage.newest(answers.language_of(request, languages))
        return Response(text, headers=answers.NO_STORE, media_type="application/json")

    async def stream(request: Request) -> ASGIApp:
        return stage.answer(request, languages)

    return [Route("/state.json", state), Route("/stream", stream)]


def watch_routes(
    stage: StateStream, game_routes: GameRoutes, languages: answers.Languages
) -> list[BaseRoute]:
    """Return the routes of the page: the state, a stream of states, and stored games, to read."""
    own_routes = [*state_routes(stage, languages), *game_routes.routes, house_route(languages)]
    return [*own_routes, *answers.routes(STATIC, "watch", languages)]


async def serve_page(
    sockets: Sockets,
    states: asyncio.StreamReader,
    journal: Path,
    names: Collection[str],
    languages: answers.Languages,
    export: bool = False,
    keepalive_s: float = KEEPALIVE_S,
    http: type[H11Protocol] = TimeoutProtocol,
) -> None:
    """Serve the page to browsers, and the table to programs here, until `states` ends.

    They share the newest state, but no route, place or queue of requests.

    states: a stream with one state in JSON on each line. journal: the file with the stored games.
    names: the host names under which browsers may request the page. languages: those of the page.
    export: see `GameRoutes`. keepalive_s: see `StateStream`. http: the protocol, with its timeouts.
    """
    newest = json.loads(await states.readline(), object_hook=unpack)
    stage = StateStream(lambda language: json.dumps(say_all(newest, language)), keepalive_s)
    local_stage = StateStream(
        lambda _: stage.newest(find_language(newest["language"])), keepalive_s
    )
    shelf, local_shelf = GameRoutes(journal, languages, export), GameRoutes(journal, languages)
    local_routes = [*state_routes(local_stage, {"en": ENGLISH}), *local_shelf.local_routes]
    handlers = answers.error_handlers(languages)
    page = Starlette(routes=watch_routes(stage, shelf, languages), exception_handlers=handlers)
    local = Starlette(routes=local_routes, exception_handlers=handlers)
    servers = {}
    if sockets.local is not None:
        servers[answers.make_server(local, http)] = sockets.local
    if sockets.page is not None:
        servers[answers.make_server(check_host(page, names), http)] = sockets.page
        # For all connections of the socket.
        sockets.page.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        sockets.page.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, ACK_TIMEOUT_MS)

    async def read_states() -> None:
        nonlocal newest
        while line := await states.readline():
            newest = json.loads(line, object_hook=unpack)
            stage.note_change()
            local_stage.note_change()

    with answers.log_faults_once():
        serving = [asyncio.create_task(one.serve([sock])) for one, sock in servers.items()]
        reading = asyncio.create_task(read_states())
        await asyncio.wait({*serving, reading}, return_when="FIRST_COMPLETED")
        for one in (stage, local_stage, shelf, local_shelf):
            one.close()
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*serving)


async def _main(page: str, local: str, journal: str, export: str, *names: str) -> None:
    states = asyncio.StreamReader(MAX_STATE_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(states), sys.stdin
    )
    files = (None if text == "-" else socket.socket(fileno=int(text)) for text in (page, local))
    sockets, is_export = Sockets(*files), export == "True"
    await serve_page(sockets, states, Path(journal), names, all_languages(), is_export)


if __name__ == "__main__":
    logging.basicConfig(handlers=[log_handler(sys.stderr, os.environ.get("JOURNAL_STREAM"))])
    asyncio.run(_main(*sys.argv[1:]))
