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

SCHEMA = 5
SAID_OF_OLD = 8  # how much of a row was chained in schema 2: up to `chamber_n`
NAMED = ("player.*", "evening")  # the keys of `settings` under which players' names lie

# Made last: the pages of all other tables lie as in schema 2, which is without it. Older schemas
# are without the last columns, and where a row ends before a column, SQLite reads NULL.
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
    ended TEXT,
    names TEXT
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
    hint TEXT,
    played INTEGER,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chamber_events ON rows (boot, chamber_n) WHERE boot IS NOT NULL;
{SETTINGS};
COMMIT;
"""
WITHOUT_SETTINGS = CREATE.replace(SETTINGS, "")
CREATE_4 = (
    CREATE.replace("    ended TEXT,\n    names TEXT\n", "    ended TEXT\n")
    .replace("    hint TEXT,\n", "")
    .replace("    played INTEGER,\n", "")
)
CREATE_3 = CREATE_4.replace("    by TEXT,\n", "")
MADE = {2: CREATE_3.replace(SETTINGS, ""), 3: CREATE_3, 4: CREATE_4, SCHEMA: CREATE}
START = "INSERT INTO games (id, ruleset, seats, started) VALUES (?, ?, ?, ?)"
APPEND = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
END = "UPDATE games SET ended = ? WHERE id = ?"
LAST = "SELECT id, ended IS NOT NULL, names FROM games ORDER BY id DESC LIMIT 1"
NAME = "UPDATE games SET names = ? WHERE id = ?"
ROWS = """
SELECT n, at, action, position, source, boot, chamber_n, by, hint, played, chain
FROM rows WHERE game = ?
"""
SET = """
SELECT CAST(key AS BLOB), CAST(value AS BLOB) FROM settings
WHERE typeof(key) = 'text' AND typeof(value) = 'text' ORDER BY key
"""
TAKE_OUT = "DELETE FROM settings WHERE key = ?"
PUT = "INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
ROWS_OF_SCHEMA_4 = ROWS.replace("hint, played", "NULL, NULL")
ROWS_OF_SCHEMA_3 = ROWS_OF_SCHEMA_4.replace("by", "NULL")
ROWS_OF_SCHEMA_1 = ROWS_OF_SCHEMA_3.replace("chain", "''")
ROWS_OF = {3: ROWS_OF_SCHEMA_3, 4: ROWS_OF_SCHEMA_4, SCHEMA: ROWS}  # 2 and 3 have the same


class Link(NamedTuple):
    """A row as it lies in the database: its number in the game, from 1, its time and its check.

    at: "" where the computer's clock was not set. played: for how many milliseconds the table had
    been on in this game, None in rows of a schema before 5, whose clocks may never have been set.
    """

    n: int
    at: str
    row: Row
    chain: str
    played: int | None = None


class Kept(NamedTuple):
    """A game as it lies in the database; `ended` is its end's time, if it has ended.

    names: who plays it, by the letters of seats, as JSON; None where nobody's name is kept.
    """

    id: int
    links: tuple[Link, ...]
    ended: str | None = None
    names: str | None = None


def link(before: str, n: int, at: str, row: Row, played: int | None = None) -> Link:
    """Return a row chained to the one before it, whose check is `before` ("" for none)."""
    says = [before, n, at, *_values(row), played]
    while says[-1] is None and len(says) > SAID_OF_OLD:
        says.pop()  # it is chained as before there was that column
    return Link(n, at, row, blake2b(json.dumps(says).encode(), digest_size=8).hexdigest(), played)


def unbroken(links: Iterable[Link]) -> Iterator[Link]:
    """Yield a game's rows from the first to the last that is as it was recorded."""
    before = ""
    for number, one in enumerate(links, 1):
        if one != link(before, number, one.at, one.row, one.played):
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
    connection.execute(NAME, (game.names, game.id))


def start_game(connection: sqlite3.Connection, game: int, first: Link) -> None:
    """Write the game that a `new ...` row starts."""
    ruleset, _, seats = first.row.action.removeprefix("new ").rpartition(" seats ")
    connection.execute(START, (game, ruleset, seats, first.at))


def append(connection: sqlite3.Connection, game: int, one: Link) -> None:
    """Write one row."""
    *values, by, hint = _values(one.row)
    connection.execute(APPEND, (game, one.n, one.at, *values, one.chain, by, hint, one.played))


def links_of(connection: sqlite3.Connection, game: int, query: str = ROWS) -> Iterator[Link]:
    """Yield a game's rows in order, as they lie there."""
    for n, at, *values, played, chain in connection.execute(f"{query} ORDER BY n", (game,)):
        yield Link(n, at, Row(*values), chain, played)


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
    return row.action, row.position, row.source, row.boot, row.n, row.by, row.hint
