"""How fast the table is on a tenth of a core: one of Linux's control groups holds it to that.

The tenth of a core stands for a slow processor, so a faster machine would make it a faster one: the
values are those of a machine on which a piece takes PIECE_MS. Where the kernel or the user's rights
allow no control group, the rows say that they were not measured.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.asked import in_short
from tests.bench.measure import RUNS, Measured, median_percentile, slowness
from tests.bench.page import Table, a_table
from tests.bench.run import seconds_to_ready

GROUPS = Path("/sys/fs/cgroup")
# The least quota that the kernel allows. In a long period a press could use a whole core at first.
PERIOD_US, QUOTA_US = 10_000, 1_000
EMPTY_S = 10.0  # for the processes of a table that was killed to end

CYCLES = in_short(3, 1)  # a run: each 32 choices looked at, one taken, and undone
LOOKS = in_short(32, 2)
HOLD_S = 1.2  # opens the menu, at a tenth of a core too
DEAF_S = 0.6  # longer than OK is deaf after an OK

START = "start to READY on a tenth of a core, s"
PRESS = "press to picture on a tenth of a core, percentile {}, ms"


class NoControlGroup(Exception):
    """Why no control group can be made; lower case, what was tried and what came of it."""


def bench_on_a_tenth_of_a_core() -> Iterator[Measured]:
    """`referee run` with a kept game in memory: the median of three starts, then of three runs.

    A run has 105 presses of NEXT and OK, so that its slowest press does not decide percentile 99.
    """
    try:
        with control_group() as runner:
            starts = [seconds_to_ready(runner) for _ in range(RUNS)]
            with a_table(runner=runner) as table:
                presses = [ms for _ in range(RUNS * CYCLES) for ms in look_take_and_undo(table)]
    except NoControlGroup as reason:
        yield from (Measured(name, None, str(reason)) for name in names())
        return
    slower = slowness()
    here = f"on this machine, {slower:.1f} times as slow"
    note = f"{median(starts):.1f} {here}, longest {max(starts):.1f}, of {RUNS}"
    yield Measured(START, median(starts) / slower, note)
    for rank in (50, 99):
        ms = median_percentile(presses, rank)
        note = f"{ms:.0f} {here}, longest {max(presses):.0f}, of {len(presses)} in {RUNS} runs"
        yield Measured(PRESS.format(rank), ms / slower, note)


def names() -> list[str]:
    return [START, PRESS.format(50), PRESS.format(99)]


def look_take_and_undo(table: Table) -> Iterator[float]:
    """Look at choices, take one and undo it; yield each press's milliseconds to its picture."""
    for _ in range(LOOKS):
        yield table.press()
    time.sleep(DEAF_S)
    yield table.ok()
    table.hold(HOLD_S)  # the menu, whose first entry is undo
    yield table.ok()
    time.sleep(DEAF_S)
    yield table.ok()  # the pawn is back


@contextmanager
def control_group(groups: Path = GROUPS) -> Iterator[tuple[str, ...]]:
    """Make a control group of a tenth of a core; give the command that runs another one in it.

    Raise NoControlGroup where there is none to be had. Version 2 of the kernel's interface is tried
    first (Documentation/admin-guide/cgroup-v2.rst), then version 1 (scheduler/sched-bwc.rst).
    """
    parent, limits = limits_of(groups)
    group = parent / f"pachisi-referee-bench-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise NoControlGroup(f"no cgroups: {error}; run make bench as root") from error
    try:
        for file, limit in limits.items():
            (group / file).write_text(limit)
        yield "sh", "-c", 'echo $$ >"$0" && exec "$@"', str(group / "cgroup.procs")
    finally:
        remove(group)


def limits_of(groups: Path) -> tuple[Path, dict[str, str]]:
    """Return the folder in which to make a group, and what to write into which of its files."""
    handed_down = groups / "cgroup.subtree_control"
    if "cpu" in words(groups / "cgroup.controllers"):
        if "cpu" not in words(handed_down):
            try:
                handed_down.write_text("+cpu")
            except OSError as error:
                raise NoControlGroup(f"no cgroups: {error}; run make bench as root") from error
        return groups, {"cpu.max": f"{QUOTA_US} {PERIOD_US}"}
    if (groups / "cpu" / "cgroup.procs").exists():
        limits = {"cpu.cfs_period_us": str(PERIOD_US), "cpu.cfs_quota_us": str(QUOTA_US)}
        return groups / "cpu", limits
    raise NoControlGroup(f"no cgroups: {groups} has no cpu controller")


def words(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []


def remove(group: Path) -> None:
    """Remove a control group once its last process has ended."""
    end = time.monotonic() + EMPTY_S
    while words(group / "cgroup.procs") and time.monotonic() < end:
        time.sleep(0.01)
    group.rmdir()
