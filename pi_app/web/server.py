"""The page of the simulated table: streams its state, puts fingers on mock pins."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable
from importlib import resources
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pi_app.simulate.hands import Hands
from pi_app.web.faults import Faults
from pi_app.web.geometry import geometry
from pi_app.web.port import HOST
from pi_app.web.shelf import NO_STORE, Shelf
from pi_app.web.state import Newest

CLOSE_S = 2.0
LONGEST_FINGER = 300  # bytes
MOST_TABS = 16  # four players with some devices each; every stream costs each press its share
ON_EVERY_ANSWER = [
    ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
]
FILES = {
    "": ("index.html", "text/html"),
    "page.css": ("page.css", "text/css"),
    "page.js": ("page.js", "text/javascript"),
    "board.js": ("board.js", "text/javascript"),
    "dice.js": ("dice.js", "text/javascript"),
    "games.html": ("games.html", "text/html"),
    "games.css": ("games.css", "text/css"),
    "games.js": ("games.js", "text/javascript"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
}


class Refused(Exception):
    """A request that is not answered as asked: an HTTP status, and why in one sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Stage:
    """The newest state for every open tab; each tab skips what it was too slow for.

    `text` gives the newest state; it is asked once a change, on the server's thread.
    """

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._line = b""
        self._stale = True
        self._tabs: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self) -> None:
        """Say that there is a newer state; from any thread."""
        self._stale = True
        self._call_tabs()

    def close(self) -> None:
        """End every stream; from any thread."""
        self.closing = True
        self._call_tabs()

    def join(self) -> asyncio.Event:
        """Take a tab's place, to be left by `leave`; Refused where all are taken."""
        if len(self._tabs) >= MOST_TABS:
            why = f"{MOST_TABS} tabs show this table already: close one of them"
            raise Refused(503, why)
        self._loop = asyncio.get_running_loop()
        tab = asyncio.Event()
        self._tabs.add(tab)
        return tab

    def leave(self, tab: asyncio.Event) -> None:
        """Give a tab's place back."""
        self._tabs.discard(tab)

    async def states(self, tab: asyncio.Event) -> AsyncIterator[bytes]:
        """Yield the newest state at once, and each time that there is a newer one."""
        while not self.closing:
            yield self._newest()
            await tab.wait()
            tab.clear()

    def _newest(self) -> bytes:
        if self._stale:
            self._stale = False  # before it is asked for: a change meanwhile makes it stale again
            self._line = f"data: {self._text()}\n\n".encode()
        return self._line

    def _call_tabs(self) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server's loop has ended
                self._loop.call_soon_threadsafe(self._wake_tabs)

    def _wake_tabs(self) -> None:
        for tab in self._tabs:
            tab.set()


class Stream(StreamingResponse):
    """States for a tab; its place is given back even if it goes before the first."""

    def __init__(self, states: AsyncIterator[bytes], end: Callable[[], None]) -> None:
        super().__init__(states, headers=NO_STORE, media_type="text/event-stream")
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._end()


class Page:
    """The page's answers to a browser on this machine."""

    def __init__(self, stage: Stage, hands: Hands, shelf: Shelf) -> None:
        self._stage = stage
        self._hands = hands
        self.application = Starlette(
            routes=[
                Route("/stream", self._stream),
                Route("/finger", self._finger, methods=["POST"]),
                Route("/board/{layout}/{travel}/{safety}", _board),
                *shelf.routes,
                Route("/{name:path}", _file),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
            exception_handlers={Refused: _refuse, ClientDisconnect: _forget, **shelf.refusals},
        )

    async def _stream(self, request: Request) -> Response:
        _check_site(request)
        name, tab = request.query_params.get("tab", ""), self._stage.join()

        def end() -> None:
            self._stage.leave(tab)
            self._hands.lift_all(name)
            self._stage.changed()

        return Stream(self._stage.states(tab), end)

    async def _finger(self, request: Request) -> Response:
        _check_site(request)
        tab, button, down = _parse_finger(await _body(request))
        try:
            (self._hands.down if down else self._hands.up)(button, tab)
        except ValueError as error:
            raise Refused(400, str(error)) from None
        self._stage.changed()
        return Response(status_code=204)


def _check_site(request: Request) -> None:
    """Refuse what a page of another site asks for."""
    own = f"{request.url.scheme}://{request.headers['host']}"
    origin = request.headers.get("origin", own)
    if origin != own or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Refused(403, "another site can't play here: open the table's own address")


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type") != "application/json":  # no form of another site
        raise Refused(415, "send application/json")
    body, length = b"", int(request.headers.get("content-length", 0))
    parts = request.stream()
    while (length := max(length, len(body))) <= LONGEST_FINGER:
        if not (part := await anext(parts, b"")):
            return body
        body += part
    raise Refused(413, f"a finger's message has at most {LONGEST_FINGER} bytes")


def _parse_finger(body: bytes) -> tuple[str, str, bool]:
    with contextlib.suppress(ValueError):
        match json.loads(body):
            case {"tab": str(tab), "button": str(button), "down": bool(down)}:
                return tab, button, down
    raise Refused(400, 'send {"tab": "1", "button": "A.ok", "down": true}')


async def _refuse(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    headers = {"Connection": "close"} if refused.status == 413 else {}  # the rest is not read
    return PlainTextResponse(f"{refused}\n", refused.status, headers)


async def _forget(request: Request, gone: Exception) -> Response:
    """Answer nobody: the client has gone."""
    return Response(status_code=400)


async def _board(request: Request) -> Response:
    try:
        return JSONResponse(geometry(**request.path_params), headers=NO_STORE)
    except KeyError as error:
        raise Refused(404, f"there is no board {error}") from None


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        raise Refused(404, f"there is no page {name!r}")
    file, media_type = FILES[name]
    text = (resources.files("pi_app.web") / file).read_bytes()
    return Response(text, headers=NO_STORE, media_type=media_type)


class PageServer:
    """Serves the page in a thread of its own until it is closed; `journal` has the games kept."""

    def __init__(self, newest: Newest, hands: Hands, sock: socket.socket, journal: Path) -> None:
        self._shelf = Shelf(journal)
        self._stage = Stage(newest.text)
        newest.changed = self._stage.changed
        self._faults = Faults()
        config = uvicorn.Config(
            Page(self._stage, hands, self._shelf).application,
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            headers=ON_EVERY_ANSWER,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(sock)), name="page", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End the streams, then the server: it waits for them."""
        self._stage.close()
        self._server.should_exit = True
        self._shelf.close()
        self._thread.join(CLOSE_S)

    async def _serve(self, sock: socket.socket) -> None:
        asyncio.get_running_loop().set_exception_handler(self._faults.of_loop)
        uvicorns = logging.getLogger("uvicorn.error")
        uvicorns.addFilter(self._faults)
        try:
            await self._server.serve([sock])
        finally:
            uvicorns.removeFilter(self._faults)
