"""A queue that answers one request at a time, and treats all addresses alike."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pi_app.model.screens import message
from pi_app.web.answers import NO_STORE, Languages, RequestRefused, check_site, language_of
from pi_app.web.state import say_all

MAX_PER_ADDRESS = 4  # requests of one address; each tab of a browser makes one
MAX_REQUESTS = 32  # requests of all addresses
RETRY_S = 2

T = TypeVar("T")


class RequestQueue:
    """Runs one request at a time, on a thread of its own. All calls come from one event loop.

    Only the oldest request of each address is in the queue, and the address's others wait for it.
    So an address that asks for many games delays the others by a single game.
    """

    def __init__(self, languages: Languages) -> None:
        self._languages = languages
        self._counts: Counter[str] = Counter()
        self._address_locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._lock = asyncio.Lock()
        self._worker = ThreadPoolExecutor(1, "games")

    def route(self, path: str, answer: Callable[[Request], Any], own_site: bool = True) -> Route:
        """Return a route that answers on the thread.

        answer: returns a response, or what `say_all` can say, for JSON. `request.state.is_gone`
        tells it whether the client is gone. own_site: refuse other sites' requests.
        """

        async def endpoint(request: Request) -> Response:
            def work(is_gone: Callable[[], bool]) -> Response:
                request.state.is_gone = is_gone
                told = say_all(answer(request), language_of(request, self._languages))
                return told if isinstance(told, Response) else JSONResponse(told, headers=NO_STORE)

            if own_site:
                check_site(request)
            return await self.run(request, work)

        return Route(path, endpoint)

    async def run(self, request: Request, work: Callable[[Callable[[], bool]], T]) -> T:
        """Return the result of `work`, which runs on a thread.

        `work` gets a function that tells whether the client is gone. Then it may raise
        ClientDisconnect, as this does if the client goes earlier. Raises RequestRefused if too many
        requests wait.
        """
        address = request.client.host if request.client is not None else ""
        if self._counts[address] >= MAX_PER_ADDRESS or self._counts.total() >= MAX_REQUESTS:
            raise RequestRefused(
                503, message("too-many-games", seconds=RETRY_S), {"Retry-After": str(RETRY_S)}
            )
        self._counts[address] += 1
        leaving = asyncio.create_task(_wait_for_disconnect(request))
        try:
            async with self._address_locks[address], self._lock:
                if leaving.done():
                    raise ClientDisconnect
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._worker, work, leaving.done)
        finally:
            leaving.cancel()
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address], self._address_locks[address]


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
