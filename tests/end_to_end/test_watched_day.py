"""Hours of a table whose page people look at for a while: nothing stays of who has gone."""

import json
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.asked import extent
from tests.bench.measure import resident_megabytes
from tests.bench.run import keep_a_game
from tests.end_to_end.crowd import NAME, asking, reading_nothing, request
from tests.end_to_end.service import LONG_S
from tests.end_to_end.test_watched_table import Looked

VISITS = extent(20, soak=500)  # in four hours one every 29 s, each of four minutes
STAYING = 8  # who watch at once; the other places are for those who went without a word
WORDLESS = 40  # one of so many does
FILES = ("", "icon.svg", "base.css", "watch.css", "watch.js", "stream.js", "board.js")
BOARD = "board/standard/counterclockwise/twelve"
ALSO = ("", BOARD, "games", "games.html", "games/1", "no/such/page", "games", "games/7")
MOST_MB = extent(4, soak=2)  # a short day's noon is too early: what is made once is not yet made

pytestmark = [pytest.mark.slow, pytest.mark.soak]


class Held(NamedTuple):
    """What a process has."""

    megabytes: float
    files: int
    threads: int


def held(pid: int) -> Held:
    files, threads = (len(list(Path(f"/proc/{pid}/{what}").iterdir())) for what in ("fd", "task"))
    return Held(resident_megabytes(pid), files, threads)


class Phone:
    """Somebody who opens the page, watches for a while, and goes."""

    def __init__(self, port: int, also: str) -> None:
        line = HTTPConnection("127.0.0.1", port, timeout=LONG_S)
        for path in (*FILES, also):
            line.request("GET", f"/{path}", headers={"Host": NAME})
            line.getresponse().read()
        line.close()
        self._stream = asking(port, request("/stream"))
        self._stream.settimeout(LONG_S)
        self._lines = self._stream.makefile("rb")

    def state(self) -> dict[str, Any]:
        """Return the next state."""
        while not (line := self._lines.readline()).startswith(b"data: "):
            assert line, "the stream has ended"
        state = json.loads(line.removeprefix(b"data: "))
        assert isinstance(state, dict)
        return state

    def go(self) -> None:
        self._lines.close()
        self._stream.close()


def visits(table: Looked) -> Iterator[int]:
    """Have one after another come, while somebody goes round the steps; yield each one's number.

    The last one stays until it has been looked what is left of the others.
    """
    port, looking = table.sock.getsockname()[1], deque[Phone]()
    with ExitStack() as wordless:
        for n, also in zip(range(VISITS), cycle(ALSO), strict=False):
            looking.append(Phone(port, also))
            looking[-1].state()
            table.tap("A.next")
            for phone in looking:
                phone.state()
            yield n
            if n % WORDLESS == 0:
                wordless.enter_context(reading_nothing(port))
            if len(looking) == STAYING:
                looking.popleft().go()
    while len(looking) > 1:
        looking.popleft().go()
    yield VISITS
    looking.pop().go()


def once_gone(pid: int, files: int) -> Held:
    """Return what a process holds once it has no more files than these."""
    end = time.monotonic() + LONG_S
    while (now := held(pid)).files > files:
        assert time.monotonic() < end, f"{now.files} files are open, at first {files} were"
        time.sleep(0.05)
    return now


def test_a_page_at_which_people_look_all_day_holds_no_more_in_the_evening_than_in_the_morning(
    tmp_path: Path,
) -> None:
    keep_a_game(tmp_path)
    with ExitStack() as closing:
        table = Looked(tmp_path, closing)
        for n in visits(table):
            if n == 0:
                [server] = table.service.children()
                processes = table.service.process.pid, server
                dawn = [held(pid) for pid in processes]
            elif n == max(VISITS // 4, len(ALSO)):  # all that is asked for was asked for once
                morning = [held(pid) for pid in processes]
            elif n == VISITS:
                files = [one.files for one in dawn]
                evening = list(map(once_gone, processes, files))
    for was, now in zip(morning, evening, strict=True):
        assert now.megabytes - was.megabytes <= MOST_MB
        assert now.threads <= was.threads
