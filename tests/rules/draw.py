"""Seeded draws of rule sets, positions and throws, as the analysis protocol writes them.

Draws positions in which pawns meet: pairs, full entries, guests on safety spaces, pawns near home.
Every draw is legal to ask about; keeps out play.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Any

from tests.rules.from_the_texts import (
    NEST,
    OPTIONS,
    PRESETS,
    Board,
    Options,
    Spot,
    asks_late,
    is_refused,
    may_stand,
    options_of,
    position_of,
    position_text,
)

SEATS = (0, 1, 2, 3)
Pawns = dict[int, list[int]]

# What an edition of one die is given besides, so that a value is possible at all.
BY_ONE: Options = {"capture_bonus": 0, "finish_bonus": 0, "doublet_spaces": "top"}
SENT_BACK: Options = {"held_target": "sends-back", "pairs": "immune", "pair_rule": "off", **BY_ONE}
BY_PASSING: Options = {
    "captures": "passing",
    "pairs": "none",
    "pair_rule": "off",
    "stacking": "any",
    "safety_shared": "any",
    "entry_captures": "landing",
    **BY_ONE,
}
NOT_PASSED: Options = {
    "passing": "none",
    "pairs": "none",
    "pair_rule": "off",
    "stacking": "one",
    **BY_ONE,
}
BY_ITS_NEEDS: dict[str, Options] = {
    "ladder": {"row_by": "ladder", "layout": "ring-56", "safety": "none", **BY_ONE},
    "there and back": {"overshoot": "back", **BY_ONE},
    "not passed": NOT_PASSED,
    "stops behind": {**NOT_PASSED, "stop_behind_blockade": True},
    "sent back": SENT_BACK,
    "stars": {**SENT_BACK, "stars": "jump", "layout": "ludo-52", "stacking": "any"},
    "captures by passing": BY_PASSING,
    "benches": {**BY_PASSING, "pairs": "bench"},
    "a six is 12": {"doublet_spaces": "double"},
    "all open go": {"third_doublet": "all-open"},
}
ONE_DIE = [preset for preset, options in PRESETS.items() if options["dice"] == 1]


def changed(rng: random.Random) -> Options:
    """Some options at drawn values."""
    names = rng.sample(list(OPTIONS), rng.choice((1, 2, 3, 5, 8)))
    return {name: rng.choice(OPTIONS[name]) for name in names}


def any_options(rng: random.Random) -> Options:
    """A preset with some of its fields replaced, possible or not."""
    if rng.random() < 0.3:
        needs = BY_ITS_NEEDS[rng.choice(list(BY_ITS_NEEDS))]
        return {"preset": rng.choice(ONE_DIE), **changed(rng), **needs}
    return {**changed(rng), "preset": rng.choice(list(PRESETS))}


def by_its_needs(rng: random.Random, value: str, others: bool) -> Options:
    """House rules with such a value, and whether other options are changed too."""
    while True:
        changes = changed(rng) if others else {}
        ruleset = {"preset": rng.choice(ONE_DIE), **changes, **BY_ITS_NEEDS[value]}
        if not is_refused(options_of(ruleset)):
            return ruleset


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
    one, number = rng.randint(1, 6), options["entry_number"]
    enters = number if number < 7 else 5
    return rng.choice(([one, one], [one, rng.randint(1, 6)], [rng.randint(1, 6), enters]))


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

    def about_tips(self, seat: int) -> list[list[int]]:
        """Pawns about their tips and those of the others, in their rows and home."""
        near = list(range(self.board.tip - 8, self.board.tip + 1))
        all_tips = {self.board.spot(other, place) for other in SEATS for place in near}
        others = self.steps_on(seat, all_tips)
        return [near, near, others, others, self.row, self.row, self.end]

    def stars(self, seat: int) -> list[list[int]]:
        """Pawns on stars and up to six spaces before them, on safety spaces, and in nests."""
        before = [star - back for star in self.board.stars for back in range(1, 7)]
        before = [place for place in before if place >= self.board.entry]
        return [self.board.stars, self.board.stars, before, before, *self.guests(seat)[:2], [NEST]]


KINDS: dict[str, Callable[[Pools, int], list[list[int]]]] = {
    "anywhere": Pools.anywhere,
    "crowded": Pools.crowded,
    "entries": Pools.entries,
    "guests": Pools.guests,
    "near home": Pools.near_home,
    "way out": Pools.way_out,
}
KINDS_ASKED: dict[str, Callable[[Pools, int], list[list[int]]]] = {
    "about tips": Pools.about_tips,
    "stars": Pools.stars,
}


def kinds(options: Options) -> list[str]:
    """The kinds of positions in which pawns meet under these rules."""
    turns = options["row_by"] == "ladder" or options["overshoot"] == "back"
    asked = turns or options["passing"] == "none"
    tips, stars = ["about tips"] * 2 * asked, ["stars"] * 3 * (options["stars"] == "jump")
    crowds = ["crowded", "guests"] * (options["captures"] == "passing")
    return [*KINDS, *tips, *stars, *crowds]


def placed(
    rng: random.Random, options: Options, board: Board, seats: list[int], kind: str
) -> Pawns:
    """Pawns put down in turns where they may stand; a pair where another pawn is, now and then.

    In a game for fewer pawns home than four, a seat has mostly not won yet.
    """
    pools = Pools(board, rng)
    pawns: Pawns = {seat: [] for seat in seats}
    for seat in rng.sample(seats * 4, 4 * len(seats)):
        pool = rng.choice((KINDS | KINDS_ASKED)[kind](pools, seat))
        if pawns[seat] and rng.random() < 0.2:
            pool = pawns[seat]
        elif options["partners"] and options["stacking"] != "any" and rng.random() < 0.3:
            standing = {board.spot((seat + 2) % 4, on) for on in pawns[(seat + 2) % 4]}
            pool = pools.steps_on(seat, standing) or pool
        elif options["entry_pairs"] == "give-way" and rng.random() < 0.4:
            is_in = seat == seats[0]  # the others stand on its entry
            pool = [NEST] if is_in else pools.steps_on(seat, [seats[0] * board.arm])
        for place in (*rng.choices(pool, k=4), NEST):
            pawns[seat].append(place)
            has_won = board.to_win < 4 and board.has_finished(pawns[seat])
            if not has_won and may_stand(options, board, [pawns.get(one, ()) for one in SEATS]):
                break
            pawns[seat].pop()
    for seat in winners(rng, options, seats):
        pawns[seat] = [board.end - n * board.is_goal for n in range(board.to_win)]
        pawns[seat] += [NEST] * (4 - board.to_win)
    return pawns


def winners(rng: random.Random, options: Options, seats: list[int]) -> list[int]:
    """Seats that have won in a game that goes on; none where four pawns must be home."""
    if options["to_win"] == 4 or rng.random() < 0.5:
        return []
    if options["partners"]:
        return rng.sample(SEATS, 1)
    return rng.sample(seats, rng.randrange(len(seats) - 1)) if options["play_on"] else []


def position(rng: random.Random, options: Options, kind: str | None = None) -> tuple[str, int]:
    """A position's text and a seat to throw in it that has not finished."""
    board = Board(options)
    while True:
        chosen = kind or rng.choice(kinds(options))
        all_play = options["partners"] or chosen == "crowded"
        seats = rng.sample(SEATS, 4 if all_play else rng.choice((2, 2, 3, 4, 4, 4, 4)))
        pawns = placed(rng, options, board, seats, chosen)
        playing = [seat for seat, own in pawns.items() if not board.has_finished(own)]
        finished = len(seats) - len(playing)
        if playing and (finished <= options["partners"] or options["to_win"] < 4):
            text = position_text(board, [pawns.get(seat, ()) for seat in SEATS])
            besieged = options["entry_pairs"] == "give-way" and seats[0] in playing
            return text, seats[0] if besieged else rng.choice(playing)


def history(rng: random.Random, options: Options, text: str, seat: int) -> dict[str, Any]:
    """What the throws before decide, where the rule set asks for it.

    That is `late`, `last`, `tries` and `began`.
    """
    board = Board(options)
    seats = position_of(board, text)
    known: dict[str, Any] = {}
    if asks_late(options) and rng.random() < 0.7:
        known["late"] = late(rng, board, seats)
    movable = [place for place in seats[seat] if place not in (NEST, board.home)]
    if options["third_doublet"] == "last-moved" and movable and rng.random() < 0.7:
        known["last"] = board.text(rng.choice(movable))
    if options["tries"] == 3 and not any(map(board.on_ring, seats[seat])) and rng.random() < 0.7:
        known["tries"] = rng.choice((0, 1, 2))
    if options["third_doublet"] == "undo-turn" and rng.random() < 0.7:
        known["began"] = began(rng, options, board, seats, seat)
    return known


def began(
    rng: random.Random, options: Options, board: Board, seats: Sequence[Sequence[int]], seat: int
) -> str:
    """A position that the turn may have begun with: some own pawns back, others not captured."""
    ring = range(board.entry, board.tip + 1)
    before = [list(places) for places in seats]
    before[seat] = [rng.choice((on, NEST, NEST, *ring)) for on in seats[seat]]
    for other, places in enumerate(seats):
        if other != seat and not board.has_finished(places):
            before[other] = [on if on != NEST else rng.choice((NEST, *ring)) for on in places]
    is_possible = may_stand(options, board, before) and not board.has_finished(before[seat])
    return position_text(board, before if is_possible else seats)


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
