"""How fast the lit chamber's press becomes its faces."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.asked import in_short
from tests.bench.measure import Measured, median_ratio, percentile, piece_and_commit
from tests.end_to_end.lit_app import LitApp, config, new_game, running
from tests.pi_app.devices.gadget import Gadget

GAMES = in_short(10, 1)
PRESSES = in_short(30, 4)  # fewer than a game has throws


def bench_from_press_line_to_show_line() -> Iterator[Measured]:
    """From the PRESS line on the port to the SHOW line, the commit on the disk between them.

    The median of three runs of 96 presses: of a run, four may be slower than its percentile 95 is.
    """
    with TemporaryDirectory() as folder:
        pairs = [pair for n in range(GAMES) for pair in a_game(Path(folder), n)]
    ours = [ms for ms, _ in pairs]
    note = f"{percentile(ours, 95):.2f} ms, median {median(ours):.2f}, of {len(ours)}"
    for rank in (50, 95):
        name = f"PRESS to SHOW, percentile {rank}, in piece + fsync"
        yield Measured(name, median_ratio(pairs, rank), note)


def a_game(folder: Path, number: int) -> list[tuple[float, float]]:
    """Play the beginning of a game; return the milliseconds of each press and of the yardstick.

    Not of the first: it makes the journal's log file and the rules' tables, once an evening.
    """
    home = folder / str(number)
    home.mkdir()
    new_game(home)
    with running(home, Gadget(home), config()) as lit:
        lit.join()
        return [(press(lit, n), piece_and_commit(home / "bare")) for n in range(1, PRESSES + 1)][1:]


def press(lit: LitApp, n: int) -> float:
    """Press once; return the milliseconds until the faces come."""
    arm = lit.take("ARM")[1]
    lit.settle()
    while not lit.armed:  # that was for a choice that has been made since
        arm = lit.take("ARM")[1]
        lit.settle()
    began = perf_counter()
    lit.gadget.send(f"PRESS {n} {arm}")
    seq = lit.gadget.expect("SHOW ").split()[1]
    milliseconds = (perf_counter() - began) * 1000
    lit.gadget.send(f"OK {seq}")
    lit.next_throw()
    return milliseconds
