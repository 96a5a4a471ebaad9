"""Whose request is worked out next: one at a time, in turn between addresses. Knows no game."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from pi_app.screens.screen import message
from pi_app.web.answers import RequestRefused

MAX_PER_ADDRESS = 4  # requests of one address that are kept; a browser's tabs ask for one each
MAX_REQUESTS = 32  # requests of all addresses that are kept
RETRY_S = 2

T = TypeVar("T")


class RequestQueue:
    """Works out one request at a time, on a thread of its own.

    Of each address only the oldest request is in the queue; the others wait behind it, so an
    address that asks for a thousand games holds another one up by a single game. All calls come
    from one event loop.
    """

    def __init__(self) -> None:
        self._kept: Counter[str] = Counter()
        self._of_address: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._all = asyncio.Lock()
        self._worker = ThreadPoolExecutor(1, "games")

    async def work_out(self, request: Request, work: Callable[[Callable[[], bool]], T]) -> T:
        """Return what `work` returns.

        `work` is called on a thread, with a function that says whether the client has gone. It
        may then raise ClientDisconnect, as this does for a client that goes before its turn.
        Refused where too many requests wait.
        """
        address = request.client.host if request.client is not None else ""
        if self._kept[address] >= MAX_PER_ADDRESS or self._kept.total() >= MAX_REQUESTS:
            raise RequestRefused(
                503, message("too-many-games", seconds=RETRY_S), {"Retry-After": str(RETRY_S)}
            )
        self._kept[address] += 1
        leaving = asyncio.create_task(_leaving(request))
        try:
            async with self._of_address[address], self._all:
                if leaving.done():
                    raise ClientDisconnect
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._worker, work, leaving.done)
        finally:
            leaving.cancel()
            self._kept[address] -= 1
            if not self._kept[address]:
                del self._kept[address], self._of_address[address]


async def _leaving(request: Request) -> None:
    """Return once the client has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
