"""A database that can't be continued as it is: kept whole under another name, and replaced.

What SQL can still read of it goes into a new database, which takes its place in one rename. Its
log is never removed before the database itself holds all that SQLite takes from the log, so a kill
at any point leaves either all of the old one or the new one, and the next start does it again.
"""

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from pi_app.record.count import ConfirmedRows
from pi_app.record.files import memory_folder, sync, write_whole
from pi_app.record.schema import (
    COUNT,
    CREATE,
    PUT_SETTING,
    UNREADABLE,
    GameHead,
    StoredGame,
    StoredRow,
    connect,
    connect_read_only,
    game_numbers,
    read_settings,
    sound_part,
    write_game,
)
from pi_app.record.trouble import journal_error, write_error

NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
WITH_LOG = ("", "-wal")  # a database in WAL mode keeps its newest rows in a log beside it
REPEATED_ROW = "a row of the lit chamber is there twice"


class Readable(NamedTuple):
    """What can be read of a database: its games in order, as far as each is sound, its settings.

    newest: the newest of these games, and how many rows of it are there, sound or not.
    """

    games: tuple[StoredGame, ...] = ()
    settings: Mapping[str, str] = NO_SETTINGS
    newest: ConfirmedRows = ConfirmedRows(0, 0)


def read_sound_part(path: Path) -> Readable:
    """Return what can be read of a database, which is nothing where there is none."""
    if not path.exists() or path.stat().st_size == 0:
        return Readable()  # SQLite would delete the log of one that is empty
    with suppress(*UNREADABLE), closing(_tolerant(path)) as connection:
        games = _kept(sound_part(connection, game) for game in game_numbers(connection))
        return Readable(games, read_settings(connection), _newest(connection, games))
    return Readable()


def _tolerant(path: Path) -> sqlite3.Connection:
    """Open a database whose schema may be damaged, or whose last pages may be gone."""
    connection = connect_read_only(path)
    connection.execute("PRAGMA writable_schema = ON")  # as SQLite's own .recover does
    return connection


def _kept(games: Iterable[StoredGame]) -> tuple[StoredGame, ...]:
    """Return the games up to the newest that has sound rows, without rows that are there twice."""
    events: set[tuple[str | None, int | None]] = set()
    kept: list[StoredGame] = []
    for game in games:
        links = tuple(_until_repeated(game.links, events))
        head = game.head._replace(rows=None if game.head.damage else len(links))
        if len(links) < len(game.links):
            head = GameHead(names=head.names, damage=REPEATED_ROW)
        kept.append(StoredGame(game.id, links, head))
    while kept and not kept[-1].links:
        kept.pop()
    kept[-1:] = [game._replace(head=game.head._replace(rows=None)) for game in kept[-1:]]
    return tuple(kept)


def _until_repeated(
    links: Iterable[StoredRow], events: set[tuple[str | None, int | None]]
) -> Iterable[StoredRow]:
    for one in links:
        event = one.row.boot, one.row.n
        if event in events:
            return
        if one.row.boot is not None:
            events.add(event)
        yield one


def _newest(connection: sqlite3.Connection, kept: Sequence[StoredGame]) -> ConfirmedRows:
    """Return the newest game and how many rows of it are there, sound or not."""
    newest = kept[-1] if kept else StoredGame(0, ())
    with suppress(*UNREADABLE):
        [rows] = connection.execute(COUNT, (newest.id,)).fetchone()
        return ConfirmedRows(newest.id, rows)
    return ConfirmedRows(newest.id, len(newest.links))


def replace_database(
    path: Path, games: Iterable[StoredGame], settings: Mapping[str, str], why: str, kept_as: str
) -> str:
    """Put a new database in the place of the old one; return the old one's new name.

    That is "" where nothing of it is there. why: what is told where this can't be done. kept_as:
    is in the old one's new name.
    """
    try:
        data = new_database(games, settings)
        aside = _keep(path, kept_as)
        _do_without_log(path)
        write_whole(path, data)
    except OSError as error:
        what = f"{path} can't be continued ({why}) nor kept aside ({error.strerror}): move it away"
        raise write_error(error, what) from error
    except sqlite3.Error as error:
        raise journal_error(path, f"continued ({why}) nor written anew", error) from error
    return aside


def new_database(
    games: Iterable[StoredGame] = (), settings: Mapping[str, str] = NO_SETTINGS
) -> bytes:
    """Return a database as a file that has a log from its first change on, and none yet."""
    with TemporaryDirectory("-referee", dir=memory_folder()) as folder:
        file = Path(folder) / "new.db"
        with closing(connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(CREATE)
            connection.execute("BEGIN")
            for game in games:
                write_game(connection, game)
            connection.executemany(PUT_SETTING, settings.items())
            connection.execute("COMMIT")
        return file.read_bytes()


def _keep(path: Path, kept_as: str) -> str:
    """Give a database and its log a second name, which a replacement cut short may have given."""
    parts = [part for part in WITH_LOG if _is_there(path, part)]
    if not parts:
        return ""
    endings = chain([""], (f"-{n}" for n in count(2)))
    names = (path.with_name(f"{path.stem}.{kept_as}{one}{path.suffix}") for one in endings)
    aside = next(one for one in names if all(_is_free(path, one, part) for part in WITH_LOG))
    for part in parts:
        if not Path(f"{aside}{part}").exists():
            os.link(f"{path}{part}", f"{aside}{part}")
    sync(path.parent)
    return aside.name


def _is_there(path: Path, part: str) -> bool:
    """Whether a part is worth keeping: SQLite leaves an empty log where it has read."""
    file = Path(f"{path}{part}")
    return file.exists() and (part == "" or file.stat().st_size > 0)


def _is_free(path: Path, aside: Path, part: str) -> bool:
    ours, theirs = Path(f"{path}{part}"), Path(f"{aside}{part}")
    return not theirs.exists() or (ours.exists() and theirs.samefile(ours))


def _do_without_log(path: Path) -> None:
    """Remove a database's log, after all that SQLite takes from it is in the database itself.

    The folded database takes the place of the old one in one rename, too. The log that is then
    still beside it changes nothing: it holds whole pages that the database has already. Where
    SQLite can't open the two together, no row can be read without the log either.
    """
    if not Path(f"{path}-wal").exists():
        return
    if path.exists() and path.stat().st_size:
        with suppress(*UNREADABLE), closing(_tolerant(path)) as connection:
            write_whole(path, connection.serialize())
    for part in ("-wal", "-shm"):
        Path(f"{path}{part}").unlink(missing_ok=True)
    sync(path.parent)
