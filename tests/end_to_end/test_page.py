"""The page in a real browser: a turn by clicks and by keys, reload, two tabs, the end."""

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pi_app.config import DEFAULT, load_config
from pi_app.record.history import Row, fold
from pi_app.record.journal import FILE
from pi_app.simulate.player import Player
from pi_app.simulate.simulation import simulation
from tests.asked import can_not_run

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
KEYS = {"A.ok": "q", "A.next": "w", "B.ok": "o", "C.ok": "e", "D.ok": "u", "dome": " "}
TAP_MS = 60
WAIT_MS = 60_000  # for what comes at once, on a machine that is busy
ANYTHING = re.compile(".")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        can_not_run("no chromium on this machine, so the page was not tested: install chromium")
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Served:
    """`referee simulate`, running, with its journal."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "pi_app", "simulate", "--port", "0", "--folder"]
        self.folder = folder
        self.process = subprocess.Popen(
            [*command, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[0]

    def rows(self) -> list[Row]:
        """Return the rows that are in the journal now."""
        uri = f"{(self.folder / FILE).as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True)
        found = connection.execute("SELECT action, position, source FROM rows ORDER BY game, n")
        rows = [Row(*values) for values in found]
        connection.close()
        return rows

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End it by a signal; return its exit status and what it complained of."""
        self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=60)
        return self.process.returncode, complaints


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    table = Served(tmp_path)
    yield table
    if table.process.poll() is None:
        assert table.end() == (0, "")


@pytest.fixture
def midgame(tmp_path: Path) -> Iterator[Served]:
    """A game in progress, a step of it offered."""
    with simulation(load_config(DEFAULT), 2, tmp_path, lambda row: None) as played:
        player = Player(played, Random(2))
        player.begin((0, 2))
        while player.game.throws < 40 or not player.game.steps:
            player.act()
    table = Served(tmp_path)
    yield table
    if table.process.poll() is None:
        assert table.end() == (0, "")


class Tab:
    """Somebody at the page, by mouse or by keys."""

    def __init__(self, browser: Browser, served: Served, by_keys: bool = False) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1280, "height": 800})
        self.trouble: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda line: self.trouble.append(line.text))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.by_keys = by_keys
        self.page.goto(served.url)
        self.display = self.page.locator("#panel")
        expect(self.display).to_have_attribute("aria-label", ANYTHING)

    @property
    def says(self) -> str:
        """What the display says."""
        return self.display.get_attribute("aria-label") or ""

    def press(self, button: str) -> None:
        if self.by_keys:
            self.page.keyboard.press(KEYS[button], delay=TAP_MS)
        else:
            self.page.locator(f'[data-button="{button}"]').click(delay=TAP_MS)

    def press_until_said(self, button: str, words: str) -> None:
        self.press(button)
        self.wait_for(words)

    def hold_until_said(self, button: str, words: str) -> None:
        if self.by_keys:
            self.page.keyboard.down(KEYS[button])
            self.wait_for(words)
            self.page.keyboard.up(KEYS[button])
        else:
            self.page.locator(f'[data-button="{button}"]').hover()
            self.page.mouse.down()
            self.wait_for(words)
            self.page.mouse.up()

    def wait_for(self, words: str) -> None:
        said = re.compile(re.escape(words))
        expect(self.display).to_have_attribute("aria-label", said)

    def says_no_more(self, words: str, ms: int) -> bool:
        """Wait until the display says something else; return whether it does."""
        try:
            expect(self.display).not_to_have_attribute("aria-label", words, timeout=ms)
        except AssertionError:
            return False
        return True

    def press_until_other(self, button: str) -> None:
        """Press until the display says something else: the dome is deaf for a second at first."""
        before = self.says
        for _ in range(60):
            self.press(button)
            if self.says_no_more(before, ms=500):
                return
        raise AssertionError(f"{button} does nothing: {before}")

    def begin(self) -> None:
        """Let A and C join and begin."""
        self.press_until_said("A.ok", "A joined")
        self.press_until_said("C.ok", "C joined")
        self.hold_until_said("A.ok", "press the dome")

    def pawns(self) -> list[str]:
        return sorted(
            self.page.eval_on_selector_all(
                ".pawn", "all => all.map(one => one.dataset.seat + ' ' + one.dataset.place)"
            )
        )

    def play_until(self, done: Callable[[], bool]) -> None:
        """Do what the display asks for."""
        for _ in range(200):
            said = self.says
            if done():
                return
            if "press the dome" in said:
                self.press_until_other("dome")
            elif said[2:].startswith(("moves", "penalty")):
                self.press_until_other(f"{said[0]}.ok")
            else:  # dice that tumble
                assert self.says_no_more(said, ms=WAIT_MS), said
        raise AssertionError(f"the game does not go on: {self.says}")


@pytest.mark.parametrize("by_keys", [False, True], ids=["clicks", "keys"])
def test_a_whole_turn_is_played(browser: Browser, served: Served, by_keys: bool) -> None:
    tab = Tab(browser, served, by_keys)
    tab.begin()
    tab.play_until(lambda: any(row.action.startswith("move") for row in served.rows()))
    tab.play_until(lambda: "press the dome" in tab.says)
    rows = served.rows()
    assert rows[0].action == 'new "royal-2023" seats 0,2'
    assert {row.source for row in rows if row.action.startswith("throw")} == {"kernel"}
    pawns = [
        f"{seat} {place}"
        for seat, places in enumerate(fold(rows).game.position)
        for place in places
    ]
    assert tab.pawns() == sorted(pawns)
    assert lit_lamps(tab) == [fold(rows).game.seat]
    assert [url for url in tab.asked if not url.startswith(served.url)] == []
    assert tab.trouble == []


def lit_lamps(tab: Tab) -> list[int]:
    return [
        seat
        for seat in range(4)
        if tab.page.locator(f".console.seat{seat}[data-lamp=on]").count() == 1
    ]


def test_the_display_shows_the_panels_pixels(browser: Browser, served: Served) -> None:
    tab = Tab(browser, served)
    tab.page.wait_for_function(f"300 < {LIT_PIXELS} && {LIT_PIXELS} < 128 * 64")
    before = tab.page.evaluate(LIT_PIXELS)
    tab.press_until_said("A.ok", "A joined")
    tab.page.wait_for_function(f"{LIT_PIXELS} !== {before}")  # the words may come before it


LIT_PIXELS = """document.getElementById('panel').getContext('2d').getImageData(0, 0, 128, 64).data
    .filter((value, index) => index % 4 === 0 && value > 100).length"""


def test_the_offered_step_is_marked_on_the_board(browser: Browser, midgame: Served) -> None:
    tab = Tab(browser, midgame)
    assert re.match("[AC] moves; .* to .*", tab.says)
    expect(tab.page.locator(".offer .from")).to_have_count(1)
    expect(tab.page.locator(".offer .to")).to_have_count(1)


def test_a_page_loaded_anew_in_mid_game_shows_the_game(browser: Browser, midgame: Served) -> None:
    tab = Tab(browser, midgame)
    tab.page.wait_for_selector(".pawn")
    says, pawns = tab.says, tab.pawns()
    tab.page.reload()
    tab.page.wait_for_selector(".pawn")
    assert (tab.says, tab.pawns()) == (says, pawns)
    tab.press_until_other(f"{says[0]}.ok")
    expect(tab.page.locator(".pawn")).to_have_count(8)
    assert tab.pawns() != pawns


def test_two_tabs_show_and_play_the_same_table(browser: Browser, served: Served) -> None:
    left, right = Tab(browser, served), Tab(browser, served)
    left.press_until_said("A.ok", "A joined")
    right.wait_for("A joined")
    right.press_until_said("C.ok", "C joined")
    left.wait_for("C joined")
    left.page.locator('[data-button="A.ok"]').hover()
    left.page.mouse.down()
    right.page.wait_for_selector('[data-button="A.ok"].down')
    left.wait_for("press the dome")
    left.page.mouse.up()
    right.page.wait_for_selector('[data-button="A.ok"]:not(.down)')
    right.wait_for("press the dome")


def test_a_tab_that_is_closed_lets_go_of_its_buttons(browser: Browser, served: Served) -> None:
    left, right = Tab(browser, served), Tab(browser, served)
    left.page.keyboard.down("q")
    right.page.wait_for_selector('[data-button="A.ok"].down')
    left.page.close()
    right.page.wait_for_selector('[data-button="A.ok"]:not(.down)')


def test_a_finger_on_a_touch_screen_holds_a_button(browser: Browser, served: Served) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(served.url)
    display = page.locator("#panel")
    expect(display).to_have_attribute("aria-label", ANYTHING)
    page.locator('[data-button="A.ok"]').tap()
    expect(display).to_have_attribute("aria-label", re.compile("A joined"))
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    context.close()


def test_the_game_is_there_again_after_the_end_and_a_new_start(
    browser: Browser, midgame: Served
) -> None:
    tab = Tab(browser, midgame)
    tab.page.wait_for_selector(".pawn")
    pawns = tab.pawns()
    assert midgame.end(signal.SIGTERM) == (0, "")
    tab.page.wait_for_selector("#lost", state="visible")
    again = Served(midgame.folder)
    other = Tab(browser, again)
    other.page.wait_for_selector(".pawn")
    assert other.pawns() == pawns
    assert again.end() == (0, "")


def test_ctrl_c_ends_it_promptly_while_pages_are_open(browser: Browser, served: Served) -> None:
    tabs = [Tab(browser, served) for _ in range(3)]
    assert served.end() == (0, "")
    assert all(tab.trouble == [] or "ERR_" in tab.trouble[0] for tab in tabs)


REFUSED = [
    ("finger", b'{"tab": "1", "button": "E.ok", "down": true}', "application/json", 400),
    ("finger", b'{"tab": "1", "button": "A.ok"}', "application/json", 400),
    ("finger", b"[" * 100_000, "application/json", 400),
    ("finger", b'{"tab": "1", "button": "A.ok", "down": true}', "text/plain", 415),
    ("board/standard/sideways/twelve", None, "", 404),
    ("server.py", None, "", 404),
]


def test_requests_that_no_page_makes_are_refused(served: Served) -> None:
    for path, body, kind, status in REFUSED:
        request = urllib.request.Request(served.url + path, body, {"Content-Type": kind})
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        assert caught.value.code == status, path
        caught.value.close()


def test_another_host_name_is_refused(served: Served) -> None:
    request = urllib.request.Request(served.url, headers={"Host": "example.org"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)
    assert caught.value.code == 400
    caught.value.close()
