"""What the box costs: `referee run` on faked metal: its start to READY, its memory, its rest."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from pi_app.record.journal import FILE
from tests.bench.journal import half, one_game, record
from tests.bench.measure import Measured, resident_megabytes, wall_ms
from tests.end_to_end.box import Box

STARTS = 7
LIBRARIES = "import gpiozero, luma.oled.device, PIL.Image, serial, sqlite3"
SETTLE_S = 1.0  # the panel has its picture by then
REST_S = 10.0  # 20 blinks
SEED = 24


def bench_start_to_ready() -> Iterator[Measured]:
    """`referee run` into a game in progress, until READY, in turns with a bare import."""
    ratios, seconds = list[float](), list[float]()
    for _ in range(STARTS):
        bare = wall_ms(lambda: subprocess.run([sys.executable, "-c", LIBRARIES], check=True))
        with a_game_kept() as folder:
            began = time.perf_counter()
            with closing(Box(folder)) as box:
                box.expect("READY")
                seconds.append(time.perf_counter() - began)
        ratios.append(1000 * seconds[-1] / bare)
    note = f"median {median(seconds):.2f} s, of {STARTS}"
    yield Measured("start to READY, in imports of the libraries", median(ratios), note)


def bench_rest() -> Iterator[Measured]:
    """A table that waits for a choice, which blinks: its memory, and CPU time as time passes."""
    with a_game_kept() as folder, closing(Box(folder)) as box:
        box.expect("READY")
        time.sleep(SETTLE_S)
        before, began = cpu_s(box.process.pid), time.perf_counter()
        time.sleep(REST_S)
        share = (cpu_s(box.process.pid) - before) / (time.perf_counter() - began)
        held = resident_megabytes(box.process.pid)
    yield Measured("resident memory without a page, MB", held, "")
    yield Measured("idle with the panel awake, % of a core", 100 * share, f"in {REST_S:.0f} s")


@contextmanager
def a_game_kept(where: str | None = None) -> Iterator[Path]:
    """Give a folder in which a box finds half a game, on the usual disk or in a folder."""
    with TemporaryDirectory(dir=where) as folder:
        keep_a_game(Path(folder))
        yield Path(folder)


def keep_a_game(folder: Path) -> None:
    """Have a box in this folder find half a game, in which A may choose from eight steps."""
    (folder / "games").mkdir()
    record(folder / "games" / FILE, [half(one_game(SEED))])


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU time that a process has had (clock_getcpuclockid(3))."""
    return time.clock_gettime(~pid << 3 | 2)
