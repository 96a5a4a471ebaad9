"""Journals of other versions: older ones are moved to ours or set aside, newer ones are left."""

from pathlib import Path

import pytest

from pi_app import __version__
from pi_app.model.history import Row, fold
from pi_app.record.journal import OpenedJournal, load
from pi_app.record.schema import (
    CREATE,
    SCHEMA,
    GameHead,
    StoredGame,
    connect,
    stored_row,
    write_game,
)
from pi_app.record.trouble import JournalError
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journals import (
    GAME,
    OTHER,
    START,
    chained,
    change,
    found_in,
    opened,
    reloaded,
    table,
    write,
)

OLDER = SCHEMA - 1
MAKE_OLDER = f"""
PRAGMA user_version = {OLDER};
UPDATE meta SET value = '{OLDER}' WHERE key = 'schema';
DROP INDEX chamber_events;
INSERT INTO settings VALUES ('brightness', 'low');
"""
NAMES = '{"A": "LUC red"}'


def write_older_journal(path: Path, *games: tuple[Row, ...]) -> None:
    """Write a journal as if an older schema had no index, its last rows in its log after a kill."""
    path.parent.mkdir()
    killed = path.with_name("killed.db")
    connection = connect(killed)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(CREATE + MAKE_OLDER)
    for number, rows in enumerate(games, 1):
        if number == len(games):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        head = GameHead("later" if number == 1 else None, NAMES)
        write_game(
            connection, StoredGame(number, chained(stored_row(0, "", row) for row in rows), head)
        )
    for part in ("", "-wal"):
        Path(f"{path}{part}").write_bytes(Path(f"{killed}{part}").read_bytes())
    connection.close()
    killed.unlink()


def test_a_journal_of_an_older_schema_goes_on_whole_and_the_old_file_is_kept(path: Path) -> None:
    write_older_journal(path, OTHER[:3], GAME)
    before = {part: Path(f"{path}{part}").read_bytes() for part in ("", "-wal")}
    assert before["-wal"]
    assert found_in(path) == (GAME, OpenedJournal(fold(GAME)))
    for part, data in before.items():
        assert path.with_name(f"journal.schema-{OLDER}.db{part}").read_bytes() == data
    heads = table(path, "SELECT id, ended, names, damage FROM games")
    assert heads == [(1, "later", NAMES, None), (2, None, NAMES, None)]
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 3), (2, 5)]
    assert opened_settings(path) == {"brightness": "low"}
    end = recorded("end", START, by="B", hint="step")
    write(path, (end,))
    assert reloaded(path) == ((*GAME, end), None)


def opened_settings(path: Path) -> dict[str, str]:
    journal = opened(path)
    journal.close()
    return journal.settings()


def test_an_old_game_of_an_older_schema_with_a_changed_row_goes_on_as_far_as_it_is_sound(
    path: Path,
) -> None:
    write_older_journal(path, OTHER, GAME)
    change(path, "UPDATE rows SET action = 'throw 1 3' WHERE game = 1 AND n = 4")
    assert found_in(path) == (GAME, OpenedJournal(fold(GAME)))
    assert table(path, "SELECT id, damage FROM games") == [
        (1, "row 4 of game 1 is not as it was recorded"),
        (2, None),
    ]
    assert table(path, "SELECT game, count(*) FROM rows GROUP BY game") == [(1, 3), (2, 5)]


def test_a_journal_whose_older_schema_cannot_be_read_is_set_aside_whole(path: Path) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    change(path, f"INSERT INTO meta VALUES ('schema', '{OLDER}')")
    change(path, f"PRAGMA user_version = {OLDER}")
    change(path, "CREATE TABLE rows (game INTEGER, n INTEGER, action TEXT)")
    change(path, "INSERT INTO rows VALUES (1, 1, 'throw 1 2')")
    before = path.read_bytes()
    rows, found = found_in(path)
    assert rows is None
    assert found.warning == (
        f"{path} can't be continued (no such table: games): "
        "kept whole as journal.aside.db, a new one is begun"
    )
    assert path.with_name("journal.aside.db").read_bytes() == before


def test_a_journal_of_a_newer_version_is_left_alone(path: Path) -> None:
    write(path, GAME)
    change(path, "PRAGMA user_version = 7")
    change(path, "UPDATE meta SET value = '7' WHERE key = 'schema'")
    change(path, "UPDATE meta SET value = '8.1' WHERE key = 'made by'")
    before = path.read_bytes()
    with pytest.raises(JournalError) as raised:
        load(path)
    assert str(raised.value) == (
        f"{path} was made by version 8.1 (schema 7), this is version {__version__} (schema 6): "
        "install 8.1 or a later one, or name another folder"
    )
    assert path.read_bytes() == before
