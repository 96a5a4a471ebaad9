"""The address of the spectators' page, which the menu shows as a code or a name."""

import pytest

from pi_app.model.events import Address, PageNumber, Setup
from pi_app.model.screens import AWAKE, QrScreen, Text, TextScreen
from pi_app.settings.settings import CHILDREN, Settings
from pi_app.table.core.speech import join_lines, screen_words, speech_of
from pi_app.table.core.state import SEATS
from pi_app.texts.language import ENGLISH
from pi_app.web.state import say_all, table_state
from tests.pi_app.keyed import key, keyed
from tests.pi_app.sitting import IDS, Sitting

KNOWN = Address("pachisi.local:8337", known=True)
GUESSED = Address("raspberrypi.local", known=False)


def at(address: Address | None, only: bool = False) -> Sitting:
    """Return a table at which A has made a step and has another: there is all in the menu."""
    setup = Setup(page=address, requests=("power-off",), next_buttons=() if only else SEATS)
    table = Sitting(setup, [(6, 2), (5, 3)])
    table.resume("10,N,N,N/-/N,N,N,N/-", 0, "findler")
    table.throw()
    (table.hold_ok if only else table.ok)(0)
    return table


def asked(table: Sitting, seat: int) -> int:
    """Ask for the page on this panel; return how many presses that took."""
    table.open_menu(seat)
    return 1 + table.go_to(seat, "board", "watch")


def code(table: Sitting) -> QrScreen[Text]:
    assert isinstance(table.screen, QrScreen)
    return table.screen


def test_where_no_page_is_served_the_menu_does_not_speak_of_one() -> None:
    table = at(None)
    table.choose(2, "board")
    assert table.page.lines == (
        "menu-walk",
        "menu-correct",
        "menu-why",
        "menu-hints: on",
        "do-back",
    )
    before = Sitting()
    before.ok(0)
    before.hold_next(0)
    assert "board" not in before.choices


@pytest.mark.parametrize("only", [False, True], ids=["two buttons", "one button"])
def test_the_page_s_address_is_twelve_presses_away_at_most(only: bool) -> None:
    table = at(KNOWN, only)
    assert asked(table, 2) <= 12
    assert code(table) == QrScreen(
        "HTTP://PACHISI.LOCAL:8337/",
        "scan-or-type",
        "pachisi.local:8337",
        key("press-tap: do-back" if only else "press-next: do-back"),
    )


def test_it_can_be_asked_for_while_players_join_and_when_the_game_is_over() -> None:
    table = Sitting(Setup(page=KNOWN))
    table.begin(0, 2)
    table.choose(0, "game", "end")
    table.hold_ok(0)
    asked(table, 2)
    assert code(table).text == "pachisi.local:8337"
    assert code(table).scanned == "HTTP://PACHISI.LOCAL:8337/G"  # to the game that is over
    table = Sitting(Setup(page=KNOWN))
    table.ok(1)
    assert asked(table, 1) == 3
    assert code(table).text == "pachisi.local:8337"


def test_a_name_that_is_only_a_guess_is_to_be_typed() -> None:
    table = at(GUESSED)
    asked(table, 2)
    assert table.page == TextScreen(
        "C: watch-by-phone",
        ("type-in-a-browser", "raspberrypi.local"),
        keyed("press-next: do-back"),
    )


def test_the_numeric_address_is_shown_too_once_it_is_known() -> None:
    table = at(KNOWN)
    asked(table, 2)
    table.tell(PageNumber("192.168.1.7:8337", table.t))
    assert code(table).text == "pachisi.local:8337 192.168.1.7:8337"
    assert code(table).scanned == "HTTP://PACHISI.LOCAL:8337/"
    table = at(GUESSED)
    asked(table, 2)
    table.tell(PageNumber("192.168.1.7", table.t))
    assert table.page.lines[1:] == ("raspberrypi.local", "192.168.1.7")


@pytest.mark.parametrize("address", [KNOWN, GUESSED], ids=["known", "guessed"])
def test_without_a_network_it_says_how_the_page_gets_one(address: Address) -> None:
    table = at(address)
    asked(table, 2)
    table.tell(PageNumber("", table.t))
    assert table.page == TextScreen(
        "C: watch-by-phone", ("page-has-no-network",), keyed("press-next: do-back")
    )
    table.tell(PageNumber("192.168.1.7", table.t))
    assert address.host in str(table.screen)


def test_next_and_ok_go_back_to_the_menu() -> None:
    for press in ("next", "ok"):
        table = at(KNOWN)
        asked(table, 2)
        (table.next if press == "next" else table.ok)(2)
        assert (table.page.title, table.page.chosen) == ("C: menu-board", 4)


def test_with_one_button_a_tap_and_a_hold_go_back_to_its_line() -> None:
    table = at(KNOWN, only=True)
    asked(table, 2)
    table.ok(2)
    assert table.page.title == "C: menu-board"
    table.hold_ok(2)
    table.hold_ok(2)
    assert table.page.title == "C: menu-board"
    assert table.page.lines[table.page.chosen or 0] == "watch-by-phone"


def test_it_stays_for_two_minutes_and_the_game_goes_on_as_it_was() -> None:
    table = at(KNOWN)
    before = table.table.words
    asked(table, 2)
    table.wait(115)
    assert (code(table).text, table.reply.glow) == (KNOWN.host, AWAKE)
    table.wait(6)
    assert table.table.words == before


def test_others_are_told_who_has_it_and_the_dome_does_nothing() -> None:
    table = at(KNOWN)
    asked(table, 2)
    rows = list(table.rows)
    table.ok(0)
    assert table.notice == "has-the-menu(C)"
    table.dome()
    assert (table.notice, table.rows) == ("has-the-menu(C)", rows)


def test_it_is_said_and_the_page_of_the_table_shows_the_game_beside_it() -> None:
    table = at(KNOWN)
    asked(table, 2)
    said = "scan-or-type pachisi.local:8337, press-next: do-back"
    assert screen_words(table.reply.screen, IDS) == said
    assert join_lines(speech_of(table.session, table.reply.screen, IDS).parts) == said
    assert say_all(table_state(table.reply), ENGLISH)["turn"] == 0
    table = at(GUESSED)
    asked(table, 2)
    assert screen_words(table.reply.screen, IDS) == (
        "C: watch-by-phone, type-in-a-browser, raspberrypi.local, press-next: do-back"
    )


def test_on_a_childs_panel_the_code_stands_still_so_that_it_can_be_scanned() -> None:
    table = Sitting(Setup(page=KNOWN), settings=Settings({CHILDREN.key: "ABCD"}))
    table.ok(0)
    table.press(0, "next", 2.1)
    table.choose(0, "board", "watch")
    shown = []
    for _ in range(8):
        shown.append(table.screen)
        table.wait(2.0)
    assert set(shown) == {code(table)}


def test_on_a_childs_panel_the_name_comes_line_by_line() -> None:
    table = Sitting(Setup(page=GUESSED), settings=Settings({CHILDREN.key: "ABCD"}))
    table.ok(0)
    table.press(0, "next", 2.1)
    table.choose(0, "board", "watch")
    lines = []
    for _ in range(2):
        lines.append(table.line)
        table.wait(2.0)
    assert len(set(lines)) == 2
