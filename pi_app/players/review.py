"""Separates luck and skill in a game that was played. It has no dice, no files and no screens.

The luck of a throw is the chance to win after its best play, less the mean of that chance over all
throws. A play's loss is the chance after the best play, less the chance after the play that was
made. Luck does not depend on how well anybody played. Before a throw of fair dice its mean is 0,
for every sum of throws and with any judge, good or bad. Luck and loss are in points: hundredths of
a win, or of the next place after somebody has won.
"""

from pi_app.model.advice import Chances, ReviewQuestion, ThrowReview
from pi_app.model.reviews import chances_of_sides, remove_seats
from pi_app.players.averaging import average_chances, look_ahead
from pi_app.players.choosing import rate_plays
from pi_app.players.play_ends import play_ends
from pi_app.players.tables import load_judge
from pi_app.players.value import Judge
from rules import Game, Phase, Position, Throw, is_doublet, play, steps_to
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
        position = remove_seats(game.ruleset, game.position, game.places)
        found = look_ahead(judge, position, game.seat, game.doublets, game.memory)
        after = found.by_faces[tuple(sorted(question.throw, reverse=True))]
        luck = POINTS * (after[game.seat] - found.mean[game.seat]) / share
    if question.ended is None:
        return ThrowReview(luck, 0.0, (), (None,) * SEATS)
    chance = judge.chances(*_end(question, question.ended))[question.seat]
    chosen_in = question.chosen_in or play(game, Throw(question.throw))[0]
    loss, best = _loss(judge, chosen_in, chance)
    return ThrowReview(luck, POINTS * loss / share, best, chances_after(question, judge))


def chances_after(question: ReviewQuestion, judge: Judge) -> Chances:
    """Return each seat's chance after the play of a throw; all None if it was broken off."""
    if question.ended is None:
        return (None,) * SEATS
    found = average_chances(judge, *_end(question, question.ended))
    return chances_of_sides(judge.ruleset, tuple(map(found.get, range(SEATS))))


def _end(question: ReviewQuestion, ended: Position) -> tuple[Position, int, int, Memory]:
    """Return what the chances depend on after a play that ended in this position."""
    game, first = question.game, question.first
    runs = first == question.seat and is_doublet(game.ruleset, question.throw)
    last = question.played[-1].target if question.played else game.memory.last
    memory = Memory(last=last, began=turn_start(game.memory, game.position)[0])
    return ended, first, game.doublets + 1 if runs else 0, memory


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
