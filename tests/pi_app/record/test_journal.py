"""The journal: what was confirmed is there again, whatever happened to process or file."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from pi_app import __version__
from pi_app.record.history import Row, fold
from pi_app.record.journal import Found, Journal, load
from pi_app.record.rescue import memory_folder
from pi_app.record.schema import Kept, Link, link, write_game
from pi_app.record.trouble import JournalError, refused
from tests.asked import extent
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
OTHER = tuple(Row(row.action, row.position, row.source) for row in GAME)  # without the chamber


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "journal.db"


def opened(path: Path) -> Journal:
    return load(path)[0]


def write(path: Path, *commits: tuple[Row, ...]) -> None:
    journal = opened(path)
    for at, rows in enumerate(commits):
        journal.append(rows, at=float(at))
    journal.close()


def reloaded(path: Path) -> tuple[tuple[Row, ...] | None, str | None]:
    rows, found = found_in(path)
    return rows, found.warning


def found_in(path: Path) -> tuple[tuple[Row, ...] | None, Found]:
    """Return the newest game's rows in the journal that was opened, and what was found."""
    journal, found = load(path)
    rows = journal.last_game()
    assert found.record == (None if rows is None else fold(rows))
    journal.close()
    return rows, found


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
    journal = opened(path)
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
    journal = opened(path)
    journal.append((*GAME, Row("end", START)), at=1.0, over=True)
    journal.close()
    rows, _ = reloaded(path)
    assert rows is not None
    assert rows[-1].action == "end"
    journal = opened(path)
    journal.append((Row("undo", START),), at=2.0)
    journal.close()
    assert table(path, "SELECT ended FROM games") == [(None,)]
    assert reloaded(path) == ((*GAME, Row("end", START), Row("undo", START)), None)


def test_an_event_of_the_chamber_is_known_again_and_recorded_once(path: Path) -> None:
    write(path, GAME)
    journal = opened(path)
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
    journal = opened(path)
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2)):
        assert journal._connected().execute(f"PRAGMA {pragma}").fetchone() == (value,)
    journal.close()


@pytest.mark.parametrize("seed", range(20))
def test_a_log_torn_at_any_byte_tells_the_game_up_to_there(path: Path, seed: int) -> None:
    rows = tuple(islice(rows_of_a_game(seed), 40))
    journal = opened(path)
    for at, row in enumerate(rows):
        journal.append((row,), at=float(at))
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
    assert (found.aside == "journal.set-aside.db") == (found.missing > 0)


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
    journal.append((NEW,), at=0.0)
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
        "INSERT INTO rows SELECT game, 6, at, action, '', '', '', 9, chain FROM rows WHERE n = 4",
    )


def first_row_lost(path: Path) -> None:
    change(path, "DELETE FROM rows WHERE n = 1")


# What is wrong, what is said of it, and how many of the game's five rows go on.
DAMAGES: dict[Callable[[Path], None], tuple[str, int]] = {
    damaged_header: ("file is not a database", 5),
    damaged_page: ("btreeInitPage() returns error code 11", 0),
    cut_short: ("malformed", 5),
    cut_half: ("malformed", 0),
    no_database: ("file is not a database", 0),
    unknown_schema: ("it has schema 7 and 3", 5),
    somebody_elses: ("no such table: meta", 0),
    text_that_is_no_text: ("can't decode byte 0xd4", 5),
    position_changed: ("row 3 of game 1 is not as it was recorded", 2),
    action_changed: ("row 3 of game 1 is not as it was recorded", 2),
    time_changed: ("row 3 of game 1 is not as it was recorded", 2),
    row_lost: ("row 3 of game 1 is not as it was recorded", 2),
    last_rows_lost: ("5 rows of game 1 were confirmed, not 2", 2),
    row_too_many: ("row 6 of game 1 is not as it was recorded", 5),
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
    assert journal.last_game() == (GAME[:sound] or None)
    assert found.missing == (1 if damage is row_too_many else 5 - sound)
    assert found.aside == "journal.set-aside.db"
    assert found.warning is not None
    assert found.warning.startswith(f"{path} can't be continued (")
    assert why in found.warning
    goes_on = f"{sound} rows of game 1 go on" if sound else "a new one is begun"
    assert found.warning.endswith(f"): kept whole as journal.set-aside.db, {goes_on}")
    assert path.with_name("journal.set-aside.db").read_bytes() == before
    journal.append(OTHER, at=0.0)
    journal.close()
    assert reloaded(path) == (OTHER, None)


def test_the_games_before_a_damaged_one_go_on_too(path: Path) -> None:
    write(path, OTHER, OTHER[:3], OTHER)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 3 AND n = 5")
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 2 AND n = 2")
    _, found = found_in(path)
    assert found.missing == 1
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 5), (2, 1), (3, 4)]


def test_rows_of_which_the_rules_know_nothing_end_the_game_before_them(path: Path) -> None:
    write(path, (*GAME, Row("move 3-8(5)", START), Row("end", START)))
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
    assert found_in(path)[1] == Found(fold(GAME[:3]))


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


# One flipped bit.


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A journal's files as a kill leaves them: two games in the database, five rows in its log."""
    path = tmp_path_factory.mktemp("sound") / "journal.db"
    write(path, OTHER, OTHER)
    journal = opened(path)
    for row in OTHER:
        journal.append((row,), at=9.0)
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
    rows = journal.last_game() or ()
    assert rows == OTHER[: len(rows)]
    assert found.missing in (5 - len(rows), 5)  # 5: the newest game is lost whole
    if found.missing:
        assert path.with_name(found.aside).read_bytes() == before
    journal.append(OTHER, at=10.0)
    assert journal.last_game() == OTHER
    journal.close()
    return found.missing


PAGE = 4096


@pytest.fixture
def quick(sound: dict[str, bytes]) -> Iterator[Path]:
    """A journal's path in memory, where nothing waits for a disk."""
    with tempfile.TemporaryDirectory("-referee", dir=memory_folder()) as folder:
        yield Path(folder) / "folder" / "journal.db"


def flip_and_judge(path: Path, sound: dict[str, bytes], byte: int, bit: int) -> None:
    damaged = flipped(sound[""], byte, bit)
    lay_out(path, {**sound, "": damaged})
    assert judge(path, damaged) == 0


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("start", range(0, PAGE, 512))
def test_a_bit_flipped_in_any_byte_of_the_first_page_loses_nothing(
    quick: Path, sound: dict[str, bytes], start: int
) -> None:
    for byte in range(start, start + 512):
        for n in range(extent(1, soak=8)):
            flip_and_judge(quick, sound, byte, (byte + n) % 8)


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
    journal.append(GAME, at=0.0)
    journal._connected().execute("UPDATE rows SET position = 'nowhere' WHERE n = 5")
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
    names = sorted(file.name for file in path.parent.glob("*set-aside*.db"))
    assert names == [f"journal.set-aside{n}.db" for n in ("-2", "-3", "")]
    assert table(path.with_name("journal.set-aside.db"), "SELECT count(*) FROM rows") == [(5,)]


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
    journal = opened(path)
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
    assert raised.value.brief in ("disk full", "bad disk")
    rows = journal.last_game()
    assert rows is not None
    assert len(rows) == confirmed
    journal.close()


# Schemas: an older one is moved to ours, a newer one is left alone.

SCHEMA_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('schema', '1');
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    ruleset TEXT NOT NULL,
    seats TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT
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
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX chamber_events ON rows (boot, chamber_n) WHERE boot IS NOT NULL;
"""


def write_schema_1(path: Path, *games: tuple[Row, ...]) -> sqlite3.Connection:
    """Write a journal as the version before did, and leave it open, its rows in the log."""
    path.parent.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA_1)
    for number, rows in enumerate(games, 1):
        connection.execute(
            "INSERT INTO games VALUES (?, '\"royal-2023\"', '0', 'then', NULL)", [number]
        )
        for n, row in enumerate(rows, 1):
            values = (number, n, "then", row.action, row.position, row.source, row.boot, row.n)
            connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
    return connection


def test_a_journal_of_schema_1_goes_on_and_the_old_file_is_kept(path: Path) -> None:
    write_schema_1(path, OTHER[:3], GAME).close()
    before = path.read_bytes()
    assert found_in(path) == (GAME, Found(fold(GAME)))
    assert path.with_name("journal.schema-1.db").read_bytes() == before
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 3), (2, 5)]
    write(path, (Row("end", START),))
    assert reloaded(path) == ((*GAME, Row("end", START)), None)


def test_a_log_of_schema_1_that_was_never_folded_in_goes_on_too(path: Path, tmp_path: Path) -> None:
    before = write_schema_1(path, GAME)
    killed = tmp_path / "killed" / "journal.db"
    shutil.copytree(path.parent, killed.parent)
    before.close()
    assert found_in(killed) == (GAME, Found(fold(GAME)))
    assert table(killed.with_name("journal.schema-1.db"), "SELECT count(*) FROM rows") == [(5,)]


def parts_of(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.glob(f"{path.name}*"))


def test_what_an_old_schema_kept_in_its_log_is_folded_in_where_it_is_kept(
    path: Path, tmp_path: Path
) -> None:
    before = write_schema_1(path, GAME)
    killed = tmp_path / "killed" / "journal.db"
    shutil.copytree(path.parent, killed.parent)
    before.close()
    found_in(killed)
    kept = killed.with_name("journal.schema-1.db")
    assert parts_of(kept) == ["journal.schema-1.db"]
    assert kept.read_bytes() == path.read_bytes()
    assert table(kept, "SELECT count(*) FROM rows") == [(5,)]


@pytest.mark.parametrize("harm", ["added to", "changed"])
def test_an_old_log_of_which_not_all_can_be_read_is_kept_as_it_is(
    path: Path, tmp_path: Path, harm: str
) -> None:
    before = write_schema_1(path, GAME)
    killed = tmp_path / "killed" / "journal.db"
    shutil.copytree(path.parent, killed.parent)
    before.close()
    log = Path(f"{killed}-wal")
    data = log.read_bytes()
    log.write_bytes(data + b"x" * 500 if harm == "added to" else data[:-1] + b"x")
    harmed = log.read_bytes()
    found_in(killed)
    assert killed.with_name("journal.schema-1.db-wal").read_bytes() == harmed


SCHEMA_2 = SCHEMA_1.replace(
    "VALUES ('schema', '1')", "VALUES ('schema', '2'), ('made by', '0.1')"
).replace("    chamber_n INTEGER,\n", "    chamber_n INTEGER,\n    chain TEXT NOT NULL,\n")


def write_schema_2(path: Path, *games: tuple[Row, ...]) -> None:
    """Write a journal as the version before did, its rows chained."""
    path.parent.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(f"PRAGMA user_version = 2;{SCHEMA_2}")
    for number, rows in enumerate(games, 1):
        links: list[Link] = []
        for n, row in enumerate(rows, 1):
            links.append(link(links[-1].chain if links else "", n, "then", row))
        write_game(connection, Kept(number, tuple(links), "later" if number == 1 else None))
    connection.close()


def test_a_journal_of_schema_2_goes_on_and_the_old_file_is_kept(path: Path) -> None:
    write_schema_2(path, OTHER[:3], GAME)
    before = path.read_bytes()
    chained = table(path, "SELECT * FROM rows ORDER BY game, n")
    assert found_in(path) == (GAME, Found(fold(GAME)))
    kept = path.with_name("journal.schema-2.db")
    assert kept.read_bytes() == before
    assert parts_of(kept) == ["journal.schema-2.db"]
    assert table(path, "SELECT * FROM rows ORDER BY game, n") == chained
    assert table(path, "SELECT id, ended FROM games") == [(1, "later"), (2, None)]
    write(path, (Row("end", START),))
    assert reloaded(path) == ((*GAME, Row("end", START)), None)


@pytest.mark.parametrize("game", [1, 2])
def test_a_row_of_schema_2_that_is_not_as_recorded_is_not_taken_over(path: Path, game: int) -> None:
    write_schema_2(path, OTHER, OTHER)
    change(path, f"UPDATE rows SET action = 'throw 1 3' WHERE game = {game} AND n = 4")
    before = path.read_bytes()
    rows, found = found_in(path)
    assert path.with_name("journal.set-aside.db").read_bytes() == before
    assert found.warning is not None
    assert f"row 4 of game {game} is not as it was recorded" in found.warning
    assert (rows, found.missing) == (OTHER if game == 1 else OTHER[:3], 0 if game == 1 else 2)
    kept = {1: 5, 2: 5, game: 3}
    assert dict(table(path, "SELECT game, count(*) FROM rows GROUP BY game")) == kept  # type: ignore[arg-type]


def test_a_schema_2_with_strange_tables_is_set_aside(path: Path) -> None:
    write_schema_2(path, GAME)
    change(path, "CREATE TABLE recipes (name TEXT)")
    rows, found = found_in(path)
    assert rows == GAME
    assert "its tables are not those of this program" in (found.warning or "")


# Settings.


def test_settings_are_kept_and_a_later_value_takes_the_place_of_an_earlier_one(path: Path) -> None:
    journal = opened(path)
    assert journal.settings() == {}
    for key, value in (("brightness", "3"), ("player.A", "Zoë"), ("brightness", "4")):
        journal.put(key, value)
    assert journal.settings() == {"brightness": "4", "player.A": "Zoë"}
    journal.close()
    journal = opened(path)
    assert journal.settings() == {"brightness": "4", "player.A": "Zoë"}
    journal.close()


def test_a_setting_that_cannot_be_read_keeps_no_table_from_starting(path: Path) -> None:
    journal = opened(path)
    journal.put("brightness", "3")
    journal.close()
    change(path, "INSERT INTO settings VALUES ('volume', CAST(x'ff' AS TEXT))")
    change(path, "INSERT INTO settings VALUES (CAST(x'fe' AS TEXT), 'x')")
    journal, found = load(path)
    assert found.warning is None
    assert journal.settings() == {"brightness": "3"}
    journal.close()


@pytest.mark.parametrize("damage", [damaged_header, action_changed, unknown_schema])
def test_a_rescue_takes_sound_settings_over(path: Path, damage: Callable[[Path], None]) -> None:
    write(path, GAME)
    journal = opened(path)
    journal.put("brightness", "3")
    journal.put("player.A", "Zoë")
    journal.close()
    damage(path)
    journal, found = load(path)
    assert found.aside == "journal.set-aside.db"
    assert journal.settings() == {"brightness": "3", "player.A": "Zoë"}
    journal.close()


def test_settings_that_are_damaged_are_lost_and_the_games_are_not(path: Path) -> None:
    write(path, GAME)
    journal = opened(path)
    journal.put("brightness", "3")
    journal.close()
    data = bytearray(path.read_bytes())
    at = data.rindex(b"brightness") // 4096 * 4096
    path.write_bytes(data[:at] + b"\xff" * 4096 + data[at + 4096 :])
    journal, found = load(path)
    assert (journal.last_game(), found.missing) == (GAME, 0)
    assert journal.settings() == {}
    journal.put("brightness", "4")
    assert journal.settings() == {"brightness": "4"}
    journal.close()


def test_where_the_page_of_settings_was_something_elses_none_are_made_up(path: Path) -> None:
    write_schema_2(path, tuple(islice(rows_of_a_game(1), 400)))
    path.write_bytes(b"dear diary" + path.read_bytes()[10:])
    journal, found = load(path)
    assert found.missing == 0
    assert journal.settings() == {}
    journal.close()


def test_a_journal_of_a_newer_version_is_left_alone(path: Path) -> None:
    write(path, GAME)
    change(path, "PRAGMA user_version = 4")
    change(path, "UPDATE meta SET value = '4' WHERE key = 'schema'")
    change(path, "UPDATE meta SET value = '7.1' WHERE key = 'made by'")
    before = path.read_bytes()
    with pytest.raises(JournalError) as raised:
        load(path)
    assert str(raised.value) == (
        f"{path} was made by version 7.1 (schema 4), this is version {__version__} (schema 3): "
        "install 7.1 or a later one, or name another folder"
    )
    assert path.read_bytes() == before


# What the disk takes away.


def test_a_journal_that_was_removed_is_said_and_not_written_to(path: Path) -> None:
    journal = opened(path)
    journal.append(GAME, at=0.0)
    path.rename(path.with_name("elsewhere.db"))
    with pytest.raises(JournalError, match="is not there any more: put it or") as gone:
        journal.append((Row("end", START),), at=1.0)
    assert gone.value.brief == "disk gone"
    path.with_name("elsewhere.db").rename(path)
    journal.append((Row("end", START),), at=2.0)
    assert journal.last_game() == (*GAME, Row("end", START))
    journal.close()


def test_a_dangling_link_is_one_sentence(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path.parent / "nowhere.db")
    with pytest.raises(JournalError, match=r"journal\.db is not a file: move it away"):
        load(path)


def test_the_log_is_folded_in_at_the_end_of_a_turn(path: Path) -> None:
    journal = opened(path)
    log = Path(f"{path}-wal")
    journal.append(GAME, at=0.0)
    journal.settle(turn_over=False)
    assert log.stat().st_size > 0
    journal.settle(turn_over=True)
    assert log.stat().st_size == 0
    journal.append((Row("end", START),), at=1.0)
    journal.close()
    assert reloaded(path) == ((*GAME, Row("end", START)), None)


def test_somebody_who_reads_puts_the_folding_off_and_delays_nothing(path: Path) -> None:
    journal = opened(path)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM rows").fetchone()
    journal.append(GAME, at=0.0)
    journal.settle(turn_over=True)
    assert Path(f"{path}-wal").stat().st_size > 0
    reader.close()
    journal.settle(turn_over=True)
    assert Path(f"{path}-wal").stat().st_size == 0
    journal.close()


@pytest.mark.parametrize(
    ("name", "brief"),
    [
        ("SQLITE_FULL", "disk full"),
        ("SQLITE_READONLY_DIRECTORY", "read-only"),
        ("SQLITE_CANTOPEN_ISDIR", "no access"),
        ("SQLITE_BUSY", "disk busy"),
        ("SQLITE_IOERR_FSYNC", "bad disk"),
        ("SQLITE_MISMATCH", "no access"),
    ],
)
def test_each_trouble_has_its_words_for_the_panel(name: str, brief: str) -> None:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorname = name
    told = refused("the journal", "written", error)
    assert told.brief == brief
    assert str(told).startswith("the journal can't be written (what SQLite says): ")
    assert len(f"NOT SAVED: {told.brief}") <= 20
