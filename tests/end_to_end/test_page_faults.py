"""What a page says of its own faults: scripts that do not begin, and mistakes in them."""

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pi_app.model.screens import message
from pi_app.texts.language import ENGLISH
from tests.end_to_end.page import Driven, Watched

pytestmark = pytest.mark.browser

PAGES = {"watch.js": "", "games.js": "games.html", "page.js": ""}  # each main script with its page
DOES_NOT_START = ENGLISH.say(message("page-does-not-start"), "page")
SLOW_MS = 5000  # as in faults.js


@pytest.fixture
def watched() -> Iterator[Watched]:
    with ExitStack() as closing:
        yield Watched(closing, seed=2)


def address(script: str, watched: Watched, driven: Driven) -> str:
    table = driven if script == "page.js" else watched
    return f"{table.url}{PAGES[script]}"


@pytest.mark.parametrize("script", PAGES)
def test_a_script_that_the_browser_can_not_read_means_that_it_is_too_old(
    browser: Browser, watched: Watched, driven: Driven, script: str
) -> None:
    page = browser.new_page()
    page.route(
        f"**/{script}", lambda route: route.fulfill(content_type="text/javascript", body="?")
    )
    page.goto(address(script, watched, driven))
    expect(page.locator("#fault")).to_have_text(DOES_NOT_START)


@pytest.mark.parametrize("script", PAGES)
def test_a_page_that_has_not_begun_after_5_s_says_so_until_it_begins(
    browser: Browser, watched: Watched, driven: Driven, script: str
) -> None:
    page = browser.new_page()
    waiting: list[Route] = []
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.route("**/dice.js", lambda route: waiting.append(route))  # noqa: PLW0108
    with page.expect_request("**/dice.js"):
        page.goto(address(script, watched, driven), wait_until="commit")
    page.wait_for_function("'begin' in window")
    page.clock.fast_forward(SLOW_MS - 1)
    expect(page.locator("#fault")).to_be_hidden()
    page.clock.fast_forward(1)
    expect(page.locator("#fault")).to_have_text(DOES_NOT_START)
    waiting[0].continue_()
    expect(page.locator("#fault")).to_be_hidden()


@pytest.mark.parametrize("script", ["watch.js", "page.js"])
def test_a_mistake_in_drawing_is_told_and_stays_while_the_stream_goes_on(
    browser: Browser, watched: Watched, driven: Driven, script: str
) -> None:
    page = browser.new_page()
    strange = 'data: {"strange": 1}\n\n'
    page.route(re.compile(r"/stream(\?|$)"), lambda route: route.fulfill(body=strange), times=1)
    page.goto(address(script, watched, driven))
    shown = page.locator("#doing" if script == "watch.js" else "#says")
    expect(shown).to_contain_text("players join" if script == "watch.js" else "join")
    is_told(page)
    expect(page.locator("#lost")).to_be_hidden()


def test_a_mistake_in_drawing_the_board_is_told_and_the_next_state_is_drawn(
    browser: Browser, driven: Driven
) -> None:
    driven.player.begin((0, 2))
    driven.settle()
    page = browser.new_page()
    page.route("**/board/*/*/*", lambda route: route.fulfill(json={}), times=1)
    page.goto(driven.url)
    is_told(page)
    driven.player.act()
    driven.settle()
    expect(page.locator(".pawn")).to_have_count(8)


@pytest.mark.parametrize("body", ["{}", "no JSON"])
def test_an_answer_about_games_that_makes_no_sense_is_told(
    browser: Browser, watched: Watched, body: str
) -> None:
    page = browser.new_page()
    page.route("**/games", lambda route: route.fulfill(body=body))
    page.goto(f"{watched.url}games.html")
    is_told(page, "TypeError: " if body == "{}" else "SyntaxError: ")
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_mistake_of_the_browser_alone_is_not_told(browser: Browser, watched: Watched) -> None:
    page = browser.new_page()
    page.goto(watched.url)
    expect(page.locator("#doing")).to_have_text("players join")
    page.evaluate('dispatchEvent(new ErrorEvent("error", { message: "ResizeObserver loop" }))')
    expect(page.locator("#fault")).to_be_hidden()


def is_told(page: Page, error: str = "TypeError: ") -> None:
    said = ENGLISH.say(message("page-mistake", what=error), "page")
    expect(page.locator("#fault")).to_contain_text(said)
