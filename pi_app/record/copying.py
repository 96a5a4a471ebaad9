"""A journal copied by anybody who may read it, whether a table plays or not. Writes nothing there.

Its lock is not taken and SQLite does not open it: looking into a log, it makes files beside it that
would then be of the wrong user.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pi_app.record.schema import NAMED
from pi_app.record.trouble import JournalError

TRIES = 100
PAUSE_S = 0.05  # a turn's folding in is over by then
COUNTS = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rows)"
WITHOUT = "DELETE FROM settings WHERE key GLOB ?"


class Held(NamedTuple):
    """How many games a journal holds, and how many rows they have."""

    games: int
    rows: int


@contextmanager
def copied(path: Path) -> Iterator[tuple[Path, Held]]:
    """Give a journal as it was at one moment: a database in one file, ours, and what it holds.

    JournalError where there is none, where it can't be read, or where it is damaged.
    """
    with TemporaryDirectory("-referee") as folder:
        copy = Path(folder) / path.name
        database, log = _at_one_moment(path)
        copy.write_bytes(database)
        Path(f"{copy}-wal").write_bytes(log)
        yield copy, _one_file(copy, path)


def forget_players(copy: Path) -> None:
    """Take the players' names out of a copy, so that no byte of them is left."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'settings'").fetchone():
            connection.executemany(WITHOUT, ((keys,) for keys in NAMED))
        with suppress(sqlite3.OperationalError):  # of a schema before 5 that has no names there
            connection.execute("UPDATE games SET names = NULL")
        connection.execute("VACUUM")  # what was deleted before is in free pages


def _at_one_moment(path: Path) -> tuple[bytes, bytes]:
    """Return the database and its log.

    A log is only added to until it is folded in, which changes the database: where that is the same
    before and after, the log belongs to it. A row that is half written ends it.
    """
    try:
        for _ in range(TRIES):
            database, log = path.read_bytes(), _log(path)
            if path.read_bytes() == database:
                return database, log
            time.sleep(PAUSE_S)
    except FileNotFoundError:
        raise JournalError(f"{path} is not there: play first, or name another folder") from None
    except OSError as error:
        raise JournalError(
            f"{path} can't be read ({error.strerror}): name another folder, or use sudo"
        ) from error
    raise JournalError(f"{path} is written to all the time: try again when nobody plays")


def _log(path: Path) -> bytes:
    try:
        return Path(f"{path}-wal").read_bytes()
    except FileNotFoundError:
        return b""


def _one_file(copy: Path, path: Path) -> Held:
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise sqlite3.DatabaseError(" ".join(sound.split()))
            connection.execute("PRAGMA journal_mode = DELETE")
            return Held(*connection.execute(COUNTS).fetchone())
    except (sqlite3.Error, ValueError) as error:  # ValueError: SQLite's text is not UTF-8
        raise JournalError(
            f"{path} is damaged ({error}): start the table, which keeps what is sound of it"
        ) from error
