"""Journals of older and newer versions, and what is set at the table."""

import shutil
import sqlite3
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from pi_app import __version__
from pi_app.record.history import Row, fold
from pi_app.record.journal import Found, load
from pi_app.record.schema import Link, link
from pi_app.record.trouble import JournalError
from tests.pi_app.record.journal_writer import rows_of_a_game
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
from tests.pi_app.record.test_journal_damage import action_changed, damaged_header, unknown_schema

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
        begun, _, seats = rows[0].action.removeprefix("new ").rpartition(" seats ")
        ended = "later" if number == 1 else None
        game = (number, begun, seats, "then", ended)
        connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", game)
        for n, at, row, chain, _ in links:
            values = (number, n, at, row.action, row.position, row.source, row.boot, row.n, chain)
            connection.execute(f"INSERT INTO rows VALUES ({', '.join('?' * 9)})", values)
    connection.close()


def test_a_journal_of_schema_2_goes_on_and_the_old_file_is_kept(path: Path) -> None:
    write_schema_2(path, OTHER[:3], GAME)
    before = path.read_bytes()
    chained = table(path, "SELECT * FROM rows ORDER BY game, n")
    assert found_in(path) == (GAME, Found(fold(GAME)))
    kept = path.with_name("journal.schema-2.db")
    assert kept.read_bytes() == before
    assert parts_of(kept) == ["journal.schema-2.db"]
    as_it_was = [(*row, None, None, None) for row in chained]
    assert table(path, "SELECT * FROM rows ORDER BY game, n") == as_it_was
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


def write_schema_3(path: Path, *games: tuple[Row, ...]) -> None:
    """Write a journal as the version before did, with a setting."""
    write_schema_2(path, *games)
    change(path, "UPDATE meta SET value = '3' WHERE key = 'schema'")
    change(path, "PRAGMA user_version = 3")
    made = "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"
    change(path, made)
    change(path, "INSERT INTO settings VALUES ('brightness', 'low')")


def test_a_journal_of_schema_3_goes_on_with_its_settings_and_the_old_file_is_kept(
    path: Path,
) -> None:
    write_schema_3(path, OTHER[:3], GAME)
    before = path.read_bytes()
    assert found_in(path) == (GAME, Found(fold(GAME)))
    assert path.with_name("journal.schema-3.db").read_bytes() == before
    journal = opened(path)
    assert journal.settings() == {"brightness": "low"}
    journal.append((Row("end", START, by="B"),), at=1.0, over=True)
    journal.close()
    assert reloaded(path) == ((*GAME, Row("end", START, by="B")), None)


def test_a_row_of_schema_3_that_is_not_as_recorded_is_not_taken_over(path: Path) -> None:
    write_schema_3(path, OTHER, GAME)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 1 AND n = 4")
    rows, found = found_in(path)
    assert rows == GAME
    assert "row 4 of game 1 is not as it was recorded" in (found.warning or "")
    assert dict(table(path, "SELECT * FROM settings")) == {"brightness": "low"}  # type: ignore[arg-type]


def write_schema_4(path: Path, *games: tuple[Row, ...]) -> None:
    """Write a journal as the version before did, its rows with who did them."""
    write_schema_3(path, *games)
    change(path, "UPDATE meta SET value = '4' WHERE key = 'schema'")
    change(path, "PRAGMA user_version = 4")
    change(path, "DROP TABLE rows")
    rows = SCHEMA_2[SCHEMA_2.index("CREATE TABLE rows") :]
    for statement in rows.replace(
        "NOT NULL,\n    PRIMARY", "NOT NULL,\n    by TEXT,\n    PRIMARY"
    ).split(";"):
        change(path, statement)
    for number, game in enumerate(games, 1):
        before = ""
        for n, row in enumerate(game, 1):
            one = link(before, n, "then", row)
            values = (number, n, "then", *(row.action, row.position, row.source, row.boot, row.n))
            insert(path, (*values, one.chain, row.by))
            before = one.chain


def insert(path: Path, values: tuple[object, ...]) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"INSERT INTO rows VALUES ({', '.join('?' * len(values))})", values)
    connection.commit()
    connection.close()


FOR_C = (*GAME[:-1], Row("throw 1 2", START, "kernel", by="C"))


def test_a_journal_of_schema_4_goes_on_with_who_did_what_and_the_old_file_is_kept(
    path: Path,
) -> None:
    write_schema_4(path, OTHER[:3], FOR_C)
    before = path.read_bytes()
    assert found_in(path) == (FOR_C, Found(fold(FOR_C)))
    assert path.with_name("journal.schema-4.db").read_bytes() == before
    asked = Row("end", START, hint="step")
    journal = opened(path)
    journal.append((asked,), None, over=True, t=2.5)
    journal.close()
    assert reloaded(path) == ((*FOR_C, asked), None)
    times = "SELECT at, played FROM rows WHERE game = 2 AND n > 4"
    assert table(path, times) == [("then", None), ("", 2500)]


def test_a_row_of_schema_4_that_is_not_as_recorded_is_not_taken_over(path: Path) -> None:
    write_schema_4(path, OTHER, FOR_C)
    change(path, "UPDATE rows SET by = 'D' WHERE game = 1 AND n = 4")
    rows, found = found_in(path)
    assert rows == FOR_C
    assert "row 4 of game 1 is not as it was recorded" in (found.warning or "")


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
        journal.append((), 0.0, puts=((key, value),))
    assert journal.settings() == {"brightness": "4", "player.A": "Zoë"}
    journal.close()
    journal = opened(path)
    assert journal.settings() == {"brightness": "4", "player.A": "Zoë"}
    journal.close()


def test_a_setting_that_cannot_be_read_keeps_no_table_from_starting(path: Path) -> None:
    journal = opened(path)
    journal.append((), 0.0, puts=(("brightness", "3"),))
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
    journal.append((), 0.0, puts=(("brightness", "3"),))
    journal.append((), 0.0, puts=(("player.A", "Zoë"),))
    journal.close()
    damage(path)
    journal, found = load(path)
    assert found.aside == "journal.set-aside.db"
    assert journal.settings() == {"brightness": "3", "player.A": "Zoë"}
    journal.close()
    assert table(path, "SELECT names FROM games") == [('{"A": "Zo\\u00eb"}',)]


def test_settings_that_are_damaged_are_lost_and_the_games_are_not(path: Path) -> None:
    write(path, GAME)
    journal = opened(path)
    journal.append((), 0.0, puts=(("brightness", "3"),))
    journal.close()
    data = bytearray(path.read_bytes())
    at = data.rindex(b"brightness") // 4096 * 4096
    path.write_bytes(data[:at] + b"\xff" * 4096 + data[at + 4096 :])
    journal, found = load(path)
    assert (journal.last_game(), found.missing) == (GAME, 0)
    assert journal.settings() == {}
    journal.append((), 0.0, puts=(("brightness", "4"),))
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
    change(path, "PRAGMA user_version = 6")
    change(path, "UPDATE meta SET value = '6' WHERE key = 'schema'")
    change(path, "UPDATE meta SET value = '7.1' WHERE key = 'made by'")
    before = path.read_bytes()
    with pytest.raises(JournalError) as raised:
        load(path)
    assert str(raised.value) == (
        f"{path} was made by version 7.1 (schema 6), this is version {__version__} (schema 5): "
        "install 7.1 or a later one, or name another folder"
    )
    assert path.read_bytes() == before
