"""The boards: a seat's way as data, and the routes on it.

A place is one number, counted by the pawn's own seat: `NEST`, a ring step from 0 (the seat's entry
space), a home-row step `ROW + 1` and so on, or `HOME`. On a board with a way out, its steps come
between `NEST` and 0. NOTATION.md has their text.

A set of spaces is an integer with a bit for each space, as one seat counts them. On a ring of 68:

    place   0   1   2  ...  67 | r1  ...  r7 | o1  ...  o7    nest and home have no bit
    bit     0   1   2  ...  67 | 68  ...  74 | 75  ...  81

So one `&` checks all spaces of a way at once. From 10 by 6, with a blockade on 13:

    way       bits 11 to 16       landed  bit 16
    blocked   bit 13              way & blocked is not 0, so the way is barred
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import Final, NamedTuple

from .errors import InputError

# Where a constant is final, mypyc puts its value into the code. These are the numbers of
# places, the same on every board, because the text of a step does not name its board.
NEST: Final = -8
ROW: Final = 100  # r1 is 101
HOME: Final = 108  # H; `Board.home` has the places where a pawn is home
SEATS: Final = 4
SEAT_LETTERS = "ABCD"


class Route(NamedTuple):
    """One way for a pawn to advance.

    A pawn does not stand in its own way: where it comes back to its place, `landed` is 0, and `way`
    leaves the space out if two pawns of a seat bar their own (`routes`).
    """

    target: int  # the place where it ends
    way: int  # all its spaces, as bits
    landed: int  # its last space, as a bit

    @property
    def passed(self) -> int:
        """All spaces of the way but the last, as bits."""
        return self.way & ~self.landed


class Walk(NamedTuple):
    """The same way with the spaces that the pawn touches in turn, some of them perhaps twice."""

    target: int
    passed: int  # all spaces before the last, as bits, also where the last is one of them
    landed: int  # as that of a route
    places: tuple[int, ...]  # in order


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A layout of the board (NOTATION.md), all counts in spaces."""

    name: str
    arm: int  # from one seat's entry to the next
    ring: int  # once round
    last: int  # the ring step in front of the home row, the seat's tip
    row: int  # the length of a home row
    guard: int | None  # from a tip to the safety spaces beside it, where these have such a rule
    way: tuple[int, ...]  # the places of a seat's way in order, from the nest to the end
    circuit: tuple[Mapping[int, int], ...]  # by seat and ring step, also beyond its tip: the space
    places: tuple[int, ...]  # all that a pawn can have
    home: frozenset[int]  # those where it is home
    end: int  # where it stays
    safety: Mapping[str, frozenset[int]]  # the ring spaces that the option `safety` may name
    stars: tuple[int, ...]  # the ring spaces with a star, in order, if the option asks for them
    to_go: Mapping[int, int]  # the spaces to the end, by the place
    longest: int  # the longest increment that is thrown or earned on it

    @property
    def is_goal(self) -> bool:
        """Whether the home row is the pawns' home: there is no space beyond it."""
        return HOME not in self.home

    @property
    def has_way_out(self) -> bool:
        """Whether pawns wait in the centre, from which a way leads out to the ring."""
        return NEST + 1 in self.to_go

    def space(self, seat: int, place: int) -> int | None:
        """Return the ring space of a seat's place; None for every other place."""
        return self.circuit[seat].get(place)

    def bit(self, place: int) -> int:
        """Return the bit of the space that a place is on, seen from its seat; 0 for nest and home.

        Ring step t has bit t mod ring, so that steps 0 and 68 of `tip-entry` share one.
        """
        if place in (NEST, HOME):
            return 0
        if place < 0:
            number = self.ring + self.row + place - NEST - 1
        else:
            number = place % self.ring if place < ROW else self.ring + place - ROW - 1
        return int(1 << number)

    def seen_from(self, seat: int, space: int) -> int:
        """Return the ring step, 0 to ring - 1, at which `seat` counts a ring space."""
        return (space - seat * self.arm) % self.ring

    def spaces_to_go(self, place: int) -> int:
        """Return the spaces that a pawn still has to go to the end; the most from the nest."""
        return self.to_go[place]

    def past_entry(self, space: int) -> tuple[int, int]:
        """Return the seat whose entry is the last before a ring space, and the spaces past it."""
        return divmod(space, self.arm)


# --- the layouts ---------------------------------------------------------------------------------


def _lay_out(
    name: str,
    arm: int,
    entry_offset: int,
    *,
    guard: int | None = None,
    row: int = 7,
    out: int = 0,
    home: bool = True,
    globe: int | None = None,
    stars: tuple[int, ...] = (),
    longest: int = 20,
) -> Board:
    """Return a board of four equal arms.

    entry_offset: from a seat's tip to its entry. row, out: the lengths of home row and way out.
    home: whether pawns leave the row for home; otherwise the row is their home.
    globe, stars: how far past each entry there are one more safety space, which the option calls
    `entries-stars`, and the stars. longest: the longest increment, usually that of a capture.
    """
    ring = SEATS * arm
    last = ring - entry_offset
    in_row = range(ROW + 1, ROW + row + 1)
    way = (*range(NEST, NEST + out + 1), *range(last + 1), *in_row, *[HOME] * home)
    steps = range(max(ring, last + 1))
    to_go = {place: len(way) - 1 - number for number, place in enumerate(way)}
    beyond = {step: ring - step + to_go[0] for step in steps if step > last}
    tips = [(seat * arm + last) % ring for seat in range(SEATS)]
    entries = frozenset(seat * arm for seat in range(SEATS))
    safety = {"entries": entries, "tips": frozenset(tips), "none": frozenset[int]()}
    if guard is not None:
        beside = ((tip + side * guard) % ring for tip in tips for side in (-1, 0, 1))
        safety["twelve"] = frozenset(beside)
    if globe is not None:
        safety["entries-stars"] = entries | {entry + globe for entry in entries}
    circuit = tuple({t: (seat * arm + t) % ring for t in steps} for seat in range(SEATS))
    homes = frozenset({HOME} if home else way[-row:])
    starred = tuple(sorted(entry + past for entry in entries for past in stars))
    to_go |= {**beyond, NEST: 2 * ring}
    places, end = (*way, *beyond), way[-1]
    lengths = arm, ring, last, row, guard
    return Board(name, *lengths, way, circuit, places, homes, end, safety, starred, to_go, longest)


_LAYOUTS = (
    _lay_out("standard", arm=17, entry_offset=5, guard=5),
    _lay_out("corner-64", arm=16, entry_offset=5, guard=5),
    _lay_out("pachisi", arm=17, entry_offset=4, guard=4),
    _lay_out("tip-entry", arm=17, entry_offset=0, guard=5),
    _lay_out("ludo-52", arm=13, entry_offset=2, row=5, globe=8, stars=(4, 11)),
    _lay_out("ring-40", arm=10, entry_offset=1, row=4, home=False),
    _lay_out("ring-28", arm=7, entry_offset=1, row=4, home=False),
    _lay_out("ring-56", arm=14, entry_offset=1, row=6),
    _lay_out("cross", arm=17, entry_offset=0, guard=4, out=7, longest=25),
)
BOARDS = {board.name: board for board in _LAYOUTS}


def board(layout: str) -> Board:
    """Return the board of a layout's name."""
    return BOARDS[layout]


def safety_spaces(layout: str, safety: str) -> frozenset[int]:
    """Return the ring spaces that are safety spaces under the option `safety`."""
    return board(layout).safety[safety]


def star_spaces(layout: str, stars: str) -> tuple[int, ...]:
    """Return the ring spaces that are stars under the option `stars`, in order."""
    return board(layout).stars if stars == "jump" else ()


# --- tables of bits and routes -------------------------------------------------------------------

INDEXES: Final = (*range(HOME + 1), *range(NEST, 0))  # of a tuple by place; Python counts back


@cache
def bits(layout: str) -> tuple[int, ...]:
    """Return each place's bit, indexed by the place."""
    this = board(layout)
    return tuple(this.bit(place) if place in this.to_go else 0 for place in INDEXES)


@cache
def seen_bits(layout: str) -> tuple[tuple[int, ...], ...]:
    """Return the bits that a seat has for another's ring places, by how many seats further it sits.

    Each item, for 0 to 3 seats further, is indexed like `bits`. Other seats' home rows have no bit.
    """
    this = board(layout)
    spaces = [[this.space(further, place) for place in INDEXES] for further in range(SEATS)]
    return tuple(tuple(0 if one is None else 1 << one for one in view) for view in spaces)


@cache
def walks(
    layout: str, second_circuit: bool, overshoot: str = "stop", row_by: str = "count"
) -> dict[int, tuple[tuple[Walk, ...], ...]]:
    """Return the walks from each place but home: a tuple indexed by the number of spaces.

    The arguments are the options of these names. With `over`, a number that ends in the goal has a
    walk to each of its spaces that it reaches, the furthest first; the first that is free counts.
    """
    this, bit = board(layout), bits(layout)
    starts = [place for place in this.places if place != HOME]
    if not second_circuit:
        starts = [place for place in starts if not this.last < place < ROW]
    return {
        start: tuple(
            tuple(
                Walk(
                    walk[-1],
                    passed=reduce(or_, [bit[place] for place in walk[:-1]], 0),
                    landed=bit[walk[-1]] if walk[-1] != start else 0,
                    places=walk,
                )
                for walk in _walks(this, start, spaces, second_circuit, overshoot, row_by)
            )
            for spaces in range(this.longest + 1)
        )
        for start in starts
    }


@cache
def routes(
    layout: str,
    second_circuit: bool,
    overshoot: str = "stop",
    row_by: str = "count",
    bars_own: bool = False,
) -> dict[int, tuple[tuple[Route, ...], ...]]:
    """Return the routes from each place but home, as `walks` does, for the same options.

    bars_own: whether a pawn that goes back may pass its place.
    """
    bit = bits(layout)

    def route(start: int, walk: Walk) -> Route:
        way = walk.passed | bit[walk.target]
        if bars_own and start in walk.places:
            way &= ~bit[start]
        return Route(walk.target, way, walk.landed)

    return {
        start: tuple(tuple(route(start, walk) for walk in length) for length in lengths)
        for start, lengths in walks(layout, second_circuit, overshoot, row_by).items()
    }


def _walks(
    this: Board, start: int, spaces: int, second_circuit: bool, overshoot: str, row_by: str
) -> list[tuple[int, ...]]:
    """Return the places of each walk of so many `spaces`: towards home, then round again."""
    walks: list[tuple[int, ...]] = []
    if not spaces:
        return walks
    way = this.way
    if row_by == "ladder":
        foot = way.index(this.last)
        rung = way.index(start) - foot
        if rung >= 0:
            return [way[foot + rung + 1 :][:1]] * (spaces == min(rung + 1, this.row))
        way = way[: foot + 1]
    if start in way:
        begin = way.index(start) + 1
        walk = way[begin : begin + spaces]
        rest = spaces - len(walk)
        if overshoot == "over" and this.is_goal:
            ends = [n for n in range(len(walk), 0, -1) if walk[n - 1] in this.home]
            walks += [walk[:n] for n in ends] or [walk] * (not rest)
        elif overshoot == "back" and walk:
            walks.append(walk + way[-2 : -2 - rest : -1])
        elif walk and (overshoot == "over" or not rest):
            walks.append(walk)
    if second_circuit and row_by == "count" and 0 <= start < ROW and start + spaces > this.last:
        walks.append(tuple((start + n) % this.ring for n in range(1, spaces + 1)))
    return walks


# --- places as text ------------------------------------------------------------------------------

PLACE_TEXTS: Final = {
    NEST: "N",
    **{NEST + step: f"o{step}" for step in range(1, -NEST)},
    **{step: str(step) for step in range(max(len(board.circuit[0]) for board in BOARDS.values()))},
    **{ROW + step: f"r{step}" for step in range(1, HOME - ROW)},
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
        raise InputError(f"{text!r} is not a place: write N, a ring step such as 12, r1 to r7 or H")
    return place
