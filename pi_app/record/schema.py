"""The database's tables, their statements, and how rows are chained. Opens no file of its own.

Each row carries a check of all that it says and of the row before it, and each game's head a check
of its own: what a disk has changed, lost or brought back differs from what was recorded. A damaged
file can hold any type of value, whatever its schema says, so the types of all values are checked
before a `StoredRow` or a `GameHead` is made of them. A later version moves a database of the schema
before to its own.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

from pi_app import __version__
from pi_app.record.trouble import Damage, error_in_one_line
from pi_app.rows.history import Row, parse_new
from rules.history import parse_entry

SCHEMA = 6
OLDEST_SCHEMA = 5  # the schema that is moved to ours
MAX_GAME_NUMBER = (
    999_999_999  # a damaged number of a game may be any; ours fit into the count's file
)
OPTIONAL_FROM = 8  # the values of a row from which on a None at the end is not chained
NAME_KEYS = ("player.*", "evening")  # the keys of `settings` that hold players' names

CREATE = f"""
BEGIN;
PRAGMA user_version = {SCHEMA};
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('schema', '{SCHEMA}'), ('made by', '{__version__}');
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    ended TEXT,
    names TEXT,
    rows INTEGER,
    damage TEXT,
    seal TEXT NOT NULL
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
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
COMMIT;
"""
PUT_HEAD = """
INSERT INTO games VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
SET ended = excluded.ended, names = excluded.names, rows = excluded.rows, damage = excluded.damage,
    seal = excluded.seal
"""
SELECT_HEAD = "SELECT ended, names, rows, damage, seal FROM games WHERE id = ?"
SELECT_HEAD_WITHOUT_SEAL = "SELECT ended, names, NULL, NULL, NULL FROM games WHERE id = ?"
COLUMNS = "SELECT name FROM pragma_table_info('games')"
APPEND_ROW = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ROWS = """
SELECT n, at, action, position, source, boot, chamber_n, by, hint, played, chain
FROM rows WHERE game = ? ORDER BY n
"""
COUNT = "SELECT count(*) FROM rows WHERE game = ?"
GAMES = ("SELECT id FROM games", "SELECT DISTINCT game FROM rows")
NEWEST = """
SELECT max(game) FROM (SELECT max(id) AS game FROM games UNION ALL SELECT max(game) FROM rows)
"""
SETTINGS = "SELECT key, value FROM settings ORDER BY key"
REMOVE_SETTING = "DELETE FROM settings WHERE key = ?"
PUT_SETTING = (
    "INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

TEXT, INTEGER = (str,), (int,)
TEXT_OR_NONE, INTEGER_OR_NONE = (str, NoneType), (int, NoneType)
TYPES_OF_ROW = (
    *(INTEGER, TEXT, TEXT, TEXT, TEXT_OR_NONE, TEXT_OR_NONE, INTEGER_OR_NONE),
    *(TEXT_OR_NONE, TEXT_OR_NONE, INTEGER_OR_NONE, TEXT),
)
TYPES_OF_HEAD = (TEXT_OR_NONE, TEXT_OR_NONE, INTEGER_OR_NONE, TEXT_OR_NONE, TEXT_OR_NONE)

UNREADABLE = (Damage, sqlite3.Error, ValueError)  # ValueError: SQLite's own words are not UTF-8


class RowText(NamedTuple):
    """A row in text, as the database holds it. action: of an entry, or of the start of a game."""

    action: str
    position: str
    source: str | None = None
    boot: str | None = None
    n: int | None = None
    by: str | None = None
    hint: str | None = None


class StoredRow(NamedTuple):
    """A row of the database with its number in the game, from 1, its time and its check.

    at: "" where the computer's clock was not set. played: for how many milliseconds the table had
    been on in this game, None in rows of an old version, whose clocks may never have been set.
    """

    n: int
    at: str
    row: RowText
    chain: str
    played: int | None = None


class GameHead(NamedTuple):
    """What the database holds of a game beside its rows. ended: when, None while it goes on.

    names: who plays it, by the letters of seats, as JSON; None where nobody's name is kept.
    rows: how many it has; None of the newest, whose rows are counted in a file. damage: why rows of
    it are missing, None where all are there.
    """

    ended: str | None = None
    names: str | None = None
    rows: int | None = None
    damage: str | None = None


class StoredGame(NamedTuple):
    """A game of a database: its number, its rows, its head."""

    id: int
    links: tuple[StoredRow, ...]
    head: GameHead = GameHead()


def connect(database: Path | str, timeout: float = 5.0) -> sqlite3.Connection:
    """Open a database in which text that is not UTF-8 is read as bytes, and so has a wrong type.

    database: a path, or a URI. Each statement is a transaction unless one is begun.
    """
    connection = sqlite3.connect(
        database,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        uri=isinstance(database, str),
    )
    connection.text_factory = _text
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database so that not a byte of it is changed."""
    return connect(f"{path.absolute().as_uri()}?mode=ro")


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


# --- chains and seals ----------------------------------------------------------------------------


def chain_row(before: str, n: int, at: str, row: RowText, played: int | None = None) -> StoredRow:
    """Return a row chained to the one before it, whose check is `before` ("" for none)."""
    said = [before, n, at, *row, played]
    while said[-1] is None and len(said) > OPTIONAL_FROM:
        said.pop()
    return StoredRow(n, at, row, _check(said), played)


def _seal(game: int, head: GameHead) -> str:
    return _check([game, *head])


def _check(said: Sequence[object]) -> str:
    return blake2b(json.dumps(said).encode(), digest_size=8).hexdigest()


# --- writing -------------------------------------------------------------------------------------


def row_text(row: Row) -> RowText:
    """Return a row in text."""
    return RowText(str(row.entry), row.position, row.source, row.boot, row.n, row.by, row.hint)


def write_game(connection: sqlite3.Connection, game: StoredGame) -> None:
    """Write a whole game into the transaction that is open."""
    write_head(connection, game.id, game.head)
    for one in game.links:
        append_row(connection, game.id, one)


def write_head(connection: sqlite3.Connection, game: int, head: GameHead) -> None:
    """Write a game's head, in the place of the one that it had."""
    connection.execute(PUT_HEAD, (game, *head, _seal(game, head)))


def append_row(connection: sqlite3.Connection, game: int, one: StoredRow) -> None:
    """Write one row."""
    *values, by, hint = one.row
    connection.execute(APPEND_ROW, (game, one.n, one.at, *values, one.chain, by, hint, one.played))


# --- reading -------------------------------------------------------------------------------------


def schema_of(connection: sqlite3.Connection) -> int:
    """Return the version of a database's schema; Damage where it is not one of ours."""
    found = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchall()
    [number] = connection.execute("PRAGMA user_version").fetchone()
    if found != [(str(number or 1),)]:
        named = ", ".join(str(value) for (value,) in found) or "none"
        raise Damage(f"it has schema {named} and {number}")
    return int(number or 1)


def check_schema(connection: sqlite3.Connection) -> int:
    """Return the version of a sound database's schema; Damage where it can't be used."""
    [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise Damage(f"{sound}")
    number = schema_of(connection)
    if number < OLDEST_SCHEMA:
        raise Damage(f"it has schema {number}, too old for this version")
    if number == SCHEMA and _tables(connection) != _tables_made():
        raise Damage("its tables are not those of this program")
    return number


def maker_of(connection: sqlite3.Connection) -> str:
    """Return the version of the program that made a database."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'made by'").fetchone()
    return str(row[0]) if row else "another version"


def has_no_tables(connection: sqlite3.Connection) -> bool:
    """Whether nothing has been made in a database yet."""
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def game_numbers(connection: sqlite3.Connection) -> list[int]:
    """Return the numbers of the games of which anything is there, in order, as far as is read."""
    found: set[int] = set()
    for query in GAMES:
        with suppress(*UNREADABLE):
            for (number,) in connection.execute(query):
                found |= {number} if _is_number(number) else set()
    return sorted(found)


def _is_number(number: object) -> bool:
    return isinstance(number, int) and 0 < number <= MAX_GAME_NUMBER


def newest_game(connection: sqlite3.Connection) -> StoredGame | None:
    """Return the newest game, None where there is none; Damage where it is not as recorded."""
    [number] = connection.execute(NEWEST).fetchone()
    if number is None:
        return None
    if not _is_number(number):
        raise Damage("the number of its newest game is not as it was recorded")
    return whole_game(connection, number)


def whole_game(connection: sqlite3.Connection, game: int) -> StoredGame:
    """Return a game; Damage where its head or a row is not as it was recorded."""
    found = StoredGame(game, tuple(_links(connection, game)), _head(connection, game))
    _check_rows(found)
    return found


def sound_part(connection: sqlite3.Connection, game: int) -> StoredGame:
    """Return a game as far as it is as it was recorded; its head says why that is not all."""
    links: list[StoredRow] = []
    head, why = GameHead(), ""
    try:
        for one in _links(connection, game):
            links.append(one)
    except UNREADABLE as error:
        why = error_in_one_line(error)
    try:
        head = _head(connection, game)
        _check_rows(StoredGame(game, tuple(links), head))
    except UNREADABLE as error:
        why = why or error_in_one_line(error)
    if why:
        head = GameHead(names=head.names, damage=head.damage or why)
    return StoredGame(game, tuple(links), head)


def _check_rows(game: StoredGame) -> None:
    if game.head.rows not in (None, len(game.links)):
        raise Damage(f"{len(game.links)} of {game.head.rows} rows of game {game.id} are there")


def _links(connection: sqlite3.Connection, game: int) -> Iterator[StoredRow]:
    """Yield a game's rows in order; Damage at the first that is not as it was recorded."""
    before = ""
    for number, values in enumerate(connection.execute(ROWS, (game,)), 1):
        found = _link(values) if _are(values, TYPES_OF_ROW) else None
        if found is None or found != chain_row(before, number, found.at, found.row, found.played):
            raise Damage(f"row {number} of game {game} is not as it was recorded")
        yield found
        before = found.chain


def _link(values: Sequence[Any]) -> StoredRow:
    n, at, *said, played, chain = values
    return StoredRow(n, at, RowText(*said), chain, played)


def rows_of(links: Iterable[StoredRow]) -> Iterator[Row]:
    """Yield the rows of a game, the first of which starts it; ValueError at a text that is none."""
    for n, one in enumerate(links):
        action, position, source, boot, chamber_n, by, hint = one.row
        entry = parse_entry(action) if n else parse_new(action)
        yield Row(entry, position, source, boot, chamber_n, by, hint)


def _head(connection: sqlite3.Connection, game: int) -> GameHead:
    is_sealed = ("seal",) in connection.execute(COLUMNS).fetchall()
    values = connection.execute(
        SELECT_HEAD if is_sealed else SELECT_HEAD_WITHOUT_SEAL, (game,)
    ).fetchone()
    if values is not None and _are(values, TYPES_OF_HEAD):
        *said, seal = values
        if not is_sealed or seal == _seal(game, GameHead(*said)):
            return GameHead(*said)
    raise Damage(f"the head of game {game} is not as it was recorded")


def read_settings(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the settings that can be read: one that can't is as if it had never been made."""
    settings = {}
    with suppress(*UNREADABLE):
        for values in connection.execute(SETTINGS):
            if _are(values, (TEXT, TEXT)):
                settings[values[0]] = values[1]
    return settings


def _are(values: Sequence[object], types: Sequence[tuple[type, ...]]) -> bool:
    return all(map(isinstance, values, types))


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str, str | None]]:
    return set(connection.execute("SELECT type, name, sql FROM sqlite_master"))


def _tables_made() -> set[tuple[str, str, str | None]]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(CREATE)
    made = _tables(connection)
    connection.close()
    return made
