"""Journals for tests: what is written into them, how they are opened, changed and looked into."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from pi_app.model.history import Row, fold
from pi_app.record.journal import Commit, Journal, OpenedJournal, Puts, load
from pi_app.record.schema import (
    StoredGame,
    StoredRow,
    chain_row,
    connect,
    connect_read_only,
    newest_game,
    rows_of,
    write_game,
)
from tests.pi_app.model.texts import recorded

START = "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"
NEW = recorded('new "royal-2023" seats 0,1,2,3', START)
GAME = (  # who begins: A throws 6 6, the others less
    NEW,
    recorded("throw 6 6", START, "kernel"),
    recorded("throw 1 2", START, "chamber", "b00t", 1),
    recorded("throw 1 2", START, "typed"),
    recorded("throw 1 2", START, "kernel"),
)
OTHER = tuple(Row(row.entry, row.position, row.source) for row in GAME)  # without the chamber


def opened(path: Path) -> Journal:
    return load(path)[0]


def commit(
    journal: Journal,
    rows: Iterable[Row],
    at: float | None,
    over: bool = False,
    puts: Puts = (),
    t: float = 0.0,
) -> None:
    """Commit what one press confirms: the fields of a `Commit`."""
    journal.append(Commit(tuple(rows), at, over, puts, t))


def write(path: Path, *commits: tuple[Row, ...]) -> None:
    journal = opened(path)
    for at, rows in enumerate(commits):
        commit(journal, rows, at=float(at))
    journal.close()


def write_in_text(path: Path, *rows: StoredRow) -> None:
    """Write a game whose rows are sound as a database has them, whatever they say."""
    opened(path).close()
    with closing(connect(path)) as connection:
        write_game(connection, StoredGame(1, chained(rows)))


def chained(rows: Iterable[StoredRow]) -> tuple[StoredRow, ...]:
    """Return the rows of a game with their numbers and checksums."""
    links: list[StoredRow] = []
    for n, row in enumerate(rows, 1):
        links.append(chain_row(links[-1].chain if links else "", row._replace(n=n)))
    return tuple(links)


def reloaded(path: Path) -> tuple[tuple[Row, ...] | None, str | None]:
    rows, found = found_in(path)
    return rows, found.warning


def found_in(path: Path) -> tuple[tuple[Row, ...] | None, OpenedJournal]:
    """Return the newest game's rows in the journal that was opened, and what was found."""
    journal, found = load(path)
    rows = last_game(path) or None
    assert found.record == (None if rows is None else fold(rows))
    journal.close()
    return rows, found


def last_game(path: Path) -> tuple[Row, ...]:
    """Return the rows that a journal has of its newest game, also while it is open."""
    with closing(connect_read_only(path)) as connection:
        game = newest_game(connection)
    return tuple(rows_of(game.links))


def files(path: Path) -> dict[str, bytes]:
    """The folder's databases and logs; the -shm is rebuilt by SQLite on reading."""
    return {
        file.name: file.read_bytes()
        for file in path.parent.iterdir()
        if not file.name.endswith((".lock", "-shm", ".count"))
    }


def table(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
