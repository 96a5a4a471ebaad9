"""The web routes of stored games: the list, one game, and its review."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic, time
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pi_app.model.reviews import sum_reviews
from pi_app.record.copying import copy_journal
from pi_app.record.games import add_game_to_error, open_games
from pi_app.record.reading import Moment
from pi_app.settings.addresses import NEWEST_GAME
from pi_app.web.answers import NO_STORE, Languages, RequestRefused, language_of
from pi_app.web.game_file import game_file
from pi_app.web.kept_games import game_story, list_games, review_state, throws_to_review
from pi_app.web.plots import statistics
from pi_app.web.reviews import Reviews
from pi_app.web.turns import RequestQueue

GAMES_AT_ONCE = 50  # in a list
DAY_S = 86_400
COUNT_S = 2.0  # for so long a request counts games; then it says how far it is

T = TypeVar("T")


class GameRoutes:
    """The routes of a journal's games, which are read on a thread of their own for each request.

    export: whether browsers may also take a game's record and a backup of all games.
    """

    def __init__(self, journal: Path, languages: Languages, export: bool = False) -> None:
        self._journal = journal
        self._export = export
        self._languages = languages
        self._reviews = Reviews()
        self._counted_at: Moment | None = None  # the journal's moment of these statistics
        self._statistics: dict[str, Any] = {"over": False}
        route = RequestQueue(languages).route
        record = route("/games/{number}/record", self._answer_record)
        self.routes = [
            route(f"/{NEWEST_GAME}", self._lead_to_newest, own_site=False),
            *([route("/games/backup", self._answer_backup), record] if export else []),
            route("/games", self._answer_list),
            route("/games/statistics", self._answer_statistics),
            route("/games/{number}", self._answer_game),
            route("/games/{number}/review", self._answer_review),
            route("/games/{number}/file", self._answer_file),
        ]
        # For programs of this computer.
        self.local_routes = [route("/records", self._answer_records), record]

    def close(self) -> None:
        self._reviews.close()

    def _lead_to_newest(self, request: Request) -> Response:
        with open_games(self._journal) as games:
            newest = "".join(games.own_numbers[-1:])
        return RedirectResponse(f"games.html#{newest}", headers=NO_STORE)

    def _answer_list(self, request: Request) -> Any:
        """Answer with the newest games, or with those before the game `before`, newest first."""
        before = request.query_params.get("before")
        with open_games(self._journal) as games:
            numbers = games.numbers()
            if before in numbers:
                numbers = numbers[: numbers.index(before)]
            summaries = games.read_summaries(numbers[: -GAMES_AT_ONCE - 1 : -1])
            listed = list_games(_until_disconnect(summaries, request))
        has_older = len(numbers) > GAMES_AT_ONCE
        return {"games": listed, "has_older": has_older, "export": self._export}

    def _answer_statistics(self, request: Request) -> Any:
        """Answer with the statistics of as many games as are counted in time, the newest first."""
        deadline = monotonic() + COUNT_S
        with open_games(self._journal) as games:
            moment, numbers = games.moment, games.own_numbers
            if self._counted_at != moment or not self._statistics["over"]:
                counts = games.read_counts(
                    reversed(numbers), lambda: request.state.is_gone() or monotonic() > deadline
                )
                summaries = games.read_summaries(tuple(counts))
                self._statistics = statistics(summaries, counts, len(numbers))
                self._counted_at = moment
        return self._statistics

    def _answer_game(self, request: Request) -> Any:
        number = _number(request)
        with add_game_to_error(number):
            story = game_story(number, _until_disconnect(self._lines(number), request))
        return {**story, "export": self._export}

    def _answer_review(self, request: Request) -> Any:
        number = _number(request)
        with add_game_to_error(number):
            throws, frames = throws_to_review(self._lines(number))
        reviews, has_failed = self._reviews.request(throws), self._reviews.failed
        if throws and None not in reviews:
            luck = [seat[:3] for seat in sum_reviews(throws, reviews).seats]
            with open_games(self._journal) as games:
                games.keep_luck(number, luck)
            self._counted_at = None
        return review_state(throws, frames, reviews, has_failed)

    def _answer_file(self, request: Request) -> Response:
        """Answer with a game as one file, with luck and skill if they are ready."""
        number, language = _number(request), language_of(request, self._languages)
        with add_game_to_error(number):
            lines = self._lines(number)
            reviews = self._reviews.request(throws_to_review(lines)[0])
            known = _until_disconnect(lines, request)
            text = game_file(number, known, reviews, language, self._languages)
        return HTMLResponse(text, headers=_saved_as(f"game-{number}.html"))

    def _answer_records(self, request: Request) -> Any:
        """Answer with the table's own games that ended in the last days, newest first."""
        days = request.query_params.get("days", "3")
        if not re.fullmatch("[0-9]{1,4}", days):
            raise RequestRefused(400, f"days is a number of days, as in days=3, not {days[:60]!r}")
        with open_games(self._journal) as games:
            ended = games.ended_games(time() - DAY_S * int(days))
            known = _until_disconnect(ended, request)
            return [{"number": n, "ended": at, "rows": rows} for n, at, rows in known]

    def _answer_record(self, request: Request) -> Response:
        """Answer with a game's record, as `referee export` writes it."""
        number = _number(request)
        with open_games(self._journal) as games:
            record = games.record_bytes(number)
        return Response(record, 200, _saved_as(f"game-{number}.jsonl"), "application/jsonl")

    def _answer_backup(self, request: Request) -> Response:
        """Answer with a copy of the journal, as `referee backup` writes it."""
        with copy_journal(self._journal) as (copy, _):
            data = copy.read_bytes()
        return Response(data, 200, _saved_as("games.db"), "application/vnd.sqlite3")

    def _lines(self, number: str) -> tuple[str, ...]:
        with open_games(self._journal) as games:
            return games.record_lines(number)


def _until_disconnect(values: Iterable[T], request: Request) -> Iterator[T]:
    """Yield each value. Raises ClientDisconnect as soon as the client has disconnected."""
    for value in values:
        if request.state.is_gone():
            raise ClientDisconnect
        yield value


def _number(request: Request) -> str:
    return str(request.path_params["number"])


def _saved_as(name: str) -> dict[str, str]:
    return {**NO_STORE, "Content-Disposition": f'attachment; filename="{name}"'}
