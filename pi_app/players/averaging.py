"""The chances that are shown: the mean over the next throw, each played as well as can be.

The network's own estimate is quicker, so that bots and hints go by it. Here it judges one throw
later, and the mean of many estimates is nearer to the truth than one.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from pi_app.model.reviews import remove_seats
from pi_app.players.choosing import rate_plays
from pi_app.players.play_ends import play_ends
from pi_app.players.value import Judge
from rules import Game, Phase, Position, Stop, Throw, at, play, throws
from rules.memory import NOTHING, Memory
from rules.position import has_won

MAX_RATED = 60  # plays of a throw: half as many as for a bot change a chance by 0.4 points at most
Chances = Mapping[int, float]  # to win, of each seat that plays


class NextThrow(NamedTuple):
    """What the next throw brings: the chances after the best play of each, by its faces.

    mean: over all throws.
    """

    by_faces: Mapping[tuple[int, ...], Chances]
    mean: Chances


def average_chances(
    judge: Judge, position: Position, first: int, doublets: int = 0, memory: Memory = NOTHING
) -> Chances:
    """Return each playing seat's chance to win, as it is shown. Arguments as of `Judge.chances`."""
    exact = judge.exact_chances(position, first)
    if exact and (not doublets or has_won(judge.ruleset, position[first])):
        return exact
    return look_ahead(judge, position, first, doublets, memory).mean


@lru_cache(maxsize=16)  # a throw's review asks for what the review of the throw before has found
def look_ahead(
    judge: Judge, position: Position, first: int, doublets: int = 0, memory: Memory = NOTHING
) -> NextThrow:
    """Return what the next throw brings in a position that nobody has won."""
    game = at(judge.ruleset, position, first, doublets, memory)
    thrown = throws(game.ruleset, game.dice)
    found = {one.faces: _chances_after(judge, game, one.faces) for one in thrown}
    whole, mean = sum(one.weight for one in thrown), dict[int, float]()
    for one in thrown:
        for seat, chance in found[one.faces].items():
            mean[seat] = mean.get(seat, 0.0) + chance * one.weight / whole
    return NextThrow(found, mean)


def _chances_after(judge: Judge, game: Game, faces: tuple[int, ...]) -> Chances:
    """Return the chances after the best play of a throw."""
    thrown, _ = play(game, Throw(faces))
    if thrown.phase is Phase.PENALTY:
        after, _ = play(thrown, Stop())
        return judge.chances(
            remove_seats(game.ruleset, after.position, game.places), after.seat, 0, after.memory
        )
    rated = rate_plays(thrown, judge, play_ends(thrown), MAX_RATED)
    end = max(rated, key=lambda one: one.worth).end
    return judge.chances(end.position, end.first, end.doublets, end.memory)
