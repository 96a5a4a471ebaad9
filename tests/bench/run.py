"""What the box costs: `referee run` on faked metal: its start to READY, its memory, its rest."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
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
IDLE_S = 10.0  # 20 blinks
SEED = 24


def bench_start_to_ready() -> Iterator[Measured]:
    """`referee run` into a game in progress, until READY, in turns with a bare import."""
    ratios, seconds, megabytes = list[float](), list[float](), list[float]()
    for _ in range(STARTS):
        bare = wall_ms(lambda: subprocess.run([sys.executable, "-c", LIBRARIES], check=True))
        started, held = start()
        ratios.append(1000 * started / bare)
        seconds.append(started)
        megabytes.append(held)
    note = f"median {median(seconds):.2f} s, of {STARTS}"
    yield Measured("start to READY, in imports of the libraries", median(ratios), note)
    yield Measured("resident memory without a page, MB", max(megabytes), "")


def start() -> tuple[float, float]:
    """Return the seconds from the start to READY, and the megabytes after the first picture."""
    with TemporaryDirectory() as folder:
        keep_a_game(Path(folder))
        began = time.perf_counter()
        box = Box(Path(folder))
        try:
            box.expect("READY")
            seconds = time.perf_counter() - began
            time.sleep(SETTLE_S)
            return seconds, resident_megabytes(box.process.pid)
        finally:
            box.close()


def bench_idle() -> Iterator[Measured]:
    """CPU time of a table that waits for a seat's choice, which blinks, in time that passes."""
    with TemporaryDirectory() as folder:
        keep_a_game(Path(folder))
        box = Box(Path(folder), watchdog_s=30)
        try:
            box.expect("READY")
            time.sleep(SETTLE_S)
            before, began = cpu_s(box.process.pid), time.perf_counter()
            time.sleep(IDLE_S)
            share = (cpu_s(box.process.pid) - before) / (time.perf_counter() - began)
        finally:
            box.close()
    yield Measured("idle with the panel awake, % of a core", 100 * share, f"in {IDLE_S:.0f} s")


def keep_a_game(folder: Path) -> None:
    """Put half a game where a box in this folder has its journal."""
    (folder / "games").mkdir()
    record(folder / "games" / FILE, [half(one_game(SEED))])


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU time that a process has had (clock_getcpuclockid(3))."""
    return time.clock_gettime(~pid << 3 | 2)
