"""Seeded draws of the relatives' rule sets, positions and throws, as requests.

Draws positions in which pawns meet: guests on safety spaces, full entries, pairs, pawns near home.
"""

import random
from collections.abc import Callable
from typing import Any

from tests.rules import draw
from tests.rules.brute_force import (
    HOME,
    NEST,
    OUT,
    ROW,
    Options,
    place_text,
    position_of,
    position_text,
)
from tests.rules.relatives_brute_force import (
    PRESETS,
    RELATIVES,
    RelativesBoard,
    impossible,
    is_valid,
    options_of,
)

SEATS = draw.SEATS

NEW_VALUES: dict[str, list[Any]] = {
    "layout": [*draw.VALUES["layout"], "ludo-52", "ring-40", "cross"],
    "safety": [*draw.VALUES["safety"], "entries-stars"],
    "stacking": ["two", "one", "any"],
    "pairs": ["blockade", "wall", "immune", "none"],
    "safety_shared": ["no", "two", "any"],
    "entry_captures": ["lone", "full", "landing"],
    "partners": [False, True],
    "row_jump": [True, False],
    "lots": ["dice", "cowries-mitra", "cowries-modern"],
    "grace": ["none", "value", "enter"],
    "free_entry": [False, True],
    "entry_by": [*draw.VALUES["entry_by"], "lots"],
    "entry_also": [0, 1, 2, 3, 4, 5, 6],
    "third_doublet": [*draw.VALUES["third_doublet"], "last-moved"],
    "again_capture": [False, True],
    "again_home": [False, True],
    "tries": [1, 3],
    "start_out": [0, 1, 2],
    "usage": [*draw.VALUES["usage"], "free"],
    "open_blockade": ["never", "doublet"],
    "clear_entry": [False, True],
}
TURNS: dict[str, list[Any]] = {
    "starter": ["highest-total", "lowest-die", "highest-die", "choose"],
    "turn_order": ["left", "right"],
}
VALUES = draw.VALUES | NEW_VALUES | TURNS


def single_changes() -> list[Options]:
    """Each relative with one new option at each other value, where that is not refused."""
    return [
        ruleset
        for preset in RELATIVES
        for name, values in NEW_VALUES.items()
        for value in values
        if options_of(preset)[name] != value
        for ruleset in [{"preset": preset, name: value}]
        if not impossible(options_of(ruleset))
    ]


def any_options(rng: random.Random) -> Options:
    """A preset with some of its fields replaced, possible or not, new options more often."""
    preset = rng.choice([*PRESETS, *RELATIVES, *RELATIVES])
    names = rng.sample(list(VALUES), rng.choice((1, 2, 3, 5, 8)))
    names += rng.sample(list(NEW_VALUES), rng.choice((1, 2, 3)))
    return {"preset": preset, **{name: rng.choice(VALUES[name]) for name in names}}


def house_rules(rng: random.Random) -> Options:
    """Such options, drawn anew until they are possible."""
    while True:
        ruleset = any_options(rng)
        if not impossible(options_of(ruleset)):
            return ruleset


def throw(rng: random.Random, options: Options) -> list[int]:
    """A throw in which what enters, goes on or is a doublet is frequent."""
    if options["lots"] != "dice":
        return [rng.choice((0, 1, 2, 3, 4, 5, 6, 1, 5))]
    if options["dice"] == 1:
        return [rng.choice((1, 2, 3, 4, 5, 5, 6, 6, 6, options["entry_also"] or 6))]
    return draw.throw(rng, options)


def throw_by_chance(rng: random.Random, options: Options) -> list[int]:
    """A throw with the chances of real dice and shells."""
    if options["lots"] != "dice":
        return [rng.getrandbits(6).bit_count()]
    return [rng.randint(1, 6) for _ in range(options["dice"])]


def position_of_pawns(board: RelativesBoard, pawns: dict[int, list[int]]) -> str:
    return position_text(board, tuple(tuple(pawns.get(seat, ())) for seat in SEATS))


class Pools:
    """From which places the pawns of a seat are drawn, by the kind of position."""

    def __init__(self, board: RelativesBoard, rng: random.Random) -> None:
        self.board, self.rng = board, rng
        first, size = rng.randrange(board.ring), rng.choice((6, 12, 20))
        self.part = {(first + space) % board.ring for space in range(size)}
        self.end = [HOME] if board.has_home else [ROW + board.row, ROW + board.row - 1]
        self.row = [ROW + step for step in range(1, board.row + 1)]
        self.out = [OUT + step for step in range(1, board.out + 1)]

    def steps_on(self, seat: int, spaces: set[int]) -> list[int]:
        ring = [place for place in self.board.places() if self.board.on_ring(place)]
        return [place for place in ring if self.board.ring_space(seat, place) in spaces]

    def anywhere(self, seat: int) -> list[list[int]]:
        ring = self.steps_on(seat, set(range(self.board.ring)))
        return [[NEST], ring, ring, ring, self.row, self.out or ring, self.end]

    def crowded(self, seat: int) -> list[list[int]]:
        """Most pawns in one part of the ring."""
        part = self.steps_on(seat, self.part)
        return [part, part, part, part, part, [NEST], self.row]

    def entries(self, seat: int) -> list[list[int]]:
        """Pawns in nests and on the entries, their own and the others'."""
        entries = self.steps_on(seat, self.board.entries)
        return [[NEST], [NEST], [NEST], [0], entries, entries, self.out or [0]]

    def guests(self, seat: int) -> list[list[int]]:
        """Pawns on safety spaces and a few spaces before them."""
        safe = self.board.safe or self.board.entries
        before = {space - back for space in safe for back in range(1, 7)}
        held = self.steps_on(seat, safe)
        return [held, held, held, self.steps_on(seat, before), [NEST], self.row]

    def near_home(self, seat: int) -> list[list[int]]:
        """Pawns about their tips, in their rows and home."""
        near = list(range(self.board.last - 8, self.board.last + 1))
        return [near, near, self.row, self.row, self.row, self.end, self.end]

    def way_out(self, seat: int) -> list[list[int]]:
        """Pawns on the way out, or all in the nest and about the entry."""
        about = [0, 1, 2, 4, 9, self.board.last, self.board.last - 4]
        return [self.out or [NEST], self.out or [0], [NEST], [NEST], about, about]


KINDS: dict[str, Callable[[Pools, int], list[list[int]]]] = {
    "anywhere": Pools.anywhere,
    "crowded": Pools.crowded,
    "entries": Pools.entries,
    "guests": Pools.guests,
    "near home": Pools.near_home,
    "way out": Pools.way_out,
}


def placed(
    rng: random.Random, options: Options, board: RelativesBoard, seats: list[int], kind: str
) -> dict[int, list[int]]:
    """Pawns put down in turns where they may stand; a pair where another pawn is, now and then."""
    pools = Pools(board, rng)
    pawns: dict[int, list[int]] = {seat: [] for seat in seats}
    for seat in rng.sample(seats * 4, 4 * len(seats)):
        pool = rng.choice(KINDS[kind](pools, seat))
        if pawns[seat] and rng.random() < 0.2:
            pool = pawns[seat]
        for place in (rng.choice(pool), rng.choice(pool), NEST):
            pawns[seat].append(place)
            if may_stand(options, board, pawns):
                break
            pawns[seat].pop()
    return pawns


def may_stand(options: Options, board: RelativesBoard, pawns: dict[int, list[int]]) -> bool:
    """Whether pawns may stand so as far as they are put down."""
    every = {seat: pawns.get(seat) or [NEST] for seat in SEATS}
    return is_valid(options, position_of_pawns(board, every))


def position(rng: random.Random, options: Options, kind: str | None = None) -> tuple[str, int]:
    """A position's text and a seat to throw in it that has not finished."""
    board = RelativesBoard(options)
    while True:
        count = 4 if options["partners"] else rng.choice((1, 2, 2, 3, 4, 4, 4, 4))
        pawns = placed(
            rng, options, board, rng.sample(SEATS, count), kind or rng.choice(list(KINDS))
        )
        finished = [seat for seat, own in pawns.items() if board.has_finished(tuple(own))]
        playing = [seat for seat in pawns if seat not in finished]
        over = finished and not (options["partners"] and len(finished) == 1)
        if playing and not over:
            return position_of_pawns(board, pawns), rng.choice(playing)


def history(rng: random.Random, options: Options, text: str, seat: int) -> dict[str, Any]:
    """What the throws before decide, where the rule set asks for it: `late`, `last`, `tries`."""
    board = RelativesBoard(options)
    seats = position_of(text)
    known: dict[str, Any] = {}
    if options["entry_captures"] == "full" and rng.random() < 0.7:
        known["late"] = late(rng, board, seats)
    movable = [place for place in seats[seat] if place not in (NEST, HOME)]
    if options["third_doublet"] == "last-moved" and movable and rng.random() < 0.7:
        known["last"] = place_text(rng.choice(movable))
    on_ring = any(board.on_ring(place) for place in seats[seat])
    if options["tries"] == 3 and not on_ring and rng.random() < 0.7:
        known["tries"] = rng.choice((0, 1, 2))
    return known


def late(
    rng: random.Random, board: RelativesBoard, seats: tuple[tuple[int, ...], ...]
) -> list[list[int]]:
    """One of its seats for each shared space, now and then none."""
    standing: dict[int, set[int]] = {}
    for seat, pawns in enumerate(seats):
        for place in filter(board.on_ring, pawns):
            standing.setdefault(board.ring_space(seat, place), set()).add(seat)
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
