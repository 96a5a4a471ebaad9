"""Every page in a pseudo-language: each word that a user sees or hears is a message's."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from pi_app.web.stage import MAX_TABS
from tests.end_to_end.page import ANYTHING, WIDE, Driven
from tests.end_to_end.page import Tab as Player
from tests.end_to_end.test_page_for_all import SOON, states, up_to_date
from tests.end_to_end.test_page_watched import STATES, chances_known
from tests.pi_app.texts.pseudo import pseudo, stray_words
from tests.pi_app.web.test_watching import Page as Hall

pytestmark = pytest.mark.browser

NAME = "Pachisi Referee"
PLAYERS = ("MMM", "WWW", "MWM", "LUC", "EVA", "TOM")
MADE_UP = {"longest"}  # of the states, what is no table's

# What is read or heard: text, with what names and describes an element. A command stays as it is
# typed, and a date is the browser's.
SEEN = """() => {
    const apart = "script, style, noscript, code, time";
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    const text = [], told = [document.title];
    const attributes = ["aria-label", "aria-description", "aria-valuetext", "title", "alt",
        "placeholder"];
    for (let node = walk.currentNode; node; node = walk.nextNode()) {
        const element = node instanceof Element ? node : node.parentElement;
        if (element?.closest(apart)) continue;
        if (node.nodeType === Node.TEXT_NODE) text.push(node.data);
        if (node instanceof Element)
            for (const name of attributes) told.push(node.getAttribute(name) ?? "") }
    return [text.join("\\n"), ...told] }"""


def stray(page: Tab) -> list[str]:
    """Return the words on a page that are no message's."""
    seen: list[str] = page.evaluate(SEEN)
    assert any("[" in text for text in seen)
    return [word for text in seen for word in stray_words(text, [NAME, *PLAYERS])]


# The simulated table.


def test_the_simulated_tables_page_has_no_words_of_its_own(browser: Browser) -> None:
    with ExitStack() as closing:
        table = Driven(closing, SOON, pseudo())
        tab = Player(browser, table)
        assert tab.page.locator("html").get_attribute("lang") == pseudo().code
        for state in states(table):
            up_to_date(tab, table, state, pseudo())
            assert stray(tab.page) == [], state
        tab.page.locator("#keys").click()
        tab.page.locator("#sound").click()
        assert stray(tab.page) == []
        assert tab.trouble == [] or "ERR_" in tab.trouble[0]


# The page for spectators.


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    served = Hall(tmp_path, languages={"en": pseudo()})
    yield served
    served.end()


def opened(browser: Browser, hall: Hall) -> Tab:
    host, port = hall.sock.getsockname()
    page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
    page.goto(f"http://{host}:{port}/")
    return page


def test_the_spectators_page_has_no_words_of_its_own(browser: Browser, hall: Hall) -> None:
    hall.tell(**STATES["joining"](pseudo()))
    page = opened(browser, hall)
    for name, make in {**STATES, "chances": chances_known}.items():
        if name in MADE_UP:
            continue
        state: dict[str, Any] = json.loads(json.dumps(make(pseudo())))
        hall.tell(**state)
        expect(page.locator("#doing")).to_have_text(state["doing"])
        expect(page.locator("#happened li")).to_have_count(len(state["happened"]))
        assert stray(page) == [], name
    expect(page.locator(".chance").first).to_have_text(ANYTHING)
    small = {"width": 390, "height": 640}
    page.set_viewport_size(small)  # type: ignore[arg-type]
    hall.tell(**STATES["moving"](pseudo()))
    expect(page.locator("#offered .more")).to_have_text(ANYTHING)
    assert stray(page) == []


def test_a_spectator_who_is_refused_or_loses_the_table_is_told_in_the_pages_language(
    browser: Browser, hall: Hall
) -> None:
    hall.tell(**STATES["joining"](pseudo()))
    streams = [hall.ask("/stream") for _ in range(MAX_TABS)]
    page = opened(browser, hall)
    lost = page.locator("#lost")
    expect(lost).to_have_text(ANYTHING)
    assert stray(page) == []
    refused = lost.text_content()
    for one in streams:
        one.__exit__()
    expect(lost).to_be_hidden()
    hall.end()
    expect(lost).to_be_visible()
    assert lost.text_content() != refused
    assert stray(page) == []


def test_without_scripts_a_spectator_is_told_in_the_pages_language(
    browser: Browser, hall: Hall
) -> None:
    hall.tell(**STATES["joining"](pseudo()))
    host, port = hall.sock.getsockname()
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"http://{host}:{port}/")
    assert stray_words(page.locator("body").inner_text(), [NAME]) == []
    expect(page.locator("noscript p")).to_be_visible()


# The games.


@pytest.fixture(scope="module")
def kept() -> Iterator[Driven]:
    """A table whose game of two was ended after some throws."""
    with ExitStack() as closing:
        table = Driven(closing, 2, pseudo())
        table.player.begin((0, 2))
        while table.player.game.throws < 12:
            table.player.act()
        table.player.end()
        yield table


def test_the_games_page_has_no_words_of_its_own(browser: Browser, kept: Driven) -> None:
    page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
    page.goto(f"{kept.url}games.html")
    expect(page.locator("#kept li")).to_have_count(1)
    assert stray(page) == []
    page.locator("#to-statistics").click()
    for more in page.locator("#plots summary").all():
        more.click()
    expect(page.locator("#plots svg")).not_to_have_count(0)
    assert stray(page) == []
    page.locator("#back").click()
    page.locator("#kept a").click()
    expect(page.locator("#seats h4")).to_have_count(2)
    expect(page.locator("#ready")).to_be_empty()
    assert page.locator("#seats button").count() > 0
    page.keyboard.press("Home")
    for _ in range(int(page.locator("#slider").get_attribute("max") or 0)):
        assert stray(page) == []
        page.keyboard.press("ArrowRight")
    page.locator("#play").click()
    assert stray(page) == []


def test_what_the_games_page_can_not_show_is_told_in_its_language(
    browser: Browser, kept: Driven
) -> None:
    page = browser.new_page()
    page.goto(f"{kept.url}games.html#7")
    trouble = page.locator("#trouble")
    expect(trouble).to_have_text(ANYTHING)
    assert stray(page) == []
    page.route("**/games", lambda route: route.abort())
    page.goto(f"{kept.url}games.html#")
    expect(trouble).to_be_visible()
    assert stray(page) == []


def test_a_list_without_a_game_has_no_words_of_its_own(browser: Browser) -> None:
    with ExitStack() as closing:
        table = Driven(closing, 2, pseudo())
        page = browser.new_page()
        page.goto(f"{table.url}games.html")
        expect(page.locator("#none")).to_be_visible()
        assert stray(page) == []
