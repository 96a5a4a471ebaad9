"""The journal: every confirmed action on the disk before anything shows it. SQLite, one process.

What it can't continue it keeps whole, and says how many confirmed moves are missing.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from pi_app import __version__
from pi_app.record.count import Count, Counted
from pi_app.record.history import Record, Row, apply, fold
from pi_app.record.rescue import (
    lying,
    old_games,
    readable,
    reading,
    replace,
    sound_games,
    sound_settings,
)
from pi_app.record.schema import (
    CREATE,
    END,
    LAST,
    PUT,
    SCHEMA,
    Kept,
    Link,
    append,
    check,
    is_empty,
    link,
    links_of,
    made_by,
    settings_of,
    start_game,
    whole,
)
from pi_app.record.trouble import GONE, Damage, JournalError, TooNewError, is_of_the_disk, refused

FILE = "journal.db"  # in the journal's folder
BUSY_S = 1.0  # how long a commit waits for somebody who looks into the file
SEEN = "SELECT 1 FROM rows WHERE boot = ? AND chamber_n = ?"
FOLD_IN = "PRAGMA wal_checkpoint(TRUNCATE)"


class Found(NamedTuple):
    """What a journal held when it was opened.

    record: its newest game. missing: how many of its confirmed rows can't be read any more.
    aside: the name under which a database that can't be continued is kept. warning: a sentence
    that says so.
    """

    record: Record | None = None
    missing: int = 0
    aside: str = ""
    warning: str | None = None


class Journal:
    """The recorded games, open for one process. Made by `load`."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, count: Count, lock: FileIO
    ) -> None:
        self._path = path
        self._connection = connection
        self._count = count
        self._lock = lock
        self._file = _identity(path)
        game, over = connection.execute(LAST).fetchone() or (0, False)
        self._over = bool(over)
        links = tuple(links_of(connection, game))
        self._end = (game, len(links), links[-1].chain if links else "")

    def append(self, rows: Iterable[Row], at: float, over: bool = False) -> None:
        """Commit rows at once or not at all. at: seconds of Unix time. over: the game ends here.

        A `new ...` row starts a game; all others belong to the newest. JournalError if the disk
        does not take them.
        """
        when = _time_text(at)
        game, n, before = self._end
        was_over = self._over
        with self._commit() as connection:
            for row in rows:
                new = row.action.startswith("new ")
                if new:
                    game, n, before, was_over = game + 1, 0, "", False
                one = link(before, n + 1, when, row)
                if new:
                    start_game(connection, game, one)
                append(connection, game, one)
                n, before = one.n, one.chain
            if over != was_over:
                connection.execute(END, (when if over else None, game))
        self._end, self._over = (game, n, before), over

    def settings(self) -> dict[str, str]:
        """Return what was set at the table, by key, as far as it can be read."""
        return settings_of(self._connection)

    def put(self, key: str, value: str) -> None:
        """Commit one setting; JournalError if the disk does not take it."""
        with self._commit() as connection:
            connection.execute(PUT, (key, value))

    def settle(self, turn_over: bool) -> None:
        """Do what may wait until a commit is shown: count its rows; fold the log in at turn's end.

        Somebody who just now looks into the file puts the folding off to the next turn.
        """
        self._count.write(Counted(*self._end[:2]))
        if turn_over:
            with suppress(sqlite3.Error), self._impatient() as connection:
                connection.execute(FOLD_IN)

    def last_game(self) -> tuple[Row, ...] | None:
        """Return the rows of the newest game, its `new ...` row first; None if there is none."""
        return tuple(one.row for one in links_of(self._connection, self._end[0])) or None

    def seen(self, boot: str, n: int) -> bool:
        """Whether the lit chamber's event n since this boot is recorded."""
        return self._connection.execute(SEEN, (boot, n)).fetchone() is not None

    def close(self) -> None:
        """Close the database, then let the next process have it."""
        self._count.write(Counted(*self._end[:2]))
        self._count.close()
        self._connection.close()
        self._lock.close()

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        if _identity(self._path) != self._file:
            raise JournalError(
                f"{self._path} is not there any more: put it or its disk back, "
                "or restart the referee to begin a new one",
                GONE,
            )
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise refused(self._path, "written", error) from error
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def _impatient(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("PRAGMA busy_timeout = 0")
        try:
            yield self._connection
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_S)}")


def load(path: Path) -> tuple[Journal, Found]:
    """Open the journal, a new one where there is none; return it and what it held.

    A database that is none, is damaged or tells of moves that the rules don't know is kept whole
    under another name, and what of it is sound goes on. JournalError where nothing can be opened,
    or where a newer program made it.
    """
    lock = _locked(path)
    try:
        count = _count(path)
    except BaseException:
        lock.close()
        raise
    try:
        found = _found(path, count.read() or Counted(0, 0))
        journal = Journal(path, _opened(path), count, lock)
        journal.settle(turn_over=False)  # what is missing is said once
        return journal, found
    except BaseException:
        count.close()
        lock.close()
        raise


def _found(path: Path, counted: Counted) -> Found:
    if path.exists() != os.path.lexists(path) or (path.exists() and not path.is_file()):
        raise JournalError(f"{path} is not a file: move it away or name another folder")
    try:
        newest = _newest_game(path)
        _check_count(newest, counted)
        return Found(_followed(newest) if newest is not None else None)
    except Damage as damage:
        return _rescued(path, counted, damage)


def _newest_game(path: Path) -> Kept | None:
    """Read the newest game, of an older schema after the database was moved to ours."""
    if not path.exists() or path.stat().st_size == 0:
        if Path(f"{path}-wal").exists():
            raise Damage("its log has lost its database")
        return None
    _check_header(path)
    try:
        with closing(reading(path)) as connection:
            if is_empty(connection):
                return None
            version = check(connection)
            if version == SCHEMA:
                return _sound(connection)
            if version > SCHEMA:
                raise _too_new(path, connection, version)
            old = list(old_games(connection, version))
        replace(path, old, {}, f"it has schema {version}", f"schema-{version}")
        return old[-1] if old else None
    except sqlite3.Error as error:
        if is_of_the_disk(error):
            raise refused(path, "read", error) from error
        raise Damage(str(error)) from error
    except ValueError as error:  # SQLite's text, or its complaint about it, is not UTF-8
        raise Damage(f"its text can't be read: {error}") from error


def _check_header(path: Path) -> None:
    """See that SQLite would write what it reads (fileformat2, 1.3.3: 1 is legacy, 2 is WAL)."""
    with path.open("rb") as file:
        header = file.read(20)
    if header.startswith(b"SQLite format 3\0") and not set(header[18:]) <= {1, 2}:
        raise Damage("its header names a format that is not known")


def _sound(connection: sqlite3.Connection) -> Kept | None:
    game, _ = connection.execute(LAST).fetchone() or (0, False)
    links = whole(connection, game)
    return Kept(game, links) if links else None


def _check_count(newest: Kept | None, counted: Counted) -> None:
    game, rows = (newest.id, len(newest.links)) if newest is not None else (0, 0)
    if (game, rows) < counted:
        raise Damage(f"{counted.rows} rows of game {counted.game} were confirmed, not {rows}")


def _followed(game: Kept) -> Record:
    try:
        return fold(one.row for one in game.links)
    except Exception as error:  # damaged rows can make the rules stumble in any way
        raise Damage(f"its newest game can't be followed: {error}") from error


def _rescued(path: Path, counted: Counted, damage: Damage) -> Found:
    """Keep the database whole under another name; go on from what of it is sound."""
    with readable(path) as looked_into:
        lay = lying(looked_into) or Counted(0, 0)
        games, record = sound_games(looked_into, max(lay, counted).game), None
        settings = sound_settings(looked_into)
    if games:
        record, links = _as_far_as_it_goes(games[-1].links)
        games[-1:] = [games[-1]._replace(links=links)] if links else []
    aside = replace(path, games, settings, str(damage), "set-aside").name
    here = Counted(games[-1].id, len(games[-1].links)) if games else Counted(0, 0)
    confirmed = max(lay, counted)
    missing = confirmed.rows - (here.rows if here.game == confirmed.game else 0)
    goes_on = f"{here.rows} rows of game {here.game} go on" if games else "a new one is begun"
    what = f"{path} can't be continued ({damage}): kept whole as {aside}, {goes_on}"
    return Found(record, missing, aside, what)


def _as_far_as_it_goes(links: tuple[Link, ...]) -> tuple[Record | None, tuple[Link, ...]]:
    """Return the game as far as the rules can follow it, and its rows so far."""
    record, followed = None, 0
    with suppress(Exception):  # damaged rows can make the rules stumble in any way
        for one in links:
            record = fold([one.row]) if record is None else apply(record, one.row)
            followed += 1
    return record, links[:followed]


def _too_new(path: Path, connection: sqlite3.Connection, version: int) -> TooNewError:
    maker = made_by(connection)
    return TooNewError(
        f"{path} was made by version {maker} (schema {version}), this is version {__version__} "
        f"(schema {SCHEMA}): install {maker} or a later one, or name another folder",
        maker,
    )


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


def _count(path: Path) -> Count:
    try:
        return Count(path.with_name(f"{path.stem}.count"))
    except OSError as error:
        raise JournalError(
            f"{error.filename} can't be opened ({error.strerror}): "
            "make it writable, or name another folder"
        ) from error


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
        if is_empty(connection):
            connection.executescript(CREATE)
    except sqlite3.Error as error:
        connection.close()
        raise refused(path, "opened", error) from error
    return connection


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _time_text(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
