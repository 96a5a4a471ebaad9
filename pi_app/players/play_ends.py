"""What may come of the throw on the table; keeps out what is best."""

from typing import NamedTuple

from pi_app.advice.reviews import remove_seats
from rules import Ending, Game, Position, endings, next_seat

MOST_STATES = 3000  # of a throw whose plays are all listed; one takes some 15 us
BREADTH = 12  # states that are followed at a time where there are more


class PlayEnd(NamedTuple):
    """One way for a play to end: how it stands then, where the pawns are, and who throws next.

    Seats that had won before are left out of the position. Who wins stands as who throws next.
    """

    ending: Ending
    position: Position
    first: int


def play_ends(game: Game) -> list[PlayEnd]:
    """Return the ways in which the play on the table may end; of equal ones, one.

    Where they are too many to be listed in time, those that the steps lead to which bring the seat
    farthest. In the same order each time. Only for a game at `Phase.MOVE`.
    """
    following = next_seat(game, game.seat)
    found: dict[tuple[Position, int], PlayEnd] = {}
    for ending in endings(game, MOST_STATES, BREADTH):
        position = remove_seats(ending.position, game.places)
        first = game.seat if ending.throws_again or ending.wins else following
        found.setdefault((position, first), PlayEnd(ending, position, first))
    return list(found.values())
