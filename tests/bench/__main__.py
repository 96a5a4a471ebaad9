"""Measure everything, print one table, and fail if a bar is missed.

    make bench
    python -m tests.bench games start     what has one of these words in its function's name

A measurement is a function `bench_...` of one of the modules here and its bar in bars.py.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from tests.bench import chamber, journal, page, players, rules, run, table
from tests.bench.bars import BARS, Bar
from tests.bench.measure import Measured

Bench = Callable[[], Iterable[Measured]]


def benches() -> dict[str, Bench]:
    """Return every function of the modules here that measures."""
    return {
        name: made
        for module in (rules, players, journal, run, table, page, chamber)
        for name, made in vars(module).items()
        if name.startswith("bench_")
    }


def judged(measured: Measured, bar: Bar | None) -> tuple[str, bool]:
    """Return a line of the table, and whether the bar is met."""
    name, value, note = measured
    if bar is None:
        return f"{name:<56} {value:9.3f} {'no bar':>12}  MISSED  {note}", False
    met = value >= bar.value if bar.at_least else value <= bar.value
    told = f"{'>=' if bar.at_least else '<='} {bar.value:g}"
    return f"{name:<56} {value:9.3f} {told:>12}  {'met   ' if met else 'MISSED'}  {note}", met


def lines(found: Iterable[Measured], bars: Mapping[str, Bar], whole: bool) -> Iterator[str]:
    """Yield the table's lines; `whole` if every bar should have been measured."""
    left = dict(bars)
    for measured in found:
        line, _ = judged(measured, left.pop(measured.name, None))
        yield line
    if whole:
        yield from (f"{name:<56} {'none':>9} {'':>12}  MISSED  was not measured" for name in left)


def main(words: list[str]) -> int:
    """Return the exit status: 1 if a bar is missed."""
    found: list[Measured] = []
    for name, bench in benches().items():
        if not words or any(word in name for word in words):
            began = time.monotonic()
            found += bench()
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    table = list(lines(found, BARS, whole=not words))
    print(*table, sep="\n")
    return int(any(" MISSED " in line for line in table))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
