"""The bear-off tables: in how many turns a seat finishes if nobody can meet its pawns.

Programs for backgammon use such tables for its end, the bear-off. Here a table has all positions of
one seat whose pawns have at most 19 spaces to go: on most boards they are home, in the home row or
on the last 12 spaces of the ring before it. The seat always plays for the fewest expected turns. A
third doublet can send a pawn to the nest; such a turn counts as one from which the seat does not
finish. Where it sends the pawn that moved last, the tables count only the turn as lost.

The hazard of a turn is the chance to finish in it if the seat has not finished before. A file has
`TURNS` hazards for each position, in the order of `position_number`, in parts of 65535. They are
numbers of 16 bits, low byte first, compressed by zlib. `make train` computes the files. It also
measures the pace of seats, which serves for all other positions.
"""

import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb, erf, log, sqrt
from operator import ne
from pkgutil import get_data
from typing import NamedTuple

from pi_app.model.tables import TABLES_BY_PRESET
from rules import NEST, PRESETS, RuleSet, differences, terrain

TURNS = 32
FARTHEST_IN_TABLE = 19  # spaces to go
HAZARD_SCALE = 65535
LADDER_STEP = 21  # spaces: what six throws go, which a step on a ladder takes on average
MEAN_STEPS = 4  # a mean of turns is rounded to a quarter
MOST_DELAYED = 3.0  # turns: a longer delay has a spread of its own
SURE = 1e-9

# The fields of a rule set that change how a seat finishes by itself.
COUNTING_FIELDS = (
    "dice",
    "total_move",
    "pair_rule",
    "stop_behind_blockade",
    "usage",
    "doublet_number",
    "doublet_spaces",
    "doublet_whole",
    "doublet_home_whole",
    "again",
    "third_doublet",
    "finish_bonus",
    "bonus_timing",
    "bonus_optional",
    "second_circuit",
    "layout",
    "stacking",
    "pairs",
    "open_blockade",
    "again_home",
    "row_jump",
    "lots",
    "grace",
    "to_win",
    "overshoot",
    "row_by",
    "passing",
    "stars",
    "held_target",
)

Hazards = tuple[float, ...]


class Pace(NamedTuple):
    """How many turns a seat by itself needs until all its pawns are within the table.

    space: for each space of each pawn until the farthest place in the table. nested: for each pawn
    in the nest, besides its spaces from the entry. spread: the standard deviation of these turns,
    divided by the square root of their number.
    """

    space: float
    nested: float
    spread: float


@lru_cache(maxsize=2)
def spaces_to_go(ruleset: RuleSet) -> Mapping[int, int]:
    """Return the spaces from each place to home.

    The nest counts as the entry; on a board with a way out, as one space before that way. A step
    on a ladder counts as `LADDER_STEP`.
    """
    this = terrain(ruleset).board
    further = (LADDER_STEP - 1) * (ruleset.row_by == "ladder")
    to_go = {place: n + further * min(n, this.row + 1) for place, n in this.to_go.items()}
    return {**to_go, NEST: to_go[NEST + 1] + 1 if this.has_way_out else to_go[0]}


def position_number(to_go: Sequence[int]) -> int:
    """Return the number of a position in a table.

    to_go: each pawn's spaces to home, in rising order. The positions are numbered so that those
    whose last pawn is nearer home come first.
    """
    return sum(comb(spaces + index, index + 1) for index, spaces in enumerate(to_go))


class BearoffTable:
    """How one seat finishes by itself under one way of counting: by a table near home, or by pace.

    is_exact: whether the rule set counts in the way of the table, not only nearly so.
    """

    def __init__(
        self, data: bytes, pace: Pace, *, is_exact: bool = True, apart: bool = False
    ) -> None:
        """apart: whether each space holds one pawn only, the last spaces of the way too."""
        self.is_exact = is_exact
        self._parts = array("H", zlib.decompress(data))
        if sys.byteorder == "big":
            self._parts.byteswap()
        self._pace, self._apart = pace, apart
        self._kept = lru_cache(maxsize=512)(_fit_hazards)

    def hazards(self, to_go: Sequence[int]) -> Hazards:
        """Return the hazards of a position in the table. to_go: as in `position_number`."""
        begin = TURNS * position_number(to_go)
        return tuple([part / HAZARD_SCALE for part in self._parts[begin : begin + TURNS]])

    def estimate_hazards(self, to_go: Sequence[int], nested: int) -> Hazards:
        """Return the hazards of any position by its pace.

        to_go: each pawn's spaces to home, in rising order; one in the nest counts from the entry.
        nested: how many are in the nest.
        """
        inside = nearest_in_table(to_go, apart=self._apart)
        before = self._pace.space * (sum(to_go) - sum(inside)) + self._pace.nested * nested
        hazards = self.hazards(inside)
        if before <= MOST_DELAYED:
            return _delay(hazards, max(before, 0.0))
        mean, variance = mean_turns(hazards)
        variance += self._pace.spread**2 * before
        return self._kept(round(MEAN_STEPS * (mean + before)), round(MEAN_STEPS * sqrt(variance)))


def nearest_in_table(to_go: Sequence[int], *, apart: bool) -> list[int]:
    """Return the spaces to go of the farthest position in a table that a seat's pawns pass.

    to_go: as in `position_number`. apart: as in `BearoffTable`.
    """
    inside, farthest = list[int](), FARTHEST_IN_TABLE
    for spaces in reversed(to_go):
        inside.append(min(spaces, farthest))
        farthest = max(inside[-1] - apart, 0)
    return inside[::-1]


def mean_turns(hazards: Hazards) -> tuple[float, float]:
    """Return the mean of the turns with these hazards, and their variance."""
    running, mean, square = 1.0, 0.0, 0.0
    for turn, hazard in enumerate(hazards):
        mean += running
        square += (2 * turn + 1) * running
        running *= 1 - hazard
    return mean, square - mean * mean


def _delay(hazards: Hazards, turns: float) -> Hazards:
    """Return the hazards of a seat that begins so many turns later."""
    whole = int(turns)
    part = turns - whole
    running = [1.0] * (whole + 1)
    for hazard in hazards[: TURNS - whole]:
        running.append(running[-1] * (1 - hazard))
    later = [1.0, *running]
    mixed = [(1 - part) * soon + part * late for soon, late in zip(running, later, strict=False)]
    return _hazards_of(mixed)


def _fit_hazards(mean_steps: int, deviation_steps: int) -> Hazards:
    """Return the hazards of turns with a log-normal distribution.

    mean_steps, deviation_steps: their mean and standard deviation, in parts of a turn.
    """
    mean, deviation = mean_steps / MEAN_STEPS, max(deviation_steps, 1) / MEAN_STEPS
    variance = log(1 + (deviation / mean) ** 2)  # of the logarithm
    running = [1.0]
    for turn in range(1, TURNS + 1):
        distance = log((turn + 0.5) / mean) + variance / 2
        running.append(0.5 - 0.5 * erf(distance / sqrt(2 * variance)))
    return _hazards_of(running)


def _hazards_of(running: Sequence[float]) -> Hazards:
    """Return the hazards of turns, from the chances that the seat has not finished before each."""
    return tuple(
        [
            round(1 - after / before, 6) if before > SURE else 1.0
            for before, after in pairwise(running)
        ]
    )


def counting(ruleset: RuleSet) -> tuple[object, ...]:
    """Return the values of the `COUNTING_FIELDS`."""
    return tuple(getattr(ruleset, name) for name in COUNTING_FIELDS)


def bearoff_names() -> dict[tuple[object, ...], str]:
    """Return the name of the table for each way of counting: the first preset that counts so.

    Where steps go back there is no table, and that of a similar preset serves.
    """
    names: dict[tuple[object, ...], str] = {}
    for preset in TABLES_BY_PRESET:
        if PRESETS[preset].overshoot != "back":
            names.setdefault(counting(PRESETS[preset]), preset)
    return names


@lru_cache(maxsize=2)
def load_bearoff(ruleset: RuleSet) -> BearoffTable:
    """Return the table for a rule set, or that of the preset which counts most nearly so."""
    paces = json.loads(_read_table("paces.json"))
    preset = min(paces, key=lambda name: len(differences(PRESETS[name], ruleset)))
    return find_bearoff(ruleset, Pace(**paces[preset]))


def find_bearoff(ruleset: RuleSet, pace: Pace) -> BearoffTable:
    """Return the same with another pace."""
    wanted, apart = counting(ruleset), _has_goal(ruleset)
    every = bearoff_names().items()
    names = {known: preset for known, preset in every if _has_goal(PRESETS[preset]) == apart}
    nearest = min(names, key=lambda known: sum(map(ne, known, wanted)))
    data = _read_table(f"bearoff-{names[nearest]}.bin")
    return BearoffTable(data, pace, is_exact=nearest == wanted, apart=apart)


def _has_goal(ruleset: RuleSet) -> bool:
    """Whether the last spaces of the way are home, so that each holds one pawn."""
    return terrain(ruleset).board.is_goal


def _read_table(file: str) -> bytes:
    data = get_data("pi_app.players", f"tables/{file}")
    assert data is not None
    return data


def race_of_sides(hazards: Sequence[Hazards]) -> list[float]:
    """Return half of each side's chance to be the first to finish with both seats, by seat.

    hazards: of four seats, in the order of their turns. A side's turn is taken to be where its
    first seat's is.
    """
    sides = [_hazards_of_both(hazards[n], hazards[n + 2]) for n in (0, 1)]
    return [chance / 2 for chance in race_chances(sides)] * 2


def _hazards_of_both(one: Hazards, other: Hazards) -> Hazards:
    """Return the hazards of the later of two finishes."""
    running, of_both = [1.0, 1.0], [1.0]
    for both in zip(one, other, strict=True):
        running = [before * (1 - hazard) for before, hazard in zip(running, both, strict=True)]
        of_both.append(1 - (1 - running[0]) * (1 - running[1]))
    return _hazards_of(of_both)


def race_chances(hazards: Sequence[Hazards]) -> list[float]:
    """Return each seat's chance to be the first to finish, in the order of their turns.

    hazards: of each seat. After `TURNS` turns, each keeps its last hazard.
    """
    chances = [0.0] * len(hazards)
    running = 1.0  # the chance that no seat has finished
    for turn_hazards in zip(*hazards, strict=True):
        for seat, hazard in enumerate(turn_hazards):
            if hazard:
                finishing = running * hazard
                chances[seat] += finishing
                running -= finishing
        if running < SURE:
            return chances
    last_round, still_running = [], 1.0
    for hazard in hazards:
        last_round.append(still_running * hazard[-1])
        still_running -= last_round[-1]
    if not any(last_round):
        return [chance + running / len(hazards) for chance in chances]
    whole = sum(last_round)
    return [
        chance + running * share / whole for chance, share in zip(chances, last_round, strict=True)
    ]
