"""What systemd is told, as a socket of its kind hears it."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pi_app.simulate.port import listen, listen_locally
from pi_app.simulate.simulation import VirtualClock
from pi_app.system.notify import PassedSocketError, Sockets, Unit, passed_sockets, this_unit

Heard = Callable[[], list[str]]


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Heard]]:
    """Return a socket's address as NOTIFY_SOCKET has it, and what it has heard since last asked."""
    kind = request.param
    name = str(tmp_path / "notify") if kind == "path" else f"@referee-{os.getpid()}"
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    line.bind(name.replace("@", "\0"))

    def heard() -> list[str]:
        words: list[str] = []
        while True:
            try:
                words.append(line.recv(1000).decode())
            except BlockingIOError:
                return words

    yield name, heard
    line.close()


def test_each_word_is_one_message(systemd: tuple[str, Heard]) -> None:
    address, heard = systemd
    unit = Unit(address)
    unit.status("players join")
    unit.ready()
    unit.stopping()
    assert heard() == ["STATUS=players join", "READY=1", "STOPPING=1"]


def test_a_status_is_told_when_it_changes(systemd: tuple[str, Heard]) -> None:
    address, heard = systemd
    unit = Unit(address)
    for text in ("A to throw", "A to throw", "B to throw", "A to throw"):
        unit.status(text)
    assert heard() == ["STATUS=A to throw", "STATUS=B to throw", "STATUS=A to throw"]


def test_it_beats_three_times_in_the_watchdogs_time_however_often_it_is_called(
    systemd: tuple[str, Heard],
) -> None:
    address, heard = systemd
    clock = VirtualClock()
    unit = Unit(address, watchdog_s=15.0, clock=clock)
    for tenth in range(150):
        clock.now = tenth / 10
        unit.beat()
    assert heard() == ["WATCHDOG=1"] * 3


def test_without_a_watchdog_there_is_no_beat(systemd: tuple[str, Heard]) -> None:
    address, heard = systemd
    Unit(address).beat()
    assert heard() == []


def test_outside_a_unit_nothing_is_told_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)
    for unit in (this_unit(), Unit(str(tmp_path / "nobody")), Unit("@nobody")):
        unit.ready()
        unit.status("players join")
        unit.beat()
        unit.stopping()


def test_one_that_does_not_listen_holds_up_nobody_for_long(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as deaf:
        deaf.bind(str(tmp_path / "notify"))
        unit = Unit(str(tmp_path / "notify"))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as filler:
            filler.connect(str(tmp_path / "notify"))
            with suppress(BlockingIOError):
                while True:
                    filler.send(b"x")
        unit.ready()  # returns


def test_the_environment_says_which_unit_we_are(
    systemd: tuple[str, Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, heard = systemd
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.setenv("WATCHDOG_USEC", "3")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    this_unit().beat()
    unit = this_unit()
    while not (words := heard()):
        unit.beat()
    assert words == ["WATCHDOG=1"]
    monkeypatch.setenv("WATCHDOG_PID", "1")
    this_unit().beat()
    assert heard() == []


def test_a_watchdog_time_that_is_no_number_is_none(
    systemd: tuple[str, Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, heard = systemd
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    for text in ("abc", "", "-1", "1e9"):
        monkeypatch.setenv("WATCHDOG_USEC", text)
        this_unit().beat()
    assert heard() == []


# What systemd hands over.


def pass_on(monkeypatch: pytest.MonkeyPatch, count: str, names: str | None = None) -> None:
    """Hand over so many files from number 3 on, which the process of these tests keeps."""
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", count)
    if names is None:
        monkeypatch.delenv("LISTEN_FDNAMES", raising=False)
    else:
        monkeypatch.setenv("LISTEN_FDNAMES", names)


@pytest.mark.parametrize("files", ["0", ""])
def test_where_no_socket_is_handed_over_there_is_none(
    files: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_on(monkeypatch, files)
    assert passed_sockets() == Sockets()


@pytest.mark.parametrize(
    ("count", "names", "told"),
    [
        ("2", None, "2 sockets with the names page"),
        ("many", None, "many sockets with the names page"),
        ("2", "page:page", "2 sockets with the names page, page"),
        ("2", "page:mqtt", "2 sockets with the names page, mqtt"),
        ("3", "page:local", "3 sockets with the names page, local"),
        ("1", "unknown", "1 sockets with the names unknown"),
    ],
)
def test_of_sockets_that_are_not_named_as_ours_none_is_taken(
    count: str, names: str | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_on(monkeypatch, count, names)
    with pytest.raises(PassedSocketError, match=f"^systemd has passed {told}: "):
        passed_sockets()


TAKES = """
import os, sys
from fcntl import F_DUPFD, fcntl
files = [fcntl(int(file), F_DUPFD, 100) for file in sys.argv[2:]]
for n, file in enumerate(files, 3):
    os.dup2(file, n)
names = {"LISTEN_FDNAMES": sys.argv[1]} if sys.argv[1] else {}
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(files)), **names)
from pi_app.system.notify import PassedSocketError, passed_sockets
try:
    for sock in passed_sockets():
        print(sock and (sock.fileno(), sock.getsockname(), sock.get_inheritable()))
except PassedSocketError as error:
    print(error)
"""


def taken(names: str, *files: socket.socket) -> list[str]:
    """Return what a process says of the sockets that are handed to it."""
    numbers = [file.fileno() for file in files]
    command = [sys.executable, "-c", TAKES, names, *map(str, numbers)]
    return subprocess.run(
        command, pass_fds=numbers, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def test_each_socket_is_taken_by_its_name_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "local"
    with listen(0) as page, listen_locally(path) as local:
        port = page.getsockname()
        assert taken("", page) == taken("page", page) == [f"(3, {port}, False)", "None"]
        assert taken("local", local) == ["None", f"(3, '{path}', False)"]
        both = [f"(4, {port}, False)", f"(3, '{path}', False)"]
        assert taken("local:page", local, page) == both


def test_a_socket_of_the_others_kind_is_not_taken(tmp_path: Path) -> None:
    with listen(0) as page, listen_locally(tmp_path / "local") as local:
        for names, files, wrong in (
            ("local", [page], "local"),
            ("page", [local], "page"),
            ("page:local", [page, page], "local"),
        ):
            [told] = taken(names, *files)
            assert told == (
                f"systemd has passed as {wrong} a socket of another kind, or that does not listen: "
                "the unit of the page must have one ListenStream= with a port, local with a path"
            )


def test_what_is_handed_to_another_process_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    pass_on(monkeypatch, "1")
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    assert passed_sockets() == Sockets()


def test_outside_a_unit_nothing_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LISTEN_PID", raising=False)
    assert passed_sockets() == Sockets()
