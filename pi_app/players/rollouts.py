"""Plays positions to their ends by `strong` at all seats. It has no clock and no generator of dice.

A rollout has a number, and its number decides its dice: the faces of each seat's first throw, of
its second, and so on. So the candidates of a decision meet the same dice, and the luck that they
share drops out of their difference.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple, TypeVar
from zlib import crc32

from pi_app.players.choosing import pick
from pi_app.players.features import feature_extractor
from pi_app.players.play_ends import play_ends
from pi_app.players.value import Judge
from rules import SEAT_LETTERS, Memory, Phase, Position, RuleSet, Stop, Throw, at, play
from rules.memory import NOTHING
from rules.ruleset import SHELLS

MOST_THROWS = 5000  # a game of mb-total takes some 300
CONFIDENT = 1.96  # standard errors on each side of a mean make an interval of 95 %
CLEARLY = 3.0  # standard errors by which a candidate that is dropped is worse than the best
ROUND = 10  # rollouts of each candidate before those that are clearly worse are dropped
WORD = 2**64 - 1

Key = TypeVar("Key")  # of a candidate

Dice = Callable[[int, int], tuple[int, ...]]  # the faces of a seat's throw, counted from 0


class Candidate(NamedTuple):
    """A position that waits for a throw, or that a seat has won.

    first: the seat that throws next. doublets: how many it has thrown before in this turn.
    memory: what else the rule set asks for.
    """

    position: Position
    first: int
    doublets: int = 0
    memory: Memory = NOTHING


class Estimate(NamedTuple):
    """A mean and half the width of its 95 % confidence interval."""

    mean: float
    margin: float


class Comparison(NamedTuple):
    """What the rollouts of one candidate found, for one seat.

    chance: the seat's chance to win. behind: the chance of the best candidate less this one's, 0
    for the best itself. rolls: how many rollouts there were.
    """

    chance: Estimate
    behind: Estimate
    rolls: int


# --- one rollout ---------------------------------------------------------------------------------


def numbered_dice(number: int, ruleset: RuleSet, name: str = "") -> Dice:
    """Return the dice of a rollout, or its shells: the same for the same number and name."""
    stream = _mix(crc32(name.encode()) << 32 | number)

    def faces(seat: int, throw: int) -> tuple[int, ...]:
        drawn, found = _mix(stream + len(SEAT_LETTERS) * throw + seat), []
        if ruleset.throws_shells:
            return ((drawn % (1 << SHELLS)).bit_count(),)
        for _ in range(ruleset.dice):
            drawn, face = divmod(drawn, 6)
            found.append(face + 1)
        return tuple(found)

    return faces


def _mix(number: int) -> int:
    """Return 64 bits that depend on all bits of a number: a step of SplitMix64 (Steele 2014)."""
    bits = (number + 1) * 0x9E3779B97F4A7C15 & WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & WORD
    return bits ^ bits >> 31


def roll_out(
    judge: Judge, candidate: Candidate, dice: Dice, throws: int = MOST_THROWS
) -> dict[int, float]:
    """Return each playing seat's chance to win at the end of one rollout; they sum to 1.

    The seats play as `strong` does by this judge, under its rule set. A rollout ends when the
    chances are exact: at the end of the game, or before. throws: after so many, it ends with the
    judge's estimate.
    """
    position, seat, doublets, memory = candidate
    extractor = feature_extractor(judge.ruleset)
    thrown = dict.fromkeys(range(len(position)), 0)
    for _ in range(throws):
        known = judge.exact_chances(position, seat, doublets)
        if known is not None:
            return known
        faces = dice(seat, thrown[seat])
        thrown[seat] += 1
        game, _ = play(at(judge.ruleset, position, seat, doublets, memory), Throw(faces))
        if game.phase is Phase.PENALTY:
            game, _ = play(game, Stop())
            position, seat, doublets, memory = (
                game.position,
                game.seat,
                game.doublets,
                game.memory,
            )
            continue
        ends = play_ends(game)
        end = pick(extractor, ends, seat, judge) if len(ends) > 1 else ends[0]
        position, seat, doublets, memory = end.position, end.first, end.doublets, end.memory
    return judge.chances(position, seat, doublets, memory.last)


# --- many rollouts -------------------------------------------------------------------------------


def estimate_chance(chances: Sequence[float]) -> Estimate:
    """Return the mean of a seat's chances at the ends of rollouts.

    The interval is that of Agresti and Coull (1998): two wins and two losses are added before its
    width is computed. So it has a width where all rollouts ended alike.
    """
    return _estimate(chances, (1.0, 1.0, 0.0, 0.0))


def estimate_difference(differences: Sequence[float]) -> Estimate:
    """Return the mean of differences between two candidates, one for each pair of rollouts.

    The interval is that of Bonett and Price (2012) for paired proportions: one win more and one
    less are added before its width is computed.
    """
    return _estimate(differences, (1.0, -1.0))


def _estimate(values: Sequence[float], added: Sequence[float]) -> Estimate:
    """Return the mean of values, and the margin that they have with some values added."""
    widened = [*values, *added]
    center = sum(widened) / len(widened)
    variance = sum((value - center) ** 2 for value in widened) / len(widened)
    return Estimate(sum(values) / len(values), CONFIDENT * sqrt(variance / len(widened)))


def compare(found: Mapping[Key, Sequence[float]]) -> dict[Key, Comparison]:
    """Return the comparison of candidates whose rollouts had the same numbers.

    found: the seat's chance at the end of rollout 0, 1, and so on, at least one for each candidate.
    A candidate that was dropped has fewer; a difference counts the rollouts that both have.
    """
    most = max(map(len, found.values()))
    lasting = [key for key, chances in found.items() if len(chances) >= most - ROUND]
    common = min(len(found[key]) for key in lasting)  # a round may be in progress
    best = max(lasting, key=lambda key: sum(found[key][:common]))
    compared = {}
    for key, chances in found.items():
        differences = [high - low for high, low in zip(found[best], chances, strict=False)]
        behind = Estimate(0.0, 0.0) if key == best else estimate_difference(differences)
        compared[key] = Comparison(estimate_chance(chances), behind, len(chances))
    return compared


def next_candidate(found: Mapping[Key, Sequence[float]], rolls: int) -> Key | None:
    """Return the candidate that is to be rolled out next, None if all have enough rollouts.

    It gets `ROUND` rollouts more, up to `rolls`. After each round, a candidate that is clearly
    worse than the best is dropped; but never the first. found: as in `compare`; may be empty lists.
    """
    first, racing = next(iter(found)), list(found)
    for begin in range(0, rolls, ROUND):
        end = min(begin + ROUND, rolls)
        for key in racing:
            if len(found[key]) < end:
                return key
        compared = compare({key: found[key][:end] for key in racing})
        racing = [
            key
            for key, (_, behind, _) in compared.items()
            if key == first or behind.mean <= behind.margin * CLEARLY / CONFIDENT
        ]
    return None


def roll_out_all(
    judge: Judge, candidates: Sequence[Candidate], seat: int, rolls: int, name: str = ""
) -> dict[Candidate, Comparison]:
    """Return the comparison of candidates for a seat, by common dice.

    rolls: how many rollouts the first candidate gets, and each other one that is not dropped before
    as clearly worse. name: of the dice, another for other dice.
    """
    found: dict[Candidate, list[float]] = {candidate: [] for candidate in candidates}
    while (candidate := next_candidate(found, rolls)) is not None:
        begin = len(found[candidate])
        for number in range(begin, min(begin + ROUND, rolls)):
            dice = numbered_dice(number, judge.ruleset, name)
            found[candidate].append(roll_out(judge, candidate, dice)[seat])
    return compare(found)
