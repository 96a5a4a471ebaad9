"""What serves the spectators' page: told each newest state, started anew when it fails."""

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import pytest

from pi_app.simulate.port import listen, listen_locally
from pi_app.system.notify import Sockets
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH
from pi_app.web.packing import pack, unpack
from pi_app.web.spectator_state import spectator_state
from pi_app.web.spectators import Spectators
from pi_app.web.state import say_all
from tests.pi_app.sitting import Sitting, thrown

pytestmark = pytest.mark.slow  # nearly each test starts a process

LONG_S = 60.0  # for what comes at once, on a machine that is busy
MOVES = "12,N,N,N/N,N,N,N/N,N,N,N/-"


class Bench:
    """Programs that stand in for the page's server, and what they write to a pipe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pipe = folder / "pipe"
        os.mkfifo(self.pipe)
        self._lines = os.fdopen(os.open(self.pipe, os.O_RDWR), "r", encoding="utf-8")
        self.sock = listen(0)
        self.sockets = Sockets(self.sock)
        self.made: list[Spectators] = []

    def spectators(self, script: str, patience_s: float = LONG_S) -> Spectators:
        """Have a shell script serve; in it `$PIPE` is read by `told`."""
        command = ["/bin/sh", "-c", f"PIPE='{self.pipe}'; {script}", "page"]
        made = Spectators(
            self.sockets, self.folder / "games", ["a.b"], False, command, patience_s, 0.01
        )
        self.made.append(made)
        return made

    def told(self) -> str:
        """Wait for the next line that a program writes."""
        return self._lines.readline()

    def close(self) -> None:
        for one in self.made:
            one.close()
        self.sock.close()
        self._lines.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


@pytest.fixture
def complaints() -> Iterator[SimpleQueue[str]]:
    """Lines that came to the log."""
    lines: SimpleQueue[str] = SimpleQueue()

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.put(record.getMessage())

    handler = Lines()
    logging.getLogger("pi_app.web.spectators").addHandler(handler)
    yield lines
    logging.getLogger("pi_app.web.spectators").removeHandler(handler)


def replies() -> tuple[Reply, Reply, Reply]:
    """A step on the panel, the same half a second later, and the next step."""
    table = thrown(MOVES, (6, 2), "findler")
    first = table.reply
    table.wait(0.5)
    blinked = table.reply
    table.next(0)
    return first, blinked, table.reply


ONE = "read -r line; printf '%s\\n' \"$line\" > $PIPE"
ECHO = "while read -r line; do printf '%s\\n' \"$line\" > $PIPE; done"
FIRST, BLINKED, NEXT = replies()


def line_of(reply: Reply) -> str:
    return f"{json.dumps(pack(spectator_state(reply)))}\n"


def test_each_newest_state_is_told_as_a_line(bench: Bench) -> None:
    spectators = bench.spectators(ECHO)
    for reply in (FIRST, NEXT, FIRST):
        spectators.watch(reply)
        assert bench.told() == line_of(reply)


def test_what_only_blinks_is_not_news(bench: Bench) -> None:
    assert FIRST.session.t != BLINKED.session.t
    assert line_of(FIRST) == line_of(BLINKED) != line_of(NEXT)
    spectators = bench.spectators(ECHO)
    told = []
    for reply in (FIRST, BLINKED, NEXT):
        spectators.watch(reply)
        if reply is not BLINKED:
            told.append(bench.told())
    assert told == [line_of(FIRST), line_of(NEXT)]


def test_one_that_is_slow_is_told_the_newest_of_what_it_has_missed(bench: Bench) -> None:
    spectators = bench.spectators(f"{ONE}; read go < '{bench.folder / 'go'}'; {ECHO}")
    os.mkfifo(bench.folder / "go")
    spectators.watch(FIRST)
    bench.told()
    for _ in range(1000):  # far more than a pipe holds
        spectators.watch(NEXT)
        spectators.watch(FIRST)
    spectators.watch(NEXT)
    (bench.folder / "go").write_text("go\n")
    told = 1
    while bench.told() != line_of(NEXT):
        told += 1
    assert told < 100


def test_one_that_is_slow_has_few_states_to_catch_up_with(bench: Bench) -> None:
    size = "import fcntl; print(fcntl.fcntl(0, fcntl.F_GETPIPE_SZ))"
    spectators = bench.spectators(f"{ONE}; {sys.executable} -c '{size}' > $PIPE; cat")
    spectators.watch(FIRST)
    bench.told()
    assert int(bench.told()) < 4 * len(line_of(FIRST))


def test_it_is_handed_the_pages_socket_journal_and_names(bench: Bench) -> None:
    spectators = bench.spectators('echo "$@" > $PIPE; [ -S /dev/fd/$1 ]; echo $? > $PIPE; cat')
    spectators.watch(FIRST)
    assert bench.told() == f"{bench.sock.fileno()} - {bench.folder / 'games'} False a.b\n"
    assert bench.told() == "0\n"


@pytest.mark.parametrize("with_page", [True, False])
def test_it_is_handed_the_socket_for_programs_with_or_without_a_page(
    bench: Bench, with_page: bool
) -> None:
    local = listen_locally(bench.folder / "local")
    bench.sockets = Sockets(bench.sock if with_page else None, local)
    spectators = bench.spectators('echo "$1 $2" > $PIPE; [ -S /dev/fd/$2 ]; echo $? > $PIPE; cat')
    spectators.watch(FIRST)
    page = str(bench.sock.fileno()) if with_page else "-"
    assert bench.told() == f"{page} {local.fileno()}\n"
    assert bench.told() == "0\n"
    spectators.close()
    assert local.fileno() == -1


def test_it_works_after_all_that_plays(bench: Bench) -> None:
    spectators = bench.spectators(f"{ONE}; nice > $PIPE; cat")
    spectators.watch(FIRST)
    bench.told()
    assert bench.told() == "19\n"


def test_one_that_ends_is_started_anew_with_the_newest_state_and_that_is_told_once(
    bench: Bench, complaints: SimpleQueue[str]
) -> None:
    spectators = bench.spectators(f"{ONE}; exit 3")
    spectators.watch(FIRST)
    assert [bench.told() for _ in range(4)] == [line_of(FIRST)] * 4
    spectators.watch(NEXT)
    while bench.told() != line_of(NEXT):
        pass
    said = "the page for spectators failed (it ended with 3): trying it again"
    assert complaints.get(timeout=LONG_S) == said
    assert complaints.empty()


def test_one_that_takes_nothing_is_ended_and_started_anew(
    bench: Bench, complaints: SimpleQueue[str]
) -> None:
    spectators = bench.spectators("echo $$ > $PIPE; exec sleep 1000", patience_s=0.01)
    spectators.watch(FIRST)
    first = int(bench.told())
    again: SimpleQueue[str] = SimpleQueue()
    Thread(target=lambda: again.put(bench.told()), daemon=True).start()
    second = None
    while second is None:
        for reply in (NEXT, FIRST):
            spectators.watch(reply)
            with suppress(Empty):
                second = int(again.get(timeout=0.05))
    assert second != first
    assert "it has read nothing for 0 s" in complaints.get(timeout=LONG_S)


def test_one_that_had_served_for_long_is_told_of_again_when_it_ends(
    bench: Bench, complaints: SimpleQueue[str]
) -> None:
    hours = count(step=3600)
    command = ["/bin/sh", "-c", "read -r line; exit 3"]
    spectators = Spectators(
        Sockets(bench.sock),
        bench.folder,
        [],
        False,
        command,
        LONG_S,
        0.01,
        lambda: float(next(hours)),
    )
    bench.made.append(spectators)
    spectators.watch(FIRST)
    said = [complaints.get(timeout=LONG_S) for _ in range(5)]  # and soon each time
    assert len(set(said)) == 1


def test_where_it_can_not_be_started_the_table_plays_on(
    bench: Bench, complaints: SimpleQueue[str]
) -> None:
    spectators = Spectators(
        Sockets(bench.sock), bench.folder, [], False, ["/no/such/program"], LONG_S, 0.01
    )
    bench.made.append(spectators)
    spectators.watch(FIRST)
    assert "No such file" in complaints.get(timeout=LONG_S)
    spectators.watch(NEXT)


def test_closing_ends_it_at_once(bench: Bench) -> None:
    spectators = bench.spectators(ECHO)
    spectators.watch(FIRST)
    bench.told()
    process = spectators.process
    assert process is not None
    spectators.close()
    assert process.returncode == -9
    assert bench.sock.fileno() == -1


def test_a_table_that_was_never_shown_closes_too(bench: Bench) -> None:
    bench.spectators(ECHO).close()
    assert bench.sock.fileno() == -1


def test_a_table_of_before_a_game_is_told(bench: Bench) -> None:
    table = Sitting()
    spectators = bench.spectators(ECHO)
    spectators.watch(table.reply)
    state = say_all(json.loads(bench.told(), object_hook=unpack), ENGLISH)
    assert state["doing"] == "players join"
