"""The web routes of stored games: the list, one game, and its review."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic, time
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pi_app.model.reviews import sum_reviews
from pi_app.model.screens import message
from pi_app.record.copying import copy_journal
from pi_app.record.games import NoGameError, add_game_to_error, open_games
from pi_app.record.reading import Moment
from pi_app.record.trouble import JournalError
from pi_app.settings.addresses import NEWEST_GAME
from pi_app.texts.language import Language
from pi_app.web.answers import NO_STORE, Languages, RequestRefused, check_site, language_of
from pi_app.web.game_file import game_file
from pi_app.web.kept_games import game_story, list_games, review_state, throws_to_review
from pi_app.web.plots import statistics
from pi_app.web.reviews import Reviews
from pi_app.web.state import say_all
from pi_app.web.turns import RequestQueue

GAMES_AT_ONCE = 50  # in a list
DAY_S = 86_400
COUNT_S = 2.0  # for so long a request counts games; then it says how far it is
# Cached, because a page that waits for a review requests it every second.
_cached_throws_to_review = lru_cache(maxsize=4)(throws_to_review)

T = TypeVar("T")
IsDisconnected = Callable[[], bool]
Answer = Callable[[Request, IsDisconnected], Response]


class GameRoutes:
    """The routes of a journal's games.

    A separate thread handles one request at a time, and reads the journal for each. So requests do
    not delay presses.

    export: whether browsers may also take a game's record and a backup of all games.
    """

    def __init__(self, journal: Path, languages: Languages, export: bool = False) -> None:
        self._journal = journal
        self._export = export
        self._languages = languages
        self._reviews = Reviews()
        self._queue = RequestQueue()
        self._counted_at: Moment | None = None  # the journal's moment of these statistics
        self._statistics: dict[str, Any] = {"over": False}
        exported: dict[str, Answer] = {
            "/games/backup": self._answer_backup,
            "/games/{number}/record": self._answer_record,
        }
        answers: dict[str, Answer] = {
            **(exported if export else {}),
            "/games": self._answer_list,
            "/games/statistics": self._answer_statistics,
            "/games/{number}": self._answer_game,
            "/games/{number}/review": self._answer_review,
            "/games/{number}/file": self._answer_file,
        }
        self.routes = [
            Route(f"/{NEWEST_GAME}", self._queued(self._lead_to_newest, own_site=False)),
            *(Route(path, self._queued(answer)) for path, answer in answers.items()),
        ]

        # For programs of this computer.
        self.local_routes = [
            Route("/records", self._queued(self._answer_records)),
            Route("/games/{number}/record", self._queued(self._answer_record)),
        ]

    def close(self) -> None:
        """End the process that reviews games."""
        self._reviews.close()

    def _queued(
        self, answer: Answer, own_site: bool = True
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that answers on the thread. own_site: refuse other sites' requests."""

        async def endpoint(request: Request) -> Response:
            if own_site:
                check_site(request)
            try:
                return await self._queue.run(request, partial(answer, request))
            except NoGameError:
                raise RequestRefused(
                    404, message("no-such-game", number=_number(request))
                ) from None
            except JournalError:
                why = message("can-not-read-games")
                if number := request.path_params.get("number"):
                    why = message("can-not-read-game", number=number)
                raise RequestRefused(503, why) from None

        return endpoint

    def _lead_to_newest(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        with open_games(self._journal) as games:
            newest = "".join(games.own_numbers()[-1:])
        return RedirectResponse(f"games.html#{newest}", headers=NO_STORE)

    def _answer_list(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        """Answer with the newest games, or with those before the game `before`, newest first."""
        before = request.query_params.get("before")
        with open_games(self._journal) as games:
            numbers = games.numbers()
            if before in numbers:
                numbers = numbers[: numbers.index(before)]
            summaries = games.read_summaries(numbers[: -GAMES_AT_ONCE - 1 : -1])
            known = _until_disconnect(summaries, is_disconnected)
            listed = say_all(list_games(known), self._language(request))
        has_older = len(numbers) > GAMES_AT_ONCE
        return _json({"games": listed, "has_older": has_older, "export": self._export})

    def _answer_statistics(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        """Answer with the statistics of as many games as are counted in time, the newest first."""
        deadline = monotonic() + COUNT_S
        with open_games(self._journal) as games:
            moment, numbers = games.moment, games.own_numbers()
            if self._counted_at != moment or not self._statistics["over"]:
                counts = games.read_counts(
                    reversed(numbers), lambda: is_disconnected() or monotonic() > deadline
                )
                summaries = games.read_summaries(tuple(counts))
                self._statistics = statistics(summaries, counts, len(numbers))
                self._counted_at = moment
        return _json(say_all(self._statistics, self._language(request)))

    def _answer_game(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        number = _number(request)
        with add_game_to_error(number):
            lines = _until_disconnect(self._lines(number), is_disconnected)
            story = say_all(game_story(number, lines), self._language(request))
        return _json({**story, "export": self._export})

    def _answer_review(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        number = _number(request)
        with add_game_to_error(number):
            throws, frames = _cached_throws_to_review(self._lines(number))
        reviews, has_failed = self._reviews.request(throws), self._reviews.failed
        if throws and None not in reviews:
            luck = [seat[:3] for seat in sum_reviews(throws, reviews).seats]
            with open_games(self._journal) as games:
                games.keep_luck(number, luck)
            self._counted_at = None
        review = review_state(throws, frames, reviews, has_failed)
        return _json(say_all(review, self._language(request)))

    def _answer_file(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        """Answer with a game as one file, with luck and skill if they are ready."""
        number, language = _number(request), self._language(request)
        with add_game_to_error(number):
            lines = self._lines(number)
            reviews = self._reviews.request(_cached_throws_to_review(lines)[0])
            known = _until_disconnect(lines, is_disconnected)
            text = game_file(number, known, reviews, language, self._languages)
        return HTMLResponse(text, headers=_saved_as(f"game-{number}.html"))

    def _answer_records(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        """Answer with the table's own games that ended in the last days, newest first."""
        days = request.query_params.get("days", "3")
        if not re.fullmatch("[0-9]{1,4}", days):
            raise RequestRefused(400, f"days is a number of days, as in days=3, not {days[:60]!r}")
        with open_games(self._journal) as games:
            ended = games.ended_games(time() - DAY_S * int(days))
            known = _until_disconnect(ended, is_disconnected)
            return _json([{"number": n, "ended": at, "rows": rows} for n, at, rows in known])

    def _answer_record(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        """Answer with a game's record, as `referee export` writes it."""
        number = _number(request)
        with open_games(self._journal) as games:
            record = games.record_bytes(number)
        return Response(record, 200, _saved_as(f"game-{number}.jsonl"), "application/jsonl")

    def _answer_backup(self, request: Request, is_disconnected: IsDisconnected) -> Response:
        """Answer with a copy of the journal, as `referee backup` writes it."""
        with copy_journal(self._journal) as (copy, _):
            data = copy.read_bytes()
        return Response(data, 200, _saved_as("games.db"), "application/vnd.sqlite3")

    def _language(self, request: Request) -> Language:
        return language_of(request, self._languages)

    def _lines(self, number: str) -> tuple[str, ...]:
        with open_games(self._journal) as games:
            return games.record_lines(number)


def _until_disconnect(values: Iterable[T], is_disconnected: IsDisconnected) -> Iterator[T]:
    """Yield each value. Raises ClientDisconnect as soon as the client has disconnected."""
    for value in values:
        if is_disconnected():
            raise ClientDisconnect
        yield value


def _number(request: Request) -> str:
    return str(request.path_params["number"])


def _saved_as(name: str) -> dict[str, str]:
    return {**NO_STORE, "Content-Disposition": f'attachment; filename="{name}"'}


def _json(content: Any) -> Response:
    return JSONResponse(content, headers=NO_STORE)
