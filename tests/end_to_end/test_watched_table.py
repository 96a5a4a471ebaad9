"""A real table that is looked on: `referee run` with the socket that systemd hands over."""

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import IncompleteRead
from pathlib import Path

import pytest

from pi_app.simulate.port import listen, listen_locally
from tests.end_to_end.service import Service
from tests.pi_app.web.test_watching import Answer

pytestmark = pytest.mark.slow


class Looked:
    """A table with its page, and spectators."""

    def __init__(self, folder: Path, closing: ExitStack) -> None:
        self._closing = closing
        self.sock = closing.enter_context(listen(0))
        self.local = closing.enter_context(listen_locally(folder / "local"))
        self.sockets = {"page": self.sock, "local": self.local}
        self.service = Service(folder, files=self.sockets, names='["pachisi.local"]')
        closing.callback(self.service.close)
        self.service.expect("READY=1")

    def ask(self, path: str, method: str = "GET", host: str = "pachisi.local") -> Answer:
        return self._ask(self.sock, method, path, host)

    def ask_here(self, path: str) -> Answer:
        """Ask as a program of this computer."""
        return self._ask(self.local, "GET", path, "any")

    def _ask(self, sock: socket.socket, method: str, path: str, host: str) -> Answer:
        answer = Answer(sock, method, path, "", {"Host": host})
        return self._closing.enter_context(answer)

    def tap(self, button: str) -> None:
        self.service.down(button)
        self.service.up(button)


@pytest.fixture
def looked(tmp_path: Path) -> Iterator[Looked]:
    with ExitStack() as closing:
        yield Looked(tmp_path, closing)


def test_who_looks_on_sees_each_press_and_ends_with_the_table(looked: Looked) -> None:
    stream = looked.ask("/stream")
    assert stream.state()["doing"] == "players join"
    looked.service.down("A.ok")
    assert [row[0] for row in stream.state()["places"]] == ["A"]  # type: ignore[attr-defined]
    status = looked.service.end()
    assert status == 0
    with pytest.raises(IncompleteRead):
        stream.text()


def test_a_program_sees_each_press_too_and_which_games_were_kept(looked: Looked) -> None:
    stream = looked.ask_here("/stream")
    assert stream.state()["doing"] == "players join"
    looked.tap("A.ok")
    while [row[0] for row in stream.state()["places"]] != ["A"]:  # type: ignore[attr-defined]
        pass
    assert looked.ask_here("/records").text() == "[]"
    assert looked.ask("/records").status == 404


def test_without_a_page_programs_see_the_table_and_no_page_is_in_the_log(tmp_path: Path) -> None:
    with (
        listen_locally(tmp_path / "local") as local,
        closing(Service(tmp_path, files={"local": local})) as service,
    ):
        service.expect("READY=1")
        with Answer(local, "GET", "/state.json", "", {"Host": "any"}) as answer:
            assert json.loads(answer.text())["doing"] == "players join"
        assert len(service.children()) == 1
        assert service.end() == 0
        assert "the page" not in service.complaint()


def test_another_server_takes_the_place_of_one_that_was_killed(looked: Looked) -> None:
    stream = looked.ask("/stream")
    stream.state()
    [server] = looked.service.children()
    os.kill(server, signal.SIGKILL)
    with pytest.raises(IncompleteRead):
        stream.text()
    assert looked.ask("/stream").state()["doing"] == "players join"
    assert looked.service.process.poll() is None


def path_to_listen_on(folder: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.bind(str(folder / "line"))
    line.listen()
    return line


def udp_port(folder: Path) -> socket.socket:
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(("127.0.0.1", 0))
    return line


def line_that_is_taken(folder: Path) -> socket.socket:
    with listen(0) as port, closing(socket.create_connection(port.getsockname())):
        return port.accept()[0]


def test_what_is_no_socket_is_told_in_a_line_too(tmp_path: Path) -> None:
    with (
        (tmp_path / "file").open("w") as handed,
        closing(Service(tmp_path, files={"page": handed})) as service,
    ):
        service.expect("READY=1")
        service.end()
        assert "systemd has passed as page a file that is not a socket: the" in service.complaint()


@pytest.mark.parametrize("strange", [path_to_listen_on, udp_port, line_that_is_taken])
def test_what_is_no_port_is_told_in_a_line_and_the_table_plays_without_a_page(
    strange: Callable[[Path], socket.socket], tmp_path: Path
) -> None:
    with strange(tmp_path) as handed, closing(Service(tmp_path, files={"page": handed})) as service:
        service.expect("READY=1")
        assert service.children() == []
        assert service.end() == 0
        first, *others = service.complaint().splitlines()
    assert first == (
        "referee: there is no page for spectators: systemd has passed as page a socket of another "
        "kind, or that does not listen: the unit of the page must have one ListenStream= with a "
        "port, local with a path"
    )
    assert len(others) == 2  # that it begins, that it ends
