"""What measurements are made of: clocks, percentiles, and the yardsticks that they are held to."""

import math
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeVar

T = TypeVar("T")


RUNS = 3
PIECE_MS = 2.0  # on the machine of which bars without a yardstick are told
PIECES = 50
MEMORY = "/dev/shm"  # a folder for what shall not wait for a disk


class Measured(NamedTuple):
    """A value under the name of its bar, with a note in plain units.

    Without a value it could not be measured here, and the note says why.
    """

    name: str
    value: float | None
    note: str


def piece() -> int:
    """Do some 2 ms of what Python programs do: tuples, numbers, a dictionary. Never change it."""
    seen: dict[tuple[int, int, int], int] = {}
    for n in range(8000):
        key = n % 61, n % 7, n & 3
        seen[key] = seen.get(key, 0) + n
    return max(seen.values())


def slowness() -> float:
    """Return how many times PIECE_MS a piece takes here and now, the median of PIECES."""
    return median(cpu_ms(piece) for _ in range(PIECES)) / PIECE_MS


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the milliseconds of this thread's CPU time that it takes: waiting is not counted."""
    began = time.thread_time()
    work()
    return 1000 * (time.thread_time() - began)


def wall_ms(work: Callable[[], object]) -> float:
    """Return the milliseconds that it takes, waiting included."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def piece_and_commit(path: Path) -> float:
    """Return the milliseconds of a piece and of appending what a commit does, down to the disk."""

    def both() -> None:
        piece()
        with path.open("ab", buffering=0) as file:
            file.write(bytes(3 * 4096))
            os.fsync(file.fileno())

    return wall_ms(both)


def resident_megabytes(pid: int) -> float:
    """Return the memory that a process has now (proc_pid_status(5))."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    [resident] = [line for line in status if line.startswith("VmRSS")]
    return int(resident.split()[1]) / 1024


def private_megabytes(pid: int) -> float:
    """Return the memory that a process shares with no other (proc_pid_smaps(5))."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in told if line.startswith("Private_")) / 1024


def proportional_megabytes(pid: int) -> float:
    """Return a process's memory, its share of what others have too (proc_pid_smaps(5))."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    [share] = [line for line in told if line.startswith("Pss:")]
    return int(share.split()[1]) / 1024


def median_ratio(pairs: Sequence[tuple[float, float]], rank: float) -> float:
    """Return the percentile of the first values in that of the second, the median of three runs.

    The runs are the thirds of the pairs, in the order in which they were measured. A slow disk or
    another program spoils one run and cannot decide; a slower program makes all three worse.
    """
    ratios = []
    for run in thirds(pairs):
        ours, theirs = zip(*run, strict=True)
        ratios.append(percentile(ours, rank) / percentile(theirs, rank))
    return median(ratios)


def median_percentile(values: Sequence[float], rank: float) -> float:
    """Return the percentile of some values, the median of three runs as in median_ratio."""
    return median(percentile(run, rank) for run in thirds(values))


def thirds(values: Sequence[T]) -> list[Sequence[T]]:
    """Cut values into three runs of equal length; up to two values at the end are left out."""
    length = len(values) // RUNS
    return [values[n * length : (n + 1) * length] for n in range(RUNS)]


def percentile(values: Sequence[float], rank: float) -> float:
    """Return the nearest-rank percentile of some values."""
    return sorted(values)[math.ceil(rank / 100 * len(values)) - 1]
