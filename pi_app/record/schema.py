"""The tables of the database, their SQL statements, and the checks of rows and heads.

Each row has a checksum of its values and of the row before it; each game's head has one, too. They
reveal whatever a disk has changed, lost or restored. A damaged file can hold values of any type,
whatever its schema says, so all types are checked before a `StoredRow` or a `GameHead` is made. A
database of an older schema is updated if this version can read its tables.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from types import NoneType
from typing import NamedTuple

from pi_app import __version__
from pi_app.model.history import Row, parse_new
from pi_app.record.log import text_or_bytes
from pi_app.record.trouble import Damage, error_in_one_line
from rules.history import parse_entry

SCHEMA = 6
MAX_GAME_NUMBER = 999_999_999  # larger numbers are damaged: ours fit into the file of the count
OPTIONAL_FROM = 8  # from this value of a row on, None at the end is not in the checksum
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
PUT_HEAD = "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?)"
SELECT_HEAD = "SELECT ended, names, rows, damage, seal FROM games WHERE id = ?"
LAST_CHAIN = "SELECT chain FROM rows WHERE game = ? ORDER BY n DESC LIMIT 1"
COLUMNS = "n, at, action, position, source, boot, chamber_n, by, hint, played, chain"
APPEND_ROW = f"INSERT INTO rows (game, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ROWS = f"SELECT {COLUMNS} FROM rows WHERE game = ? ORDER BY n"
COUNT = "SELECT count(*) FROM rows WHERE game = ?"
# The second query finds each next game by the primary key, so it does not read all rows.
GAMES = (
    "SELECT id FROM games",
    """
WITH RECURSIVE found (game) AS (
    SELECT min(game) FROM rows
    UNION ALL
    SELECT (SELECT min(game) FROM rows WHERE game > found.game) FROM found
    WHERE found.game IS NOT NULL
)
SELECT game FROM found
""",
)
NEWEST = """
SELECT max(game) FROM (SELECT max(id) AS game FROM games UNION ALL SELECT max(game) FROM rows)
"""
MAKER = "SELECT value FROM meta WHERE key = 'made by'"  # the version of the program
SETTINGS = "SELECT key, value FROM settings ORDER BY key"
REMOVE_SETTING = "DELETE FROM settings WHERE key = ?"
PUT_SETTING = "INSERT OR REPLACE INTO settings VALUES (?, ?)"

TEXT, NUMBER = (str, NoneType), (int, NoneType)
TYPES_OF_ROW = (int, str, str, str, TEXT, TEXT, NUMBER, TEXT, TEXT, NUMBER, str)
TYPES_OF_HEAD = (TEXT, TEXT, NUMBER, TEXT, TEXT)

UNREADABLE = (Damage, sqlite3.Error, ValueError)  # ValueError: SQLite's message is not UTF-8


class StoredRow(NamedTuple):
    """A row of the database, its values in the order of COLUMNS."""

    n: int  # in the game, from 1
    at: str  # its time, or "" if the computer's clock was not set
    action: str  # an entry, or the start of a game. The next values are those of a `Row`
    position: str
    source: str | None = None
    boot: str | None = None
    chamber_n: int | None = None
    by: str | None = None
    hint: str | None = None
    played: int | None = None  # how many milliseconds the table had been on in this game, if known
    chain: str = ""  # its checksum


class GameHead(NamedTuple):
    """The facts about a game that are not in its rows."""

    ended: str | None = None  # its end, or None while it goes on
    names: str | None = None  # the players' names by the letters of their seats, as JSON
    rows: int | None = None  # their number, or None for the newest game, whose rows a file counts
    damage: str | None = None  # the reason why rows are missing, or None if all are there


class StoredGame(NamedTuple):
    id: int = 0  # its number, 0 for no game
    links: tuple[StoredRow, ...] = ()  # its rows
    head: GameHead = GameHead()


def connect(database: Path | str, timeout: float = 5.0) -> sqlite3.Connection:
    """Open a database. Each statement is a transaction of its own unless one is begun.

    database: a path, or a URI as a string. timeout: seconds to wait for another process.
    """
    is_uri = isinstance(database, str)
    connection = sqlite3.connect(
        database, timeout=timeout, isolation_level=None, check_same_thread=False, uri=is_uri
    )
    connection.text_factory = text_or_bytes
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database without changing a byte of it."""
    return connect(f"{path.absolute().as_uri()}?mode=ro")


def chain_row(before: str, row: StoredRow) -> StoredRow:
    """Return a row with its checksum. before: that of the row before it, "" for the first."""
    values = [before, *row[:-1]]
    while values[-1] is None and len(values) > OPTIONAL_FROM:
        values.pop()
    return row._replace(chain=_checksum(values))


def _seal(game: int, head: GameHead) -> str:
    return _checksum([game, *head])


def _checksum(values: Sequence[object]) -> str:
    return blake2b(json.dumps(values).encode(), digest_size=8).hexdigest()


def stored_row(n: int, at: str, row: Row, played: int | None = None) -> StoredRow:
    """Return a row for the database, without its checksum. n, at, played: as in `StoredRow`."""
    others = (row.position, row.source, row.boot, row.n, row.by, row.hint)
    return StoredRow(n, at, str(row.entry), *others, played)


def write_game(connection: sqlite3.Connection, game: StoredGame) -> None:
    """Write a whole game, within the open transaction."""
    write_head(connection, game.id, game.head)
    for one in game.links:
        append_row(connection, game.id, one)


def write_head(connection: sqlite3.Connection, game: int, head: GameHead) -> None:
    """Write or replace a game's head, with its checksum."""
    connection.execute(PUT_HEAD, (game, *head, _seal(game, head)))


def append_row(connection: sqlite3.Connection, game: int, link: StoredRow) -> None:
    connection.execute(APPEND_ROW, (game, *link))


def schema_of(connection: sqlite3.Connection) -> int:
    """Return the version of a database's schema. Raises Damage if it is not one of ours."""
    found = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchall()
    [number] = connection.execute("PRAGMA user_version").fetchone()
    if found != [(str(number),)]:
        named = ", ".join(str(value) for (value,) in found) or "none"
        raise Damage(f"it has schema {named} and {number}")
    return int(number)


def check_schema(connection: sqlite3.Connection) -> int:
    """Return the version of a database's schema. Raises Damage if the database can't be used."""
    [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise Damage(f"{sound}")
    number = schema_of(connection)
    if number == SCHEMA:
        with closing(sqlite3.connect(":memory:")) as ours:
            ours.executescript(CREATE)
            if _tables(connection) != _tables(ours):
                raise Damage("its tables are not those of this program")
    return number


def has_no_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def game_numbers(connection: sqlite3.Connection) -> list[int]:
    """Return the numbers of all games with a head or rows, in order, as far as they can be read."""
    found: set[int] = set()
    for query in GAMES:
        with suppress(*UNREADABLE):
            for (number,) in connection.execute(query):
                found |= {number} if _is_number(number) else set()
    return sorted(found)


def _is_number(number: object) -> bool:
    return isinstance(number, int) and 0 < number <= MAX_GAME_NUMBER


def newest_game(connection: sqlite3.Connection) -> StoredGame:
    """Return the newest game, or no game. Raises Damage if it is not as it was recorded."""
    [number] = connection.execute(NEWEST).fetchone()
    if number is None:
        return StoredGame()
    if not _is_number(number):
        raise Damage("the number of its newest game is not as it was recorded")
    return whole_game(connection, number)


def whole_game(connection: sqlite3.Connection, game: int) -> StoredGame:
    """Return a game. Raises Damage if its head or a row is not as it was recorded."""
    found = StoredGame(game, tuple(_links(connection, game)), _head(connection, game))
    _check_rows(found)
    return found


def game_checksum(connection: sqlite3.Connection, game: int) -> str:
    """Return a checksum of a game's head and of its last row's chain. It reads no other row.

    Raises Damage if the head or the last row can't be read.
    """
    [chain] = connection.execute(LAST_CHAIN, (game,)).fetchone() or (None,)
    if not isinstance(chain, str):
        raise Damage(f"game {game} has no rows")
    return _checksum([game, *_head(connection, game), chain])


def read_end(connection: sqlite3.Connection, game: int) -> tuple[str | None, int]:
    """Return a game's end, as in `GameHead`, and how many rows it has. Raises Damage."""
    [rows] = connection.execute(COUNT, (game,)).fetchone()
    return _head(connection, game).ended, rows


def sound_part(connection: sqlite3.Connection, game: int) -> StoredGame:
    """Return a game up to the first row that is not as it was recorded; `head.damage` says why."""
    links: list[StoredRow] = []
    head, why = GameHead(), ""
    try:
        for link in _links(connection, game):
            links.append(link)
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
    """Yield a game's rows in order. Raises Damage at the first that is not as it was recorded."""
    before = ""
    for number, values in enumerate(connection.execute(ROWS, (game,)), 1):
        link = StoredRow(*values)
        if not _have_types(link, TYPES_OF_ROW) or link != chain_row(
            before, link._replace(n=number)
        ):
            raise Damage(f"row {number} of game {game} is not as it was recorded")
        yield link
        before = link.chain


def rows_of(links: Iterable[StoredRow]) -> Iterator[Row]:
    """Yield the rows of a game; the first starts it. Raises ValueError at an unknown text."""
    for n, link in enumerate(links):
        entry = parse_entry(link.action) if n else parse_new(link.action)
        others = (link.position, link.source, link.boot, link.chamber_n, link.by, link.hint)
        yield Row(entry, *others)


def _head(connection: sqlite3.Connection, game: int) -> GameHead:
    values = connection.execute(SELECT_HEAD, (game,)).fetchone()
    if values is not None and _have_types(values, TYPES_OF_HEAD):
        *texts, seal = values
        head = GameHead(*texts)
        if seal == _seal(game, head):
            return head
    raise Damage(f"the head of game {game} is not as it was recorded")


def read_settings(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the settings by key, without those that can't be read."""
    settings = {}
    with suppress(*UNREADABLE):
        for values in connection.execute(SETTINGS):
            if _have_types(values, (str, str)):
                settings[values[0]] = values[1]
    return settings


def kept_settings(path: Path) -> dict[str, str]:
    """Return the settings of a journal that no table uses, {} if it can't be read.

    It makes no file, and the disk may be read-only. It does not read the log, which a table that
    ends moves into the database.
    """
    with suppress(*UNREADABLE):
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(connect(uri)) as connection:
            return read_settings(connection)
    return {}


def _have_types(values: Sequence[object], types: Sequence[type | tuple[type, ...]]) -> bool:
    return all(map(isinstance, values, types))


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str, str | None]]:
    return set(connection.execute("SELECT type, name, sql FROM sqlite_master"))
