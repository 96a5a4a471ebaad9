"""A tournament in a real browser: an organiser enters it by keys, everybody sees it."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette

from pi_app.club.ledger import Ledger
from pi_app.club.organising import STATIC, Organising
from pi_app.club.tables import LiveTable
from pi_app.texts.language import all_languages
from pi_app.web import answers
from tests.end_to_end.page import PHONE, WIDE, looks_like
from tests.end_to_end.test_page_for_all import AXE, AXE_RUN

pytestmark = pytest.mark.browser

SCREENS = Path(__file__).parents[1] / "screens"
PEOPLE = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida")
LANGUAGES = {code: all_languages()[code] for code in ("en", "es")}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[str]:
    """The address of a club with two tables."""
    tables = {name: LiveTable(name) for name in ("hall", "kitchen")}
    organising = Organising(Ledger(tmp_path / "club.sqlite"), lambda: tables, LANGUAGES, "secret")
    application = Starlette(
        routes=[*organising.routes, *answers.routes(STATIC, "tournament", LANGUAGES)],
        exception_handlers=answers.error_handlers(LANGUAGES),
    )
    server = answers.make_server(application)
    with socket.create_server(("127.0.0.1", 0)) as sock:
        serving = threading.Thread(target=lambda: asyncio.run(server.serve([sock])))
        serving.start()
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/"
        server.should_exit = True
        serving.join()


@pytest.fixture
def page(browser: Browser) -> Page:
    """A page of the organiser. An error of its scripts fails the test."""
    credentials = {"username": "anybody", "password": "secret"}
    context = browser.new_context(locale="en", http_credentials=credentials, viewport=WIDE)  # type: ignore[arg-type]
    return context.new_page()


def enter_result(page: Page, table: int, places: str) -> None:
    """Give each person of a table of the newest round a place, by keys."""
    item = page.locator(".round").first.locator(".tables > li").nth(table)
    item.locator("summary").press("Enter")
    for n, place in enumerate(places):
        item.locator("select").nth(n).select_option(place)
    item.get_by_role("button", name="save").press("Enter")
    expect(item.locator(".tiers")).to_be_visible()


def check_axe(page: Page) -> None:
    page.evaluate(AXE)
    assert page.evaluate(AXE_RUN) == []


def check_picture(page: Page, name: str, redraw: bool) -> None:
    """Compare the top of the page with its picture; who sits where is by lot."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    if redraw:
        page.screenshot(path=SCREENS / name)
    assert looks_like(SCREENS / name, page.screenshot())


def test_nine_people_play_two_rounds(club: str, page: Page, redraw: bool) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{club}organise.html")
    name = page.get_by_label("New name")
    for n, person in enumerate(PEOPLE):
        name.press_sequentially(person)
        name.press("Enter")
        expect(page.locator("#people li")).to_have_count(n + 1)
        expect(name).to_be_focused()
    name.press_sequentially("Ann")
    name.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(
        "Ann is in the club already: add a letter, or write another name"
    )

    page.locator("#new > summary").press("Enter")
    page.locator("#tournament [name=name]").fill("Winter")
    page.locator("#tournament [name=rounds]").fill("2")
    page.get_by_role("button", name="make it").press("Enter")
    next_round = page.get_by_role("button", name="seat the next round")
    next_round.press("Enter")  # the only press for a round
    expect(page.locator(".tables > li")).to_have_count(3)
    assert page.locator(".tables h4").all_text_contents() == [
        "hall",
        "kitchen",
        "table 3, without a referee",
    ]
    seats = page.get_by_label("seat A, table hall")
    expect(seats).not_to_have_value("")
    expect(next_round).to_be_disabled()
    enter_result(page, 0, "123")
    enter_result(page, 1, "212")
    enter_result(page, 2, "321")
    check_axe(page)
    check_picture(page, "club-organize.png", redraw)
    next_round.press("Enter")
    expect(page.locator(".tables > li")).to_have_count(6)
    last = page.locator(".round").last.locator(".tables > li").first
    winner = last.locator(".tiers li").first.text_content()
    last.locator("summary").press("Enter")
    for n, place in enumerate("312"):  # a correction: the last was the first
        last.locator("select").nth(n).select_option(place)
    last.get_by_role("button", name="save").press("Enter")
    expect(last.locator(".tiers li").last).to_have_text(str(winner))
    assert faults == []

    page.set_viewport_size(PHONE)
    page.goto(f"{club}tournament.html")
    expect(page.locator("tbody tr")).to_have_count(9)
    assert page.locator("tbody td:nth-child(3)").all_text_contents()[:4] == ["7", "7", "7", "4"]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    check_axe(page)
    check_picture(page, "club-tournament.png", redraw)
    page.emulate_media(media="print")
    expect(page.locator(".print").first).to_be_hidden()
    assert faults == []
