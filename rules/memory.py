"""Memory: what a game must know besides its position, the throw and the turn. Changes nothing.

`RuleSet.remembers` says whether a rule set needs it. Most do not.
"""

from typing import NamedTuple

from .board import SEATS, Board
from .position import Position
from .steps import Step

# For each ring space with pawns of several seats, the seat whose pawn came last, as
# (ring space, seat), in order.
Late = tuple[tuple[int, int], ...]


class Memory(NamedTuple):
    """What a rule set remembers of this turn and the turns before."""

    late: Late = ()
    last: int | None = None  # where the pawn of this turn's last step is, if one has moved
    tries: int = 0  # how many throws of this turn running were without a step
    # The position and `late` at the beginning of this turn, None where they are those of now.
    began: Position | None = None
    began_late: Late | None = None


NOTHING = Memory()


def find_sharers(on: Board, position: Position, space: int) -> frozenset[int]:
    """Return the seats on a ring space with pawns of several seats; none for any other space."""
    seats = [seat for seat in range(SEATS) if space in map(on.circuit[seat].get, position[seat])]
    return frozenset(seats if len(seats) > 1 else ())


def add_arrivals(
    late: Late, on: Board, position: Position, seat: int, made: tuple[Step, ...]
) -> Late:
    """Return who came last to each shared space after a play.

    late: what was known before. position: the one after the steps `made` of the `seat`.
    """
    known = dict(late)
    for step in made:
        space = on.space(seat, step.target)
        if space is not None:
            known[space] = seat
    arrivals = sorted(known.items())
    return tuple((at, last) for at, last in arrivals if last in find_sharers(on, position, at))


def keep_unchanged(late: Late, on: Board, before: Position, after: Position) -> Late:
    """Return what `late` becomes after a correction: only spaces with the same seats stay."""
    return tuple(
        (space, seat)
        for space, seat in late
        if find_sharers(on, before, space) == find_sharers(on, after, space)
    )


def turn_start(memory: Memory, position: Position) -> tuple[Position, Late]:
    """Return where the pawns were when the turn began, and who had come last.

    position: where they are now.
    """
    late = memory.late if memory.began_late is None else memory.began_late
    return memory.began or position, late


def keep_start(memory: Memory, position: Position, began: Position, late: Late) -> Memory:
    """Return a memory for a position with the beginning of the turn, as `turn_start` has it."""
    return memory._replace(
        began=None if began == position else began, began_late=None if late == memory.late else late
    )
