"""How much of a win `strong` gives away in a decision, measured against rollouts of its options.

Decisions are kept as they come, for each state of a table, so that a stopped measurement goes on.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from pi_app.players.choosing import rate_plays
from pi_app.players.features import feature_extractor
from pi_app.players.grace import grace_value
from pi_app.players.play_ends import PlayEnd, play_ends
from pi_app.players.rollouts import (
    CONFIDENT,
    ROUND,
    Candidate,
    keep_candidates,
    numbered_dice,
    roll_out,
)
from pi_app.players.value import Judge
from tests.strength.positions import Measured, thrown

ROLLS = 200  # of each candidate that may be the best; even, since they are halved
WITHIN = 0.05  # of the best by the network's estimate: the options that are rolled out
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


def measure_losses(
    judge: Judge, decisions: Sequence[Measured], kept: Path, rolls: int = ROLLS
) -> Iterator[float]:
    """Yield the loss of each decision, first of those that are in the file `kept`."""
    known = _read_losses(kept)
    yield from (known[one.key] for one in decisions if one.key in known)
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8", newline="") as file:
        for one in decisions:
            if one.key not in known:
                loss = measure_loss(judge, one, rolls)
                csv.writer(file).writerow((one.key, rolls, loss))
                file.flush()
                yield loss


def _read_losses(kept: Path) -> dict[str, float]:
    if not kept.exists():
        return {}
    with kept.open(encoding="utf-8", newline="") as file:
        return {row[0]: float(row[2]) for row in csv.reader(file) if len(row) == 3 and row[2]}


def mean_loss(losses: Sequence[float]) -> MeanLoss:
    """Return the mean of two decisions or more."""
    margin = CONFIDENT * stdev(losses) / sqrt(len(losses))
    return MeanLoss(POINTS * fmean(losses), POINTS * margin, len(losses))


def measure_loss(judge: Judge, one: Measured, rolls: int) -> float:
    """Return by how much the best candidate is better than the one that `strong` plays.

    It may be below 0, because rollouts are a sample.
    """
    seat = one.situation.seat
    candidates = find_candidates(judge, one)
    played = candidates[0]
    found: dict[Candidate, list[float]] = {candidate: [] for candidate in candidates}
    kept = candidates
    for begin in range(0, rolls, ROUND):
        if kept == [played]:
            return 0.0
        for number in range(begin, min(begin + ROUND, rolls)):
            dice = numbered_dice(number, judge.ruleset.dice, one.key)
            for candidate in kept:
                found[candidate].append(roll_out(judge, candidate, dice)[seat])
        lasting = keep_candidates({candidate: found[candidate] for candidate in kept})
        kept = [played, *(candidate for candidate in lasting if candidate != played)]
    return halved_loss({candidate: found[candidate] for candidate in kept}, played)


def halved_loss(found: Mapping[Candidate, Sequence[float]], played: Candidate) -> float:
    """Return the loss of the candidate `played` by the rollouts of all, which had the same dice.

    The greatest of several noisy means is too high on average, because it is picked for its noise.
    So one half of the dice picks the best candidate and the other half measures its lead, and then
    they change places. The picked one may not be the best, so the result is a little too low.
    """
    halves = [{one: chances[begin::2] for one, chances in found.items()} for begin in (0, 1)]
    leads = []
    for picking, measuring in (halves, halves[::-1]):
        best = max(picking, key=lambda one: sum(picking[one]))
        leads.append(fmean(measuring[best]) - fmean(measuring[played]))
    return fmean(leads)


def find_candidates(judge: Judge, one: Measured) -> list[Candidate]:
    """Return what is rolled out of a decision: first what `strong` plays, last what `grace` plays.

    Between them are the options that the network holds for nearly as good.
    """
    game, extractor = thrown(one), feature_extractor(judge.ruleset)
    options = play_ends(game)
    rated = rate_plays(game, judge, options)
    rated.sort(key=lambda play: play.worth, reverse=True)
    near = [play.option for play in rated if play.worth >= rated[0].worth - WITHIN]
    graceful = max(options, key=lambda option: grace_value(extractor, option, game.seat))
    found = [_candidate(one, option) for option in (*near[:MOST_CANDIDATES], graceful)]
    return list(dict.fromkeys(found))


def _candidate(one: Measured, option: PlayEnd) -> Candidate:
    _, seat, doublets = one.situation
    return Candidate(option.position, option.first, doublets + 1 if option.first == seat else 0)
