"""The bars of `make bench`: what each measurement may be, relative to its yardstick.

Each leaves room for a slow day above what runs have given, but for those that were set before
anything was measured: games a second, the journal, decisions, memory and a press on a tenth of a
core. A value is a ratio to something that is measured in turns with it, in the same run, so that
the machine's speed and its load cancel. Memory and counts of code are absolute. Rest and a tenth
of a core have no such yardstick: they are told as on a machine on which a piece takes 2 ms.
"""

from typing import Literal, NamedTuple

from rules import PRESETS


class Bar(NamedTuple):
    """A bound, and whether it is the least that is asked for instead of the most."""

    value: float
    at_least: bool = False


GAMES = "games a second, in those of python-chess"
STEPS = "steps, 99th percentile, in pieces"
RESULTS = "results, 99th percentile, in pieces"
REAL_PLAYS = "tr-1938: all plays of real games, 99th percentile, in pieces"

DECISION = "a strong player's decision, 99th percentile, in pieces"
LONGEST_DECISION = "a strong player's longest decision, in pieces"
MEAN_DECISION = "a strong player's decision, mean, in pieces"

CHANCES = "chances that are shown, 99th percentile, in pieces"
REVIEW = "findler: luck and skill of a game, in pieces"

PRESSES = "presses a turn"

DECIDING = ("findler", "royal-2023", "tr-1938")

# By edition: those whose plays need a search, then all others.
STEPS_OF = dict.fromkeys(PRESETS, 0.11) | {
    "sr-1942": 0.25,
    "sr-1989": 0.2,
    "sr-1975": 0.18,
    "mb-india": 0.33,
    "tr-1938": 1.0,
    "tr-1960": 1.6,
    "encyclopedia": 0.27,
    "sca": 0.32,
    "royal-2023": 0.17,
    "parchis-two": 0.17,
}

RESULTS_OF = dict.fromkeys(PRESETS, 0.13) | {
    "sr-1942": 34,
    "sr-1989": 25,
    "sr-1975": 32,
    "pb": 0.27,
    "mb-india": 35,
    "tr-1938": 78,
    "tr-1960": 15,
    "one-die": 0.3,
    "encyclopedia": 147,
    "sca": 66,
    "findler": 54,
    "royal-2023": 16,
    "parchis-two": 2.2,
}

Dice = Literal["by the dome", "typed"]

# By edition, number of seats and dice. Set before anything was measured, by a simulation of the
# order; but that of typed dice, which take five presses a throw on average, has room above 9.66.
PRESSES_OF: dict[tuple[str, int, Dice], float] = {
    ("royal-2023", 4, "by the dome"): 4.8,
    ("royal-2023", 2, "by the dome"): 5.3,
    ("royal-2023", 2, "typed"): 10,
    ("encyclopedia", 2, "by the dome"): 5.5,
    ("tr-1938", 4, "by the dome"): 4.7,
    ("one-die", 4, "by the dome"): 2.6,
    ("mb-total", 4, "by the dome"): 2.2,
}

# 0.1 s and 0.25 s where a piece takes 2 ms: set before anything was measured.
DECISION_BARS = {DECISION: Bar(50), LONGEST_DECISION: Bar(125)}
# 2.5 times what they took by the networks of 2026-11-23 (0.414, 0.861, 2.5), with room for noise.
MEAN_DECISION_OF = {"findler": 1.15, "royal-2023": 2.4, "tr-1938": 6.5}

COMPILED_GAMES = {
    f"compiled, findler: {GAMES}": Bar(1.0, at_least=True),
    f"compiled, royal-2023: {GAMES}": Bar(0.78, at_least=True),
}

# Counts of code, each a fifth to a third above what there was on 2026-11-26: so they find code that
# has become another kind of code, not a clear change by one.
CODE = {
    "rules: lines of a function, median": Bar(9),
    "rules: private functions with one caller, %": Bar(58),
    "pi_app: lines of a function, median": Bar(8),
    "pi_app: private functions with one caller, %": Bar(60),
    "calls of an OK that confirms a step": Bar(360),
    "files of pi_app in these calls": Bar(15),
    "lines of README.md": Bar(175),
}

BROKER = {
    "press to picture with a broker, percentile 50, in that without": Bar(1.1),
    "press to picture with a broker, percentile 95, in that without": Bar(1.4),
    "resident memory of a bridge with TLS, MB": Bar(30),
    "resident memory of the page's server behind a bridge, MB": Bar(45),
    "row to the club's page, 200 tables, percentile 99, in that of one": Bar(6),
    "resident memory of a club with 200 tables, MB": Bar(90),
}

BARS = {
    **CODE,
    f"findler: {GAMES}": Bar(0.5, at_least=True),
    f"royal-2023: {GAMES}": Bar(0.35, at_least=True),
    **COMPILED_GAMES,
    **{f"{preset}: {STEPS}": Bar(most) for preset, most in STEPS_OF.items()},
    **{f"{preset}: {RESULTS}": Bar(most) for preset, most in RESULTS_OF.items()},
    REAL_PLAYS: Bar(65),
    **{f"{preset}: {name}": bar for preset in DECIDING for name, bar in DECISION_BARS.items()},
    **{f"{preset}: {MEAN_DECISION}": Bar(most) for preset, most in MEAN_DECISION_OF.items()},
    # 0.5 s where a piece takes 1.25 ms.
    **{f"{preset}: {CHANCES}": Bar(400) for preset in DECIDING},
    **{
        f"{of}, {seats} seats, {thrown}: {PRESSES}": Bar(most)
        for (of, seats, thrown), most in PRESSES_OF.items()
    },
    REVIEW: Bar(30000),  # 60 s where a piece takes 2 ms: set before anything was measured
    "players' memory above that of the rules, MB": Bar(10),
    "the worker's memory above a bare Python's, MB": Bar(13),
    "a journal opened, in twice its play and 50 ms": Bar(1),
    "CPU to list 5,000 kept games, in pieces": Bar(190),
    "memory that listing 5,000 kept games adds, MB": Bar(10),
    "start to READY, in imports of the libraries": Bar(3.6),
    "SIGTERM to the end, in imports of the libraries": Bar(1.5),
    "resident memory without a page, MB": Bar(50),
    "idle with the panel awake, % of a core": Bar(1.4),
    "start to READY on a tenth of a core, s": Bar(7),
    "press to picture on a tenth of a core, percentile 50, ms": Bar(40),
    "press to picture on a tenth of a core, percentile 99, ms": Bar(80),
    "resident memory with a page open, MB": Bar(65),
    "press to picture, percentile 50, in piece + fsync": Bar(0.7),
    "press to picture, percentile 99, in piece + fsync": Bar(0.9),
    "press until it is counted and folded in, percentile 95, in piece + fsync": Bar(1.5),
    "press to picture beside a busy worker, percentile 50, in that without": Bar(2.2),
    "press to picture beside a busy worker, percentile 99, in that without": Bar(2.9),
    "press to picture, 16 watching, percentile 50, in that without": Bar(1.4),
    "press to picture, 16 watching, percentile 95, in that without": Bar(1.2),
    "press to picture, page pestered at nice 19, percentile 50, in that at rest": Bar(1.4),
    "press to picture, page pestered at nice 19, percentile 95, in that at rest": Bar(1.8),
    "resident memory of a page's server that is pestered, MB": Bar(45),
    "memory of table and page, 16 watching, MB": Bar(69),
    "the table's own memory above one without a page, MB": Bar(2),
    **BROKER,
    "a whole game by --auto, in pieces": Bar(3000),
    "PRESS to SHOW, percentile 50, in piece + fsync": Bar(1.5),
    "PRESS to SHOW, percentile 95, in piece + fsync": Bar(1.5),
}
