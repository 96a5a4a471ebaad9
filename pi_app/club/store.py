"""Keeps a club's games and what people entered, in one SQLite file. It judges no game.

A game is kept by its id, so it counts once however often it comes. Changes are only added. The
statements would run in PostgreSQL too, with its own sign for a value.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from math import inf, nextafter
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from pi_app.model.errors import UserError
from pi_app.record.schema import connect
from pi_app.record.trouble import error_in_one_line

MADE_BY = 0x50434C01  # "PCL" and the schema's number, at byte 60 of the file
CREATE = (
    """CREATE TABLE games (id TEXT PRIMARY KEY, at_table TEXT NOT NULL, lines INTEGER NOT NULL,
    places TEXT NOT NULL, record TEXT NOT NULL, received DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE changes (id TEXT PRIMARY KEY, made DOUBLE PRECISION NOT NULL,
    what TEXT NOT NULL)""",
    f"PRAGMA user_version = {MADE_BY}",
)
# Of two records with as many lines the first one counts, whichever store is merged first.
KEEP = """
INSERT INTO games VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
SET at_table = excluded.at_table, lines = excluded.lines, places = excluded.places,
    record = excluded.record, received = excluded.received
WHERE excluded.lines > games.lines OR excluded.lines = games.lines
    AND (excluded.received, excluded.at_table, excluded.record)
        < (games.received, games.at_table, games.record)
RETURNING lines
"""
CHANGE = "INSERT INTO changes VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING"
GAMES = "SELECT id, at_table, lines, places, record, received FROM games ORDER BY received, id"
CHANGES = "SELECT id, made, what FROM changes ORDER BY made, id"

Store = sqlite3.Connection  # each thread opens its own


class StoreError(UserError):
    """A file can't be used as a club's store."""


class ClubGame(NamedTuple):
    """A game that is over.

    lines: the actions in its record. places: the seats that came home, in order. record: its text
    (rules/RECORDS.md), whose first line is not empty. received: when, in seconds since 1970.
    """

    id: str
    table: str
    lines: int
    places: tuple[int, ...]
    record: str
    received: float


def open_store(path: Path, may_be_new: bool = True) -> Store:
    """Open a club's store; make a missing one if it may be new. Raises StoreError."""
    if not (may_be_new or path.is_file()):
        raise StoreError(f"there is no file {path}: name a club's store")
    with name_file(path), ExitStack() as unusable:
        store = unusable.enter_context(closing(connect(path, timeout=10.0)))
        if store.execute("PRAGMA user_version").fetchone() == (0,):
            with transaction(store):
                if store.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                    for statement in CREATE:
                        store.execute(statement)
        (made_by,) = store.execute("PRAGMA user_version").fetchone()
        if made_by >> 8 != MADE_BY >> 8:
            raise StoreError(f"{path} is not a club's store: name another file")
        if made_by > MADE_BY:
            raise StoreError(f"{path} is from a newer version: install that version")
        # Only in WAL mode, and with FULL, a commit survives a power cut.
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = FULL")
        unusable.pop_all()
    return store


@contextmanager
def transaction(store: Store) -> Iterator[None]:
    """Commit all that the block writes, or nothing of it. It survives a power cut."""
    with store:
        store.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def name_file(path: Path) -> Iterator[None]:
    """If the block raises an error of SQLite, raise a StoreError that names the file instead."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(
            f"{path} can't be used as a club's store ({error_in_one_line(error)})"
        ) from error


def keep_record(
    store: Store, table: str, id: str, record: str, judged: Mapping[str, Any], received: float
) -> bool:
    """Keep a game that is over; return whether it is new, or longer than what was kept.

    judged: the answer of `judge`. received: in seconds since 1970.
    """
    row = (id, table, judged["actions"], json.dumps(judged["places"]), record, received)
    with transaction(store):
        return bool(store.execute(KEEP, row).fetchall())


def kept_lines(store: Store, id: str) -> int:
    """Return how many actions the kept record of a game has, 0 if the game is not kept."""
    found = store.execute("SELECT lines FROM games WHERE id = ?", (id,)).fetchone()
    return found[0] if found else 0


def ended_games(store: Store) -> list[ClubGame]:
    """Return all games in the order in which they came."""
    found = map(ClubGame._make, store.execute(GAMES))
    return [game._replace(places=tuple(json.loads(str(game.places)))) for game in found]


def append_change(store: Store, what: Mapping[str, Any], made: float) -> None:
    """Keep what somebody entered. It comes after all others, whatever the clock.

    what: has the key `kind`. made: now, in seconds since 1970.
    """
    with transaction(store):
        (newest,) = store.execute("SELECT max(made) FROM changes").fetchone()
        made = made if newest is None else max(made, nextafter(newest, inf))
        store.execute(CHANGE, (token_hex(12), made, json.dumps(what, ensure_ascii=False)))


def changes(store: Store) -> list[tuple[float, dict[str, Any]]]:
    """Return all changes in the order in which they were made, each with the time of that."""
    return [(made, json.loads(what)) for _, made, what in store.execute(CHANGES)]


def merge_stores(paths: Iterable[Path], into: Path) -> None:
    """Put all games and changes of some stores into another, each once. Raises StoreError."""
    with closing(open_store(into)) as store, name_file(into):
        for path in paths:
            with closing(open_store(path, may_be_new=False)) as part, name_file(path):
                found = [part.execute(rows).fetchall() for rows in (GAMES, CHANGES)]
            with transaction(store):
                for statement, rows in zip((KEEP, CHANGE), found, strict=True):
                    for row in rows:
                        store.execute(statement, row).fetchall()
