"""The page of the simulated table: streams its state, puts fingers on mock pins."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable
from importlib import resources

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from pi_app.simulate.hands import Hands
from pi_app.web.geometry import geometry
from pi_app.web.port import HOST
from pi_app.web.state import Newest

CLOSE_S = 2.0
LONGEST_FINGER = 300
NO_STORE = {"Cache-Control": "no-store"}
OURS_ONLY = {"Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'"}
FILES = {
    "": ("index.html", "text/html"),
    "page.css": ("page.css", "text/css"),
    "page.js": ("page.js", "text/javascript"),
    "board.js": ("board.js", "text/javascript"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
}


class Stage:
    """The newest state for every open tab; each tab skips what it was too slow for.

    `text` gives the newest state; it is asked on the server's thread.
    """

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._tabs: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.closing = False

    def changed(self) -> None:
        """Say that there is a newer state; from any thread."""
        self._call_tabs()

    def close(self) -> None:
        """End every stream; from any thread."""
        self.closing = True
        self._call_tabs()

    async def states(self) -> AsyncIterator[str]:
        """Yield the newest state at once, and each time that there is a newer one."""
        self._loop = asyncio.get_running_loop()
        newer = asyncio.Event()
        self._tabs.add(newer)
        try:
            while not self.closing:
                yield self._text()
                await newer.wait()
                newer.clear()
        finally:
            self._tabs.discard(newer)

    def _call_tabs(self) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server's loop has ended
                self._loop.call_soon_threadsafe(self._wake_tabs)

    def _wake_tabs(self) -> None:
        for newer in self._tabs:
            newer.set()


class Page:
    """The page's answers to a browser on this machine."""

    def __init__(self, stage: Stage, hands: Hands) -> None:
        self._stage = stage
        self._hands = hands
        self.application = Starlette(
            routes=[
                Route("/stream", self._stream),
                Route("/finger", self._finger, methods=["POST"]),
                Route("/board/{layout}/{travel}/{safety}", _board),
                Route("/{name:path}", _file),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
        )

    async def _stream(self, request: Request) -> Response:
        tab = request.query_params.get("tab", "")
        return StreamingResponse(
            self._events(tab), headers=NO_STORE, media_type="text/event-stream"
        )

    async def _events(self, tab: str) -> AsyncIterator[str]:
        try:
            async for text in self._stage.states():
                yield f"data: {text}\n\n"
        finally:
            self._hands.lift_all(tab)

    async def _finger(self, request: Request) -> Response:
        if request.headers.get("content-type") != "application/json":  # no form of another site
            return PlainTextResponse("send application/json\n", 415)
        try:
            tab, button, down = _parse_finger(await request.body())
            (self._hands.down if down else self._hands.up)(button, tab)
            self._stage.changed()
        except ValueError as error:
            return PlainTextResponse(f"{error}\n", 400)
        return Response(status_code=204)


def _parse_finger(body: bytes) -> tuple[str, str, bool]:
    match json.loads(body[:LONGEST_FINGER]):
        case {"tab": str(tab), "button": str(button), "down": bool(down)}:
            return tab, button, down
    raise ValueError('send {"tab": "1", "button": "A.ok", "down": true}')


async def _board(request: Request) -> Response:
    try:
        return JSONResponse(geometry(**request.path_params), headers=NO_STORE)
    except KeyError as error:
        return PlainTextResponse(f"there is no board {error}\n", 404)


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        return PlainTextResponse(f"there is no page {name!r}\n", 404)
    file, media_type = FILES[name]
    text = (resources.files("pi_app.web") / file).read_bytes()
    return Response(text, headers=NO_STORE | OURS_ONLY, media_type=media_type)


class PageServer:
    """Serves the page in a thread of its own until it is closed."""

    def __init__(self, newest: Newest, hands: Hands, sock: socket.socket) -> None:
        self._stage = Stage(newest.text)
        newest.changed = self._stage.changed
        config = uvicorn.Config(
            Page(self._stage, hands).application,
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([sock],), name="page", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End the streams, then the server: it waits for them."""
        self._stage.close()
        self._server.should_exit = True
        self._thread.join(CLOSE_S)
