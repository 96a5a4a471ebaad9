"""Positions: where all pawns are; writes and parses their text. Knows no turns and no dice.

NOTATION.md has the text form.
"""

from functools import lru_cache
from typing import Final

from .board import HOME, NEST, PLACE_TEXTS, ROW, SEATS, Board, board, parse_place, place_text
from .errors import InputError
from .ruleset import SAFETY_SHARED, STACKING, RuleSet

Pawns = tuple[int, ...]
Position = tuple[Pawns, Pawns, Pawns, Pawns]
PAWNS: Final = 4


class PositionError(InputError):
    """A position that can't be: one sentence that says what is wrong and where."""


def starting_position(seats: tuple[int, ...], start_out: int = 0) -> Position:
    """Return the position in which a game opens.

    start_out: how many pawns of each of the seats are on its entry; the others are in the nest.
    """
    pawns = (0,) * start_out + (NEST,) * (PAWNS - start_out)
    a, b, c, d = (pawns if seat in seats else () for seat in range(SEATS))
    return a, b, c, d


def order_pawns(pawns: tuple[int, ...], on: Board) -> Pawns:
    """Return one seat's pawns from most to least advanced."""
    return tuple(sorted(pawns, key=on.spaces_to_go))


def has_won(ruleset: RuleSet, pawns: Pawns) -> bool:
    """Whether so many of a seat's pawns are home that it has won."""
    return _count_home(ruleset, pawns) >= ruleset.to_win


def _count_home(ruleset: RuleSet, pawns: Pawns) -> int:
    home = board(ruleset.layout).home
    return sum(place in home for place in pawns)


def leave_track(ruleset: RuleSet, position: Position, seat: int) -> Position:
    """Return the position after the pawns of a seat that has won went from the track to its nest.

    A seat's pawns do so where the others play on, because two of them would bar the way for ever.
    """
    home = board(ruleset.layout).home
    seats = list(position)
    seats[seat] = tuple(place if place in home else NEST for place in position[seat])
    a, b, c, d = seats
    return a, b, c, d


def format_position(position: Position) -> str:
    """Return the text form: `H,r3,12,N/N,N,N,N/-/-`."""
    return "/".join(map(_pawns_text, position))


@lru_cache(maxsize=512)  # a play leaves most seats as they are
def _pawns_text(pawns: Pawns) -> str:
    return ",".join(map(PLACE_TEXTS.__getitem__, pawns)) or "-"


def parse_position(text: str, ruleset: RuleSet) -> Position:
    """Return the position in a text. Raises PositionError if the text is not a position."""
    seats = text.split("/")
    if len(seats) != SEATS:
        raise PositionError(
            f"position {text!r} has {len(seats)} seats: write four, '/' between them"
        )
    a, b, c, d = (_parse_pawns(part, seat, ruleset) for seat, part in enumerate(seats))
    if ruleset.partners and not all((a, b, c, d)):
        raise PositionError(f"position {text!r} has an empty seat: with partners all four play")
    _check_spaces((a, b, c, d), ruleset)
    return a, b, c, d


def _check_spaces(position: Position, ruleset: RuleSet) -> None:
    """Raise PositionError if a space has more pawns, or of more seats, than the rules allow."""
    this = board(ruleset.layout)
    owners: dict[tuple[int | None, str], list[int]] = {}
    for seat, pawns in enumerate(position):
        for place in pawns:
            if place not in (NEST, HOME):
                space = this.space(seat, place)
                own = f"{place_text(place)} of seat {seat}"
                where = own if space is None else f"ring space {space}"
                owners.setdefault((space, where), []).append(seat)
    for (space, where), (first, *others) in owners.items():
        most = most_pawns(ruleset, {first, *others}, space)
        if not most:
            raise PositionError(f"position has pawns of seats {first} and {others[-1]} on {where}")
        if 1 + len(others) > most:
            number = "two" if most == 2 else "one"
            raise PositionError(
                f"position has {1 + len(others)} pawns on {where}: at most {number} may stand there"
            )


def most_pawns(ruleset: RuleSet, seats: set[int], space: int | None) -> int:
    """Return how many pawns of these seats may share a space; 0 if the seats may not.

    space: the ring space, None for a space that only one seat has.
    """
    if len({seat % 2 for seat in seats} if ruleset.partners else seats) == 1:
        return STACKING[ruleset.stacking]
    is_safe = space in board(ruleset.layout).safety[ruleset.safety]
    is_shared = is_safe or ruleset.captures == "passing"
    return SAFETY_SHARED[ruleset.safety_shared] if is_shared else 0


def _parse_pawns(text: str, seat: int, ruleset: RuleSet) -> Pawns:
    if text == "-":
        return ()
    it, to_win = f"position of seat {seat}", ruleset.to_win
    try:
        pawns = tuple(parse_place(part) for part in text.split(","))
    except ValueError as error:
        raise PositionError(f"{it}: {error}") from None
    if len(pawns) != PAWNS:
        raise PositionError(f"{it} has {len(pawns)} pawns in {text!r}: write four")
    this = board(ruleset.layout)
    highest = this.ring - 1 if ruleset.second_circuit else this.last
    for place in pawns:
        if highest < place < ROW:
            why = f"ring step {place} is not on this board, whose steps are 0 to {highest}"
            raise PositionError(f"{it}: {why}")
        if place not in this.to_go:
            raise PositionError(f"{it}: {place_text(place)} is not a place of this board")
    if to_win < PAWNS and _count_home(ruleset, pawns) > to_win:
        raise PositionError(f"{it} has too many pawns home: {to_win} are enough to win")
    ordered = order_pawns(pawns, this)
    if pawns != ordered:
        right = ",".join(map(place_text, ordered))
        raise PositionError(f"{it} is not from most to least advanced: write {right}")
    return pawns
