"""How fast the table is, beside its bars: start, memory, from a press to its picture.

    make bench

Prints the measurements; a bar that is missed is said, never failed, since machines differ.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from random import Random

from pytest_benchmark.fixture import BenchmarkFixture

from pi_app.config import DEFAULT, load_config
from pi_app.simulate.player import Player
from pi_app.simulate.simulation import Simulation, simulation
from tests.bench.report import percentile, report

STARTS = 5
GAMES = 3


def bench_start_and_memory(tmp_path: Path, benchmark: BenchmarkFixture) -> None:
    """`referee simulate` until a page has the panel's first picture, and what it holds then."""
    started = benchmark.pedantic(lambda: [start(tmp_path) for _ in range(STARTS)])
    seconds, megabytes = zip(*started, strict=True)
    report("start to first frame, median of 5, s", percentile(seconds, 50), 0.6)
    report("resident memory with a page open, MB", max(megabytes), 60.0)


def start(folder: Path) -> tuple[float, float]:
    """Return the seconds from the start to the first picture on a page, and the megabytes."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "pi_app", "simulate", "--port", "0", "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        url = table.stdout.readline().split()[0]
        with urllib.request.urlopen(f"{url}stream?tab=bench") as stream:
            wait_for_frame(stream)
            seconds = time.perf_counter() - began
            megabytes = resident_megabytes(table.pid)
        table.terminate()
    return seconds, megabytes


def wait_for_frame(stream: Iterable[bytes]) -> None:
    for line in stream:
        if line.startswith(b"data:") and json.loads(line[5:])["frame"]:
            return


def resident_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    [resident] = [line for line in status if line.startswith("VmRSS")]
    return int(resident.split()[1]) / 1024


def bench_from_press_to_picture(tmp_path: Path, benchmark: BenchmarkFixture) -> None:
    """From the edge that acts to the picture at the panel, the commit on the disk included."""
    times = benchmark.pedantic(lambda: [ms for n in range(GAMES) for ms in one_game(tmp_path, n)])
    note = f"median {percentile(times, 50):.2f}, longest {max(times):.2f}, of {len(times)}"
    report("press to picture, 99th percentile, ms", percentile(times, 99), 5.0, note)
    bare = [bare_commit(tmp_path / "bare") for _ in range(500)]
    note = f"median {percentile(bare, 50):.2f}, longest {max(bare):.2f}: the disk, without us"
    report("a bare write and fsync, 99th percentile, ms", percentile(bare, 99), None, note)


def bare_commit(path: Path) -> float:
    """Return the milliseconds of appending as much as a commit does, down to the disk."""
    began = time.perf_counter()
    with path.open("ab", buffering=0) as file:
        file.write(bytes(3 * 4096))
        os.fsync(file.fileno())
    return 1000 * (time.perf_counter() - began)


def bench_a_whole_game_alone(benchmark: BenchmarkFixture) -> None:
    """`referee simulate --auto`, four players, as one types it."""
    command = [sys.executable, "-m", "pi_app", "simulate", "--auto", "--seed", "1"]
    began = time.perf_counter()
    benchmark.pedantic(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
    report("a whole game by --auto, s", time.perf_counter() - began, 5.0)


def one_game(folder: Path, seed: int) -> list[float]:
    """Play a whole game; return the milliseconds from each edge to the picture that it makes."""
    config = load_config(DEFAULT)
    with simulation(config, seed, folder / str(seed), lambda row: None) as played:
        stopwatch = Stopwatch(played)
        Player(played, Random(seed)).play((0, 1, 2, 3))
    return stopwatch.milliseconds


class Stopwatch:
    """Hands that take the time from each edge to the picture shown before the clock goes on."""

    def __init__(self, played: Simulation) -> None:
        self.milliseconds: list[float] = []
        self.clock = played.clock
        self.hands = played.hands
        self.edge: tuple[float, float] | None = None  # by the table's clock, by ours
        played.hands = self  # type: ignore[assignment]
        played.glass.changed = self.stop

    def down(self, name: str) -> None:
        self.edge = self.clock.now, time.perf_counter()
        self.hands.down(name)

    def up(self, name: str) -> None:
        self.edge = self.clock.now, time.perf_counter()
        self.hands.up(name)

    def stop(self) -> None:
        if self.edge is not None and self.edge[0] == self.clock.now:
            self.milliseconds.append(1000 * (time.perf_counter() - self.edge[1]))
            self.edge = None
