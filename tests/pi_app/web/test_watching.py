"""The spectators' page: whom it answers, what it takes from nobody, whom it cuts off."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from importlib import resources
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.server import ServerState

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.record.journal import load
from pi_app.runtime import wiring
from pi_app.simulate.hands import button_name
from pi_app.simulate.port import listen, listen_locally
from pi_app.system.notify import Sockets
from pi_app.texts.language import ENGLISH
from pi_app.web.answers import Languages, make_server
from pi_app.web.packing import pack
from pi_app.web.pages import STATIC
from pi_app.web.spectator_state import spectator_state
from pi_app.web.stage import MAX_TABS
from pi_app.web.watching import (
    IDLE_TIMEOUT_S,
    MAX_CONNECTIONS,
    SEND_BUFFER,
    TimeoutProtocol,
    host_name,
    is_address,
    serve_page,
)
from tests.pi_app.record.journals import GAME, write
from tests.pi_app.sitting import thrown
from tests.pi_app.web.test_state_document import faults

pytestmark = pytest.mark.slow  # each test asks a server

NAMES = ["pachisi.local", "table.fritz.box"]
LONG_S = 60.0  # for what comes at once, on a machine that is busy
RESET = struct.pack("ii", 1, 0)  # SO_LINGER (socket(7)): closed without waiting for anything
STRICT = {
    "content-security-policy": "default-src 'none'; connect-src 'self'; img-src 'self'; "
    "manifest-src 'self'; script-src 'self'; style-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
NO_SUCH_GAME = "there is no game 7 here\n"
OWN = ["pachisi.local", "PACHISI.local:80", "table.fritz.box:8337", "127.0.0.1", "127.0.0.1:1"]
RENAMED = ["pachisi-2.local", "Pachisi-17.local:80"]  # by Avahi, if another machine has the name
FOREIGN = ["evil.example", "pachisi.local.evil.example", "localhost", "192.168.1.7", "", "[::1]"]
NOT_RENAMED = [
    *("pachisi-1.local", "pachisi-02.local", "pachisi-2-2.local", "pachisi-.local"),
    *("pachisi-x.local", "pachisi2.local", "evil-2.local", "pachisi-2.evil.local"),
    *("pachisi-2.example", "pachisi-2.local.example", "table-2.fritz.box", "pachisi-².local"),
]
METHODS = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
PATHS = [
    "/",
    "/state.json",
    "/stream",
    "/games",
    "/games/1",
    "/games/1/review",
    "/throw",
    "/undo",
    "/settings",
]
BUTTONS = [button_name(button) for button in wiring.button_pins(load_config(DEFAULT)).values()]


class Soon(TimeoutProtocol):
    """A connection that is cut after little patience."""

    idle_timeout_s = 0.05


class Told(TimeoutProtocol):
    """A connection that tells when it has answered, and when it is lost."""

    answered: SimpleQueue[Told] = SimpleQueue()
    lost: SimpleQueue[Told] = SimpleQueue()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.answered.put(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.lost.put(self)


class Answer:
    """What somebody was answered, as far as it has come."""

    def __init__(
        self, server: socket.socket, method: str, path: str, body: str, headers: dict[str, str]
    ) -> None:
        self._line = HTTPConnection("table")
        self._line.sock = socket.socket(server.family)
        self._line.sock.settimeout(LONG_S)
        self._line.sock.connect(server.getsockname())
        self._line.request(method, path, body, headers)
        self._answer = self._line.getresponse()
        self.status, self.headers = self._answer.status, self._answer.headers

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._line.close()

    def text(self) -> str:
        """Return what is left of it."""
        return self._answer.read().decode()

    def line(self) -> str:
        return self._answer.readline().decode()

    def state(self) -> dict[str, object]:
        """Return the next state of a stream."""
        while not (line := self.line()).startswith("data: "):
            assert line, "the stream has ended"
        state = json.loads(line.removeprefix("data: "))
        assert isinstance(state, dict)
        return state


class Page:
    """The page, served on a thread; somebody who asks it."""

    def __init__(
        self,
        folder: Path,
        http: type[TimeoutProtocol] = TimeoutProtocol,
        keepalive_s: float = LONG_S,
        languages: Languages = MappingProxyType({"en": ENGLISH}),
    ) -> None:
        self.sock, self.local = listen(0), listen_locally(folder / "local")
        self.journal = folder / "journal.db"
        self._http, self._keepalive_s, self._languages = http, keepalive_s, languages
        self._ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.thread.start()
        self._ready.wait(LONG_S)
        self._closing = ExitStack()

    async def _serve(self) -> None:
        self._loop, self._states = asyncio.get_running_loop(), asyncio.StreamReader(10_000_000)
        self._ready.set()
        await serve_page(
            Sockets(self.sock, self.local),
            self._states,
            self.journal,
            NAMES,
            self._languages,
            keepalive_s=self._keepalive_s,
            http=self._http,
        )

    def tell(self, **state: object) -> None:
        """Tell it the newest state."""
        line = f"{json.dumps({'language': '', **state})}\n".encode()
        self._loop.call_soon_threadsafe(self._states.feed_data, line)

    def end(self) -> None:
        """Tell it that no more states come; return once it has ended."""
        if self.thread.is_alive():
            self._loop.call_soon_threadsafe(self._states.feed_eof)
            self.thread.join(LONG_S)
        assert not self.thread.is_alive()
        self.leave()
        self.sock.close()
        self.local.close()

    def leave(self) -> None:
        """Have all who asked go."""
        self._closing.close()

    def ask(
        self, path: str, host: str = NAMES[0], method: str = "GET", body: str = "", **more: str
    ) -> Answer:
        headers = {"Host": host, **{name.replace("_", "-"): what for name, what in more.items()}}
        return self._closing.enter_context(Answer(self.sock, method, path, body, headers))

    def ask_here(self, path: str, method: str = "GET") -> Answer:
        """Ask as a program of this computer, by any name."""
        answer = Answer(self.local, method, path, "", {"Host": "any"})
        return self._closing.enter_context(answer)

    @contextmanager
    def connected(self, text: str = "", here: bool = False) -> Iterator[socket.socket]:
        """A connection that has sent this much, and reads nothing."""
        server = self.local if here else self.sock
        with socket.socket(server.family) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(LONG_S)
            client.connect(server.getsockname())
            client.sendall(text.encode())
            yield client


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    served = Page(tmp_path_factory.mktemp("served"))
    served.tell(doing="players join")
    yield served
    served.end()


@pytest.fixture
def asked(served: Page) -> Iterator[Page]:
    """The page for those who only ask it something."""
    yield served
    served.leave()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    own = Page(tmp_path)
    own.tell(doing="players join")
    yield own
    own.end()


@pytest.fixture
def soon(tmp_path: Path) -> Iterator[Page]:
    served = Page(tmp_path, Soon)
    served.tell(doing="players join")
    yield served
    served.end()


# What it tells.


def test_a_tab_is_told_the_newest_state_and_each_that_follows(page: Page) -> None:
    stream = page.ask("/stream")
    assert stream.state() == {"doing": "players join"}
    page.tell(doing="A is to throw")
    assert stream.state() == {"doing": "A is to throw"}
    assert page.ask("/stream").state() == {"doing": "A is to throw"}


def test_a_program_reads_the_state_that_the_document_promises_and_takes_no_place(
    page: Page,
) -> None:
    streams = [page.ask("/stream") for _ in range(MAX_TABS)]
    table = thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler")
    for _ in range(2):
        page.tell(**pack(spectator_state(table.reply)))
        while "version" not in (told := streams[0].state()):
            pass
        assert list(faults(told, "state")) == []
        answer = page.ask("/state.json")
        assert answer.headers["content-type"] == "application/json"
        assert json.loads(answer.text()) == told
        table.ok(0)


def test_a_proxy_such_as_nginx_passes_each_state_on_at_once(page: Page) -> None:
    headers = page.ask("/stream").headers
    assert (headers["x-accel-buffering"], headers["cache-control"]) == ("no", "no-store")


def test_a_tab_hears_that_the_table_is_there_while_nothing_happens(tmp_path: Path) -> None:
    page = Page(tmp_path, keepalive_s=0.01)
    page.tell(doing="players join")
    stream = page.ask("/stream")
    stream.state()
    assert [stream.line() for _ in range(5)][1::2] == [": still here\n"] * 2
    page.end()


def test_the_games_that_were_kept_are_told_too(page: Page) -> None:
    load(page.journal)[0].close()
    assert json.loads(page.ask("/games").text()) == {
        "games": [],
        "has_older": False,
        "export": False,
    }
    answer = page.ask("/games/7")
    assert (answer.status, answer.text()) == (404, NO_SUCH_GAME)


def test_the_list_has_fifty_games_at_once_the_newest_first(page: Page) -> None:
    write(page.journal, *120 * [GAME[:1]])

    def listed(query: str = "") -> tuple[list[int], bool]:
        told = json.loads(page.ask(f"/games{query}").text())
        return [int(one["number"]) for one in told["games"]], told["has_older"]

    assert listed() == (list(range(120, 70, -1)), True)
    assert listed("?before=71") == (list(range(70, 20, -1)), True)
    assert listed("?before=51") == (list(range(50, 0, -1)), False)
    assert listed("?before=1") == ([], False)
    assert listed("?before=x") == listed()


def test_when_no_more_states_come_streams_and_server_end(page: Page) -> None:
    stream = page.ask("/stream")
    stream.state()
    page.end()
    assert stream.text().strip() == ""


# Whom it answers.


@pytest.mark.parametrize(
    "path", ["/", "/watch.js", "/state.json", "/stream", "/games", "/no/such/page"]
)
def test_every_answer_has_strict_headers_and_no_cookie(asked: Page, path: str) -> None:
    answer = asked.ask(path)
    assert {name: answer.headers[name] for name in STRICT} == STRICT
    assert answer.headers["cache-control"] == ("no-store" if answer.status == 200 else None)
    assert {"set-cookie", "server"}.isdisjoint(map(str.lower, answer.headers))


@pytest.mark.parametrize("host", OWN + RENAMED)
def test_it_answers_to_its_names_and_to_the_address_that_was_reached(
    asked: Page, host: str
) -> None:
    assert asked.ask("/", host).status == 200


def test_by_another_name_nothing_is_told(asked: Page) -> None:
    for host, path in (*product(FOREIGN, ["/", "/stream", "/games"]), *product(NOT_RENAMED, ["/"])):
        answer, name = asked.ask(path, host), host_name(host)
        said = f"this table does not have the name {name!r}: add it to names under [page]\n"
        assert (answer.status, answer.text()) == (421, said), path
        assert {name: answer.headers[name] for name in STRICT} == STRICT, (host, path)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("Pachisi.Local", "pachisi.local"),
        ("pachisi.local:80", "pachisi.local"),
        ("[fe80::1]:80", "fe80::1"),
        ("a:b", "a:b"),
        ("", ""),
    ],
)
def test_a_host_is_its_name_without_its_port(host: str, name: str) -> None:
    assert host_name(host) == name


def test_an_address_is_the_same_however_a_socket_writes_it() -> None:
    assert is_address("192.168.1.7", "::ffff:192.168.1.7")
    assert is_address("fe80::1", "fe80::1%2")
    assert not is_address("192.168.1.7", "192.168.1.8")
    assert not is_address("pachisi.local", "192.168.1.7")


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://example.org"}, {"Sec_Fetch_Site": "cross-site"}], ids=str
)
@pytest.mark.parametrize(
    "path", ["/state.json", "/stream", "/games", "/games/1", "/games/1/review"]
)
def test_another_sites_page_is_given_no_place_and_no_work(
    asked: Page, path: str, headers: dict[str, str]
) -> None:
    assert asked.ask(path, **headers).status == 403


@pytest.mark.parametrize("name", ["watch.html", "watch.css", "watch.js"])
def test_no_file_names_another_server(name: str) -> None:
    text = (resources.files(STATIC) / name).read_text("utf-8")
    assert re.findall(r"\w*://[^\s\"']*", text) == []


# Nobody can press, undo or set anything.


@pytest.mark.parametrize("button", BUTTONS)
def test_no_finger_is_taken(asked: Page, button: str) -> None:
    body = json.dumps({"tab": "1", "button": button, "down": True})
    answer = asked.ask("/finger", method="POST", body=body, Content_Type="application/json")
    assert answer.status == 405
    assert asked.ask(f"/finger?tab=1&button={button}&down=true").status == 404


def test_nothing_is_taken_by_any_other_method(asked: Page) -> None:
    for path, method in product(PATHS, METHODS):
        answer = asked.ask(path, method=method, body="{}")
        assert answer.status == 405, (path, method)
        assert answer.headers["allow"] in ("GET, HEAD", "HEAD, GET"), (path, method)


# Whom it cuts off.


def test_sixteen_look_on_at_once_and_the_next_has_a_place_when_one_goes(page: Page) -> None:
    streams = [page.ask("/stream") for _ in range(MAX_TABS)]
    answer = page.ask("/stream")
    said = "16 tabs show this table already: close one of them\n"
    assert (answer.status, answer.text()) == (503, said)
    streams[0].__exit__()
    while page.ask("/stream").status == 503:
        pass


def test_who_asks_for_a_streams_headers_alone_takes_no_place(page: Page) -> None:
    for _ in range(MAX_TABS + 1):
        assert page.ask("/stream", method="HEAD").status == 200
    assert page.ask("/stream").state() == {"doing": "players join"}


def test_a_connection_that_asks_for_nothing_is_cut(soon: Page) -> None:
    for asked in ("", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: pachisi.local\r\nX: "):
        with soon.connected(asked) as client:
            assert client.recv(1) == b""


def test_one_that_has_been_answered_is_cut_before_it_is_half_way_through_its_next_request(
    soon: Page,
) -> None:
    asked = "GET /icon.svg HTTP/1.1\r\nHost: pachisi.local\r\n\r\nGET / HT"
    with soon.connected(asked) as client, client.makefile("rb") as lines:
        assert lines.read().rstrip().endswith(b"</svg>")  # and no more


def test_a_stream_that_was_asked_for_before_an_answer_had_come_stays(soon: Page) -> None:
    asked = "GET /icon.svg HTTP/1.1\r\nHost: pachisi.local\r\n\r\n"
    with soon.connected(asked + asked.replace("icon.svg", "stream")) as client:
        lines = client.makefile("rb")
        while not lines.readline().startswith(b"data: "):
            pass
        with soon.connected() as other:
            assert other.recv(1) == b""  # cut, so the stream's time would be up, too
        soon.tell(doing="A is to throw")
        while lines.readline() != b'data: {"doing": "A is to throw"}\n':
            pass
        lines.close()


def test_a_reader_that_takes_nothing_is_dropped_and_the_others_are_told_on(soon: Page) -> None:
    asked = "GET /stream HTTP/1.1\r\nHost: pachisi.local\r\n\r\n"
    good = soon.ask("/stream")
    with ExitStack() as slow:
        for _ in range(MAX_TABS - 1):
            slow.enter_context(soon.connected(asked))
        while soon.ask("/stream").status == 200:
            pass  # until the slow ones have their places
        padding, n = "x" * 200_000, 0
        while soon.ask("/stream").status == 503:
            n += 1
            soon.tell(n=n, padding=padding)
            while good.state().get("n") != n:
                pass


class Line:
    """A transport that is read from as told, and the loop whose time goes on when asked."""

    def __init__(self, *left: int) -> None:
        self._left = iter(left)
        self._due: Callable[[], None] = lambda: None
        self.cut = False

    def get_write_buffer_size(self) -> int:
        return next(self._left)

    def abort(self) -> None:
        self.cut = True

    def call_later(self, seconds: float, call: Callable[[int], None], left: int) -> Line:
        assert seconds == IDLE_TIMEOUT_S
        self._due = lambda: call(left)
        return self

    def pass_time(self) -> None:
        self._due()


def test_a_reader_that_is_slow_is_cut_only_once_it_takes_nothing() -> None:
    line = Line(300_000, 200_000, 150_000, 150_000)
    one = TimeoutProtocol(make_server(Starlette()).config, ServerState(), {}, cast("Any", line))
    one.transport, one.flow = cast("Any", line), FlowControl(cast("Any", line))
    one.pause_writing()
    for cut in (False, False, True):
        line.pass_time()
        assert line.cut is cut


def test_while_two_hundred_hang_others_are_answered(asked: Page) -> None:
    with ExitStack() as hanging:
        for _ in range(200):
            hanging.enter_context(asked.connected("GET / HT"))
        assert asked.ask("/").status == 200


def test_no_timer_keeps_what_is_left_of_a_connection_that_was_answered_and_then_reset(
    tmp_path: Path,
) -> None:
    page = Page(tmp_path, Told)
    page.tell(doing="players join")
    with page.connected("GET / HTTP/1.1\r\nHost: pachisi.local\r\n\r\n") as client:
        Told.answered.get(timeout=LONG_S)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    timer = Told.lost.get(timeout=LONG_S).timeout_keep_alive_task
    assert timer is None or timer.cancelled()
    page.end()


def test_more_connections_than_are_held_are_closed_at_once(page: Page) -> None:
    with ExitStack() as hanging:
        clients = [hanging.enter_context(page.connected()) for _ in range(MAX_CONNECTIONS + 1)]
        assert clients[-1].recv(1) == b""


def test_little_is_held_for_who_does_not_read(asked: Page) -> None:
    asked.ask("/").text()
    held = asked.sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
    assert held == 2 * SEND_BUFFER  # socket(7): the kernel doubles it
    assert asked.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


def test_nonsense_is_told_once_in_the_log(page: Page, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            with page.connected("\x16\x03\x01\r\n\r\n") as client:
                with client.makefile("rb") as answer:
                    said = answer.read().decode()
                assert said.startswith("HTTP/1.1 400 Bad Request\r\n")
                lines = set(said.lower().splitlines())
                assert lines >= {f"{name}: {what}" for name, what in STRICT.items()}
                assert said.endswith("\r\n\r\nInvalid HTTP request received.")
    assert caplog.messages == ["the page goes on after a fault: Invalid HTTP request received."]
