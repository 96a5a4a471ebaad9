"""Reviews throws by rollouts: chooses plays to roll out, and finds mistakes. Reads no files.

A play is a mistake if it is worse than the best by more than half the width of the 95 % confidence
interval of their difference. Luck stays the network's estimate, because by rollouts it would need
all throws: 21 of two dice.
"""

import json
from collections.abc import Mapping, Sequence
from math import hypot
from typing import NamedTuple, TypeVar
from zlib import crc32

from pi_app.advice.reviews import (
    SEATS,
    Chances,
    ReviewRequest,
    ThrowReview,
    chances_of_sides,
)
from pi_app.advice.rollouts import RolledGame, RolledThrow, RolloutPlay, RolloutRequest, throw_key
from pi_app.advice.tables import table_name
from pi_app.players.choosing import rate_plays
from pi_app.players.features import feature_extractor
from pi_app.players.play_ends import play_ends
from pi_app.players.review import POINTS
from pi_app.players.rollouts import (
    ROUND,
    Candidate,
    Estimate,
    compare,
    estimate_chance,
    numbered_dice,
    roll_out,
)
from pi_app.players.tables import load_judge, table_text
from pi_app.players.value import Judge
from rules import (
    Phase,
    Position,
    RuleSet,
    Throw,
    format_position,
    is_doublet,
    parse_game,
    parse_position,
    parse_ruleset,
    play,
    steps_to,
)

MOST_OTHERS = 3  # plays beside that which was made
NEAR = (
    0.05  # in chances to win, about the network's error: plays farther from its best are left out
)
SHORTEST = 40  # spaces to go; measured: with one to go, a rollout takes about as long as this
Found = TypeVar("Found", ThrowReview, ThrowReview | None)
EXACT = Estimate(0.0, 0.0)


class RolledReview(NamedTuple):
    """What the rollouts of one throw found.

    chances: each seat's after the play that was made, 0 to 1, or None. behind: how much that play
    was worse than the best, in points. best: the steps of the best play, if the play was a mistake.
    rolls: how many rollouts the play had.
    """

    chances: tuple[Estimate | None, ...]
    behind: Estimate
    best: tuple[str, ...]
    rolls: int

    @property
    def is_mistake(self) -> bool:
        """Whether the play was worse than the best by more than the interval."""
        return self.behind.mean > self.behind.margin


def network_name(ruleset: RuleSet) -> str:
    """Return a name for the network of a rule set that changes whenever its weights change."""
    name = table_name(ruleset)
    return f"{name} {crc32(table_text(name).encode()):08x}"


def plays_to_roll(request: ReviewRequest) -> tuple[RolloutPlay, ...]:
    """Return the play that was made, then those that the network finds about as good as its best.

    Return () if the play was broken off, and the play that was made alone if it was the only one.
    """
    if not request.ended:
        return ()
    thrown_in = parse_game(request.thrown_in)
    judge = load_judge(thrown_in.ruleset)
    ended = parse_position(request.ended, judge.ruleset)
    ends = [(request.played, ended, request.first)]
    thrown, _ = play(thrown_in, Throw(request.throw))
    game = parse_game(request.chosen_in) if request.chosen_in else thrown
    if game.phase is Phase.MOVE:
        rated = sorted(rate_plays(game, judge, play_ends(game)), key=lambda one: -one.worth)
        for option, worth in rated[:MOST_OTHERS]:
            if worth >= rated[0].worth - NEAR and option.outcome != (ended, request.first):
                steps = tuple(map(str, steps_to(game, option.ending)))
                ends.append((steps, option.position, option.first))
    plays = []
    for steps, position, first in ends:
        runs = first == request.seat and is_doublet(thrown_in.ruleset, request.throw)
        doublets = thrown_in.doublets + 1 if runs else 0
        is_exact = judge.exact_chances(position, first, doublets) is not None
        length = 0 if is_exact else rollout_length(judge, position)
        plays.append(
            RolloutPlay(steps, format_position(position), first, doublets, is_exact, length)
        )
    return tuple(plays)


def rollout_length(judge: Judge, position: Position) -> int:
    """Return about how long a rollout from a position takes, compared with others."""
    extractor = feature_extractor(judge.ruleset)
    return SHORTEST + min(sum(map(extractor.to_go, pawns)) for pawns in position if pawns)


def roll_out_play(request: RolloutRequest) -> list[Chances]:
    """Return the seats' chances at the end of each requested rollout."""
    judge = load_judge(parse_ruleset(json.loads(request.ruleset)))
    position = parse_position(request.play.ended, judge.ruleset)
    candidate = Candidate(position, request.play.first, request.play.doublets)
    ends = [
        roll_out(judge, candidate, numbered_dice(number, judge.ruleset, request.dice))
        for number in range(request.begin, request.begin + request.rolls)
    ]
    return [chances_of_sides(judge.ruleset, tuple(map(end.get, range(SEATS)))) for end in ends]


def review_rollouts(throw: RolledThrow, seat: int) -> RolledReview | None:
    """Return the review of a seat's throw, None before each play has had its first rollouts."""
    found = throw.chances_of(seat)
    if min(map(len, found.values())) < ROUND:
        return None
    compared = compare(found)
    behind = Estimate(*(POINTS * value for value in compared[0].behind))
    by_seat = zip(*throw.chances[0], strict=True)
    chances = tuple(None if None in column else estimate_chance(column) for column in by_seat)
    if throw.plays[0].is_exact:
        chances = tuple(one and one._replace(margin=0.0) for one in chances)
    review = RolledReview(chances, behind, (), len(throw.chances[0]))
    best = next(index for index, one in compared.items() if one.behind == EXACT)
    return review._replace(best=throw.plays[best].steps) if review.is_mistake else review


def review_rolled_game(
    requests: Sequence[ReviewRequest], game: RolledGame
) -> dict[int, RolledReview]:
    """Return the reviews of those throws that have been rolled out, by their index."""
    reviews = {}
    for index, request in enumerate(requests):
        throw = game.throws.get(throw_key(request))
        if throw is not None and (review := review_rollouts(throw, request.seat)):
            reviews[index] = review
    return reviews


def replace_estimates(reviews: Sequence[Found], rolled: Mapping[int, RolledReview]) -> list[Found]:
    """Return reviews in which rollouts replace the network's loss: 0 where it was not a mistake.

    reviews: of the throws, None for those that are not ready.
    """
    replaced = list(reviews)
    for index, one in rolled.items():
        if (review := replaced[index]) is not None:
            loss = one.behind.mean if one.is_mistake else 0.0
            replaced[index] = review._replace(given_away=loss, best=one.best)
    return replaced


def sum_margins(
    requests: Sequence[ReviewRequest], rolled: Mapping[int, RolledReview]
) -> dict[int, float]:
    """Return half the width of the interval of each seat's summed losses by rollouts, in points."""
    margins: dict[int, float] = {}
    for index, one in rolled.items():
        if one.is_mistake:
            seat = requests[index].seat
            margins[seat] = hypot(margins.get(seat, 0.0), one.behind.margin)
    return margins
