"""A look at the journal's disk: written, read back, nothing left; the game goes on meanwhile."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pi_app.model.history import start_row
from pi_app.record.disk import probe
from pi_app.record.journal import FILE, Journal, load
from rules.history import new_record
from rules.ruleset import PRESETS
from tests.pi_app.record.journals import commit, last_game

GAME = start_row(new_record(PRESETS["royal-2023"], (0, 2)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE


@pytest.fixture
def journal(path: Path) -> Journal:
    journal, _ = load(path)
    commit(journal, (GAME,), 0.0)
    return journal


def test_a_journal_that_a_table_has_open_is_written_and_left_as_it_was(
    path: Path, journal: Journal
) -> None:
    commit(journal, (), 0.0, puts=(("player.red", "ANN"),))
    assert probe(path) is None
    assert probe(path) is None
    commit(journal, (), 0.0, puts=(("player.blue", "BOB"),))
    journal.close()
    again, found = load(path)
    assert (again.settings(), last_game(path)) == (
        {"player.red": "ANN", "player.blue": "BOB"},
        (GAME,),
    )
    assert found.warning is None
    again.close()


def test_one_that_is_not_there_is_not_made(path: Path) -> None:
    assert probe(path) == "disk-gone"
    assert not path.exists()


def test_one_that_somebody_holds_for_longer_is_busy(path: Path, journal: Journal) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert probe(path) == "disk-busy"
    assert probe(path) is None
    journal.close()


def test_one_that_is_none_is_told(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 100)
    assert probe(path) == "no-access"
