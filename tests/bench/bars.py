"""The bars of `make bench`: what each measurement may be, relative to its yardstick.

Each but the games' and the memory's is the greatest of some runs, times 1.15. A value is a ratio to
something that is measured in turns with it, in the same run, so that the machine's speed and its
load cancel; only memory is absolute.
"""

from typing import NamedTuple


class Bar(NamedTuple):
    """A bound, and whether it is the least that is asked for instead of the most."""

    value: float
    at_least: bool = False


GAMES = "games a second, in those of python-chess"
STEPS = "steps, 99th percentile, in pieces"
RESULTS = "results, 99th percentile, in pieces"
REAL_PLAYS = "tr-1938: all plays of real games, 99th percentile, in pieces"

STEPS_OF = {
    "sr-1942": 0.23,
    "sr-1989": 0.2,
    "sr-1975": 0.17,
    "pb": 0.063,
    "mb-india": 0.3,
    "mb-total": 0.034,
    "tr-1938": 1.4,
    "tr-1960": 1.7,
    "one-die": 0.047,
    "encyclopedia": 0.29,
    "sca": 0.27,
    "findler": 0.06,
    "royal-2023": 0.2,
}

RESULTS_OF = {
    "sr-1942": 19,
    "sr-1989": 35,
    "sr-1975": 78,
    "pb": 0.13,
    "mb-india": 42,
    "mb-total": 0.057,
    "tr-1938": 1060,
    "tr-1960": 13,
    "one-die": 0.18,
    "encyclopedia": 56,
    "sca": 31,
    "findler": 77,
    "royal-2023": 27,
}

BARS = {
    f"findler: {GAMES}": Bar(0.5, at_least=True),
    f"royal-2023: {GAMES}": Bar(0.4, at_least=True),
    **{f"{preset}: {STEPS}": Bar(most) for preset, most in STEPS_OF.items()},
    **{f"{preset}: {RESULTS}": Bar(most) for preset, most in RESULTS_OF.items()},
    REAL_PLAYS: Bar(100),
    "start to first picture, in imports of the libraries": Bar(3.3),
    "resident memory with a page open, MB": Bar(60),
    "press to picture, percentile 50, in piece + fsync": Bar(0.56),
    "press to picture, percentile 99, in piece + fsync": Bar(1.03),
    "press until it is counted and folded in, percentile 99, in piece + fsync": Bar(3),
    "a whole game by --auto, in pieces": Bar(1650),
    "PRESS to SHOW, percentile 50, in piece + fsync": Bar(0.57),
    "PRESS to SHOW, percentile 95, in piece + fsync": Bar(0.68),
}
