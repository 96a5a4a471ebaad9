"""Requests that take work: one at a time, none for a client that has gone, so many and no more."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, TypeVar

import pytest
from starlette.requests import ClientDisconnect, Request

from pi_app.model.screens import message
from pi_app.web.answers import RequestRefused
from pi_app.web.turns import MAX_PER_ADDRESS, MAX_REQUESTS, RETRY_S, RequestQueue

T = TypeVar("T")
LONG_S = 60.0  # for what comes at once, on a machine that is busy


class Client:
    """A browser at an address that has sent a request, and may close its connection."""

    def __init__(self, address: str = "192.168.1.7") -> None:
        self.gone = asyncio.Event()
        self._sent = False
        scope = {"type": "http", "client": (address, 40000)}
        self.request = Request(scope, self._receive)

    async def _receive(self) -> dict[str, Any]:
        if not self._sent:
            self._sent = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Desk:
    """Turns, with work that lasts until it is told to end."""

    def __init__(self) -> None:
        self.turns = RequestQueue({})
        self.begun: list[str] = []
        self.at_once = self.most_at_once = 0
        self.go_on = Event()
        self._began = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def ask(self, name: str, client: Client | None = None) -> asyncio.Task[str]:
        """Ask for work of this name."""
        request = (client or Client()).request

        def work(is_gone: Callable[[], bool]) -> str:
            self.begun.append(name)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            self._loop.call_soon_threadsafe(self._began.set)
            while not self.go_on.wait(0.001):
                if is_gone():
                    break
            self.at_once -= 1
            if is_gone():
                raise ClientDisconnect
            return name

        return asyncio.create_task(self.turns.run(request, work))

    async def has_begun(self) -> None:
        """Wait until some work has begun, and all who asked have their place."""
        await asyncio.wait_for(self._began.wait(), LONG_S)


async def settled() -> None:
    """Let every task that can go on do so."""
    for _ in range(10):
        await asyncio.sleep(0)


def run(story: Callable[[], Awaitable[T]]) -> T:
    """Run a story on a thread of its own: Playwright leaves a loop behind on the tests' thread."""
    with ThreadPoolExecutor(1) as worker:
        return worker.submit(lambda: asyncio.run(asyncio.wait_for(story(), LONG_S))).result()


def test_one_request_is_worked_out_at_a_time_in_order() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask(name) for name in "abc"]
        await desk.has_begun()
        assert desk.begun == ["a"]
        desk.go_on.set()
        assert await asyncio.gather(*asked) == ["a", "b", "c"]
        assert (desk.begun, desk.most_at_once) == (["a", "b", "c"], 1)

    run(story)


def test_another_address_waits_for_one_request_only() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask(name) for name in "abcd"]
        await desk.has_begun()
        asked.append(desk.ask("other", Client("192.168.1.8")))
        await settled()
        desk.go_on.set()
        await asyncio.gather(*asked)
        assert desk.begun == ["a", "other", "b", "c", "d"]

    run(story)


def test_a_client_that_goes_before_its_turn_is_not_worked_for() -> None:
    async def story() -> None:
        desk, leaves = Desk(), Client()
        first, second, third = desk.ask("a"), desk.ask("b", leaves), desk.ask("c")
        await desk.has_begun()
        leaves.gone.set()
        await settled()
        desk.go_on.set()
        assert [await first, await third] == ["a", "c"]
        with pytest.raises(ClientDisconnect):
            await second
        assert desk.begun == ["a", "c"]

    run(story)


def test_work_is_told_that_its_client_has_gone() -> None:
    async def story() -> None:
        desk, leaves = Desk(), Client()
        asked = desk.ask("a", leaves)
        await desk.has_begun()
        leaves.gone.set()
        with pytest.raises(ClientDisconnect):
            await asked  # though `go_on` was never set

    run(story)


def test_an_address_that_asks_for_more_is_told_when_to_ask_again_and_others_are_not() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask(f"a{n}") for n in range(MAX_PER_ADDRESS)]
        await desk.has_begun()
        with pytest.raises(RequestRefused) as refused:
            await desk.ask("more")
        assert refused.value.status == 503
        assert refused.value.why == message("too-many-games", seconds=RETRY_S)
        assert refused.value.headers == {"Retry-After": str(RETRY_S)}
        asked.append(desk.ask("other", Client("192.168.1.8")))
        desk.go_on.set()
        await asyncio.gather(*asked)
        assert await desk.ask("again") == "again"

    run(story)


def test_of_many_addresses_so_many_requests_are_kept() -> None:
    async def story() -> None:
        desk = Desk()
        asked = [desk.ask(str(n), Client(f"192.168.1.{n}")) for n in range(MAX_REQUESTS)]
        await desk.has_begun()
        with pytest.raises(RequestRefused):
            await desk.ask("more", Client("192.168.2.1"))
        desk.go_on.set()
        await asyncio.gather(*asked)

    run(story)
