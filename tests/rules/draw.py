"""Seeded draws of rule sets, positions and throws as the analysis protocol writes them.

Keeps out play: every draw is legal to ask about, nothing says what the answer is.
"""

import random
from collections.abc import Callable, Iterable
from typing import Any

from tests.rules.brute_force import (
    HOME,
    NEST,
    PRESETS,
    ROW,
    Board,
    Options,
    options_of,
    position_text,
)
from tests.rules.relatives_brute_force import refused_of_old

SEATS = (0, 1, 2, 3)

VALUES: dict[str, list[Any]] = {
    "layout": ["standard", "corner-64", "pachisi", "tip-entry"],
    "safety": ["twelve", "entries", "tips", "none"],
    "travel": ["counterclockwise", "clockwise"],
    "dice": [2, 1],
    "entry_number": [5, 5, 5, 1, 2, 3, 4, 6, 6, 7, 8, 9, 10, 11, 12],
    "entry_by": ["die-or-sum", "sum", "die"],
    "entry_required": [False, True],
    "entry_number_reserved": [False, True],
    "undersides_enter": [False, True],
    "total_move": ["never", "allowed", "only"],
    "touch_down": [False, True],
    "pair_rule": ["throughout", "at-end", "off"],
    "stop_behind_blockade": [False, True],
    "usage": ["maximal", "exhaust", "maximal-higher", "whole-throw"],
    "doublet_number": ["any", 6],
    "doublet_spaces": ["top", "four-when-entered", "four", "fourteen-two-pawns", "fourteen-any"],
    "doublet_whole": [False, True],
    "doublet_home_whole": [False, True],
    "again": ["always", "if-all-used", "never"],
    "third_doublet": [
        "nearest-home",
        "nearest-home-unless-row",
        "forfeit",
        "no-move",
        "none",
    ],
    "capture_bonus": [20, 0],
    "finish_bonus": [10, 0],
    "bonus_timing": ["any", "after-dice"],
    "bonus_optional": [False, True],
    "overtaking_captures": [False, True],
    "second_circuit": [False, True],
    "blockade_limit": [0, 1, 3],
    "play_on": [False, True],
}


def house_rules(rng: random.Random) -> Options:
    """A preset with some of its fields replaced, drawn anew until nothing is impossible."""
    while True:
        preset = rng.choice(list(PRESETS))
        names = rng.sample(list(VALUES), rng.choice((1, 2, 3, 5, 8, 12)))
        ruleset = {"preset": preset, **{name: rng.choice(VALUES[name]) for name in names}}
        if not refused_of_old(options_of(ruleset)):
            return ruleset


def throws(options: Options) -> list[list[int]]:
    """Every throw there is, the order of the dice left out."""
    if options["dice"] == 1:
        return [[die] for die in range(1, 7)]
    return [[one, two] for one in range(1, 7) for two in range(1, one + 1)]


def throw(rng: random.Random, options: Options) -> list[int]:
    """A throw in either order, doublets and the entry number more often than by the dice."""
    if options["dice"] == 1:
        return [rng.choice((1, 2, 3, 4, 5, 5, 6, 6, 6))]
    one = rng.randint(1, 6)
    return rng.choice(([one, one], [one, rng.randint(1, 6)], [rng.randint(1, 6), 5]))


class Placement:
    """Pawns put down one by one where they may stand."""

    def __init__(self, board: Board, rng: random.Random, seats: Iterable[int] = SEATS) -> None:
        self.board, self.rng = board, rng
        self.pawns: dict[int, list[int]] = {seat: [] for seat in seats}

    def full(self, seat: int) -> bool:
        return len(self.pawns[seat]) == 4

    def fits(self, seat: int, place: int) -> bool:
        space = self.board.space(seat, place)
        there = [
            other
            for other, pawns in self.pawns.items()
            for pawn in pawns
            if space is not None and self.board.space(other, pawn) == space
        ]
        return there in ([], [seat])

    def put(self, seat: int, places: list[int]) -> None:
        """One more pawn on one of the places, or in the nest where it fits on none."""
        free = [place for place in places if self.fits(seat, place)]
        self.pawns[seat].append(self.rng.choice(free or [NEST]))

    def pair(self, seat: int, places: list[int]) -> None:
        """Two more pawns together on one of the places, if one is empty and two are left."""
        free = [
            place for place in places if self.fits(seat, place) and not self.stands(seat, place)
        ]
        if free and len(self.pawns[seat]) < 3:
            self.pawns[seat] += [self.rng.choice(free)] * 2

    def stands(self, seat: int, place: int) -> bool:
        space = self.board.space(seat, place)
        return any(self.board.space(seat, pawn) == space for pawn in self.pawns[seat])

    def text(self) -> str:
        return position_text(self.board, tuple(tuple(self.pawns.get(seat, ())) for seat in SEATS))


def ring_steps(board: Board, seat: int, spaces: Iterable[int] | None = None) -> list[int]:
    """The steps of a seat that are on the ring, or those on some of its spaces."""
    steps = range(board.ring if board.second_circuit else board.last + 1)
    wanted = set(range(board.ring) if spaces is None else spaces)
    return [step for step in steps if board.ring_space(seat, step) in wanted]


def window(board: Board, rng: random.Random, size: int) -> list[int]:
    """Some ring spaces running."""
    first = rng.randrange(board.ring)
    return [(first + space) % board.ring for space in range(size)]


def crowded(board: Board, rng: random.Random) -> Placement:
    """All sixteen pawns on the ring, half of the draws with pairs, half in one part of it."""
    placement = Placement(board, rng)
    spaces = window(board, rng, rng.choice((20, 28, board.ring, board.ring)))
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 7)):
            seat = rng.choice(SEATS)
            placement.pair(seat, ring_steps(board, seat, spaces))
    while not all(placement.full(seat) for seat in SEATS):
        seat = rng.choice([seat for seat in SEATS if not placement.full(seat)])
        near = [s for s in ring_steps(board, seat, spaces) if placement.fits(seat, s)]
        placement.put(seat, near or ring_steps(board, seat))
    return placement


ROW_PLACES = [ROW + step for step in range(1, 8)]


def mixed(board: Board, rng: random.Random, seats: Iterable[int] = SEATS) -> Placement:
    """Pawns in nests, on the ring, in home rows and home."""
    placement = Placement(board, rng, seats)
    spaces = window(board, rng, rng.choice((16, 30, board.ring)))
    for seat in placement.pawns:
        ring = ring_steps(board, seat, spaces) or ring_steps(board, seat)
        if rng.random() < 0.4:
            placement.pair(seat, rng.choice((ring, ROW_PLACES)))
        while not placement.full(seat):
            placement.put(seat, rng.choice(([NEST], ring, ring, ROW_PLACES, [HOME])))
    return placement


def nests(board: Board, rng: random.Random) -> Placement:
    """Pawns in nests and about the entries, where entering is the matter."""
    placement = Placement(board, rng)
    entries = [board.ring_space(seat, step) for seat in SEATS for step in (0, 0, 1, 2, 5)]
    for seat in SEATS:
        ring = ring_steps(board, seat, entries)
        placement.pair(seat, rng.choice(([], [0], ring)))
        while not placement.full(seat):
            placement.put(seat, rng.choice(([NEST], [NEST], ring, ring_steps(board, seat))))
    return placement


def near_home(board: Board, rng: random.Random) -> Placement:
    """Pawns about their tips, in their rows and home, one another's pawns in the way."""
    placement = Placement(board, rng)
    for seat in SEATS:
        tips = [board.ring_space(seat, board.last - back) for back in range(9)]
        others = [board.ring_space(s, board.last - back) for s in SEATS for back in range(6)]
        near = ring_steps(board, seat, tips)
        if rng.random() < 0.4:
            placement.pair(seat, rng.choice((near, ROW_PLACES)))
        while not placement.full(seat):
            about = rng.choice((near, near, ROW_PLACES, [HOME], [HOME]))
            placement.put(seat, rng.choice((about, about, ring_steps(board, seat, others))))
    return placement


def few_seats(board: Board, rng: random.Random) -> Placement:
    """Two or three seats."""
    return mixed(board, rng, rng.sample(SEATS, rng.choice((2, 2, 3))))


KINDS: dict[str, Callable[[Board, random.Random], Placement]] = {
    "crowded": crowded,
    "mixed": mixed,
    "nests": nests,
    "near home": near_home,
    "few seats": few_seats,
}


def position(rng: random.Random, options: Options, kind: str | None = None) -> tuple[str, int]:
    """A position's text and a seat to throw in it that has not won."""
    board = Board(options)
    while True:
        placement = KINDS[kind or rng.choice(list(KINDS))](board, rng)
        playing = [seat for seat, pawns in placement.pawns.items() if any(p != HOME for p in pawns)]
        if len(playing) == len(placement.pawns):
            return placement.text(), rng.choice(playing)


def request(rng: random.Random, ruleset: str | Options, kind: str | None = None) -> dict[str, Any]:
    """One request line's content."""
    options = options_of(ruleset)
    text, seat = position(rng, options, kind)
    return {
        "ruleset": ruleset,
        "position": text,
        "seat": seat,
        "throw": throw(rng, options),
        "doublets": rng.choice((0, 0, 0, 1, 2)),
    }
