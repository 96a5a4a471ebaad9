"""The journal: what was confirmed is there again, whatever happened to process or file."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from pi_app.record.history import Row, fold
from pi_app.record.journal import Journal, JournalError, load
from tests.pi_app.record.journal_writer import rows_of_a_game

WRITER = Path(__file__).with_name("journal_writer.py")
ROOT = Path(__file__).parents[3]
START = "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"
NEW = Row('new "royal-2023" seats 0,1,2,3', START)
GAME = (  # who begins: A throws 6 6, the others less
    NEW,
    Row("throw 6 6", START, "kernel"),
    Row("throw 1 2", START, "chamber", "b00t", 1),
    Row("throw 1 2", START, "typed"),
    Row("throw 1 2", START, "kernel"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "journal.db"


def write(path: Path, *commits: tuple[Row, ...]) -> None:
    journal = Journal.open(path)
    for at, rows in enumerate(commits):
        journal.append(rows, at=float(at))
    journal.close()


def reloaded(path: Path) -> tuple[tuple[Row, ...] | None, str | None]:
    journal, record, message = load(path)
    rows = journal.last_game()
    assert record == (None if rows is None else fold(rows))
    journal.close()
    return rows, message


def files(path: Path) -> dict[str, bytes]:
    """The folder's files but the lock and the -shm, which SQLite rebuilds on reading."""
    return {
        file.name: file.read_bytes()
        for file in path.parent.iterdir()
        if not file.name.endswith((".lock", "-shm"))
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


def writer(path: Path, seed: int, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, WRITER, path, str(seed), str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )


# What is kept.


def test_a_new_journal_has_no_game(path: Path) -> None:
    assert reloaded(path) == (None, None)
    assert reloaded(path) == (None, None)


def test_rows_come_back_as_they_were_recorded(path: Path) -> None:
    write(path, GAME[:1], GAME[1:4], GAME[4:])
    assert reloaded(path) == (GAME, None)


def test_the_newest_game_is_the_one_that_comes_back(path: Path) -> None:
    write(path, GAME, (NEW,))
    assert reloaded(path) == ((NEW,), None)
    write(path, GAME[1:2])
    assert reloaded(path) == (GAME[:2], None)
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 5), (2, 2)]


def test_a_game_keeps_its_rule_set_seats_and_times(path: Path) -> None:
    journal = Journal.open(path)
    journal.append((NEW,), at=1763600000.5)
    journal.append((Row("end", START),), at=1763600060.0, over=True)
    journal.close()
    assert table(path, "SELECT * FROM games") == [
        (
            1,
            '"royal-2023"',
            "0,1,2,3",
            "2025-11-20T00:53:20.500+00:00",
            "2025-11-20T00:54:20.000+00:00",
        )
    ]


def test_a_game_that_is_over_comes_back_and_undo_opens_it_again(path: Path) -> None:
    journal = Journal.open(path)
    journal.append((*GAME, Row("end", START)), at=1.0, over=True)
    journal.close()
    rows, _ = reloaded(path)
    assert rows is not None
    assert rows[-1].action == "end"
    journal = Journal.open(path)
    journal.append((Row("undo", START),), at=2.0)
    journal.close()
    assert table(path, "SELECT ended FROM games") == [(None,)]
    assert reloaded(path) == ((*GAME, Row("end", START), Row("undo", START)), None)


def test_an_event_of_the_chamber_is_known_again_and_recorded_once(path: Path) -> None:
    write(path, GAME)
    journal = Journal.open(path)
    assert journal.seen("b00t", 1)
    assert not journal.seen("b00t", 2)
    assert not journal.seen("0ther", 1)
    with pytest.raises(JournalError, match="UNIQUE constraint failed"):
        journal.append((GAME[1], GAME[2]), at=9.0)
    assert journal.last_game() == GAME
    journal.append((Row("end", START),), at=10.0)
    journal.close()
    assert table(path, "SELECT max(n) FROM rows") == [(6,)]


def test_the_disk_has_each_commit_before_the_next_line_runs(path: Path) -> None:
    journal = Journal.open(path)
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2)):
        assert journal._connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    journal.close()


@pytest.mark.parametrize("seed", range(20))
def test_a_log_torn_at_any_byte_tells_the_game_up_to_there(path: Path, seed: int) -> None:
    rows = tuple(islice(rows_of_a_game(seed), 40))
    journal = Journal.open(path)
    for at, row in enumerate(rows):
        journal.append((row,), at=float(at))
    torn = path.parents[1] / "torn" / "journal.db"
    shutil.copytree(path.parent, torn.parent)
    journal.close()
    log = Path(f"{torn}-wal")
    size = random.Random(seed).randint(0, log.stat().st_size)
    os.truncate(log, size)
    told, message = reloaded(torn)
    assert message is None
    assert (told or ()) == rows[: len(told or ())]
    assert len(told or ()) > 0 or size < 12 * 4096


# One process a journal.


def test_a_second_process_is_refused_in_one_sentence(path: Path) -> None:
    journal = Journal.open(path)
    said, complaint = writer(path, seed=1, count=1).communicate()
    assert said == ""
    assert "journal.db is in use by another referee (process " in complaint
    with pytest.raises(JournalError) as raised:
        load(path)
    assert str(raised.value).startswith(f"{path} is in use by another referee (process ")
    assert str(raised.value).endswith(
        "holds journal.db.lock): end that one first, or name another folder"
    )
    journal.append((NEW,), at=0.0)
    journal.close()
    assert reloaded(path) == ((NEW,), None)


@pytest.mark.kill
def test_a_process_that_was_killed_holds_nobody_up(path: Path) -> None:
    other = writer(path, seed=1, count=1_000_000)
    assert other.stdout is not None
    assert other.stdout.readline() == "1\n"
    with pytest.raises(JournalError, match=f"process {other.pid} holds journal.db.lock"):
        Journal.open(path)
    other.kill()
    other.communicate()
    Journal.open(path).close()


@pytest.mark.kill
@pytest.mark.parametrize("seed", range(12))
def test_a_killed_writer_loses_nothing_that_it_said_was_confirmed(path: Path, seed: int) -> None:
    confirmed = random.Random(seed).randint(1, 120)
    process = writer(path, seed, count=1_000_000)
    assert process.stdout is not None
    said = [int(line) for line in islice(process.stdout, confirmed)]
    process.send_signal(signal.SIGKILL)
    said += [int(line) for line in process.stdout]
    process.communicate()
    rows, message = reloaded(path)
    assert rows is not None
    assert message is None
    assert 0 <= len(rows) - said[-1] <= 1
    assert rows == tuple(islice(rows_of_a_game(seed), len(rows)))


# Set aside whole.


def damaged_header(path: Path) -> None:
    path.write_bytes(b"dear diary" + path.read_bytes()[10:])


def damaged_page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = data.rindex(b"throw 6 6")
    data[at // 4096 * 4096 : at // 4096 * 4096 + 8] = b"\xff" * 8
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


def no_database(path: Path) -> None:
    path.write_text("a shopping list\n" * 300)


def other_schema(path: Path) -> None:
    change(path, "UPDATE meta SET value = '7'")


def somebody_elses(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE recipes (name TEXT)")


def position_changed(path: Path) -> None:
    change(path, "UPDATE rows SET position = '0,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N' WHERE n = 3")


def action_changed(path: Path) -> None:
    change(path, "UPDATE rows SET action = 'move 3-8(5)' WHERE n = 3")


def first_row_lost(path: Path) -> None:
    change(path, "DELETE FROM rows WHERE n = 1")


DAMAGES: dict[Callable[[Path], None], str] = {
    damaged_header: "file is not a database",
    damaged_page: "btreeInitPage() returns error code 11",
    cut_short: "malformed",
    no_database: "file is not a database",
    other_schema: "it has schema 7, this program knows 1",
    somebody_elses: "no such table: meta",
    position_changed: "its newest game can't be followed: after 'throw 1 2' the rules say",
    action_changed: "its newest game can't be followed: ",
    first_row_lost: "its newest game can't be followed: ",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_database_that_cannot_be_continued_is_set_aside_whole(
    path: Path, damage: Callable[[Path], None]
) -> None:
    write(path, GAME)
    damage(path)
    before = path.read_bytes()
    journal, record, message = load(path)
    assert record is None
    assert message is not None
    assert message.startswith(f"{path} can't be continued (")
    assert DAMAGES[damage] in message
    assert message.endswith("): kept whole as journal.set-aside-1.db, a new one is begun")
    assert path.with_name("journal.set-aside-1.db").read_bytes() == before
    journal.append(GAME, at=0.0)
    journal.close()
    assert reloaded(path) == (GAME, None)


def test_a_log_not_yet_in_the_database_is_set_aside_with_it(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(GAME, at=0.0)
    journal._connection.execute("UPDATE rows SET position = 'nowhere' WHERE n = 5")
    crashed = path.parents[1] / "crashed" / "journal.db"
    shutil.copytree(path.parent, crashed.parent)
    journal.close()
    before = files(crashed)
    assert len(before["journal.db-wal"]) > 0
    assert b"nowhere" not in before["journal.db"]
    _, message = reloaded(crashed)
    assert message is not None
    aside = crashed.with_name("journal.set-aside-1.db")
    assert aside.read_bytes() == before["journal.db"]
    assert Path(f"{aside}-wal").read_bytes() == before["journal.db-wal"]
    assert table(aside, "SELECT position FROM rows WHERE n = 5") == [("nowhere",)]


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_power_cut_while_setting_aside_loses_nothing(path: Path, lost: int) -> None:
    journal = Journal.open(path)
    journal.append(GAME, at=0.0)
    crashed = path.parents[1] / "crashed" / "journal.db"
    shutil.copytree(path.parent, crashed.parent)
    journal.close()
    before = files(crashed)
    parts = ("", "-wal", "-shm")
    for part in parts:
        os.link(f"{crashed}{part}", f"{crashed.with_name('journal.set-aside-1.db')}{part}")
    for part in parts[:lost]:
        Path(f"{crashed}{part}").unlink()
    assert reloaded(crashed) == (None, None)
    after = files(crashed)
    assert after["journal.set-aside-1.db"] == before["journal.db"]
    assert after["journal.set-aside-1.db-wal"] == before["journal.db-wal"]


def test_an_older_one_set_aside_is_never_overwritten(path: Path) -> None:
    for _ in range(3):
        write(path, GAME)
        other_schema(path)
        journal, _, _ = load(path)
        journal.close()
    names = sorted(file.name for file in path.parent.glob("*set-aside-?.db"))
    assert names == [f"journal.set-aside-{n}.db" for n in (1, 2, 3)]
    assert table(path.with_name(names[0]), "SELECT count(*) FROM rows") == [(5,)]


def test_a_journal_left_empty_by_a_crash_is_begun_anew(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    assert reloaded(path) == (None, None)
    path.unlink()
    change(path, "PRAGMA journal_mode = WAL")
    assert reloaded(path) == (None, None)


# What the disk refuses.


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError) as raised:
        load(tmp_path / "file" / "journal.db")
    assert str(raised.value) == (
        f"{tmp_path}/file/journal.db can't be opened (File exists): "
        "name a folder that can be written"
    )


def test_a_folder_in_the_place_of_the_file_is_one_sentence(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(JournalError, match=r"journal\.db is not a file: move it away"):
        load(path)
    assert path.is_dir()


@pytest.fixture
def small_disk() -> Iterator[None]:
    """A process that may not write files beyond 200 kB, as on a full disk."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_is_one_sentence_and_loses_nothing(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(GAME, at=0.0)
    confirmed = len(GAME)

    def append_for_ever() -> None:
        nonlocal confirmed
        while True:
            journal.append((Row("throw 1 2", START, "kernel"),), at=1.0)
            confirmed += 1

    with pytest.raises(JournalError) as raised:
        append_for_ever()
    assert str(raised.value).startswith(f"{path} can't be written (")
    assert str(raised.value).endswith("free some space or make it writable, then confirm again")
    rows = journal.last_game()
    assert rows is not None
    assert len(rows) == confirmed
    journal.close()
