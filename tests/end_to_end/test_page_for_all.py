"""The page for who uses keys, a screen reader, their own colours, a phone or a large scale."""

import difflib
import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.resources import files
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from pi_app.config.keys import DEFAULT
from pi_app.display.pictures import GLYPHS
from pi_app.model.events import Notice
from pi_app.model.screens import message
from pi_app.table.modes.care.moving_back import MovingBack
from pi_app.table.modes.play.play import Playing
from pi_app.texts.language import ENGLISH, Language
from pi_app.web.stage import MAX_TABS
from rules.game import Phase
from rules.position import starting_position
from tests.asked import extent
from tests.end_to_end.page import (
    PHONE,
    SIDEWAYS,
    TWICE,
    WAIT_MS,
    WIDE,
    Driven,
    Served,
    Tab,
    looks_like,
)

pytestmark = pytest.mark.browser

SIZES = (WIDE, PHONE, SIDEWAYS)
LOW: ViewportSize = {"width": 1100, "height": 700}  # the referee is higher than this window
COLOURS: tuple[Literal["none", "active"], ...] = ("none", "active")  # forced are "active"
Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
AXE_RUN = "axe.run({ resultTypes: ['violations'] }).then(found => found.violations)"
START = starting_position((0, 2))
TREE = Path(__file__).with_name("page_turn.txt")
PICTURE = Path(__file__).parents[1] / "screens" / "browser.png"


# Every state, as axe-core judges it.


def states(table: Driven) -> Iterator[str]:
    """Lead a table through every kind of state, and stop in each."""
    player, played = table.player, table.played
    yield "joining"
    player.begin((0, 2))
    yield "who begins"
    for name, reached in PLAYED.items():
        while not reached(table):
            player.act()
            table.settle()
        yield name
    while not player.game.steps:
        player.act()
        table.settle()
    seat = "ABCD"[player.game.seat]
    for name, (path, presses) in FROM_THE_MENU.items():
        player.choose_in_menu(player.game.seat, *path)
        for kind in presses:
            table.settle()
            played.tap(f"{seat}.{kind}")
        yield name
        while not isinstance(played.app.session.mode, Playing):
            played.wait_until(played.clock.now + 10.0)  # closes by itself
    turn = player.game.turns
    while player.game.turns == turn:
        player.act()
    while not isinstance(played.app.session.mode, MovingBack):
        player.act()
        player.choose_in_menu(player.game.seat, "undo")
    yield "undo"
    player.end()
    yield "game over"
    table.server.close()
    yield "connection lost"


DRAFTED = ("ok", "ok", "next", "ok", "ok")
FROM_THE_MENU: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "menu": ((), ()),
    "walking": (("board", "walk"), ("next",)),
    "what to correct": (("board", "correct"), ()),
    "where to": (("board", "correct"), DRAFTED[:-1]),
    "drafted": (("board", "correct"), DRAFTED),
    "why not": (("board", "why"), ()),
    "ending": (("game", "end"), ()),
    "players": (("game", "players"), ()),
    "self test": (("setup", "self-test"), ()),
}


def captures(table: Driven) -> bool:
    """Whether the step that is offered takes a pawn of somebody else to its nest."""
    return len(json.loads(table.newest.text(ENGLISH))["moves"]) > 1


PLAYED: dict[str, Callable[[Driven], bool]] = {
    "throwing": lambda table: table.player.game.phase is Phase.THROW,
    "choosing": lambda table: bool(table.player.game.steps),
    "penalty": lambda table: table.player.game.phase is Phase.PENALTY,
    "capture": captures,
}
SOON = 5  # the seed of a game in which all of these come soon


def up_to_date(tab: Tab, table: Driven, state: str, language: Language = ENGLISH) -> None:
    """Wait until a tab shows the newest state in its language."""
    if state == "connection lost":
        expect(tab.page.locator("#lost")).to_be_visible()
    else:
        newest = json.loads(table.newest.text(language))
        expect(tab.display).to_have_text(" ".join(newest["says"]["parts"]))


def dark_contrast(page: Page) -> list[Any]:
    """Return what axe finds of contrast in the dark look. All else is tested in the light one."""
    page.emulate_media(color_scheme="dark")
    found: list[Any] = page.evaluate(AXE_RUN.replace("{ r", "{ runOnly: ['color-contrast'], r"))
    page.emulate_media(color_scheme="light")
    return found


def violations(tab: Tab) -> list[Any]:
    tab.page.evaluate(AXE)
    found = tab.page.evaluate(AXE_RUN)
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


@pytest.mark.soak
def test_in_every_state_axe_finds_nothing_and_each_pawn_to_be_moved_is_marked(
    browser: Browser,
) -> None:
    with ExitStack() as closing:
        judge_states(browser, Driven(closing, SOON))


def judge_states(browser: Browser, driven: Driven) -> None:
    tab, seen = Tab(browser, driven), list[str]()
    for state in states(driven):
        up_to_date(tab, driven, state)
        if state != "connection lost":
            check_marks(tab, driven, state)
        looks = list(product(COLOURS, SIZES))
        step = extent(2 * len(looks), soak=len(SIZES))
        for colours, size in looks[len(seen) % step :: step]:
            light: Literal["light", "dark"] = "light" if len(seen) // 2 % 2 else "dark"
            tab.page.emulate_media(forced_colors=colours, color_scheme=light)
            tab.page.set_viewport_size(size)
            up_to_date(tab, driven, state)
            assert violations(tab) == [], (state, size, colours, light)
            tab.page.wait_for_function("() => document.getAnimations().length === 0")
        seen.append(state)
    assert len(seen) == 6 + len(FROM_THE_MENU) + 3


def check_marks(tab: Tab, table: Driven, state: str) -> None:
    """Check that each pawn to be moved is marked at both ends and told in words."""
    told = json.loads(table.newest.text(ENGLISH))
    moves = [move["words"] for move in told["moves"]]
    lines = tab.page.locator("#moves li")
    expect(lines).to_have_count(len(moves))
    assert [text[1:] for text in lines.all_text_contents()] == moves, state
    count = len(moves)
    rings = {"from": count, "to": count, "arrow": count, "ghost": count}
    assert marks(tab) == {**rings, "look": len(told["looks"])}, state
    assert count == MOVES.get(state, 0), state


def marks(tab: Tab) -> dict[str, int]:
    kinds = ("from", "to", "arrow", "ghost", "look")
    return {kind: tab.page.locator(f".marks .{kind}").count() for kind in kinds}


MOVES = {"choosing": 1, "capture": 2, "penalty": 1, "where to": 1, "drafted": 1, "undo": 1}


# What a screen reader is told.


def tree(tab: Tab) -> list[str]:
    """Return Chromium's accessibility tree as text, but for the words of the display."""
    lines = tab.page.locator("main").aria_snapshot().splitlines()
    words = "(what the display says)"
    return [f"{line.partition(':')[0]}: {words}" if "- status" in line else line for line in lines]


def test_the_accessibility_tree_of_a_turn_is_the_one_kept(
    browser: Browser, driven: Driven, redraw: bool
) -> None:
    tab = Tab(browser, driven)
    told, before = [], [""]
    for state in turn(driven):
        up_to_date(tab, driven, state)
        now = tree(tab)
        changed = [line for line in difflib.ndiff(before, now) if line[0] in "+-"]
        told += [f"== {state}", *(now if before == [""] else changed), ""]
        before = now
    if redraw:
        TREE.write_text("\n".join(told))
    assert "\n".join(told) == TREE.read_text()


def turn(table: Driven) -> Iterator[str]:
    """Begin a game of A and C and play until the first turn that moves a pawn is over."""
    yield "nobody has joined"
    player = table.player
    player.begin((0, 2))
    yield "who begins"
    while player.game.phase is not Phase.THROW or player.game.position == START:
        player.act()
        table.settle()
        yield f"then: {player.game.phase}"


def test_each_change_is_spoken_once(browser: Browser, driven: Driven) -> None:
    tab = Tab(browser, driven)
    tab.page.evaluate(HEAR)
    said = []
    for state in turn(driven):
        up_to_date(tab, driven, state)
        said.append(tab.says)
        for _ in range(10):  # places blink meanwhile, and lamps
            driven.played.wait_until(driven.played.clock.now + 0.5)
    spoken = tab.page.evaluate("window.spoken")
    assert all(one != other for one, other in pairwise(spoken))
    parts = [{*words.strip().split(", ")} for words in spoken]
    assert all(any(new <= {*words.strip().split(", ")} for new in parts) for words in said[1:])


# A live region says the nodes that are put into it: those of a screen in a row.
HEAR = """() => { window.spoken = []; window.aside = [];
    const hear = (id, take) => new MutationObserver((changes) => {
        const texts = [];
        for (const change of changes)
            for (const node of change.addedNodes) texts.push(node.textContent);
        if (texts.length) take(texts);
    }).observe(document.getElementById(id), { childList: true, subtree: true });
    hear("says", (texts) => window.spoken.push(texts.join("").trim()));
    hear("aside", (texts) => window.aside.push(...texts)) }"""


def until_said(tab: Tab, words: str, times: int) -> None:
    """Wait until these words have been said so many times."""
    count = f"window.spoken.filter(words => words === {json.dumps(words)}).length"
    tab.page.wait_for_function(f"() => {count} === {times}", timeout=WAIT_MS)


def test_over_a_turn_each_step_is_said_once_and_again_when_next_comes_round_to_it(
    browser: Browser, driven: Driven
) -> None:
    player, played = driven.player, driven.played
    player.begin((0, 2))
    while player.game.phase is not Phase.MOVE or len(player.game.steps) < 3:
        player.act()
    driven.settle()
    seat = "ABCD"[player.game.seat]
    tab = Tab(browser, driven)
    up_to_date(tab, driven, "choosing")
    tab.page.evaluate(HEAR)
    screen, steps = said_now(driven), []
    for _ in player.game.steps:
        before, screen = screen, press_next(driven, seat)
        words = " ".join(part for part in screen if part not in before)
        assert not words.startswith(screen[0])  # neither who nor the dice
        until_said(tab, words, 1)
        steps.append(words)
        disturb(tab, driven, seat)
    played.tap(f"{seat}.next")
    until_said(tab, steps[0], 2)
    played.tap(f"{seat}.ok")
    driven.settle()
    up_to_date(tab, driven, "the next choice")
    spoken = tab.page.evaluate("window.spoken")
    assert spoken[: len(steps) + 1] == [*steps, steps[0]]
    assert not set(spoken[len(steps) + 1 :]) & set(steps)
    asides = tab.page.evaluate("window.aside")
    other = "C" if seat == "A" else "A"
    assert asides == [f"{seat}'s turn", "the buzzer hums"] * len(steps), other


def said_now(table: Driven) -> list[str]:
    """Return the parts of the screen that the page is told to say."""
    return list(json.loads(table.newest.text(ENGLISH))["says"]["parts"])


def press_next(table: Driven, seat: str) -> list[str]:
    """Press a seat's NEXT; return the parts of the screen after it."""
    table.played.tap(f"{seat}.next")
    return said_now(table)


def disturb(tab: Tab, table: Driven, seat: str) -> None:
    """Let happen what is no news of the step: others press, fingers hold, devices, a lost line."""
    played = table.played
    played.tap("C.ok" if seat == "A" else "A.ok")
    expect(tab.page.locator("#aside")).to_have_text(f"{seat}'s turn")
    played.wait_until(played.clock.now + 3.0)
    played.app.process(Notice("hum", message("the buzzer hums"), played.clock.now))
    expect(tab.page.locator("#aside")).to_have_text("the buzzer hums")
    played.hands.down(f"{seat}.next")
    played.wait_until(played.clock.now + 0.8)
    played.hands.up(f"{seat}.next")
    tab.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    played.wait_until(played.clock.now + 5.0)
    played.app.process(Notice("hum", None, played.clock.now))
    expect(tab.page.locator("#aside")).to_have_text("")


# Keys.


def fingers(tab: Tab) -> int:
    return sum(url.endswith("/finger") for url in tab.asked)


def test_space_and_enter_press_the_button_that_has_the_focus(
    browser: Browser, served: Served
) -> None:
    tab = Tab(browser, served)
    pressed: list[Any] = []
    tab.page.on("request", lambda request: pressed.append(request.post_data_json))
    for seat, key in (("A", "Space"), ("B", "Enter")):
        tab.page.locator(f'[data-button="{seat}.ok"]').focus()
        tab.page.keyboard.press(key, delay=60)
        tab.wait_for(f"{seat} joined")
    tab.press_until_said("C.ok", "C joined")
    buttons = [finger["button"] for finger in pressed if finger]
    assert buttons == ["A.ok", "A.ok", "B.ok", "B.ok", "C.ok", "C.ok"]


def test_space_and_enter_turn_a_switch_that_has_the_focus_and_leave_it_there(
    browser: Browser, served: Served
) -> None:
    tab = Tab(browser, served)
    for switch, key in product(("sound", "keys"), ("Space", "Enter")):
        control = tab.page.locator(f"#{switch}")
        before = control.get_attribute("aria-checked")
        control.focus()
        tab.page.keyboard.press(key, delay=60)
        expect(control).to_have_attribute("aria-checked", "false" if before == "true" else "true")
        expect(control).to_be_focused()
    tab.press_until_said("C.ok", "C joined")
    while fingers(tab) < 2:  # the release may follow what is said
        tab.page.wait_for_event("request")
    assert fingers(tab) == 2


def test_the_letters_can_be_switched_off_and_stay_off(browser: Browser, served: Served) -> None:
    tab = Tab(browser, served)
    tab.page.locator("#keys").click()
    tab.page.reload()
    expect(tab.page.locator("#keys")).to_have_text("keys off")
    expect(tab.page.locator("kbd").first).to_be_hidden()
    tab.page.locator("h1").click()
    for key in "qwoperui ":
        tab.page.keyboard.press(key, delay=60)
    tab.press_until_said("C.ok", "C joined")
    assert fingers(tab) == 2
    tab.page.locator("#keys").click()
    tab.page.keyboard.press("q", delay=60)
    tab.wait_for("A joined")


def test_where_there_are_fingers_only_nothing_tells_of_keys(browser: Browser, seen: Served) -> None:
    context = browser.new_context(viewport=WIDE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(seen.url)
    expect(page.locator("#says")).not_to_be_empty()
    for place in page.locator("#keys, .key").all():
        expect(place).to_be_hidden()
    context.close()


def test_each_buttons_name_has_the_words_that_are_seen_on_it(
    browser: Browser, seen: Served
) -> None:
    tab = Tab(browser, seen)
    tab.page.evaluate(AXE)
    found = tab.page.evaluate(
        "axe.run({ runOnly: ['label-content-name-mismatch'] }).then(found => found.violations)"
    )
    assert found == []


@pytest.mark.parametrize(
    ("has_all", "told", "untold"),
    [
        (
            True,
            ["press the dome", "NEXT shows the next", "Hold NEXT"],
            ["hold OK to throw", "Tap OK"],
        ),
        (
            False,
            ["hold OK to throw", "Tap OK", "After the last choice"],
            ["dome", "NEXT", "type them in"],
        ),
    ],
    ids=["as shipped", "no dome, one button a panel"],
)
def test_the_help_names_what_this_table_has(
    browser: Browser, tmp_path: Path, has_all: bool, told: list[str], untold: list[str]
) -> None:
    config = DEFAULT.read_text()
    if not has_all:
        config = re.sub("^(dome|next) = [0-9]+", r"\1 = false", config, flags=re.MULTILINE)
    file = tmp_path / "referee.toml"
    file.write_text(config)
    table = Served(tmp_path / "kept", "--config", str(file))
    page = browser.new_page(viewport=WIDE)
    page.goto(table.url)
    expect(page.locator("#says")).not_to_be_empty()
    words = page.locator("main").inner_text()
    assert [said for said in told if said not in words] == []
    assert [said for said in untold if said in words] == []
    assert table.end() == (0, "")


def test_a_table_without_lamps_and_with_two_panels_has_no_others(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "evening.toml"
    file.write_text(
        "panel.A.lamp = false\npanel.C.lamp = false\npanel.B.ok = false\npanel.D.ok = false\n"
    )
    table = Served(tmp_path / "kept", "--config", str(file))
    page = browser.new_page(viewport=WIDE)
    page.goto(table.url)
    expect(page.locator("#says")).not_to_be_empty()
    expect(page.locator(".console:visible")).to_have_count(2)
    expect(page.locator(".lamp:visible")).to_have_count(0)
    assert table.end() == (0, "")


def test_a_click_without_a_finger_is_a_tap(browser: Browser, served: Served) -> None:
    tab = Tab(browser, served)
    tab.page.locator('[data-button="A.ok"]').dispatch_event("click")
    tab.wait_for("A joined")
    expect(tab.page.locator('[data-button="A.ok"]:not(.down)')).to_have_count(1)


# What eyes see.


def test_each_display_is_shown_and_one_that_turns_turns(browser: Browser, tmp_path: Path) -> None:
    """A throws, and then C, who sits at the second display's upper edge."""
    config = DEFAULT.read_text()
    first = config[config.index("\n[display]") : config.index("\n[chamber]")]
    turned = re.sub("^rotation = 0", 'rotation = "turn"', first, flags=re.MULTILINE)
    turned = re.sub("^i2c_address = .*", "i2c_address = 0x3D", turned, flags=re.MULTILINE)
    two = first.replace("[display]", "[[display]]") + turned.replace("[display]", "[[display]]")
    file = tmp_path / "referee.toml"
    file.write_text(config.replace(first, two))
    table = Served(tmp_path / "kept", "--config", str(file))
    tab = Tab(browser, table)
    expect(tab.page.locator("canvas:visible")).to_have_count(2)
    tab.begin()
    tab.page.wait_for_function(f"() => {PIXELS}[0] === {PIXELS}[1]")
    tab.press_until_other("dome")
    tab.page.wait_for_function(f"() => {PIXELS}[0] === {PIXELS}[1].split('').reverse().join('')")
    assert table.end() == (0, "")


PIXELS = """[...document.querySelectorAll(".glass canvas")].map(one => one.getContext("2d")
    .getImageData(0, 0, 128, 64).data.filter((value, n) => n % 4 === 0)
    .reduce((all, value) => all + (value > 100 ? 1 : 0), ""))"""


def test_the_picture_of_the_page_is_there(browser: Browser, driven: Driven, redraw: bool) -> None:
    driven.player.begin((0, 1, 2, 3))
    while driven.player.game.throws < 90 or driven.player.game.phase is not Phase.MOVE:
        driven.player.act()
    driven.settle()
    tab = Tab(browser, driven)
    tab.page.wait_for_selector(".marks .to")
    tab.page.emulate_media(color_scheme="dark")
    if redraw:
        tab.page.screenshot(path=PICTURE)
    assert looks_like(PICTURE, tab.page.screenshot())


def test_display_and_every_button_are_in_view_together(browser: Browser, driven: Driven) -> None:
    tab = Tab(browser, driven)
    for size in (WIDE, LOW, PHONE, SIDEWAYS, TWICE):
        tab.page.set_viewport_size(size)
        assert len(boxes_in_view(tab, "[data-button], #panel, #board", size)) == 11


@pytest.mark.parametrize("locale", ["de", "en", "es", "fr", "pt"])
def test_a_phone_shows_every_button_in_each_language(
    browser: Browser, seen: Served, locale: str
) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale=locale)
    page = context.new_page()
    page.goto(seen.url)
    expect(page.locator("#says")).not_to_be_empty()
    bottoms = [box(one)[3] for one in page.locator("[data-button]").all()]
    assert len(bottoms) == 9
    assert max(bottoms) <= PHONE["height"]


def boxes_in_view(tab: Tab, places: str, size: ViewportSize) -> list[Box]:
    """Return the boxes of places, all of them in view and none over another."""
    boxes = [box(one) for one in tab.page.locator(places).all()]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= size["width"]
        assert bottom <= size["height"]
    for one, other in combinations(boxes, 2):
        assert not overlap(one, other)
    return boxes


def box(place: Locator) -> Box:
    found = place.bounding_box()
    assert found is not None
    left, top = found["x"], found["y"]
    return left, top, left + found["width"], top + found["height"]


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_the_help_is_there_until_a_turn_was_played_and_then_at_hand_and_nothing_moves(
    browser: Browser, driven: Driven
) -> None:
    tab = Tab(browser, driven)
    parts = "#panel, .dome, #board, .console, header"
    places = [box(one) for one in tab.page.locator(parts).all()]
    help_, happened = tab.page.locator("#hints"), tab.page.locator("#happened")
    expect(help_).to_be_visible()
    driven.player.begin((0, 1, 2, 3))
    while driven.player.game.turns < 2:
        driven.player.act()
        driven.settle()
        if driven.player.game.turns == 1:
            expect(happened.locator("li")).not_to_have_count(0)
            expect(help_).to_be_visible()
    while not captures(driven):
        driven.player.act()
        driven.settle()
    expect(happened).to_be_visible()
    expect(help_).to_be_hidden()
    assert [box(one) for one in tab.page.locator(parts).all()] == places
    tab.page.get_by_role("button", name="How to play").click()
    expect(help_).to_be_visible()
    expect(happened).to_be_hidden()
    assert [box(one) for one in tab.page.locator(parts).all()] == places
    driven.player.act()
    driven.settle()
    expect(help_).to_be_visible()
    tab.page.get_by_role("button", name="How to play").click()
    expect(happened).to_be_visible()


def test_the_keyboard_comes_to_the_dome_first_then_to_the_panels_then_to_the_header(
    browser: Browser, driven: Driven
) -> None:
    tab = Tab(browser, driven)
    focused = []
    for _ in range(14):
        tab.page.keyboard.press("Tab")
        focused.append(
            tab.page.evaluate(
                "(({ dataset, id, tagName }) => dataset.button || id || tagName)"
                "(document.activeElement)"
            )
        )
    panels = [f"{seat}.{kind}" for seat in "CDBA" for kind in ("ok", "next")]
    assert focused == ["dome", *panels, "A", "watch", "keys", "sound", "help"]


def test_a_dark_screen_says_what_wakes_it(browser: Browser, driven: Driven) -> None:
    tab = Tab(browser, driven)
    assert tab.page.locator("#says").evaluate(CLIPPED)
    driven.played.wait_until(driven.played.clock.now + 700)
    tab.wait_for("the screen is dark; any press wakes it")
    assert not tab.page.locator("#says").evaluate(CLIPPED)
    assert len(boxes_in_view(tab, "#says", WIDE)) == 1
    driven.played.tap("A.ok")
    expect(tab.display).not_to_have_text("the screen is dark; any press wakes it")
    assert tab.page.locator("#says").evaluate(CLIPPED)


CLIPPED = "node => getComputedStyle(node).clipPath !== 'none'"  # for screen readers only


def test_a_lost_connection_is_told_over_the_display_alone(browser: Browser, driven: Driven) -> None:
    tab = Tab(browser, driven)
    driven.server.close()
    lost = tab.page.locator("#lost")
    expect(lost).to_contain_text("The game is in its journal.")
    for size in (WIDE, PHONE, SIDEWAYS, TWICE):
        tab.page.set_viewport_size(size)
        assert lost.evaluate("node => node.scrollHeight <= node.clientHeight")
        for button in tab.page.locator("button").all():
            assert not overlap(box(lost), box(button))


def test_a_capture_and_every_button_are_in_view_together(browser: Browser, driven: Driven) -> None:
    driven.player.begin((0, 1, 2, 3))
    while not captures(driven):
        driven.player.act()
        driven.settle()
    tab = Tab(browser, driven)
    expect(tab.page.locator("#moves li")).to_have_count(2)
    for size in (WIDE, PHONE, SIDEWAYS, TWICE):
        tab.page.set_viewport_size(size)
        boxes_in_view(tab, "[data-button], #panel, #board, #moves li", size)


def test_one_tab_too_many_is_told_why_and_shows_the_table_later(
    browser: Browser, driven: Driven
) -> None:
    first = Tab(browser, driven)
    with ExitStack() as others:
        for _ in range(MAX_TABS - 1):
            address = urlsplit(driven.url)
            assert address.hostname
            assert address.port
            taken = others.enter_context(socket.create_connection((address.hostname, address.port)))
            taken.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert taken.recv(12) == b"HTTP/1.1 200"
        page = browser.new_page()
        page.goto(driven.url)
        expect(page.locator("#lost")).to_have_text(
            "16 tabs show this table already: close one of them"
        )
        first.page.close()
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#says")).not_to_be_empty()


def test_the_shapes_of_the_seats_are_the_panels(browser: Browser, driven: Driven) -> None:
    tab = Tab(browser, driven)
    inside = """path => [-1, 0, 1].map(y => [-1, 0, 1].map(x =>
        path.isPointInFill(new DOMPoint(x / 3, y / 3))))"""
    for seat, shape in enumerate(GLYPHS):
        mark = tab.page.locator(f".console.seat{seat} .badge .body")
        drawn = [shape.getpixel((x, y)) != 0 for y in range(3) for x in range(3)]
        assert [lit for row in mark.evaluate(inside) for lit in row] == drawn, seat


def test_each_entry_has_its_letter(browser: Browser, driven: Driven) -> None:
    tab = Tab(browser, driven)
    tab.page.wait_for_selector(".entry-letter")
    assert tab.page.locator(".entry-letter").all_text_contents() == ["A", "B", "C", "D"]


LETTERS = {  # a text, and what is behind it
    ".console.seat{} .ok .cap": ".console.seat{} .ok",
    ".console.seat{} .next .cap": ".console.seat{} .next",
    ".console.seat{} .badge .letter:not(.dark)": ".console.seat{} .badge .body",
    ".console.seat{} .badge .letter.dark": ".console.seat{} .badge .hollow",
    ".nest-letter.seat{}": ".nest-inner",
    ".entry-letter.seat{}": ".entry.seat{}",
}
SHAPES = {  # a shape, and what it lies on
    ".entry.seat{}": ".cell",
    ".nest.seat{}": ".card",
    ".console.seat{} .badge .body": ".cell",
}
COLOUR = """node => {
    const style = getComputedStyle(node), drawn = node instanceof SVGElement;
    const behind = node.matches("button") ? style.backgroundColor : style.color;
    const colour = drawn ? style.fill : behind;
    return (colour.match(/[\\d.]+/g) ?? []).slice(0, 3).map(Number) }"""

STROKE = "node => getComputedStyle(node).stroke.match(/\\d+/g).map(Number)"


def luminance(colour: list[float]) -> float:
    """WCAG 2.2, relative luminance, of red, green and blue from 0 to 255."""
    parts = [value / 255 for value in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_letters_have_a_contrast_of_4_5_and_shapes_of_3(browser: Browser, driven: Driven) -> None:
    page = Tab(browser, driven).page
    page.wait_for_selector(".entry-letter")
    for seat in range(4):
        seen = 0
        for pairs, least in ((LETTERS, 4.5), (SHAPES, 3.0)):
            for front, behind in pairs.items():
                if page.locator(front.format(seat)).count():
                    colours = [page.locator(s.format(seat)).first for s in (front, behind)]
                    one, other = (place.evaluate(COLOUR) for place in colours)
                    if least == 3.0 and front.startswith(".entry"):
                        one = page.locator(front.format(seat)).evaluate(STROKE)
                    assert contrast(one, other) >= least, (front, seat, one, other)
                    seen += 1
        assert seen == len(LETTERS) + len(SHAPES) - 1  # a letter is light or dark


def test_forced_colours_leave_dome_dice_and_lamps_to_be_seen(
    browser: Browser, driven: Driven
) -> None:
    driven.player.begin((0, 2))
    while driven.player.game.phase is not Phase.MOVE:
        driven.player.act()
        driven.settle()
    page = Tab(browser, driven, forced=True).page
    page.wait_for_selector(".die")
    behind = "node => getComputedStyle(node).backgroundColor"
    lit = f".console.seat{driven.player.game.seat} .lamp"
    assert page.locator(".die").first.evaluate(behind) != page.locator(".dome").evaluate(behind)
    assert page.locator(".pip").first.evaluate(behind) != page.locator(".die").first.evaluate(
        behind
    )
    assert page.locator(lit).evaluate(behind) != page.locator(".console.seat1 .lamp").evaluate(
        behind
    )
    assert page.locator(".dome").evaluate("node => getComputedStyle(node).borderTopWidth") == "2px"
