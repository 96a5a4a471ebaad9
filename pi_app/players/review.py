"""Separates luck and skill in a game that was played. It has no dice, no files and no screens.

The luck of a throw is the chance to win after its best play, less the mean of that chance over all
throws. A play's loss is the chance after the best play, less the chance after the play that was
made. Luck does not depend on how well anybody played. Before a throw of fair dice its mean is 0,
for every sum of throws and with any judge, good or bad. Luck and loss are in points: hundredths of
a win, or of the next place after somebody has won.
"""

from pi_app.model.advice import Chances, ReviewQuestion, ThrowReview
from pi_app.model.reviews import chances_of_sides, remove_seats
from pi_app.players.choosing import rate_plays
from pi_app.players.play_ends import play_ends
from pi_app.players.tables import load_judge
from pi_app.players.value import Judge
from rules import Game, Phase, Stop, Throw, is_doublet, play, steps_to, throws
from rules.board import SEATS
from rules.memory import Memory, turn_start

POINTS = 100.0  # of a win


def review_throw(question: ReviewQuestion, judge: Judge | None = None) -> ThrowReview:
    """Return the luck of one throw and what its play gave away, in points.

    judge: that of the game's rule set if None. It gives each of two partners half of their chance.

    It rates the plays of all throws: 21 of two dice, 6 of one die.
    """
    game = question.game
    judge = judge or load_judge(game.ruleset)
    luck, share = 0.0, 0.5 if game.ruleset.partners else 1.0  # a seat's, of its side's chance
    if question.first_time:
        all_throws = throws(game.ruleset, game.dice)
        values = {one.faces: throw_value(judge, game, one.faces) for one in all_throws}
        weights = sum(one.weight for one in all_throws)
        mean = sum(one.weight * values[one.faces] for one in all_throws) / weights
        value = values[tuple(sorted(question.throw, reverse=True))]
        luck = POINTS * (value - mean) / share
    chances = chances_after(question)
    chance = chances[question.seat]
    if chance is None:
        return ThrowReview(luck, 0.0, (), chances)
    chosen_in = question.chosen_in or play(game, Throw(question.throw))[0]
    loss, best = _loss(judge, chosen_in, chance * share)
    return ThrowReview(luck, POINTS * loss / share, best, chances)


def chances_after(question: ReviewQuestion) -> Chances:
    """Return each seat's chance after the play of a throw; all None if it was broken off."""
    if question.ended is None:
        return (None,) * SEATS
    game, first = question.game, question.first
    runs = first == question.seat and is_doublet(game.ruleset, question.throw)
    doublets = game.doublets + 1 if runs else 0
    last = question.played[-1].target if question.played else game.memory.last
    memory = Memory(last=last, began=turn_start(game.memory, game.position)[0])
    found = load_judge(game.ruleset).chances(question.ended, first, doublets, memory)
    return chances_of_sides(game.ruleset, tuple(map(found.get, range(SEATS))))


def throw_value(judge: Judge, game: Game, faces: tuple[int, ...]) -> float:
    """Return the chance of the seat that throws, after the best play of these faces."""
    thrown, _ = play(game, Throw(faces))
    if thrown.phase is Phase.PENALTY:
        after, _ = play(thrown, Stop())
        position = remove_seats(game.ruleset, after.position, game.places)
        return judge.chances(position, after.seat)[game.seat]
    return max(rated.worth for rated in rate_plays(thrown, judge, play_ends(thrown)))


def _loss(judge: Judge, game: Game, chance: float) -> tuple[float, tuple[str, ...]]:
    """Return how much a play gave away and the steps of the best play; 0 and () if it was best.

    chance: the seat's, after the play that was made.
    """
    if game.phase is Phase.PENALTY:
        return 0.0, ()
    best = max(rate_plays(game, judge, play_ends(game)), key=lambda rated: rated.worth)
    if best.worth <= chance:  # the play may be none of those that are rated
        return 0.0, ()
    return best.worth - chance, tuple(map(str, steps_to(game, best.end.ending)))
