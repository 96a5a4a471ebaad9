"""Journals of other versions: one is moved to ours, older ones are set aside, newer ones left."""

import sqlite3
from pathlib import Path

import pytest

from pi_app import __version__
from pi_app.record.journal import OpenedJournal, load
from pi_app.record.schema import chain_row, row_text
from pi_app.record.trouble import JournalError
from pi_app.rows.history import Row, fold
from tests.pi_app.record.journals import (
    GAME,
    OTHER,
    START,
    change,
    found_in,
    opened,
    reloaded,
    table,
    write,
)
from tests.pi_app.rows.texts import recorded

SCHEMA_5 = """
PRAGMA user_version = 5;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('schema', '5'), ('made by', '0.1');
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    ruleset TEXT NOT NULL,
    seats TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    names TEXT
) STRICT;
CREATE TABLE rows (
    game INTEGER NOT NULL REFERENCES games,
    n INTEGER NOT NULL,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    position TEXT NOT NULL,
    source TEXT,
    boot TEXT,
    chamber_n INTEGER,
    chain TEXT NOT NULL,
    by TEXT,
    hint TEXT,
    played INTEGER,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chamber_events ON rows (boot, chamber_n) WHERE boot IS NOT NULL;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO settings VALUES ('brightness', 'low');
"""
THEN = "2026-01-01T00:00:00.000+00:00"
NAMES = '{"A": "LUC red"}'


def write_schema_5(path: Path, *games: tuple[Row, ...], played: int | None = 0) -> None:
    """Write a journal as the version before did, its last rows in its log, as a kill leaves it.

    played: of all rows; None as in those that were made by a version before that one.
    """
    path.parent.mkdir()
    killed = path.with_name("killed.db")
    connection = sqlite3.connect(killed, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA_5)
    for number, rows in enumerate(games, 1):
        ended = "later" if number == 1 else None
        head = (number, "", "", THEN, ended, NAMES)
        connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", head)
        if number == len(games):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = ""
        for n, row in enumerate(rows, 1):
            one = chain_row(before, n, THEN, row_text(row), played)
            before = one.chain
            said = (str(row.entry), row.position, row.source, row.boot, row.n)
            values = (number, n, THEN, *said, one.chain, row.by, row.hint, played)
            connection.execute(f"INSERT INTO rows VALUES ({', '.join('?' * 12)})", values)
    for part in ("", "-wal"):
        Path(f"{path}{part}").write_bytes(Path(f"{killed}{part}").read_bytes())
    connection.close()
    killed.unlink()


@pytest.mark.parametrize("played", [0, None])
def test_a_journal_of_schema_5_goes_on_whole_and_the_old_file_is_kept(
    path: Path, played: int | None
) -> None:
    write_schema_5(path, OTHER[:3], GAME, played=played)
    before = {part: Path(f"{path}{part}").read_bytes() for part in ("", "-wal")}
    assert before["-wal"]
    assert found_in(path) == (GAME, OpenedJournal(fold(GAME)))
    for part, data in before.items():
        assert path.with_name(f"journal.schema-5.db{part}").read_bytes() == data
    heads = table(path, "SELECT id, ended, names, damage FROM games")
    assert heads == [(1, "later", NAMES, None), (2, None, NAMES, None)]
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 3), (2, 5)]
    assert opened_settings(path) == {"brightness": "low"}
    end = recorded("end", START, by="B", hint="step")
    write(path, (end,))
    assert reloaded(path) == ((*GAME, end), None)


def opened_settings(path: Path) -> dict[str, str]:
    journal = opened(path)
    journal.close()
    return journal.settings()


def test_an_old_game_of_schema_5_with_a_changed_row_goes_on_as_far_as_it_is_sound(
    path: Path,
) -> None:
    write_schema_5(path, OTHER, GAME)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 1 AND n = 4")
    assert found_in(path) == (GAME, OpenedJournal(fold(GAME)))
    assert table(path, "SELECT id, damage FROM games") == [
        (1, "row 4 of game 1 is not as it was recorded"),
        (2, None),
    ]
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 3), (2, 5)]


def test_the_newest_game_of_schema_5_with_a_changed_row_is_set_aside(path: Path) -> None:
    write_schema_5(path, OTHER, GAME)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 2 AND n = 4")
    rows, found = found_in(path)
    assert (rows, found.missing, found.aside) == (GAME[:3], 2, "journal.aside.db")
    assert "row 4 of game 2 is not as it was recorded" in (found.warning or "")
    assert table(path, "SELECT names FROM games") == [(NAMES,), (NAMES,)]


@pytest.mark.parametrize("schema", [1, 2, 3, 4])
def test_a_journal_of_a_schema_before_is_set_aside_whole(path: Path, schema: int) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    change(path, f"INSERT INTO meta VALUES ('schema', '{schema}')")
    change(path, f"PRAGMA user_version = {schema if schema > 1 else 0}")
    change(path, "CREATE TABLE rows (game INTEGER, n INTEGER, action TEXT)")
    change(path, "INSERT INTO rows VALUES (1, 1, 'throw 1 2')")
    before = path.read_bytes()
    rows, found = found_in(path)
    assert rows is None
    assert found.warning == (
        f"{path} can't be continued (it has schema {schema}, too old for this version): "
        "kept whole as journal.aside.db, a new one is begun"
    )
    assert path.with_name("journal.aside.db").read_bytes() == before


def test_a_journal_of_a_newer_version_is_left_alone(path: Path) -> None:
    write(path, GAME)
    change(path, "PRAGMA user_version = 7")
    change(path, "UPDATE meta SET value = '7' WHERE key = 'schema'")
    change(path, "UPDATE meta SET value = '8.1' WHERE key = 'made by'")
    before = path.read_bytes()
    with pytest.raises(JournalError) as raised:
        load(path)
    assert str(raised.value) == (
        f"{path} was made by version 8.1 (schema 7), this is version {__version__} (schema 6): "
        "install 8.1 or a later one, or name another folder"
    )
    assert path.read_bytes() == before
