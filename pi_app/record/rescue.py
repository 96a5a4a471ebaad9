"""A database that can't be continued: kept whole under another name, its sound rows in a new one.

Nothing of the old one is lost and nothing is overwritten; a power cut at any point leaves either
the old database in its place or the new one.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from pi_app.record.count import Counted
from pi_app.record.schema import (
    CREATE,
    PUT,
    ROWS_OF,
    ROWS_OF_SCHEMA_1,
    WITHOUT_SETTINGS,
    Kept,
    Link,
    link,
    links_of,
    settings_of,
    unbroken,
    whole,
    write_game,
)
from pi_app.record.trouble import JournalError, refused

PARTS = ("", "-wal", "-shm")  # a database in WAL mode is up to three files
PAGE = 4096  # bytes
WAL_MODE = b"\2\2"


def reading(path: Path) -> sqlite3.Connection:
    """Open a database so that not a byte of it is changed."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """Give a database in which rows can be looked for: a copy of this one with a new first page.

    The first page, which tells the tables, is alike in all databases of a schema but for counts.
    """
    if not _has_whole_pages(path):
        yield path
        return
    with TemporaryDirectory(dir=memory_folder()) as folder:
        copy = copied(path, Path(folder))
        with copy.open("r+b") as file:
            file.write(_first_page(path.stat().st_size))
        yield copy


def copied(path: Path, folder: Path) -> Path:
    """Copy a database with its log and its count into a folder; return the copy's path."""
    copy = folder / path.name
    for part in PARTS[:2]:
        if Path(f"{path}{part}").exists():
            copyfile(f"{path}{part}", f"{copy}{part}")
    if path.with_suffix(".count").exists():
        copyfile(path.with_suffix(".count"), copy.with_suffix(".count"))
    return copy


def memory_folder() -> str | None:
    """Return a folder in memory for what is thrown away, None where the system has none."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def lying(path: Path) -> Counted | None:
    """Return the newest game that has rows in a database, and how many; None if none is found."""
    query = "SELECT game, count(*) FROM rows WHERE game = (SELECT max(game) FROM rows)"
    with suppress(sqlite3.Error, ValueError), closing(_looking(path)) as connection:
        game, rows = connection.execute(query).fetchone()
        return Counted(game, rows) if game else None
    return None


def sound_games(path: Path, newest: int) -> list[Kept]:
    """Return of each game up to `newest` what can still be read and is as it was recorded."""
    games = []
    with suppress(sqlite3.Error, ValueError), closing(_looking(path)) as connection:
        for game in range(1, newest + 1):
            links = tuple(unbroken(_readable(links_of(connection, game, _query(connection)))))
            if links:
                games.append(Kept(game, links, *_ended(connection, game)))
    return games


def sound_settings(path: Path) -> dict[str, str]:
    """Return the settings that can still be read."""
    with suppress(sqlite3.Error, ValueError), closing(_looking(path)) as connection:
        return settings_of(connection)
    return {}


def old_games(connection: sqlite3.Connection, schema: int) -> Iterator[Kept]:
    """Yield the games of a database of an older schema; Damage where a row is not as recorded.

    The rows of schema 1 have no chain and are chained as they lie there.
    """
    of_game = _chained if schema == 1 else partial(whole, query=ROWS_OF[max(schema, 3)])
    for game, ended in connection.execute("SELECT id, ended FROM games ORDER BY id").fetchall():
        if links := of_game(connection, game):
            yield Kept(game, links, ended)


def _chained(connection: sqlite3.Connection, game: int) -> tuple[Link, ...]:
    links: list[Link] = []
    for one in links_of(connection, game, ROWS_OF_SCHEMA_1):
        links.append(link(links[-1].chain if links else "", one.n, one.at, one.row))
    return tuple(links)


def replace(
    path: Path, games: Iterable[Kept], settings: Mapping[str, str], why: str, kept_as: str
) -> Path:
    """Put a new database with all this in the place of the old; return what that is now.

    why: what is told where it can't be done. kept_as: is in the old one's new name.
    """
    try:
        new = _made(path, games, settings)
        aside = _unused_name(path, kept_as)
        parts = [part for part in PARTS if Path(f"{path}{part}").exists()]
        for part in parts:
            os.link(f"{path}{part}", f"{aside}{part}")
        sync(path.parent)
        for part in parts[::-1]:  # the log first: it must never lie beside the new one
            if part:
                os.unlink(f"{path}{part}")  # noqa: PTH108
        new.replace(path)
        sync(path.parent)
    except OSError as error:
        raise JournalError(
            f"{path} can't be continued ({why}) nor kept aside ({error.strerror}): move it away"
        ) from error
    except sqlite3.Error as error:
        raise refused(path, f"continued ({why}) nor written anew", error) from error
    return aside


def fold_in(path: Path) -> None:
    """Make one file of a database, unless its log holds more than SQLite would take from it."""
    log = Path(f"{path}-wal")
    with suppress(OSError, sqlite3.Error):  # then it stays three files
        if log.exists() and log.stat().st_size != _taken(path):
            return
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _taken(path: Path) -> int:
    """How many bytes of a log SQLite takes, seen in a copy (fileformat2, 4.1)."""
    with TemporaryDirectory(dir=memory_folder()) as folder:
        copy = copied(path, Path(folder))
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            [size] = connection.execute("PRAGMA page_size").fetchone()
            _, frames, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return 32 + frames * (24 + int(size)) if frames > 0 else 0


def _looking(path: Path) -> sqlite3.Connection:
    """Open a database if there is any: SQLite would delete a log that lies beside an empty one."""
    if not path.exists() or path.stat().st_size == 0:
        raise sqlite3.OperationalError("no database")
    return reading(path)


def _has_whole_pages(path: Path) -> bool:
    return path.exists() and path.stat().st_size > PAGE and path.stat().st_size % PAGE == 0


def _first_page(size: int) -> bytes:
    """Return the first page of a database of so many bytes (fileformat2, 1.3: the header).

    A table whose page is beyond them would make all of it malformed.
    """
    ours = _serialized(CREATE)
    page = bytearray((ours if len(ours) <= size else _serialized(WITHOUT_SETTINGS))[:PAGE])
    page[18:20] = WAL_MODE
    page[28:32] = (size // PAGE).to_bytes(4)
    page[92:96] = page[24:28]  # the size is valid for this change
    return bytes(page)


def _serialized(create: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(create)
        return connection.serialize()


def _made(path: Path, games: Iterable[Kept], settings: Mapping[str, str]) -> Path:
    """Write a whole new database beside the old one."""
    new = path.with_name(f"{path.name}.new")
    for part in PARTS:
        Path(f"{new}{part}").unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(CREATE)
        connection.execute("BEGIN")
        for game in games:
            write_game(connection, game)
        connection.executemany(PUT, settings.items())
        connection.execute("COMMIT")
    return new


def _readable(links: Iterator[Link]) -> Iterator[Link]:
    """Yield rows until one can't be read."""
    with suppress(sqlite3.Error, ValueError):
        yield from links


def _query(connection: sqlite3.Connection) -> str:
    """Return what asks for a game's rows, in a database that may be of a schema before."""
    columns = connection.execute("SELECT name FROM pragma_table_info('rows')").fetchall()
    return ROWS_OF[5 if ("hint",) in columns else 4 if ("by",) in columns else 3]


def _ended(connection: sqlite3.Connection, game: int) -> tuple[str | None, str | None]:
    """Return when a game has ended, and who plays it, as far as that can be read."""
    for what in ("ended, names", "ended, NULL"):
        with suppress(sqlite3.Error, ValueError):
            query = f"SELECT {what} FROM games WHERE id = ?"
            ended, names = connection.execute(query, (game,)).fetchone() or (None, None)
            return ended, names
    return None, None


def _unused_name(path: Path, kept_as: str) -> Path:
    names = chain([kept_as], (f"{kept_as}-{n}" for n in range(2, 1_000_000)))
    asides = (path.with_name(f"{path.stem}.{name}{path.suffix}") for name in names)
    return next(a for a in asides if not any(Path(f"{a}{part}").exists() for part in PARTS))


def sync(folder: Path) -> None:
    """Have the names in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
