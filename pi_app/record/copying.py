"""A journal copied by anybody who may read it, whether a table plays or not. Writes nothing there.

Its lock is not taken and SQLite does not open it: looking into a log, it makes files beside it that
would then be of the wrong user.
"""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pi_app.record.schema import (
    NAME_KEYS,
    SCHEMA,
    UNREADABLE,
    connect,
    game_numbers,
    schema_of,
    sound_part,
    write_head,
)
from pi_app.record.trouble import Damage, JournalError, error_in_one_line

TRIES = 100
PAUSE_S = 0.05  # a turn's folding in is over by then
COUNTS = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rows)"
DELETE_SETTINGS = "DELETE FROM settings WHERE key GLOB ?"


class JournalSize(NamedTuple):
    """How many games a journal holds, and how many rows they have."""

    games: int
    rows: int


@contextmanager
def copy_journal(path: Path) -> Iterator[tuple[Path, JournalSize]]:
    """Give a journal as it was at one moment: a database in one file, ours, and what it holds.

    JournalError where there is none, where it can't be read, or where it is damaged.
    """
    with copy_raw_journal(path) as copy:
        yield copy, _one_file(copy, path)


@contextmanager
def copy_raw_journal(path: Path) -> Iterator[Path]:
    """Give a copy of a journal and its log as they were at one moment, damaged or not.

    JournalError where there is none, or where it can't be read.
    """
    with TemporaryDirectory("-referee") as folder:
        copy = Path(folder) / path.name
        database, log = _at_one_moment(path)
        copy.write_bytes(database)
        Path(f"{copy}-wal").write_bytes(log)
        yield copy


def damaged_journal_error(path: Path, error: Exception) -> JournalError:
    """Return the error of a journal that only a start of the table can mend."""
    why = error_in_one_line(error)
    return JournalError(
        f"{path} is damaged ({why}): start the table, which keeps what is sound of it"
    )


def forget_players(copy: Path) -> None:
    """Take the players' names out of a copy, so that no byte of them is left.

    JournalError where it is of another version, whose names may be anywhere.
    """
    with closing(connect(copy)) as connection:
        if schema_of(connection) != SCHEMA:
            raise JournalError(f"{copy.name} is of another version: start the table first")
        connection.executemany(DELETE_SETTINGS, ((keys,) for keys in NAME_KEYS))
        for game in game_numbers(connection):
            write_head(connection, game, sound_part(connection, game).head._replace(names=None))
        connection.execute("VACUUM")  # what was deleted before is in free pages


def _at_one_moment(path: Path) -> tuple[bytes, bytes]:
    """Return the database and its log.

    A log is only added to until it is folded in, which changes the database: where that is the same
    before and after, the log belongs to it. A row that is half written ends it.
    """
    for part in (path, Path(f"{path}-wal")):
        if part.exists() and not part.is_file():
            raise JournalError(f"{part} is not a file: move it away or name another folder")
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


def _one_file(copy: Path, path: Path) -> JournalSize:
    try:
        with closing(connect(copy)) as connection:
            [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise Damage(f"{sound}")
            connection.execute("PRAGMA journal_mode = DELETE")
            return JournalSize(*connection.execute(COUNTS).fetchone())
    except UNREADABLE as error:
        raise damaged_journal_error(path, error) from error
