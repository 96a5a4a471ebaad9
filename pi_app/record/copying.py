"""Copies a journal, even while a table runs. It writes nothing to the journal's folder.

It takes no lock and does not open the journal with SQLite. To read a log, SQLite makes files next
to it, which would belong to the wrong user.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pi_app.record import schema
from pi_app.record.count import count_path
from pi_app.record.files import write_whole
from pi_app.record.reading import PAUSE_S, TRIES, unreadable_error
from pi_app.record.trouble import Damage, JournalError, error_in_one_line, is_disk_fault

COUNTS = "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rows)"
DELETE_SETTINGS = "DELETE FROM settings WHERE key GLOB ?"


class JournalSize(NamedTuple):
    games: int
    rows: int


@contextmanager
def copy_journal(path: Path) -> Iterator[tuple[Path, JournalSize]]:
    """Yield a temporary copy of a journal at one moment, as a single file, and its size.

    Raises JournalError if the journal is missing, unreadable or damaged, or if there is no room.
    """
    database, log = _at_one_moment(path)
    with ExitStack() as stack:
        try:
            copy = Path(stack.enter_context(TemporaryDirectory("-referee"))) / path.name
            copy.write_bytes(database)
            Path(f"{copy}-wal").write_bytes(log)
            with closing(schema.connect(copy)) as connection:
                [sound] = connection.execute("PRAGMA quick_check(1)").fetchone()
                if sound != "ok":
                    raise Damage(f"{sound}")
                connection.execute("PRAGMA journal_mode = DELETE")
                size = JournalSize(*connection.execute(COUNTS).fetchone())
        except (OSError, *schema.UNREADABLE) as error:
            raise _copy_error(path, error) from error
        yield copy, size


def _copy_error(path: Path, error: Exception) -> JournalError:
    """Return the error for a journal that can't be copied: for a full disk, or for damage."""
    if isinstance(error, OSError) or (isinstance(error, sqlite3.Error) and is_disk_fault(error)):
        why = error_in_one_line(error)
        return JournalError(f"{path} can't be copied ({why}): free some space")
    return damaged_journal_error(path, error)


def damaged_journal_error(path: Path, error: Exception) -> JournalError:
    """Return the error for a journal that only a start of the table can repair."""
    why = error_in_one_line(error)
    return JournalError(
        f"{path} is damaged ({why}): start the table, which keeps what is sound of it"
    )


def restore_journal(backup: Path, journal: Path, dry_run: bool = False) -> JournalSize:
    """Put a backup in the place of a journal without games, and return its size.

    dry_run: only see whether that can be done; otherwise the table must not run. Raises
    JournalError if the journal has games, or if the backup is damaged or of a later version.
    """
    with copy_journal(backup) as (copy, contents):
        with closing(schema.connect(copy)) as connection:
            if schema.schema_of(connection) > schema.SCHEMA:
                raise JournalError(f"{backup} is of a later version: install that version first")
        if journal.exists():
            with copy_journal(journal) as (_, present):
                if present.games:
                    raise JournalError(f"{journal} has games: they are never replaced")
        if not dry_run:
            for rest in (count_path(journal), Path(f"{journal}-wal"), Path(f"{journal}-shm")):
                rest.unlink(missing_ok=True)
            write_whole(journal, copy.read_bytes())
        return contents


def forget_players(copy: Path) -> None:
    """Remove the players' names from a copy of a journal, to the last byte.

    It needs little room beside the copy, which is of no use after an error. Raises JournalError if
    a name may be left, as in another version's copy.
    """
    try:
        with closing(schema.connect(copy)) as connection:
            if schema.schema_of(connection) != schema.SCHEMA:
                raise JournalError(f"{copy.name} is of another version: start the table first")
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.executemany(DELETE_SETTINGS, ((keys,) for keys in schema.NAME_KEYS))
            for game in schema.game_numbers(connection):
                head = schema.sound_part(connection, game).head
                schema.write_head(connection, game, head._replace(names=None))
            connection.execute("VACUUM")  # free pages still hold what was deleted
    except schema.UNREADABLE as error:
        raise _copy_error(Path(copy.name), error) from error


def _at_one_moment(path: Path) -> tuple[bytes, bytes]:
    """Return the bytes of the database and of its log.

    A log only grows until it is moved into the database, which changes the database. So if the
    database is the same before and after, the log belongs to it. A half-written row ends the log.
    """
    for part in (path, Path(f"{path}-wal")):
        if os.path.lexists(part) and not part.is_file():
            raise JournalError(f"{part} is not a file: move it away or name another folder")
    try:
        for _ in range(TRIES):
            database, log = path.read_bytes(), b""
            with suppress(FileNotFoundError):
                log = Path(f"{path}-wal").read_bytes()
            if path.read_bytes() == database:
                return database, log
            time.sleep(PAUSE_S)
    except OSError as error:
        raise unreadable_error(path, error) from error
    raise JournalError(f"{path} is written to all the time: try again when nobody plays")
