"""The page of the simulated table: streams the table's state, and takes presses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pi_app.simulate.hands import Hands
from pi_app.simulate.page_state import PageState
from pi_app.simulate.port import HOST
from pi_app.web.answers import (
    Languages,
    RequestRefused,
    check_site,
    error_handlers,
    language_of,
    log_faults_once,
    make_server,
    routes,
)
from pi_app.web.shelf import GameRoutes
from pi_app.web.stage import StateStream, Stream

CLOSE_S = 2.0
MAX_FINGER_BYTES = 300
MIN_TOUCH_S = 0.002  # before an answer, so that no press is shorter than bounce
FILES = {
    "": ("pi_app.simulate", "page.html"),
    "page.css": ("pi_app.simulate", "page.css"),
    "page.js": ("pi_app.simulate", "page.js"),
}


class PlayPage:
    """The web application that answers a browser on this machine.

    stage: streams states. hands: take the presses. shelf: answers about stored games.
    """

    def __init__(
        self, stage: StateStream, hands: Hands, shelf: GameRoutes, languages: Languages
    ) -> None:
        self._stage = stage
        self._hands = hands
        self._languages = languages
        self.application = Starlette(
            routes=[
                Route("/stream", self._stream),
                Route("/finger", self._finger, methods=["POST"]),
                *shelf.routes,
                *routes(FILES, languages),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
            exception_handlers={**error_handlers(languages), **shelf.error_handlers},
        )

    async def _stream(self, request: Request) -> Response:
        check_site(request)
        name = request.query_params.get("tab", "")
        tab = self._stage.add_tab(language_of(request, self._languages))

        def end() -> None:
            self._stage.remove_tab(tab)
            self._hands.lift_all(name)
            self._stage.note_change()

        return Stream(self._stage.states(tab), end)

    async def _finger(self, request: Request) -> Response:
        check_site(request)
        body, message = await _read_body(request), None
        with contextlib.suppress(ValueError):
            message = json.loads(body)
        match message:
            case {"tab": str(tab), "button": str(button), "down": bool(down)}:
                try:
                    (self._hands.down if down else self._hands.up)(button, tab)
                except ValueError as error:
                    raise RequestRefused(400, str(error)) from None
            case _:
                raise RequestRefused(400, 'send {"tab": "1", "button": "A.ok", "down": true}')
        self._stage.note_change()
        await asyncio.sleep(MIN_TOUCH_S)
        return Response(status_code=204)


async def _read_body(request: Request) -> bytes:
    if (
        request.headers.get("content-type") != "application/json"
    ):  # a form of another site can't send this
        raise RequestRefused(415, "send application/json")
    body, length = b"", int(request.headers.get("content-length", 0))
    parts = request.stream()
    while (length := max(length, len(body))) <= MAX_FINGER_BYTES:
        if not (part := await anext(parts, b"")):
            return body
        body += part
    why = f"a finger's message has at most {MAX_FINGER_BYTES} bytes"
    raise RequestRefused(413, why, {"Connection": "close"})  # the rest is not read


class PageServer:
    """Serves the page in a thread of its own until `close`.

    newest: the state to show. hands: take the presses. sock: a listening socket. journal: the file
    with the stored games. languages: those of the page.
    """

    def __init__(
        self,
        newest: PageState,
        hands: Hands,
        sock: socket.socket,
        journal: Path,
        languages: Languages,
    ) -> None:
        self._shelf = GameRoutes(journal, languages)
        self._stage = StateStream(newest.text)
        newest.changed = self._stage.note_change
        self._server = make_server(PlayPage(self._stage, hands, self._shelf, languages).application)

        async def serve() -> None:
            with log_faults_once():
                await self._server.serve([sock])

        self._thread = threading.Thread(
            target=lambda: asyncio.run(serve()), name="page", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End the streams first, because the server waits for them, then the server."""
        self._stage.close()
        self._server.should_exit = True
        self._shelf.close()
        self._thread.join(CLOSE_S)
