"""Whatever SQLite refuses, a command ends well or with one sentence, and a report is made."""

import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from pi_app.__main__ import main
from pi_app.record.journal import FILE, load
from tests.pi_app.commands.test_backup_and_report import members
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import commit

COMMANDS = (
    ("games",),
    ("show", "1"),
    ("export", "1"),
    ("stats",),
    ("review", "1"),
    ("backup", "FILE"),
    ("report", "FILE"),
    ("report", "FILE", "--names"),
)


class Refusing(sqlite3.Connection):
    """A database that refuses one statement, counted over all its connections."""

    statements: Iterator[int]
    refused: int

    def _count(self) -> None:
        if next(self.statements) == self.refused:
            raise sqlite3.OperationalError("disk I/O error")

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        return super().execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        return super().executemany(*arguments)

    def executescript(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        return super().executescript(*arguments)


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let SQLite refuse the statement with this number from now on."""
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Refusing))

    def refuse(number: int) -> None:
        Refusing.statements, Refusing.refused = count(1), number

    return refuse


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with a journal of two short games."""
    journal, _ = load(tmp_path / "games" / FILE)
    for seed in (1, 2):
        commit(journal, islice(rows_of_a_game(seed), 8), at=0.0)
    journal.close()
    return tmp_path / "games"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_statement_of_a_command_may_be_refused(
    command: tuple[str, ...],
    games: Path,
    refuse: Callable[[int], None],
) -> None:
    file = games / "file"
    arguments = [str(file) if word == "FILE" else word for word in command]
    for number in count(1):
        refuse(number)
        with suppress(SystemExit):
            main([*arguments, "--folder", str(games)])
        if command[0] == "report":
            said = members(file)["report.txt"]
            assert b"disk I/O error" in said or b"2 games" in said
        file.unlink(missing_ok=True)
        if next(Refusing.statements) <= number:  # the command has fewer statements
            break
    assert number > 3


def damage_version(journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA user_version = 99")


def damage_meta(journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("UPDATE meta SET value = '7' WHERE key = 'schema'")
        connection.commit()


def drop(table: str) -> Callable[[Path], None]:
    def drop_table(journal: Path) -> None:
        with closing(sqlite3.connect(journal)) as connection:
            connection.execute(f"DROP TABLE {table}")

    return drop_table


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (damage_version, "journal.db is damaged (it has schema 6 and 99)"),
        (damage_meta, "journal.db is damaged (it has schema 7 and 6)"),
        (drop("meta"), "journal.db is damaged (no such table: meta)"),
        (drop("rows"), "journal.db is damaged (no such table: rows)"),
        (drop("settings"), "journal.db is damaged (no such table: settings)"),
    ],
    ids=["version", "a bit in meta", "no meta", "no rows", "no settings"],
)
def test_a_report_of_a_damaged_journal_says_why_it_is_left_out(
    damage: Callable[[Path], None], reason: str, games: Path
) -> None:
    damage(games / FILE)
    main(["report", str(games / "told"), "--folder", str(games)])
    files = members(games / "told")
    assert list(files) == ["report.txt", "effective.toml", "faults.log", "log.txt"]
    assert reason in files["report.txt"].decode()
    main(["report", str(games / "all"), "--folder", str(games), "--names"])
    assert FILE in members(games / "all")


def test_a_report_without_room_for_a_copy_says_so(games: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((games / FILE).stat().st_size - 1, before[1]))
    try:
        main(["report", str(games / "told"), "--folder", str(games)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = members(games / "told")["report.txt"].decode()
    assert (
        f"{games}/journal.db can't be copied ([Errno 27] File too large): free some space" in said
    )


def test_a_report_waits_for_no_journal_that_is_a_pipe(games: Path) -> None:
    (games / FILE).unlink()
    os.mkfifo(games / FILE)
    main(["report", str(games / "told"), "--folder", str(games), "--names"])
    assert b"journal.db is not a file" in members(games / "told")["report.txt"]
