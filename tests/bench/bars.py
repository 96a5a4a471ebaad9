"""The bars of `make bench`: what each measurement may be, relative to its yardstick.

Each is what was measured on a quiet machine, the greatest of some runs, times 1.15. A value is a
ratio to something that is measured in turns with it, in the same run, so that the machine's
speed and its load cancel; only memory is absolute.
"""

from typing import NamedTuple


class Bar(NamedTuple):
    """A bound, and whether it is the least that is asked for instead of the most."""

    value: float
    at_least: bool = False


GAMES = "games a second, in those of python-chess"
STEPS = "steps, 99th percentile, in pieces"
RESULTS = "results, 99th percentile, in pieces"

BARS = {
    f"findler: {GAMES}": Bar(0.5, at_least=True),
    f"royal-2023: {GAMES}": Bar(0.4, at_least=True),
}
