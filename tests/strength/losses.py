"""How much of a win `strong` gives away in a decision, measured against rollouts of its ends.

Decisions are kept as they come, for each state of a table, so that a stopped measurement goes on.
"""

import csv
from collections.abc import Callable, Generator, Sequence
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from pi_app.players.choosing import rate_plays
from pi_app.players.features import feature_extractor
from pi_app.players.grace import grace_value
from pi_app.players.play_ends import PlayEnd, play_ends
from pi_app.players.value import Judge
from tests.strength.positions import Measured, thrown
from tests.strength.rollouts import CONFIDENT, Candidate, numbered_dice, roll_out

PICKING = (
    16,
    16,
    16,
)  # rollouts; after each number of them, half of the other candidates is dropped
MEASURING = 64  # rollouts of the two that are left
# After so many throws, 10 of each seat, a rollout ends with the network's chances. In 300 pairs of
# rollouts this brought the standard deviation of a difference from 0.40 to 0.13, and the throws
# from 107 to 33. Where the leader has less than 80 spaces to go, few games last longer.
THROWS = 40
WITHIN = 0.05  # of the best by the network's estimate: the ends that are rolled out
MOST_CANDIDATES = 5  # and the choice of `grace`
MOST_LOST = 0.2  # points: the bar of the mean
POINTS = 100.0


class MeanLoss(NamedTuple):
    """The mean loss of a decision and half the width of its 95 % interval, in points."""

    mean: float
    margin: float
    decisions: int

    @property
    def is_met(self) -> bool:
        """Whether the bar is met."""
        return self.mean <= MOST_LOST

    def __str__(self) -> str:
        return f"{self.mean:.2f} +- {self.margin:.2f} in {self.decisions} decisions"


def measure_losses(judge: Judge, decisions: Sequence[Measured], kept: Path) -> Generator[float]:
    """Yield the loss of each decision, first of those that are in the file `kept`."""
    known = _read_losses(kept)
    yield from (known[one.key] for one in decisions if one.key in known)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8", newline="") as file:
        for one in decisions:
            if one.key not in known:
                loss = measure_loss(judge, one)
                csv.writer(file).writerow((one.key, loss))
                file.flush()
                yield loss


def _read_losses(kept: Path) -> dict[str, float]:
    if not kept.exists():
        return {}
    with kept.open(encoding="utf-8", newline="") as file:
        return {row[0]: float(row[1]) for row in csv.reader(file) if len(row) == 2 and row[1]}


def mean_loss(losses: Sequence[float]) -> MeanLoss:
    """Return the mean of some decisions; of one, the margin is infinite."""
    margin = CONFIDENT * stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else inf
    return MeanLoss(POINTS * fmean(losses), POINTS * margin, len(losses))


def measure_loss(judge: Judge, one: Measured) -> float:
    """Return by how much the best candidate is better than the one that `strong` plays.

    The greatest of several noisy means is too high on average, because it is picked for its noise.
    So other dice measure the lead of a candidate than those by which it was picked. It may not be
    the best, so the result is a little too low on average. It may be below 0.
    """
    played, *others = find_candidates(judge, one)

    def roll(candidate: Candidate, numbers: range) -> list[float]:
        dice = [numbered_dice(number, judge.ruleset, one.key) for number in numbers]
        return [roll_out(judge, candidate, each, THROWS)[one.situation.seat] for each in dice]

    return measure_lead(played, others, roll)


def measure_lead(
    played: Candidate, others: Sequence[Candidate], roll: Callable[[Candidate, range], list[float]]
) -> float:
    """Return the lead over `played` of the one that seems the best, 0 if that is `played`.

    roll: returns a candidate's chances at the ends of the rollouts with these numbers.
    """
    begin, sums = 0, dict.fromkeys([played, *others], 0.0)
    for rolls in PICKING if others else ():
        for candidate in (played, *others):
            sums[candidate] += sum(roll(candidate, range(begin, begin + rolls)))
        others = sorted(others, key=lambda other: -sums[other])[: (len(others) + 1) // 2]
        begin += rolls
    if not others or sums[others[0]] <= sums[played]:
        return 0.0
    numbers = range(begin, begin + MEASURING)
    return fmean(roll(others[0], numbers)) - fmean(roll(played, numbers))


def find_candidates(judge: Judge, one: Measured) -> list[Candidate]:
    """Return what is rolled out of a decision: first what `strong` plays, last what `grace` plays.

    Between them are the ends that the network holds for nearly as good.
    """
    game, extractor = thrown(one), feature_extractor(judge.ruleset)
    ends = play_ends(game)
    rated = rate_plays(game, judge, ends)
    rated.sort(key=lambda play: play.worth, reverse=True)
    near = [play.end for play in rated if play.worth >= rated[0].worth - WITHIN]
    graceful = max(ends, key=lambda end: grace_value(extractor, end, game.seat))
    found = [_candidate(end) for end in (*near[:MOST_CANDIDATES], graceful)]
    return list(dict.fromkeys(found))


def _candidate(end: PlayEnd) -> Candidate:
    return Candidate(end.position, end.first, end.doublets, end.memory)
