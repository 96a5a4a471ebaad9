"""Measure everything, print one table, and fail if a bar is missed.

    make bench
    make bench SHORT=1                    a few cases of each, which meet any bar: all of it runs
    python -m tests.bench games start     what has one of these words in its function's name

A measurement is a function `bench_...` of one of the modules here and its bar in bars.py.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf

from tests.asked import asked
from tests.bench import (
    broker,
    chamber,
    code,
    core,
    journal,
    page,
    players,
    presses,
    rules,
    run,
    slow_core,
    table,
)
from tests.bench.bars import BARS, Bar
from tests.bench.measure import Measured
from tests.core import describe_core

MODULES = (
    code,
    rules,
    core,
    players,
    presses,
    journal,
    run,
    slow_core,
    table,
    page,
    broker,
    chamber,
)
Bench = Callable[[], Iterable[Measured]]
ANY = dict.fromkeys(BARS, Bar(-inf, at_least=True))


def benches() -> dict[str, Bench]:
    """Return every function of the modules here that measures."""
    return {
        name: made
        for module in MODULES
        for name, made in vars(module).items()
        if name.startswith("bench_")
    }


def judge(measured: Measured, bar: Bar | None) -> str:
    """Return a line of the table, which says whether the bar is met."""
    name, value, note = measured
    if bar is None:
        return line(name, value, "no bar", "MISSED", note)
    bound = f"{'>=' if bar.at_least else '<='} {bar.value:g}"
    if value is None:
        return line(name, value, bound, "NOT MEASURED:", note)
    met = value >= bar.value if bar.at_least else value <= bar.value
    return line(name, value, bound, "met   " if met else "MISSED", note)


def line(name: str, value: float | None, bound: str, verdict: str, note: str) -> str:
    shown = "none" if value is None else f"{value:.3f}"
    return f"{name:<56} {shown:>9} {bound:>12}  {verdict}  {note}"


def lines(found: Iterable[Measured], bars: Mapping[str, Bar], whole: bool) -> Iterator[str]:
    """Yield the table's lines; `whole` if every bar should have been measured."""
    left = dict(bars)
    for measured in found:
        yield judge(measured, left.pop(measured.name, None))
    if whole:
        yield from (line(name, None, "", "MISSED", "was not measured") for name in left)


def main(words: list[str]) -> int:
    """Return the exit status: 1 if a bar is missed."""
    print(describe_core(), file=sys.stderr)
    found: list[Measured] = []
    for word in words:
        if not any(word in name for name in benches()):
            raise SystemExit(f"tests.bench: no measurement has {word!r} in its name")
    for name, bench in benches().items():
        if not words or any(word in name for word in words):
            began = time.monotonic()
            found += bench()
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    table = list(lines(found, ANY if asked("SHORT") else BARS, whole=not words))
    print(*table, sep="\n")
    return int(any(" MISSED " in line for line in table))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
