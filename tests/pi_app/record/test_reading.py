"""A journal read where it is: beside a table that writes it, and without a trace."""

from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from sqlite3 import Connection

import pytest

from pi_app.model.history import Row
from pi_app.record.log import committed_pages
from pi_app.record.reading import JournalReader
from pi_app.record.schema import connect, rows_of, sound_part, whole_game
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import commit, opened, write

GAME = tuple(islice(rows_of_a_game(2), 120))
# More than SQLite puts on one page: the rest of this row is on pages of its own.
LONG = replace(GAME[0], by=9000 * "x")


def read_rows(path: Path, game: int) -> tuple[Row, ...]:
    with closing(JournalReader(path)) as reader:
        return tuple(rows_of(reader.read(lambda found: whole_game(found, game), game).links))


@pytest.mark.parametrize("seed", range(2))
def test_each_row_is_read_as_soon_as_it_is_committed(path: Path, seed: int) -> None:
    write(path, GAME, GAME[:50])
    rng, journal, at = Random(seed), opened(path), 0
    before = {file.name for file in path.parent.iterdir()}
    while at < len(GAME):
        upto = at + rng.randint(1, 9)
        commit(journal, GAME[at:upto], at=1.0)
        journal.settle(turn_over=rng.random() < 0.1)
        at = upto
        assert read_rows(path, 3) == GAME[:at]
    assert read_rows(path, 2) == GAME[:50]
    assert {file.name for file in path.parent.iterdir()} == before
    journal.close()


def test_a_reader_is_not_held_up_by_commits_but_reads_what_is_moved_into_the_database(
    path: Path,
) -> None:
    write(path, GAME)
    journal = opened(path)
    commit(journal, GAME[:3], at=1.0)
    with closing(JournalReader(path)) as reader:

        def read(settle: bool) -> int:
            """Read while a table commits, and count the tries."""
            tries = 0

            def work(found: Connection) -> None:
                nonlocal tries
                tries += 1
                if tries == 1:
                    commit(journal, GAME[3:4], at=1.0)
                    journal.settle(turn_over=settle)
                whole_game(found, 2)

            reader.read(work, 2)
            return tries

        assert [read(settle=False), read(settle=True)] == [1, 2]
    journal.close()


def test_a_row_that_is_longer_than_a_page_is_read_from_the_log(path: Path) -> None:
    write(path, GAME)
    journal = opened(path)
    commit(journal, [LONG, *GAME[1:3]], at=None)
    assert len(log_of(path)) > 9000
    assert read_rows(path, 2) == (LONG, *GAME[1:3])
    journal.close()


def test_a_log_of_which_bytes_are_missing_or_changed_is_read_as_sqlite_reads_it(path: Path) -> None:
    write(path, GAME)
    journal, rng = opened(path), Random(7)
    for row in GAME[:12]:
        commit(journal, [row], at=1.0)
    database, log = path.read_bytes(), log_of(path)
    journal.close()
    ends = set()
    for turn in range(60):
        harmed = bytearray(log[: rng.randrange(len(log))] if turn % 2 else log)
        if not turn % 2:
            harmed[rng.randrange(len(harmed))] ^= 1 << rng.randrange(8)
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(database)
        Path(f"{path}-wal").write_bytes(harmed)
        with closing(JournalReader(path)) as reader:
            read = reader.read(lambda found: sound_part(found, 2), 2)
        with closing(connect(path)) as connection:
            assert read.links == sound_part(connection, 2).links
        ends.add(len(read.links))
    assert len(ends) > 5


def log_of(path: Path) -> bytes:
    return Path(f"{path}-wal").read_bytes()


def test_a_log_of_another_program_has_no_pages() -> None:
    assert committed_pages(b"") == committed_pages(bytes(32)) == {}


def test_a_journal_that_is_replaced_is_read_anew(path: Path) -> None:
    write(path, GAME[:9])
    older = path.read_bytes()
    write(path, GAME[:5])
    with closing(JournalReader(path)) as reader:
        assert reader.numbers() == [1, 2]
        path.with_name("older").write_bytes(older)
        path.with_name("older").replace(path)
        assert reader.numbers() == [1]
