"""The rules of the relatives (Parchís, Ludo and Pachisi) read a second time, slowly.

Lists every sequence of steps, as the brute force of the thirteen editions does, and shares nothing
with the package under test. `impossible` and `is_valid` are the refusals; `answer` takes a request
to be a legal one.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.rules import brute_force
from tests.rules.brute_force import (
    HOME,
    NEST,
    OUT,
    ROW,
    Board,
    Die,
    Grant,
    Landing,
    Moved,
    Options,
    Pawns,
    Play,
    Plays,
    State,
    Turn,
    answer_after,
    place_of,
    position_of,
    with_doublets,
    without,
)

DEFAULTS: Options = brute_force.DEFAULTS | {
    "stacking": "two",
    "pairs": "blockade",
    "safety_shared": "no",
    "entry_captures": "lone",
    "partners": False,
    "row_jump": True,
    "lots": "dice",
    "grace": "none",
    "free_entry": False,
    "entry_also": 0,
    "again_capture": False,
    "again_home": False,
    "tries": 1,
    "start_out": 0,
    "open_blockade": "never",
    "clear_entry": False,
}

LUDO_UK: Options = {
    "layout": "ludo-52",
    "safety": "none",
    "travel": "clockwise",
    "starter": "highest-die",
    "dice": 1,
    "entry_number": 6,
    "entry_by": "die",
    "pair_rule": "off",
    "stacking": "any",
    "pairs": "wall",
    "third_doublet": "none",
    "capture_bonus": 0,
    "finish_bonus": 0,
}

PACHISI_MITRA: Options = {
    "layout": "cross",
    "lots": "cowries-mitra",
    "dice": 1,
    "turn_order": "right",
    "entry_by": "lots",
    "grace": "value",
    "usage": "free",
    "entry_captures": "landing",
    "stacking": "any",
    "pairs": "immune",
    "pair_rule": "off",
    "third_doublet": "none",
    "capture_bonus": 0,
    "finish_bonus": 0,
}

RELATIVES: dict[str, Options] = {
    "parchis": {
        "turn_order": "right",
        "starter": "highest-die",
        "dice": 1,
        "entry_by": "die",
        "entry_required": True,
        "doublet_spaces": "four-when-entered",
        "third_doublet": "last-moved",
        "pair_rule": "off",
        "safety_shared": "two",
        "entry_captures": "full",
        "open_blockade": "doublet",
    },
    "parchis-two": {
        "turn_order": "right",
        "entry_required": True,
        "total_move": "allowed",
        "safety_shared": "two",
        "entry_captures": "full",
        "open_blockade": "doublet",
    },
    "ludo-uk": LUDO_UK,
    "ludo-india": LUDO_UK
    | {
        "safety": "entries-stars",
        "safety_shared": "any",
        "entry_captures": "landing",
        "pairs": "immune",
        "third_doublet": "forfeit",
        "again_capture": True,
        "again_home": True,
    },
    "ludo-de": {
        "layout": "ring-40",
        "safety": "none",
        "travel": "clockwise",
        "starter": "highest-die",
        "dice": 1,
        "entry_number": 6,
        "entry_by": "die",
        "entry_required": True,
        "pair_rule": "off",
        "stacking": "one",
        "pairs": "none",
        "clear_entry": True,
        "tries": 3,
        "start_out": 1,
        "third_doublet": "none",
        "capture_bonus": 0,
        "finish_bonus": 0,
    },
    "pachisi-mitra": PACHISI_MITRA,
    "pachisi-modern": PACHISI_MITRA
    | {
        "lots": "cowries-modern",
        "grace": "enter",
        "free_entry": True,
        "pairs": "none",
        "again_capture": True,
        "partners": True,
    },
}

PRESETS = brute_force.PRESETS | RELATIVES


class Layout(NamedTuple):
    arm: int
    entry_offset: int
    guard: int | None
    row: int = 7
    out: int = 0


LAYOUTS = {name: Layout(*shape) for name, shape in brute_force.LAYOUTS.items()} | {
    "ludo-52": Layout(13, 2, None, row=5),
    "ring-40": Layout(10, 1, None, row=4),
    "cross": Layout(17, 0, 4, out=7),
}


class Shells(NamedTuple):
    """What one throw of six cowries is."""

    value: int
    goes_on: bool = False
    grace: bool = False


# by the mouths that are up
COWRIES = {
    "cowries-mitra": (
        Shells(6, goes_on=True),
        Shells(10, goes_on=True, grace=True),
        Shells(2),
        Shells(3),
        Shells(4),
        Shells(25, goes_on=True, grace=True),
        Shells(12, goes_on=True),
    ),
    "cowries-modern": (
        Shells(25, goes_on=True, grace=True),
        Shells(10, goes_on=True, grace=True),
        Shells(2),
        Shells(3),
        Shells(4),
        Shells(5),
        Shells(6, goes_on=True, grace=True),
    ),
}
GRACE = Die(1)  # no shells have the value 1


def options_of(ruleset: str | Options) -> Options:
    """All options of a preset's name or of an object with fields replaced."""
    fields = {"preset": ruleset} if isinstance(ruleset, str) else dict(ruleset)
    preset = PRESETS[fields.pop("preset")] if "preset" in fields else {}
    return with_doublets(DEFAULTS | preset | fields)


class RelativesBoard(Board):
    """One layout as one rule set plays on it, with its way out and a home row of its own length."""

    def __init__(self, options: Options) -> None:
        layout = LAYOUTS[options["layout"]]
        self.arm, self.row, self.out = layout.arm, layout.row, layout.out
        self.ring = 4 * self.arm
        self.last = self.ring - layout.entry_offset
        self.second_circuit = options["second_circuit"]
        self.has_home = options["layout"] != "ring-40"
        self.entries = {self.ring_space(seat, 0) for seat in range(4)}
        tips = {self.ring_space(seat, self.last) for seat in range(4)}
        guarded = {
            (tip + distance) % self.ring
            for tip in tips
            for distance in (-(layout.guard or 0), 0, layout.guard or 0)
        }
        self.safe = {
            "twelve": guarded,
            "entries": self.entries,
            "tips": tips,
            "none": set[int](),
            "entries-stars": self.entries | {(space + 8) % self.ring for space in self.entries},
        }[options["safety"]]

    def on_ring(self, place: int) -> bool:
        return 0 <= place < OUT

    def next_places(self, place: int) -> list[int]:
        if place == OUT + self.out:
            return [0]
        if place == ROW + self.row:
            return [HOME] if self.has_home else []
        return super().next_places(place) if place < OUT or place > ROW else [place + 1]

    def way_place(self, spaces: int) -> int:
        """The place that many spaces from the centre."""
        return OUT + spaces if spaces <= self.out else spaces - self.out - 1

    def to_go(self, place: int) -> int:
        if place == NEST:
            return 1000
        if place == HOME:
            return 0
        if place > ROW:
            return self.row + 1 - (place - ROW)
        if place > OUT:
            return OUT + self.out + 1 - place + self.to_go(0)
        ring_steps = self.last - place
        return (ring_steps % self.ring if place > self.last else ring_steps) + self.row + 1

    def places(self) -> list[int]:
        """Every place on the board, nest and home left out."""
        ring = range(self.ring if self.second_circuit else self.last + 1)
        out = range(OUT + 1, OUT + self.out + 1)
        return [*out, *ring, *range(ROW + 1, ROW + self.row + 1)]

    def has_finished(self, own: Pawns) -> bool:
        """Whether all pawns are home, or in the goal where there is no home."""
        return all(place == HOME if self.has_home else place > ROW for place in own)


def is_partner(options: Options, seat: int, other: int) -> bool:
    return bool(options["partners"]) and seat != other and (seat - other) % 2 == 0


class Marks(NamedTuple):
    """What the steps of a play did, as far as the rule set asks for it."""

    opened: bool = False
    cleared: bool = False
    captured: bool = False
    came_home: bool = False
    last: int | None = None
    late: tuple[tuple[int, int], ...] = ()


class RelativesTurn(Turn):
    """One throw of one seat in one position."""

    board: RelativesBoard

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request, options_of, RelativesBoard)
        last = request.get("last")
        marks = Marks(
            last=None if last is None else place_of(last),
            late=tuple((space, seat) for space, seat in request.get("late", [])),
        )
        self.start = self.start._replace(marks=marks)
        self.tries: int = request.get("tries", 0)
        self.blockades = {space for _, _, space in self.pairs}

    # The throw

    def shells(self) -> Shells | None:
        return COWRIES[self.options["lots"]][self.throw[0]] if self.with_cowries() else None

    def with_cowries(self) -> bool:
        return bool(self.options["lots"] != "dice")

    def granted(self, nest: int) -> Grant:
        shells = self.shells()
        if shells is None:
            return super().granted(nest)
        grace = (GRACE,) if shells.grace and self.options["grace"] == "enter" else ()
        return Grant((Die(shells.value), *grace))

    def is_doublet(self) -> bool:
        shells = self.shells()
        return super().is_doublet() if shells is None else shells.goes_on

    def value_enters_by_grace(self) -> bool:
        shells = self.shells()
        return shells is not None and shells.grace and self.options["grace"] == "value"

    # What may stand where

    def counts_at(self, state: State, place: int) -> Counter[int]:
        """How many pawns of each seat stand there, the partner left out: its pawns never bar."""
        return Counter(
            seat
            for seat, _ in self.pawns_at(state, place)
            if not is_partner(self.options, self.seat, seat)
        )

    def opponents_at(self, state: State, place: int) -> list[tuple[int, int]]:
        return [
            (seat, index)
            for seat, index in self.pawns_at(state, place)
            if seat != self.seat and not is_partner(self.options, self.seat, seat)
        ]

    def has_own_room(self, state: State, place: int) -> bool:
        own = self.counts_at(state, place)[self.seat]
        return {"one": own < 1, "two": own < 2, "any": True}[self.options["stacking"]]

    def blockade(self, state: State, place: int) -> bool:
        """Whether what stands there lets our pawns neither pass nor land."""
        counts = self.counts_at(state, place)
        if place > ROW and counts[self.seat] and not self.options["row_jump"]:
            return True
        if self.options["pairs"] == "blockade":
            return any(count > 1 for count in counts.values())
        if self.options["pairs"] == "wall":
            return any(count > 1 for seat, count in counts.items() if seat != self.seat)
        return False

    def land(self, state: State, walked: list[int]) -> set[Landing]:
        captured = self.alight(state, walked[-1])
        if captured is None:
            return set()
        return {Landing(walked[-1], captured | self.overtaken(state, walked[:-1]))}

    def alight(self, state: State, place: int) -> frozenset[tuple[int, int]] | None:
        """What a pawn that advances to a space captures there; None where it can't land."""
        if self.blockade(state, place) or not self.has_own_room(state, place):
            return None
        opponents = self.opponents_at(state, place)
        if opponents and self.safe(place):
            room = {"no": False, "two": len(self.pawns_at(state, place)) < 2, "any": True}
            return frozenset() if room[self.options["safety_shared"]] else None
        if self.options["pairs"] != "none" and self.has_pair(opponents):
            return None
        return frozenset(opponents)

    def has_pair(self, pawns: list[tuple[int, int]]) -> bool:
        """Whether two of them are one seat's: two opponents of different seats are no pair."""
        return any(count > 1 for count in Counter(seat for seat, _ in pawns).values())

    def overtaken(self, state: State, passed: list[int]) -> frozenset[tuple[int, int]]:
        if not self.options["overtaking_captures"]:
            return frozenset()
        return frozenset(
            opponent
            for place in passed
            if not self.safe(place)
            for opponent in self.opponents_at(state, place)
            if self.counts_at(state, place)[opponent[0]] == 1
        )

    # Entering

    def entry_ways(self, state: State) -> list[tuple[str, State]]:
        ways = super().entry_ways(state)
        also = self.options["entry_also"]
        if also and Die(also) in state.dice:
            ways.append((str(also), state._replace(dice=without(state.dice, Die(also)))))
        return ways

    def entries(self, state: State) -> Iterator[Moved]:
        if self.with_cowries():
            targets = self.cowrie_entries(state)
        else:
            targets = [(0, spent, after) for spent, after in self.entry_ways(state)]
        for target, spent, after in targets:
            captured = self.enter(state, target)
            for pawn, place in enumerate(state.own):
                if place == NEST and captured is not None:
                    yield self.moved(state, pawn, Landing(target, captured), spent, after)

    def cowrie_entries(self, state: State) -> list[tuple[int, str, State]]:
        """Where each increment that may enter a pawn brings it, counted from the centre."""
        free = self.options["free_entry"] and all(place == NEST for place in state.own)
        return [
            (
                self.board.way_place(die.spaces),
                str(die.spaces),
                state._replace(dice=without(state.dice, die)),
            )
            for die in set(state.dice)
            if die == GRACE or free or self.value_enters_by_grace()
            if not self.is_walled(state, die.spaces)
        ]

    def is_walled(self, state: State, spaces: int) -> bool:
        """Whether a wall stands before the space that a pawn reaches from the centre."""
        return any(self.blockade(state, self.board.way_place(n)) for n in range(1, spaces))

    def enter(self, state: State, place: int) -> frozenset[tuple[int, int]] | None:
        """What a pawn that enters captures on its entry space; None where it can't enter."""
        opponents = self.opponents_at(state, place)
        seats = {seat for seat, _ in opponents}
        if self.options["entry_captures"] == "landing":
            return self.alight(state, place)
        if self.options["entry_captures"] == "full":
            return self.enter_full(state, place)
        if not self.has_own_room(state, place) or len(seats) > 1:
            return None
        if self.options["pairs"] != "none" and len(opponents) > 1:
            return None
        return frozenset(opponents)

    def enter_full(self, state: State, place: int) -> frozenset[tuple[int, int]] | None:
        there = self.pawns_at(state, place)
        seats = {seat for seat, _ in there}
        if len(there) < 2:
            return frozenset()
        if len(seats) == 1:
            return None
        opponents = [pawn for pawn in there if pawn[0] != self.seat]
        if len(opponents) == 1:
            return frozenset(opponents)
        late = dict(Marks(*state.marks).late)
        first = min(opponents, key=lambda pawn: (pawn[0] - self.seat) % 4)
        came_last = late.get(self.board.ring_space(self.seat, place), first[0])
        return frozenset(pawn for pawn in opponents if pawn[0] == came_last)

    # Steps

    def advances(self, state: State) -> Iterator[Moved]:
        """Every advance, the 1 of a grace left out, and how a grace takes a pawn off r7."""
        if not self.with_cowries():
            yield from super().advances(state)
            return
        values = tuple(die for die in state.dice if die != GRACE)
        for move in super().advances(state._replace(dice=values)):
            kept = (GRACE,) if GRACE in state.dice else ()
            yield move._replace(after=move.after._replace(dice=(*move.after.dice, *kept)))
        for die in set(state.dice):
            if die == GRACE or self.value_enters_by_grace():
                after = state._replace(dice=without(state.dice, die))
                for pawn, place in enumerate(state.own):
                    if place == ROW + self.board.row:
                        landing = Landing(HOME, frozenset())
                        yield self.moved(state, pawn, landing, str(die.spaces), after)

    def legal_steps(self, state: State) -> list[Moved]:
        if self.board.has_finished(state.own):
            return []
        return [
            move._replace(after=move.after._replace(marks=self.marked(state, move)))
            for move in super().legal_steps(state)
        ]

    def marked(self, state: State, move: Moved) -> Marks:
        """The marks after one more step. The step's text decides them, whichever pawn made it."""
        origin, target = map(place_of, move.text.partition("(")[0].split("-"))
        marks, options = Marks(*state.marks), self.options
        by_dice = not move.bonus
        if options["open_blockade"] == "doublet" and by_dice and self.is_doublet():
            opened = self.board.space(self.seat, origin) in self.blockades
            marks = marks._replace(opened=marks.opened or opened)
        if options["clear_entry"] and by_dice and origin == 0:
            cleared = {NEST, 0} <= set(self.start.own)
            marks = marks._replace(cleared=marks.cleared or cleared)
        if options["again_capture"] and move.text.endswith("x"):
            marks = marks._replace(captured=True)
        if options["again_home"] and target == HOME:
            marks = marks._replace(came_home=True)
        if options["third_doublet"] == "last-moved":
            marks = marks._replace(last=target)
        if options["entry_captures"] == "full":
            marks = marks._replace(late=self.late_after(marks, move.after, target))
        return marks

    def late_after(self, marks: Marks, after: State, target: int) -> tuple[tuple[int, int], ...]:
        """Who came last to each ring space that pawns of different seats share."""
        late = dict(marks.late)
        if self.board.on_ring(target):
            late[self.board.ring_space(self.seat, target)] = self.seat
        standing = self.standing(after.own, after.others)
        shared = {
            space for (_, space), pawns in standing.items() if len({seat for seat, _ in pawns}) > 1
        }
        return tuple(sorted((space, seat) for space, seat in late.items() if space in shared))


class RelativesPlays(Plays):
    """All plays of one throw, and which of them may be stopped."""

    turn: RelativesTurn

    def won(self, play: Play) -> bool:
        return self.turn.board.has_finished(next(iter(play)).own)

    def marks(self, play: Play) -> Marks:
        return Marks(*next(iter(play)).marks)

    def sieve(self) -> set[Play]:
        if self.options["usage"] == "free":
            return {play for play in self.follow if self.may_end(play)}
        return super().sieve()

    def required(self, plays: set[Play]) -> set[Play]:
        """What sieves 2, 2a and 2b leave."""
        plays = super().required(plays)
        for mark in ("opened", "cleared"):
            if any(getattr(self.marks(play), mark) for play in plays):
                plays = {p for p in plays if self.won(p) or getattr(self.marks(p), mark)}
        return plays

    def throws_again(self, play: Play) -> bool:
        if self.won(play):
            return False
        marks = self.marks(play)
        return (
            marks.captured
            or marks.came_home
            or self.has_another_try()
            or super().throws_again(play)
        )

    def has_another_try(self) -> bool:
        """Whether nothing could be moved with a throw that leaves one more of three tries."""
        on_ring = any(self.turn.board.on_ring(place) for place in self.turn.start.own)
        idle = not on_ring and not self.turn.is_doublet() and self.complete == {self.empty}
        return bool(self.options["tries"] == 3 and idle and self.turn.tries < 2)


# The protocol ----------------------------------------------------------------------------------


def penalized(turn: RelativesTurn, kind: str) -> int:
    """The place of the pawn that goes to its nest: the nest itself where none goes."""
    if kind != "last-moved":
        return brute_force.penalized(turn, kind)
    last = Marks(*turn.start.marks).last
    return NEST if last is None or last > ROW else last


def answer(request: dict[str, Any], limit: int | None = None) -> dict[str, Any]:
    """The analysis protocol's answer to a legal request, or TooManyError past a limit of plays."""
    turn = RelativesTurn(request)
    struck = brute_force.penalty(turn, request.get("doublets", 0))
    if struck:
        return brute_force.penalty_answer(turn, struck, penalized(turn, struck))
    return answer_after(RelativesPlays(turn, limit), request.get("play", []))


# Refusals --------------------------------------------------------------------------------------


def impossible(options: Options) -> bool:
    """Whether the options exclude one another."""
    return any(
        refuses(options)
        for refuses in (
            refused_of_old,
            refused_of_cowries,
            refused_of_boards,
            refused_of_pairs,
            refused_of_sharing,
            refused_of_plays,
        )
    )


def refused_of_old(options: Options) -> bool:
    """What the thirteen editions refuse; the rows for one die let cowries through."""
    one_die = options["dice"] == 1
    fourteen = options["doublet_spaces"].startswith("fourteen")
    number, entry_by, total = options["entry_number"], options["entry_by"], options["total_move"]
    barred = {
        1: entry_by not in ("die", "lots")
        or options["doublet_number"] != 6
        or total != "never"
        or options["touch_down"]
        or fourteen,
        2: options["doublet_number"] == 6,
    }
    total_only = total == "only" and (
        entry_by == "die"
        or number == 1
        or options["doublet_spaces"] != "top"
        or options["touch_down"]
        or options["entry_number_reserved"]
    )
    exhaust = options["usage"] == "exhaust" and (
        options["entry_required"]
        or options["bonus_optional"]
        or options["bonus_timing"] == "after-dice"
    )
    six_is_seven = one_die and number == 6 and options["doublet_spaces"] == "four"
    return bool(
        barred[options["dice"]]
        or total_only
        or exhaust
        or (six_is_seven and entry_by != "lots")
        or (entry_by == "sum" and number in (2, 12) and total != "only")
        or (number > 6 and entry_by != "sum")
        or (number == 1 and entry_by == "sum")
        or (fourteen and number != 5)
        or (options["doublet_home_whole"] and not fourteen)
        or (options["second_circuit"] and options["layout"] in ("tip-entry", "cross"))
    )


def refused_of_cowries(options: Options) -> bool:
    if options["lots"] == "dice":
        return bool(
            options["layout"] == "cross"
            or options["entry_by"] == "lots"
            or options["grace"] != "none"
            or options["free_entry"]
        )
    needed = {
        "layout": "cross",
        "dice": 1,
        "entry_by": "lots",
        "doublet_number": 6,
        "capture_bonus": 0,
        "finish_bonus": 0,
        "doublet_spaces": "top",
        "entry_captures": "landing",
        "stacking": "any",
        "overtaking_captures": False,
        "undersides_enter": False,
        "total_move": "never",
        "entry_also": 0,
        "entry_number_reserved": False,
    }
    barred = options["grace"] == "none" or options["usage"] == "whole-throw"
    return barred or any(options[name] != needed[name] for name in needed)


def refused_of_boards(options: Options) -> bool:
    layout, safety = options["layout"], options["safety"]
    goal = {
        "dice": 1,
        "stacking": "one",
        "safety": "none",
        "capture_bonus": 0,
        "finish_bonus": 0,
        "again_home": False,
        "second_circuit": False,
    }
    return bool(
        (layout == "ring-40" and any(options[name] != goal[name] for name in goal))
        or (layout == "ring-40" and options["third_doublet"] == "nearest-home")
        or (not options["row_jump"] and layout != "ring-40")
        or (safety == "twelve" and layout in ("ludo-52", "ring-40"))
        or (safety == "entries-stars" and layout != "ludo-52")
        or (options["start_out"] and layout == "cross")
        or (options["start_out"] > 1 and options["stacking"] == "one")
    )


def refused_of_pairs(options: Options) -> bool:
    if options["pairs"] == "blockade":
        return bool(options["stacking"] != "two")
    return bool(
        options["pair_rule"] != "off"
        or options["stop_behind_blockade"]
        or options["blockade_limit"]
        or options["open_blockade"] != "never"
        or options["touch_down"]
        or options["doublet_spaces"].startswith("fourteen")
    )


def refused_of_sharing(options: Options) -> bool:
    shared, stacking = options["safety_shared"], options["stacking"]
    sharing = shared != "no" and (
        options["safety"] == "none"
        or options["overtaking_captures"]
        or options["touch_down"]
        or stacking != shared
    )
    full = options["entry_captures"] == "full" and (
        shared != "two" or not has_safe_entries(options)
    )
    partners = options["partners"] and (stacking != "any" or options["play_on"])
    return bool(sharing or full or partners)


def has_safe_entries(options: Options) -> bool:
    board = RelativesBoard(options)
    return board.entries <= board.safe


def refused_of_plays(options: Options) -> bool:
    names = {
        "free": (
            "entry_required",
            "entry_number_reserved",
            "clear_entry",
            "doublet_whole",
            "bonus_optional",
        ),
        "exhaust": ("clear_entry",),
    }
    usage = options["usage"]
    also, one_die_only = options["entry_also"], options["clear_entry"] or options["tries"] == 3
    return bool(
        any(options[name] for name in names.get(usage, ()))
        or (usage in ("free", "exhaust") and options["open_blockade"] == "doublet")
        or (also and options["entry_number_reserved"])
        or (also and also == options["entry_number"])
        or (options["dice"] == 2 and (also or one_die_only))
    )


def is_valid(options: Options, position: str) -> bool:
    """Whether the pawns may stand so: places the board has, and who may share a space.

    The text's form and order are taken to be right.
    """
    board, seats = RelativesBoard(options), position_of(position)
    places = {NEST, *board.places(), *([HOME] if board.has_home else [])}
    if options["partners"] and not all(seats):
        return False
    standing: dict[tuple[str, int], list[int]] = {}
    for seat, pawns in enumerate(seats):
        for place in pawns:
            if place not in places:
                return False
            space = board.space(seat, place)
            if space is not None:
                standing.setdefault(space, []).append(seat)
    return all(may_share(options, board, *space, there) for space, there in standing.items())


def may_share(
    options: Options, board: RelativesBoard, kind: str, space: int, seats: list[int]
) -> bool:
    """Whether pawns of those seats, one entry for each pawn, may stand together on a space."""
    most = {"one": 1, "two": 2, "any": 4}[options["stacking"]]
    if max(Counter(seats).values()) > most:
        return False
    sides = {seat % 2 if options["partners"] else seat for seat in seats}
    if len(sides) == 1:
        return True
    shared = options["safety_shared"] if kind == "ring" and space in board.safe else "no"
    return {"no": False, "two": len(seats) <= 2, "any": True}[shared]
