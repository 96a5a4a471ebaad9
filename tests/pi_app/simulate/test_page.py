"""The page's answers: what is told to tabs, what is refused, what faults leave on the terminal."""

from __future__ import annotations

import json
import logging
import os
import resource
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import Message
from pathlib import Path
from queue import SimpleQueue
from random import Random

import pytest
from PIL import Image

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.record.journal import FILE
from pi_app.runtime import wiring
from pi_app.simulate.page import GONE_S, PageServer
from pi_app.simulate.page_state import PageState
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import listen, url
from pi_app.simulate.simulation import open_simulation
from pi_app.simulate.touches import Touches
from pi_app.table.modes.play.play import Playing as PlayMode
from pi_app.texts.language import ENGLISH, Language
from pi_app.web.stage import MAX_TABS
from rules.game import Phase

pytestmark = pytest.mark.slow  # each test asks a server

DOWN = b'{"tab": "1", "button": "A.ok", "down": true}'
ON_EVERY_ANSWER = {
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; img-src 'self'; "
    "manifest-src 'self'; script-src 'self'; style-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class CountedNewest(PageState):
    """The newest state, which knows how often its text was made."""

    made = 0
    broken = False

    def text(self, language: Language) -> str:
        self.made += 1
        if self.broken:
            raise OSError("no state")
        return super().text(language)


class Answers:
    """A page that is served, and somebody who asks it."""

    def __init__(
        self,
        folder: Path,
        closing: ExitStack,
        language: Language = ENGLISH,
        gone_s: float = GONE_S,
        export: bool = False,
    ) -> None:
        played = closing.enter_context(open_simulation(load_config(DEFAULT), 5, folder))
        self.played, self.folder = played, folder
        self.touches = Touches(wiring.button_pins(load_config(DEFAULT)).values())
        self.glass = played.glass
        self.newest = CountedNewest(self.touches, played.glass)
        self.sock = closing.enter_context(listen(0))
        self.server = PageServer(
            self.newest,
            self.touches,
            played.app.inbox.put,
            played.app.clock,
            self.sock,
            folder / FILE,
            {"en": language},
            gone_s,
            export,
        )
        closing.callback(self.server.close)
        self.url = url(self.sock)
        self._closing = closing

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, Message]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, body, named)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read().decode(), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(), error.headers

    def press(self, **headers: str) -> tuple[int, str]:
        kind = {"Content_Type": "application/json"}
        return self.ask("finger", DOWN, **(kind | headers))[:2]

    def tab(self, name: str = "t") -> Stream:
        return self._closing.enter_context(Stream(self.sock, name))


class Stream:
    """A tab: reads its stream a state at a time, or not at all."""

    def __init__(self, table: socket.socket, name: str) -> None:
        self._socket = socket.create_connection(table.getsockname(), timeout=60)
        asked = f"GET /stream?tab={name} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        self._socket.sendall(asked.encode())
        self._lines = self._socket.makefile("rb")
        self.status = int(self._lines.readline().split()[1])
        lines = iter(self._lines.readline, b"\r\n")
        self.headers = {line.decode().strip() for line in lines}

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()

    def state(self) -> dict[str, object]:
        line = next(line for line in self._lines if line.startswith(b"data: "))
        state = json.loads(line.removeprefix(b"data: "))
        assert isinstance(state, dict)
        return state

    def rest(self) -> list[bytes]:
        return [line for line in self._lines if line.startswith(b"data: ")]

    def states_until_held(self, *buttons: str) -> None:
        while self.state()["held"] != list(buttons):
            pass


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Answers]:
    with ExitStack() as closing:
        yield Answers(tmp_path, closing)


# What tabs are told.


def test_a_state_is_put_into_text_once_for_all_tabs(page: Answers) -> None:
    tabs = [page.tab() for _ in range(MAX_TABS)]
    for tab in tabs:
        tab.state()
    assert page.newest.made == 1
    page.press()
    for tab in tabs:
        tab.states_until_held("A.ok")
    assert page.newest.made == 2


def test_a_tab_is_told_of_a_change_of_the_panel_alone(page: Answers) -> None:
    tab = page.tab()
    before = tab.state()["frames"]
    page.glass.display(Image.new("1", (128, 64), 1))
    assert tab.state()["frames"] != before


def test_a_tab_that_is_not_read_delays_no_press(page: Answers) -> None:
    for _ in range(MAX_TABS - 1):
        page.tab()
    reader = page.tab()
    for n in range(200):
        page.glass.display(Image.new("1", (128, 64), n % 2))
    page.press()
    reader.states_until_held("A.ok")


def test_one_tab_too_many_is_told_so_and_has_a_place_when_another_has_gone(page: Answers) -> None:
    first, *_ = [page.tab() for _ in range(MAX_TABS)]
    status, said, _ = page.ask("stream")
    assert (status, said) == (503, "16 tabs show this table already: close one of them\n")
    assert page.press() == (204, "")
    first.__exit__()
    while page.tab().status == 503:
        pass


def test_a_tab_that_goes_takes_its_fingers_along(page: Answers) -> None:
    going, staying = page.tab("1"), page.tab("2")
    page.press()
    staying.states_until_held("A.ok")
    going.__exit__()
    staying.states_until_held()


# What spectators are told.


@pytest.mark.parametrize("path", ["watch/", "watch", "WATCH/"])  # to type, and of a QR code
def test_spectators_get_their_page_beside_the_players(page: Answers, path: str) -> None:
    assert 'src="watch.js"' in page.ask(path)[1]
    assert page.ask(path, Host="evil.example")[0] == 400


def test_the_code_after_a_game_leads_to_that_game(page: Answers) -> None:
    SimulatedPlayer(page.played, Random(5)).begin((0, 2))
    with urllib.request.urlopen(f"{page.url}WATCH/G") as answer:
        assert answer.url == f"{page.url}WATCH/games.html#1"
        assert 'src="games.js"' in answer.read().decode()


# A finger whose messages come late.


class Playing(Answers):
    """A game in which a seat has a choice; a tab's finger on its NEXT."""

    def begin(self) -> None:
        player = SimulatedPlayer(self.played, Random(5))
        player.begin((0, 2))
        while player.game.phase is not Phase.MOVE or len(player.game.steps) < 2:
            player.act()
        self.wait(3.0)
        self.button = f"{'ABCD'[player.game.seat]}.next"

    def wait(self, seconds: float) -> None:
        self.played.wait_until(self.played.clock.now + seconds)

    def finger(self, **message: object) -> None:
        body = json.dumps({"tab": "1", "button": self.button, **message}).encode()
        assert self.ask("finger", body, Content_Type="application/json")[0] == 204
        self.wait(0.0)

    @property
    def shows(self) -> str:
        """The number of the choice that is shown, or "Menu"."""
        mode = self.played.app.session.mode
        return str(mode.index) if isinstance(mode, PlayMode) else type(mode).__name__


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Playing]:
    with ExitStack() as closing:
        playing = Playing(tmp_path, closing)
        playing.begin()
        yield playing


def test_a_tap_whose_release_comes_late_is_a_tap(playing: Playing) -> None:
    playing.finger(down=True)
    playing.wait(3.0)
    assert playing.shows == "0"
    playing.finger(down=False, ms=80)
    assert playing.shows == "1"


def test_a_hold_that_was_given_up_is_none_however_late_its_release_comes(playing: Playing) -> None:
    playing.finger(down=True)
    playing.finger(down=True, ms=700)
    playing.wait(3.0)
    playing.finger(down=False, ms=950)
    assert playing.shows == "0"


def test_a_hold_counts_while_the_finger_is_down_once_the_browser_has_confirmed_it(
    playing: Playing,
) -> None:
    playing.finger(down=True)
    playing.wait(1.0)
    playing.finger(down=True, ms=990)
    assert playing.shows == "0"
    playing.finger(down=True, ms=1000)
    assert playing.shows == "WholeMenu"


def test_a_hold_of_which_only_the_release_is_heard_counts(playing: Playing) -> None:
    playing.finger(down=True)
    playing.wait(3.0)
    playing.finger(down=False, ms=1300)
    assert playing.shows == "WholeMenu"


def test_a_finger_whose_browser_hangs_is_lifted_and_holds_nothing(tmp_path: Path) -> None:
    with ExitStack() as closing:
        playing = Playing(tmp_path, closing, gone_s=0.05)
        playing.begin()
        tab = playing.tab("2")
        playing.finger(down=True)
        tab.states_until_held(playing.button)
        tab.states_until_held()
        playing.wait(3.0)
        assert playing.shows == "1"


# What is refused.


def test_every_answer_says_what_other_sites_may_do_with_it(page: Answers) -> None:
    for path in ("", "page.js", "board/standard/clockwise/twelve", "no/such/page", "finger"):
        headers = page.ask(path)[2]
        assert {name: headers[name] for name in ON_EVERY_ANSWER} == ON_EVERY_ANSWER, path
    on_a_stream = page.tab().headers
    assert on_a_stream >= {f"{name.lower()}: {what}" for name, what in ON_EVERY_ANSWER.items()}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
    ids=str,
)
def test_another_site_can_not_press_or_take_a_tabs_place(
    page: Answers, headers: dict[str, str]
) -> None:
    refused = (403, "another site can't ask this: open the table's own address\n")
    assert page.press(**headers) == refused
    assert page.ask("stream", None, **headers)[:2] == refused
    assert page.touches.held == ()


def test_the_pages_own_origin_presses(page: Answers) -> None:
    origin = page.url.removesuffix("/")
    assert page.press(Origin=origin, Sec_Fetch_Site="same-origin") == (204, "")
    assert page.touches.held == ("A.ok",)


LONG = [
    b"Content-Length: 300000000\r\n\r\n",
    b"Content-Length: 301\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n12d\r\n" + b"[" * 301 + b"\r\n",
]


@pytest.mark.parametrize("rest", LONG, ids=["as it says", "by one byte", "without a word"])
def test_a_body_beyond_its_limit_is_refused_before_it_is_read(page: Answers, rest: bytes) -> None:
    kind = b"Host: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection(page.sock.getsockname(), timeout=60) as client:
        client.sendall(b"POST /finger HTTP/1.1\r\n" + kind + rest)
        said = client.makefile("rb").read().decode()
    assert said.startswith("HTTP/1.1 413 ")
    assert said.endswith("\r\n\r\na message has at most 300 bytes\n")


# What goes wrong is one line on the terminal, once.


def test_clients_that_go_away_leave_no_word(
    page: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"POST /finger HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for _ in range(3):
        page.tab().__exit__()
        with socket.create_connection(page.sock.getsockname()) as client:
            client.sendall(head + b"Content-Length: 50\r\n\r\n{")
    assert page.press() == (204, "")
    assert caplog.messages == []


def test_too_many_open_files_are_one_line_and_the_page_goes_on(
    page: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert page.press()[0] == 204
    told = Told()
    with socket.socket() as client, told:
        free = os.dup(0)
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, before[1]))
        try:
            client.connect(page.sock.getsockname())
            line = told.lines.get(timeout=60)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert line == "the page goes on after a fault: [Errno 24] Too many open files"
    assert page.press() == (204, "")
    assert told.lines.empty()


class Told(logging.Handler):
    """Lines that came to the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: SimpleQueue[str] = SimpleQueue()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.put(self.format(record))

    def __enter__(self) -> Told:
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)


def test_a_fault_in_an_answer_is_told_once_in_one_line(page: Answers) -> None:
    page.newest.broken = True
    with Told() as told:
        for _ in range(3):
            assert page.tab().rest() == []
        page.newest.broken = False
        assert page.press() == (204, "")
    assert told.lines.get(timeout=60) == "the page goes on after a fault: no state"
    assert told.lines.empty()
