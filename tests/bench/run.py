"""What `referee run` costs on faked metal: its start to READY, its memory, its rest."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from pi_app.record.journal import FILE
from tests.asked import in_short
from tests.bench.journal import half, one_game, record
from tests.bench.measure import MEMORY, Measured, resident_megabytes, slowness, wall_ms
from tests.end_to_end.service import Service
from tests.end_to_end.test_watched_table import Looked

STARTS = in_short(9, 1)
LIBRARIES = "import gpiozero, luma.oled.device, PIL.Image, serial, sqlite3"
SETTLE_S = 1.0  # the panel has its picture by then
REST_S = in_short(10, 1)  # 20 blinks
SEED = 24


def bench_start_to_ready() -> Iterator[Measured]:
    """`referee run` into a game in progress, until READY, in turns with a bare import.

    The first turn is not counted: there all that is imported may have to be compiled, or read from
    a cold disk. The kept game is in memory, because slow commits are no part of the yardstick.
    """
    turns = [(seconds_to_ready(), a_bare_import()) for _ in range(1 + STARTS)][1:]
    seconds, bare = (median(each) for each in zip(*turns, strict=True))
    note = f"median {seconds:.2f} s, the imports {bare:.2f}, of {STARTS}"
    yield Measured("start to READY, in imports of the libraries", seconds / bare, note)


def seconds_to_ready(runner: tuple[str, ...] = ()) -> float:
    """Start `referee run` into a kept game; return the seconds until READY. runner: see Service."""
    with a_game_kept(MEMORY) as folder:
        began = time.perf_counter()
        with closing(Service(folder, runner=runner)) as service:
            service.expect("READY")
            return time.perf_counter() - began


def bench_end() -> Iterator[Measured]:
    """From SIGTERM to the end of a table while somebody watches, in turns with a bare import."""
    turns = [(seconds_to_end(), a_bare_import()) for _ in range(STARTS)]
    seconds, bare = (median(each) for each in zip(*turns, strict=True))
    note = f"median {seconds:.2f} s, the imports {bare:.2f}, of {STARTS}"
    yield Measured("SIGTERM to the end, in imports of the libraries", seconds / bare, note)


def seconds_to_end() -> float:
    with TemporaryDirectory(dir=MEMORY) as folder, ExitStack() as closing:
        table = Looked(Path(folder), closing)
        table.ask("/stream").state()
        table.service.process.terminate()
        seconds = wall_ms(table.service.process.wait) / 1000  # given a limit, it looks each 50 ms
        assert table.service.process.returncode == 0
        return seconds


def a_bare_import() -> float:
    """Return the seconds of a Python that imports the table's libraries and ends."""
    return wall_ms(lambda: subprocess.run([sys.executable, "-c", LIBRARIES], check=True)) / 1000


def bench_rest() -> Iterator[Measured]:
    """A table that waits for a choice, which blinks: its memory, and CPU time as time passes."""
    with a_game_kept() as folder, closing(Service(folder)) as service:
        service.expect("READY")
        time.sleep(SETTLE_S)
        before, began = cpu_s(service.process.pid), time.perf_counter()
        time.sleep(REST_S)
        share = (cpu_s(service.process.pid) - before) / (time.perf_counter() - began)
        held = resident_megabytes(service.process.pid)
    yield Measured("resident memory without a page, MB", held, "")
    percent, slower = 100 * share, slowness()
    note = f"{percent:.2f} on this machine, {slower:.1f} times as slow, in {REST_S:.0f} s"
    yield Measured("idle with the panel awake, % of a core", percent / slower, note)


@contextmanager
def a_game_kept(where: str | None = None) -> Iterator[Path]:
    """Give a folder in which a service finds half a game, on the usual disk or in a folder."""
    with TemporaryDirectory(dir=where) as folder:
        keep_a_game(Path(folder))
        yield Path(folder)


def keep_a_game(folder: Path) -> None:
    """Have a service in this folder find half a game, in which A may choose from eight steps."""
    (folder / "games").mkdir()
    record(folder / "games" / FILE, [half(one_game(SEED))])


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU time that a process has had (clock_getcpuclockid(3))."""
    return time.clock_gettime(~pid << 3 | 2)
