"""A damaged journal: nothing is lost, and nothing is lost without a word."""

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pi_app.model.history import fold
from pi_app.record.files import memory_folder
from pi_app.record.journal import OpenedJournal, load
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journals import (
    GAME,
    OTHER,
    START,
    change,
    commit,
    files,
    found_in,
    last_game,
    opened,
    reloaded,
    table,
    write,
)

# Set aside whole.


def damaged_header(path: Path) -> None:
    path.write_bytes(b"dear diary" + path.read_bytes()[10:])


def damaged_page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = data.rindex(b"throw 6 6")
    data[at // 4096 * 4096 : at // 4096 * 4096 + 8] = b"\xff" * 8
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])  # the settings' page


def cut_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -3 * 4096])


def no_database(path: Path) -> None:
    path.write_text("a shopping list\n" * 300)


def unknown_schema(path: Path) -> None:
    change(path, "UPDATE meta SET value = '7'")


def somebody_elses(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE recipes (name TEXT)")


def text_that_is_no_text(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"meta (key TEXT", b"meta (key TEX\xd4"))


def position_changed(path: Path) -> None:
    change(path, "UPDATE rows SET position = '0,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N' WHERE n = 3")


def action_changed(path: Path) -> None:
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE n = 3")


def time_changed(path: Path) -> None:
    change(path, "UPDATE rows SET at = '2031' || substr(at, 5) WHERE n = 3")


def row_lost(path: Path) -> None:
    change(path, "DELETE FROM rows WHERE n = 3")


def last_rows_lost(path: Path) -> None:
    change(path, "DELETE FROM rows WHERE n > 2")


def row_too_many(path: Path) -> None:
    change(
        path,
        "INSERT INTO rows SELECT game, 6, at, action, '', '', '', 9, chain, by, hint, played "
        "FROM rows WHERE n = 4",
    )


def first_row_lost(path: Path) -> None:
    change(path, "DELETE FROM rows WHERE n = 1")


def somebody_else(path: Path) -> None:
    change(path, "UPDATE rows SET by = 'D' WHERE n = 4")


def hint_made_up(path: Path) -> None:
    change(path, "UPDATE rows SET hint = 'why' WHERE n = 4")


def longer_played(path: Path) -> None:
    change(path, "UPDATE rows SET played = 60000 WHERE n = 4")


# What is wrong, what is said of it, and how many of the game's five rows go on.
DAMAGES: dict[Callable[[Path], None], tuple[str, int]] = {
    damaged_header: ("file is not a database", 0),
    damaged_page: ("btreeInitPage() returns error code 11", 0),
    cut_short: ("malformed", 5),
    cut_half: ("malformed", 0),
    no_database: ("file is not a database", 0),
    unknown_schema: ("it has schema 7 and 6", 5),
    somebody_elses: ("no such table: meta", 0),
    text_that_is_no_text: ("can't decode byte 0xd4", 5),
    position_changed: ("row 3 of game 1 is not as it was recorded", 2),
    action_changed: ("row 3 of game 1 is not as it was recorded", 2),
    time_changed: ("row 3 of game 1 is not as it was recorded", 2),
    row_lost: ("row 3 of game 1 is not as it was recorded", 2),
    last_rows_lost: ("5 rows of game 1 were confirmed, not 2", 2),
    row_too_many: ("row 6 of game 1 is not as it was recorded", 5),
    somebody_else: ("row 4 of game 1 is not as it was recorded", 3),
    hint_made_up: ("row 4 of game 1 is not as it was recorded", 3),
    longer_played: ("row 4 of game 1 is not as it was recorded", 3),
    first_row_lost: ("row 1 of game 1 is not as it was recorded", 0),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_database_that_cannot_be_continued_is_kept_whole_and_what_is_sound_goes_on(
    path: Path, damage: Callable[[Path], None]
) -> None:
    write(path, GAME)
    damage(path)
    why, sound = DAMAGES[damage]
    before = path.read_bytes()
    journal, found = load(path)
    assert found.record == (fold(GAME[:sound]) if sound else None)
    assert last_game(path) == GAME[:sound]
    assert found.missing == (1 if damage is row_too_many else 5 - sound)
    assert found.aside == "journal.aside.db"
    assert found.warning is not None
    assert found.warning.startswith(f"{path} can't be continued (")
    assert why in found.warning
    goes_on = f"{sound} rows of game 1 go on" if sound else "a new one is begun"
    assert found.warning.endswith(f"): kept whole as journal.aside.db, {goes_on}")
    assert path.with_name("journal.aside.db").read_bytes() == before
    commit(journal, OTHER, at=0.0)
    journal.close()
    assert reloaded(path) == (OTHER, None)


def test_the_games_before_a_damaged_one_go_on_too(path: Path) -> None:
    write(path, OTHER, OTHER[:3], OTHER)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 3 AND n = 5")
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 2 AND n = 2")
    _, found = found_in(path)
    assert found.missing == 1
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 5), (2, 1), (3, 4)]


def test_a_game_without_rows_whose_count_is_lost_is_not_lost_without_a_word(path: Path) -> None:
    write(path, OTHER, OTHER)
    change(path, "DELETE FROM rows WHERE game = 2")
    path.with_suffix(".count").unlink()
    before = path.read_bytes()
    rows, found = found_in(path)
    assert rows == OTHER
    assert found.aside == "journal.aside.db"
    assert found.warning is not None
    assert "(game 2 has no rows)" in found.warning
    assert path.with_name("journal.aside.db").read_bytes() == before


def test_rows_of_which_the_rules_know_nothing_end_the_game_before_them(path: Path) -> None:
    write(path, (*GAME, recorded("move 3-8(5)", START), recorded("end", START)))
    journal, found = load(path)
    journal.close()
    assert found.missing == 2
    assert found.record == fold(GAME)
    assert found.warning is not None
    assert "its newest game can't be followed: " in found.warning


def test_what_is_missing_is_said_once(path: Path) -> None:
    write(path, GAME)
    change(path, "DELETE FROM rows WHERE n > 3")
    assert found_in(path)[1].missing == 2
    assert found_in(path)[1] == OpenedJournal(fold(GAME[:3]))


def test_a_count_that_lags_behind_is_no_alarm_and_a_damaged_one_tells_nothing(path: Path) -> None:
    write(path, GAME[:2])
    count = path.with_name("journal.count")
    behind = count.read_bytes()
    write(path, GAME[2:])
    for told in (behind, b"", b"9 9 nonsense", behind.replace(b"2", b"7")):
        count.write_bytes(told)
        assert reloaded(path) == (GAME, None)


def test_a_database_that_is_gone_is_missed(path: Path) -> None:
    write(path, GAME)
    path.unlink()
    rows, found = found_in(path)
    assert rows is None
    assert found.missing == 5


# What is in the log.


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A journal's files as a kill leaves them: two games in the database, five rows in its log."""
    path = tmp_path_factory.mktemp("sound") / "journal.db"
    write(path, OTHER, OTHER)
    journal = opened(path)
    for row in OTHER:
        commit(journal, (row,), at=9.0)
        journal.settle(turn_over=False)
    kept = {part: Path(f"{path}{part}").read_bytes() for part in ("", "-wal")}
    kept[".count"] = path.with_name("journal.count").read_bytes()
    journal.close()
    return kept


def flipped(data: bytes, byte: int, bit: int) -> bytes:
    return data[:byte] + bytes([data[byte] ^ 1 << bit]) + data[byte + 1 :]


def lay_out(path: Path, kept: dict[str, bytes]) -> None:
    path.parent.mkdir(exist_ok=True)
    for file in path.parent.iterdir():
        file.unlink()
    for part in ("", "-wal"):
        Path(f"{path}{part}").write_bytes(kept[part])
    path.with_name("journal.count").write_bytes(kept[".count"])


def judge(path: Path, before: bytes) -> int:
    """See that the journal opens, misses what it lacks, and can be gone on with; what it misses."""
    journal, found = load(path)
    rows = last_game(path)
    assert rows == OTHER[: len(rows)]
    assert found.missing in (5 - len(rows), 5)  # 5: the newest game is lost whole
    if found.missing:
        assert path.with_name(found.aside).read_bytes() == before
    commit(journal, OTHER, at=10.0)
    assert last_game(path) == OTHER
    journal.close()
    return found.missing


@pytest.fixture
def quick(sound: dict[str, bytes]) -> Iterator[Path]:
    """A journal's path in memory, where nothing waits for a disk."""
    with tempfile.TemporaryDirectory("-referee", dir=memory_folder()) as folder:
        yield Path(folder) / "folder" / "journal.db"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_bit_flipped_in_the_log_loses_nothing_without_a_word(
    quick: Path, sound: dict[str, bytes], seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        byte = chance.randrange(len(sound["-wal"]))
        lay_out(quick, {**sound, "-wal": flipped(sound["-wal"], byte, chance.randrange(8))})
        judge(quick, sound[""])


@pytest.mark.parametrize("base", [None, b""])
def test_a_log_without_its_database_is_kept_whole(
    path: Path, sound: dict[str, bytes], base: bytes | None
) -> None:
    lay_out(path, sound)
    if base is None:
        path.unlink()
    else:
        path.write_bytes(base)
    rows, found = found_in(path)
    assert (rows, found.missing) == (None, 5)
    assert found.warning is not None
    assert "its log has lost its database" in found.warning
    assert Path(f"{path.with_name(found.aside)}-wal").read_bytes() == sound["-wal"]


def test_a_log_not_yet_in_the_database_is_set_aside_with_it(path: Path) -> None:
    journal = opened(path)
    commit(journal, GAME, at=0.0)
    journal._connect().execute("UPDATE rows SET position = 'nowhere' WHERE n = 5")
    crashed = path.parents[1] / "crashed" / "journal.db"
    shutil.copytree(path.parent, crashed.parent)
    journal.close()
    before = files(crashed)
    assert len(before["journal.db-wal"]) > 0
    assert b"nowhere" not in before["journal.db"]
    _, found = found_in(crashed)
    aside = crashed.with_name(found.aside)
    assert aside.read_bytes() == before["journal.db"]
    assert Path(f"{aside}-wal").read_bytes() == before["journal.db-wal"]
    assert table(aside, "SELECT position FROM rows WHERE n = 5") == [("nowhere",)]


def test_an_older_one_kept_is_never_overwritten(path: Path) -> None:
    for _ in range(3):
        write(path, OTHER)
        unknown_schema(path)
        opened(path).close()
    names = sorted(file.name for file in path.parent.glob("*aside*.db"))
    assert names == [f"journal.aside{n}.db" for n in ("-2", "-3", "")]
    assert table(path.with_name("journal.aside.db"), "SELECT count(*) FROM rows") == [(5,)]


def test_a_journal_left_empty_by_a_crash_is_begun_anew(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    assert reloaded(path) == (None, None)
    path.unlink()
    change(path, "PRAGMA journal_mode = WAL")
    assert reloaded(path) == (None, None)
