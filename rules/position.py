"""Positions: where all pawns are; writes and parses their text. Knows no turns and no dice.

NOTATION.md has the text form.
"""

from functools import lru_cache
from typing import Final

from .board import HOME, NEST, PLACE_TEXTS, ROW, SEATS, Board, board, parse_place, place_text
from .ruleset import RuleSet

Pawns = tuple[int, ...]
Position = tuple[Pawns, Pawns, Pawns, Pawns]
PAWNS: Final = 4


class PositionError(ValueError):
    """A position that can't be: one sentence that says what is wrong and where."""


def starting_position(seats: tuple[int, ...]) -> Position:
    """Return the position in which a game opens: every pawn of the given seats in its nest."""
    a, b, c, d = ((NEST,) * PAWNS if seat in seats else () for seat in range(SEATS))
    return a, b, c, d


def order_pawns(pawns: tuple[int, ...], on: Board) -> Pawns:
    """Return one seat's pawns from most to least advanced."""
    return tuple(sorted(pawns, key=on.spaces_to_go))


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
    this = board(ruleset.layout)
    owners: dict[str, list[int]] = {}
    for seat, pawns in enumerate((a, b, c, d)):
        for place in pawns:
            if place not in (NEST, HOME):
                space = this.space(seat, place)
                row = f"r{place - ROW} of seat {seat}"
                owners.setdefault(row if space is None else f"ring space {space}", []).append(seat)
    for where, (first, *others) in owners.items():
        if set(others) - {first}:
            raise PositionError(f"position has pawns of seats {first} and {others[-1]} on {where}")
        if len(others) > 1:
            raise PositionError(
                f"position has {1 + len(others)} pawns on {where}: at most two may stand there"
            )
    return a, b, c, d


def _parse_pawns(text: str, seat: int, ruleset: RuleSet) -> Pawns:
    if text == "-":
        return ()
    try:
        pawns = tuple(parse_place(part) for part in text.split(","))
    except ValueError as error:
        raise PositionError(f"position of seat {seat}: {error}") from None
    if len(pawns) != PAWNS:
        raise PositionError(
            f"position of seat {seat} has {len(pawns)} pawns in {text!r}: write four"
        )
    this = board(ruleset.layout)
    highest = this.ring - 1 if ruleset.second_circuit else this.last
    for place in pawns:
        if highest < place < ROW:
            raise PositionError(
                f"position of seat {seat}: ring step {place} is not on this board, "
                f"whose steps are 0 to {highest}"
            )
    if pawns != order_pawns(pawns, this):
        right = ",".join(map(place_text, order_pawns(pawns, this)))
        raise PositionError(
            f"position of seat {seat} is not from most to least advanced: write {right}"
        )
    return pawns
