"""The journal: every confirmed action on the disk before anything shows it. SQLite, one process.

What it can't continue it keeps whole, and says how many confirmed moves are missing. Where its disk
was away, it goes on in what lies there then: with what that lacks of the game, or with all of it.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from pi_app import __version__
from pi_app.record.count import ConfirmedRows, Count, count_path
from pi_app.record.files import memory_folder, write_whole
from pi_app.record.rescue import WITH_LOG, new_database, read_sound_part, replace_database
from pi_app.record.schema import (
    CREATE,
    PUT_SETTING,
    REMOVE_SETTING,
    SCHEMA,
    GameHead,
    StoredGame,
    StoredRow,
    append_row,
    chain_row,
    check_schema,
    connect,
    connect_read_only,
    has_no_tables,
    maker_of,
    newest_game,
    read_settings,
    row_text,
    rows_of,
    whole_game,
    write_head,
)
from pi_app.record.trouble import (
    DISK_GONE,
    Damage,
    JournalError,
    TooNewError,
    Unwritable,
    is_disk_fault,
    journal_error,
    may_have_lost_disk,
    write_error,
)
from pi_app.rows.history import New, Row, apply, fold, parse_head
from rules.board import SEAT_LETTERS
from rules.history import Record

FILE = "journal.db"  # in the journal's folder
BUSY_S = 1.0  # how long a commit waits for somebody who looks into the file
SELECT_EVENT = "SELECT 1 FROM rows WHERE boot = ? AND chamber_n = ?"
DELETE_LATER_ROWS = (
    "DELETE FROM rows WHERE (game, n) > (:game, :rows)",
    "DELETE FROM games WHERE id > :game",
)
CACHE_KIB = 256  # what is written is hardly ever read again; by default 2 MB fill in some evenings
FOLD_IN = "PRAGMA wal_checkpoint(TRUNCATE)"


Puts = tuple[tuple[str, str | None], ...]


class OpenedJournal(NamedTuple):
    """What a journal held when it was opened.

    record: its newest game. missing: how many of its confirmed rows can't be read any more.
    aside: the name under which a database that can't be continued is kept. warning: a sentence
    that says so, or that nothing can be written.
    """

    record: Record | None = None
    missing: int = 0
    aside: str = ""
    warning: str | None = None


class Commit(NamedTuple):
    """What one press confirms. at: seconds of Unix time, None where the clock was never set.

    over: the game ends with it. A `new ...` row starts a game; all others belong to the newest.
    puts: settings by key with their text, None for one that is taken out. t: seconds since the
    journal was loaded, by a clock that nobody sets.
    """

    rows: tuple[Row, ...] = ()
    at: float | None = None
    over: bool = False
    puts: Puts = ()
    t: float = 0.0


class NewestGame(NamedTuple):
    """The newest game: its number in the database, 0 for none, its rows, its head.

    began: when that would have been by the clock of `Entry.t`, had the table never been off since.
    """

    game: int = 0
    links: tuple[StoredRow, ...] = ()
    head: GameHead = GameHead()
    began: float = 0.0

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.head.ended is not None


class Files(NamedTuple):
    """What a journal has open; `identity` tells its database from another one of the same name."""

    lock: FileIO
    counted: Count
    connection: sqlite3.Connection
    identity: tuple[int, int] | None

    def close(self) -> None:
        """Close the database, then let the next process have it."""
        self.counted.close()
        self.connection.close()
        self.lock.close()


class Journal:
    """The recorded games, open for one process. Made by `load`.

    files: None where nothing can be written; each commit tries to open them then.
    """

    def __init__(
        self, path: Path, files: Files | None, newest: NewestGame, settings: dict[str, str]
    ) -> None:
        self._path = path
        self._files = files
        self._newest = newest
        self._settings = settings
        self._settings_lie = files is not None  # the database has all of them
        self._lying = len(newest.links)  # how many of its rows the database has
        self._lost = files is None  # what is open may no longer be what lies there
        self._tried: dict[str, int] = {}  # where commits that were refused end, and our game
        self._left = False  # one of them lies there all the same

    def append(
        self,
        rows: Iterable[Row],
        at: float | None,
        over: bool = False,
        puts: Puts = (),
        t: float = 0.0,
    ) -> None:
        """Commit rows and settings at once or not at all; JournalError if the disk refuses."""
        self.append_all((Commit(tuple(rows), at, over, puts, t),))

    def append_all(self, entries: Sequence[Commit]) -> None:
        """Commit what several presses confirm, in order, at once or not at all."""
        with self._commit() as connection:
            newest, settings = self._newest, self._settings
            if self._left:
                _take_back(connection, newest)
            _write_rest(connection, newest, self._lying)
            for entry in entries:
                settings = _after(settings, entry.puts)
                newest = _written(connection, newest, entry, settings)
            _set(connection, self._settings, entries, self._settings_lie)
            self._tried |= {one.chain: self._newest.game for one in newest.links[-1:]}
        self._newest, self._lying = newest, len(newest.links)
        self._tried, self._left = {}, False
        self._settings, self._settings_lie = settings, True

    def settings(self) -> dict[str, str]:
        """Return what was set at the table, by key, as far as it could be read."""
        return dict(self._settings)

    def settle(self, turn_over: bool) -> None:
        """Do what may wait until a commit is shown: count its rows; fold the log in at turn's end.

        Somebody who just now looks into the file puts the folding off to the next turn.
        """
        if self._files is None or self._lost:
            return
        self._files.counted.write(ConfirmedRows(self._newest.game, self._lying))
        if turn_over:
            with suppress(sqlite3.Error), _impatient(self._files.connection) as connection:
                connection.execute(FOLD_IN)

    def last_game(self) -> tuple[Row, ...] | None:
        """Return the rows of the newest game, its `new ...` row first; None if there is none."""
        if self._files is None:
            return tuple(rows_of(self._newest.links)) or None
        game = whole_game(self._files.connection, self._newest.game) if self._newest.game else None
        return tuple(rows_of(game.links)) or None if game else None

    def is_recorded(self, boot: str, n: int) -> bool:
        """Whether the lit chamber's event n since this boot is recorded, as far as can be read."""
        if any((one.row.boot, one.row.n) == (boot, n) for one in self._newest.links):
            return True
        with suppress(sqlite3.Error):
            if self._files is not None:
                return (
                    self._files.connection.execute(SELECT_EVENT, (boot, n)).fetchone() is not None
                )
        return False

    def close(self) -> None:
        """Count the rows and close the database, then let the next process have it."""
        self.settle(turn_over=False)
        if self._files is not None:
            self._files.close()
        self._files = None

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        connection = self._connected()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._lost = may_have_lost_disk(error)
            raise journal_error(self._path, "written", error) from error
        finally:
            with suppress(sqlite3.Error):  # on a disk that is gone
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _connected(self) -> sqlite3.Connection:
        """Return what is open, or what lies there now where that was away or is another file."""
        here = _identity(self._path)
        if here is None:
            self._lost = True
            raise JournalError(
                f"{self._path} is not there any more: put it or its disk back, "
                "or restart the referee to begin a new one",
                DISK_GONE,
            )
        if self._files is None or self._lost or here != self._files.identity:
            self._files = self._opened_anew()
        return self._files.connection

    def _opened_anew(self) -> Files:
        """Open what lies there now; see how much of the newest game that holds."""
        if self._files is not None:
            self._files.close()
        self._files = None
        self._settings_lie = False
        try:
            files, there = _open(self._path, lambda path, _: _newest_game(path))
        except Damage as damage:
            raise JournalError(
                f"{self._path} is another file now ({damage}): put the right one back, "
                "or restart the referee to begin a new one",
                DISK_GONE,
            ) from damage
        except OSError as error:
            what = f"{self._path} can't be opened ({error.strerror}): look after its disk or card"
            raise write_error(error, what) from error
        end = there.links[-1].chain if there is not None else ""
        self._left = end in self._tried
        if self._left:
            self._newest = self._newest._replace(game=self._tried[end])
            self._lying = len(self._newest.links)
        else:
            self._newest, self._lying = _continued(self._newest, there)
        self._lost = False
        return files


def _continued(newest: NewestGame, there: StoredGame | None) -> tuple[NewestGame, int]:
    """Return the newest game as it goes on in a database, and how many of its rows that has.

    there: the newest game in that database. Where it is not the beginning of ours, ours comes after
    it, whole: its tail is never written where its beginning is not.
    """
    game, links = (there.id, there.links) if there is not None else (0, ())
    if newest.links and (not links or newest.links[: len(links)] != links):
        return newest._replace(game=game + 1), 0
    return newest._replace(game=game), min(len(links), len(newest.links))


def _take_back(connection: sqlite3.Connection, newest: NewestGame) -> None:
    """Remove what a commit has left that was refused, as by a disk that fails to sync."""
    for statement in DELETE_LATER_ROWS:
        connection.execute(statement, {"game": newest.game, "rows": len(newest.links)})
    write_head(connection, newest.game, newest.head)


def _write_rest(connection: sqlite3.Connection, newest: NewestGame, lying: int) -> None:
    """Write what the database lacks of a game of which it has so many rows."""
    if lying == len(newest.links):
        return
    write_head(connection, newest.game, newest.head)
    for one in newest.links[lying:]:
        append_row(connection, newest.game, one)


def _written(
    connection: sqlite3.Connection, newest: NewestGame, entry: Commit, settings: dict[str, str]
) -> NewestGame:
    """Write what one press confirms, after which these are the settings; return the newest game."""
    game, links, head, began = newest
    written = head
    head = head._replace(rows=None)  # games after it were lost, and it goes on
    when = _time_text(entry.at)
    for row in entry.rows:
        if isinstance(row.entry, New):
            if links:
                write_head(connection, game, head._replace(rows=len(links)))
            game, links, head, written, began = game + 1, (), GameHead(), GameHead(), entry.t
            write_head(connection, game, head)
        played = round(1000 * (entry.t - began))
        one = chain_row(
            links[-1].chain if links else "", len(links) + 1, when, row_text(row), played
        )
        append_row(connection, game, one)
        links = (*links, one)
    if entry.rows and entry.over != (head.ended is not None):
        head = head._replace(ended=when if entry.over else None)
    if links and head.ended is None:  # once it is over, no new name concerns it
        head = head._replace(names=_names(links[0], settings))
    if head != written:
        write_head(connection, game, head)
    return NewestGame(game, links, head, began)


def _names(first: StoredRow, settings: dict[str, str]) -> str | None:
    """Return who plays a game, but for boxes."""
    _, seats = parse_head(first.row.action)
    letters = map(SEAT_LETTERS.__getitem__, sorted(seats))
    people = [one for one in letters if f"box.{one}" not in settings]
    players = {one: settings[f"player.{one}"] for one in people if f"player.{one}" in settings}
    return json.dumps(players) if players else None


def _after(settings: dict[str, str], puts: Puts) -> dict[str, str]:
    """Return the settings after these were put."""
    return {key: text for key, text in {**settings, **dict(puts)}.items() if text is not None}


def _set(
    connection: sqlite3.Connection, settings: dict[str, str], entries: Iterable[Commit], lie: bool
) -> None:
    """Put what entries set, and all settings of before where they don't lie there."""
    puts = dict(put for entry in entries for put in entry.puts)
    for key, text in (puts if lie else {**settings, **puts}).items():
        if text is None:
            connection.execute(REMOVE_SETTING, (key,))
        else:
            connection.execute(PUT_SETTING, (key, text))


@contextmanager
def _impatient(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        yield connection
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_S)}")


def load(path: Path) -> tuple[Journal, OpenedJournal]:
    """Open the journal, a new one where there is none; return it and what it held.

    A database that is none, is damaged or tells of moves that the rules don't know is kept whole
    under another name, and what of it is sound goes on. Where nothing can be written, a journal
    that is sound is only read: its commits fail until something can. JournalError where nothing can
    be opened, or where a newer program made it.
    """
    try:
        files, found = _open(path, _found)
    except Unwritable as error:
        return _only_read(path, error)
    journal = Journal(path, files, _newest(files.connection), read_settings(files.connection))
    journal.settle(turn_over=False)  # what is missing is said once
    return journal, found


def _only_read(path: Path, error: Unwritable) -> tuple[Journal, OpenedJournal]:
    """Read a journal in a copy in memory, since SQLite and our lock want to write beside it."""
    if not path.exists():
        raise error
    try:
        with TemporaryDirectory("-referee", dir=memory_folder()) as folder:
            copy = Path(folder) / path.name
            for one in (*(Path(f"{path}{part}") for part in WITH_LOG), count_path(path)):
                if one.exists():
                    copyfile(one, copy.with_name(one.name))
            files, found = _open(copy, _found)
            newest, settings = _newest(files.connection), read_settings(files.connection)
            files.close()
    except (OSError, JournalError):
        raise error from None
    if found.aside:
        raise error
    return Journal(path, None, newest, settings), found._replace(warning=str(error))


Looked = TypeVar("Looked")


def _open(path: Path, look: Callable[[Path, ConfirmedRows], Looked]) -> tuple[Files, Looked]:
    """Open a journal's files; return them and what `look` finds there, with what was counted."""
    with ExitStack() as undoing:
        lock = undoing.enter_context(closing(_locked(path)))
        count = undoing.enter_context(closing(_count(path)))
        looked = look(path, count.read() or ConfirmedRows(0, 0))
        connection = _opened(path)
        undoing.pop_all()
    return Files(lock, count, connection, _identity(path)), looked


def _newest(connection: sqlite3.Connection) -> NewestGame:
    game = newest_game(connection)
    if game is None:
        return NewestGame()
    played = game.links[-1].played if game.links else None
    return NewestGame(game.id, game.links, game.head, -(played or 0) / 1000)


def _found(path: Path, counted: ConfirmedRows) -> OpenedJournal:
    if path.exists() != os.path.lexists(path) or (path.exists() and not path.is_file()):
        raise JournalError(f"{path} is not a file: move it away or name another folder")
    try:
        newest = _newest_game(path)
        _check_count(newest, counted)
        return OpenedJournal(_followed(newest) if newest is not None else None)
    except Damage as damage:
        return _rescued(path, counted, damage)


def _newest_game(path: Path) -> StoredGame | None:
    """Read the newest game, of the schema before after the database was moved to ours."""
    if not path.exists() or path.stat().st_size == 0:
        if Path(f"{path}-wal").exists():
            raise Damage("its log has lost its database")
        return None
    _check_header(path)
    try:
        _take_back_half_a_change(path)
        with closing(connect_read_only(path)) as connection:
            if has_no_tables(connection):
                return None
            schema = check_schema(connection)
            if schema > SCHEMA:
                raise _too_new(path, connection, schema)
            newest = newest_game(connection)
    except sqlite3.Error as error:
        if is_disk_fault(error):
            raise journal_error(path, "read", error) from error
        raise Damage(str(error)) from error
    except ValueError as error:  # SQLite's own words are not UTF-8
        raise Damage(f"its text can't be read: {error}") from error
    if schema < SCHEMA:
        there = read_sound_part(path)
        why = f"it has schema {schema}"
        replace_database(path, there.games, there.settings, why, f"schema-{schema}")
    return newest if newest is not None and newest.links else None


def _take_back_half_a_change(path: Path) -> None:
    """Have SQLite undo a change that was cut short before the database had a log.

    A copy that was put back has none until it is opened. Who only reads can't undo it.
    """
    if Path(f"{path}-journal").exists():
        with closing(connect(path)) as connection:
            has_no_tables(connection)


def _check_header(path: Path) -> None:
    """See that SQLite would write what it reads (fileformat2, 1.3.3: 1 is legacy, 2 is WAL)."""
    with path.open("rb") as file:
        header = file.read(20)
    if header.startswith(b"SQLite format 3\0") and not set(header[18:]) <= {1, 2}:
        raise Damage("its header names a format that is not known")


def _check_count(newest: StoredGame | None, counted: ConfirmedRows) -> None:
    game, rows = (newest.id, len(newest.links)) if newest is not None else (0, 0)
    if (game, rows) < counted:
        raise Damage(f"{counted.rows} rows of game {counted.game} were confirmed, not {rows}")


def _followed(game: StoredGame) -> Record:
    try:
        return fold(rows_of(game.links))
    except Exception as error:  # damaged rows can make the rules stumble in any way
        raise Damage(f"its newest game can't be followed: {error}") from error


def _rescued(path: Path, counted: ConfirmedRows, damage: Damage) -> OpenedJournal:
    """Keep the database whole under another name; go on from what can be read of it."""
    there = read_sound_part(path)
    games, record = list(there.games), None
    confirmed = max(there.newest, counted)
    if games:
        game = games.pop()
        record, links = _as_far_as_it_goes(game.links)
        if game.id == confirmed.game:  # it goes on, so that what is missing is not missing for long
            ended = game.head.ended if len(links) == confirmed.rows else None
            game = game._replace(head=game.head._replace(ended=ended, damage=None))
        games += [game._replace(links=links)] if links else []
    here = ConfirmedRows(games[-1].id, len(games[-1].links)) if games else ConfirmedRows(0, 0)
    missing = confirmed.rows - (here.rows if here.game == confirmed.game else 0)
    aside = replace_database(path, games, there.settings, str(damage), "aside")
    kept = f"kept whole as {aside}" if aside else "nothing of it is there"
    goes_on = f"{here.rows} rows of game {here.game} go on" if games else "a new one is begun"
    what = f"{path} can't be continued ({damage}): {kept}, {goes_on}"
    return OpenedJournal(record, missing, aside, what)


def _as_far_as_it_goes(links: tuple[StoredRow, ...]) -> tuple[Record | None, tuple[StoredRow, ...]]:
    """Return the game as far as the rules can follow it, and its rows so far."""
    record, followed = None, 0
    with suppress(Exception):  # damaged rows can make the rules stumble in any way
        for row in rows_of(links):
            record = fold([row]) if record is None else apply(record, row)
            followed += 1
    return record, links[:followed]


def _too_new(path: Path, connection: sqlite3.Connection, version: int) -> TooNewError:
    maker = maker_of(connection)
    return TooNewError(
        f"{path} was made by version {maker} (schema {version}), this is version {__version__} "
        f"(schema {SCHEMA}): install {maker} or a later one, or name another folder",
        maker,
    )


def _locked(path: Path) -> FileIO:
    """Return the open lock file beside the database; who closes it, by dying too, unlocks it."""
    lock_path = _lock_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileIO(lock_path, "a+")
    except OSError as error:
        what = f"{path} can't be opened ({error.strerror}): name a folder that can be written"
        raise write_error(error, what) from error
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


@contextmanager
def keep_closed(path: Path) -> Iterator[bool]:
    """Keep tables from opening a journal meanwhile; False where one has it open. Makes no file."""
    with ExitStack() as closing:
        try:
            lock = closing.enter_context(FileIO(_lock_path(path)))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError:
            pass  # no table has ever been here
        yield True


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _count(path: Path) -> Count:
    try:
        return Count(count_path(path))
    except OSError as error:
        what = (
            f"{error.filename} can't be opened ({error.strerror}): "
            "make it writable, or name another folder"
        )
        raise write_error(error, what) from error


def _opened(path: Path) -> sqlite3.Connection:
    try:
        if not path.exists() or path.stat().st_size == 0:
            write_whole(path, new_database())
    except OSError as error:
        what = f"{path} can't be made ({error.strerror}): free some space, or name another folder"
        raise write_error(error, what) from error
    except sqlite3.Error as error:  # a new one is put together in memory, which may be full
        raise journal_error(path, "made", error) from error
    connection = connect(path, timeout=BUSY_S)
    try:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if mode != "wal":
            raise sqlite3.OperationalError(f"no write-ahead log but {mode} on this kind of disk")
        if has_no_tables(connection):
            connection.executescript(CREATE)
    except sqlite3.Error as error:
        connection.close()
        raise journal_error(path, "opened", error) from error
    return connection


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _time_text(at: float | None) -> str:
    if at is None:
        return ""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
