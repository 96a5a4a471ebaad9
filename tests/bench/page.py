"""What the spectators' page costs the table: a press's time, pestered too, and memory."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random

from pi_app.simulate.port import listen
from pi_app.web.stage import MAX_TABS
from tests.asked import in_short
from tests.bench.measure import (
    MEMORY,
    Measured,
    median_ratio,
    percentile,
    proportional_megabytes,
    resident_megabytes,
)
from tests.bench.run import a_game_kept
from tests.end_to_end.crowd import NAME, crowd
from tests.end_to_end.eye import Eye
from tests.end_to_end.service import Service

ROUNDS = in_short(12, 1)
PRESSES = 15  # a round
DOWN_S = 0.03  # longer than a contact bounces
GAPS_S = (0.03, 0.09)  # as fast as fingers are
REST_S = 0.2  # for what was begun for those who have gone
DRIVER = "A.next"  # of the kept game: goes round its steps
OWN_OK = "A.ok"  # takes the step that is chosen


class Table:
    """A table in its game, timed from outside: from NEXT's edge to the picture at the panel."""

    def __init__(self, service: Service, eye: Eye) -> None:
        self.service = service
        self._eye = eye
        self._gaps = Random(1)
        service.expect("READY")
        self.press()  # no walk

    def press(self) -> float:
        """Press once; return the milliseconds from letting go, which acts, to the picture."""
        self.service.down(DRIVER)
        time.sleep(DOWN_S)
        self._eye.blink()
        began = time.perf_counter()
        self.service.up(DRIVER)
        self._eye.see()
        milliseconds = 1000 * (time.perf_counter() - began)
        time.sleep(self._gaps.uniform(*GAPS_S))
        return milliseconds

    def ok(self) -> float:
        """Press OK once; return the milliseconds from the press, which acts, to the picture."""
        self._eye.blink()
        began = time.perf_counter()
        self.service.down(OWN_OK)
        self._eye.see()
        milliseconds = 1000 * (time.perf_counter() - began)
        time.sleep(DOWN_S)
        self.service.up(OWN_OK)
        time.sleep(self._gaps.uniform(*GAPS_S))
        return milliseconds

    def hold(self, seconds: float) -> None:
        """Hold NEXT, which opens the menu."""
        self.service.down(DRIVER)
        time.sleep(seconds)
        self.service.up(DRIVER)
        time.sleep(self._gaps.uniform(*GAPS_S))

    def presses(self) -> list[float]:
        return [self.press() for _ in range(PRESSES)]


@contextmanager
def a_table(runner: tuple[str, ...] = (), **sockets: socket.socket) -> Iterator[Table]:
    """Have `referee run` go on with a kept game. runner, sockets: as in Service, its `files`."""
    with ExitStack() as closing:
        # The panel's stand-in writes files, and no press shall wait for a disk.
        folder = closing.enter_context(a_game_kept(MEMORY))
        eye = closing.enter_context(Eye(folder))
        service = Service(folder, files=sockets, names=f'["{NAME}"]', runner=runner)
        closing.callback(service.close)
        yield Table(service, eye)


def bench_a_page_a_press() -> Iterator[Measured]:
    """From press to picture with MAX_TABS who watch, in that without a page, by turns."""
    pairs = list[tuple[float, float]]()
    with (
        listen(0) as port,
        a_table() as bare,
        a_table(page=port) as shown,
        crowd("watch", number(port), MAX_TABS),
    ):
        for _ in range(ROUNDS):
            pairs += zip(shown.presses(), bare.presses(), strict=True)
    yield from compared("press to picture, 16 watching, percentile {}, in that without", pairs)


def bench_a_press_while_the_page_is_pestered() -> Iterator[Measured]:
    """From press to picture of one table, its page pestered and then alone, by turns.

    All who pester are a process of the lowest priority here: on a Pi they would be elsewhere.
    """
    pairs = list[tuple[float, float]]()
    with listen(0) as port, a_table(page=port) as table, crowd("watch", number(port), 1):
        for _ in range(ROUNDS):
            with crowd("pester", number(port)):
                pestered = table.presses()
                held = resident_megabytes(table.service.children()[0])
            time.sleep(REST_S)
            pairs += zip(pestered, table.presses(), strict=True)
    yield from compared(
        "press to picture, page pestered at nice 19, percentile {}, in that at rest", pairs
    )
    yield Measured("resident memory of a page's server that is pestered, MB", held, "")


def bench_memory_with_watchers() -> Iterator[Measured]:
    """A table and its page's server with MAX_TABS who watch; the table's own, without a page."""
    with a_table() as bare:
        bare.presses()
        without = resident_megabytes(bare.service.process.pid)
    with listen(0) as port, a_table(page=port) as table, crowd("watch", number(port), MAX_TABS):
        table.presses()
        own = table.service.process.pid
        [server] = table.service.children()
        both = [proportional_megabytes(pid) for pid in (own, server)]
        held = resident_megabytes(own)
    note = f"the table {both[0]:.1f}, the page's server {both[1]:.1f}"
    yield Measured("memory of table and page, 16 watching, MB", sum(both), note)
    note = f"{held:.1f}, without {without:.1f}"
    yield Measured("the table's own memory above one without a page, MB", held - without, note)


def compared(name: str, pairs: list[tuple[float, float]]) -> Iterator[Measured]:
    """Yield percentiles of the first of each pair, in those of the second, as median_ratio does."""
    ours, theirs = zip(*pairs, strict=True)
    for rank in (50, 95):
        note = (
            f"{percentile(ours, rank):.2f} ms, else {percentile(theirs, rank):.2f}, of {len(ours)}"
        )
        yield Measured(name.format(rank), median_ratio(pairs, rank), note)


def number(port: socket.socket) -> int:
    return int(port.getsockname()[1])
