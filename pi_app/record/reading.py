"""Reads the games of a journal where it is, even while a table writes it.

It takes no lock and makes no file. SQLite reads the database as a file that nobody changes, so it
does not read the log. The few games that the log changes are put together in memory. If a file
changes meanwhile, a game is read again.
"""

import os
import sqlite3
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, TypeVar

from pi_app.record.log import Record, committed_pages, records
from pi_app.record.schema import UNREADABLE, connect, game_numbers
from pi_app.record.trouble import JournalError

TRIES = 100
PAUSE_S = 0.05  # by then a log is moved into its database
KEYS = {"games": ("id",), "rows": ("game", "n")}  # of the tables that games are in
COLUMNS = {6: "games", 12: "rows"}  # no other table has so many

# Inode, size and time of the database, and the size of its log.
Moment = tuple[tuple[int, int, int], int]
T = TypeVar("T")


class JournalReader:
    """A journal that may change. `close` ends it. Raises JournalError if it can't be read.

    moment: the state of its files when they were opened last.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._log = path, Path(f"{path}-wal")
        self._files = ExitStack()
        self._reopen()

    def close(self) -> None:
        self._files.close()

    def numbers(self) -> list[int]:
        """Return the numbers of all games, in order, as far as they can be read."""
        return self.read(lambda database: sorted({*game_numbers(database), *self._late_games}))

    def read(self, work: Callable[[sqlite3.Connection], T], game: int | None = None) -> T:
        """Return the result of `work`, read at one moment. Its errors pass through.

        game: the one that `work` reads, or None for what a log does not change, such as the schema.
        """
        for attempt in range(TRIES):
            if attempt > 1:
                time.sleep(PAUSE_S)
            try:
                found = work(self._late if game in self._late_games else self._database)
            except UNREADABLE:
                if not self._is_changed():
                    raise
            else:
                if not self._is_changed():
                    return found
            self._reopen()
        raise JournalError(f"{self._path} is written to all the time: try again when nobody plays")

    def _reopen(self) -> None:
        self._files.close()
        self.moment = self._now()
        uri = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
        log = b""
        try:
            file = self._files.enter_context(self._path.open("rb"))
            with suppress(FileNotFoundError):  # the table has ended
                log = self._log.read_bytes()
        except OSError as error:
            raise unreadable_error(self._path, error) from error
        self._database = self._files.enter_context(closing(connect(uri)))
        self._late = self._files.enter_context(closing(connect(":memory:")))
        self._late_games: frozenset[int] = frozenset()
        # If the journal is damaged, its log may be unreadable: the count reveals missing rows.
        with suppress(*UNREADABLE, struct.error, IndexError):
            self._late_games = _join_late_games(self._database, self._late, uri, file, log)

    def _is_changed(self) -> bool:
        """Return whether the log was moved into the database, or the journal replaced.

        A log only grows until then: what was read of it still belongs to the database.
        """
        database, log = self._now()
        return database != self.moment[0] or log < self.moment[1]

    def _now(self) -> Moment:
        """Return the state of the files. Raises JournalError without a journal."""
        try:
            stats = [self._path.stat()]
            with suppress(FileNotFoundError):
                stats.append(self._log.stat())
        except OSError as error:
            raise unreadable_error(self._path, error) from error
        for part, found in zip((self._path, self._log), stats, strict=False):
            if not S_ISREG(found.st_mode):
                raise JournalError(f"{part} is not a file: move it away or name another folder")
        database, *logs = stats
        stamp = (database.st_ino, database.st_size, database.st_mtime_ns)
        return stamp, sum(log.st_size for log in logs)


def unreadable_error(path: Path, error: OSError) -> JournalError:
    """Return the error of a journal that can't be read."""
    if isinstance(error, FileNotFoundError):
        return JournalError(f"{path} is not there: play first, or name another folder")
    return JournalError(
        f"{path} can't be read ({error.strerror}): name another folder, or use sudo"
    )


def _join_late_games(
    database: sqlite3.Connection, late: sqlite3.Connection, uri: str, file: BinaryIO, log: bytes
) -> frozenset[int]:
    """Copy the games that a log changes into `late`, and change them. Return their numbers.

    uri, file: of the database.
    """
    pages = committed_pages(log)

    def read_page(number: int) -> bytes:
        size = len(next(iter(pages.values())))
        return pages.get(number) or os.pread(file.fileno(), size, (number - 1) * size)

    changed: dict[str, dict[Record, Record]] = {"games": {}, "rows": {}}  # by their keys
    for page in (page for number, page in pages.items() if number > 1):
        for record in records(page, read_page):
            table = COLUMNS.get(len(record))
            if table is not None:
                key = record[: len(KEYS[table])]
                select = f"SELECT * FROM {table} WHERE {_has_key(table)}"
                if database.execute(select, key).fetchone() != record:
                    changed[table][key] = record
    games = {game for found in changed.values() for game, *_ in found if isinstance(game, int)}
    late.execute("ATTACH ? AS journal", (uri,))
    for table, found in changed.items():
        # A copy without constraints, because a damaged database can have values of any type.
        late.execute(
            f"CREATE TABLE {table} AS SELECT * FROM journal.{table} "
            f"WHERE {KEYS[table][0]} IN ({', '.join(map(str, games))})"
        )
        for key, record in found.items():
            late.execute(f"DELETE FROM {table} WHERE {_has_key(table)}", key)
            late.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(record))})", record)
    return frozenset(games)


def _has_key(table: str) -> str:
    return " AND ".join(f"{column} = ?" for column in KEYS[table])
