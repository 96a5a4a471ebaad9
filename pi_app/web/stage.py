"""The newest state for every open tab, as a stream. Knows no state and no route."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from pi_app.screens.screen import message
from pi_app.web.answers import NO_STORE, RequestRefused

MAX_TABS = 16  # four players with some devices each; every stream costs each press its share
KEEPALIVE_S = 10.0  # a tab that hears nothing for much longer asks again
KEEPALIVE = b": still here\n\n"  # a comment, which is no state


class StateStream:
    """The newest state for every open tab; each tab skips what it was too slow for.

    `text` gives the newest state; it is asked once a change, on the server's thread.
    """

    def __init__(self, text: Callable[[], str], beat_s: float = KEEPALIVE_S) -> None:
        self._text = text
        self._beat_s = beat_s
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
        if len(self._tabs) >= MAX_TABS:
            raise RequestRefused(503, message("too-many-tabs", tabs=MAX_TABS))
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
            while not await self._told(tab):
                yield KEEPALIVE
            tab.clear()

    async def _told(self, tab: asyncio.Event) -> bool:
        """Wait for news for as long as silence may last; whether there are any."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._beat_s):
                await tab.wait()
        return tab.is_set()

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
