"""The database's tables and how their rows are chained. A later version moves older ones to itself.

Each row carries a check of all that it says and of the row before it, so that rows that a disk has
changed, lost or brought back are told from those that were recorded.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple

from pi_app import __version__
from pi_app.record.history import Row
from pi_app.record.trouble import Damage

SCHEMA = 4
NAMED = ("player.*", "evening")  # the keys of `settings` under which players' names lie

# Made last: the pages of all other tables lie as in schema 2, which is without it; 2 and 3 are
# without the last column of `rows`, and where a row ends before a column, SQLite reads NULL.
SETTINGS = "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"
CREATE = f"""
BEGIN;
PRAGMA user_version = {SCHEMA};
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('schema', '{SCHEMA}'), ('made by', '{__version__}');
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    ruleset TEXT NOT NULL,
    seats TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT
) STRICT;
CREATE TABLE rows (
    game INTEGER NOT NULL REFERENCES games,
    n INTEGER NOT NULL,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    position TEXT NOT NULL,
    source TEXT,
    boot TEXT,
    chamber_n INTEGER,
    chain TEXT NOT NULL,
    by TEXT,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chamber_events ON rows (boot, chamber_n) WHERE boot IS NOT NULL;
{SETTINGS};
COMMIT;
"""
WITHOUT_SETTINGS = CREATE.replace(SETTINGS, "")
MADE = {
    2: WITHOUT_SETTINGS.replace("    by TEXT,\n", ""),
    3: CREATE.replace("    by TEXT,\n", ""),
    SCHEMA: CREATE,
}
START = "INSERT INTO games (id, ruleset, seats, started) VALUES (?, ?, ?, ?)"
APPEND = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
END = "UPDATE games SET ended = ? WHERE id = ?"
LAST = "SELECT id, ended IS NOT NULL FROM games ORDER BY id DESC LIMIT 1"
ROWS = "SELECT n, at, action, position, source, boot, chamber_n, by, chain FROM rows WHERE game = ?"
SET = """
SELECT CAST(key AS BLOB), CAST(value AS BLOB) FROM settings
WHERE typeof(key) = 'text' AND typeof(value) = 'text' ORDER BY key
"""
TAKE_OUT = "DELETE FROM settings WHERE key = ?"
PUT = "INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
ROWS_OF_SCHEMA_3 = ROWS.replace("by", "NULL")
ROWS_OF_SCHEMA_1 = ROWS_OF_SCHEMA_3.replace("chain", "''")


class Link(NamedTuple):
    """A row as it lies in the database: its number in the game, from 1, its time and its check."""

    n: int
    at: str
    row: Row
    chain: str


class Kept(NamedTuple):
    """A game as it lies in the database; `ended` is its end's time, if it has ended."""

    id: int
    links: tuple[Link, ...]
    ended: str | None = None


def link(before: str, n: int, at: str, row: Row) -> Link:
    """Return a row chained to the one before it, whose check is `before` ("" for none)."""
    *values, by = _values(row)
    says = json.dumps([before, n, at, *values, *([by] if by else [])])  # as it was before `by`
    return Link(n, at, row, blake2b(says.encode(), digest_size=8).hexdigest())


def unbroken(links: Iterable[Link]) -> Iterator[Link]:
    """Yield a game's rows from the first to the last that is as it was recorded."""
    before = ""
    for number, one in enumerate(links, 1):
        if one != link(before, number, one.at, one.row):
            return
        yield one
        before = one.chain


def whole(connection: sqlite3.Connection, game: int, query: str = ROWS) -> tuple[Link, ...]:
    """Return a game's rows; Damage where one is not as it was recorded."""
    links = tuple(links_of(connection, game, query))
    sound = tuple(unbroken(links))
    if len(sound) < len(links):
        raise Damage(f"row {len(sound) + 1} of game {game} is not as it was recorded")
    return links


def write_game(connection: sqlite3.Connection, game: Kept) -> None:
    """Write a whole game into the transaction that is open."""
    start_game(connection, game.id, game.links[0])
    for one in game.links:
        append(connection, game.id, one)
    connection.execute(END, (game.ended, game.id))


def start_game(connection: sqlite3.Connection, game: int, first: Link) -> None:
    """Write the game that a `new ...` row starts."""
    ruleset, _, seats = first.row.action.removeprefix("new ").rpartition(" seats ")
    connection.execute(START, (game, ruleset, seats, first.at))


def append(connection: sqlite3.Connection, game: int, one: Link) -> None:
    """Write one row."""
    *values, by = _values(one.row)
    connection.execute(APPEND, (game, one.n, one.at, *values, one.chain, by))


def links_of(connection: sqlite3.Connection, game: int, query: str = ROWS) -> Iterator[Link]:
    """Yield a game's rows in order, as they lie there."""
    for n, at, *values, chain in connection.execute(f"{query} ORDER BY n", (game,)):
        yield Link(n, at, Row(*values), chain)


def settings_of(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the settings that can be read: one that can't is as if it had never been made."""
    settings = {}
    with suppress(sqlite3.Error):
        for key, value in connection.execute(SET):
            with suppress(UnicodeDecodeError):
                settings[key.decode()] = value.decode()
    return settings


def check(connection: sqlite3.Connection) -> int:
    """Return the version of a database's schema; Damage where it is none of ours."""
    [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise Damage(" ".join(sound.split()))
    [(version,)] = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchall()
    [number] = connection.execute("PRAGMA user_version").fetchone()
    if version != str(number or 1) or not version.isdigit():
        raise Damage(f"it has schema {version} and {number}")
    if 1 < number <= SCHEMA and _tables(connection) != _tables_made(number):
        raise Damage("its tables are not those of this program")
    return int(version)


def made_by(connection: sqlite3.Connection) -> str:
    """Return the version of the program that made a database."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'made by'").fetchone()
    return row[0] if row else "another version"


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing has been made in a database yet."""
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str, str | None]]:
    return set(connection.execute("SELECT type, name, sql FROM sqlite_master"))


def _tables_made(schema: int) -> set[tuple[str, str, str | None]]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(MADE[schema])
    made = _tables(connection)
    connection.close()
    return made


def _values(row: Row) -> tuple[str | int | None, ...]:
    return row.action, row.position, row.source, row.boot, row.n, row.by
