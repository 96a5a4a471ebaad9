"""The club's page: a server in a thread of its own. Only the organiser's routes write anything."""

import asyncio
import json
import socket
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from pi_app.club.ledger import Ledger
from pi_app.club.organising import STATIC, Organising
from pi_app.club.results import evening_games, name_players, rating_plots, result
from pi_app.club.store import StoreError
from pi_app.club.tables import NO_TABLES, Tables
from pi_app.club.tiles import Tile, Tiles
from pi_app.model.screens import message
from pi_app.texts.language import Language
from pi_app.web import answers
from pi_app.web.kept_games import game_story, review_state, throws_to_review
from pi_app.web.reviews import Reviews
from pi_app.web.stage import KEEPALIVE, StateStream
from pi_app.web.turns import RequestQueue
from rules.lines.jsonl import read_lines

MAX_TABS = 100  # a phone for each player of a large evening
TOGETHER_S = 0.1  # changes within this time are sent together, but the first one at once
REFRESH_S = 5.0  # after which a game or an entry of the organiser shows at the tables
CLOSE_S = 2.0
SHORT_ID = 6  # letters of a game's id that people read


class ClubPage:
    """The page of a club.

    path: of the store. password: the organiser's, None if there is no organiser. now, clock: the
    time in seconds since 1970, and a monotonic one, by which `LiveTable` has its times.
    """

    def __init__(
        self,
        path: Path,
        languages: answers.Languages,
        password: str | None = None,
        now: Callable[[], float] = time,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._languages, self._now, self._clock = languages, now, clock
        self._ledger, self._live, self._tiles = Ledger(path), NO_TABLES, Tiles()
        self._reviews = Reviews()
        self._turns: dict[tuple[str, int], int] = {}  # by a game's id and the length of its record
        self._stage = StateStream(lambda language: "", most=MAX_TABS)
        organising = Organising(self._ledger, lambda: self._live, languages, password, now, clock)
        route = RequestQueue(languages).route
        self.application = Starlette(
            routes=[
                Route("/stream", self._stream),
                route("/evening", self._answer_evening),
                route("/players", self._answer_players),
                route("/players/{person}", self._answer_players),
                route("/games/{number}", self._answer_game),
                route("/games/{number}/review", self._answer_review),
                *organising.routes,
                *answers.routes(STATIC, "club", languages),
            ],
            exception_handlers=answers.error_handlers(languages),
        )
        self._server = answers.make_server(self.application)
        self._thread: threading.Thread | None = None

    def show(self, tables: Tables) -> None:
        """Show the tables as they are now. May be called from any thread."""
        self._live = tables
        self._stage.note_change()

    def start(self, sock: socket.socket) -> None:
        """Serve the page on a listening socket, until `close`."""
        work = self._serve(sock)
        self._thread = threading.Thread(target=asyncio.run, args=(work,), name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams first, because the server waits for them, then the server."""
        self._stage.close()
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        self._reviews.close()

    async def _serve(self, sock: socket.socket) -> None:
        with answers.log_faults_once():
            keeping = asyncio.create_task(self._keep_up())
            await self._server.serve([sock])
            keeping.cancel()

    async def _keep_up(self) -> None:
        while True:
            with suppress(StoreError, sqlite3.Error):  # whoever keeps games says so
                await asyncio.to_thread(self._ledger.refresh)
            self._stage.note_change()
            await asyncio.sleep(REFRESH_S)

    # --- the tables as they are now --------------------------------------------------------------

    async def _stream(self, request: Request) -> ASGIApp:
        return self._stage.answer(request, self._languages, self._events)

    async def _events(self, tab: asyncio.Event, language: Language) -> AsyncIterator[bytes]:
        """Yield all tiles, then those that change, and the names of the tables that are gone."""
        sent: dict[str, Tile] | None = None
        async for is_news in self._stage.changes(tab):
            if is_news:
                self._tiles.update(self._live, self._ledger.club, self._clock(), self._now())
            tiles, known = self._tiles.all, sent or {}
            news = [name for name, tile in tiles.items() if tile is not known.get(name)]
            gone = [name for name in known if name not in tiles]
            if sent is not None and not news and not gone:
                yield KEEPALIVE
                continue
            first = json.dumps({"now": self._clock(), "all": sent is None, "gone": gone})
            said = ",".join(tiles[name].say(language) for name in news)
            yield f'data: {first[:-1]}, "tables": [{said}]}}\n\n'.encode()
            sent = dict(tiles)
            await asyncio.sleep(TOGETHER_S)

    # --- what the store has, on the queue's thread -----------------------------------------------

    def _answer_evening(self, request: Request) -> Any:
        games, club = self._ledger.refresh()
        shown = evening_games(games, self._now())
        return [result(game, club, self._count_turns(game.id)) for game in shown]

    def _answer_players(self, request: Request) -> Any:
        return rating_plots(*self._ledger.refresh(), request.path_params.get("person", ""))

    def _answer_game(self, request: Request) -> Any:
        id, lines = self._lines(request)
        return {**game_story(id[:SHORT_ID], lines), "home": message("club-tables")}

    def _answer_review(self, request: Request) -> Any:
        throws, frames = throws_to_review(self._lines(request)[1])
        found = self._reviews.request(throws)
        return review_state(throws, frames, found, self._reviews.failed)

    def _lines(self, request: Request) -> tuple[str, tuple[str, ...]]:
        id, club = request.path_params["number"], self._ledger.refresh()[1]
        record = self._ledger.record(id)
        if record is None:
            raise answers.RequestRefused(404, message("no-such-game", number=id))
        return id, name_players(record, self._ledger.games.get(id), club)

    def _count_turns(self, id: str) -> int:
        record = self._ledger.record(id) or ""
        key = id, len(record)
        if key not in self._turns:
            for line in read_lines(record.split("\n")):
                self._turns[key] = line.record.game.turns
        return self._turns[key]
