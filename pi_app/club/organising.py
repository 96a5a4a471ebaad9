"""The page of tournaments, and the organiser's, who says who sits where. Only that one writes."""

import json
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Sequence
from hmac import compare_digest
from time import monotonic, time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pi_app.club.entering import WrongEntry, rows_for
from pi_app.club.ledger import Ledger
from pi_app.club.people import Club, PlayedGame, Tournament, round_results, tournament_standings
from pi_app.club.tables import Tables
from pi_app.model.screens import message
from pi_app.mqtt.messages import OFFLINE
from pi_app.web import answers

MAX_ENTRY_BYTES = 50_000
STATIC = "pi_app.club.static"
TRIES, TRIES_S = 10, 60.0  # so many wrong passwords in a time; then nobody gets in for as long
ASK = {"WWW-Authenticate": 'Basic realm="organiser", charset="UTF-8"'}


class Organising:
    """The routes of tournaments, and those of the organiser, who needs a password to exist.

    live: returns the tables as they are now. clock: monotonic, in seconds.
    """

    def __init__(
        self,
        ledger: Ledger,
        live: Callable[[], Tables],
        languages: answers.Languages,
        password: str | None = None,
        now: Callable[[], float] = time,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._ledger, self._live, self._password = ledger, live, password
        self._now, self._clock = now, clock
        self._wrong = deque[float](maxlen=TRIES)
        self._page = answers.file_route("organise.html", STATIC, "organise.html", languages)
        self.routes = [
            Route("/tournament/state", self._answer_state),
            Route("/organise.html", self._answer_page),
            Route("/organise/entry", self._take_entry, methods=["POST"]),
        ]

    async def _answer_page(self, request: Request) -> Any:
        self._check_password(request)
        return await self._page.endpoint(request)

    async def _answer_state(self, request: Request) -> Response:
        answers.check_site(request)
        return self._state()

    async def _take_entry(self, request: Request) -> Response:
        """Keep what the organiser enters, and answer with what holds now."""
        answers.check_site(request)
        self._check_password(request)
        body = await answers.read_body(request, MAX_ENTRY_BYTES)
        games, club = self._ledger.refresh()
        tables = {
            name: one.state["seats"] if one.state else ()
            for name, one in self._live().items()
            if one.availability != OFFLINE  # nobody is seated at a table that is away
        }
        try:
            rows = rows_for(json.loads(body), club, games, tables, self._now())
        except WrongEntry as error:
            raise answers.RequestRefused(409, error.why) from None
        except (ValueError, RecursionError):
            raise answers.RequestRefused(400, "send an entry in JSON") from None
        self._ledger.enter(rows, self._now())
        return self._state()

    def _check_password(self, request: Request) -> None:
        if self._password is None:
            raise answers.RequestRefused(404, message("no-such-page", name=request.url.path[1:]))
        now = self._clock()
        if len(self._wrong) == TRIES and now - self._wrong[0] < TRIES_S:
            raise answers.RequestRefused(429, "too many wrong passwords: try again in a minute")
        given = request.headers.get("authorization", "")
        try:
            said = b64decode(given.removeprefix("Basic "), validate=True).partition(b":")[2]
        except ValueError:
            said = b""
        if not compare_digest(said, self._password.encode()):
            if given:
                self._wrong.append(now)
            raise answers.RequestRefused(401, "this page needs the organiser's password", ASK)

    def _state(self) -> Response:
        games, club = self._ledger.refresh()
        tables = [_table(club, name, self._now()) for name in self._live()]
        tournaments = [_tournament(club, key, one, games) for key, one in club.tournaments.items()]
        state = {"people": club.names, "tables": tables, "tournaments": tournaments[::-1]}
        return JSONResponse(state, headers=answers.NO_STORE)


def _table(club: Club, name: str, now: float) -> dict[str, Any]:
    """Return a table of the club with who sits there now, and since when."""
    since = club.seated_since(name, now)
    return {"name": name, "people": club.who_sat(name, now), "since": since}


def _tournament(
    club: Club, key: str, tournament: Tournament, games: list[PlayedGame]
) -> dict[str, Any]:
    rounds = []
    for number, played in enumerate(tournament.played, 1):
        results = round_results(club, tournament, number, games)
        rounds.append(
            [
                {
                    "people": people,
                    "seats": _seats(club, people, at, played.made),
                    "at": at,
                    "tiers": result and result.tiers,
                }
                for people, at, result in zip(played.tables, played.at, results, strict=True)
            ]
        )
    return {
        "tournament": key,
        "name": tournament.name,
        "people": tournament.people,
        "rounds": tournament.rounds,
        "scheme": tournament.scheme,
        "played": rounds,
        "standings": [one._asdict() for one in tournament_standings(club, tournament, games)],
    }


def _seats(club: Club, people: Sequence[str], at: str | None, made: float) -> list[int]:
    """Return the seat of each person of a round's table; without a referee, in their order."""
    sat = {} if at is None else club.who_sat(at, made)
    seat_of = {person: seat for seat, person in sat.items()}
    return [seat_of.get(person, n) for n, person in enumerate(people)]
