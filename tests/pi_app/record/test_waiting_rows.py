"""Rows that wait while nothing can be written, and where they go when it can."""

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.model.history import Row, fold
from pi_app.record.count import ConfirmedRows, read_count
from pi_app.record.journal import Commit, Journal, OpenedJournal, load
from pi_app.record.trouble import JournalError
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journals import commit, last_game

START = "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"
NEW = recorded('new "royal-2023" seats 0,1,2,3', START)
GAME = (
    NEW,
    recorded("throw 6 6", START, "kernel"),
    recorded("throw 1 2", START, "chamber", "b00t", 1),
    recorded("throw 1 2", START, "typed"),
    recorded("throw 1 2", START, "kernel"),
)
END = recorded("end", START)
OTHER = (NEW, GAME[1], GAME[3])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "card" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """A table's journal with the first two rows of a game; its card can be pulled."""
    journal = load(path)[0]
    journal.append(Commit(GAME[:2], at=0.0))
    journal.settle(turn_over=False)
    yield journal
    journal.close()


def pull(path: Path) -> Path:
    """Take the card away; what was on it is still there elsewhere."""
    return path.parent.rename(path.parent.with_name("pulled"))


def put_back(path: Path) -> None:
    path.parent.with_name("pulled").rename(path.parent)


def put_in_a_copy(path: Path) -> None:
    """Put back a card whose files are the same and yet others, as one mounted anew is."""
    shutil.copytree(path.parent.with_name("pulled"), path.parent)


def kept(path: Path, game: int) -> list[tuple[str, str]]:
    """Return when each row of a game was played, and its action."""
    connection = sqlite3.connect(path)
    try:
        query = "SELECT substr(at, 12, 8), action FROM rows WHERE game = ? ORDER BY n"
        return connection.execute(query, (game,)).fetchall()
    finally:
        connection.close()


def held_up(journal: Journal, *rows: Row) -> None:
    """Let rows wait, played a minute after each other, the first a minute after the game began."""
    for minute, row in enumerate(rows, 1):
        with pytest.raises(JournalError):
            journal.append(Commit((row,), at=60.0 * minute))
        journal.wait(Commit((row,), at=60.0 * minute, over=row is END))


def found(path: Path) -> OpenedJournal:
    journal, held = load(path)
    journal.close()
    return held


def test_what_waited_comes_in_order_each_row_with_its_own_time(
    path: Path, journal: Journal
) -> None:
    pull(path)
    held_up(journal, *GAME[2:])
    put_back(path)
    assert journal.append(Commit((END,), at=3600.0, over=True)) == (*GAME[2:], END)
    journal.close()
    assert kept(path, 1) == [
        ("00:00:00", 'new "royal-2023" seats 0,1,2,3'),
        ("00:00:00", "throw 6 6"),
        ("00:01:00", "throw 1 2"),
        ("00:02:00", "throw 1 2"),
        ("00:03:00", "throw 1 2"),
        ("01:00:00", "end"),
    ]
    assert found(path) == OpenedJournal(fold([*GAME, END]))


def test_all_that_waits_is_one_commit(path: Path, journal: Journal) -> None:
    pull(path)
    held_up(journal, *GAME[2:4], GAME[2])  # the chamber's event again, which can't be recorded
    put_back(path)
    with pytest.raises(JournalError, match="UNIQUE constraint failed"):
        journal.save()
    assert last_game(path) == GAME[:2]


def test_games_that_ended_and_began_unsaved_are_kept_each_for_itself(
    path: Path, journal: Journal
) -> None:
    pull(path)
    held_up(journal, END, NEW, *GAME[1:3], END, NEW, GAME[1])
    put_back(path)
    journal.save()
    journal.close()
    games = [[action for _, action in kept(path, n)] for n in (1, 2, 3)]
    assert games == [
        [str(NEW.entry), "throw 6 6", "end"],
        [str(NEW.entry), "throw 6 6", "throw 1 2", "end"],
        [str(NEW.entry), "throw 6 6"],
    ]
    connection = sqlite3.connect(path)
    ended = connection.execute("SELECT ended IS NOT NULL FROM games ORDER BY id").fetchall()
    connection.close()
    assert ended == [(1,), (1,), (0,)]
    assert found(path) == OpenedJournal(fold(GAME[:2]))


def test_a_games_number_is_known_once_its_start_is_on_the_card(
    path: Path, journal: Journal
) -> None:
    assert journal.game == 1
    pull(path)
    held_up(journal, GAME[2])
    assert journal.game == 1  # by the card on which it began
    held_up(journal, END, NEW)
    assert journal.game is None
    other: Journal = load(path)[0]
    commit(other, (NEW,), at=8.0)
    other.close()
    journal.save()
    assert (journal.game, kept(path, 3)) == (3, [("00:02:00", str(NEW.entry))])


def test_a_card_that_has_nothing_of_the_game_gives_it_no_number(
    path: Path, journal: Journal
) -> None:
    pull(path)
    other: Journal = load(path)[0]
    commit(other, (NEW,), at=8.0)
    other.close()
    with pytest.raises(JournalError, match="UNIQUE constraint failed"):
        journal.append(Commit((GAME[2], GAME[2]), at=60.0))
    assert journal.game is None
    journal.append(Commit((GAME[2],), at=60.0))
    assert journal.game == 2


def test_an_event_of_the_chamber_that_waits_is_known(path: Path, journal: Journal) -> None:
    pull(path)
    held_up(journal, GAME[2])
    assert journal.is_recorded("b00t", 1)
    assert not journal.is_recorded("b00t", 2)
    put_back(path)
    journal.save()
    assert journal.is_recorded("b00t", 1)


def test_the_count_is_of_what_is_written_so_that_a_kill_raises_no_alarm(
    path: Path, journal: Journal
) -> None:
    card = pull(path)
    held_up(journal, *GAME[2:])
    journal.settle(turn_over=True)
    killed = path.parents[1] / "killed" / path.name
    shutil.copytree(card, killed.parent)
    assert found(killed) == OpenedJournal(fold(GAME[:2]))
    put_back(path)
    journal.save()
    journal.settle(turn_over=False)
    assert read_count(path) == ConfirmedRows(1, 5)


def test_what_still_waits_at_the_end_is_tried_once_more(path: Path, journal: Journal) -> None:
    pull(path)
    held_up(journal, *GAME[2:])
    put_back(path)
    journal.close()
    assert found(path) == OpenedJournal(fold(GAME))


def test_what_can_not_be_saved_at_the_end_either_is_counted_in_the_log(
    path: Path, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    card = pull(path)
    held_up(journal, *GAME[2:])
    with caplog.at_level(logging.ERROR):
        journal.close()
    assert caplog.messages[0].startswith("3 moves that were played unsaved are lost: ")
    assert found(card / path.name) == OpenedJournal(fold(GAME[:2]))


# What lies there when something does again.


def test_a_card_that_was_mounted_anew_goes_on_with_what_waited(
    path: Path, journal: Journal
) -> None:
    pull(path)
    held_up(journal, *GAME[2:])
    put_in_a_copy(path)
    journal.save()
    journal.close()
    assert found(path) == OpenedJournal(fold(GAME))


def test_a_card_that_has_lost_its_last_rows_gets_them_again(path: Path, journal: Journal) -> None:
    early = path.parent.with_name("early")
    shutil.copytree(path.parent, early)
    journal.append(Commit(GAME[2:4], at=9.0))
    pull(path)
    held_up(journal, GAME[4])
    early.rename(path.parent)
    journal.save()
    journal.close()
    assert found(path) == OpenedJournal(fold(GAME))
    assert len(kept(path, 1)) == 5


def test_another_card_gets_the_whole_game_after_its_own(path: Path, journal: Journal) -> None:
    pull(path)
    held_up(journal, *GAME[2:])
    other: Journal = load(path)[0]
    commit(other, (NEW, GAME[1]), at=7.0)
    commit(other, (NEW,), at=8.0)
    other.close()
    journal.save()
    journal.close()
    assert [len(kept(path, game)) for game in (1, 2, 3)] == [2, 1, 5]
    assert kept(path, 3)[0] == ("00:00:00", str(NEW.entry))
    assert found(path) == OpenedJournal(fold(GAME))


def test_an_empty_file_gets_the_whole_game(path: Path, journal: Journal) -> None:
    pull(path)
    held_up(journal, *GAME[2:])
    path.parent.mkdir()
    path.touch()
    journal.save()
    journal.close()
    assert found(path) == OpenedJournal(fold(GAME))
    assert len(kept(path, 1)) == 5


def test_where_nothing_lies_nothing_is_begun(path: Path, journal: Journal) -> None:
    pull(path)
    path.parent.mkdir()  # the bare mount point
    held_up(journal, GAME[2])
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("strange", [b"dear diary" * 1000, b"SQLite format 3\0" + b"x" * 5000])
def test_a_file_that_is_no_journal_is_left_alone(
    path: Path, journal: Journal, strange: bytes
) -> None:
    pull(path)
    path.parent.mkdir()
    path.write_bytes(strange)
    with pytest.raises(JournalError, match="is another file now ") as refused:
        journal.append(Commit((END,), at=1.0))
    assert refused.value.fault == "disk-gone"
    assert path.read_bytes() == strange
    path.unlink()
    path.with_name("journal.db.lock").unlink()
    path.with_name("journal.count").unlink()
    path.parent.rmdir()
    put_back(path)
    journal.append(Commit((END,), at=2.0, over=True))
    assert last_game(path) == (*GAME[:2], END)


def test_a_card_that_another_referee_plays_on_is_left_to_it(path: Path, journal: Journal) -> None:
    pull(path)
    other = load(path)[0]
    with pytest.raises(JournalError, match="is in use by another referee"):
        journal.append(Commit((END,), at=1.0))
    other.close()
    journal.append(Commit((END,), at=1.0))
    assert last_game(path) == (*GAME[:2], END)


class Unsynced(sqlite3.Connection):
    """A connection whose next commit is kept and yet fails, as by a card that fails to sync."""

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        cursor = super().execute(*arguments)  # type: ignore[arg-type]
        if arguments[0] == "COMMIT":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
            raise error
        return cursor


def fail_to_sync(journal: Journal, path: Path) -> None:
    files = journal._files
    assert files is not None
    files.connection.close()
    failing = sqlite3.connect(path, isolation_level=None, factory=Unsynced)
    journal._files = files._replace(connection=failing)


def test_nothing_is_taken_back_from_another_card(path: Path, journal: Journal) -> None:
    fail_to_sync(journal, path)
    with pytest.raises(JournalError, match="disk I/O error"):
        journal.append(Commit((GAME[2],), at=60.0))
    pull(path)
    other = load(path)[0]
    for _ in range(3):
        commit(other, OTHER, at=7.0)
    other.close()
    journal.append(Commit((GAME[2],), at=120.0))
    journal.close()
    assert [len(kept(path, game)) for game in (1, 2, 3, 4)] == [3, 3, 3, 3]


@pytest.mark.parametrize("rows", [(GAME[2],), (END, NEW, GAME[1])], ids=["a throw", "a new game"])
def test_what_a_commit_left_that_was_refused_is_taken_back(
    path: Path, journal: Journal, rows: tuple[Row, ...]
) -> None:
    fail_to_sync(journal, path)
    with pytest.raises(JournalError, match="disk I/O error"):
        journal.append(Commit(rows, at=60.0))
    assert len(kept(path, 1)) == 3  # it is there, though the table says that it was not taken
    journal.append(Commit((GAME[2],), at=120.0))
    journal.close()
    assert found(path) == OpenedJournal(fold(GAME[:3]))
    assert kept(path, 1)[2:] == [("00:02:00", "throw 1 2")]
    assert kept(path, 2) == []
