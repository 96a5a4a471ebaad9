"""How good the chances are that are shown, measured against rollouts.

The rollouts' own sampling variance is subtracted. They are kept as they come, for each state of a
table, so that a measurement that was stopped goes on.
"""

import csv
import random
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from pi_app.players.averaging import average_chances
from pi_app.players.value import Judge
from tests.strength.positions import LIMITS, Measured
from tests.strength.rollouts import CONFIDENT, Candidate, numbered_dice, roll_out

ROLLS = 100  # of each position
# Points: the bars of the root mean square error.
MOST_OFF = dict(zip(LIMITS, (3.2, 4.2, 2.5), strict=True))
MOST_BEYOND = 20.0  # points: the bar of the greatest error beyond its interval
RESAMPLES = 2000  # of the bootstrap
POINTS = 100.0


class Rolled(NamedTuple):
    """What `rolls` rollouts of a position found: each seat's mean chance and its mean square."""

    rolls: int
    means: tuple[float, ...]
    squares: tuple[float, ...]

    def variance(self, seat: int) -> float:
        """Return the sampling variance of a seat's mean, without bias."""
        return (self.squares[seat] - self.means[seat] ** 2) / (self.rolls - 1)

    def margin(self, seat: int) -> float:
        """Return half the width of the mean's 95 % interval, as `estimate_chance` has it."""
        count = self.rolls + 4
        mean, square = (
            (self.rolls * value + 2) / count for value in (self.means[seat], self.squares[seat])
        )
        return CONFIDENT * sqrt((square - mean**2) / count)


class PositionError(NamedTuple):
    """The errors of one position's chances, in points.

    square: the mean of the seats' squared errors less the sampling variance; it may be below 0.
    beyond: the seats' greatest error beyond the interval of the rollouts.
    """

    square: float
    beyond: float


class GroupError(NamedTuple):
    """The errors of a group, in points: root mean square with its interval, and greatest."""

    group: str
    positions: int
    off: float
    low: float
    high: float
    beyond: float

    @property
    def is_met(self) -> bool:
        """Whether both bars are met."""
        return self.off <= MOST_OFF[self.group] and self.beyond <= MOST_BEYOND

    def __str__(self) -> str:
        return (
            f"off by {self.off:.1f} ({self.low:.1f} to {self.high:.1f}), "
            f"at most {self.beyond:.1f} beyond the interval, {self.positions} positions"
        )


# --- rollouts ------------------------------------------------------------------------------------


def roll_positions(
    judge: Judge, positions: Sequence[Measured], kept: Path, rolls: int = ROLLS
) -> Generator[tuple[Measured, Rolled]]:
    """Yield each position with its rollouts, first those that are in the file `kept`."""
    known = read_rolled(kept)
    yield from ((one, known[one.key]) for one in positions if one.key in known)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8", newline="") as file:
        for one in positions:
            if one.key not in known:
                found = roll_position(judge, one, rolls)
                csv.writer(file).writerow((one.key, rolls, *found.means, *found.squares))
                file.flush()
                yield one, found


def roll_position(judge: Judge, one: Measured, rolls: int) -> Rolled:
    """Return what the rollouts of a position found. Its dice are numbered, and its own."""
    candidate, seats = Candidate(*one.situation), range(len(one.situation.position))
    ends = [
        roll_out(judge, candidate, numbered_dice(number, judge.ruleset, one.key))
        for number in range(rolls)
    ]
    return Rolled(
        rolls,
        tuple(fmean(end.get(seat, 0.0) for end in ends) for seat in seats),
        tuple(fmean(end.get(seat, 0.0) ** 2 for end in ends) for seat in seats),
    )


def read_rolled(kept: Path) -> dict[str, Rolled]:
    """Return the rollouts in a file, by the positions' keys."""
    if not kept.exists():
        return {}
    with kept.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 10 and row[-1]]
    found = {}
    for key, rolls, *numbers in rows:
        values = tuple(map(float, numbers))
        found[key] = Rolled(int(rolls), values[:4], values[4:])
    return found


# --- errors --------------------------------------------------------------------------------------


def measure_position(judge: Judge, one: Measured, rolled: Rolled) -> PositionError:
    """Return the errors of the chances that are shown in a position."""
    shown = average_chances(judge, *one.situation[:3])
    errors = {seat: chance - rolled.means[seat] for seat, chance in shown.items()}
    square = fmean(error**2 - rolled.variance(seat) for seat, error in errors.items())
    beyond = max(abs(error) - rolled.margin(seat) for seat, error in errors.items())
    return PositionError(POINTS**2 * square, max(0.0, POINTS * beyond))


def measure_group(group: str, errors: Sequence[PositionError]) -> GroupError:
    """Return the errors of a group of `LIMITS`, at least one position."""
    squares = [error.square for error in errors]
    low, high = bootstrap(squares, root_mean)
    return GroupError(
        group, len(errors), root_mean(squares), low, high, max(error.beyond for error in errors)
    )


def root_mean(squares: Sequence[float]) -> float:
    """Return the root of the mean, 0 where sampling variance has brought it below 0."""
    return sqrt(max(0.0, fmean(squares)))


def bootstrap(
    values: Sequence[float], statistic: Callable[[Sequence[float]], float]
) -> tuple[float, float]:
    """Return the 95 % interval of a statistic. The same values give the same interval."""
    draw = random.Random(1)
    found = sorted(statistic(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return found[round(0.025 * RESAMPLES)], found[round(0.975 * RESAMPLES) - 1]


def measure(
    judge: Judge, found: Mapping[Measured, Rolled]
) -> dict[str, tuple[GroupError, list[PositionError]]]:
    """Return the errors of each group that has positions, and those of its positions."""
    errors: dict[str, list[PositionError]] = {group: [] for group in LIMITS}
    for one, rolled in found.items():
        errors[one.group].append(measure_position(judge, one, rolled))
    return {group: (measure_group(group, ones), ones) for group, ones in errors.items() if ones}


def compare_networks(
    ours: Judge, theirs: Judge, found: Mapping[Measured, Rolled]
) -> Iterator[tuple[str, GroupError, GroupError, tuple[float, float]]]:
    """Yield each group's errors by two networks, and the interval of the difference of squares.

    Both are held against the same rollouts. A difference above 0 says that `ours` is the better.
    """
    others = measure(theirs, found)
    for group, (error, ones) in measure(ours, found).items():
        other, others_ones = others[group]
        differences = [b.square - a.square for a, b in zip(ones, others_ones, strict=True)]
        yield group, error, other, bootstrap(differences, fmean)
