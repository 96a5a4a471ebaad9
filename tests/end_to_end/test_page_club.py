"""The club's page in Chromium: on a phone, a projector and enlarged, and with a hostile table."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from pi_app.club.page import ClubPage
from pi_app.simulate.port import listen, url
from pi_app.texts.language import all_languages
from tests.end_to_end.page import PHONE, WIDE, looks_like
from tests.end_to_end.test_page_for_all import AXE, AXE_RUN, dark_contrast
from tests.pi_app.club.evening import NINE, evening, keep_evening, playing
from tests.pi_app.club.test_tables import bytes_of, heard

pytestmark = pytest.mark.browser

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
ENLARGED: ViewportSize = {"width": 320, "height": 200}  # 1280x800 at 400 %
MARKUP = "<img src=x onerror=alert(1)>"
SCREENS = Path(__file__).parents[1] / "screens"
PICTURES = {  # the size of the window, and the view
    "club.png": (PROJECTOR, ""),
    "club-phone.png": (PHONE, ""),
    "club-evening.png": (PHONE, "evening"),
    "club-players.png": (WIDE, "players"),
}
NOW = 200.0  # three minutes and some seconds after the last news of the evening
# Of all visible words the smallest height of a capital, in parts of the window's height.
SMALLEST = """Math.min(...[...document.querySelectorAll("h1, .tile h2, .rules, .doing, b")].map(
    (one) => 0.69 * parseFloat(getComputedStyle(one).fontSize))) / innerHeight"""
OUTSIDE = """[...document.querySelectorAll(".tile, .tile > *")].filter((one) => {
    const { right, bottom } = one.getBoundingClientRect();
    return right > innerWidth || bottom > innerHeight; }).length"""


class Club:
    """A club's page that is served, and the errors that its tabs have met."""

    def __init__(self, closing: ExitStack, path: Path) -> None:
        self.games = list(keep_evening(path))
        self.page = ClubPage(path, all_languages(), None, lambda: NINE + 3600.0, lambda: NOW)
        self.page.show(evening())
        sock = closing.enter_context(listen(0))
        self.url = url(sock)
        self.page.start(sock)
        closing.callback(self.page.close)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with ExitStack() as closing:
        yield Club(closing, tmp_path_factory.mktemp("club") / "club.sqlite")


def opened(
    browser: Browser, club: Club, size: ViewportSize = WIDE, locale: str = "en", **more: Any
) -> Page:
    page = browser.new_page(viewport=size, locale=locale, reduced_motion="reduce", **more)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(club.url)
    expect(page.locator(".tile svg .card").first).to_be_visible()
    expect(page.locator(".tile")).to_have_count(12)
    return page


def show(page: Page, view: str) -> None:
    page.evaluate("(view) => { location.hash = view; }", view)
    expect(page.locator("section:not([hidden]) li").first).to_be_visible()


def test_twelve_tables_fit_a_projector_and_can_be_read_from_two_metres(
    browser: Browser, club: Club
) -> None:
    page = opened(browser, club, PROJECTOR)
    assert page.evaluate(OUTSIDE) == 0
    assert page.evaluate(SMALLEST) >= 0.0199


def test_a_tile_says_whose_turn_it_is_who_is_away_and_who_sends_nonsense(
    browser: Browser, club: Club
) -> None:
    page = opened(browser, club)
    doing = dict(
        zip(
            page.locator(".tile h2").evaluate_all("all => all.map(one => one.firstChild.data)"),
            page.locator(".doing").all_text_contents(),
            strict=True,
        )
    )
    assert [*doing] == [f"table-{n}" for n in range(1, 13)]
    assert doing["table-1"] == "Cat is to throw"
    assert doing["table-4"] == "Ann has won!"
    assert doing["table-5"] == "players join"
    assert doing["table-6"] == "away for 3 min"
    assert doing["table-7"] == "sends what we can’t read"


def test_a_hostile_table_damages_nothing_but_its_own_tile(browser: Browser, club: Club) -> None:
    page, tables = opened(browser, club), evening()
    names = dict.fromkeys("abcd", MARKUP)
    hostile = playing(1, names=names, edition=None, words={"rules": MARKUP, "doing": MARKUP})
    others = page.locator(".tile:not(:first-child)").all_text_contents()
    club.page.show({**tables, **heard(("table-1", "state", bytes_of(hostile)))})
    try:
        tile = page.locator(".tile").first
        expect(tile.locator(".rules")).to_have_text(MARKUP)
        expect(tile.locator(".doing")).to_have_text("not known")
        assert tile.locator("li b").all_text_contents() == [MARKUP] * 4
        assert page.locator("img").count() == 0
        assert page.locator(".tile:not(:first-child)").all_text_contents() == others
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        club.page.show(tables)


def test_the_evening_s_games_open_to_be_looked_through_and_lead_back(
    browser: Browser, club: Club
) -> None:
    page = opened(browser, club, PHONE)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the second link
    results = page.locator("#results > li")
    expect(results).to_have_count(2)
    expect(page.locator("#tiles")).to_be_hidden()
    assert "109 turns" in (results.nth(1).text_content() or "")
    assert sorted(results.nth(1).locator("b").all_text_contents()) == [
        "Ann",
        "Bartholomew",
        "Cécile",
    ]
    results.nth(1).locator("a").click()
    expect(page.locator("#chances .name").first).to_have_text("Ann")
    expect(page.locator("#save, #back, #to-statistics").locator("visible=true")).to_have_count(0)
    page.locator("#table").click()
    expect(page.locator(".tile")).to_have_count(12)


def test_players_have_a_plot_of_all_and_one_of_each_over_time(browser: Browser, club: Club) -> None:
    page = opened(browser, club)
    page.locator("header a", has_text="People").click()
    expect(page.locator("#plots svg .band")).to_have_count(3)
    page.locator("#names a", has_text="Bartholomew").click()
    expect(page.locator("#plots h3")).to_have_text("Bartholomew")
    assert page.locator("#plots tbody th").first.text_content() == "Nov 27, 2026, 9:00 PM"


@pytest.mark.parametrize(
    ("size", "scheme", "views"),
    [(PHONE, "light", ("", "evening", "players")), (PROJECTOR, "dark", ("",))],
)
def test_axe_finds_nothing(
    browser: Browser, club: Club, size: ViewportSize, scheme: str, views: tuple[str, ...]
) -> None:
    page = opened(browser, club, size, "de", color_scheme=scheme)
    page.evaluate(AXE)
    for view in views:
        show(page, view)
        found = [*page.evaluate(AXE_RUN), *dark_contrast(page)]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


def test_at_400_percent_nothing_is_beside_the_window(browser: Browser, club: Club) -> None:
    page = opened(browser, club, ENLARGED, "de")
    for view in ("", "evening", "players"):
        show(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") == ENLARGED["width"]


@pytest.mark.parametrize(
    ("name", "language"),
    [*((name, "en") for name in PICTURES), ("club.png", "es"), ("club-evening.png", "es")],
)
def test_the_pictures_of_the_club_are_there(
    browser: Browser, club: Club, name: str, language: str, redraw: bool
) -> None:
    size, view = PICTURES[name]
    page = opened(browser, club, size, language)
    show(page, view)
    path = (SCREENS if language == "en" else SCREENS / language) / name
    if redraw:
        page.screenshot(path=path)
    assert looks_like(path, page.screenshot())
