"""What may come of the throw on the table, and the steps that lead there; keeps out what is best."""

from typing import NamedTuple

from rules import Game, Position, next_seat
from rules.steps import State


class Option(NamedTuple):
    """One way for a play to end: how it stands then, where the pawns are, and who throws next.

    Who has won stands as the one who throws next.
    """

    ending: State
    position: Position
    first: int


def options(game: Game) -> list[Option]:
    """Return the ways in which the play on the table may end; of equal ones, one.

    In the same order each time. Only for a game at `Phase.MOVE`.
    """
    plays, state = game.plays
    seat, following = game.seat, next_seat(game, game.seat)
    found: dict[tuple[Position, int], Option] = {}
    for ending in sorted(plays.endings(state)):
        position = plays.stepper.position_after(ending)
        again = plays.throws_again(ending) or plays.stepper.won(ending)
        first = seat if again else following
        found.setdefault((position, first), Option(ending, position, first))
    return list(found.values())
