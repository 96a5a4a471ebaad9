"""The journal: what was confirmed is there again, whatever happened to process or file."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from pi_app.model.parts import Fault
from pi_app.record.journal import load
from pi_app.record.trouble import JournalError, journal_error
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import (
    GAME,
    NEW,
    START,
    commit,
    found_in,
    last_game,
    opened,
    reloaded,
    table,
    write,
)

WRITER = Path(__file__).with_name("journal_writer.py")
ROOT = Path(__file__).parents[3]


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


NESTS = "N,N,N,N/-/N,N,N,N/-"


def times(path: Path) -> list[tuple[object, ...]]:
    return table(path, "SELECT game, n, at, played FROM rows ORDER BY game, n")


def test_a_row_tells_how_long_the_table_was_on_in_its_game_whatever_the_clock_is_set_to(
    path: Path,
) -> None:
    journal = opened(path)
    commit(journal, GAME[:1], at=None, t=100.0)
    commit(journal, GAME[1:2], at=None, t=160.5)
    journal.close()
    journal = opened(path)  # an hour later, for all we know
    commit(journal, GAME[2:3], at=1763600000.0, t=20.0)
    commit(journal, (NEW,), at=1763599000.0, t=30.0)
    commit(journal, GAME[1:2], at=1763599001.0, t=31.0)
    journal.close()
    assert times(path) == [
        (1, 1, "", 0),
        (1, 2, "", 60500),
        (1, 3, "2025-11-20T00:53:20.000+00:00", 80500),
        (2, 1, "2025-11-20T00:36:40.000+00:00", 0),
        (2, 2, "2025-11-20T00:36:41.000+00:00", 1000),
    ]


def test_a_game_that_ended_before_the_clock_was_set_has_ended(path: Path) -> None:
    journal = opened(path)
    commit(journal, (NEW, recorded("end", START)), at=None, over=True)
    commit(journal, (recorded("undo", START),), at=None)
    assert table(path, "SELECT ended FROM games") == [(None,)]
    commit(journal, (recorded("end", START),), at=None, over=True)
    journal.close()
    assert table(path, "SELECT ended FROM games") == [("",)]


def names(path: Path) -> list[tuple[object, ...]]:
    return table(path, "SELECT names FROM games ORDER BY id")


def test_nobodys_name_is_kept_for_a_seat_as_long_as_a_bot_plays_it(path: Path) -> None:
    journal = opened(path)
    players = (("player.A", "LUC red"), ("player.C", "ZOE beans"))
    new = recorded('new "findler" seats 2,0', NESTS)
    commit(journal, (new,), at=None, puts=(*players, ("box.C", "strong")))
    assert names(path) == [('{"A": "LUC red"}',)]
    commit(journal, (), at=None, puts=(("box.C", None),))
    assert names(path) == [('{"A": "LUC red", "C": "ZOE beans"}',)]
    journal.close()


def test_a_game_keeps_the_names_under_which_it_was_played(path: Path) -> None:
    journal = opened(path)
    commit(journal, (), at=None, puts=(("player.A", "LUC red"), ("player.B", "EVA -")))
    commit(journal, (recorded('new "findler" seats 2,0', NESTS),), at=None)
    assert names(path) == [('{"A": "LUC red"}',)]
    commit(journal, (), at=None, puts=(("player.C", "ZOE beans"),))
    assert names(path) == [('{"A": "LUC red", "C": "ZOE beans"}',)]
    commit(journal, (recorded("end", NESTS),), at=None, over=True, puts=(("player.A", None),))
    assert names(path) == [('{"A": "LUC red", "C": "ZOE beans"}',)]
    journal.close()
    journal = opened(path)
    commit(journal, (), at=None, puts=(("player.C", "TOM -"),))
    assert names(path) == [('{"A": "LUC red", "C": "ZOE beans"}',)]
    commit(journal, (NEW,), at=None)
    journal.close()
    assert names(path)[1:] == [('{"B": "EVA -", "C": "TOM -"}',)]


def test_a_game_keeps_when_it_ended(path: Path) -> None:
    journal = opened(path)
    commit(journal, (NEW,), at=1763600000.5)
    commit(journal, (recorded("end", START),), at=1763600060.0, over=True)
    journal.close()
    assert table(path, "SELECT ended FROM games") == [("2025-11-20T00:54:20.000+00:00",)]


def test_a_game_that_is_over_comes_back_and_undo_opens_it_again(path: Path) -> None:
    journal = opened(path)
    commit(journal, (*GAME, recorded("end", START)), at=1.0, over=True)
    journal.close()
    rows, _ = reloaded(path)
    assert rows is not None
    assert str(rows[-1].entry) == "end"
    journal = opened(path)
    commit(journal, (recorded("undo", START),), at=2.0)
    journal.close()
    assert table(path, "SELECT ended FROM games") == [(None,)]
    assert reloaded(path) == ((*GAME, recorded("end", START), recorded("undo", START)), None)


def test_an_event_of_the_chamber_is_known_again_and_recorded_once(path: Path) -> None:
    write(path, GAME)
    journal = opened(path)
    assert journal.is_recorded("b00t", 1)
    assert not journal.is_recorded("b00t", 2)
    assert not journal.is_recorded("0ther", 1)
    with pytest.raises(JournalError, match="UNIQUE constraint failed"):
        commit(journal, (GAME[1], GAME[2]), at=9.0)
    assert last_game(path) == GAME
    commit(journal, (recorded("end", START),), at=10.0)
    journal.close()
    assert table(path, "SELECT max(n) FROM rows") == [(6,)]


def test_the_disk_has_each_commit_before_the_next_line_runs(path: Path) -> None:
    journal = opened(path)
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2)):
        assert journal._connect().execute(f"PRAGMA {pragma}").fetchone() == (value,)
    journal.close()


@pytest.mark.parametrize("seed", range(20))
def test_a_log_torn_at_any_byte_tells_the_game_up_to_there(path: Path, seed: int) -> None:
    rows = tuple(islice(rows_of_a_game(seed), 40))
    journal = opened(path)
    for at, row in enumerate(rows):
        commit(journal, (row,), at=float(at))
        journal.settle(turn_over=False)
    torn = path.parents[1] / "torn" / "journal.db"
    shutil.copytree(path.parent, torn.parent)
    journal.close()
    log = Path(f"{torn}-wal")
    size = random.Random(seed).randint(0, log.stat().st_size)
    os.truncate(log, size)
    told, found = found_in(torn)
    kept = told or ()
    assert kept == rows[: len(kept)]
    assert len(kept) > 0 or size < 12 * 4096
    assert found.missing == len(rows) - len(kept)
    assert (found.aside == "journal.aside.db") == (found.missing > 0)


# One process a journal.


def test_a_second_process_is_refused_in_one_sentence(path: Path) -> None:
    journal = opened(path)
    said, complaint = writer(path, seed=1, count=1).communicate()
    assert said == ""
    assert "journal.db is in use by another referee (process " in complaint
    with pytest.raises(JournalError) as raised:
        load(path)
    assert str(raised.value).startswith(f"{path} is in use by another referee (process ")
    assert str(raised.value).endswith(
        "holds journal.db.lock): end that one first, or name another folder"
    )
    commit(journal, (NEW,), at=0.0)
    journal.close()
    assert reloaded(path) == ((NEW,), None)


@pytest.mark.kill
def test_a_process_that_was_killed_holds_nobody_up(path: Path) -> None:
    other = writer(path, seed=1, count=1_000_000)
    assert other.stdout is not None
    assert other.stdout.readline() == "1\n"
    with pytest.raises(JournalError, match=f"process {other.pid} holds journal.db.lock"):
        opened(path)
    other.kill()
    other.communicate()
    opened(path).close()


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


@pytest.mark.parametrize("ending", ["", "-journal", "-wal", "-shm"])
def test_a_pipe_in_the_place_of_a_file_is_one_sentence(path: Path, ending: str) -> None:
    write(path, GAME)
    pipe = Path(f"{path}{ending}")
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    with pytest.raises(JournalError, match=rf"journal\.db{ending} is not a file: move it away"):
        load(path)


def test_a_pipe_with_the_name_of_a_half_written_journal_is_no_obstacle(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path.with_name("journal.db.half"))
    write(path, GAME)


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
    journal = opened(path)
    commit(journal, GAME, at=0.0)
    confirmed = len(GAME)

    def append_for_ever() -> None:
        nonlocal confirmed
        while True:
            commit(journal, (recorded("throw 1 2", START, "kernel"),), at=1.0)
            confirmed += 1

    with pytest.raises(JournalError) as raised:
        append_for_ever()
    assert str(raised.value).startswith(f"{path} can't be written (")
    assert raised.value.fault in ("disk-full", "bad-disk")
    assert len(last_game(path)) == confirmed
    journal.close()


# What the disk takes away.


def test_a_journal_that_was_removed_is_said_and_not_written_to(path: Path) -> None:
    journal = opened(path)
    commit(journal, GAME, at=0.0)
    path.rename(path.with_name("elsewhere.db"))
    with pytest.raises(JournalError, match="is not there any more: put it or") as gone:
        commit(journal, (recorded("end", START),), at=1.0)
    assert gone.value.fault == "disk-gone"
    path.with_name("elsewhere.db").rename(path)
    commit(journal, (recorded("end", START),), at=2.0)
    assert last_game(path) == (*GAME, recorded("end", START))
    journal.close()


def test_a_dangling_link_is_one_sentence(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path.parent / "nowhere.db")
    with pytest.raises(JournalError, match=r"journal\.db is not a file: move it away"):
        load(path)


def test_the_log_is_folded_in_at_the_end_of_a_turn(path: Path) -> None:
    journal = opened(path)
    log = Path(f"{path}-wal")
    commit(journal, GAME, at=0.0)
    journal.settle(turn_over=False)
    assert log.stat().st_size > 0
    journal.settle(turn_over=True)
    assert log.stat().st_size == 0
    commit(journal, (recorded("end", START),), at=1.0)
    journal.close()
    assert reloaded(path) == ((*GAME, recorded("end", START)), None)


def test_somebody_who_reads_puts_the_folding_off_and_delays_nothing(path: Path) -> None:
    journal = opened(path)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM rows").fetchone()
    commit(journal, GAME, at=0.0)
    journal.settle(turn_over=True)
    assert Path(f"{path}-wal").stat().st_size > 0
    reader.close()
    journal.settle(turn_over=True)
    assert Path(f"{path}-wal").stat().st_size == 0
    journal.close()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("SQLITE_FULL", "disk-full"),
        ("SQLITE_READONLY_DIRECTORY", "read-only"),
        ("SQLITE_CANTOPEN_ISDIR", "no-access"),
        ("SQLITE_BUSY", "disk-busy"),
        ("SQLITE_IOERR_FSYNC", "bad-disk"),
        ("SQLITE_MISMATCH", "no-access"),
    ],
)
def test_each_trouble_is_a_fault_that_the_panel_has_words_for(name: str, fault: Fault) -> None:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorname = name
    told = journal_error("the journal", "written", error)
    assert told.fault == fault
    assert str(told).startswith("the journal can't be written (what SQLite says): ")


def test_a_setting_is_taken_out_and_the_game_that_was_over_stays_over(path: Path) -> None:
    journal = opened(path)
    commit(journal, (*GAME, recorded("end", START)), at=1.0, over=True)
    commit(journal, (), at=2.0, puts=(("sound", "off"), ("brightness", "low")))
    commit(journal, (), at=3.0, puts=(("sound", None),))
    journal.close()
    journal = opened(path)
    assert journal.settings() == {"brightness": "low"}
    assert table(path, "SELECT ended FROM games") == [("1970-01-01T00:00:01.000+00:00",)]
    journal.close()


def test_settings_are_written_anew_where_the_journal_is_another_one_now(path: Path) -> None:
    journal = opened(path)
    commit(journal, GAME, at=0.0, puts=(("brightness", "low"),))
    card = path.parent.rename(path.parent.with_name("away"))
    opened(path).close()  # another card, on which there is nothing yet
    assert card.is_dir()
    commit(journal, (), at=1.0, puts=(("sound", "off"),))
    journal.close()
    journal = opened(path)
    assert journal.settings() == {"brightness": "low", "sound": "off"}
    journal.close()


def test_what_is_refused_sets_nothing(path: Path) -> None:
    journal = opened(path)
    commit(journal, GAME, at=0.0, puts=(("brightness", "low"),))
    path.rename(path.with_name("elsewhere.db"))
    with pytest.raises(JournalError):
        commit(journal, (), at=1.0, puts=(("brightness", "full"),))
    assert journal.settings() == {"brightness": "low"}
    journal.close()


def test_who_did_a_row_for_the_seat_whose_turn_it_was_is_kept(path: Path) -> None:
    rows = (*GAME[:-1], replace(GAME[-1], by="B"))
    write(path, rows)
    assert reloaded(path) == (rows, None)
