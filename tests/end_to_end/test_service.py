"""The table as systemd has it: what it is told, when it ends and how, what stays on the panel."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

import pytest

from pi_app.config.keys import DEFAULT
from pi_app.devices.oled import JOIN_S
from pi_app.model.events import Setup
from pi_app.model.screens import Screen
from pi_app.record.disk import is_in_memory
from pi_app.record.journal import FILE, load
from pi_app.record.schema import kept_settings
from pi_app.settings.settings import LANGUAGE
from pi_app.table.telling import last_pages
from pi_app.texts.language import language_names
from tests.end_to_end.service import LONG_S, PINS, Service
from tests.pi_app.sitting import Sitting

Start = Callable[..., Service]
LINE_ADDED = str(len(DEFAULT.read_text().splitlines()) + 1)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    services: list[Service] = []

    def begin(settings: str = "", watchdog_s: float = 0.0) -> Service:
        services.append(Service(tmp_path, settings, watchdog_s))
        return services[-1]

    yield begin
    for service in services:
        service.close()


def test_systemd_hears_ready_then_that_the_loop_lives_then_the_end(start: Start) -> None:
    service = start(watchdog_s=0.3)
    service.expect("READY=1")
    assert service.told == ["STATUS=players join", "READY=1"]
    service.expect("WATCHDOG=1")
    status = service.end()
    service.expect("STOPPING=1")
    assert set(service.told[2:-1]) == {"WATCHDOG=1"}
    assert status == 0
    start_line, *_, stop_line = service.complaint().splitlines()
    assert start_line.endswith(f", the journal in {service.folder}/games")
    assert stop_line == "referee: the table is closed"


@pytest.mark.slow
def test_the_first_start_asks_for_the_language_and_the_next_one_does_not(tmp_path: Path) -> None:
    asking = Sitting(Setup(languages=language_names(), asks_language=True)).reply.screen
    with closing(Service(tmp_path, language="")) as service:
        service.expect("READY=1")
        end = monotonic() + LONG_S
        while not service.shows(asking):
            assert monotonic() < end, "nothing is asked"
        service.down("C.ok")
        while service.shows(asking):
            assert monotonic() < end, "no panel answers"
        service.end()
    assert kept_settings(tmp_path / "games" / FILE)[LANGUAGE.key] == "en"
    shutil.rmtree(tmp_path / "run")
    (tmp_path / "unit").unlink()
    with closing(Service(tmp_path, language="")) as service:
        while not service.pixels():
            assert monotonic() < end, "nothing is shown"
        assert not service.shows(asking)


@pytest.mark.slow
def test_a_loop_that_is_stuck_does_not_say_that_it_lives(start: Start, tmp_path: Path) -> None:
    service = start(watchdog_s=0.3)
    service.expect("WATCHDOG=1")
    (tmp_path / "hang").touch()
    assert service.words_until_quiet(2.0) <= 2  # what was under way when it got stuck
    assert service.process.poll() is None
    service.end(signal.SIGABRT)  # as the watchdog does
    assert "in gpio_read" in service.complaint()


@pytest.mark.slow
def test_sigterm_ends_it_its_log_folded_in_and_the_panel_dark(start: Start, tmp_path: Path) -> None:
    service = start()
    service.expect("READY=1")
    assert (tmp_path / "games" / f"{FILE}-wal").exists()
    status = service.end()
    assert (status, service.pixels()) == (0, b"")
    assert not (tmp_path / "games" / f"{FILE}-wal").exists()


@pytest.mark.slow
def test_a_panel_whose_bus_is_stuck_does_not_hold_up_the_end(start: Start, tmp_path: Path) -> None:
    (tmp_path / "stuck").touch()
    service = start()
    service.expect("READY=1")
    status = service.end()
    assert status == 0  # it ended at all; JOIN_S is what it waits for the panel
    assert JOIN_S < 0.5


@pytest.mark.slow
def test_a_log_that_nobody_reads_does_not_hold_up_the_end(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b".")
    os.set_blocking(writing, True)
    with closing(Service(tmp_path, log=writing)) as service:
        os.close(writing)
        service.expect("READY=1")
        status = service.end()
    os.close(reading)
    assert status == 0


@pytest.mark.slow
def test_where_no_press_is_reported_any_more_it_ends_and_may_be_started_anew(start: Start) -> None:
    service = start()
    service.expect("READY=1")
    service.metal("die")
    assert service.status() == 1
    assert "no more presses arrive from the pins" in service.complaint()


# What keeps a table away.


def newer_journal(folder: Path) -> None:
    games = folder / "games"
    journal, _ = load(games / FILE)
    journal.close()
    with closing(sqlite3.connect(games / FILE)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        connection.execute("UPDATE meta SET value = '9.8.7' WHERE key = 'made by'")


KEPT_AWAY: dict[str, tuple[Callable[[Path], object], str, int, Screen, str]] = {
    "settings": (
        lambda folder: None,
        "loudness = 3\n",
        78,
        last_pages.wrong_settings(LINE_ADDED),
        f"line {LINE_ADDED}: settings.loudness is not a key",
    ),
    "a pin that somebody has": (
        lambda folder: (folder / f"busy {PINS['A.ok']}").touch(),
        "",
        1,
        last_pages.WRONG_PINS,
        "pin 17 can't be used (GPIO busy)",
    ),
    "no pins yet": (
        lambda folder: (folder / "away").touch(),
        "",
        1,
        last_pages.NO_PINS,
        "the GPIO pins can't be reached by lgpio (can not open gpiochip)",
    ),
    "a journal of a later version": (
        newer_journal,
        "",
        78,
        last_pages.newer_games("9.8.7"),
        "was made by version 9.8.7",
    ),
    "no folder for the journal": (
        lambda folder: (folder / "games").touch(),
        "",
        1,
        last_pages.no_journal("no-access"),
        "can't be opened (File exists)",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", KEPT_AWAY)
def test_what_keeps_it_away_is_on_the_panel_for_good_in_the_status_and_in_the_log(
    start: Start, tmp_path: Path, what: str
) -> None:
    prepare, settings, exit_status, page, sentence = KEPT_AWAY[what]
    prepare(tmp_path)
    service = start(settings)
    assert service.status() == exit_status
    assert service.shows(page)
    assert sentence in service.expect("STATUS=")
    assert sentence in service.complaint()


# Switching off.


@pytest.mark.slow
def test_the_power_button_held_asks_to_switch_off_once_all_is_closed(
    start: Start, tmp_path: Path
) -> None:
    service = start()
    service.expect("READY=1")
    service.down("power")
    request = service.wait_for_request()
    assert not (tmp_path / "games" / f"{FILE}-wal").exists()
    assert service.process.poll() is None  # else its folder, and the request, would be gone
    request.unlink()
    assert service.status() == 0
    assert service.told[-1] == "READY=1"
    service.expect("STOPPING=1")
    assert "STATUS=switching off" in service.told
    covered = is_in_memory(tmp_path)  # by a notice that says so
    assert covered or service.shows(last_pages.SWITCHING_OFF)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["busy", "dead"])
def test_nothing_that_fails_while_it_closes_keeps_the_power_on(
    start: Start, tmp_path: Path, trouble: str
) -> None:
    service = start()
    service.expect("READY=1")
    (tmp_path / f"busy {PINS['power']}").touch()  # it is let go while its pin is closed
    service.down("power")
    if trouble == "dead":
        service.expect("STATUS=switching off")
        service.metal("die")
    request = service.wait_for_request()
    request.unlink()
    assert service.status() == 0
    assert f"pin {PINS['power']} could not be closed properly" in service.complaint()
