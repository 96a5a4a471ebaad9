"""The table of `make bench`: which bars are missed, and what one slow moment cannot decide."""

from tests.bench.__main__ import lines
from tests.bench.bars import Bar
from tests.bench.measure import Measured, median_percentile, median_ratio, percentile, thirds

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


def test_what_cannot_be_measured_here_is_said_and_is_not_missed() -> None:
    [line] = lines([Measured("time", None, "no cgroups: no rights")], BARS, whole=False)
    assert "NOT MEASURED:  no cgroups: no rights" in line
    assert " MISSED " not in line


def test_three_runs_are_of_equal_length() -> None:
    assert thirds([1, 2, 3, 4, 5, 6, 7, 8]) == [[1, 2], [3, 4], [5, 6]]


def test_one_slow_run_of_three_does_not_decide() -> None:
    usual = [(2.0, 1.0)] * 10
    slow = [(60.0, 1.0)] * 10
    for runs in ((slow, usual, usual), (usual, slow, usual), (usual, usual, slow)):
        pairs = [pair for run in runs for pair in run]
        assert median_ratio(pairs, 99) == 2.0
        assert median_percentile([ours for ours, _ in pairs], 99) == 2.0


def test_what_is_slow_in_two_runs_of_three_counts() -> None:
    pairs = [(2.0, 1.0)] * 10 + [(6.0, 1.0)] * 20
    assert median_ratio(pairs, 50) == 6.0
