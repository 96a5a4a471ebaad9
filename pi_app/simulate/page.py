"""The pages of the simulated table: one takes presses, the other one is for spectators."""

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from pi_app.model.events import Event
from pi_app.simulate.page_state import PageState
from pi_app.simulate.port import HOST, WATCH
from pi_app.simulate.touches import Events, Touches
from pi_app.web import answers
from pi_app.web.shelf import GameRoutes
from pi_app.web.stage import StateStream
from pi_app.web.watching import watch_routes

CLOSE_S = 2.0
MAX_FINGER_BYTES = 300
MAX_DOWN_MS = 3_600_000
GONE_S = 10.0  # without news of a finger: its browser hangs
HOW_TO_PRESS = (
    'send {"tab": "1", "button": "A.ok", "down": true}; while it is down and at its release also '
    'send "ms", how long it has been down'
)


class PageServer:
    """Serves both pages to browsers on this machine, in a thread of its own until `close`.

    newest: the state to show. touches: the fingers of all tabs. put: takes their events. clock: the
    table's. sock: a listening socket. gone_s: see GONE_S. journal, export: see `GameRoutes`.
    """

    def __init__(
        self,
        newest: PageState,
        touches: Touches,
        put: Callable[[Event], None],
        clock: Callable[[], float],
        sock: socket.socket,
        journal: Path,
        languages: answers.Languages,
        gone_s: float = GONE_S,
        export: bool = False,
    ) -> None:
        self._touches = touches
        self._put = put
        self._clock = clock
        self._languages = languages
        self._gone_s = gone_s
        self._timers: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._shelf = GameRoutes(journal, languages, export)
        self._stage = StateStream(newest.text)
        newest.changed = self._stage.note_change
        self._spectators = StateStream(newest.spectators_text)
        newest.changed_for_spectators = self._spectators.note_change
        watched = watch_routes(self._spectators, self._shelf, languages)
        application = Starlette(
            routes=[
                Route("/stream", self._stream),
                Route("/finger", self._finger, methods=["POST"]),
                *self._shelf.routes,
                *(Mount(f"/{name}", routes=watched) for name in (WATCH, WATCH.upper())),  # QR codes
                Route(f"/{WATCH}", RedirectResponse(f"/{WATCH}/")),
                *answers.routes("pi_app.simulate", "page", languages),
            ],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])],
            exception_handlers=answers.error_handlers(languages),
        )
        self._server = answers.make_server(application)
        work = self._serve(sock)
        self._thread = threading.Thread(target=asyncio.run, args=(work,), name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams first, because the server waits for them, then the server."""
        self._stage.close()
        self._spectators.close()
        self._server.should_exit = True
        self._thread.join(CLOSE_S)
        self._shelf.close()

    async def _serve(self, sock: socket.socket) -> None:
        with answers.log_faults_once():
            await self._server.serve([sock])

    async def _stream(self, request: Request) -> ASGIApp:
        name = request.query_params.get("tab", "")
        return self._stage.answer(
            request, self._languages, end=lambda: self._tell(self._touches.lift_all(name))
        )

    async def _finger(self, request: Request) -> Response:
        answers.check_site(request)
        body, message = await answers.read_body(request, MAX_FINGER_BYTES), None
        with contextlib.suppress(ValueError):
            message = json.loads(body)
        try:
            match message:
                case {
                    "tab": str(tab),
                    "button": str(button),
                    "down": bool(down),
                    "ms": int(ms),
                } if 0 <= ms <= MAX_DOWN_MS:
                    touch = self._touches.still if down else self._touches.up
                    self._tell(touch(button, tab, ms / 1000))
                case {"tab": str(tab), "button": str(button), "down": True}:
                    self._tell(self._touches.down(button, tab, self._clock()))
                case _:
                    raise answers.RequestRefused(400, HOW_TO_PRESS)
        except ValueError as error:
            raise answers.RequestRefused(400, str(error)) from None
        self._lift_later(button, tab)
        return Response(status_code=204)

    def _tell(self, events: Events) -> None:
        for event in events:
            self._put(event)
        self._stage.note_change()

    def _lift_later(self, button: str, tab: str) -> None:
        if timer := self._timers.pop((button, tab), None):
            timer.cancel()
        if self._touches.is_on(button, tab):
            self._timers[button, tab] = asyncio.get_running_loop().call_later(
                self._gone_s, lambda: self._tell(self._touches.up(button, tab))
            )
