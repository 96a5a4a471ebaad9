"""The log: each fault once, levels for systemd, plain words for people."""

import fcntl
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TextIO

import pytest

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from pi_app.system.logs import (
    LastComplaints,
    RateLimit,
    add_level_prefix,
    is_systemd_stream,
    log_handler,
)


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[TextIO]:
    with (tmp_path / "stream").open("w+") as file:
        yield file


def journal_stream(stream: TextIO) -> str:
    """What systemd tells a service whose stream its journal reads."""
    found = os.fstat(stream.fileno())
    return f"{found.st_dev}:{found.st_ino}"


def told(stream: TextIO, named: str | None) -> str:
    """Return what is told of one record of each level."""
    handler = log_handler(stream, named)
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        handler.handle(logging.LogRecord("x", level, "", 0, "a\nb", (), None))
    handler.flush()
    stream.seek(0)
    return stream.read()


def test_systemd_is_told_each_lines_level(stream: TextIO) -> None:
    lines = [f"<{level}>{line}\n" for level in (7, 6, 4, 3, 2) for line in "ab"]
    assert told(stream, journal_stream(stream)) == "".join(lines)


def test_people_are_told_whose_words_these_are(stream: TextIO) -> None:
    assert told(stream, None) == "referee: a\nb\n" * 5


def test_a_stream_that_was_turned_elsewhere_does_not_go_to_systemd(
    stream: TextIO, tmp_path: Path
) -> None:
    with (tmp_path / "other").open("w") as other:
        assert not is_systemd_stream(other, journal_stream(stream))
    assert not is_systemd_stream(other, "8:1")  # closed


@pytest.fixture
def pipe() -> Iterator[tuple[int, TextIO]]:
    """Return a pipe's end to read, and that to write, which takes four pages."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 16384)
    with os.fdopen(writing, "w") as stream:
        yield reading, stream
    with suppress(OSError):
        os.close(reading)


def entry(text: str) -> logging.LogRecord:
    return logging.LogRecord("x", logging.WARNING, "", 0, text, (), None)


def test_a_log_that_nobody_reads_is_not_waited_for_and_says_later_how_much_is_missing(
    pipe: tuple[int, TextIO],
) -> None:
    reading, stream = pipe
    handler = log_handler(stream, None)
    for n in range(10, 90):
        handler.handle(entry(f"{n} {'x' * 1000}"))
    lines = os.read(reading, 100_000).decode().splitlines()
    whole = [line for line in lines if len(line) == len("referee: 10 ") + 1000]
    left_out = 80 - len(whole)
    assert left_out > 60
    handler.handle(entry("read again"))
    handler.handle(entry("and on"))
    *cut, gap, first, second = os.read(reading, 100_000).decode().splitlines()
    assert cut in ([], [""])
    assert gap == f"referee: nobody read the log: entries left out: {left_out}"
    assert (first, second) == ("referee: read again", "referee: and on")


def test_a_long_entry_is_written_as_far_as_there_is_room_and_counts_as_left_out(
    pipe: tuple[int, TextIO],
) -> None:
    reading, stream = pipe
    handler = log_handler(stream, None)
    handler.handle(entry("y" * 100_000))
    assert os.read(reading, 100_000).startswith(b"referee: yyy")
    handler.handle(entry("next"))
    assert os.read(reading, 100_000).decode().splitlines() == [
        "",
        "referee: nobody read the log: entries left out: 1",
        "referee: next",
    ]


def test_a_log_whose_reader_has_gone_troubles_nobody(
    pipe: tuple[int, TextIO], capsys: pytest.CaptureFixture[str]
) -> None:
    reading, stream = pipe
    os.close(reading)
    log_handler(stream, None).handle(entry("anybody there?"))
    assert capsys.readouterr().err == ""


def test_what_is_told_seldom_is_told_once_a_minute() -> None:
    limit = RateLimit(60.0)
    told_at = [t for t in range(0, 200, 7) if limit.allows("busy", float(t))]
    assert told_at == [0, 63, 126, 189]
    assert limit.allows("another thing", 1.0)


def test_a_traceback_is_of_one_level() -> None:
    assert add_level_prefix(logging.ERROR, "one\n  two\nthree") == "<3>one\n<3>  two\n<3>three"


def test_a_complaint_is_news_once_until_it_changes_or_ends() -> None:
    complaints = LastComplaints()
    assert [complaints.is_new("disk", what) for what in ("full", "full", "gone", "full")] == [
        True,
        False,
        True,
        True,
    ]
    assert complaints.is_new("panel", "full")
    assert complaints.clear("disk")
    assert not complaints.clear("disk")
    assert complaints.is_new("disk", "full")
    assert not complaints.is_new("panel", "full")


@pytest.mark.slow
def test_a_table_tells_of_start_games_and_stop(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for seed in (2, 3):
        with open_simulation(load_config(DEFAULT), 2, tmp_path, ruleset="pop-28") as played:
            player = SimulatedPlayer(played, Random(seed))
            if seed == 2:
                player.begin((0, 2))
                while player.game.throws < 20:
                    player.act()
            else:
                player.play(())
    game = 'A, C by "pop-28"'
    began, goes_on = f"a game begins: {game}", f"a game goes on: {game}"
    start, stop = r"version \S+, the journal in .+", "the table is closed"
    wanted = [start, began, stop, start, goes_on, "the game is over", stop]
    texts = [record.getMessage() for record in caplog.records]
    assert len(texts) == len(wanted)
    assert all(re.fullmatch(want, text) for want, text in zip(wanted, texts, strict=True)), texts
    assert {record.levelname for record in caplog.records} == {"INFO"}


@pytest.mark.parametrize("service", [True, False])
def test_what_ends_the_program_is_an_error_to_systemd(
    stream: TextIO, tmp_path: Path, service: bool
) -> None:
    environment = {**os.environ, "JOURNAL_STREAM": journal_stream(stream) if service else "8:1"}
    command = [sys.executable, "-m", "pi_app", "backup", "x.db", "--folder", str(tmp_path)]
    subprocess.run(command, stderr=stream, env=environment, check=False, timeout=60)
    stream.seek(0)
    sentence = f"{tmp_path}/journal.db is not there: play first, or name another folder\n"
    assert stream.read() == ("<3>" if service else "referee: ") + sentence
