"""The kept games' answers to a browser: the list, a game, its luck and skill. Knows no fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pi_app.public.games import list_games, review_shown, throws_to_review
from pi_app.record.games import NoGameError, reading_games, rules_fault
from pi_app.record.trouble import JournalError
from pi_app.screens.screen import Message, message
from pi_app.texts.language import Language
from pi_app.web.answers import NO_STORE, check_site
from pi_app.web.games import page_game
from pi_app.web.reviews import Reviews
from pi_app.web.turns import RequestQueue

_to_review = lru_cache(maxsize=4)(throws_to_review)  # who waits for a review asks each second

T = TypeVar("T")
IsDisconnected = Callable[[], bool]


class GameRoutes:
    """The games of a journal, as they are when they are asked for.

    A game is read on a thread of its own, so that no press waits for it, and in turn (`RequestQueue`).
    """

    def __init__(self, journal: Path, language: Language) -> None:
        self._journal = journal
        self._language = language
        self._reviews = Reviews()
        self._turns = RequestQueue()
        self.routes = [
            Route("/games", self._list),
            Route("/games/{number}", self._game),
            Route("/games/{number}/review", self._review),
        ]
        self.refusals = {NoGameError: self._not_there, JournalError: self._not_readable}

    def close(self) -> None:
        """End what works out reviews."""
        self._reviews.close()

    async def _list(self, request: Request) -> Response:
        def work(is_gone: IsDisconnected) -> Response:
            with reading_games(self._journal) as games:
                summaries = _while_wanted(games.summaries(), is_gone)
                return _answer(list_games(summaries, self._language))

        return await self._work_out(request, work)

    async def _game(self, request: Request) -> Response:
        number = _number(request)

        def work(is_gone: IsDisconnected) -> Response:
            with rules_fault(number):
                lines = _while_wanted(self._lines(number), is_gone)
                return _answer(page_game(number, lines, self._language))

        return await self._work_out(request, work)

    async def _review(self, request: Request) -> Response:
        number = _number(request)

        def work(is_gone: IsDisconnected) -> Response:
            with rules_fault(number):
                asked, frames = _to_review(self._lines(number))
            found, failed = self._reviews.ready(asked), self._reviews.failed
            return _answer(review_shown(asked, frames, found, self._language, failed))

        return await self._work_out(request, work)

    async def _work_out(
        self, request: Request, work: Callable[[IsDisconnected], Response]
    ) -> Response:
        check_site(request)
        return await self._turns.work_out(request, work)

    def _not_there(self, request: Request, error: Exception) -> Response:
        return self._refuse(404, message("no-such-game", number=_number(request)))

    def _not_readable(self, request: Request, error: Exception) -> Response:
        """Answer whose journal or game can't be read; a command says more of it."""
        if "number" in request.path_params:
            why = message("can-not-read-game", number=_number(request))
        else:
            why = message("can-not-read-games")
        return self._refuse(503, why)

    def _refuse(self, status: int, why: Message) -> Response:
        return PlainTextResponse(f"{self._language.say(why, 'page')}\n", status)

    def _lines(self, number: str) -> tuple[str, ...]:
        with reading_games(self._journal) as games:
            return games.lines(number)


def _while_wanted(values: Iterable[T], is_gone: IsDisconnected) -> Iterator[T]:
    """Yield each value; ClientDisconnect once nobody waits for the answer any more."""
    for value in values:
        if is_gone():
            raise ClientDisconnect
        yield value


def _number(request: Request) -> str:
    return str(request.path_params["number"])


def _answer(content: Any) -> Response:
    return JSONResponse(content, headers=NO_STORE)
