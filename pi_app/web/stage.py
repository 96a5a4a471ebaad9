"""Streams the newest state to every open tab of a page."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pi_app.model.screens import message
from pi_app.texts.language import Language
from pi_app.web.answers import NO_STORE, Languages, RequestRefused, check_site, language_of

MAX_TABS = 16  # four players with some devices each; every stream makes each press slower
MAX_LANGUAGES = 6  # in which tabs show the table; each costs as much as the first at each change
KEEPALIVE_S = 10.0  # a tab that gets nothing for much longer connects again
KEEPALIVE = b": still here\n\n"  # a comment in the stream
STREAM_HEADERS = {**NO_STORE, "X-Accel-Buffering": "no"}  # else nginx fills its buffer first


@dataclass(eq=False)
class StateStream:
    """Sends the newest state to every open tab. A slow tab skips states.

    text: returns the newest state in a language; called once for each change and language in use,
    on the server's thread. keepalive_s: after this time without a state, the stream sends a
    comment. most: of the tabs.
    """

    text: Callable[[Language], str]
    keepalive_s: float = KEEPALIVE_S
    most: int = MAX_TABS
    closing: bool = False
    _texts: dict[Language, str] = field(default_factory=dict)
    _tabs: dict[asyncio.Event, Language] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None

    def note_change(self) -> None:
        """Note that there is a newer state. May be called from any thread."""
        self._texts = {}
        self._wake_tabs()

    def close(self) -> None:
        """End every stream. May be called from any thread."""
        self.closing = True
        self._wake_tabs()

    def answer(
        self,
        request: Request,
        languages: Languages,
        states: Callable[[asyncio.Event, Language], AsyncIterator[bytes]] | None = None,
        end: Callable[[], None] = lambda: None,
    ) -> ASGIApp:
        """Return a new tab's stream, in its reader's language. Raises RequestRefused.

        states: what it sends in place of `states`. end: is called at its end.
        """
        check_site(request)
        if request.method == "HEAD":  # it gets no stream, so it does not count as a tab
            return Response(headers=NO_STORE)
        language = language_of(request, languages)
        tab = self.add_tab(language)
        told = states(tab, language) if states else self.states(tab)
        response = StreamingResponse(told, headers=STREAM_HEADERS, media_type="text/event-stream")

        async def stream(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await response(scope, receive, send)
            finally:  # also if the tab goes before the first state
                self.remove_tab(tab)
                end()

        return stream

    def add_tab(self, language: Language) -> asyncio.Event:
        """Take a place for a tab. Raises RequestRefused if too many are open, or languages."""
        if len(self._tabs) >= self.most:
            raise RequestRefused(503, message("too-many-tabs", tabs=self.most))
        if len({*self._tabs.values(), language}) > MAX_LANGUAGES:
            raise RequestRefused(503, message("too-many-languages", languages=MAX_LANGUAGES))
        self._loop = asyncio.get_running_loop()
        tab = asyncio.Event()
        self._tabs[tab] = language
        return tab

    def remove_tab(self, tab: asyncio.Event) -> None:
        self._tabs.pop(tab, None)

    def newest(self, language: Language) -> str:
        """Return the newest state in a language. Takes no place. Only on the server's thread."""
        texts = self._texts  # a change meanwhile puts an empty one in its place
        if language not in texts:
            texts[language] = self.text(language)
        return texts[language]

    async def states(self, tab: asyncio.Event) -> AsyncIterator[bytes]:
        """Yield the newest state now, and after each change; KEEPALIVE if nothing changes."""
        async for is_news in self.changes(tab):
            yield f"data: {self.newest(self._tabs[tab])}\n\n".encode() if is_news else KEEPALIVE

    async def changes(self, tab: asyncio.Event) -> AsyncIterator[bool]:
        """Yield true now, and after each change; false if nothing changes for `keepalive_s`."""
        while not self.closing:
            yield True
            while not tab.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.keepalive_s):
                        await tab.wait()
                if not tab.is_set():
                    yield False
            tab.clear()

    def _wake_tabs(self) -> None:
        def wake() -> None:
            for tab in self._tabs:
                tab.set()

        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server's loop has ended
                self._loop.call_soon_threadsafe(wake)
