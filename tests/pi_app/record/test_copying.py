"""A journal's copy: right at one moment, by whoever may read, and nothing is left beside it."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from pi_app.model.history import Row, fold
from pi_app.record.copying import JournalSize, copy_journal, forget_players, restore_journal
from pi_app.record.journal import load
from pi_app.record.trouble import JournalError
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import commit, last_game
from tests.pi_app.record.test_journal_schemas import write_older_journal
from tests.pi_app.stranger import state

ROOT = Path(__file__).parents[3]
WRITER = Path(__file__).with_name("journal_writer.py")
ROWS = tuple(islice(rows_of_a_game(3), 60))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "journal.db"


def rows_in(database: Path) -> tuple[Row, ...]:
    """Return the newest game's rows as a table that starts with this copy has them."""
    journal, found = load(database)
    rows = last_game(database)
    journal.close()
    assert (found.aside, found.missing) == ("", 0)
    assert found.record == (fold(rows) if rows else None)
    return rows


def kept(path: Path, folder: Path) -> tuple[tuple[Row, ...], JournalSize]:
    before = state(path.parent)
    with copy_journal(path) as (copy, held):
        assert [file.name for file in copy.parent.iterdir()] == ["journal.db"]
        folder.mkdir()
        shutil.copy(copy, folder)
    assert state(path.parent) == before
    return rows_in(folder / "journal.db"), held


def test_a_closed_journal_is_copied(path: Path, tmp_path: Path) -> None:
    journal, _ = load(path)
    commit(journal, ROWS, at=0.0)
    journal.close()
    assert kept(path, tmp_path / "copy") == (ROWS, JournalSize(1, 60))


@pytest.mark.parametrize("has_settings", [False, True])
def test_a_backup_is_restored_where_there_is_no_game_and_nowhere_else(
    path: Path, tmp_path: Path, has_settings: bool
) -> None:
    backup = tmp_path / "backup" / "journal.db"
    journal, _ = load(backup)
    commit(journal, ROWS, at=0.0)
    journal.close()
    if has_settings:
        empty, _ = load(path)
        commit(empty, (), 0.0, puts=(("brightness", "low"),))
        empty.close()
    path.parent.mkdir(exist_ok=True)
    before = state(path.parent)
    assert restore_journal(backup, path, dry_run=True) == JournalSize(1, 60)
    assert state(path.parent) == before
    assert restore_journal(backup, path) == JournalSize(1, 60)
    assert rows_in(path) == ROWS
    before = state(path.parent)
    with pytest.raises(JournalError, match="has games: they are never replaced"):
        restore_journal(backup, path)
    assert state(path.parent) == before


def test_a_backup_that_is_damaged_or_of_a_later_version_replaces_nothing(
    path: Path, tmp_path: Path
) -> None:
    load(path)[0].close()
    backup = tmp_path / "backup" / "journal.db"
    load(backup)[0].close()
    before = state(path.parent)
    with closing(sqlite3.connect(backup)) as later:
        later.execute("PRAGMA user_version = 99")
        later.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        later.commit()
    with pytest.raises(JournalError, match="is of a later version"):
        restore_journal(backup, path)
    backup.write_bytes(b"SQLite format 3" + bytes(5000))
    with pytest.raises(JournalError, match="is damaged"):
        restore_journal(backup, path)
    assert state(path.parent) == before


def test_one_that_is_open_is_copied_with_the_rows_that_are_only_in_its_log(
    path: Path, tmp_path: Path
) -> None:
    journal, _ = load(path)
    for n, row in enumerate(ROWS):
        commit(journal, (row,), at=float(n))
        journal.settle(turn_over=n == 30)
    assert kept(path, tmp_path / "copy") == (ROWS, JournalSize(1, 60))
    commit(journal, islice(rows_of_a_game(3), 60, 61), at=99.0)  # nobody was held up
    journal.close()
    assert len(rows_in(path)) == 61


def test_a_crashed_one_is_copied_with_its_log_and_without_its_shm(
    path: Path, tmp_path: Path
) -> None:
    journal, _ = load(path)
    commit(journal, ROWS, at=0.0)
    for part in ("", "-wal"):
        crashed = tmp_path / "crashed" / f"journal.db{part}"
        crashed.parent.mkdir(exist_ok=True)
        shutil.copy(f"{path}{part}", crashed)
    journal.close()
    assert kept(tmp_path / "crashed" / "journal.db", tmp_path / "copy") == (
        ROWS,
        JournalSize(1, 60),
    )


def test_a_row_half_written_is_not_in_the_copy(path: Path, tmp_path: Path) -> None:
    journal, _ = load(path)
    commit(journal, ROWS[:30], at=0.0)
    commit(journal, ROWS[30:], at=1.0)
    half = tmp_path / "half"
    shutil.copytree(path.parent, half)
    journal.close()
    log = half / "journal.db-wal"
    os.truncate(log, log.stat().st_size - 5000)
    (half / "journal.count").unlink()
    with copy_journal(half / "journal.db") as (copy, held):
        assert held == JournalSize(1, 30)
        assert rows_in(copy) == ROWS[:30]


@pytest.mark.kill
def test_what_a_writer_said_was_confirmed_is_in_a_copy_made_after_it(path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, WRITER, path, "3", "1000000"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert writer.stdout is not None
    try:
        for n in range(10):
            said = int(list(islice(writer.stdout, 7))[-1])
            with copy_journal(path) as (copy, held):
                assert said <= held.rows, n
                rows = rows_in(copy)
                assert rows == tuple(islice(rows_of_a_game(3), held.rows))
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.communicate()


def test_what_is_not_there_or_is_damaged_is_one_sentence(path: Path) -> None:
    with (
        pytest.raises(JournalError, match=r"journal\.db is not there: play first, or name"),
        copy_journal(path),
    ):
        pass
    path.parent.mkdir()
    path.write_text("a shopping list\n" * 300)
    with (
        pytest.raises(JournalError, match=r"is damaged \(file is not a database\): "),
        copy_journal(path),
    ):
        pass
    path.write_bytes(b"")
    with (
        pytest.raises(JournalError, match=r"is damaged \(no such table: games\): "),
        copy_journal(path),
    ):
        pass


def test_names_that_are_forgotten_are_in_no_byte_of_the_copy(path: Path) -> None:
    journal, _ = load(path)
    commit(journal, ROWS, at=0.0)
    commit(journal, (), 0.0, puts=(("player.A", "Wilhelmina"), ("evening", "Engelbert:1/1")))
    commit(
        journal, (), 0.0, puts=(("player.A", "Bartholomew"),)
    )  # the name before lies in a free place
    for n in range(200):
        commit(journal, (), 0.0, puts=((f"player.{n}", f"Rumpelstilzchen {n}"),))
    commit(journal, (), 0.0, puts=(("brightness", "3"),))
    commit(journal, ROWS, at=1.0)
    with copy_journal(path) as (copy, _):
        assert copy.read_bytes().count(b"Bartholomew") > 1  # a game was played under it
        forget_players(copy)
        data = copy.read_bytes()
        assert [
            name
            for name in (b"Wilhel", b"Engelb", b"Barthol", b"Rumpel", b"player.")
            if name in data
        ] == []
        assert rows_in(copy) == ROWS
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT * FROM settings").fetchall() == [("brightness", "3")]
    journal.close()


def test_names_are_only_taken_out_of_a_journal_of_this_version(path: Path) -> None:
    write_older_journal(path, ROWS)
    said = r"^journal\.db is of another version: start the table first$"
    with copy_journal(path) as (copy, _), pytest.raises(JournalError, match=said):
        forget_players(copy)
