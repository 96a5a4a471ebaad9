"""The kept games' answers to a browser: the list, a game, its luck and skill. Knows no fingers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pi_app.record.games import NoGameError, following, reading_games
from pi_app.record.trouble import JournalError
from pi_app.web.answers import NO_STORE, check_site
from pi_app.web.games import listing, review_shown, shown, to_review
from pi_app.web.reviews import Reviews

_to_review = lru_cache(maxsize=4)(to_review)  # who waits for a review asks each second


class Shelf:
    """The games of a journal, as they are when they are asked for.

    Its routes answer on threads of their own, so that no press waits for a game being read; one
    is read at a time, however many ask.
    """

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._reviews = Reviews()
        self._reading = Lock()
        self.routes = [
            Route("/games", self._list),
            Route("/games/{number}", self._game),
            Route("/games/{number}/review", self._review),
        ]
        self.refusals = {NoGameError: _not_there, JournalError: _not_readable}

    def close(self) -> None:
        """End what works out reviews."""
        self._reviews.close()

    def _list(self, request: Request) -> Response:
        check_site(request)
        with self._reading, reading_games(self._journal) as games:
            return _answer(listing(games.summaries()))

    def _game(self, request: Request) -> Response:
        check_site(request)
        with self._reading, following(_number(request)):
            return _answer(shown(self._lines(request)))

    def _review(self, request: Request) -> Response:
        check_site(request)
        with self._reading, following(_number(request)):
            asked, frames = _to_review(self._lines(request))
        told = review_shown(asked, frames, self._reviews.ready(asked))
        return _answer({**told, "failed": self._reviews.failed})

    def _lines(self, request: Request) -> tuple[str, ...]:
        with reading_games(self._journal) as games:
            return games.lines(_number(request))


def _number(request: Request) -> str:
    return str(request.path_params["number"])


def _answer(content: Any) -> Response:
    return JSONResponse(content, headers=NO_STORE)


def _not_there(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", 404)


def _not_readable(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", 503)
