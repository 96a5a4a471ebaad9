"""The table of `make bench`: missed is what is too much, has no bar, or was not measured."""

from tests.bench.__main__ import lines
from tests.bench.bars import Bar
from tests.bench.measure import Measured, percentile

BARS = {"time": Bar(2.0), "speed": Bar(2.0, at_least=True)}


def verdicts(*measured: tuple[str, float], whole: bool = True) -> list[tuple[str, bool]]:
    """Return each line's name, and whether it is met."""
    found = lines([Measured(name, value, "") for name, value in measured], BARS, whole)
    return [(line.split()[0], " MISSED " not in line and " met " in line) for line in found]


def test_a_bar_is_the_most_or_the_least() -> None:
    assert verdicts(("time", 2.0), ("speed", 2.0)) == [("time", True), ("speed", True)]
    assert verdicts(("time", 2.1), ("speed", 1.9)) == [("time", False), ("speed", False)]


def test_what_has_no_bar_and_what_was_not_measured_is_missed() -> None:
    assert verdicts(("time", 1.0), ("colour", 1.0)) == [
        ("time", True),
        ("colour", False),
        ("speed", False),
    ]
    assert verdicts(("time", 1.0), whole=False) == [("time", True)]


def test_the_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 50) == 2.0
    assert percentile(list(map(float, range(1, 201))), 99) == 198.0
