"""How fast the lit chamber's press becomes its faces, beside its bar.

    make bench

Prints the measurement; a bar that is missed is said, never failed, since machines differ.
"""

from pathlib import Path
from time import perf_counter

from pytest_benchmark.fixture import BenchmarkFixture

from tests.bench.report import percentile, report
from tests.end_to_end.lit_app import LitApp, config, new_game, running
from tests.pi_app.devices.gadget import Gadget

GAMES = 10
PRESSES = 30  # fewer than a game has throws


def bench_from_press_line_to_show_line(tmp_path: Path, benchmark: BenchmarkFixture) -> None:
    """From the PRESS line on the port to the SHOW line, the commit on the disk between them."""
    times = benchmark.pedantic(lambda: [ms for n in range(GAMES) for ms in a_game(tmp_path, n)])
    note = f"median {percentile(times, 50):.2f}, longest {max(times):.2f}, of {len(times)}"
    report("PRESS line to SHOW line, 99th percentile, ms", percentile(times, 99), 5.0, note)


def a_game(folder: Path, number: int) -> list[float]:
    """Play the beginning of a game; return the milliseconds of each press but the first.

    The first makes the journal's log file and the rules' tables: once an evening.
    """
    home = folder / str(number)
    home.mkdir()
    new_game(home)
    with running(home, Gadget(home), config()) as lit:
        lit.join()
        return [press(lit, n) for n in range(1, PRESSES + 1)][1:]


def press(lit: LitApp, n: int) -> float:
    """Press once; return the milliseconds until the faces come."""
    arm = lit.take("ARM")[1]
    lit.settle()
    began = perf_counter()
    lit.gadget.send(f"PRESS {n} {arm}")
    seq = lit.gadget.expect("SHOW ").split()[1]
    milliseconds = (perf_counter() - began) * 1000
    lit.gadget.send(f"OK {seq}")
    lit.next_throw()
    return milliseconds
