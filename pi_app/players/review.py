"""Luck and skill of a game that was played, apart; keeps out dice, files and how it is shown.

The *luck* of a throw is the chance to win that its best play gives, less the mean of that over all
throws. What was *given away* is the chance of the best play less that of the play that was made.
Luck does not ask how well anybody played: before a throw of fair dice its mean is 0, so it is for
every sum of throws, by any value, good or bad. Both are told in points: hundredths of a win, and
after somebody has won, of the next place.
"""

from pi_app.advice.reviews import (
    SEATS,
    Chances,
    Review,
    ReviewRequest,
    SeatReview,
    ThrowReview,
    curve,
    json_line,
    parse_review_request,
    parse_throw_review,
    remove_seats,
    review_requests,
    sum_reviews,
)
from pi_app.players.choosing import rate
from pi_app.players.play_ends import play_ends
from pi_app.players.tables import judge
from pi_app.players.value import Judge
from rules import Game, Phase, Stop, Throw, parse_game, parse_position, play, steps_to, throws

__all__ = [
    "Review",
    "ReviewRequest",
    "SeatReview",
    "ThrowReview",
    "chances_after",
    "curve",
    "json_line",
    "parse_review_request",
    "parse_throw_review",
    "review_requests",
    "review_throw",
    "sum_reviews",
    "throw_value",
]

POINTS = 100.0  # of a win


def review_throw(one: ReviewRequest, by: Judge | None = None) -> ThrowReview:
    """Return what is found of one throw, by the judge of its rule set if none is given.

    It takes the worth of the best plays of all throws: 21 of two dice, 6 of one.
    """
    game = parse_game(one.thrown_in)
    by, chances = by or judge(game.ruleset), chances_after(one)
    luck = POINTS * _luck(by, game, one.throw) if one.first_time else 0.0
    worth = chances[one.seat]
    if worth is None:
        return ThrowReview(luck, 0.0, (), chances)
    chosen_in = parse_game(one.chosen_in) if one.chosen_in else play(game, Throw(one.throw))[0]
    given_away, best = _given_away(by, chosen_in, worth)
    return ThrowReview(luck, POINTS * given_away, best, chances)


def chances_after(one: ReviewRequest) -> Chances:
    """Return each seat's chance after the play of a throw; all None where it was broken off."""
    if not one.ended:
        return (None,) * SEATS
    ruleset = parse_game(one.thrown_in).ruleset
    found = judge(ruleset).chances(parse_position(one.ended, ruleset), one.first)
    return tuple(map(found.get, range(SEATS)))


def _luck(by: Judge, game: Game, throw: tuple[int, ...]) -> float:
    """Return how much better a throw is than the mean of all, in chances."""
    worths = {faces: throw_value(by, game, faces) for faces, _ in throws(game.dice)}
    whole = sum(weight for _, weight in throws(game.dice))
    mean = sum(weight * worths[faces] for faces, weight in throws(game.dice)) / whole
    return worths[tuple(sorted(throw, reverse=True))] - mean


def throw_value(by: Judge, game: Game, faces: tuple[int, ...]) -> float:
    """Return the chance to win of who is to throw, after the best play of a throw."""
    thrown, _ = play(game, Throw(faces))
    if thrown.phase is Phase.PENALTY:
        after, _ = play(thrown, Stop())
        return by.chances(remove_seats(after.position, game.places), after.seat)[game.seat]
    return max(one.worth for one in rate(thrown, by, play_ends(thrown)))


def _given_away(by: Judge, game: Game, worth: float) -> tuple[float, tuple[str, ...]]:
    """Return what a play worth so much gave away, in chances, and the steps of the best one."""
    if game.phase is Phase.PENALTY:
        return 0.0, ()
    best = max(rate(game, by, play_ends(game)), key=lambda one: one.worth)
    if best.worth <= worth:  # more plays there may be than are looked at
        return 0.0, ()
    return best.worth - worth, tuple(map(str, steps_to(game, best.option.ending)))
