"""Seeded draws of rule sets, positions and throws, as the analysis protocol writes them.

Draws positions in which pawns meet: pairs, full entries, guests on safety spaces, pawns near home.
Every draw is legal to ask about; keeps out play.
"""

import random
from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement
from typing import Any

from tests.rules.from_the_texts import (
    NEST,
    OPTIONS,
    PRESETS,
    Board,
    Options,
    Spot,
    is_refused,
    may_stand,
    options_of,
    position_of,
    position_text,
)

SEATS = (0, 1, 2, 3)
Pawns = dict[int, list[int]]


def any_options(rng: random.Random) -> Options:
    """A preset with some of its fields replaced, possible or not."""
    names = rng.sample(list(OPTIONS), rng.choice((1, 2, 3, 5, 8)))
    changes = {name: rng.choice(OPTIONS[name]) for name in names}
    return {"preset": rng.choice(list(PRESETS)), **changes}


def house_rules(rng: random.Random) -> Options:
    """Such options, drawn anew until they are possible."""
    while True:
        ruleset = any_options(rng)
        if not is_refused(options_of(ruleset)):
            return ruleset


def single_changes() -> list[Options]:
    """Each preset with one option at each other value, where that is not refused."""
    return [
        ruleset
        for preset, options in PRESETS.items()
        for name, values in OPTIONS.items()
        for value in values
        for ruleset in [{"preset": preset, name: value}]
        if value != options[name] and not is_refused(options_of(ruleset))
    ]


def throws(options: Options) -> list[list[int]]:
    """Every throw there is, the larger die first."""
    faces = range(6, 0, -1) if options["lots"] == "dice" else range(6, -1, -1)
    return [list(throw) for throw in combinations_with_replacement(faces, options["dice"])]


def throw(rng: random.Random, options: Options) -> list[int]:
    """A throw in either order; what enters, goes on or is a doublet comes often."""
    if options["lots"] != "dice":
        return [rng.choice((0, 1, 2, 3, 4, 5, 6, 1, 5))]
    if options["dice"] == 1:
        return [rng.choice((1, 2, 3, 4, 5, 5, 6, 6, 6, options["entry_also"] or 6))]
    one = rng.randint(1, 6)
    return rng.choice(([one, one], [one, rng.randint(1, 6)], [rng.randint(1, 6), 5]))


def throw_by_chance(rng: random.Random, options: Options) -> list[int]:
    """A throw with the chances of real dice and shells."""
    if options["lots"] != "dice":
        return [rng.getrandbits(6).bit_count()]
    return [rng.randint(1, 6) for _ in range(options["dice"])]


class Pools:
    """From which places the pawns of a seat are drawn, by the kind of position."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self.board = board
        first, size = rng.randrange(board.ring), rng.choice((6, 12, 20, 28))
        self.part = {(first + space) % board.ring for space in range(size)}
        self.end = [board.home - 1, board.home - 2] if board.is_goal else [board.home]
        self.row = list(range(board.tip + 1, board.home))
        self.out = list(range(1, board.entry))

    def steps_on(self, seat: int, spaces: Iterable[Spot]) -> list[int]:
        ring = range(self.board.first_on_ring, self.board.tip + 1)
        return [place for place in ring if self.board.spot(seat, place) in spaces]

    def anywhere(self, seat: int) -> list[list[int]]:
        ring = self.steps_on(seat, range(self.board.ring))
        return [[NEST], ring, ring, ring, self.row, self.out or ring, self.end]

    def crowded(self, seat: int) -> list[list[int]]:
        """All four seats on the ring, most pawns in one part of it."""
        part, ring = self.steps_on(seat, self.part), self.steps_on(seat, range(self.board.ring))
        return [part or ring, part or ring, part or ring, part or ring, ring]

    def entries(self, seat: int) -> list[list[int]]:
        """Pawns in nests and on the entries, their own and the others'."""
        entries = self.steps_on(seat, [other * self.board.arm for other in SEATS])
        start = [self.board.entry]
        return [[NEST], [NEST], [NEST], start, entries, entries, self.out or start]

    def guests(self, seat: int) -> list[list[int]]:
        """Pawns on safety spaces and a few spaces before them."""
        safe = self.board.safe or {other * self.board.arm for other in SEATS}
        before = {(space - back) % self.board.ring for space in safe for back in range(1, 7)}
        held = self.steps_on(seat, safe)
        return [held, held, held, self.steps_on(seat, before), [NEST], self.row]

    def near_home(self, seat: int) -> list[list[int]]:
        """Pawns about their tips, in their rows and home."""
        near = list(range(self.board.tip - 8, self.board.tip + 1))
        return [near, near, self.row, self.row, self.end, self.end, self.end]

    def way_out(self, seat: int) -> list[list[int]]:
        """Pawns on the way out, or all in the nest and about the entry."""
        entry, tip = self.board.entry, self.board.tip
        about = [entry, entry + 1, entry + 2, entry + 4, entry + 9, tip, tip - 4]
        return [self.out or [NEST], self.out or [entry], [NEST], [NEST], about, about]


KINDS: dict[str, Callable[[Pools, int], list[list[int]]]] = {
    "anywhere": Pools.anywhere,
    "crowded": Pools.crowded,
    "entries": Pools.entries,
    "guests": Pools.guests,
    "near home": Pools.near_home,
    "way out": Pools.way_out,
}


def placed(
    rng: random.Random, options: Options, board: Board, seats: list[int], kind: str
) -> Pawns:
    """Pawns put down in turns where they may stand; a pair where another pawn is, now and then."""
    pools = Pools(board, rng)
    pawns: Pawns = {seat: [] for seat in seats}
    for seat in rng.sample(seats * 4, 4 * len(seats)):
        pool = rng.choice(KINDS[kind](pools, seat))
        if pawns[seat] and rng.random() < 0.2:
            pool = pawns[seat]
        for place in (*rng.choices(pool, k=4), NEST):
            pawns[seat].append(place)
            if may_stand(options, board, [pawns.get(seat, ()) for seat in SEATS]):
                break
            pawns[seat].pop()
    return pawns


def position(rng: random.Random, options: Options, kind: str | None = None) -> tuple[str, int]:
    """A position's text and a seat to throw in it that has not finished."""
    board = Board(options)
    while True:
        chosen = kind or rng.choice(list(KINDS))
        all_play = options["partners"] or chosen == "crowded"
        seats = rng.sample(SEATS, 4 if all_play else rng.choice((2, 2, 3, 4, 4, 4, 4)))
        pawns = placed(rng, options, board, seats, chosen)
        playing = [seat for seat, own in pawns.items() if not board.has_finished(own)]
        finished = len(seats) - len(playing)
        if playing and finished <= options["partners"]:
            text = position_text(board, [pawns.get(seat, ()) for seat in SEATS])
            return text, rng.choice(playing)


def history(rng: random.Random, options: Options, text: str, seat: int) -> dict[str, Any]:
    """What the throws before decide, where the rule set asks for it: `late`, `last`, `tries`."""
    board = Board(options)
    seats = position_of(board, text)
    known: dict[str, Any] = {}
    if options["entry_captures"] == "full" and rng.random() < 0.7:
        known["late"] = late(rng, board, seats)
    movable = [place for place in seats[seat] if place not in (NEST, board.home)]
    if options["third_doublet"] == "last-moved" and movable and rng.random() < 0.7:
        known["last"] = board.text(rng.choice(movable))
    if options["tries"] == 3 and not any(map(board.on_ring, seats[seat])) and rng.random() < 0.7:
        known["tries"] = rng.choice((0, 1, 2))
    return known


def late(rng: random.Random, board: Board, seats: Iterable[Iterable[int]]) -> list[list[int]]:
    """One of its seats for each shared space, now and then none."""
    standing: dict[Spot, set[int]] = {}
    for seat, pawns in enumerate(seats):
        for place in filter(board.on_ring, pawns):
            standing.setdefault(board.spot(seat, place), set()).add(seat)
    return [
        [space, rng.choice(sorted(there))]
        for space, there in sorted(standing.items())
        if len(there) > 1 and rng.random() < 0.8
    ]


def request(rng: random.Random, ruleset: str | Options, kind: str | None = None) -> dict[str, Any]:
    """One request line's content."""
    options = options_of(ruleset)
    text, seat = position(rng, options, kind)
    known = history(rng, options, text, seat)
    return {
        "ruleset": ruleset,
        "position": text,
        "seat": seat,
        "throw": throw(rng, options),
        "doublets": 0 if known.get("tries") else rng.choice((0, 0, 0, 1, 2)),
        **known,
    }
