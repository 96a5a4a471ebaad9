"""The spectators' page, in a real browser: on a phone, on a television, read aloud."""

import json
import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from select import select
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.events import Resume
from pi_app.model.screens import Seat, message
from pi_app.record.journal import FILE
from pi_app.settings.settings import Settings
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import listen, url
from pi_app.simulate.simulation import open_simulation
from pi_app.texts.language import ENGLISH, Language, codes, find_language
from pi_app.texts.words import side_words, way_words
from pi_app.web import __path__ as web
from pi_app.web.spectator_state import hundredths
from pi_app.web.spectators import COMMAND
from pi_app.web.stage import MAX_TABS
from rules.actions import Move
from rules.board import NEST
from rules.game import Phase
from rules.history import Undo, enter
from rules.ruleset import RuleSet, parse_ruleset
from rules.steps import parse_step
from tests.asked import asked, extent
from tests.end_to_end.page import PHONE, SIDEWAYS, TWICE, WIDE, Watched, looks_like
from tests.end_to_end.test_page_for_all import AXE, AXE_RUN, dark_contrast
from tests.pi_app.sitting import Sitting, enter_rows, thrown
from tests.pi_app.web.tabs import tab_state

pytestmark = pytest.mark.browser

TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
SMALL_TELEVISION: ViewportSize = {"width": 1280, "height": 720}
LARGE_TELEVISION: ViewportSize = {"width": 3840, "height": 2160}
SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
TABLET: ViewportSize = {"width": 768, "height": 1024}
SIZES = (PHONE, TELEVISION, SIDEWAYS, WIDE, TABLET, SMALL_PHONE, TWICE)
TREE = Path(__file__).with_name("page_watched.txt")
SCREENS = Path(__file__).parents[1] / "screens"
AWAKE_MS = 1000

State = dict[str, Any]


# What is shown, as tables tell it.

NAMES = Settings({"player.A": "MMM red", "player.B": "WWW blue", "player.D": "MWM stones"})
FOUR = "45,25,12,0/45,22,7,N/20,3,N,N/H,r3,30,N"
LONG = "A threw doubles three times: a pawn goes from 16 past C to the nest"
CORRECTED = "corrected: A from 13 past B to home row 3, C from the nest to C's entry, A's turn"


def joining(language: Language = ENGLISH) -> State:
    return tab_state(Sitting().reply, language)


def joined(language: Language = ENGLISH) -> State:
    table = Sitting(settings=NAMES)
    for seat in (0, 1, 3):
        table.ok(seat)
    return tab_state(table.reply, language)


def who_begins(language: Language = ENGLISH) -> State:
    table = Sitting(settings=NAMES)
    table.begin(0, 1, 2, 3)
    return tab_state(table.reply, language)


def throwing(language: Language = ENGLISH) -> State:
    table = Sitting()
    table.resume(FOUR, 1)
    return tab_state(table.reply, language)


def tumbling(language: Language = ENGLISH) -> State:
    table = Sitting(dice=[(5, 3)])
    table.resume(FOUR, 3)
    table.wait(2.0)
    table.dome()
    return tab_state(table.reply, language)


def moving(language: Language = ENGLISH) -> State:
    """Twelve offers: each pawn by each die, and by both."""
    return tab_state(
        thrown("45,25,12,0/50,22,7,N/20,3,N,N/H,r3,30,N", (6, 2), "findler").reply, language
    )


def capturing(language: Language = ENGLISH) -> State:
    return tab_state(thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler").reply, language)


def boxes(language: Language = ENGLISH) -> State:
    table = Sitting(dice=[(6, 2)], settings=Settings({"box.A": "club"}), advise=None)
    table.resume("30,12,N,N/45,N,N,N/N,N,N,N/-", 0)
    table.throw()
    return tab_state(table.reply, language)


def penalty(language: Language = ENGLISH) -> State:
    table = Sitting(dice=[(4, 4)])
    table.resume("H,r3,12,N/45,45,7,N/20,3,N,N/-", 0, doublets=2)
    table.throw()
    return tab_state(table.reply, language)


def last_round(language: Language = ENGLISH) -> State:
    """Two partners on one space, and a game that ends with D's turn."""
    table = Sitting(settings=NAMES, dice=[(4,)])
    sides = parse_ruleset({"preset": "parchis", "partners": True})
    table.resume("44,36,N,N/20,N,N,N/10,N,N,N/3,3,N,N", 0, sides)
    enter_rows(table, "last-turn D")
    table.throw()
    return tab_state(table.reply, language)


def shared(language: Language = ENGLISH) -> State:
    """Three seats that share the second place."""
    table = Sitting(settings=NAMES)
    table.resume("20,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", 0, "ludo-uk")
    others = 3 * ("throw 2", "stop")
    enter_rows(table, "last-turn D", "throw 2", "move 20-22(2)", *others)
    return tab_state(table.reply, language)


def celebrating(language: Language = ENGLISH) -> State:
    return tab_state(winning().reply, language)


def celebrating_a_side() -> State:
    table = Sitting(dice=[(2,)])
    table.resume("H,H,H,r6/12,N,N,N/H,H,H,H/H,H,H,r7", 0, "pachisi-modern")
    table.throw()
    table.ok(0)
    return tab_state(table.reply, ENGLISH)


def over(language: Language = ENGLISH) -> State:
    table = winning()
    table.wait(5.0)
    return tab_state(table.reply, language)


def winning() -> Sitting:
    table = thrown("H,H,H,r6/45,45,7,N/20,3,N,N/-", (2, 6))
    table.ok(0)
    return table


def picture(language: Language = ENGLISH) -> State:
    """A game of four in its middle, with names: what the page looks like to most."""
    names = {"player.A": "LUC red", "player.B": "EVA blue", "player.C": "TOM green"}
    dice = [(6, 2), (4, 1), (5, 3)]
    table = Sitting(dice=dice, settings=Settings({**names, "box.D": "club"}), advise=None)
    table.resume("H,r2,45,12/45,22,7,N/41,20,3,N/H,30,14,N", 2)
    for seat in (2, 1):
        table.throw()
        while table.game.seat == seat:
            table.ok(seat)
    table.throw()
    table.next(0)
    return tab_state(table.reply, language)


def chances_known(language: Language = ENGLISH) -> State:
    return {**picture(language), "chances": [41, 9, 27, 23], "changed": swing(language)}


def swing(language: Language = ENGLISH) -> State:
    """A change of a chance in the longest words that a game has."""
    what = message("penalized-pawn", seat=Seat(0), way=way_words(RuleSet(), 0, 16, NEST))
    words = message(
        "chance-changed", what=what, who=side_words((0, 2)), before="{before}", after="{after}"
    )
    return {"words": language.say(words, "page"), "seat": 0, "before": 100, "after": 94}


def increment(text: str, state: str) -> dict[str, str]:
    return {"text": text, "words": f"{text} used", "state": state}


HOUSE = {"line": "ludo-uk to-win:1", "words": ["Ludo", "the first pawn home wins"]}


def longest(language: Language = ENGLISH) -> State:
    """More of everything than a game has, in the longest words that there are."""
    state = moving(language)
    offers = [{"words": "+20: 14 past A → home row 5, BCD to nest, for the capture"}] * 20
    return {
        **state,
        "doing": "D MWM throws to see who begins",
        "increments": [
            *(increment(text, "spent") for text in ("6", "6", "1", "1", "+20")),
            *(increment("+20", "chosen"), increment("+10", "open")),
        ],
        "offered": [{**one, "chosen": n == 17} for n, one in enumerate(offers)],
        "more": [f"and {n} more" for n in range(1, len(offers))],
        "happened": [(str(n), (LONG, CORRECTED)[n % 2]) for n in range(10)],
        "places": [[seat, *["home row 3"] * 4] for seat in "ABCD"],
        "standings": [
            {
                "seat": n,
                "who": f"{'ABCD'[n]} MWM",
                "called": "MWM",
                "far": "4\xa0home, 123\xa0to\xa0go",
                "wins": "{chance} to win",
                "side": "",
            }
            for n in range(4)
        ],
        "rules": "Parker Brothers 1975, turn 999",
        "house": HOUSE,
    }


STATES = {
    "joining": joining,
    "joined": joined,
    "who begins": who_begins,
    "throwing": throwing,
    "tumbling": tumbling,
    "moving": moving,
    "capturing": capturing,
    "a box's turn": boxes,
    "penalty": penalty,
    "celebrating": celebrating,
    "over": over,
    "last round": last_round,
    "shared": shared,
    "longest": longest,
}
NO_CHANCES = [None] * 4  # the page has room for them and knows none
NONE_KNOWN = ("joining", "over", "shared")
CHANCES = {**dict.fromkeys(STATES, [100] * 4), **dict.fromkeys(NONE_KNOWN, NO_CHANCES)}
FULL = ("moving", "longest")  # of those, what takes the most room


# Who serves it, and who watches.


class Hall:
    """The page served by its own process, which is told whatever a test has it show."""

    def __init__(self, closing: ExitStack, folder: Path) -> None:
        self.sock = closing.enter_context(listen(0))
        self.url = url(self.sock)
        self.process = subprocess.Popen(
            [*COMMAND, str(self.sock.fileno()), "-", str(folder / FILE), "False"],
            stdin=subprocess.PIPE,
            pass_fds=(self.sock.fileno(),),
        )
        closing.callback(self.close)
        self.state: State = {}
        self.show(joining())

    def show(self, state: State) -> None:
        assert self.process.stdin is not None
        self.state = json.loads(json.dumps(state))
        self.process.stdin.write(f"{json.dumps(state)}\n".encode())
        self.process.stdin.flush()

    def close(self) -> None:
        """End it, as the table's end does."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("watched")
    with open_simulation(load_config(DEFAULT), 2, folder) as played:
        player = SimulatedPlayer(played, Random(2))
        player.begin((0, 2))
        while player.game.throws < 6:
            player.act()
        player.end()
    with ExitStack() as closing:
        yield Hall(closing, folder)


@pytest.fixture
def hall(served: Hall) -> Hall:
    served.show(joining())
    return served


class Watcher:
    """A spectator."""

    def __init__(
        self,
        browser: Browser,
        hall: Hall,
        size: ViewportSize = WIDE,
        at: str = "",
        clock: bool = False,
        **how: Any,
    ) -> None:
        self.hall = hall
        self.page: Page = browser.new_page(viewport=size, reduced_motion="reduce", **how)
        if clock:
            self.page.clock.install()
        self.trouble: list[str] = []
        self.asked: list[tuple[str, str]] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda line: self.trouble.append(line.text))
        self.page.on("request", lambda request: self.asked.append((request.method, request.url)))
        self.page.goto(at or hall.url)
        self.catch_up()

    def sees(self, state: State) -> None:
        self.hall.show(state)
        self.catch_up()

    def catch_up(self) -> None:
        """Wait until the page shows the newest state, and nothing moves any more."""
        state = self.hall.state
        expect(self.page.locator("#doing")).to_have_text(state["doing"])
        counts = [len(state[part]) for part in ("offered", "pawns", "moves")]
        self.page.wait_for_function(DRAWN, arg=[[line for _, line in state["happened"]], counts])

    def violations(self) -> list[Any]:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE)
        found = [*self.page.evaluate(AXE_RUN), *dark_contrast(self.page)]
        return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]

    def boxes(self, selector: str) -> list[tuple[float, float, float, float]]:
        """Return left, top, right and bottom of what is shown of some nodes."""
        return [tuple(box) for box in self.page.eval_on_selector_all(selector, BOXES)]


DRAWN = """([happened, counts]) => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const lines = all("#happened li").map((line) => line.textContent);
    const parts = ["#offered li:not(.more)", ".pawn", ".marks .to"].map((one) => all(one).length);
    return JSON.stringify([lines, parts]) === JSON.stringify([happened, counts]) &&
        document.getAnimations().length === 0 }"""
BOXES = """all => all.filter(one => !one.closest(".unseen")).map(one => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom] })"""


@pytest.mark.soak
def test_axe_finds_nothing_in_any_state(browser: Browser, hall: Hall) -> None:
    plain, forced = Watcher(browser, hall), Watcher(browser, hall, forced_colors="active")
    looks = list(product((plain, forced), SIZES))
    step = extent(len(looks), soak=3)
    for n, (name, state) in enumerate({**STATES, "chances": chances_known}.items()):
        hall.show(state())
        for one, size in looks[n % step :: step]:
            one.page.set_viewport_size(size)
            one.catch_up()
            assert one.violations() == [], (name, size)
    assert plain.trouble == forced.trouble == []


SHOWN_PAWNS = """[...document.querySelectorAll(".pawn")].map(
    (one) => one.dataset.seat + " " + one.dataset.place).sort().join()"""


def test_the_page_follows_a_table_that_plays(browser: Browser) -> None:
    with ExitStack() as closing:
        table = Watched(closing, seed=2)
        page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
        page.goto(table.url)
        expect(page.locator("#doing")).to_have_text("players join")
        table.player.begin((0, 2))
        while table.player.game.throws < 20 or table.player.game.phase is not Phase.MOVE:
            table.player.act()
        table.settle()
        turn = f"{'ABCD'[table.player.game.seat]} is to move"
        expect(page).to_have_title(f"{turn} - Pachisi Referee")
        expect(page.locator("#happened li").first).to_contain_text("threw")
        places = table.player.game.position
        pawns = sorted(f"{seat} {place}" for seat in (0, 2) for place in places[seat])
        page.wait_for_function(f"told => {SHOWN_PAWNS} === told", arg=",".join(pawns))


def test_house_rules_are_read_and_copied_as_a_line(browser: Browser, hall: Hall) -> None:
    one = Watcher(browser, hall)
    one.page.locator("#house summary").click()
    expect(one.page.locator("#ours")).to_be_hidden()
    one.sees({**moving(), "house": HOUSE})
    expect(one.page.locator("#house li")).to_have_text(["Ludo", "the first pawn home wins"])
    expect(one.page.locator("#line")).to_have_value("ludo-uk to-win:1")
    assert one.violations() == []
    one.page.locator("#ours button").click()
    assert one.page.evaluate("getSelection().toString()") == "ludo-uk to-win:1"
    one.page.context.grant_permissions(["clipboard-read"])
    assert one.page.evaluate("navigator.clipboard.readText()") == "ludo-uk to-win:1"
    one.sees(moving())
    expect(one.page.locator("#ours")).to_be_hidden()
    assert one.trouble == []


@pytest.mark.parametrize("scripts", [True, False])
def test_a_line_of_another_table_is_explained_to_who_pastes_it(
    browser: Browser, hall: Hall, scripts: bool
) -> None:
    small: ViewportSize = {"width": 320, "height": 568}
    page = browser.new_context(viewport=small, java_script_enabled=scripts).new_page()
    page.goto(f"{hall.url}{'' if scripts else 'house.html'}")
    if scripts:
        expect(page.locator("#rules")).to_be_visible()  # a key presses what is hidden in vain
        page.locator("#rules").press("Enter")
    page.get_by_label("The line of house rules from another table:").fill("LUDO-UK to-win:1")
    page.keyboard.press("Enter")
    expect(page.locator("#answer li")).to_have_text(["Ludo", "the first pawn home wins"])
    expect(page.get_by_label("Or run this")).to_have_value(re.compile('"ludo-uk to-win:1"$'))
    if scripts:
        page.evaluate(AXE)
        assert page.evaluate(AXE_RUN) == []
        page.get_by_role("button", name="copy").first.click()
        copied = page.evaluate("getSelection().toString()")
        assert copied == '[house."ours"]\nbase = "ludo-uk"\nto_win = 1'
    else:
        expect(page.get_by_role("button", name="copy")).to_have_count(0)
    page.get_by_label("The line").fill(f"ludo-uk {60 * '9'}")
    page.get_by_role("button", name="What does it mean?").click()
    expect(page.get_by_role("alert")).to_have_text(f"“{40 * '9'}” is not known here.")
    assert page.evaluate("document.documentElement.scrollWidth") == 320


# A phone, a television, and what is between.

PARTS = "#board, .turn, .throw, .now, .past, section.far"


def seen_with(name: str, chances: bool) -> State:
    """Return a state, with chances at their longest where the page shows them."""
    known = {"chances": CHANCES[name], "changed": swing()} if chances else {"chances": None}
    return {**STATES[name](), **known}


@pytest.mark.soak
@pytest.mark.parametrize("chances", [False, True], ids=["", "chances"])
@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, SMALL_PHONE, TWICE], ids=str)
def test_on_a_phone_board_turn_and_three_moves_are_in_view_and_nothing_jumps(
    browser: Browser, hall: Hall, size: ViewportSize, chances: bool
) -> None:
    hall.show(seen_with("joining", chances))
    one = Watcher(browser, hall, size)
    places = one.boxes(PARTS)
    for name in STATES if size == PHONE or asked("SOAK") else FULL:
        one.sees(seen_with(name, chances))
        assert one.boxes(PARTS) == places, name
        assert one.page.evaluate(CUT_CHANCES) == [], name
        lines = one.boxes("#happened li, .chances #changed")  # a sentence about a move, too
        assert len(lines) >= min(3, len(one.hall.state["happened"])), name
        past = one.boxes(".past")[0]
        for left, top, right, bottom in [*one.boxes("#board, #who, #doing, .die"), *lines]:
            assert left >= 0, name
            assert top >= 0, name
            assert right <= size["width"], name
            assert bottom <= size["height"], name
        assert all(bottom <= past[3] for *_, bottom in lines), name
        smallest = min(one.page.evaluate(LETTERS), key=lambda found: found["size"])
        assert smallest["size"] >= 13, (name, smallest)


# Pawns that share a space or are home are small: shape and colour tell them, and their places.
LETTERS = """() => {
    const ink = document.createElement("canvas").getContext("2d");
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        const node = text.parentElement, drawn = node instanceof SVGElement;
        const small = node.closest(".pawn")?.style.transform.match(/scale\\(0/);
        if (!text.data.trim() || node.closest(".unseen, noscript, template") || small) continue;
        if (node.closest(".ghost") || !node.checkVisibility()) continue;
        if (drawn && !node.closest(WHERE)) continue;
        const style = getComputedStyle(node), scale = drawn ? node.getScreenCTM().a : 1;
        const size = parseFloat(style.fontSize);
        ink.font = `${style.fontWeight} 100px ${style.fontFamily}`;
        const tall = ink.measureText("H").actualBoundingBoxAscent / 100;
        const range = document.createRange();
        range.selectNodeContents(text);
        const { left, top, right, bottom } = range.getBoundingClientRect();
        found.push({ text: text.data, size: size * scale, height: size * scale * tall,
            inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight }) }
    return found }"""
ON_THE_BOARD = LETTERS.replace("WHERE", '"svg"')
LETTERS = LETTERS.replace("WHERE", '"nothing"')
CUT = """() => [...document.querySelectorAll("section, section *")].filter((node) =>
    !node.closest(".unseen, svg, .die") && node.checkVisibility() &&
    getComputedStyle(node).overflow !== "visible" &&
    (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)).map(
    (node) => node.id || node.className || node.textContent)"""


# What of a seat's standing does not fit its card.
CUT_CHANCES = """() => [...document.querySelectorAll("#standings li")].filter((card) => {
    const { right, bottom } = card.getBoundingClientRect();
    return [...card.querySelectorAll(".chance, .far")].some((line) =>
        [...line.childNodes].some((part) => {
            if (part.className === "unseen") return false;
            const range = document.createRange();
            range.selectNodeContents(part);
            const box = range.getBoundingClientRect();
            return box.right > right || box.bottom > bottom })) })
    .map((card) => card.textContent)"""


@pytest.mark.parametrize("chances", [False, True], ids=["", "chances"])
@pytest.mark.parametrize("size", [TELEVISION, SMALL_TELEVISION, LARGE_TELEVISION], ids=str)
def test_on_a_television_every_letter_is_2_percent_of_the_height_and_nothing_is_cut(
    browser: Browser, hall: Hall, size: ViewportSize, chances: bool
) -> None:
    one = Watcher(browser, hall, size)
    for name in STATES if size == TELEVISION else FULL:
        one.sees(seen_with(name, chances))
        found = one.page.evaluate(ON_THE_BOARD)
        letters = min(found, key=lambda letter: letter["height"])
        assert letters["height"] >= 0.02 * size["height"], (name, letters)
        assert [letter["text"] for letter in found if not letter["inside"]] == [], name
        assert one.page.evaluate(CUT) == [], name
        assert one.page.evaluate(CUT_CHANCES) == [], name
        across = "({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight]"
        scrolled = one.page.locator("html").evaluate(across)
        assert scrolled == [size["width"], size["height"]], name


def test_the_pictures_of_the_page_are_there(browser: Browser, hall: Hall, redraw: bool) -> None:
    hall.show(picture())
    for name, size in (("watch-phone.png", PHONE), ("watch-tv.png", TELEVISION)):
        one = Watcher(browser, hall, size, color_scheme="dark")
        if redraw:
            one.page.screenshot(path=SCREENS / name)
        assert looks_like(SCREENS / name, one.page.screenshot()), name


ICONS = Path(web[0], "static")
# Each icon's size, and the part that the drawing takes. Phones cut a maskable icon to a circle.
ICON_SIZES = {"icon-192.png": (192, 1), "icon-512.png": (512, 1), "icon-maskable.png": (512, 0.75)}


def test_the_icons_are_drawn_from_the_svg(browser: Browser, redraw: bool) -> None:
    svg = (ICONS / "icon.svg").read_text()
    for name, (size, part) in ICON_SIZES.items():
        page = browser.new_page(viewport={"width": size, "height": size})
        ground = "#3a2418" if part < 1 else "transparent"
        page.set_content(
            f"<body style='margin:{(1 - part) * size / 2}px;background:{ground}'>"
            f"<div style='width:{part * size}px'>{svg}</div>"
        )
        drawn = page.screenshot(omit_background=True)
        if redraw:
            (ICONS / name).write_bytes(drawn)
        assert looks_like(ICONS / name, drawn), name


def test_a_phone_can_put_the_page_onto_its_home_screen(browser: Browser, hall: Hall) -> None:
    one = Watcher(browser, hall, PHONE)
    devtools = one.page.context.new_cdp_session(one.page)
    found = devtools.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert (manifest["lang"], manifest["display"]) == ("en", "standalone")
    icons = [icon["src"] for icon in manifest["icons"]]
    for path in (*icons, one.page.locator("[rel=apple-touch-icon]").get_attribute("href")):
        assert one.page.request.get(f"{hall.url}{path}").ok, path
    assert one.trouble == []


WAKE_LOCK = """() => { window.locks = 0;
    class Lock extends EventTarget {
        release() { window.locks--; this.dispatchEvent(new Event("release")); } }
    const request = async () => { window.locks++; return window.newest = new Lock(); };
    Object.defineProperty(navigator, "wakeLock", { value: { request } }) }"""


def test_a_screen_stays_on_during_a_game_and_no_longer(browser: Browser, hall: Hall) -> None:
    page = browser.new_page(viewport=PHONE, reduced_motion="reduce")
    page.add_init_script(f"({WAKE_LOCK})()")
    page.goto(hall.url)
    locks = "locks => window.locks === locks"
    for state, held in ((joining, 0), (throwing, 1), (moving, 1), (over, 0), (throwing, 1)):
        hall.show(state())
        expect(page.locator("#doing")).to_have_text(state()["doing"])
        page.wait_for_function(locks, arg=held)
    page.evaluate("window.newest.release()")  # as a browser does when the tab is hidden
    hall.show(moving())
    page.wait_for_function(locks, arg=1)


def test_on_a_television_the_language_is_as_large_as_the_footers_other_text(
    browser: Browser, hall: Hall
) -> None:
    one = Watcher(browser, hall, TELEVISION)
    letter = "node => getComputedStyle(node).fontSize"
    sizes = {one.page.locator(part).evaluate(letter) for part in ("#rules", "#language")}
    assert len(sizes) == 1


def test_on_a_phone_a_die_is_whole_while_it_tumbles(browser: Browser, hall: Hall) -> None:
    hall.show(tumbling())
    page = browser.new_page(viewport=SMALL_PHONE, reduced_motion="no-preference")
    page.goto(hall.url)
    expect(page.locator(".die.tumbling")).to_have_count(2)
    assert page.evaluate(CUT_DICE) == []


# What of a tumbling die is cut in a tenth of its turn.
CUT_DICE = """() => [...document.querySelectorAll(".die")].flatMap((die) => {
    const [tumble] = die.getAnimations(), found = [];
    tumble.pause();
    for (let tenth = 0; tenth < 10; tenth++) {
        tumble.currentTime = tenth * tumble.effect.getTiming().duration / 10;
        const { left, top, right, bottom } = die.getBoundingClientRect();
        for (let out = die.parentElement; out; out = out.parentElement) {
            const box = out.getBoundingClientRect();
            const clips = getComputedStyle(out).overflow !== "visible" || out === document.body;
            const over = left < box.left || top < box.top || right > box.right;
            if (clips && (over || bottom > box.bottom)) found.push(`${tenth}: ${out.className}`);
        }
    }
    return found })"""


def test_what_is_used_and_what_is_shown_is_told_by_more_than_colour(
    browser: Browser, hall: Hall
) -> None:
    one = Watcher(browser, hall)
    one.sees(longest())
    look = """all => all.map(one => {
        const { borderTopStyle, textDecorationLine, fontWeight } = getComputedStyle(one);
        return [one.className, borderTopStyle, textDecorationLine, fontWeight] })"""
    looks = {tuple(found) for found in one.page.eval_on_selector_all("#increments li", look)}
    assert looks == {
        ("spent", "dotted", "line-through", "400"),
        ("chosen", "solid", "none", "700"),
        ("open", "solid", "none", "700"),
    }
    filled = "node => getComputedStyle(node).backgroundColor"
    assert one.page.locator("#increments .open").evaluate(filled) == "rgba(0, 0, 0, 0)"
    assert one.page.locator("#increments .chosen").evaluate(filled) == "rgb(255, 206, 84)"
    marked = "all => all.map(one => getComputedStyle(one, '::before').content)"
    assert one.page.eval_on_selector_all("#offered .chosen", marked) == ['""']
    assert one.page.locator("#offered .chosen").is_visible()
    expect(one.page.locator("#offered .more")).to_have_text(re.compile("and 1[0-9] more"))


def test_where_nothing_may_move_dice_that_tumble_show_no_faces(
    browser: Browser, hall: Hall
) -> None:
    one = Watcher(browser, hall)
    one.sees(tumbling())
    assert one.page.locator(".die").count() == 2
    assert not any(pip.is_visible() for pip in one.page.locator(".pip").all())
    one.sees(moving())
    assert all(pip.is_visible() for pip in one.page.locator(".pip").all())


def test_the_winners_marks_fall_over_the_page_and_stand_still_where_nothing_may_move(
    browser: Browser, hall: Hall
) -> None:
    still = Watcher(browser, hall)
    still.sees(celebrating())  # which waits until nothing moves
    assert still.page.locator(".cheer .piece .seat0").count() == 30
    tops = still.page.eval_on_selector_all(
        ".cheer .piece", "all => all.map(one => one.getBoundingClientRect().top)"
    )
    assert len(set(tops)) == 30
    moving_page = browser.new_page(viewport=WIDE, reduced_motion="no-preference")
    moving_page.goto(hall.url)
    expect(moving_page.locator(".cheer .winner .seat0")).to_be_visible()
    falling = "() => document.getAnimations().filter(one => one.animationName === 'fall').length"
    assert moving_page.evaluate(falling) == 30
    moving_page.get_by_role("link", name="games").click(timeout=5000)  # it takes no press
    moving_page.close()
    still.sees(celebrating_a_side())
    assert [still.page.locator(f".cheer .piece .seat{seat}").count() for seat in (0, 2)] == [15, 15]
    lefts = still.page.eval_on_selector_all(
        ".cheer .winner", "all => all.map(one => one.getBoundingClientRect().left)"
    )
    assert lefts[1] - lefts[0] > 160  # side by side
    assert still.page.locator("#who .mark").count() == 2
    assert still.page.locator("#standings .its").count() == 2
    still.sees(over())
    assert still.page.locator(".cheer .piece").count() == 0
    assert still.page.locator(".cheer").is_hidden()


# Who does not see it, or has no script, or wants to press something.


def test_the_title_says_whose_turn_and_each_news_is_told_once(browser: Browser, hall: Hall) -> None:
    one = Watcher(browser, hall)
    told = one.page.locator("#told")
    expect(told).to_have_text("players join")
    one.page.evaluate(HEAR)
    table = Sitting(dice=[(6, 2)])
    table.resume("30,12,N,N/1,N,N,N/N,N,N,N/-", 0, "findler")
    one.sees(tab_state(table.reply))
    assert one.page.title() == "A is to throw - Pachisi Referee"
    table.throw()
    one.sees(tab_state(table.reply))
    for _ in range(3):
        table.next(0)
        one.sees(tab_state(table.reply))
    while "to-nest(B)" not in table.table.words:
        table.next(0)
    table.ok(0)
    one.sees(tab_state(table.reply))
    for event in ("visibilitychange", "resume"):
        one.page.evaluate("name => document.dispatchEvent(new Event(name))", event)
    one.sees({**tab_state(table.reply), "doing": "the end"})
    assert one.page.evaluate("window.spoken") == [
        "A is to throw",
        "A threw 6 and 2",
        "A is to move",
        "A moved 6, from 12 past A to 1 past B",
        "A captured B at 1 past B: +20",
        "the end",
    ]


def test_each_news_of_a_long_game_is_told_once(browser: Browser, hall: Hall) -> None:
    one = Watcher(browser, hall)
    one.page.evaluate(HEAR)
    table = Sitting(dice=[(5, 3)])
    table.resume("N,N,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    record, lines = table.session.record, list[str]()
    assert record is not None
    for entry in (Move(parse_step("N-0(5)")), Undo()) * 20:
        record, _ = enter(record, entry)
        state = tab_state(table.tell(Resume(record, table.t)))
        lines.append(state["happened"][0][1])
        one.sees(state)
    spoken = one.page.evaluate("window.spoken")
    assert [line for line in spoken if line in lines] == lines


def test_chances_are_read_with_how_far_each_is_and_never_spoken_by_themselves(
    browser: Browser, hall: Hall
) -> None:
    state = {**capturing(), "chances": NO_CHANCES}
    hall.show(state)
    one = Watcher(browser, hall)
    cards = one.page.locator("#standings li")
    expect(cards).to_have_count(3)
    assert cards.locator(".chance").count() == 0
    one.page.evaluate(HEAR)
    hall.show({**state, "chances": [52, 17, 31, None]})
    expect(cards.locator(".chance")).to_have_text(["52% to win", "17% to win", "31% to win"])
    expect(one.page.locator("section.far")).to_match_aria_snapshot(
        """
        - heading "Standings" [level=2]
        - list:
          - listitem: A 0 home, 244 to go 52% to win
          - listitem: B 0 home, 286 to go 17% to win
          - listitem: C 0 home, 288 to go 31% to win
        """
    )
    hall.show({**state, "chances": [52, 17, 31, None], "changed": swing()})
    why = one.page.locator(".past").get_by_role("status")  # which is polite
    expect(why).to_have_text(
        "A threw doubles three times: a pawn goes from 16 past A to the nest. A and C: 100% to 94%"
    )
    hall.show(state)
    expect(why).to_have_text("")
    hall.show({**state, "chances": None})
    expect(cards.locator(".chance")).to_have_count(0)
    assert one.page.evaluate("window.spoken") == []
    assert one.trouble == []


@pytest.mark.parametrize("size", [TELEVISION, SMALL_PHONE, SIDEWAYS], ids=str)
@pytest.mark.parametrize("code", codes())
def test_the_chance_of_a_side_is_shown_once_with_both_letters_and_fits(
    browser: Browser, hall: Hall, code: str, size: ViewportSize
) -> None:
    table = Sitting()
    table.resume("12,N,N,N/20,N,N,N/30,N,N,N/40,N,N,N", 0, "pachisi-modern")
    one = Watcher(browser, hall, size)
    one.sees({**tab_state(table.reply, find_language(code)), "chances": [62, 38, 62, 38]})
    chances = one.page.locator("#standings .chance")
    expect(chances).to_have_text([re.compile("B.D.*38"), re.compile("A.C.*62")])
    assert one.page.evaluate(CUT_CHANCES) == []


def test_the_chances_of_a_table_that_plays_follow_it(browser: Browser) -> None:
    with ExitStack() as closing:
        table = Watched(closing, seed=2)
        app = table.played.app
        app.session = replace(app.session, setup=replace(app.session.setup, chances=True))
        page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
        page.goto(table.url)
        table.player.begin((0, 2))
        seen = set[str]()
        while table.player.game.throws < 20:
            table.player.act()
            if table.player.game.phase is Phase.THROW and app.session.odds is not None:
                table.settle()
                a, _, c, _ = hundredths(app.session.odds.chances)
                expect(page.locator(".chance")).to_have_count(2)
                shown = {f"{a}% to win", f"{c}% to win"}
                expect(page.locator('[data-seat="0"] .chance')).to_have_text(f"{a}% to win")
                seen |= shown
        assert len(seen) > 4


HEAR = """() => { window.spoken = [];
    new MutationObserver((changes) => {
        for (const change of changes)
            for (const node of change.addedNodes) window.spoken.push(node.textContent);
    }).observe(document.getElementById("told"), { childList: true }) }"""


def test_a_screen_reader_is_told_the_throw_the_offers_and_where_each_pawn_is(
    browser: Browser, hall: Hall, redraw: bool
) -> None:
    one = Watcher(browser, hall)
    one.sees(capturing())
    tree = one.page.locator("main").aria_snapshot()
    if redraw:
        TREE.write_text(f"{tree}\n")
    assert f"{tree}\n" == TREE.read_text()


def test_there_is_nothing_to_press_but_the_rules_the_games_ones_seat_and_the_language(
    browser: Browser, hall: Hall
) -> None:
    one = Watcher(browser, hall)
    pressable = "a, button, input, select, textarea, summary, [tabindex], [onclick]"
    shown = one.page.locator(pressable).filter(visible=True)
    expect(shown).to_have_count(4)  # the rules, the games, one's seat and the language
    for _ in range(2):
        one.page.keyboard.press("Tab")
    expect(one.page.get_by_role("link", name="games")).to_be_focused()
    one.page.keyboard.press("Enter")
    one.page.get_by_role("link", name="A and C").click()
    expect(one.page.locator("#words")).to_have_text("Turn 4: the game is over")
    one.page.get_by_role("link", name="the table").click()
    one.catch_up()
    assert {method for method, _ in one.asked} == {"GET"}
    assert {urlsplit(address).netloc for _, address in one.asked} == {urlsplit(hall.url).netloc}
    assert one.trouble == []


CALLS = """() => { window.calls = [];
    const part = { connect() {}, start() { window.calls.push("note"); }, stop() {},
        frequency: {}, gain: {} };
    window.AudioContext = class {
        createOscillator() { return part; }
        createGain() { return part; } };
    Object.defineProperty(navigator, "vibrate", { value: () => window.calls.push("buzz") }) }"""


def test_who_says_which_seat_is_theirs_is_called_at_its_turn_if_they_ask(
    browser: Browser, hall: Hall
) -> None:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    context.add_init_script(f"({CALLS})()")

    def opened() -> Page:
        page = context.new_page()
        page.goto(hall.url)
        expect(page.locator("#doing")).to_have_text(hall.state["doing"])
        return page

    def see(page: Page, state: State) -> object:
        hall.show(state)
        expect(page.locator("#doing")).to_have_text(state["doing"])
        return page.evaluate("window.calls.splice(0)")

    page = opened()
    assert see(page, throwing()) == []  # nobody asked
    for _ in range(3):
        page.keyboard.press("Tab")
    for key in ("Enter", "Tab", "B", "Tab", "Space", "Tab", "Space"):
        page.keyboard.press(key)
    assert page.evaluate("window.calls.splice(0)") == ["note", "note", "note", "note", "buzz"]
    page.evaluate(AXE)
    assert page.evaluate(AXE_RUN) + dark_contrast(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#mine > div")).to_be_hidden()
    expect(page.locator("#mine > summary")).to_be_focused()
    expect(page.locator("main.my-turn")).to_have_count(1)
    assert see(page, capturing()) == []  # A's turn
    expect(page.locator("main.my-turn")).to_have_count(0)
    expect(page.locator("#standings .mine")).to_have_attribute("data-seat", "1")
    assert see(page, throwing()) == ["note", "note", "buzz"]
    assert see(page, {**throwing(), "doing": "B is to move"}) == []  # still B's turn
    page.close()

    again = opened()  # what was chosen is kept
    assert see(again, capturing()) == []
    assert see(again, throwing()) == ["buzz"]  # no sound before a touch
    again.locator("#board").click()
    see(again, capturing())
    assert see(again, throwing()) == ["note", "note", "buzz"]


def test_where_a_browser_keeps_nothing_a_seat_can_be_chosen_for_now(
    browser: Browser, hall: Hall
) -> None:
    page = browser.new_page(viewport=WIDE)
    refuse = "get() { throw new DOMException('no', 'SecurityError') }"
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ {refuse} }})")
    page.goto(hall.url)
    page.locator("#mine > summary").click()
    page.get_by_label("I am").select_option("C")
    hall.show(capturing())
    expect(page.locator("#standings .mine")).to_have_attribute("data-seat", "2")
    expect(page.locator("#fault")).to_be_hidden()


@pytest.mark.parametrize("path", ["", "games.html"])
def test_without_scripts_a_sentence_says_that_they_are_needed(
    browser: Browser, hall: Hall, path: str
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(hall.url + path)
    needed = page.locator("noscript p")
    expect(needed).to_be_visible()
    assert needed.inner_text().startswith("This page needs JavaScript: turn it on")


def test_one_tab_too_many_is_told_why_and_shows_the_table_later(
    browser: Browser, hall: Hall
) -> None:
    with ExitStack() as others:
        address = urlsplit(hall.url)
        for _ in range(MAX_TABS):
            taken = others.enter_context(socket.create_connection((address.hostname, address.port)))
            taken.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert taken.recv(12) == b"HTTP/1.1 200"
        page = browser.new_page(viewport=TELEVISION, reduced_motion="reduce")
        page.goto(hall.url)
        lost = page.locator("#lost")
        expect(lost).to_have_text("16 tabs show this table already: close one of them")
        assert page.title().startswith("16 tabs show this table already")
        assert lost.evaluate("node => node.scrollHeight <= node.clientHeight")
        page.evaluate(AXE)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
        assert [one["id"] for one in found] == []
    expect(lost).to_be_hidden()
    expect(page.locator("#doing")).to_have_text("players join")


# A tab that was asleep.


class Line:
    """A network between a browser and the page: it can be cut, and it can lose what is sent."""

    def __init__(self, closing: ExitStack, target: str) -> None:
        self._target = urlsplit(target)
        self._sock = closing.enter_context(listen(0))
        self.url = url(self._sock)
        self._other: dict[socket.socket, socket.socket] = {}
        self._stream: set[socket.socket] = set()
        self._deaf: set[socket.socket] = set()
        self.losing = False  # what is sent on each connection that begins
        self._ended, self._end = map(closing.enter_context, socket.socketpair())
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()
        closing.callback(self._close)

    def cut(self) -> None:
        """End the connections there are, as a router does that is switched off."""
        for one in list(self._other):
            self._shut(one)

    def lose(self) -> None:
        """Lose what is sent on the stream, and tell nobody; others the server has ended before."""
        self._deaf = set(self._stream)
        for one in set(self._other) - self._stream:
            self._shut(one)

    def _shut(self, one: socket.socket) -> None:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)

    def _close(self) -> None:
        self._end.close()
        self._thread.join()
        for one in self._other:
            one.close()

    def _carry(self) -> None:
        while True:
            for one in select([self._ended, self._sock, *self._other], [], [])[0]:
                if one is self._ended:
                    return
                if one is self._sock:
                    self._join()
                elif one in self._other:
                    self._pass_on(one)

    def _join(self) -> None:
        near, _ = self._sock.accept()
        far = socket.create_connection((self._target.hostname, self._target.port))
        self._other.update({near: far, far: near})
        if self.losing:
            self._deaf |= {near, far}

    def _pass_on(self, one: socket.socket) -> None:
        data, other = b"", self._other[one]
        with suppress(OSError):
            data = one.recv(65_536)
        if data.startswith(b"GET /stream"):
            self._stream = {one, other}
        if not data:
            for end in {one} if one in self._deaf else {one, other}:
                del self._other[end]
                end.close()
        elif one not in self._deaf:
            with suppress(OSError):
                other.sendall(data)


@pytest.fixture
def line(hall: Hall) -> Iterator[Line]:
    with ExitStack() as closing:
        yield Line(closing, hall.url)


# When something else is shown: whose turn it is, or what is wrong.
NOTE = """() => { window.shown = []; window.lost = [];
    for (const [id, noted] of [["doing", window.shown], ["lost", window.lost]])
        new MutationObserver(() => noted.push(performance.now())).observe(
            document.getElementById(id), { childList: true, subtree: true }) }"""
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange")) }"""
HOUR_MS = 3_600_000


@pytest.mark.parametrize("network", ["cut", "lost"])
@pytest.mark.parametrize("sleep", ["hidden", "frozen", "shut"])
def test_a_tab_that_was_asleep_is_right_within_a_second_of_waking(
    browser: Browser, hall: Hall, line: Line, sleep: str, network: str
) -> None:
    """A browser without a screen keeps each tab awake: what it would tell the page stands in."""
    one = Watcher(browser, hall, at=line.url, clock=sleep == "shut")
    one.page.evaluate(NOTE)
    if sleep == "hidden":
        one.page.evaluate(HIDE, True)
    (line.cut if network == "cut" else line.lose)()
    hall.show(throwing())
    woken = one.page.evaluate("performance.now()")
    match sleep:
        case "hidden":  # another tab was in front
            one.page.evaluate(HIDE, False)
        case "frozen":  # to save the battery, while it could be seen
            one.page.evaluate("document.dispatchEvent(new Event('resume'))")
        case "shut":  # a laptop, opened after an hour: nothing tells it but the clock
            one.page.clock.fast_forward(HOUR_MS)
            woken += HOUR_MS
    one.catch_up()
    assert one.page.evaluate("window.shown[0]") - woken < AWAKE_MS
    assert one.page.evaluate("window.lost") == []


def test_a_tab_that_wakes_where_nothing_answers_says_so_within_a_second_and_asks_again(
    browser: Browser, hall: Hall, line: Line
) -> None:
    one = Watcher(browser, hall, at=line.url, clock=True)
    one.page.evaluate(HIDE, True)
    line.cut()
    line.losing = True
    hall.show(throwing())
    one.page.evaluate(HIDE, False)
    one.page.clock.run_for(AWAKE_MS)
    lost = one.page.locator("#lost")
    expect(lost).to_have_text("The table is not answering. Is it switched on?")
    line.losing = False
    one.page.clock.run_for(5 * AWAKE_MS)
    expect(lost).to_be_hidden(timeout=10 * AWAKE_MS)  # less than silence may last
    one.catch_up()


def test_a_table_that_does_not_answer_is_told_until_it_does(
    browser: Browser, tmp_path: Path
) -> None:
    with ExitStack() as closing:
        hall = Hall(closing, tmp_path)
        one = Watcher(browser, hall, TELEVISION)
        hall.close()
        lost = one.page.locator("#lost")
        expect(lost).to_have_text("The table is not answering. Is it switched on?")
        assert (
            one.page.title() == "The table is not answering. Is it switched on? - Pachisi Referee"
        )
        assert one.violations() == []
        smallest = min(one.page.evaluate(ON_THE_BOARD), key=lambda found: found["height"])
        assert smallest["height"] >= 0.02 * TELEVISION["height"]
