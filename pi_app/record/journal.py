"""The journal: every confirmed action on the disk before anything shows it. SQLite, one process.

A database that can't be continued is set aside whole, never changed and never overwritten.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from pi_app.record.history import Record, Row, fold

FILE = "journal.db"  # in the journal's folder
SCHEMA = "1"
PARTS = ("", "-wal", "-shm")  # a database in WAL mode is up to three files
NOT_DAMAGE = ("SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_READONLY", "SQLITE_FULL")
BUSY_S = 1.0  # how long a commit waits for somebody who looks into the file

CREATE = f"""
BEGIN;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('schema', '{SCHEMA}');
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
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chamber_events ON rows (boot, chamber_n) WHERE boot IS NOT NULL;
COMMIT;
"""
START = "INSERT INTO games (ruleset, seats, started) VALUES (?, ?, ?) RETURNING id"
APPEND = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
END = "UPDATE games SET ended = ? WHERE id = ?"
LAST = "SELECT id, ended FROM games ORDER BY id DESC LIMIT 1"
ROWS = "SELECT action, position, source, boot, chamber_n FROM rows WHERE game = ? ORDER BY n"
COUNT = "SELECT count(*) FROM rows WHERE game = ?"
SEEN = "SELECT 1 FROM rows WHERE boot = ? AND chamber_n = ?"


class JournalError(Exception):
    """The journal can't be opened or written: one sentence with what to do."""


class Damage(Exception):
    """Why a database can't be continued, in a few words. Ends in its being set aside."""


class Journal:
    """The recorded games, open for one process. Made by `Journal.open` or `load`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: FileIO) -> None:
        self._path = path
        self._connection = connection
        self._lock = lock
        game, ended = connection.execute(LAST).fetchone() or (None, None)
        self._game: int | None = game
        self._over = ended is not None
        self._n: int = connection.execute(COUNT, (game,)).fetchone()[0]

    @classmethod
    def open(cls, path: Path) -> "Journal":
        """Open the database, a new one where there is none; JournalError if that can't be."""
        lock = _locked(path)
        try:
            return cls(path, _opened(path), lock)
        except BaseException:
            lock.close()
            raise

    def append(self, rows: Iterable[Row], at: float, over: bool = False) -> None:
        """Commit rows at once or not at all. at: seconds of Unix time. over: the game ends here.

        A `new ...` row starts a game; all others belong to the newest.
        """
        when = _time_text(at)
        game, n = self._game, self._n
        with self._commit() as connection:
            for row in rows:
                if row.action.startswith("new "):
                    game, n = connection.execute(START, (*_started(row), when)).fetchone()[0], 0
                    self._over = False
                n += 1
                values = (row.action, row.position, row.source, row.boot, row.n)
                connection.execute(APPEND, (game, n, when, *values))
            if over != self._over:
                connection.execute(END, (when if over else None, game))
        self._game, self._n, self._over = game, n, over

    def last_game(self) -> tuple[Row, ...] | None:
        """Return the rows of the newest game, its `new ...` row first; None if there is none."""
        return _rows(self._connection, self._game) or None

    def seen(self, boot: str, n: int) -> bool:
        """Whether the lit chamber's event n since this boot is recorded."""
        return self._connection.execute(SEEN, (boot, n)).fetchone() is not None

    def close(self) -> None:
        """Close the database, then let the next process have it."""
        self._connection.close()
        self._lock.close()

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise JournalError(
                f"{self._path} can't be written ({error}): "
                "free some space or make it writable, then confirm again"
            ) from error
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def load(path: Path) -> tuple[Journal, Record | None, str | None]:
    """Open the journal and return it, its newest game and what is to be told, if anything.

    A database that is none, is damaged or tells of moves that the rules don't know is set aside.
    """
    lock = _locked(path)
    message = None
    try:
        try:
            record = _newest_game(path)
        except Damage as damage:
            record, message = None, _set_aside(path, damage)
        return Journal(path, _opened(path), lock), record, message
    except BaseException:
        lock.close()
        raise


def _locked(path: Path) -> FileIO:
    """Return the open lock file beside the database; who closes it, by dying too, unlocks it."""
    lock_path = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileIO(lock_path, "a+")
    except OSError as error:
        raise JournalError(
            f"{path} can't be opened ({error.strerror}): name a folder that can be written"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        holder = lock.read().decode(errors="replace").strip()
        lock.close()
        raise JournalError(
            f"{path} is in use by another referee (process {holder} holds {lock_path.name}): "
            "end that one first, or name another folder"
        ) from None
    with suppress(OSError):  # on a full disk the next one is refused without our number
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    return lock


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if mode != "wal":
            raise sqlite3.OperationalError(f"no write-ahead log but {mode} on this kind of disk")
        if _is_new(connection):
            connection.executescript(CREATE)
    except sqlite3.Error as error:
        connection.close()
        raise JournalError(
            f"{path} can't be opened ({error}): free some space or name another folder"
        ) from error
    return connection


def _newest_game(path: Path) -> Record | None:
    """Read the newest game without changing a byte; Damage where that can't be done."""
    if not path.exists():
        return None
    if not path.is_file():
        raise JournalError(f"{path} is not a file: move it away or name another folder")
    try:
        rows = _read(path)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "").startswith(NOT_DAMAGE):
            raise JournalError(f"{path} can't be read ({error}): name another folder") from error
        raise Damage(str(error)) from error
    try:
        return fold(rows) if rows else None
    except Exception as error:  # damaged rows can make the rules stumble in any way
        raise Damage(f"its newest game can't be followed: {error}") from error


def _read(path: Path) -> tuple[Row, ...]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise Damage(" ".join(sound.split()))
        if _is_new(connection):
            return ()
        schema = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        if schema != (SCHEMA,):
            raise Damage(f"it has schema {schema and schema[0]}, this program knows {SCHEMA}")
        game, _ = connection.execute(LAST).fetchone() or (None, None)
        return _rows(connection, game)


def _is_new(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _rows(connection: sqlite3.Connection, game: int | None) -> tuple[Row, ...]:
    return tuple(Row(*values) for values in connection.execute(ROWS, (game,)))


def _set_aside(path: Path, damage: Damage) -> str:
    """Give the database's files a new name, all of them before any loses the old one."""
    aside = _unused_name(path)
    try:
        parts = [part for part in PARTS if Path(f"{path}{part}").exists()]
        for part in parts:
            os.link(f"{path}{part}", f"{aside}{part}")
        _sync(path.parent)
        for part in parts:
            os.unlink(f"{path}{part}")  # noqa: PTH108
        _sync(path.parent)
    except OSError as error:
        raise JournalError(
            f"{path} can't be continued ({damage}) nor set aside ({error.strerror}): move it away"
        ) from error
    return f"{path} can't be continued ({damage}): kept whole as {aside.name}, a new one is begun"


def _unused_name(path: Path) -> Path:
    n = 1
    while True:
        aside = path.with_name(f"{path.stem}.set-aside-{n}{path.suffix}")
        if not any(Path(f"{aside}{part}").exists() for part in PARTS):
            return aside
        n += 1


def _sync(folder: Path) -> None:
    """Have the names in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _started(row: Row) -> tuple[str, str]:
    ruleset, _, seats = row.action.removeprefix("new ").rpartition(" seats ")
    return ruleset, seats


def _time_text(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
