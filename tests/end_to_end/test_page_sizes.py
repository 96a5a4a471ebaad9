"""Every page at every size of a window, in every language: all is there, nothing over another.

Each state in each language has five of the sizes, others than the next. `make test` takes two
languages, which have the longest words, and for most states one size of letters.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pi_app.settings.settings import Settings
from pi_app.texts.language import Language, all_languages
from tests.asked import asked, extent
from tests.end_to_end.page import ANYTHING, ARGUMENTS, CHROMIUM, Driven
from tests.end_to_end.test_page_for_all import captures
from tests.end_to_end.test_page_watched import (
    STATES,
    chances_known,
    longest,
)
from tests.pi_app.texts.pseudo import longer
from tests.pi_app.web.test_watching import Page as Hall

pytestmark = [pytest.mark.browser, pytest.mark.soak]

# Phones, tablets, laptops and televisions; 1280 by 1024 at 400 % is 320 by 256.
SIZES = [
    (320, 256),
    (320, 568),
    (360, 640),
    (390, 844),
    (427, 267),
    (640, 400),
    (768, 1024),
    (844, 390),
    (1024, 768),
    (1100, 700),
    (1280, 720),
    (1920, 1080),
    (3840, 2160),
]
NARROWEST = 20  # a window's width, in letters as large as the browser's user chooses
LANGUAGES = {**all_languages(), "longer": longer()}
NAMED = Settings(
    {"player.A": "MMM red", "player.B": "WWW blue", "box.C": "strong", "box.D": "strong"}
)

# What is wrong at a size: what is wider than the window, what is over something else, text that
# is cut off or sticks out, and what is too small for a finger. What the page folds away by itself,
# such as the third line of an event, counts as absent.
WRONG = """() => {
    const wrong = [], root = document.documentElement;
    const apart = "svg, .unseen, noscript, template, .cheer, option";
    const seen = (node) => node.checkVisibility({ checkVisibilityCSS: true }) &&
        !node.closest(apart) && getComputedStyle(node).clipPath === "none";
    const name = (node) => (node.id && "#" + node.id) || node.className || node.tagName;
    if (root.scrollWidth > root.clientWidth)
        wrong.push(`${root.scrollWidth} wide`);
    const things = [];
    for (const node of document.querySelectorAll("#board, canvas, button, a, select, input"))
        if (node.id === "board" || seen(node)) {
            const { left, top, right, bottom } = node.getBoundingClientRect();
            things.push({ node, left, top, right, bottom, said: name(node) });
            const least = Math.min(right - left, bottom - top);
            if (node.matches("button, a, select, input") && least < 23.9)
                wrong.push(`small: ${name(node)} ${least}`);
        }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    texts: for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        const node = text.parentElement;
        if (!text.data.trim() || !seen(node)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = range.getBoundingClientRect(), line = range.getClientRects()[0];
        if (!line) continue;
        const spare = line.height / 6; // above and below the letters
        let { left, right } = box, top = box.top + spare, bottom = box.bottom - spare;
        for (let out = node; out !== document.body; out = out.parentElement) {
            const style = getComputedStyle(out), around = out.getBoundingClientRect();
            if (style.display === "contents" || style.display === "inline") continue;
            if (style.overflow === "hidden" && left >= around.right) continue texts; // a column
            if (style.webkitLineClamp !== "none") bottom = Math.min(bottom, around.bottom);
            if (left < around.left - 1 || right > around.right + 1 ||
                top < around.top - 1 || bottom > around.bottom + 1) {
                wrong.push(`cut by ${name(out)}: ${text.data}`);
                break;
            }
            if (style.position === "absolute" || style.position === "fixed") break;
        }
        things.push({ node, left, top, right, bottom, said: text.data });
    }
    things.forEach((one, n) => {
        if (one.left < -1 || one.right > root.clientWidth + 1) wrong.push(`outside: ${one.said}`);
        for (const other of things.slice(n + 1)) {
            if (one.node.contains(other.node) || other.node.contains(one.node)) continue;
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (across > 1 && down > 1) wrong.push(`over each other: ${one.said} / ${other.said}`);
        }
    });
    return wrong }"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def look(page: Page, what: str) -> list[str]:
    """Return what is wrong with a page at five sizes, which its name `what` draws."""
    found = []
    letter = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    for width, height in Random(what).sample(SIZES, 5):
        if width < NARROWEST * letter:
            continue
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(FRAMES)  # a page fits its lists to a new size
        wrong: list[str] = page.evaluate(WRONG)
        found += [f"{what}, {width} by {height}: {one}" for one in wrong]
    return found


def opened(browser: Browser, url: str, code: str) -> Page:
    """Open a page in a language."""
    context = browser.new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "language", "value": code, "url": url}])
    page = context.new_page()
    page.goto(url)
    return page


def codes(n: int) -> list[str]:
    """Return the languages for the nth state: for the first one all or two, for others one each."""
    every = list(LANGUAGES)
    if n > 0:
        return [every[n % len(every)]]
    return every if asked("SOAK") else ["fr", "longer"]


def views(n: int, eyes: dict[str, Browser]) -> list[tuple[str, tuple[str, Browser]]]:
    """Return the languages and browsers to look at the nth state with: all, or one browser."""
    every = list(product(codes(n), eyes.items()))
    return every if n == 0 or asked("SOAK") else every[n % 2 :: 2]


@pytest.fixture(scope="module")
def eyes(chromium: Browser) -> Iterator[dict[str, Browser]]:
    """Browsers with letters of the sizes, in pixels, that their users have chosen."""
    with ExitStack() as closing:
        yield {
            letters: closing.enter_context(
                chromium.browser_type.launch(
                    executable_path=CHROMIUM,
                    args=[*ARGUMENTS, f"--blink-settings=defaultFontSize={size}"],
                )
            )
            for letters, size in (("letters as usual", 16), ("letters twice as big", 32))
        }


# The page for spectators.

WATCHED_STATES = ("joining", "moving", "tumbling", "penalty", "over", "last round", "shared")
WATCHED: dict[str, Callable[[Language], dict[str, Any]]] = {
    "longest": lambda language: {**longest(language), "chances": [100] * 4},
    **{name: STATES[name] for name in WATCHED_STATES},
    "chances": chances_known,
}


def test_the_page_for_spectators_fits_every_window(
    eyes: dict[str, Browser], tmp_path: Path
) -> None:
    hall, wrong = Hall(tmp_path, languages=LANGUAGES), list[str]()
    for n, (name, make) in enumerate(WATCHED.items()):
        for code, (letters, browser) in views(n, eyes):
            state = json.loads(json.dumps(make(LANGUAGES[code])))
            hall.tell(**state)
            page = opened(browser, f"http://127.0.0.1:{hall.sock.getsockname()[1]}/", code)
            expect(page.locator("#doing")).to_have_text(state["doing"])
            expect(page.locator("#happened li")).to_have_count(len(state["happened"]))
            wrong += look(page, f"{name}, {code}, {letters}")
            page.context.close()
    hall.end()
    assert wrong == []


# The page on which one plays.


def busy(closing: ExitStack, displays: int) -> Driven:
    """Return a table of four, long names and a bot among them, whose offered step captures."""
    table = Driven(closing, 2, others=LANGUAGES, displays=displays)
    app = table.played.app
    app.session = replace(app.session, settings=NAMED)
    table.player.begin((0, 1))
    while table.player.game.throws < 60 or not captures(table):
        table.player.act()
        table.settle()
    return table


@pytest.mark.parametrize("displays", range(1, extent(2, soak=3)))
def test_the_played_page_and_those_of_its_games_fit_every_window(
    eyes: dict[str, Browser], displays: int
) -> None:
    with ExitStack() as closing:
        table, wrong = busy(closing, displays), list[str]()
        for n, state in enumerate(("a capture", "over")):
            if state == "over":
                table.player.end()
                table.settle()
            for code, (letters, browser) in views(n + displays - 1, eyes):
                page = opened(browser, table.url, code)
                newest = json.loads(table.newest.text(LANGUAGES[code]))
                expect(page.locator("#happened li").first).to_have_text(newest["happened"][0][1])
                wrong += look(page, f"{state}, {code}, {letters}")
                page.context.close()
        for code, (letters, browser) in views(displays - 1, eyes):
            wrong += look_at_games(table, browser, code, letters)
    assert wrong == []


def look_at_games(table: Driven, browser: Browser, code: str, letters: str) -> list[str]:
    """Return what is wrong with the list of games, the statistics and a game."""
    page = opened(browser, f"{table.url}games.html", code)
    expect(page.locator("#kept li")).to_have_count(1)
    wrong = look(page, f"the list, {code}, {letters}")
    page.locator("#to-statistics").click()
    expect(page.locator("#plots svg")).not_to_have_count(0)
    for more in page.locator("#plots summary").all():
        more.click()
    wrong += look(page, f"the statistics, {code}, {letters}")
    page.locator("#back").click()
    page.locator("#kept a").click()
    expect(page.locator("#seats h4")).to_have_count(4)
    wrong += look(page, f"a game, {code}, {letters}")
    page.context.close()
    return wrong


def test_the_played_page_fits_every_window_before_a_game(eyes: dict[str, Browser]) -> None:
    with ExitStack() as closing:
        table, wrong = Driven(closing, 2, others=LANGUAGES), list[str]()
        for code, (letters, browser) in views(0, eyes):
            page = opened(browser, table.url, code)
            expect(page.locator("#says")).to_have_text(ANYTHING)
            wrong += look(page, f"joining, {code}, {letters}")
            page.context.close()
    assert wrong == []
