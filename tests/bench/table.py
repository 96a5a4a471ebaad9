"""How fast the table is: its memory with a page, a press until its picture, a whole game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.events import Event
from pi_app.players.working import answer_as_grace
from pi_app.runtime.adviser import Adviser
from pi_app.runtime.debounce import CLOSED_S
from pi_app.settings.settings import Settings
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import Simulation, open_simulation
from pi_app.table.session import Reply
from tests.asked import in_short
from tests.bench.measure import (
    MEMORY,
    Measured,
    cpu_ms,
    median_ratio,
    percentile,
    piece,
    piece_and_commit,
    resident_megabytes,
    wall_ms,
)
from tests.pi_app.sitting import Sitting

GAMES = in_short(4, 1)
AUTOS = in_short(3, 1)
BUSY_GAMES = in_short(3, 1)
CROWDED = "43,30,12,1/40,30,9,N/44,33,20,3/55,50,22,7"


def bench_memory_with_a_page() -> Iterator[Measured]:
    """`referee simulate` with a page open that has a picture."""
    with TemporaryDirectory() as folder:
        held = with_a_page(Path(folder))
    yield Measured("resident memory with a page open, MB", held, "")


def with_a_page(folder: Path) -> float:
    """Return the megabytes of a table that has sent its first picture to a page."""
    command = [sys.executable, "-m", "pi_app", "simulate", "--port", "0", "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        url = table.stdout.readline().split()[0]
        with urllib.request.urlopen(f"{url}stream?tab=bench") as stream:
            wait_for_frame(stream)
            megabytes = resident_megabytes(table.pid)
        table.terminate()
    return megabytes


def wait_for_frame(stream: Iterable[bytes]) -> None:
    for line in stream:
        if line.startswith(b"data:") and any(json.loads(line[5:])["frames"]):
            return


def bench_from_press_to_picture() -> Iterator[Measured]:
    """From the edge that acts to the picture at the panel, the commit on the disk included.

    The median of three runs of more than 500 presses each, so that five slow commits of a run
    do not decide its percentile 99.
    What the table does is timed; a press waits another CLOSED_S until it is known to be no spark.
    """
    with TemporaryDirectory() as folder:
        played = [one_game(Path(folder), seed) for seed in range(GAMES)]
    pairs = [pair for game in played for pair in game.pairs]
    ours = [ms for ms, _ in pairs]
    note = f"{percentile(ours, 99):.2f} ms, median {median(ours):.2f}, of {len(ours)}"
    for rank in (50, 99):
        name = f"press to picture, percentile {rank}, in piece + fsync"
        yield Measured(name, median_ratio(pairs, rank), note)
    settled = [pair for game in played for pair in game.settled]
    ours = [ms for ms, _ in settled]
    note = f"{percentile(ours, 99):.2f} ms, median {median(ours):.2f}, of {len(ours)}"
    name = "press until it is counted and folded in, percentile 95, in piece + fsync"
    yield Measured(name, median_ratio(settled, 95), note)


def one_game(folder: Path, seed: int) -> Stopwatch:
    """Play a whole game with a stopwatch."""
    config = load_config(DEFAULT)
    with open_simulation(config, seed, folder / str(seed), lambda row: None) as played:
        stopwatch = Stopwatch(played, folder / "bare")
        SimulatedPlayer(played, Random(seed)).play((0, 1, 2, 3))
    return stopwatch


class Stopwatch:
    """Hands that take the time from each edge to the picture shown before the clock goes on.

    After each such edge comes the yardstick, so that both meet the same load.
    """

    def __init__(self, played: Simulation, bare: Path) -> None:
        self.pairs: list[tuple[float, float]] = []  # milliseconds, of the yardstick
        self.settled: list[tuple[float, float]] = []  # until all is done that may wait
        self.bare = bare
        self.clock = played.clock
        self.hands = played.hands
        self.edge: tuple[float, float] | None = None  # by the table's clock, by ours
        played.hands = self  # type: ignore[assignment]
        played.glass.changed = self.stop
        self.settle, played.app.finish_commit = played.app.finish_commit, self.timed_settle

    @property
    def milliseconds(self) -> list[float]:
        return [ms for ms, _ in self.pairs]

    def down(self, name: str) -> None:
        self.edge = self.clock.now, time.perf_counter()
        self.hands.down(name)

    def up(self, name: str) -> None:
        self.edge = self.clock.now, time.perf_counter()
        self.hands.up(name)

    def stop(self) -> None:
        if self.edge is not None and self.clock.now <= self.edge[0] + CLOSED_S:
            milliseconds = 1000 * (time.perf_counter() - self.edge[1])
            self.edge = None
            self.pairs.append((milliseconds, piece_and_commit(self.bare)))

    def timed_settle(self, reply: Reply) -> None:
        milliseconds = wall_ms(lambda: self.settle(reply))
        if self.pairs:
            shown, yardstick = self.pairs[-1]
            self.settled.append((shown + milliseconds, yardstick))


def bench_a_whole_game_alone() -> Iterator[Measured]:
    """`referee simulate --auto`, four players, as one types it, in turns with pieces."""
    command = [sys.executable, "-m", "pi_app", "simulate", "--auto", "--seed", "1"]
    ratios, seconds = list[float](), list[float]()
    for _ in range(AUTOS):
        pieces = cpu_ms(lambda: [piece() for _ in range(100)])
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        spent = after.children_user + after.children_system
        spent -= before.children_user + before.children_system
        ratios.append(1000 * spent / (pieces / 100))
        seconds.append(spent)
    note = f"{median(seconds):.2f} s of CPU time"
    yield Measured("a whole game by --auto, in pieces", min(ratios), note)


def bench_presses_beside_a_busy_worker() -> Iterator[Measured]:
    """From press to picture while the worker never rests, in that of the same game without it.

    The median of three games of some 430 presses. No press waits for a disk here, because the
    worker uses none: a slow disk during one of two games would decide instead of the worker.
    """
    games = list[tuple[list[float], list[float]]]()
    with TemporaryDirectory(dir=MEMORY) as folder:
        for seed in range(BUSY_GAMES):
            idle = one_game(Path(folder) / "idle", seed).milliseconds
            with a_busy_worker():
                games.append((one_game(Path(folder) / "busy", seed).milliseconds, idle))
    for rank in (50, 99):
        pairs = [(percentile(busy, rank), percentile(idle, rank)) for busy, idle in games]
        name = f"press to picture beside a busy worker, percentile {rank}, in that without"
        ours, theirs = (median(values) for values in zip(*pairs, strict=True))
        note = f"{ours:.2f} ms, without {theirs:.2f}, median of {BUSY_GAMES}"
        yield Measured(name, median(busy / idle for busy, idle in pairs), note)


@contextmanager
def a_busy_worker() -> Iterator[None]:
    """Have the adviser ask its process one question after another."""
    replies = cycle([box_to_move((6, 3)), box_to_move((5, 4))])

    def ask(event: Event | None) -> None:
        adviser(next(replies), 0.0)

    adviser = Adviser(ask, answer_as_grace)
    ask(None)
    try:
        yield
    finally:
        adviser.close()


def box_to_move(faces: tuple[int, ...]) -> Reply:
    """Return the reply of a table at which a box has thrown, which nobody has answered yet."""
    table = Sitting(dice=[faces], settings=Settings({"box.A": "strong"}), advise=None)
    table.resume(CROWDED, 0, "tr-1938")
    table.throw()
    return table.reply
