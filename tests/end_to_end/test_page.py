"""The page in a real browser: a turn by clicks and by keys, reload, two tabs, the end."""

import re
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Route, expect

from pi_app.config.keys import DEFAULT
from pi_app.model.history import fold
from pi_app.table.modes.play.play import Playing
from rules.actions import Move, Throw
from rules.game import Phase
from tests.asked import extent
from tests.end_to_end.page import ANYTHING, PHONE, TAP_MS, Driven, Served, Tab, looks_like

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("by_keys", [False, True], ids=["clicks", "keys"])
def test_a_whole_turn_is_played(browser: Browser, midgame: Served, by_keys: bool) -> None:
    before = len(midgame.rows())
    tab = Tab(browser, midgame, by_keys)
    tab.play_until(lambda: "press the dome" in tab.says)
    tab.press_until_other("dome")
    tab.play_until(lambda: "press the dome" in tab.says)
    rows = midgame.rows()
    added = [row for row in rows[before:] if isinstance(row.entry, Move | Throw)]
    assert isinstance(added[0].entry, Move)
    assert {row.source for row in added if isinstance(row.entry, Throw)} == {"kernel"}
    pawns = [
        f"{seat} {place}"
        for seat, places in enumerate(fold(rows).game.position)
        for place in places
    ]
    assert tab.pawns() == sorted(pawns)
    assert lit_lamps(tab) == [fold(rows).game.seat]
    assert [url for url in tab.asked if not url.startswith(midgame.url)] == []
    assert tab.trouble == []


def lit_lamps(tab: Tab) -> list[int]:
    return [
        seat
        for seat in range(4)
        if tab.page.locator(f".console.seat{seat}[data-lamp=on]").count() == 1
    ]


@pytest.mark.parametrize(("ruleset", "is_left"), [("royal-2023", False), ("ludo-uk", True)])
def test_each_console_is_at_its_own_side_of_the_board(
    browser: Browser, tmp_path: Path, ruleset: str, is_left: bool
) -> None:
    table = Served(tmp_path, "--ruleset", ruleset)
    tab = Tab(browser, table)
    tab.press_until_said("B.ok", "B joined")
    tab.page.wait_for_selector('.pawn[data-seat="1"]')
    middle = middle_of(tab, "#board")
    assert (middle_of(tab, ".console.seat1") < middle) == is_left
    assert (middle_of(tab, '.pawn[data-seat="1"]') < middle) == is_left
    assert table.end() == (0, "")


def middle_of(tab: Tab, selector: str) -> float:
    """Return the middle of the first such element, from the left of the page."""
    box = tab.page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


def test_the_display_shows_the_panels_pixels(browser: Browser, served: Served) -> None:
    tab = Tab(browser, served)
    tab.page.wait_for_function(f"() => 300 < {LIT_PIXELS} && {LIT_PIXELS} < 128 * 64")
    before = tab.page.evaluate(LIT_PIXELS)
    tab.press_until_said("A.ok", "A joined")
    tab.page.wait_for_function(f"() => {LIT_PIXELS} !== {before}")  # the words may come before it


LIT_PIXELS = """document.getElementById('panel').getContext('2d').getImageData(0, 0, 128, 64).data
    .filter((value, index) => index % 4 === 0 && value > 100).length"""


def test_the_offered_step_is_marked_on_the_board(browser: Browser, midgame: Served) -> None:
    tab = Tab(browser, midgame)
    assert re.match("[AC] moves, .* to .*", tab.says)
    expect(tab.page.locator(".marks .from")).to_have_count(1)
    expect(tab.page.locator(".marks .to")).to_have_count(1)


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


@pytest.mark.parametrize("by", ["mouse", "key", "screen reader"])
def test_a_tap_whose_release_comes_late_is_a_tap(browser: Browser, driven: Driven, by: str) -> None:
    player, played = driven.player, driven.played
    player.begin((0, 2))
    while player.game.phase is not Phase.MOVE or len(player.game.steps) < 2:
        player.act()
    driven.settle()
    tab, late = Tab(browser, driven), list[Route]()
    button = f"{'ABCD'[player.game.seat]}.next"

    def delay(route: Route) -> None:
        if '"down":false' in (route.request.post_data or ""):
            late.append(route)
        else:
            route.continue_()

    tab.page.route("**/finger", delay)
    match by:
        case "mouse":
            tab.press(button)
        case "key":
            tab.page.locator(tab.button(button)).press("Enter", delay=TAP_MS)
        case _:
            tab.page.locator(tab.button(button)).dispatch_event("click")
    while not late:
        tab.page.wait_for_timeout(10)
    played.wait_until(played.clock.now + 3.0)
    assert shown_choice(driven) == 0
    with tab.page.expect_response("**/finger"):
        late.pop().continue_()
    played.wait_until(played.clock.now + 0.1)
    assert shown_choice(driven) == 1


def shown_choice(table: Driven) -> int:
    """Return the index of the choice that the table offers."""
    mode = table.played.app.session.mode
    assert isinstance(mode, Playing), mode
    return mode.index


def test_who_plays_sees_what_spectators_see_in_a_window_of_its_own(
    browser: Browser, served: Served
) -> None:
    tab = Tab(browser, served)
    with tab.page.expect_popup() as opened:
        tab.page.get_by_role("link", name="spectators").click()
    watched = opened.value
    assert watched.url == f"{served.url}watch/"
    tab.press_until_said("A.ok", "A joined")
    expect(watched.locator("#standings li")).to_have_text(re.compile("A.*joined"))
    tab.hold_until_said("A.next", "A: menu")
    for said in ("board", "watch by phone"):
        while said not in tab.says:
            tab.press_until_other("A.next")
        tab.press_until_other("A.ok")
    tab.wait_for(f"Scan or type: {served.url[7:]}watch")


def test_a_tab_that_is_closed_lets_go_of_its_buttons(browser: Browser, served: Served) -> None:
    left, right = Tab(browser, served), Tab(browser, served)
    left.page.keyboard.down("q")
    right.page.wait_for_selector('[data-button="A.ok"].down')
    left.page.close()
    right.page.wait_for_selector('[data-button="A.ok"]:not(.down)')


@pytest.mark.parametrize("missing", ["", "PointerEvent"])  # Safari 12 has none
def test_a_finger_on_a_touch_screen_holds_a_button(
    browser: Browser, served: Served, missing: str
) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_init_script(f"delete window[{missing!r}]")
    page = context.new_page()
    page.goto(served.url)
    display = page.locator("#says")
    expect(display).to_have_text(ANYTHING)
    page.locator('[data-button="A.ok"]').tap()
    expect(display).to_have_text(re.compile("A joined"))
    context.close()


def test_the_game_is_there_again_after_the_end_and_a_new_start(
    browser: Browser, midgame: Served
) -> None:
    tab = Tab(browser, midgame)
    tab.page.wait_for_selector(".pawn")
    pawns, lines = tab.pawns(), tab.happened()
    assert len(lines) == 10
    assert midgame.end(signal.SIGTERM) == (0, "")
    tab.page.wait_for_selector("#lost", state="visible")
    again = Served(midgame.folder)
    other = Tab(browser, again)
    other.page.wait_for_selector(".pawn")
    assert (other.pawns(), other.happened()) == (pawns, lines)
    assert again.end() == (0, "")


def test_after_a_kill_the_page_asks_whether_to_walk_the_pawns(
    browser: Browser, midgame: Served
) -> None:
    midgame.end(signal.SIGKILL)
    again = Served(midgame.folder)
    tab = Tab(browser, again)
    display = tab.page.locator("#says")
    expect(display).to_have_text(re.compile("Check the pawns"))
    tab.page.locator('[data-button="C.ok"]').click()
    expect(display).to_have_text(re.compile("all as on the map"))
    assert again.end() == (0, "")


def test_ctrl_c_ends_it_promptly_while_pages_are_open(browser: Browser, served: Served) -> None:
    tabs = [Tab(browser, served) for _ in range(3)]
    assert served.end() == (0, "")
    assert all(tab.trouble == [] or "ERR_" in tab.trouble[0] for tab in tabs)


REFUSED = [
    ("finger", b'{"tab": "1", "button": "E.ok", "down": true}', "application/json", 400),
    ("finger", b'{"tab": "1", "button": "A.ok"}', "application/json", 400),
    ("finger", b"[" * 300, "application/json", 400),
    ("finger", b"[" * 301, "application/json", 413),
    ("finger", b'{"tab": "1", "button": "A.ok", "down": true}', "text/plain", 415),
    ("board/standard/sideways/twelve", None, "", 404),
    ("server.py", None, "", 404),
]


def test_requests_that_no_page_makes_are_refused(seen: Served) -> None:
    for path, body, kind, status in REFUSED:
        request = urllib.request.Request(seen.url + path, body, {"Content-Type": kind})
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        assert caught.value.code == status, path
        caught.value.close()


def test_a_table_can_be_ended_as_soon_as_it_has_said_its_address(tmp_path: Path) -> None:
    for _ in range(3):
        assert Served(tmp_path).end() == (0, "")


def test_another_host_name_is_refused(seen: Served) -> None:
    request = urllib.request.Request(seen.url, headers={"Host": "example.org"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)
    assert caught.value.code == 400
    caught.value.close()


# The moving picture of a turn.

FILM = Path(__file__).parents[1] / "screens" / "turn.webp"
TURN = ("dome", "C.next", "C.ok", "C.ok", "C.ok")  # the other step captures, so it earns 20
MARKED = "node => node.style.outline = '7px solid #ffe9a8'"
FRAME_MS = 900, 1600  # with a button down, and after it


@pytest.mark.soak
def test_the_moving_picture_of_a_turn_is_there(
    browser: Browser, driven: Driven, redraw: bool
) -> None:
    player = driven.player
    player.begin((0, 1, 2, 3))
    while player.game.throws < 32 or player.game.phase is not Phase.THROW:
        player.act()
    driven.settle()
    tab = Tab(browser, driven)
    shots = {0: tab.page.screenshot()}

    def touch(told: dict[str, object]) -> None:
        """Press or lift as a page does, but however long the machine takes, it is a short press."""
        assert tab.page.request.post(f"{driven.url}finger", data={"tab": "film", **told}).ok

    def shoot(number: int) -> None:
        if redraw or number % extent(5, soak=1) == 0:
            shots[number] = tab.page.screenshot()

    for number, name in enumerate(TURN):
        button, said = tab.button(name), tab.says
        touch({"button": name, "down": True})
        tab.page.wait_for_selector(f"{button}.down")
        tab.page.locator(button).evaluate(MARKED)
        shoot(2 * number + 1)
        tab.page.locator(button).evaluate("node => node.style.outline = ''")
        touch({"button": name, "down": False, "ms": TAP_MS})
        driven.settle()
        assert tab.says_no_more(said)
        shoot(2 * number + 2)
    assert tab.says.startswith("B throws")
    if redraw:
        first, *others = (Image.open(BytesIO(shot)) for shot in shots.values())
        times = [FRAME_MS[1], *FRAME_MS * len(TURN)]
        first.save(FILM, save_all=True, append_images=others, duration=times, loop=0, quality=85)
    assert FILM.stat().st_size < 2_000_000
    with Image.open(FILM) as film:
        assert getattr(film, "n_frames", 1) == 1 + 2 * len(TURN)
        for number, shot in shots.items():
            film.seek(number)
            assert looks_like(film, shot), number


# The keys 1 to 6.


@contextmanager
def typing_table(
    folder: Path, one_button: bool = False, ruleset: str = "sr-1942"
) -> Iterator[Served]:
    """Serve a table whose dice are typed in; each panel has a NEXT, or only its OK."""
    config = re.sub('^dice = "referee"', 'dice = "typed"', DEFAULT.read_text(), flags=re.MULTILINE)
    if one_button:
        config = re.sub("^next = [0-9]+", "next = false", config, flags=re.MULTILINE)
    file = folder / "referee.toml"
    file.write_text(config)
    table = Served(folder / "kept", "--config", str(file), "--ruleset", ruleset)
    try:
        yield table
    finally:
        assert table.end() == (0, "")


def begin_typing(tab: Tab) -> None:
    for seat in "AC":
        tab.press_until_said(f"{seat}.ok", f"{seat} joined")
    tab.hold_until_said("A.ok", "A throws")


def throws(table: Served) -> list[tuple[str, str | None]]:
    return [(str(row.entry), row.source) for row in table.rows() if isinstance(row.entry, Throw)]


@pytest.mark.parametrize("one_button", [False, True], ids=["two buttons", "one button"])
def test_the_keys_1_to_6_type_the_dice_however_quickly_they_follow_each_other(
    browser: Browser, tmp_path: Path, one_button: bool
) -> None:
    with typing_table(tmp_path, one_button) as table:
        tab = Tab(browser, table)
        expect(tab.page.locator("#type")).to_be_hidden()
        begin_typing(tab)
        typed = tab.page.locator("#type")
        expect(typed).to_have_text("1 to 6: type the die", use_inner_text=True)
        expect(tab.page.locator("#throw")).to_be_hidden()
        tab.page.keyboard.type("625")  # this throw has two dice: the third digit is for none
        tab.wait_for("C throws")
        tab.page.keyboard.press("1")
        tab.wait_for("second die")
        tab.page.keyboard.press("1")
        expect(tab.page.locator("#happened li").first).to_have_text("A begins")
        assert throws(table) == [("throw 6 2", "typed"), ("throw 1 1", "typed")]
        assert tab.trouble == []


def test_the_keys_0_to_6_type_how_many_cowries_lie_mouth_up(
    browser: Browser, tmp_path: Path
) -> None:
    with typing_table(tmp_path, ruleset="pachisi-mitra") as table:
        tab = Tab(browser, table)
        begin_typing(tab)
        typed = tab.page.locator("#type")
        expect(typed).to_have_text("0 to 6: type the cowries", use_inner_text=True)
        expect(tab.page.locator(".dome")).to_have_attribute("aria-label", "Dome: throw the cowries")
        tab.page.keyboard.press("3")
        tab.wait_for("C throws")
        tab.page.keyboard.press("0")
        expect(tab.page.locator("#happened li").first).to_have_text("C begins")
        assert throws(table) == [("throw 3", "typed"), ("throw 0", "typed")]
        assert tab.trouble == []


def test_digits_press_nothing_where_no_die_is_asked_for_or_the_keys_are_off(
    browser: Browser, tmp_path: Path
) -> None:
    with typing_table(tmp_path) as table:
        tab = Tab(browser, table)
        before = len(tab.asked)
        tab.page.keyboard.type("4")
        assert tab.asked[before:] == []
        begin_typing(tab)
        tab.page.locator("#keys").click()
        expect(tab.page.locator("#type")).to_be_hidden()
        before = len(tab.asked)
        tab.page.keyboard.type("44")
        tab.page.locator("#keys").click()
        tab.page.keyboard.press("Control+4")
        assert tab.asked[before:] == []
        tab.page.keyboard.type("31")
        tab.wait_for("C throws")
        assert throws(table) == [("throw 3 1", "typed")]
