"""A start that replaces a damaged journal, killed at each of its system calls."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from pi_app.model.history import Row
from pi_app.record.count import NOTHING, read_count
from pi_app.record.journal import load
from tests.asked import extent
from tests.pi_app.record.journals import GAME, NEW, OTHER, change, commit, last_game, opened, write
from tests.pi_app.record.test_journal_damage import damaged_header
from tests.pi_app.record.test_journal_schemas import write_older_journal
from tests.strace import calls_of, kill_at

pytestmark = [pytest.mark.kill, pytest.mark.slow]

START = (
    "import sys; from pathlib import Path; from pi_app.record.journal import load; "
    "print(flush=True); journal, found = load(Path(sys.argv[1])); journal.close()"
)


def start(path: Path) -> tuple[str, ...]:
    """Return the arguments with which Python starts a table's journal."""
    return ("-c", START, str(path))


def row_changed(path: Path) -> None:
    """Two rows of a game in the database, and three in the log, the second of which is wrong."""
    whole = path.with_name("whole")
    write(whole / "journal.db", OTHER[:3], GAME[:2])
    journal = opened(whole / "journal.db")
    commit(journal, GAME[2:], at=9.0)
    journal.settle(turn_over=False)
    with closing(sqlite3.connect(whole / "journal.db")) as connection:
        connection.execute("UPDATE rows SET action = 'throw 1 3' WHERE game = 2 AND n = 4")
        connection.commit()
    shutil.copytree(whole, path.parent, dirs_exist_ok=True)
    journal.close()
    shutil.rmtree(whole)


def of_the_schema_before(path: Path) -> None:
    path.parent.rmdir()
    write_older_journal(path, OTHER[:3], GAME)


def without_a_log(path: Path) -> None:
    write(path, OTHER[:3], GAME)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 2 AND n = 4")


def unreadable(path: Path) -> None:
    row_changed(path)
    log = Path(f"{path}-wal")
    log.write_bytes(b"no log at all" + log.read_bytes()[13:])
    damaged_header(path)


def nothing_yet(path: Path) -> None:
    assert not path.exists()


def put_back(path: Path) -> None:
    """A copy by `referee backup`, which has no log."""
    write(path, OTHER[:3], GAME)
    change(path, "PRAGMA journal_mode = DELETE")
    path.with_suffix(".count").unlink()


# How many rows of the newest game go on, how many can be read before, and whether it is replaced.
CASES: dict[Callable[[Path], None], tuple[int, int, bool]] = {
    row_changed: (3, 5, True),
    of_the_schema_before: (5, 5, True),
    without_a_log: (3, 5, True),
    unreadable: (0, 0, True),
    put_back: (5, 5, False),
    nothing_yet: (0, 0, False),
}


@pytest.mark.soak
@pytest.mark.parametrize("lay_out", CASES, ids=lambda case: case.__name__)
def test_a_start_killed_at_any_system_call_is_made_again(
    tmp_path: Path, lay_out: Callable[[Path], None]
) -> None:
    sound, there, is_replaced = CASES[lay_out]
    first = tmp_path / "first"
    first.mkdir()
    lay_out(first / "journal.db")
    shutil.copytree(first, tmp_path / "traced")
    traced = tmp_path / "traced" / "journal.db"
    lines = calls_of(start(traced), tmp_path / "log", lambda line: str(traced.parent) in line)
    calls = [call for call, _ in lines]
    assert "fsync" in {name for name, _ in calls} or lay_out is put_back
    for name, n in Random(1).sample(calls, min(extent(2, soak=25), len(calls))):
        killed = tmp_path / f"{name}-{n}" / "journal.db"
        shutil.copytree(first, killed.parent)
        kill_at((name, n), start(killed))
        if killed.exists():
            assert readable(killed) in (there, sound), (name, n)
        see_start(killed, GAME[:sound])
        assert not is_replaced or any(map(kept_whole, killed.parent.glob("journal.*.db")))


def readable(path: Path) -> int:
    """Return how many rows of the newest game are found by who only looks."""
    with TemporaryDirectory() as folder:
        shutil.copytree(
            path.parent, folder, ignore=shutil.ignore_patterns("*-shm"), dirs_exist_ok=True
        )
        try:
            with closing(sqlite3.connect(Path(folder) / path.name)) as connection:
                query = "SELECT count(*) FROM rows WHERE game = 2"
                return int(connection.execute(query).fetchone()[0])
        except sqlite3.DatabaseError:
            return 0


def see_start(path: Path, rows: tuple[Row, ...]) -> None:
    """See that the next start goes on, and tells what is missing."""
    counted = read_count(path)
    journal, found = load(path)
    assert last_game(path) == rows
    assert found.missing == (counted.rows - len(rows) if counted != NOTHING else 0)
    commit(journal, (NEW,), at=9.0)
    journal.close()


def kept_whole(aside: Path) -> bool:
    return readable(aside) == len(GAME) or b"dear diary" in aside.read_bytes()
