"""`referee backup` and `referee report`: by any user who may read, whatever the table does."""

import re
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pi_app import __version__
from pi_app.__main__ import main
from pi_app.commands import journal_folder
from pi_app.commands.report import unused_name
from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config, parse_config
from pi_app.model.history import Row
from pi_app.record.copying import copy_journal
from pi_app.record.imported import store_imported
from pi_app.record.journal import FILE, Journal, load
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import commit, last_game
from tests.pi_app.stranger import read_only, readable_folder, referee, state

pytestmark = pytest.mark.slow  # nearly each test starts a process

ROWS = tuple(islice(rows_of_a_game(5), 40))


@pytest.fixture
def here() -> Iterator[Path]:
    """A folder which another user may read, with one in which everybody may write."""
    with readable_folder() as folder:
        (folder / "desk").mkdir()
        (folder / "desk").chmod(0o777)
        yield folder


def played(folder: Path, rows: tuple[Row, ...] = ROWS) -> Journal:
    """Return the open journal of a table at which two games were begun."""
    journal, _ = load(folder / "games" / FILE)
    commit(journal, rows[:10], at=0.0)
    commit(journal, rows, at=1.0)
    commit(journal, (), 0.0, puts=(("player.A", "Wilhelmina"),))
    commit(journal, (), 0.0, puts=(("brightness", "3"),))
    return journal


def crashed(folder: Path, *parts: str) -> None:
    """Leave what a crash leaves of a journal: its database, and these files beside it."""
    journal = played(folder)
    shutil.copytree(folder / "games", folder / "lying")
    journal.close()
    shutil.rmtree(folder / "games")
    (folder / "games").mkdir()
    for part in ("", *parts):
        shutil.copy(folder / "lying" / f"{FILE}{part}", folder / "games")


def members(report: Path) -> dict[str, bytes]:
    with tarfile.open(report) as archive:
        files = {one.name: archive.extractfile(one) for one in archive.getmembers()}
        return {
            name.removeprefix("referee-report/"): file.read()
            for name, file in files.items()
            if file is not None
        }


# Another user, who may read and not write.


def keep_and_report(here: Path) -> None:
    """See that a stranger's backup and report are whole, and that nothing was touched."""
    games = here / "games"
    with read_only(games):
        before = state(games)
        kept = referee("backup", here / "desk" / "kept.db", "--folder", games)
        told = referee("report", here / "desk" / "told.tar.gz", "--folder", games)
        assert state(games) == before
    assert (kept.stderr, told.stderr) == ("", "")
    assert kept.stdout == f"{here}/desk/kept.db contains 2 games (50 actions)\n"
    assert b"journal.db: 2 games, 50 rows" in members(here / "desk" / "told.tar.gz")["report.txt"]
    again = here / "again"
    again.mkdir()
    shutil.copy(here / "desk" / "kept.db", again / FILE)
    journal, found = load(again / FILE)
    with closing(journal):
        assert (found.aside, last_game(again / FILE)) == ("", ROWS)
        assert journal.settings() == {"player.A": "Wilhelmina", "brightness": "3"}


def test_a_stranger_keeps_and_reports_while_the_table_plays(here: Path) -> None:
    journal = played(here)
    keep_and_report(here)
    commit(journal, islice(rows_of_a_game(5), 40, 41), at=2.0)
    journal.close()


@pytest.mark.slow
def test_a_stranger_keeps_and_reports_when_the_table_has_ended(here: Path) -> None:
    played(here).close()
    keep_and_report(here)


@pytest.mark.slow
@pytest.mark.parametrize("parts", [("-wal", "-shm"), ("-wal",)], ids=["with shm", "without"])
def test_a_stranger_keeps_and_reports_after_a_crash(here: Path, parts: tuple[str, ...]) -> None:
    crashed(here, *parts)
    keep_and_report(here)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="a system without /dev/shm")
def test_a_backup_in_memory_says_that_it_is_lost_when_the_power_goes(here: Path) -> None:
    played(here).close()
    with TemporaryDirectory(dir="/dev/shm") as memory:
        Path(memory).chmod(0o777)
        copy = Path(memory) / "kept.db"
        done = referee("backup", copy, "--folder", here / "games")
    assert done.stdout.splitlines()[1:] == [f"{copy} is in memory: it is lost when the power goes"]


@pytest.mark.parametrize(
    "command", [("backup", "kept.db"), ("games",), ("stats",), ("export", "1"), ("show", "1")]
)
def test_a_folder_that_may_not_be_entered_is_one_sentence(
    here: Path, command: tuple[str, ...]
) -> None:
    played(here).close()
    (here / "games").chmod(0o700)
    done = referee(*command, "--folder", here / "games")
    assert done.returncode == 1
    assert done.stderr == (
        f"referee: {here}/games/journal.db can't be read (Permission denied): "
        "name another folder, or use sudo\n"
    )


def test_a_report_on_a_folder_that_may_not_be_entered_says_so(here: Path) -> None:
    played(here).close()
    (here / "games").chmod(0o700)
    done = referee("report", here / "desk" / "told.tar.gz", "--folder", here / "games")
    assert done.returncode == 0, done.stderr
    assert b"Permission denied" in members(here / "desk" / "told.tar.gz")["report.txt"]


def test_a_journal_that_may_not_be_read_is_one_sentence(here: Path) -> None:
    played(here).close()
    (here / "games" / FILE).chmod(0)
    done = referee("backup", here / "desk" / "kept.db", "--folder", here / "games")
    assert done.returncode == 1
    assert done.stderr == (
        f"referee: {here}/games/journal.db can't be read (Permission denied): "
        "name another folder, or use sudo\n"
    )
    assert list((here / "desk").iterdir()) == []


# Backup.


def test_a_backup_says_which_games_are_not_in_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(here).close()
    store_imported(here / "games" / FILE, b"{}\n")
    main(["backup", str(here / "kept.db"), "--folder", str(here / "games")])
    assert capsys.readouterr().out == (
        f"{here}/kept.db contains 2 games (50 actions)\n"
        f"1 imported game not copied: copy {here}/games/imported too\n"
    )


def test_a_backup_overwrites_nothing(here: Path) -> None:
    played(here).close()
    (here / "kept.db").write_text("my diary")
    with pytest.raises(SystemExit, match=r"kept\.db exists already: name another file"):
        main(["backup", str(here / "kept.db"), "--folder", str(here / "games")])
    assert (here / "kept.db").read_text() == "my diary"


def test_a_backup_where_nothing_can_be_written_is_one_sentence(here: Path) -> None:
    played(here).close()
    with pytest.raises(SystemExit, match=r"no/kept\.db can't be written \(No such file or dir"):
        main(["backup", str(here / "no" / "kept.db"), "--folder", str(here / "games")])


def test_a_backup_of_no_journal_is_one_sentence(here: Path) -> None:
    with pytest.raises(SystemExit, match=r"games/journal\.db is not there: play first, or name"):
        main(["backup", str(here / "kept.db"), "--folder", str(here / "games")])
    assert not (here / "kept.db").exists()


def test_a_backup_follows_the_configuration(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(here).close()
    config = here / "my.toml"
    config.write_text(
        f'table.journal_folder = "{here}/games"\npanel.A.ok = 17\npanel.C.ok = 16\n',
        encoding="utf-8",
    )
    main(["backup", str(here / "kept.db"), "--config", str(config)])
    assert capsys.readouterr().out == f"{here}/kept.db contains 2 games (50 actions)\n"


def test_a_backup_needs_of_the_configuration_only_where_the_journal_is(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(here).close()
    config = here / "my.toml"
    config.write_text(f'table.journal_folder = "{here}/games"\npins.dome = 99\n', encoding="utf-8")
    main(["backup", str(here / "kept.db"), "--config", str(config)])
    told = capsys.readouterr()
    assert told.out == f"{here}/kept.db contains 2 games (50 actions)\n"
    assert told.err == (
        f"referee: {config} can't be used (check it with `referee check-config {config}`): "
        f"reading the journal from {here}/games\n"
    )


@pytest.mark.parametrize("text", ["no TOML", 'table.journal_folder = "games"', "pins.dome = 99"])
def test_a_backup_where_no_folder_can_be_read_looks_in_the_usual_one(
    here: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    config = here / "my.toml"
    config.write_text(text)
    usual = load_config(DEFAULT).journal
    assert journal_folder(config) == usual
    assert f"{config} can't be used" in (told := capsys.readouterr().err)
    assert told.endswith(f"reading the journal from {usual}\n")


def test_a_backup_to_a_named_folder_asks_no_configuration(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(here).close()
    folder = ["--folder", str(here / "games"), "--config", str(here / "none.toml")]
    main(["backup", str(here / "kept.db"), *folder])
    assert capsys.readouterr().err == ""


# Report.


def reported(here: Path, *options: str) -> dict[str, bytes]:
    file = here / "told.tar.gz"
    file.unlink(missing_ok=True)
    main(["report", str(file), "--folder", str(here / "games"), *options])
    return members(file)


def test_a_report_says_all_that_is_asked_first(here: Path) -> None:
    played(here).close()
    (here / "games" / "journal.aside.db").write_bytes(b"x" * 4321)
    files = reported(here)
    assert list(files) == ["report.txt", "effective.toml", "faults.log", "log.txt", FILE]
    said = files["report.txt"].decode()
    for what in (
        f"referee {__version__}",
        r"Python 3\.1\d\.\d+, SQLite 3\.",
        r"gpiozero \d",
        r"luma\.oled \d",
        r"pillow \d",
        f"{here}/games: " + r"[\d.]+ [MG]B free",
        r"4321 journal\.aside\.db",
        r"journal\.db: 2 games, 50 rows",
    ):
        assert re.search(what, said), what
    assert parse_config(files["effective.toml"].decode()) == load_config(DEFAULT)
    (here / "copy.db").write_bytes(files[FILE])
    with copy_journal(here / "copy.db") as (_, held):
        assert held == (2, 50)


def test_a_report_has_the_players_names_only_if_asked_for(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(here).close()
    store_imported(here / "games" / FILE, b'{"names": {"A": "Wilhelmina"}}\n')
    assert b"Wilhelmina" not in b"".join(reported(here).values())
    assert b"1 imported game, left out\n" in reported(here)["report.txt"]
    capsys.readouterr()
    reported(here)
    assert (
        "does not contain players' names, but names of house rules and of the page, and the whole "
        "configuration: look inside" in capsys.readouterr().out
    )
    assert b"Wilhelmina" in reported(here, "--names")[FILE]
    assert "the file contains players' names" in capsys.readouterr().out


def test_a_report_has_the_configuration_that_is_used_and_the_file_it_comes_from(here: Path) -> None:
    played(here).close()
    config = here / "my.toml"
    config.write_text("# mine\npanel.A.ok = 17\npanel.C.ok = 16\n")
    files = reported(here, "--config", str(config))
    assert files["referee.toml"] == config.read_bytes()
    assert b"panel.C.ok = 16\npanel.C.next = false\n" in files["effective.toml"]


def test_a_report_names_no_home_folder_unless_asked_for(here: Path) -> None:
    played(here).close()
    config = here / "my.toml"
    config.write_text(
        'table.journal_folder = "/home/wilhelmina/games"\npanel.A.ok = 17\npanel.C.ok = 16\n'
    )
    without, with_names = (
        reported(here, "--config", str(config), *names) for names in ([], ["--names"])
    )
    for name in ("effective.toml", "referee.toml"):
        assert b'"/home/NAME/games"' in without[name]
        assert b'"/home/wilhelmina/games"' in with_names[name]


def test_a_report_is_made_where_configuration_and_journal_are_in_disorder(here: Path) -> None:
    (here / "games").mkdir()
    (here / "games" / FILE).write_text("a shopping list\n" * 300)
    config = here / "my.toml"
    config.write_text("pins.dome = 99")
    files = reported(here, "--config", str(config))
    assert b"my.toml, line 1: pins.dome is 99: write" in files["effective.toml"]
    assert b"journal.db is damaged (file is not a database)" in files["report.txt"]
    assert b"left out: it may contain names; --names includes it" in files["report.txt"]
    assert FILE not in files
    assert reported(here, "--names")[FILE] == b"a shopping list\n" * 300


def test_a_report_has_the_services_log(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(here).close()
    journalctl = here / "journalctl"
    journalctl.write_text("#!/bin/sh\necho \"asked for $*\"\necho 'not all is shown' >&2\n")
    journalctl.chmod(0o755)
    monkeypatch.setenv("PATH", str(here))
    assert reported(here)["log.txt"] == (
        b"asked for --unit referee --no-hostname --no-pager --lines 5000\nnot all is shown\n"
    )
    journalctl.unlink()
    assert b"the log can't be read (" in reported(here)["log.txt"]


def test_a_report_overwrites_nothing_and_is_named_by_version_and_time(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(here).close()
    monkeypatch.chdir(here)
    main(["report", "--folder", str(here / "games")])
    [file] = here.glob("referee-report-*")
    name = rf"referee-report-{re.escape(__version__)}-\d{{4}}-\d\d-\d\d-\d{{6}}\.tar\.gz"
    assert re.fullmatch(name, file.name)
    with pytest.raises(SystemExit, match="exists already: name another file"):
        main(["report", str(file), "--folder", str(here / "games")])


def test_two_reports_within_a_second_have_names_of_their_own(here: Path) -> None:
    at = datetime(2026, 7, 4, 9, 5, 3)
    name = f"referee-report-{__version__}-2026-07-04-090503"
    for ending in ("", "-2", "-3"):
        file = unused_name(here, at)
        assert file.name == f"{name}{ending}.tar.gz"
        file.touch()
