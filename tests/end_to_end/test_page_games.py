"""The games that were kept, in a real browser: looked through by keys, slider and clicks."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from pi_app.record.stats import GameCounts
from pi_app.record.summaries import Summary
from pi_app.table.telling.standings import standings
from pi_app.texts.language import ENGLISH, all_languages, language
from pi_app.web.answers import Languages
from pi_app.web.kept_games import list_games
from pi_app.web.plots import statistics
from pi_app.web.state import say_all
from tests.asked import asked
from tests.end_to_end.page import (
    ARGUMENTS,
    CHROMIUM,
    PHONE,
    SIDEWAYS,
    TWICE,
    WIDE,
    Driven,
    looks_like,
)
from tests.end_to_end.test_page_for_all import AXE, AXE_RUN, dark_contrast

pytestmark = pytest.mark.browser

NO_OTHERS: Languages = {}
PICTURE = Path(__file__).parents[1] / "screens" / "games.png"
PLACES = ("", "#1", "#statistics")
SIZES = (WIDE, PHONE, SIDEWAYS)
SHOWN = {"": "#kept li", "#statistics": "#plots svg"}  # of what is at an address, else a game
LARGEST: ViewportSize = {"width": 320, "height": 256}  # 1280x1024 at 400 %
WORKED_OUT_MS = 120_000  # the process that reviews throws gives way to all others
UPRIGHT: ViewportSize = {"width": 920, "height": 1200}


@pytest.fixture(scope="module")
def kept() -> Iterator[Driven]:
    """A table whose game of four was ended after many throws; nobody plays on."""
    with ExitStack() as closing:
        yield ended(closing, throws=70)


@pytest.fixture
def brief() -> Iterator[Driven]:
    """The same with fewer throws: its luck and skill are worked out sooner."""
    with ExitStack() as closing:
        yield ended(closing, throws=12, others={"de": language("de")})


def ended(closing: ExitStack, throws: int, others: Languages = NO_OTHERS) -> Driven:
    table = Driven(closing, seed=2, others=others)
    table.player.begin((0, 1, 2, 3))
    while table.player.game.throws < throws:
        table.player.act()
    table.player.end()
    return table


def opened(browser: Browser, table: Driven, at: str = "", **how: Any) -> Page:
    page = browser.new_page(reduced_motion="reduce", **how)
    page.goto(f"{table.url}games.html{at}")
    page.wait_for_selector(SHOWN.get(at, "#curve .line"))
    return page


def pawns(page: Page) -> list[str]:
    said = "all => all.map(one => one.dataset.seat + ' ' + one.dataset.place)"
    return sorted(page.eval_on_selector_all(".pawn", said))


def test_a_game_is_found_in_the_list_and_looked_through(browser: Browser, brief: Driven) -> None:
    page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda line: trouble.append(line.text))
    page.goto(brief.url)
    page.get_by_role("link", name="games").click()
    page.get_by_role("link", name="A, B, C and D").click()
    words = page.locator("#words")
    expect(words).to_contain_text("the game is over")
    page.keyboard.press("Home")
    expect(words).to_have_text("Turn 0: the pawns are in their nests")
    expect(page.locator('.pawn[data-place="-8"]')).to_have_count(16)
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("A threw")
    expect(page.locator(".die")).to_have_count(2)
    page.keyboard.press("PageUp")
    expect(words).to_contain_text("Turn 1: ")
    page.keyboard.press("End")
    expect(words).to_contain_text("the game is over")
    places = brief.player.game.position
    assert pawns(page) == sorted(f"{s} {place}" for s in range(4) for place in places[s])
    page.locator("#slider").fill("4")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#slider")).to_have_value("3")
    page.locator("#curve").click(position={"x": 300, "y": 100})
    slider = page.locator("#slider")
    last = int(slider.get_attribute("max") or 0)
    assert last / 5 < int(slider.input_value()) < 4 * last / 5
    expect(page.locator("#seats h4")).to_have_count(4)
    expect(page.locator("#ready")).to_be_empty(timeout=WORKED_OUT_MS)
    page.locator("#seats button").first.click()
    expect(words).to_contain_text("threw")
    assert trouble == []


def test_a_game_that_was_saved_is_replayed_from_the_disk_by_keys_buttons_and_fingers(
    browser: Browser, brief: Driven, tmp_path: Path
) -> None:
    page = opened(browser, brief, "#1")
    with page.expect_download() as saving:
        page.get_by_role("link", name="save this game").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    page = browser.new_page(viewport=PHONE, has_touch=True, locale="de-AT", reduced_motion="reduce")
    requests: list[str] = []
    trouble: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda line: trouble.append(line.text))
    page.goto(file.as_uri())
    words, slider = page.locator("#words"), page.locator("#slider")
    expect(words).to_contain_text("das Spiel ist aus")
    assert page.locator("header a:visible").count() == 0
    page.keyboard.press("Home")
    page.get_by_role("button", name="Weiter", exact=True).click()
    expect(slider).to_have_value("1")
    for start, end, value in ((300, 100, "2"), (100, 300, "1"), (200, 210, "1")):
        swipe(page, start, end)
        expect(slider).to_have_value(value)
    page.locator("#language").select_option("en")
    expect(words).to_have_text("Turn 0: A threw 1 and 1")
    expect(slider).to_have_value("1")
    expect(page.locator("#rules")).to_contain_text("A pawn leaves the nest with 5")
    page.evaluate(AXE)
    assert page.evaluate(AXE_RUN) == []
    page.set_viewport_size(LARGEST)
    assert page.evaluate("document.documentElement.scrollWidth") == LARGEST["width"]
    assert {url.partition("#")[0] for url in requests} == {file.as_uri()}
    assert trouble == []


@pytest.mark.parametrize("paper", [("210mm", 794), ("8.5in", 816)], ids=["A4", "Letter"])
def test_a_game_is_printed_as_a_score_sheet(
    browser: Browser, kept: Driven, paper: tuple[str, int]
) -> None:
    width, dots = paper
    page = opened(browser, kept, "#1", viewport={"width": dots - 91, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    for part in ("#standings", "#captures", "#curve", "#rules", "#happened"):
        assert page.locator(part).is_visible(), part
    for part in (".controls", "#board", "header a", "#language"):
        assert not page.locator(part).first.is_visible(), part
    assert page.locator("#standings tr").all_inner_texts() == [
        f"{'ABCD'[seat]}\n\t{ENGLISH.say(far, 'page')}" for seat, far in standings(kept.player.game)
    ]
    told = "\n".join(page.locator("#happened li").all_inner_texts())
    often = [int(cell) for cell in page.locator("#captures td").all_inner_texts()]
    assert sum(often) == told.count(" captured ") > 0
    looks = "getComputedStyle(document.body).backgroundImage", "getComputedStyle(happened).color"
    assert [page.evaluate(look) for look in looks] == ["none", "rgb(0, 0, 0)"]
    assert page.evaluate("document.documentElement.scrollWidth") <= dots - 91
    assert len(page.pdf(width=width, height="297mm")) > 10_000
    page.close()


def swipe(page: Page, start: int, end: int) -> None:
    """Let a finger go over the board, from one x to another."""
    hand = page.context.new_cdp_session(page)
    for kind, x in (("touchStart", start), ("touchMove", end), ("touchEnd", None)):
        points = [] if x is None else [{"x": x, "y": 250}]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_play_shows_a_game_from_its_beginning_at_the_speed_chosen(
    browser: Browser, kept: Driven
) -> None:
    page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
    page.clock.install(time=0)
    page.goto(f"{kept.url}games.html#1")
    slider = page.locator("#slider")
    expect(page.locator("#words")).to_contain_text("the game is over")
    last = slider.input_value()
    page.clock.pause_at(3_600_000)
    page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("0")
    page.clock.run_for(3000)
    expect(slider).to_have_value("3")
    page.get_by_role("combobox", name="Speed").select_option("4 ×")
    page.clock.run_for(3000)
    expect(slider).to_have_value("12")  # one more at the old speed, then eight
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(3000)
    expect(slider).to_have_value("12")
    page.get_by_role("button", name="Play").click()
    page.keyboard.press("ArrowLeft")  # who looks for a place does not want to be led on
    page.clock.run_for(3000)
    expect(slider).to_have_value("11")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(300_000)
    expect(slider).to_have_value(last)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize(
    ("at", "asked_for", "shown"),
    [
        ("", "**/games", "#kept li"),
        ("#1", "**/games/1", "#curve .line"),
        ("#1", "**/games/1/review", "#seats h4"),
    ],
    ids=["the list", "a game", "a review"],
)
def test_who_waits_for_an_answer_is_told_so_and_it_is_asked_for_again(
    browser: Browser, brief: Driven, at: str, asked_for: str, shown: str
) -> None:
    page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.route(asked_for, lambda route: None)
    with page.expect_request(asked_for):
        page.goto(f"{brief.url}games.html{at}")
    words = page.locator("#ready" if "review" in asked_for else "header ~ [role]:visible")
    page.clock.run_for(290)
    expect(words).to_be_hidden()
    page.clock.run_for(20)
    expect(words).to_have_text("Loading ...")
    page.clock.run_for(10_000)
    expect(words).to_have_text("The table is not answering. This page tries again by itself.")
    page.unroute(asked_for)
    page.clock.resume()
    expect(page.locator(shown).first).to_be_visible(timeout=WORKED_OUT_MS)
    expect(page.locator("header ~ [role]:visible")).to_have_count(0)


def test_who_goes_elsewhere_waits_no_longer(browser: Browser, brief: Driven) -> None:
    page = opened(browser, brief)
    page.clock.install()
    page.route("**/games/1", lambda route: None)
    with page.expect_request("**/games/1"):
        page.evaluate("location.hash = '#1'")
    page.clock.run_for(500)
    expect(page.locator("#loading")).to_be_visible()
    with page.expect_event("requestfailed"):
        page.evaluate("location.hash = ''")
    page.clock.run_for(500)
    expect(page.locator("#kept li")).to_have_count(1)
    expect(page.locator("#loading")).to_be_hidden()


def test_a_list_without_a_game_says_how_to_get_one(browser: Browser, driven: Driven) -> None:
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{driven.url}games.html")
    expect(page.locator("#none")).to_contain_text("press OK on two panels")


@pytest.mark.parametrize(
    ("locale", "dated"),
    [("en-GB", "21 Nov 2026, 19:02"), ("de-DE", r"Nov 21, 2026, 7:02\sPM")],
    ids=["its own English", "the page's English"],
)
def test_a_game_is_dated_where_the_browser_is_and_as_the_pages_language_writes_it(
    browser: Browser, kept: Driven, locale: str, dated: str
) -> None:
    started = datetime(2026, 11, 21, 18, 2, tzinfo=UTC)
    own = Summary("7", "findler", (0, 2), {}, True, (2,), started, 2700.0, 113)
    page = browser.new_context(locale=locale, timezone_id="Europe/Berlin").new_page()
    page.route("**/games", lambda route: route.fulfill(json=answer([own])))
    page.goto(f"{kept.url}games.html")
    about = page.locator("#kept .about")
    expect(about).to_have_text(re.compile(f"^{dated}, Findler's course rules, 45 minutes,"))
    expect(about.locator("time")).to_have_text(re.compile(f"^{dated}$"))


def answer(games: list[Summary], has_older: bool = False) -> dict[str, Any]:
    return {"games": say_all(list_games(games), ENGLISH), "has_older": has_older}


@pytest.mark.parametrize("forced", ["none", "active"])
def test_older_games_are_added_below_and_read_on_from(
    browser: Browser, kept: Driven, forced: Any
) -> None:
    page = browser.new_page(viewport=PHONE, forced_colors=forced)
    games = [
        Summary(str(n), "findler", (0, 2), {}, True, (2,), None, 2700.0, 113)
        for n in range(70, 0, -1)
    ]
    page.route("**/games", lambda route: route.fulfill(json=answer(games[:50], has_older=True)))
    page.route("**/games?before=21", lambda route: route.fulfill(json=answer(games[50:])))
    page.goto(f"{kept.url}games.html")
    older = page.get_by_role("button", name="older games")
    expect(page.locator("#kept li")).to_have_count(50)
    page.evaluate(AXE)
    assert page.evaluate(AXE_RUN) + dark_contrast(page) == []
    older.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#kept li")).to_have_count(70)
    expect(page.locator("#kept li:nth-child(51) a")).to_be_focused()
    expect(older).to_be_hidden()


def test_statistics_are_found_by_keys_and_each_plot_has_its_numbers(
    browser: Browser, kept: Driven
) -> None:
    page = opened(browser, kept)
    page.get_by_role("link", name="statistics").press("Enter")
    dice = page.locator("#plots section", has_text="How the referee's dice fell")
    expect(dice.get_by_role("img")).to_have_accessible_name("How the referee's dice fell")
    expect(dice.locator("svg .bar")).to_have_count(6)
    expect(dice.locator("svg .band")).to_have_count(6)
    dice.locator("summary").press("Enter")
    rows = dice.get_by_role("row").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["Face", *"123456"]
    assert [row.split("\t")[1] for row in rows[1:]] == dice.locator(
        "svg .value"
    ).all_text_contents()
    others = page.locator("#plots details:not([open])")
    expect(others).not_to_have_count(0)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(others).to_have_count(0)
    page.get_by_role("link", name="all games").press("Enter")
    expect(page.locator("#kept li")).to_have_count(1)


def test_a_table_of_five_columns_is_no_wider_than_its_plot(browser: Browser, kept: Driven) -> None:
    lengths = Summary("1", "sr-1942", (0, 2), {}, True, (2,), None, 5400.0, 90)
    told = statistics([lengths], {"1": GameCounts((), (), ())}, 1)
    page, said = browser.new_page(), list[Any]()
    page.route("**/games/statistics", lambda route: route.fulfill(json=said[-1]))
    for code, spoken in all_languages().items():
        said.append(say_all(told, spoken))
        page.goto(f"{kept.url}games.html?{code}#statistics")
        page.wait_for_selector("#plots summary")
        for more in page.locator("#plots summary").all():
            more.click()
        for width in (320, 390, 640, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            wide = "all => all.map(one => one.scrollWidth - one.clientWidth)"
            assert set(page.eval_on_selector_all("#plots section", wide)) == {0}, (code, width)


def test_reviewed_chances_take_the_place_of_quicker_ones(browser: Browser, kept: Driven) -> None:
    page = browser.new_page()
    last = len(page.request.get(f"{kept.url}games/1").json()["frames"]) - 1
    chances = [[last, [0.77, 0.77, 0.77, 0.77]]]
    review = {"of": 1, "over": True, "progress": "", "chances": chances, "seats": []}
    page.route("**/games/1/review", lambda route: route.fulfill(json=review))
    page.goto(f"{kept.url}games.html#1")
    expect(page.locator("#chances")).to_contain_text("77%")
    page.keyboard.press("Home")
    expect(page.locator("#chances")).not_to_contain_text("77%")


def test_statistics_go_on_until_all_games_are_counted(browser: Browser, kept: Driven) -> None:
    page = browser.new_page()
    half = {"title": "", "over": False, "progress": "half", "plots": []}
    waiting = [half, {**half, "over": True, "progress": "all"}]
    page.route("**/games/statistics", lambda route: route.fulfill(json=waiting.pop(0)))
    page.goto(f"{kept.url}games.html#statistics")
    expect(page.locator("#counted")).to_have_text("all")
    assert waiting == []


def test_a_page_that_is_told_to_wait_asks_again(browser: Browser, kept: Driven) -> None:
    page, answers = browser.new_page(), [503, 200]

    def answer(route: Route) -> None:
        if answers.pop(0) == 200:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="too many")

    page.route("**/games", answer)
    page.goto(f"{kept.url}games.html")
    expect(page.locator("#kept li")).to_have_count(1)
    assert answers == []


@pytest.mark.parametrize("at", PLACES, ids=str)
def test_nothing_is_wider_than_a_page_with_a_scrollbar(
    browser: Browser, kept: Driven, at: str
) -> None:
    with browser.browser_type.launch(
        executable_path=CHROMIUM, args=ARGUMENTS, ignore_default_args=["--hide-scrollbars"]
    ) as classic:
        page = opened(classic, kept, at)
        page.evaluate("document.documentElement.style.overflowY = 'scroll'")
        for size in (*SIZES, LARGEST, TWICE, UPRIGHT):
            page.set_viewport_size(size)
            wide, room = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            assert wide <= room, size
            assert room == size["width"] - 15  # a scrollbar, as Windows has them


def test_the_picture_of_a_game_is_there(browser: Browser, kept: Driven, redraw: bool) -> None:
    page = opened(browser, kept, "#1/150", viewport=WIDE)
    expect(page.locator("#ready")).to_be_empty(timeout=WORKED_OUT_MS)
    page.emulate_media(color_scheme="dark")
    if redraw:
        page.screenshot(path=PICTURE)
    assert looks_like(PICTURE, page.screenshot())


def test_each_seats_line_is_broken_in_a_way_of_its_own(browser: Browser, kept: Driven) -> None:
    page = opened(browser, kept, "#1")
    broken = "all => all.map(one => getComputedStyle(one).strokeDasharray)"
    dashes = page.eval_on_selector_all("#curve .line", broken)
    assert len(set(dashes)) == 4
    assert sorted(page.locator("#curve .letter").all_text_contents()) == ["A", "B", "C", "D"]


def test_partners_have_one_chance_and_one_line(browser: Browser, kept: Driven) -> None:
    def with_partners(route: Route) -> None:
        told = route.fetch().json()
        for frame in told["frames"]:
            if frame.get("chances"):
                frame["chances"] = [0.6, 0.4, 0.6, 0.4]
        route.fulfill(json={**told, "partners": True})

    page = browser.new_page()
    page.route("**/games/1", with_partners)
    page.goto(f"{kept.url}games.html#1/1")
    page.locator("#slider").press("End")
    expect(page.locator("#chances li")).to_have_text([re.compile(r"A\+C"), re.compile(r"B\+D")])
    expect(page.locator("#curve .line")).to_have_count(2)


def test_a_game_that_is_not_there_is_told_in_one_sentence(browser: Browser, kept: Driven) -> None:
    page = browser.new_page()
    page.goto(f"{kept.url}games.html#7")
    expect(page.locator("#trouble")).to_have_text("there is no game 7 here")
    expect(page.locator("#game")).to_be_hidden()


@pytest.mark.soak
@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("at", PLACES, ids=str)
def test_axe_finds_nothing_in_the_games(
    browser: Browser, kept: Driven, forced: Any, at: str
) -> None:
    page = opened(browser, kept, at, forced_colors=forced)
    if at == "#1":
        expect(page.locator("#seats h4")).to_have_count(4)
    for more in page.locator("#plots summary").all():
        more.click()
    for size in SIZES if asked("SOAK") else [PHONE if forced == "none" else WIDE]:
        page.set_viewport_size(size)
        page.evaluate(AXE)
        found = [*page.evaluate(AXE_RUN), *dark_contrast(page)]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=str)
def test_board_dice_words_and_slider_are_in_view_together(
    browser: Browser, kept: Driven, size: Any
) -> None:
    page = opened(browser, kept, "#1", viewport=size)
    for place in page.locator("#board, #dice, #words, .controls > *").all():
        found = place.bounding_box()
        assert found is not None
        assert found["y"] >= 0
        assert found["y"] + found["height"] <= size["height"]
