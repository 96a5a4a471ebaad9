"""One line for each measurement, with its bar beside it."""

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], rank: float) -> float:
    """Return the nearest-rank percentile of some values."""
    return sorted(values)[math.ceil(rank / 100 * len(values)) - 1]


def report(
    name: str, value: float, bar: float | None, note: str = "", *, at_least: bool = False
) -> None:
    """Print a measurement, its bar and whether it is met."""
    met = bar is None or (value >= bar if at_least else value <= bar)
    sign = "at least" if at_least else "at most"
    told = "" if bar is None else f"(bar: {sign} {bar:g}) {'met' if met else 'MISSED'}"
    print(f"\n{name:<48} {value:10.3f}  {told} {note}".rstrip(), end="")
