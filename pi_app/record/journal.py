"""The journal writes every confirmed action to disk before anything shows it.

It is an SQLite database, open in one process. If it can't be continued, it is kept whole under
another name, and the number of missing confirmed moves is reported. If its disk was unplugged, the
journal goes on in the file that is there now, and first writes what that file lacks of the game.
"""

import fcntl
import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from pi_app import __version__
from pi_app.model.history import New, Row, apply, fold, parse_head
from pi_app.record import schema, trouble
from pi_app.record.count import NOTHING, ConfirmedRows, Count, count_path, read_count
from pi_app.record.files import memory_folder, write_whole
from pi_app.record.rescue import WITH_LOG, new_database, read_sound_part, replace_database
from pi_app.record.schema import GameHead, StoredGame, StoredRow
from pi_app.record.trouble import Damage, JournalError, in_sentences
from rules.board import SEAT_LETTERS
from rules.history import Record

log = logging.getLogger(__name__)

FILE = "journal.db"  # in the journal's folder
BUSY_S = 1.0  # how long a commit waits for another reader of the file
SELECT_EVENT = "SELECT 1 FROM rows WHERE boot = ? AND chamber_n = ?"
DELETE_LATER_ROWS = (
    "DELETE FROM rows WHERE (game, n) > (:game, :rows)",
    "DELETE FROM games WHERE id > :game",
)
CACHE_KIB = 256  # rows are hardly ever read again; the default cache of 2 MB would fill
FOLD_IN = "PRAGMA wal_checkpoint(TRUNCATE)"


Puts = tuple[tuple[str, str | None], ...]
Content = TypeVar("Content")


class OpenedJournal(NamedTuple):
    """What a journal held when it was opened."""

    record: Record | None = None  # its newest game
    missing: int = 0  # confirmed rows of that game that can't be read any more
    aside: str = ""  # the new name of a database that can't be continued
    warning: str | None = None  # for the log: about that, or about a disk that can't be written


class Commit(NamedTuple):
    """The rows and settings that one press confirms."""

    rows: tuple[Row, ...] = ()  # a `new ...` row starts a game; others belong to the newest game
    at: float | None = None  # seconds since 1970, or None if the clock was never set
    over: bool = False  # the game is over after these rows
    puts: Puts = ()  # settings by key with their text, or None to remove one
    t: float = 0.0  # seconds since the journal was loaded, by a monotonic clock


class Files(NamedTuple):
    """The open files of a journal."""

    lock: FileIO
    counted: Count
    connection: sqlite3.Connection
    identity: tuple[int, int] | None  # device and inode of its database, None if unknown

    def close(self) -> None:
        self.counted.close()
        self.connection.close()
        self.lock.close()


class Journal:
    """The recorded games, open in one process. `load` makes it.

    While it can't be written, commits may wait in memory, in order.

    files: None if nothing can be written. Each commit then tries to open them.
    database: holds the newest game and the settings.
    """

    def __init__(self, path: Path, files: Files | None, database: sqlite3.Connection) -> None:
        self._path = path
        self._files = files
        self._newest = newest = schema.newest_game(database)
        # The game's start by the clock of `Commit.t`, as if the table had been on ever since.
        self._began = -sum(link.played or 0 for link in newest.links[-1:]) / 1000
        self._settings = schema.read_settings(database)
        self._are_settings_stored = files is not None  # the database has all settings
        self._stored_count = len(newest.links)  # how many rows of the game the database has
        self._may_have_lost_disk = files is None  # the open file may not be the one at our path
        self._refused: dict[str, int] = {}  # the end of each refused commit, and our game then
        self._has_refused_rows = False  # a refused commit was written to the disk all the same
        self._waiting: tuple[Commit, ...] = ()

    def append(self, entry: Commit) -> tuple[Row, ...]:
        """Commit all that waits and this entry, all or nothing. Return their rows.

        Raises JournalError if the disk refuses; then this entry does not wait.
        """
        return self._append((*self._waiting, entry))

    def wait(self, entry: Commit) -> None:
        self._waiting = (*self._waiting, entry)

    def save(self) -> tuple[Row, ...]:
        """Commit all that waits. Return its rows. Raises as `append`."""
        return self._append(self._waiting) if self._waiting else ()

    def _append(self, entries: Sequence[Commit]) -> tuple[Row, ...]:
        with self._commit() as connection:
            newest, began, settings = self._newest, self._began, self._settings
            rows_before = len(newest.links)
            if self._has_refused_rows:
                for statement in DELETE_LATER_ROWS:
                    connection.execute(statement, {"game": newest.id, "rows": rows_before})
            if self._has_refused_rows or self._stored_count < rows_before:
                schema.write_head(connection, newest.id, newest.head)
            for link in newest.links[self._stored_count :]:  # another file than before lacks them
                schema.append_row(connection, newest.id, link)
            for entry in entries:
                changed = {**settings, **dict(entry.puts)}
                settings = {key: text for key, text in changed.items() if text is not None}
                newest, began = _write_commit(connection, newest, began, entry, settings)
            puts = dict(put for entry in entries for put in entry.puts)
            if not self._are_settings_stored:
                puts = {**self._settings, **puts}
            for key, text in puts.items():
                if text is None:
                    connection.execute(schema.REMOVE_SETTING, (key,))
                else:
                    connection.execute(schema.PUT_SETTING, (key, text))
            self._refused |= {link.chain: self._newest.id for link in newest.links[-1:]}
        self._newest, self._began, self._stored_count = newest, began, len(newest.links)
        self._refused, self._has_refused_rows = {}, False
        self._settings, self._are_settings_stored = settings, True
        self._waiting = ()
        return tuple(row for entry in entries for row in entry.rows)

    @property
    def game(self) -> int | None:
        """The number of the newest game; None if the database has none of its rows."""
        begins = any(isinstance(row.entry, New) for row in self._waiting_rows)
        return self._newest.id if self._stored_count and not begins else None

    @property
    def _waiting_rows(self) -> list[Row]:
        return [row for entry in self._waiting for row in entry.rows]

    def settings(self) -> dict[str, str]:
        """Return the settings by key, as far as they could be read."""
        return dict(self._settings)

    def settle(self, turn_over: bool) -> None:
        """Do the follow-up work of a commit, after it is shown.

        It counts the rows in a file, and after a turn it moves SQLite's log into the database. If
        another process reads the database just then, the next turn does that.
        """
        if self._files is None or self._may_have_lost_disk:
            return
        self._files.counted.write(ConfirmedRows(self._newest.id, self._stored_count))
        if not turn_over:
            return
        connection = self._files.connection
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA busy_timeout = 0")
            try:
                connection.execute(FOLD_IN)
            finally:
                connection.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_S)}")

    def is_recorded(self, boot: str, n: int) -> bool:
        """Return whether event n of the chamber's boot waits or is recorded, as far as known."""
        waiting = ((row.boot, row.n) for row in self._waiting_rows)
        if (boot, n) in {*waiting, *((link.boot, link.chamber_n) for link in self._newest.links)}:
            return True
        if self._files is not None:
            with suppress(sqlite3.Error):
                found = self._files.connection.execute(SELECT_EVENT, (boot, n)).fetchone()
                return found is not None
        return False

    def close(self) -> None:
        """Save once more what waits, or log its loss. Close all, and unlock it for the next."""
        try:
            self.save()
        except JournalError as error:
            count = len(self._waiting_rows)
            log.error("%d moves that were played unsaved are lost: %s", count, error)
            self._waiting = ()
        finally:
            self.settle(turn_over=False)
            if self._files is not None:
                self._files.close()
            self._files = None

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._may_have_lost_disk = trouble.may_have_lost_disk(error)
            raise trouble.journal_error(self._path, "written", error) from error
        finally:
            with suppress(sqlite3.Error):  # the disk may be unplugged
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _connect(self) -> sqlite3.Connection:
        """Return the open database. If the disk was unplugged, open the file that is there now."""
        here = _identity(self._path)
        if here is None:
            self._may_have_lost_disk = True
            raise JournalError(
                f"{self._path} is not there any more: put it or its disk back, "
                "or restart the referee to begin a new one",
                trouble.DISK_GONE,
            )
        if self._files is None or self._may_have_lost_disk or here != self._files.identity:
            self._files = self._reopen()
        return self._files.connection

    def _reopen(self) -> Files:
        """Open the file that is there now. Find out how much of the newest game it holds."""
        if self._files is not None:
            self._files.close()
        self._files = None
        self._are_settings_stored = False
        try:
            with in_sentences(self._path, "opened", "look after its disk or card"):
                files, there = _open(self._path, lambda path, _: _read_newest_game(path))
        except Damage as damage:
            raise JournalError(
                f"{self._path} is another file now ({damage}): put the right one back, "
                "or restart the referee to begin a new one",
                trouble.DISK_GONE,
            ) from damage
        end = there.links[-1].chain if there.links else ""
        self._has_refused_rows = end in self._refused
        if self._has_refused_rows:
            self._newest = self._newest._replace(id=self._refused[end])
            self._stored_count = len(self._newest.links)
        else:
            self._newest, self._stored_count = _continue_in(self._newest, there)
        self._may_have_lost_disk = False
        return files


def _continue_in(newest: StoredGame, there: StoredGame) -> tuple[StoredGame, int]:
    """Return the newest game with its number in another database, and how many rows that has.

    there: the newest game in that database. If it is not the beginning of our game, then our whole
    game comes after it, so that the tail of a game never stands without its beginning.
    """
    links = there.links
    if newest.links and (not links or newest.links[: len(links)] != links):
        return newest._replace(id=there.id + 1), 0
    return newest._replace(id=there.id), min(len(links), len(newest.links))


def _write_commit(
    connection: sqlite3.Connection,
    newest: StoredGame,
    began: float,
    entry: Commit,
    settings: dict[str, str],
) -> tuple[StoredGame, float]:
    """Write a commit's rows, and the head of its game. Return the newest game and its start.

    newest, began: those before the commit. settings: all settings after it.
    """
    game, links, head = newest
    written = head
    head = head._replace(rows=None)  # later games were lost, and this one goes on
    when = ""
    if entry.at is not None:
        when = datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds")
    for row in entry.rows:
        if isinstance(row.entry, New):
            if links:
                schema.write_head(connection, game, head._replace(rows=len(links)))
            game, links, head, written, began = game + 1, (), GameHead(), GameHead(), entry.t
            schema.write_head(connection, game, head)
        played = round(1000 * (entry.t - began))
        before = links[-1].chain if links else ""
        link = schema.chain_row(before, schema.stored_row(len(links) + 1, when, row, played))
        schema.append_row(connection, game, link)
        links = (*links, link)
    if entry.rows and entry.over != (head.ended is not None):
        head = head._replace(ended=when if entry.over else None)
    if links and head.ended is None:  # after its end, a new name does not concern the game
        head = head._replace(names=_names_of_people(links[0], settings))
    if head != written:
        schema.write_head(connection, game, head)
    return StoredGame(game, links, head), began


def _names_of_people(first: StoredRow, settings: dict[str, str]) -> str | None:
    """Return the names of a game's players without its bots, as JSON; None if there are none."""
    _, seats = parse_head(first.action)
    names = {
        letter: settings[f"player.{letter}"]
        for letter in (SEAT_LETTERS[seat] for seat in sorted(seats))
        if f"player.{letter}" in settings and f"box.{letter}" not in settings
    }
    return json.dumps(names) if names else None


def load(path: Path) -> tuple[Journal, OpenedJournal]:
    """Open the journal at a path, or make a new one. Return it and what it held.

    A database that is damaged, or whose game breaks the rules, is kept whole under another name,
    and its sound part goes on. If nothing can be written, a sound journal is only read, and its
    commits fail until the disk can be written.

    Raises JournalError if nothing can be opened, and TooNewError if a newer version made it.
    """
    try:
        files, found = _open(path, _read_or_rescue)
    except trouble.Unwritable as error:
        return _load_read_only(path, error)
    journal = Journal(path, files, files.connection)
    journal.settle(turn_over=False)  # so that missing rows are reported only once
    return journal, found


def _load_read_only(path: Path, error: trouble.Unwritable) -> tuple[Journal, OpenedJournal]:
    """Read a journal from a copy in memory: SQLite and our lock would write next to it."""
    if not path.exists():
        raise error
    try:
        with TemporaryDirectory("-referee", dir=memory_folder()) as folder:
            copy = Path(folder) / path.name
            for part in (*(Path(f"{path}{ending}") for ending in WITH_LOG), count_path(path)):
                if part.exists():
                    copyfile(part, copy.with_name(part.name))
            files, found = _open(copy, _read_or_rescue)
            journal = Journal(path, None, files.connection)
            files.close()
    except (OSError, JournalError):
        raise error from None
    if found.aside:
        raise error
    return journal, found._replace(warning=str(error))


def _open(path: Path, read: Callable[[Path, ConfirmedRows], Content]) -> tuple[Files, Content]:
    """Open a journal's files. Return them and the result of `read`, which comes before SQLite.

    read: gets the path and the count of the confirmed rows.
    """
    with ExitStack() as undoing:
        lock = undoing.enter_context(closing(_lock(path)))
        with in_sentences(count_path(path), "opened", "make it writable, or name another folder"):
            count = undoing.enter_context(closing(Count(path)))
        content = read(path, read_count(path))
        connection = _open_database(path)
        undoing.pop_all()
    return Files(lock, count, connection, _identity(path)), content


def _read_or_rescue(path: Path, counted: ConfirmedRows) -> OpenedJournal:
    """Read the newest game. If the database can't be continued, rescue its sound part."""
    for part in (Path(f"{path}{ending}") for ending in ("", "-journal", "-wal", "-shm")):
        if os.path.lexists(part) and not part.is_file():  # SQLite would wait for a pipe
            raise JournalError(f"{part} is not a file: move it away or name another folder")
    try:
        newest = _read_newest_game(path)
        rows = len(newest.links)
        if (newest.id, rows) < counted:
            raise Damage(f"{counted.rows} rows of game {counted.game} were confirmed, not {rows}")
        if not rows:
            return OpenedJournal()
        try:
            return OpenedJournal(fold(schema.rows_of(newest.links)))
        except Exception as error:  # damaged rows can raise any exception in the rules
            raise Damage(f"its newest game can't be followed: {error}") from error
    except Damage as damage:
        return _rescue(path, counted, damage)


def _read_newest_game(path: Path) -> StoredGame:
    """Return the newest game, or no game. A database of an older schema is first updated."""
    if not path.exists() or path.stat().st_size == 0:
        if Path(f"{path}-wal").exists():
            raise Damage("its log has lost its database")
        return StoredGame()
    with path.open("rb") as file:
        header = file.read(20)
    if header.startswith(b"SQLite format 3\0") and not set(header[18:]) <= {1, 2}:
        # SQLite can write the formats legacy and WAL (fileformat2, 1.3.3).
        raise Damage("its header names a format that is not known")
    try:
        if Path(f"{path}-journal").exists():  # undo a change that was cut short, by a write access
            with closing(schema.connect(path)) as connection:
                schema.has_no_tables(connection)
        with closing(schema.connect_read_only(path)) as connection:
            if schema.has_no_tables(connection):
                return StoredGame()
            number = schema.check_schema(connection)
            if number > schema.SCHEMA:
                [maker] = connection.execute(schema.MAKER).fetchone() or ("another version",)
                raise trouble.TooNewError(
                    f"{path} was made by version {maker} (schema {number}), this is version "
                    f"{__version__} (schema {schema.SCHEMA}): install {maker} or a later one, or "
                    "name another folder",
                    str(maker),
                )
            newest = schema.newest_game(connection)
            if newest.id and not newest.links:
                raise Damage(f"game {newest.id} has no rows")
    except sqlite3.Error as error:
        if trouble.is_disk_fault(error):
            raise trouble.journal_error(path, "read", error) from error
        raise Damage(str(error)) from error
    except ValueError as error:  # SQLite's message is not UTF-8
        raise Damage(f"its text can't be read: {error}") from error
    if number < schema.SCHEMA:
        there = read_sound_part(path)
        why = f"it has schema {number}"
        replace_database(path, there.games, there.settings, why, f"schema-{number}")
    return newest


def _rescue(path: Path, counted: ConfirmedRows, damage: Damage) -> OpenedJournal:
    """Keep the database whole under another name. Go on with what can be read of it."""
    there = read_sound_part(path)
    games, record = list(there.games), None
    confirmed = max(there.newest, counted)
    if games:
        game, followed = games.pop(), 0
        with suppress(Exception):  # damaged rows can raise any exception in the rules
            for row in schema.rows_of(game.links):
                record = apply(record, row)
                followed += 1
        links = game.links[:followed]
        if game.id == confirmed.game:  # the game goes on, so its head no longer names a damage
            ended = game.head.ended if len(links) == confirmed.rows else None
            game = game._replace(head=game.head._replace(ended=ended, damage=None))
        games += [game._replace(links=links)] if links else []
    here = ConfirmedRows(games[-1].id, len(games[-1].links)) if games else NOTHING
    missing = confirmed.rows - (here.rows if here.game == confirmed.game else 0)
    aside = replace_database(path, games, there.settings, str(damage), "aside")
    kept = f"kept whole as {aside}" if aside else "nothing of it is there"
    goes_on = f"{here.rows} rows of game {here.game} go on" if games else "a new one is begun"
    what = f"{path} can't be continued ({damage}): {kept}, {goes_on}"
    return OpenedJournal(record, missing, aside, what)


def _lock(path: Path) -> FileIO:
    """Return the open lock file next to the database. Closing it unlocks, and so does a crash."""
    lock_path = _lock_path(path)
    with in_sentences(path, "opened", "name a folder that can be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileIO(lock_path, "a+")
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
    with suppress(OSError):  # on a full disk the message to the next process lacks our number
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    return lock


@contextmanager
def keep_closed(path: Path) -> Iterator[bool]:
    """Lock a journal against other processes; yield False if one has it open. Makes no file."""
    with ExitStack() as closing:
        try:
            lock = closing.enter_context(FileIO(_lock_path(path)))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError:
            pass  # without a lock file, no table was ever here
        yield True


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _open_database(path: Path) -> sqlite3.Connection:
    with in_sentences(path, "made", "free some space, or name another folder"):
        if not path.exists() or path.stat().st_size == 0:
            write_whole(path, new_database())
    with in_sentences(path, "opened"), ExitStack() as undoing:
        connection = undoing.enter_context(closing(schema.connect(path, timeout=BUSY_S)))
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if mode != "wal":
            raise sqlite3.OperationalError(f"no write-ahead log but {mode} on this kind of disk")
        if schema.has_no_tables(connection):
            connection.executescript(schema.CREATE)
        undoing.pop_all()
    return connection


def _identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None
