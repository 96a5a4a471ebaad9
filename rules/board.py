"""The boards: places of a pawn, ring spaces and the routes between them.

A place is one number, counted by the pawn's own seat: `NEST`, a ring step from 0 (the seat's entry
space), a home-row step `ROW + 1` to `ROW + 7`, or `HOME`. NOTATION.md has their text.

A set of spaces is an integer with a bit for each space, as one seat counts them. On a ring of 68:

    place   0   1   2  ...  67 | r1  ...  r7    nest and home have no bit
    bit     0   1   2  ...  67 | 68  ...  74

So one `&` checks all spaces of a way at once. From 10 by 6, with a blockade on 13:

    way       bits 11 to 16       landed  bit 16
    blocked   bit 13              way & blocked is not 0, so the way is barred
"""

from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import Final, NamedTuple

# Where a constant is final, `make compiled` puts its value into the code.
NEST: Final = -1
ROW: Final = 100  # r1 is 101, r7 is 107
HOME: Final = 108
ROW_LENGTH: Final = 7
SEATS: Final = 4
SEAT_LETTERS = "ABCD"
LONGEST_ROUTE = 20  # the capture bonus

PLACES: tuple[int, ...] = (NEST, *range(69), *range(ROW + 1, HOME + 1))


class Route(NamedTuple):
    """One way for a pawn to advance.

    target: the place where it ends. way: all its spaces, as bits. landed: its last space, as a bit.
    """

    target: int
    way: int
    landed: int

    @property
    def passed(self) -> int:
        """All spaces of the way but the last, as bits."""
        return self.way & ~self.landed


@dataclass(frozen=True, slots=True)
class Board:
    """A layout of the board (NOTATION.md), all counts in spaces.

    arm: from one seat's entry to the next. entry_offset: from a seat's tip to its entry.
    guard: from a tip to the safety spaces beside it. ring: once round.
    last: the ring step in front of the home row, the seat's tip.
    """

    name: str
    arm: int
    entry_offset: int
    guard: int
    ring: int
    last: int

    def space(self, seat: int, place: int) -> int | None:
        """Return the ring space of a seat's place; None for nest, home row and home."""
        return (seat * self.arm + place) % self.ring if 0 <= place < ROW else None

    def bit(self, place: int) -> int:
        """Return the bit of the space that a place is on, seen from its seat; 0 for nest and home.

        Ring step t has bit t mod ring, so that steps 0 and 68 of `tip-entry` share one.
        """
        if place in (NEST, HOME):
            return 0
        number = place % self.ring if place < ROW else self.ring + place - ROW - 1
        return int(1 << number)

    def seen_from(self, seat: int, space: int) -> int:
        """Return the ring step, 0 to ring - 1, at which `seat` counts a ring space."""
        return (space - seat * self.arm) % self.ring

    def spaces_to_go(self, place: int) -> int:
        """Return the spaces that a pawn still has to go; the most from the nest."""
        if place == NEST:
            return 2 * self.ring
        if place > ROW:
            return HOME - place
        on_ring = self.last - place if place <= self.last else self.ring - place + self.last
        return on_ring + ROW_LENGTH + 1


def _lay_out(name: str, arm: int, entry_offset: int, guard: int) -> Board:
    ring = SEATS * arm
    return Board(name, arm, entry_offset, guard, ring, last=ring - entry_offset)


BOARDS = {
    board.name: board
    for board in (
        _lay_out("standard", arm=17, entry_offset=5, guard=5),
        _lay_out("corner-64", arm=16, entry_offset=5, guard=5),
        _lay_out("pachisi", arm=17, entry_offset=4, guard=4),
        _lay_out("tip-entry", arm=17, entry_offset=0, guard=5),
    )
}


def board(layout: str) -> Board:
    """Return the board of a layout's name."""
    return BOARDS[layout]


@cache
def safety_spaces(layout: str, safety: str) -> frozenset[int]:
    """Return the ring spaces that are safety spaces under the option `safety`."""
    this = board(layout)
    tips = [(seat * this.arm + this.last) % this.ring for seat in range(SEATS)]
    entries = [seat * this.arm for seat in range(SEATS)]
    twelve = [(tip + side * this.guard) % this.ring for tip in tips for side in (-1, 0, 1)]
    return frozenset({"twelve": twelve, "entries": entries, "tips": tips, "none": []}[safety])


@cache
def bits(layout: str) -> tuple[int, ...]:
    """Return each place's bit, indexed by the place (-1, the nest, is the last item)."""
    this = board(layout)
    known = {place: this.bit(place) for place in PLACES}
    return tuple(known.get(place, 0) for place in (*range(HOME + 1), NEST))


@cache
def seen_bits(layout: str) -> tuple[tuple[int, ...], ...]:
    """Return the bits that a seat has for another's ring places, by how many seats further it sits.

    Each item, for 0 to 3 seats further, is indexed like `bits`. Other seats' home rows have no bit.
    """
    this = board(layout)
    views = []
    for further in range(SEATS):
        spaces = [this.space(further, place) for place in (*range(HOME + 1), NEST)]
        views.append(tuple(0 if space is None else 1 << space for space in spaces))
    return tuple(views)


@cache
def routes(layout: str, second_circuit: bool) -> dict[int, tuple[tuple[Route, ...], ...]]:
    """Return the routes from each place on the board: a tuple indexed by the number of spaces."""
    this = board(layout)
    ring_steps = range(this.ring if second_circuit else this.last + 1)
    starts = (*ring_steps, *range(ROW + 1, HOME))
    return {
        start: tuple(
            tuple(_walks(this, start, n, second_circuit)) for n in range(LONGEST_ROUTE + 1)
        )
        for start in starts
    }


def _walks(this: Board, start: int, spaces: int, second_circuit: bool) -> list[Route]:
    """Return the routes of so many `spaces` from `start`: towards home, then round again."""
    if spaces == 0:
        return []
    ahead = range(1, spaces + 1)
    round_again = [(start + n) % this.ring for n in ahead]
    if start > ROW:
        ways = [[start + n for n in ahead]]
    elif start > this.last:
        ways = [round_again]
    else:
        steps = (start + n for n in ahead)
        ways = [[step if step <= this.last else ROW + step - this.last for step in steps]]
        if second_circuit and start + spaces > this.last:
            ways.append(round_again)
    routes = []
    for way in ways:
        if way[-1] <= HOME:
            bits = reduce(or_, map(this.bit, way))
            routes.append(Route(way[-1], bits, this.bit(way[-1])))
    return routes


PLACE_TEXTS: Final = {
    **{place: str(place) for place in PLACES},
    **{ROW + step: f"r{step}" for step in range(1, ROW_LENGTH + 1)},
    NEST: "N",
    HOME: "H",
}
PLACE_OF_TEXT = {text: place for place, text in PLACE_TEXTS.items()}


def place_text(place: int) -> str:
    """Return a place as NOTATION.md writes it: `N`, `12`, `r3`, `H`."""
    return PLACE_TEXTS[place]


def parse_place(text: str) -> int:
    """Return the place that a text names. Raises ValueError if the text is not a place."""
    place = PLACE_OF_TEXT.get(text)
    if place is None:
        raise ValueError(f"{text!r} is not a place: write N, a ring step such as 12, r1 to r7 or H")
    return place
