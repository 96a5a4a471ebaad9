"""What a club's store says, read again only as far as it is new: games with places, and changes."""

import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any

from pi_app.club.people import Club, PlayedGame, fold_changes
from pi_app.club.played import played_game
from pi_app.club.store import append_change, changes, open_store

GAME = "SELECT at_table, record, places, received FROM games WHERE id = ?"


class Ledger:
    """What is known of a club, on any thread. Each method raises StoreError.

    games: those with a winner, by id. club: what the organiser has said. Both are as of the last
    `refresh`.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._lines: dict[str, int] = {}
        self.games: dict[str, PlayedGame] = {}
        self.club = Club()

    def refresh(self) -> tuple[list[PlayedGame], Club]:
        """Read what is new in the store, and return all games and what the organiser has said."""
        with self._lock, closing(open_store(self._path)) as store:
            for id, lines in store.execute("SELECT id, lines FROM games").fetchall():
                if self._lines.get(id) != lines:  # new, or it went on after its end
                    table, record, places, received = store.execute(GAME, (id,)).fetchone()
                    game = played_game(id, table, record, json.loads(places), received)
                    self.games.pop(id, None)
                    self.games.update({} if game is None else {id: game})
                    self._lines[id] = lines
            self.club = fold_changes(changes(store))
            return [*self.games.values()], self.club

    def record(self, id: str) -> str | None:
        """Return the record of a game, None if the game is not kept."""
        with closing(open_store(self._path)) as store:
            found = store.execute("SELECT record FROM games WHERE id = ?", (id,)).fetchone()
        return found[0] if found else None

    def enter(self, rows: Iterable[Mapping[str, Any]], made: float) -> None:
        """Keep what somebody entered. made: now, in seconds since 1970."""
        with closing(open_store(self._path)) as store:
            for row in rows:
                append_change(store, row, made)
