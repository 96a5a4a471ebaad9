"""Facts: what an action changed, as `play` returns it in order. Does not give reasons."""

from typing import NamedTuple

from .steps import Step


class Thrown(NamedTuple):
    """A seat threw these faces."""

    seat: int
    faces: tuple[int, ...]


class Tied(NamedTuple):
    """These seats threw the same for who begins, and throw again."""

    seats: tuple[int, ...]


class Begins(NamedTuple):
    """This seat begins."""

    seat: int


class Moved(NamedTuple):
    """A seat made a step."""

    seat: int
    step: Step


class Captured(NamedTuple):
    """The pawn of `seat` at `place` goes back to its nest, captured by the seat `by`."""

    seat: int
    place: int
    by: int


class CameHome(NamedTuple):
    """A pawn of this seat reached home."""

    seat: int


class Earned(NamedTuple):
    """A seat earned a bonus increment of so many spaces."""

    seat: int
    spaces: int


class Lapsed(NamedTuple):
    """An increment of so many spaces is lost."""

    seat: int
    spaces: int


class Penalized(NamedTuple):
    """The third doublet sends the seat's pawn at `place` to its nest, or no pawn if it is None.

    There is one for each pawn.
    """

    seat: int
    place: int | None


class PutBack(NamedTuple):
    """The third doublet undoes the turn: a pawn of this seat goes back to `target`."""

    seat: int
    origin: int
    target: int


class Again(NamedTuple):
    """The seat throws again."""

    seat: int


class TurnOf(NamedTuple):
    """The turn passes to this seat."""

    seat: int


class Corrected(NamedTuple):
    """The position or the turn was corrected; it is the turn of `seat`.

    anew: the play of the throw on the table starts anew. waits: the throw waits for its seat.
    """

    seat: int
    anew: bool
    waits: bool


class Left(NamedTuple):
    """This seat has left the game."""

    seat: int


class EndsAfter(NamedTuple):
    """The game ends after the running or next turn of this seat; if None, no longer."""

    seat: int | None


class PlaysOn(NamedTuple):
    """The game goes on for the places after the win of this seat."""

    seat: int


class Won(NamedTuple):
    """A seat has all its pawns home or is the only one left; place 1 is the winner's."""

    seat: int
    place: int


class Shared(NamedTuple):
    """These seats are equal in all where places are counted, and share their place."""

    seats: tuple[int, ...]


class Over(NamedTuple):
    """The game is over; the seats in order of finishing."""

    places: tuple[int, ...]


_OfThrow = Thrown | Tied | Begins
_OfPlay = Moved | Captured | CameHome | Earned | Lapsed | Penalized | PutBack | Again
_OfGame = TurnOf | Corrected | Left | EndsAfter | PlaysOn | Won | Shared | Over
Fact = _OfThrow | _OfPlay | _OfGame
