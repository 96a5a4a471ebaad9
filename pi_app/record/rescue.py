"""Replaces a database that can't be continued, and keeps it whole under another name.

A new database gets all that SQL can still read, and takes the place of the old one in one rename.
The log is removed only after the database itself holds all that SQLite takes from the log. So a
kill at any point leaves either the whole old database or the new one, and the next start repeats
the work.
"""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from pi_app.record import schema
from pi_app.record.count import NOTHING, ConfirmedRows
from pi_app.record.files import memory_folder, sync, write_whole
from pi_app.record.schema import GameHead, StoredGame
from pi_app.record.trouble import in_sentences, journal_error

NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
WITH_LOG = ("", "-wal")  # a database in WAL mode has its newest rows in a log next to it
REPEATED_ROW = "a row of the lit chamber is there twice"


class Readable(NamedTuple):
    """The readable part of a database."""

    games: tuple[StoredGame, ...] = ()  # the sound part of each, in order
    settings: Mapping[str, str] = NO_SETTINGS
    newest: ConfirmedRows = NOTHING  # the newest of these games, and all its rows, sound or not


def read_sound_part(path: Path) -> Readable:
    """Return the readable part of a database, which is empty if there is no database."""
    if not path.exists() or path.stat().st_size == 0:
        return Readable()  # SQLite would delete the log of an empty database
    with suppress(*schema.UNREADABLE), closing(_connect_to_damaged(path)) as connection:
        games = _without_repeats(
            schema.sound_part(connection, game) for game in schema.game_numbers(connection)
        )
        newest = games[-1] if games else StoredGame()
        rows = len(newest.links)
        with suppress(*schema.UNREADABLE):
            [rows] = connection.execute(schema.COUNT, (newest.id,)).fetchone()
        return Readable(games, schema.read_settings(connection), ConfirmedRows(newest.id, rows))
    return Readable()


def _connect_to_damaged(path: Path) -> sqlite3.Connection:
    connection = schema.connect_read_only(path)
    connection.execute("PRAGMA writable_schema = ON")  # as SQLite's own .recover does
    return connection


def _without_repeats(games: Iterable[StoredGame]) -> tuple[StoredGame, ...]:
    """Return the games up to the newest with sound rows. A repeated event ends its game."""
    events: set[tuple[str | None, int | None]] = set()
    kept: list[StoredGame] = []
    for game in games:
        links = game.links
        for index, link in enumerate(links):
            event = link.boot, link.chamber_n
            if event in events:
                links = links[:index]
                break
            if link.boot is not None:
                events.add(event)
        head = game.head._replace(rows=None if game.head.damage else len(links))
        if len(links) < len(game.links):
            head = GameHead(names=head.names, damage=REPEATED_ROW)
        kept.append(StoredGame(game.id, links, head))
    while kept and not kept[-1].links:
        kept.pop()
    kept[-1:] = [game._replace(head=game.head._replace(rows=None)) for game in kept[-1:]]
    return tuple(kept)


def replace_database(
    path: Path, games: Iterable[StoredGame], settings: Mapping[str, str], why: str, kept_as: str
) -> str:
    """Put a new database in the place of the old one. Return the old one's new name, "" for none.

    games, settings: the content of the new database.
    why: the reason, for the message of the JournalError that is raised if this fails.
    kept_as: a part of the old one's new name.
    """
    with in_sentences(path, f"continued ({why}) nor kept aside", "move it away"):
        try:
            data = new_database(games, settings)
        except sqlite3.Error as error:
            raise journal_error(path, f"continued ({why}) nor written anew", error) from error
        aside = _keep_aside(path, kept_as)
        _remove_log(path)
        write_whole(path, data)
    return aside


def new_database(
    games: Iterable[StoredGame] = (), settings: Mapping[str, str] = NO_SETTINGS
) -> bytes:
    """Return the bytes of a database in WAL mode, without a log."""
    with TemporaryDirectory("-referee", dir=memory_folder()) as folder:
        file = Path(folder) / "new.db"
        with closing(schema.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(schema.CREATE)
            connection.execute("BEGIN")
            for game in games:
                schema.write_game(connection, game)
            connection.executemany(schema.PUT_SETTING, settings.items())
            connection.execute("COMMIT")
        return file.read_bytes()


def _keep_aside(path: Path, kept_as: str) -> str:
    """Give a database and its log a second name, and return it; "" if there is neither.

    A replacement that was cut short may have given the name already. An empty log is left: SQLite
    leaves one wherever it has read.
    """

    def is_free(aside: Path) -> bool:
        pairs = ((Path(f"{path}{part}"), Path(f"{aside}{part}")) for part in WITH_LOG)
        return all(
            not theirs.exists() or (ours.exists() and theirs.samefile(ours))
            for ours, theirs in pairs
        )

    parts = [part for part in WITH_LOG if Path(f"{path}{part}").exists()]
    if parts[-1:] == ["-wal"] and Path(f"{path}-wal").stat().st_size == 0:
        parts.pop()
    if not parts:
        return ""
    endings = chain([""], (f"-{n}" for n in count(2)))
    names = (path.with_name(f"{path.stem}.{kept_as}{ending}{path.suffix}") for ending in endings)
    aside = next(name for name in names if is_free(name))
    for part in parts:
        if not Path(f"{aside}{part}").exists():
            os.link(f"{path}{part}", f"{aside}{part}")
    sync(path.parent)
    return aside.name


def _remove_log(path: Path) -> None:
    """Remove a database's log, after the database itself holds all that SQLite takes from it.

    The complete database, too, takes the place of the old one in one rename. If the log is then
    still next to it, it changes nothing: its pages are in the database already. If SQLite can't
    open the two together, then no row could be read even with the log.
    """
    if not Path(f"{path}-wal").exists():
        return
    if path.exists() and path.stat().st_size:
        with suppress(*schema.UNREADABLE), closing(_connect_to_damaged(path)) as connection:
            write_whole(path, connection.serialize())
    for part in ("-wal", "-shm"):
        Path(f"{path}{part}").unlink(missing_ok=True)
    sync(path.parent)
