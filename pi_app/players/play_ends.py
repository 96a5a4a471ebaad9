"""Lists the ends of all plays with a throw. It does not judge them."""

from typing import NamedTuple

from pi_app.advice.reviews import remove_seats
from rules import Ending, Game, Position, endings, next_seat

MAX_STATES = 3000  # a throw with more is not listed in full; a state takes 15 us
BREADTH = 12  # how many states are followed at a time if there are more


class PlayEnd(NamedTuple):
    """One end of a play.

    position: without the pawns of seats that had won before.
    first: the seat that throws next, or the seat that wins by this play.
    doublets: how many doublets it has thrown in this turn.
    """

    ending: Ending
    position: Position
    first: int
    doublets: int = 0

    @property
    def outcome(self) -> tuple[Position, int]:
        """All that matters for later turns: `position` and `first`."""
        return self.position, self.first


def play_ends(game: Game) -> list[PlayEnd]:
    """Return the different ends of the play on the table, always in the same order.

    If there are too many to list in time, return only those after the steps that bring the seat
    farthest. The game must be at `Phase.MOVE`.
    """
    following = next_seat(game, game.seat)
    found: dict[tuple[Position, int], PlayEnd] = {}
    for ending in endings(game, MAX_STATES, BREADTH):
        position = remove_seats(ending.position, game.places)
        first = game.seat if ending.throws_again or ending.wins else following
        doublets = game.doublets + 1 if ending.throws_again else 0
        found.setdefault((position, first), PlayEnd(ending, position, first, doublets))
    return list(found.values())
