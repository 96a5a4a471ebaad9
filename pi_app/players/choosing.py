"""Chooses a play for a bot. It has no dice and no clock: the caller passes in any randomness.

Levels differ in how well they choose, never in what they throw. A choice is always legal, because
the rules list the ends from which it is taken.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from pi_app.model.tables import has_table
from pi_app.players.features import FeatureExtractor, feature_extractor
from pi_app.players.grace import grace_value
from pi_app.players.play_ends import PlayEnd, play_ends
from pi_app.players.thumb import thumb_value
from pi_app.players.value import Judge
from rules import NEST, Action, Game, Move, Phase, Position, RuleSet, Stop, goes_on, play, steps_to
from rules.board import board

LEVELS = ("child", "easy", "club", "strong")
# The difference to the best play, in chances to win, at which a play's share falls to 1/e. The
# README has how often each level then wins, as measured by `make strength`.
TEMPERATURES = {"easy": 0.015, "club": 0.006}
GRACE_POINT = 0.001  # one point of `grace`, roughly, in chances to win
MAX_RATED = 120  # ends that are rated in full for a play


class RatedPlay(NamedTuple):
    """An end of a play and its worth: the seat's chance to win, or the value of `grace` instead."""

    end: PlayEnd
    worth: float


def choose(
    game: Game, judge: Judge | None, level: str = "strong", chance: float = 0.0
) -> tuple[Action, ...]:
    """Return a player's actions with the throw on the table, to the end of the play.

    judge: None to choose as `grace` does, or by a rule of thumb if the rule set has no table or
    steps may go back.
    level: one of `LEVELS`.
    chance: a random number from 0 up to 1. The levels child, easy and club need it to vary.

    Raises IllegalAction if no throw is on the table.
    """
    if game.phase is Phase.PENALTY:
        return (Stop(),)
    ends: Sequence[PlayEnd] = play_ends(game)
    if judge is None:
        ends = onward_ends(game, ends)
    end = pick(feature_extractor(game.ruleset), ends, game.seat, judge, level, chance)
    actions: list[Action] = [Move(step) for step in steps_to(game, end.ending)]
    after = game
    for action in actions:
        after, _ = play(after, action)
    if goes_on(game, after):
        actions.append(Stop())
    return tuple(actions)


def onward_ends(game: Game, ends: Sequence[PlayEnd]) -> Sequence[PlayEnd]:
    """Return the ends that bring the seat's pawns on, not back or to where they were.

    If there are none, or if no step goes back under the rule set, return all.
    """
    if not _may_go_back(game.ruleset):
        return ends
    to_go = board(game.ruleset.layout).to_go

    def count_left(position: Position) -> int:
        return sum(to_go[place] for place in position[game.seat])

    before = count_left(game.position)
    return [end for end in ends if count_left(end.position) < before] or ends


def _may_go_back(ruleset: RuleSet) -> bool:
    return ruleset.overshoot == "back" or ruleset.held_target == "sends-back"


def pick(
    extractor: FeatureExtractor,
    ends: Sequence[PlayEnd],
    seat: int,
    judge: Judge | None,
    level: str = "strong",
    chance: float = 0.0,
) -> PlayEnd:
    """Return the end that a player of this level takes at this seat.

    extractor: of the rule set. judge, level, chance: as in `choose`. With a temperature, an end
    is the likelier the nearer its worth is to the best.
    """
    if level == "child":  # most pawns home, then most captures, then most entries
        delights = []
        for end in ends:
            own = end.position[seat]
            nested = sum(pawns.count(NEST) for pawns in end.position)
            home = sum(place in extractor.finished for place in own)
            delights.append((home, nested - own.count(NEST), -own.count(NEST)))
        most, pairs = max(delights), zip(ends, delights, strict=True)
        return _draw([(end, 1.0) for end, delight in pairs if delight == most], chance)
    plays = _rate(extractor, ends, seat, judge)
    best = max(plays, key=lambda play: play.worth)
    if level not in TEMPERATURES:
        return best.end
    temperature = TEMPERATURES[level]
    shares = [(play.end, exp((play.worth - best.worth) / temperature)) for play in plays]
    return _draw(shares, chance)


def rate_plays(
    game: Game, judge: Judge | None, ends: Sequence[PlayEnd], most: int = MAX_RATED
) -> list[RatedPlay]:
    """Return the worth of the ends to the seat that plays, for those that `sieve` keeps."""
    return _rate(feature_extractor(game.ruleset), ends, game.seat, judge, most)


def _rate(
    extractor: FeatureExtractor,
    ends: Sequence[PlayEnd],
    seat: int,
    judge: Judge | None,
    most: int = MAX_RATED,
) -> list[RatedPlay]:
    ruleset = extractor.ruleset
    if judge is None and (not has_table(ruleset) or _may_go_back(ruleset)):
        return [
            RatedPlay(end, GRACE_POINT * thumb_value(ruleset, end.position, seat)) for end in ends
        ]
    kept = sieve(extractor, ends, seat, most)
    if judge is not None:
        return [
            RatedPlay(end, judge.chances(end.position, end.first, end.doublets, end.memory)[seat])
            for end in kept
        ]
    return [RatedPlay(end, GRACE_POINT * grace_value(extractor, end, seat)) for end in kept]


def sieve(
    extractor: FeatureExtractor, ends: Sequence[PlayEnd], seat: int, most: int = MAX_RATED
) -> Sequence[PlayEnd]:
    """Return the ends that a quick estimate puts first for a seat, at most so many."""
    if len(ends) <= most:
        return ends

    def estimate(end: PlayEnd) -> float:
        side = extractor.seat_features(seat, end.position[seat])
        nested = sum(pawns.count(NEST) for pawns in end.position)
        mine = end.position[seat].count(NEST)
        safe = 6 * side.blockades.bit_count() - 4 * (side.lone & ~extractor.safe_bits).bit_count()
        again = 10 * (end.first == seat)
        return safe + again - side.to_go + 20 * (nested - 2 * mine)

    return sorted(ends, key=estimate, reverse=True)[:most]


def _draw(shares: Sequence[tuple[PlayEnd, float]], chance: float) -> PlayEnd:
    """Return an end with a probability proportional to its share. chance: 0 up to 1."""
    left = chance * sum(share for _, share in shares)
    for end, share in shares:
        left -= share
        if left < 0:
            return end
    return shares[-1][0]
