"""Lists the ends of all plays with a throw. It does not judge them."""

from typing import NamedTuple

from pi_app.model.reviews import remove_seats
from rules import Ending, Game, Memory, Position, endings, is_doublet, next_seat, steps_to
from rules.game import winning_seats
from rules.memory import NOTHING

MAX_STATES = 3000  # a throw with more is not listed in full; a state takes 15 us
BREADTH = 12  # how many states are followed at a time if there are more


class PlayEnd(NamedTuple):
    """One end of a play.

    position: without the pawns of seats that had won before; with partners, with all pawns.
    first: the seat that throws next, or the seat that wins by this play.
    doublets: how many doublets running it has thrown in this turn.
    memory: what else the rule set asks for.
    """

    ending: Ending
    position: Position
    first: int
    doublets: int = 0
    memory: Memory = NOTHING

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
    may_win = bool(winning_seats(game.ruleset, (*game.places, game.seat)))
    found: dict[tuple[Position, int], PlayEnd] = {}
    for ending in endings(game, MAX_STATES, BREADTH):
        position = remove_seats(game.ruleset, ending.position, game.places)
        first = game.seat if ending.throws_again or (ending.wins and may_win) else following
        if (position, first) not in found:
            doublets, memory = count_doublets(game, ending), remember(game, ending)
            found[position, first] = PlayEnd(ending, position, first, doublets, memory)
    return list(found.values())


def count_doublets(game: Game, ending: Ending) -> int:
    """Return how many doublets running the seat of the next throw has thrown in its turn."""
    runs = ending.throws_again and is_doublet(game.ruleset, game.throw)
    return game.doublets + 1 if runs else 0


def remember(game: Game, ending: Ending) -> Memory:
    """Return the memory of the game after a play with this end."""
    if not game.ruleset.remembers:
        return NOTHING
    made = (*game.made, *steps_to(game, ending))
    memory = game._replace(position=ending.position, made=made).memory_now
    if not ending.throws_again:
        return Memory(memory.late)
    if game.ruleset.tries == 1:
        return memory
    return memory._replace(tries=0 if made else memory.tries + 1)
