"""Ratings over all kept games: Plackett-Luce, by openskill. They depend on the games' order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

Side = Sequence[str]
"""A person alone, or partners."""


class RatedGame(NamedTuple):
    """A game that is over: its sides, and the rank of each from 1. Equal ranks are ties.

    A game that ended with its winner ranks that side 1 and all others 2: it says no more.
    """

    id: str
    ended: float
    sides: Sequence[Side]
    ranks: Sequence[int]


class Rating(NamedTuple):
    """A person's strength after a game: its mean and uncertainty. New players have 25 and 25/3."""

    game: str
    ended: float
    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The strength that the person has almost surely; a list is in its order."""
        return self.mu - 3 * self.sigma


def rate(games: Iterable[RatedGame]) -> dict[str, list[Rating]]:
    """Return the ratings of each person after each game, by the time at which the games ended."""
    model = PlackettLuce()
    newest: dict[str, PlackettLuceRating] = {}
    found: dict[str, list[Rating]] = {}
    for game in sorted(games, key=lambda game: (game.ended, game.id)):
        teams = [[newest.get(one) or model.rating(name=one) for one in side] for side in game.sides]
        rated = model.rate(teams, ranks=list(map(float, game.ranks)))
        for side, team in zip(game.sides, rated, strict=True):
            for one, rating in zip(side, team, strict=True):
                newest[one] = rating
                found.setdefault(one, []).append(
                    Rating(game.id, game.ended, rating.mu, rating.sigma)
                )
    return found
