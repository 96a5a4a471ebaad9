"""The socket for programs of this computer: what it tells, and what it leaves to the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pi_app.record.games import open_games
from pi_app.record.imported import store_imported
from pi_app.record.journal import Commit, Journal, load
from pi_app.settings.settings import Settings
from pi_app.texts.language import all_languages, find_language
from pi_app.web.packing import pack
from pi_app.web.spectator_state import spectator_state
from pi_app.web.stage import MAX_LANGUAGES, MAX_TABS
from pi_app.web.state import say_all
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journals import GAME, START
from tests.pi_app.sitting import Sitting
from tests.pi_app.web.test_state_document import faults
from tests.pi_app.web.test_watching import Page, Soon

pytestmark = pytest.mark.slow  # each test asks a server

END, UNDO = recorded("end", START), recorded("undo", START)
LONG_AGO = 1_764_250_000.0  # in November 2025


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    own = Page(tmp_path, languages=all_languages())
    own.tell(doing="players join")
    yield own
    own.end()


@pytest.fixture
def journal(page: Page) -> Iterator[Journal]:
    journal, _ = load(page.journal)
    yield journal
    journal.close()


def ended(page: Page, query: str = "?days=9999") -> list[tuple[str, float | None, int]]:
    """Return what is told of the games that have ended: number, when, rows."""
    told = json.loads(page.ask_here(f"/records{query}").text())
    return [(one["number"], one["ended"], one["rows"]) for one in told]


# The state.


def test_a_program_gets_the_state_of_the_document_in_the_language_of_the_table(
    page: Page,
) -> None:
    stream = page.ask_here("/stream")
    assert stream.state() == {"doing": "players join"}
    for code in ("de", "fr", ""):
        state = spectator_state(Sitting(settings=Settings({"language": code})).reply)
        page.tell(**pack(state))
        told = stream.state()
        assert list(faults(told, "state")) == []
        assert told["doing"] == say_all(state, find_language(code))["doing"]
        assert json.loads(page.ask_here("/state.json").text()) == told


def test_programs_take_no_place_and_no_language_of_spectators(page: Page) -> None:
    page.tell(**pack(spectator_state(Sitting(settings=Settings({"language": "de"})).reply)))
    programs = [page.ask_here("/stream") for _ in range(MAX_TABS)]
    spoken = ["en", "es", "fr", "pt", "pt-BR", "en-GB"][:MAX_LANGUAGES]
    tabs = [page.ask("/stream", Accept_Language=spoken[n % len(spoken)]) for n in range(MAX_TABS)]
    assert {one.status for one in (*programs, *tabs)} == {200}
    assert page.ask("/stream").status == page.ask_here("/stream").status == 503


def test_nothing_of_it_is_at_the_port_and_nothing_of_the_page_is_here(
    page: Page, journal: Journal
) -> None:
    journal.append(Commit((*GAME, END), at=LONG_AGO, over=True))
    for path in ("/records", "/games/1/record"):
        assert (page.ask(path).status, page.ask_here(path).status) == (404, 200)
    for path in ("/", "/games", "/games/1", "/watch.js", "/games/backup", "/newest"):
        assert page.ask_here(path).status == 404, path
    for path in ("/records", "/state.json", "/stream", "/games/1/record"):
        assert page.ask_here(path, "POST").status == 405, path


def test_a_program_that_reads_nothing_misses_states_and_blocks_nobody(tmp_path: Path) -> None:
    soon = Page(tmp_path, Soon)
    soon.tell(n=0)
    tab, program = soon.ask("/stream"), soon.ask_here("/stream")
    with ExitStack() as slow:
        asked = "GET /stream HTTP/1.1\r\nHost: any\r\n\r\n"
        line = slow.enter_context(soon.connected(asked, here=True))
        for n in range(1, 50):
            soon.tell(n=n, padding="x" * 200_000)
            while tab.state()["n"] != n:
                pass
            while program.state()["n"] != n:
                pass
        with line.makefile("rb") as lines:
            read = lines.read().count(b"data: ")  # until it was cut
    assert read < 10
    soon.end()


# The records.


def test_the_games_that_have_ended_are_listed_the_newest_first(
    page: Page, journal: Journal
) -> None:
    assert ended(page) == []
    journal.append(Commit((*GAME, END), at=LONG_AGO, over=True))
    journal.append(Commit(GAME[:2], at=LONG_AGO + 1))  # left unfinished
    journal.append(Commit((GAME[0], END), at=None, over=True))  # by a clock that is not set
    journal.append(Commit((GAME[0], *GAME[3:], END), at=LONG_AGO + 2.5, over=True))
    journal.append(Commit(GAME[:1], at=LONG_AGO + 3))
    assert ended(page) == [("4", LONG_AGO + 2.5, 4), ("3", None, 2), ("1", LONG_AGO, 6)]
    assert ended(page, "") == ended(page, "?days=3") == [("3", None, 2)]


def test_an_end_that_was_taken_back_is_listed_again_with_more_rows(
    page: Page, journal: Journal
) -> None:
    journal.append(Commit((*GAME, END), at=LONG_AGO, over=True))
    assert ended(page) == [("1", LONG_AGO, 6)]
    journal.append(Commit((UNDO,), at=LONG_AGO + 1))
    assert ended(page) == []
    journal.append(Commit((END,), at=LONG_AGO + 2, over=True))
    assert ended(page) == [("1", LONG_AGO + 2, 8)]
    assert len(page.ask_here("/games/1/record").text().splitlines()) == 8


def test_imported_games_are_not_the_tables_own(page: Page, journal: Journal) -> None:
    journal.append(Commit((*GAME, END), at=LONG_AGO, over=True))
    with open_games(page.journal) as games:
        store_imported(page.journal, games.record_bytes("1"))
    assert ended(page) == [("1", LONG_AGO, 6)]
    assert page.ask_here("/games/i1/record").text() == page.ask_here("/games/1/record").text()


def test_a_record_is_as_export_writes_it(page: Page, journal: Journal) -> None:
    journal.append(Commit((*GAME, END), at=LONG_AGO, over=True))
    with open_games(page.journal) as games:
        expected = games.record_bytes("1").decode()
    answer = page.ask_here("/games/1/record")
    assert (answer.headers["content-type"], answer.text()) == ("application/jsonl", expected)


def test_what_is_not_there_or_makes_no_sense_is_refused_in_a_sentence(page: Page) -> None:
    answer = page.ask_here("/records")
    assert (answer.status, answer.text()) == (
        503,
        "the games can't be read now: run `referee games` to see why\n",
    )
    load(page.journal)[0].close()
    answer = page.ask_here("/games/7/record")
    assert (answer.status, answer.text()) == (404, "there is no game 7 here\n")
    for days in ("", "x", "-1", "1e9", "99999", "%D9%A3"):
        assert page.ask_here(f"/records?days={days}").status == 400, days
