"""What each edition allows, from the texts of the rules alone: every play listed, then sieved.

It is slow and plain, and shares nothing with the package: the boards, the options and the presets
are typed from the texts' tables. It answers as the analysis protocol does. Left out: records,
`blockade_limit` (a position has no history) and the words of refusals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations, takewhile
from typing import Any, NamedTuple

Options = dict[str, Any]
Request = dict[str, Any]
Spot = int  # a ring space, or one of a seat's own spaces, or NOWHERE
Way = list[int]  # the places that a pawn passes, and the one it lands on

NEST = -100  # lower than every other place
NOWHERE = -1  # the nest and home, where pawns do not stand together

# The tables of the texts -----------------------------------------------------------------------

OPTIONS_TEXT = """
layout: standard, corner-64, pachisi, tip-entry, ludo-52, ring-40, ring-28, ring-56, cross
safety: twelve, entries, tips, none, entries-stars
travel: counterclockwise, clockwise
dice: 2, 1
lots: dice, cowries-mitra, cowries-modern
starter: highest-total, lowest-die, highest-die, choose
turn_order: left, right
entry_number: 5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12
entry_also: 0, 1, 2, 3, 4, 5, 6
entry_by: die-or-sum, sum, die, lots
entry_required: no, yes
entry_number_reserved: no, yes
entry_captures: lone, full, landing
free_entry: no, yes
grace: none, value, enter
start_out: 0, 1, 2
clear_entry: no, yes
undersides_enter: no, yes
total_move: never, allowed, only
touch_down: no, yes
pair_rule: throughout, at-end, off
pairs: blockade, wall, immune, none, bench
stacking: two, one, any
safety_shared: no, two, any
partners: no, yes
row_jump: yes, no
stop_behind_blockade: no, yes
open_blockade: never, doublet
usage: maximal, exhaust, maximal-higher, whole-throw, free
doublet_number: any, 6
doublet_spaces: top, four-when-entered, four, fourteen-two-pawns, fourteen-any,
    twelve-when-entered, double
doublet_whole: no, yes
doublet_home_whole: no, yes
again: always, if-all-used, never
again_capture: no, yes
again_home: no, yes
tries: 1, 3
third_doublet: nearest-home, nearest-home-unless-row, forfeit, no-move, none, last-moved, undo-turn,
    all-open
capture_bonus: 20, 0
finish_bonus: 10, 0
bonus_timing: any, after-dice
bonus_optional: no, yes
overtaking_captures: no, yes
second_circuit: no, yes
blockade_limit: 0, 1, 3
play_on: no, yes
to_win: 4, 1, 2, 3
must_capture: no, yes
pairs_on: all, safety, own-entry
overshoot: stop, back, over
entry_pairs: stay, give-way
row_by: count, ladder
passing: free, none
stars: none, jump
held_target: bars, sends-back
captures: landing, passing
"""
PRESETS_TEXT = """
sr-1942: entry_required; doublet_spaces four-when-entered; doublet_whole
sr-1989: as sr-1942
sr-1975: entry_number_reserved; doublet_spaces four-when-entered; doublet_whole
pb: starter choose; touch_down; again if-all-used; third_doublet none; bonuses 0
mb-india: doublet_spaces four; doublet_whole
mb-total: entry_number 7; entry_by sum; total_move only; usage whole-throw; again never;
    third_doublet none; bonuses 0
tr-1938: entry_required; entry_number_reserved; stop_behind_blockade; doublet_spaces fourteen-any;
    doublet_home_whole; third_doublet none; finish_bonus 0
tr-1960: as tr-1938; stop_behind_blockade no; doublet_spaces fourteen-two-pawns;
    third_doublet forfeit
one-die: dice 1; entry_by die; doublet_number 6; doublet_spaces four-when-entered;
    starter highest-die
encyclopedia: starter lowest-die; total_move allowed; usage maximal-higher; doublet_spaces four;
    third_doublet nearest-home-unless-row; bonus_timing after-dice; bonus_optional; second_circuit
sca: turn_order right; undersides_enter; doublet_spaces four; finish_bonus 0
findler: starter choose; pair_rule at-end; usage exhaust; doublet_spaces four-when-entered
royal-2023: entry_required; doublet_spaces four-when-entered; doublet_whole;
    bonus_timing after-dice
parchis: turn_order right; starter highest-die; dice 1; entry_by die; entry_required;
    doublet_number 6; doublet_spaces four-when-entered; third_doublet last-moved; pair_rule off;
    safety_shared two; entry_captures full; open_blockade doublet
parchis-two: turn_order right; entry_required; total_move allowed; safety_shared two;
    entry_captures full; open_blockade doublet
ludo-uk: layout ludo-52; safety none; travel clockwise; starter highest-die; dice 1;
    entry_number 6; entry_by die; doublet_number 6; pair_rule off; stacking any; pairs wall;
    third_doublet none; bonuses 0
ludo-india: as ludo-uk; safety entries-stars; safety_shared any; entry_captures landing;
    pairs immune; third_doublet forfeit; again_capture; again_home
ludo-de: layout ring-40; safety none; travel clockwise; starter highest-die; dice 1;
    entry_number 6; entry_by die; entry_required; doublet_number 6; pair_rule off; stacking one;
    pairs none; clear_entry; tries 3; start_out 1; third_doublet none; bonuses 0
pop-28: layout ring-28; safety none; travel clockwise; starter highest-die; dice 1;
    entry_number 6; entry_by die; doublet_number 6; pair_rule off; stacking one; pairs none;
    third_doublet none; bonuses 0
petits-chevaux: as pop-28; layout ring-56; row_by ladder; overshoot back; passing none;
    stop_behind_blockade; to_win 1
ludo-dk: as ludo-uk; safety entries-stars; pairs immune; held_target sends-back; stars jump;
    overshoot back; tries 3
ludo-ch: turn_order right; starter highest-die; dice 1; entry_by die; doublet_number 6;
    doublet_spaces double; third_doublet all-open; pair_rule off; stacking any; pairs bench;
    captures passing; safety_shared any; entry_captures landing; overshoot back; bonuses 0
pachisi-mitra: layout cross; lots cowries-mitra; dice 1; turn_order right; entry_by lots;
    grace value; doublet_number 6; usage free; entry_captures landing; stacking any; pairs immune;
    pair_rule off; third_doublet none; bonuses 0
pachisi-modern: as pachisi-mitra; lots cowries-modern; grace enter; free_entry; pairs none;
    again_capture; partners
"""
# On each line, the first does not go with any of the others. "+" is and, "|" is or, "!" is not.
REFUSED_TEXT = """
dice 1: entry_by !die|lots, doublet_number any, total_move !never, touch_down
dice 2: doublet_number 6, doublet_spaces twelve-when-entered, overshoot back
doublet_spaces fourteen: dice 1, entry_number !5, total_move only, lots !dice, pairs !blockade
doublet_spaces fourteen: entry_also !0, overshoot over
doublet_spaces !fourteen: doublet_home_whole
entry_number 7|8|9|10|11|12: entry_by !sum
entry_number 1: entry_by sum, total_move only
entry_number 2|12 + entry_by sum: total_move !only
entry_number 6 + dice 1 + entry_by die: doublet_spaces four
total_move only: entry_by die, doublet_spaces !top, touch_down, entry_number_reserved
total_move only: entry_also !0, overshoot over
second_circuit: layout tip-entry|ring-40|ring-28|cross
usage exhaust: entry_required, bonus_optional, bonus_timing after-dice, clear_entry
usage exhaust|free: open_blockade doublet
usage free: entry_required, entry_number_reserved, clear_entry, doublet_whole, bonus_optional
lots !dice: layout !cross, dice 2, entry_by !lots, doublet_number any, capture_bonus 20
lots !dice: finish_bonus 10, grace none, entry_captures !landing, stacking !any, entry_also !0
lots !dice: overtaking_captures, undersides_enter, total_move !never, doublet_spaces !top
lots !dice: entry_number_reserved, usage whole-throw, overshoot !stop, entry_pairs give-way
lots dice: layout cross, entry_by lots, grace !none, free_entry
layout ring-40|ring-28: stacking !one, safety !none, capture_bonus 20, finish_bonus 10
layout ring-40|ring-28: again_home, third_doublet nearest-home, total_move only, overshoot back
layout !ring-40|ring-28: row_jump no
layout ludo-52|ring-40|ring-28|ring-56: safety twelve
layout !ludo-52: safety entries-stars
layout cross: start_out !0
pairs blockade: stacking !two
pairs !blockade: pair_rule !off, blockade_limit !0, open_blockade doublet, touch_down
pairs !blockade + passing free: stop_behind_blockade
pairs bench: captures landing
safety_shared !no: safety none, overtaking_captures, touch_down
safety_shared two: stacking !two
safety_shared any: stacking !any
safety_shared !two: entry_captures full
partners: play_on
entry_also !0: entry_number_reserved, entry_by sum
start_out 2: stacking one
pairs_on !all: pairs immune|none|bench
pairs_on safety: safety none
overshoot over: stop_behind_blockade, row_by ladder
overshoot back: capture_bonus !0, finish_bonus !0, second_circuit
overshoot back + passing free: stop_behind_blockade
row_by ladder: layout !ring-56, dice 2, doublet_spaces !top, capture_bonus !0, finish_bonus !0
passing none: dice 2, stacking !one, pairs !none, capture_bonus !0, finish_bonus !0
passing none: overtaking_captures
stars jump: layout !ludo-52, held_target bars, stacking !any
held_target sends-back: dice 2, capture_bonus !0, finish_bonus !0, pairs !immune
held_target sends-back: safety_shared !no, captures passing, partners
captures passing: dice 2, stacking !any, safety_shared !any, entry_captures !landing
captures passing: capture_bonus !0, finish_bonus !0, pairs !none|bench, overtaking_captures
captures passing: passing none, partners, entry_pairs give-way
doublet_spaces double: dice 2, entry_number 6, entry_also 6, lots !dice
third_doublet all-open: lots !dice, layout ring-40|ring-28
"""


def value_of(option: str, word: str) -> Any:
    if word in ("yes", "no") and option != "safety_shared":
        return word == "yes"
    return int(word) if word.isdigit() else word


def table(text: str) -> dict[str, str]:
    """Return the text of each name; a line that is indented goes on with the one before."""
    lines = text.strip().replace("\n   ", "").split("\n")
    return dict(line.split(": ") for line in lines)


OPTIONS = {
    name: [value_of(name, word) for word in words.split(", ")]
    for name, words in table(OPTIONS_TEXT).items()
}


def preset(name: str) -> Options:
    """Return every option of a preset, those that its text does not name at their default."""
    found = {name: values[0] for name, values in OPTIONS.items()}
    for field in table(PRESETS_TEXT)[name].split("; "):
        option, _, word = field.partition(" ")
        if option == "as":
            found |= preset(word)
        elif option == "bonuses":
            found |= {"capture_bonus": 0, "finish_bonus": 0}
        else:
            found[option] = value_of(option, word or "yes")
    return found


PRESETS = {name: preset(name) for name in table(PRESETS_TEXT)}


class Layout(NamedTuple):
    arm: int
    entry_offset: int
    guard: int | None
    row: int = 7
    out: int = 0


LAYOUTS = {
    "standard": Layout(17, 5, 5),
    "corner-64": Layout(16, 5, 5),
    "pachisi": Layout(17, 4, 4),
    "tip-entry": Layout(17, 0, 5),
    "ludo-52": Layout(13, 2, None, row=5),
    "ring-40": Layout(10, 1, None, row=4),
    "ring-28": Layout(7, 1, None, row=4),
    "ring-56": Layout(14, 1, None, row=6),
    "cross": Layout(17, 0, 4, out=7),
}
# By mouths up: the value, and "on" for a throw that goes on, "g" for one with a grace.
COWRIES = {
    "cowries-mitra": [(6, "on"), (10, "on g"), (2, ""), (3, ""), (4, ""), (25, "on g"), (12, "on")],
    "cowries-modern": [(25, "on g"), (10, "on g"), (2, ""), (3, ""), (4, ""), (5, ""), (6, "on g")],
}

MOST = {"one": 1, "two": 2, "any": 4}  # pawns of a seat or side on a space, by `stacking`


def options_of(ruleset: str | Options) -> Options:
    """Return every option of a preset, or of one with fields replaced."""
    changes = {"preset": ruleset} if isinstance(ruleset, str) else dict(ruleset)
    options = PRESETS[changes.pop("preset")] | changes
    follows = {"doublet_number": "any" if options["dice"] == 2 else 6}
    return options | follows | changes


class Condition(NamedTuple):
    """One part of a line of REFUSED_TEXT."""

    option: str
    values: list[Any]
    is_not: bool

    def holds(self, options: Options) -> bool:
        return (options[self.option] in self.values) != self.is_not


def condition(text: str) -> Condition:
    option, _, words = text.partition(" ")
    words = words.replace("fourteen", "fourteen-two-pawns|fourteen-any")
    values = (words or "yes").removeprefix("!").split("|")
    return Condition(option, [value_of(option, value) for value in values], words.startswith("!"))


REFUSED = [
    (list(map(condition, first.split(" + "))), list(map(condition, others.split(", "))))
    for line in REFUSED_TEXT.strip().split("\n")
    for first, others in [line.split(": ")]
]


def is_refused(options: Options) -> bool:
    """Whether the texts refuse the combination of options."""
    return (
        any(
            all(condition.holds(options) for condition in first)
            and any(condition.holds(options) for condition in others)
            for first, others in REFUSED
        )
        or options["entry_also"] == options["entry_number"]
        or (options["entry_captures"] == "full" and 0 not in Board(options).safe)
    )


def asks_late(options: Options) -> bool:
    """Whether it can matter which pawn of two came last to the entry."""
    gives_way: bool = options["entry_pairs"] == "give-way" and options["safety_shared"] == "two"
    full: bool = options["entry_captures"] == "full"
    return gives_way or full


# The board -------------------------------------------------------------------------------------


class Board:
    """A seat's way, as numbers: `place + n` is n spaces on, step 0 is `entry`.

    The way out comes before `entry`, and so do, under `second_circuit`, the steps from the tip
    round to it.
    """

    def __init__(self, options: Options) -> None:
        layout = LAYOUTS[options["layout"]]
        self.arm, self.ring, self.out, self.row = layout.arm, 4 * layout.arm, layout.out, layout.row
        self.entry = self.out + 1
        self.tip = self.entry + self.ring - layout.entry_offset
        self.home = self.tip + self.row + 1
        self.is_goal: bool = options["layout"] in ("ring-40", "ring-28")  # home is the row
        self.to_win: int = options["to_win"]
        self.overshoot: str = options["overshoot"]
        self.end: int = self.home - self.is_goal
        self.circuit: bool = options["second_circuit"]
        self.is_ladder: bool = options["row_by"] == "ladder"
        self.first_on_ring = self.tip - self.ring + 1 if self.circuit else self.entry
        entries = {seat * self.arm for seat in range(4)}
        tips = {(entry - layout.entry_offset) % self.ring for entry in entries}
        guard = layout.guard or 0
        self.safe = {
            "twelve": {(tip + off) % self.ring for tip in tips for off in (-guard, 0, guard)},
            "entries": entries,
            "tips": tips,
            "none": set(),
            "entries-stars": entries | {entry + 8 for entry in entries},
        }[options["safety"]]
        past_entry = [4, 11, 17, 24, 30, 37, 43, 50] if options["stars"] == "jump" else []
        self.stars = [self.entry + steps for steps in past_entry]
        every = [NEST, *range(self.first_on_ring - self.out, self.end + 1)]
        self.place: dict[str, int] = {self.text(place): place for place in every}

    def on_ring(self, place: int) -> bool:
        return self.first_on_ring <= place <= self.tip

    def in_row(self, place: int) -> bool:
        return self.tip < place < self.home

    def spot(self, seat: int, place: int) -> Spot:
        """Return the space as all seats know it."""
        if self.on_ring(place):
            return (seat * self.arm + place - self.entry) % self.ring
        return NOWHERE if place in (NEST, self.home) else 1000 * (seat + 1) + place

    def ways(self, place: int, spaces: int) -> list[Way]:
        """Return the walks of so many spaces, cut off at the end or turning there."""
        ahead = [place + count for count in range(1, spaces + 1)]
        if self.is_on_ladder(place):
            needed = min(place - self.tip + 1, self.row)
            return [ahead[: spaces == needed]]
        end = self.tip if self.is_ladder else self.end
        if self.overshoot == "back" and place < end:
            return [[min(on, 2 * end - on) for on in ahead]]
        ways = [[on for on in ahead if on <= end]]
        if self.circuit and not self.is_ladder and place <= self.tip < ahead[-1]:
            ways.append([on if on <= self.tip else on - self.ring for on in ahead])
        return ways

    def is_on_ladder(self, place: int) -> bool:
        """Whether each step asks for a number of its own: on the ladder and its foot."""
        return self.is_ladder and place >= self.tip

    def fits(self, place: int, spaces: int, way: Way) -> bool:
        """Whether the number is not too large for the walk that it gave."""
        is_free = self.overshoot == "over" or self.is_on_ladder(place)
        return way != [] and (is_free or len(way) == spaces)

    def next_star(self, place: int) -> int:
        """Return where a pawn goes on to from a star: the next one of its way, or home."""
        return min([star for star in self.stars if star > place], default=self.home)

    def is_home(self, place: int) -> bool:
        return place > self.tip if self.is_goal else place == self.home

    def count_home(self, places: Iterable[int]) -> int:
        return sum(map(self.is_home, places))

    def has_finished(self, places: Iterable[int]) -> bool:
        return self.count_home(places) >= self.to_win

    def left_behind(self, places: Iterable[int]) -> list[int]:
        """Return where a winner's pawns are when the game goes on: home, or back in the nest."""
        return [place if self.is_home(place) else NEST for place in places]

    def text(self, place: int) -> str:
        if place in (NEST, self.home):
            return "N" if place == NEST else "H"
        if place > self.tip:
            return f"r{place - self.tip}"
        if place < self.entry and self.out:
            return f"o{place}"
        return str((place - self.entry) % (self.ring + (not self.circuit)))


Seats = tuple[tuple[int, ...], ...]  # the places of each seat's pawns, furthest on first


def position_of(board: Board, text: str) -> Seats:
    """Return the seats' pawns; KeyError where a place isn't one of the board."""
    return tuple(
        () if seat == "-" else tuple(board.place[place] for place in seat.split(","))
        for seat in text.split("/")
    )


def position_text(board: Board, seats: Iterable[Iterable[int]]) -> str:
    return "/".join(
        ",".join(map(board.text, sorted(places, reverse=True))) or "-" for places in seats
    )


def is_valid(options: Options, text: str) -> bool:
    """Whether a position has places of the board only, pawns that may stand there, and partners."""
    board = Board(options)
    try:
        seats = position_of(board, text)
    except KeyError:
        return False
    return may_stand(options, board, seats) and (all(seats) or not options["partners"])


def may_stand(options: Options, board: Board, seats: Iterable[Iterable[int]]) -> bool:
    """Whether pawns may stand together as they do, and no more are home than win."""
    there = defaultdict[Spot, list[int]](list)
    for seat, places in enumerate(seats):
        if board.count_home(places) > board.to_win:
            return False
        for place in places:
            there[board.spot(seat, place)].append(seat)
    for spot, standing in there.items():
        shared = options["safety_shared"] if spot in board.safe else "no"
        sides = Counter(seat % 2 if options["partners"] else seat for seat in standing)
        fits = {"no": len(sides) == 1, "two": len(standing) < 3, "any": True}[shared]
        fits = fits or options["captures"] == "passing"
        most = max(sides.values()) if options["stacking"] != "any" else 0
        if spot != NOWHERE and (most > MOST[options["stacking"]] or not fits):
            return False
    return True


# A throw ---------------------------------------------------------------------------------------


class Increment(NamedTuple):
    spaces: int
    kind: str  # face, underside, total, grant, shells, or grace for the 1 of a grace


class Pawn(NamedTuple):
    place: int
    pair: Spot = NOWHERE  # where it stood with another when the dice were thrown
    took_part: bool = False  # of a grant of 14 spaces
    clears: bool = False  # it stood on the entry when the dice were thrown


class State(NamedTuple):
    """A point in a play, with all that the rules ask of the steps before it."""

    own: tuple[Pawn, ...]  # sorted, for those that are alike are one
    others: Seats  # empty for the own seat
    dice: tuple[Increment, ...]
    bonuses: tuple[int, ...] = ()
    bonus_begun: bool = False
    opened: bool = False
    cleared: bool = False
    captured: int = 0  # where the rule set asks for it
    came_home: bool = False
    entered: int = 0  # where it must, if it can


class TooManyError(Exception):
    """More points in plays than the limit."""


class Throw:
    """One throw of a request: what it grants, what a step may do, and every play.

    A limit of 0 lists no plays, for who asks of single steps only.
    """

    def __init__(self, request: Request, limit: int | None = None) -> None:
        self.options = options = options_of(request["ruleset"])
        self.board = board = Board(options)
        self.seat: int = request["seat"]
        self.dice: list[int] = request["throw"]
        self.tries: int = request.get("tries", 0)
        self.late = dict(request.get("late", ()))
        self.began: str = request.get("began") or request["position"]
        self.last: str | None = request.get("last")
        self.seats = position_of(board, request["position"])
        self.partner = (self.seat + 2) % 4 if options["partners"] else None
        self.by_side = options["partners"] and options["stacking"] != "any"
        places = self.seats[self.seat]
        standing = Counter(board.spot(self.seat, place) for place in places)
        del standing[NOWHERE]
        self.pairs = {spot for spot, count in standing.items() if count > 1}
        self.is_doublet = self.is_marked("on")
        self.has_grace = options["grace"] == "value" and self.is_marked("g")
        struck = self.is_doublet and request.get("doublets", 0) >= 2
        third = options["third_doublet"]
        self.penalty: str | None = third if struck and third != "none" else None
        self.granted = [] if self.penalty else self.grant(has_nest=NEST in places)
        self.start = State(
            tuple(sorted(map(self.pawn, places))),
            tuple(() if seat == self.seat else own for seat, own in enumerate(self.seats)),
            tuple(sorted(self.granted)),
        )
        self.after: dict[State, list[tuple[str, State]]] = {}
        self.crowds: dict[Any, dict[Spot, list[int]]] = {}
        self.blockades = {
            board.spot(self.seat, place)
            for place in places
            if any(self.side(self.seat) == side for side in self.barring(self.start, place))
        }
        if self.penalty is None and limit != 0:
            self.list_plays(limit)
            self.complete = self.sieve()
            self.alive = self.leading_on()

    def pawn(self, place: int) -> Pawn:
        spot = self.board.spot(self.seat, place)
        clears = self.options["clear_entry"] and place == self.board.entry
        return Pawn(place, spot if spot in self.pairs else NOWHERE, clears=clears)

    def side(self, seat: int) -> int:
        """Return whose pawns count together: the seat's, or both of its side's."""
        return seat % 2 if self.by_side else seat

    def is_opponent(self, seat: int) -> bool:
        return seat not in (self.seat, self.partner)

    def is_marked(self, mark: str) -> bool:
        """Whether a throw of cowries has the mark; dice go on with a doublet."""
        if self.options["lots"] != "dice":
            return mark in COWRIES[self.options["lots"]][self.dice[0]][1].split()
        return mark == "on" and (self.dice == [6] or self.dice == 2 * self.dice[:1])

    def grant(self, has_nest: bool) -> list[Increment]:
        """Return the increments of the dice, faces first."""
        options, dice = self.options, self.dice
        if options["lots"] != "dice":
            adds_one = options["grace"] == "enter" and self.is_marked("g")
            value = Increment(COWRIES[options["lots"]][dice[0]][0], "shells")
            return [value] + [Increment(1, "grace")] * adds_one
        if options["total_move"] == "only":
            return [Increment(sum(dice), "total")]
        faces = [Increment(face, "face") for face in dice]
        how = options["doublet_spaces"] if self.is_doublet else "top"
        if how.startswith("fourteen"):
            return [Increment(14, "grant")]
        if how == "top" or (how.endswith("when-entered") and has_nest):
            return faces
        if len(dice) == 1:
            return [Increment(12 if how in ("twelve-when-entered", "double") else 7, "face")]
        return faces + [Increment(7 - face, "underside") for face in dice]

    # Steps: which a state offers

    def steps(self, state: State) -> Iterator[tuple[str, State]]:
        if self.has_won(state):
            return
        if not state.bonus_begun:
            for increment in set(state.dice):
                yield from self.enter_by(state, increment)
                yield from self.advance_by(state, increment)
            yield from self.use_two(state)
        is_last = self.options["bonus_timing"] == "after-dice"
        for bonus in set(state.bonuses):
            begun = state._replace(bonuses=less(state.bonuses, bonus), bonus_begun=is_last)
            for pawn in self.on_the_way(state):
                for way in self.advances(state, pawn.place, bonus):
                    yield from self.made(begun, pawn, way, str(bonus), by_dice=False)

    def enter_by(self, state: State, increment: Increment) -> Iterator[tuple[str, State]]:
        """Yield the steps that enter a pawn by one increment of the dice.

        Under `entry_by` sum no single die enters, nor an underside or a five of a grant: a ruling,
        since the texts let both readings stand.
        """
        options, board, (spaces, kind) = self.options, self.board, increment
        nest = sum(pawn.place == NEST for pawn in state.own)
        by, number = options["entry_by"], options["entry_number"]
        rest, way = state._replace(dice=less(state.dice, increment)), [board.entry]
        if kind in ("shells", "grace"):
            may = kind == "grace" or self.has_grace or (options["free_entry"] and nest == 4)
            way = list(range(1, spaces + 1))
        elif kind == "grant":
            may = self.fives_left(state) > 0 and spaces >= number and by != "sum"
            rest = self.with_less_of_the_grant(state, number)
            spaces = number
        elif kind == "total":
            may = by != "die" and spaces == number
        elif kind == "underside":
            may = options["undersides_enter"] and spaces == number and by != "sum"
        else:
            may = by != "sum" and spaces in (number, options["entry_also"])
        if may:
            yield from self.entered(rest, way, str(spaces))

    def entered(self, rest: State, way: Way, spent: str) -> Iterator[tuple[str, State]]:
        """Yield the step that enters a pawn, if there is one and the space allows it."""
        nest = [pawn for pawn in rest.own if pawn.place == NEST]
        if nest and (taken := self.taken_on_entering(rest, way)) is not None:
            yield from self.made(rest, nest[0], way, spent, taken=taken)

    def taken_on_entering(self, state: State, way: Way) -> list[int] | None:
        """Return whose pawns are lost on the space entered; None where it can't be.

        Under give-way opponents alone never stop it: all go, or one where two may share the space.
        """
        taken = self.taken(state, way)
        if taken is not None or self.options["entry_pairs"] == "stay":
            return taken
        others = enumerate(state.others)
        left = tuple(() if self.is_opponent(seat) else places for seat, places in others)
        if self.taken(state._replace(others=left), way) is None:
            return None
        there = self.opponents(state, way[-1])
        shares = self.options["safety_shared"] == "two" and self.is_safe(way[-1])
        return [self.last_come(there, way[-1])] if shares else there

    def taken(self, state: State, way: Way) -> list[int] | None:
        how, place = self.options["entry_captures"], way[-1]
        (own, opponents), there = self.standing(state, place), self.opponents(state, place)
        if how == "landing":
            barred = any(self.is_barred(state, on) for on in way)
            if self.options["captures"] == "passing":
                return []
            stopped = barred or self.is_full(state, place) or self.is_held(state, place)
            return None if stopped else self.victims(state, place)
        if how == "full":
            if own + len(there) < 2:
                return []
            if own > 1 or 2 in opponents.values():
                return None
            return [self.last_come(there, place)]
        stops = self.options["pairs"] != "none" and any(n > 1 for n in opponents.values())
        if own >= self.most() or len(opponents) > 1 or stops:
            return None
        return there

    def last_come(self, there: list[int], place: int) -> int:
        """Return which of them came last; the first after the own seat where it is not known."""
        last = self.late.get(self.board.spot(self.seat, place))
        return last if last in there else min(there, key=lambda seat: (seat - self.seat) % 4)

    def advance_by(self, state: State, increment: Increment) -> Iterator[tuple[str, State]]:
        """Yield the steps that move a pawn by one increment of the dice, or by a part of it."""
        spaces, kind = increment
        rest = state._replace(dice=less(state.dice, increment))
        if kind == "grant":
            yield from self.take_parts(state, spaces)
        elif kind != "grace" and not self.is_reserved(state, increment):
            for pawn in self.on_the_way(state):
                for way in self.advances(state, pawn.place, spaces, by_dice=True):
                    yield from self.made(rest, pawn, way, str(spaces))
        # A pawn on the last space of its row goes home by a grace, or by one die of a total.
        by_one = kind == "total" and 1 in self.dice
        if kind == "grace" or by_one or (kind == "shells" and self.has_grace):
            for pawn in self.on_the_way(state):
                if pawn.place == self.board.home - 1:
                    spent = 1 if by_one else spaces
                    yield from self.made(rest, pawn, [self.board.home], str(spent))

    def take_parts(self, state: State, left: int) -> Iterator[tuple[str, State]]:
        """Yield the parts of a 14-space grant, those kept back for entering left out."""
        options = self.options
        took = sum(pawn.took_part for pawn in state.own)
        if options["doublet_spaces"] == "fourteen-two-pawns" and took == 2:
            return
        keeps = options["entry_number_reserved"] and self.has_nest(state)
        most = left - 5 * self.fives_left(state) if keeps else left
        for pawn in self.on_the_way(state):
            for spaces in range(1, most + 1) if not pawn.took_part else ():
                rest = self.with_less_of_the_grant(state, spaces)
                for way in self.advances(state, pawn.place, spaces, by_dice=True):
                    at_home = way[-1] == self.board.home
                    if not (at_home and spaces < 14 and options["doublet_home_whole"]):
                        yield from self.made(rest, pawn, way, f"{spaces}/14", is_part=True)

    def fives_left(self, state: State) -> int:
        """Return how many fives of a double five have not entered a pawn."""
        entered = sum(p == NEST for p in self.seats[self.seat])
        entered -= sum(pawn.place == NEST for pawn in state.own)
        return 2 - entered if self.dice[0] == 5 else 0

    def with_less_of_the_grant(self, state: State, spaces: int) -> State:
        left = state.dice[0].spaces - spaces
        return state._replace(dice=(Increment(left, "grant"),) if left else ())

    def use_two(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield the steps that spend two increments: a sum that enters, a total, a touch-down."""
        options = self.options
        both = tuple(sorted((Increment(face, "face") for face in self.dice), reverse=True))
        if len(both) == 2 and not self.is_doublet and state.dice == both[::-1]:
            rest, total = state._replace(dice=()), both[0].spaces + both[1].spaces
            spent = f"{both[0].spaces}+{both[1].spaces}"
            if options["entry_by"] in ("sum", "die-or-sum") and total == options["entry_number"]:
                yield from self.entered(rest, [self.board.entry], spent)
            reserved = any(self.is_reserved(state, increment) for increment in both)
            if options["total_move"] == "allowed" and not reserved:
                for pawn in self.on_the_way(state):
                    for way in self.advances(state, pawn.place, total, by_dice=True):
                        yield from self.made(rest, pawn, way, spent)
        if options["touch_down"]:
            for one, two in set(permutations(state.dice, 2)):
                if not (self.is_reserved(state, one) or self.is_reserved(state, two)):
                    yield from self.touch_down(state, one, two)

    def touch_down(
        self, state: State, one: Increment, two: Increment
    ) -> Iterator[tuple[str, State]]:
        rest = state._replace(dice=less(less(state.dice, one), two))
        for pawn in self.on_the_way(state):
            for first in self.open_ways(state, pawn.place, one.spaces):
                _, opponents = self.standing(state, first[-1])
                spot = self.board.spot(self.seat, first[-1])
                if spot in self.board.safe and opponents.total() == 1:
                    for second in self.advances(state, first[-1], two.spaces, by_dice=True):
                        spent = f"{one.spaces},{two.spaces}"
                        yield from self.made(rest, pawn, first + second, spent)

    def is_reserved(self, state: State, increment: Increment) -> bool:
        """Whether a die shows the entry number, which is kept for entering."""
        is_die = increment.kind in ("face", "underside")
        shows = is_die and increment.spaces == self.options["entry_number"]
        return shows and self.options["entry_number_reserved"] and self.has_nest(state)

    # Steps: where a pawn may go

    def open_ways(
        self, state: State, place: int, spaces: int, shortens: bool = False
    ) -> Iterator[Way]:
        """Yield the ways that nothing bars, or what is left of them before what bars them."""
        for whole in self.board.ways(place, spaces):
            is_over = self.board.overshoot == "over"
            way = self.into_goal(state, place, whole) if is_over else whole
            stops = [index for index in range(len(way)) if self.bars(state, way, index)]
            fits = self.board.fits(place, spaces, way)
            nobody_passes = self.options["passing"] == "none"
            if shortens and nobody_passes and way and self.is_full(state, way[-1]):
                stops.append(len(way) - 1)
            if not stops and fits:
                yield way
            elif stops and stops[0] and shortens and (fits or not nobody_passes):
                yield way[: stops[0]]

    def bars(self, state: State, way: Way, index: int) -> bool:
        """Whether pawns on a space of the walk keep the pawn from going on, or there."""
        is_passed = index < len(way) - 1
        if is_passed and self.options["passing"] == "none" and self.seats_on(state, way[index]):
            return True
        is_asked = is_passed or self.options["pairs"] != "bench"
        return is_asked and self.is_barred(state, way[index])

    def into_goal(self, state: State, place: int, way: Way) -> Way:
        """Return the way cut off at the furthest goal space that is free, if it comes there."""
        taken = {pawn.place for pawn in state.own}
        if not self.board.is_goal or place + len(way) <= self.board.tip:
            return way
        row = [on for on in way if self.board.is_home(on)]
        if not self.options["row_jump"] or self.options["passing"] == "none":
            row = list(takewhile(lambda on: on not in taken, row))
        free = [on for on in row if on not in taken]
        return way[: way.index(free[-1]) + 1] if free else []

    def advances(
        self, state: State, place: int, spaces: int, by_dice: bool = False
    ) -> Iterator[Way]:
        shortens = by_dice and self.options["stop_behind_blockade"]
        if self.board.overshoot == "back":  # the pawn stands nowhere while it walks
            walking = next(pawn for pawn in state.own if pawn.place == place)
            state = state._replace(own=less(state.own, walking))
        for way in self.open_ways(state, place, spaces, shortens):
            passed = {on for on in way[:-1] if self.board.in_row(on)}
            jumps = any(pawn.place in passed for pawn in state.own)
            is_held = self.options["held_target"] == "bars" and self.is_held(state, way[-1])
            stops = self.is_full(state, way[-1]) or is_held
            if not stops and (self.options["row_jump"] or not jumps):
                yield way

    def on_the_way(self, state: State) -> list[Pawn]:
        """Return the pawns that can advance, one of those that are alike."""
        return [
            pawn for pawn in dict.fromkeys(state.own) if pawn.place not in (NEST, self.board.home)
        ]

    def has_nest(self, state: State) -> bool:
        return any(pawn.place == NEST for pawn in state.own)

    def seats_on(self, state: State, place: int) -> list[int]:
        """Return the seats whose pawns stand on the space, once for each pawn.

        Under `stacking` any a partner's pawns count for nothing.
        """
        board, key = self.board, (state.own, state.others)
        if key not in self.crowds:
            crowd = defaultdict[Spot, list[int]](list)
            for pawn in state.own:
                crowd[board.spot(self.seat, pawn.place)].append(self.seat)
            for seat, places in enumerate(state.others):
                for on in places if self.by_side or seat != self.partner else ():
                    crowd[board.spot(seat, on)].append(seat)
            crowd.pop(NOWHERE, None)
            self.crowds[key] = dict(crowd)
        return self.crowds[key].get(board.spot(self.seat, place), [])

    def standing(self, state: State, place: int) -> tuple[int, Counter[int]]:
        """Return how many pawns of the own side stand on the space, and of each other side."""
        sides = Counter(map(self.side, self.seats_on(state, place)))
        return sides.pop(self.side(self.seat), 0), sides

    def opponents(self, state: State, place: int) -> list[int]:
        return [seat for seat in self.seats_on(state, place) if self.is_opponent(seat)]

    def is_safe(self, place: int) -> bool:
        return self.board.spot(self.seat, place) in self.board.safe

    def most(self) -> int:
        """Return how many pawns of a side a space may hold."""
        return MOST[self.options["stacking"]]

    def barring(self, state: State, place: int) -> set[int]:
        """Return the sides of which two pawns or more bar the space, by `pairs_on`."""
        there, spot = self.seats_on(state, place), self.board.spot(self.seat, place)
        if len(there) < 2:
            return set()
        barred_by = {
            "all": there,
            "safety": there if spot in self.board.safe else [],
            "own-entry": [seat for seat in there if spot == seat * self.board.arm],
        }[self.options["pairs_on"]]
        sides = list(map(self.side, there))
        return {self.side(seat) for seat in barred_by if sides.count(self.side(seat)) > 1}

    def is_barred(self, state: State, place: int) -> bool:
        """Whether two pawns of one side keep this one from passing."""
        pairs, sides = self.options["pairs"], self.barring(state, place)
        opponents = sides - {self.side(self.seat)}
        return (
            (pairs == "blockade" and sides != set())
            or (pairs == "wall" and opponents != set())
            or (pairs == "bench" and self.is_safe(place) and opponents != set())
        )

    def is_full(self, state: State, place: int) -> bool:
        """Whether the space holds as many pawns of the own side as it may."""
        return self.standing(state, place)[0] >= self.most()

    def is_held(self, state: State, place: int) -> bool:
        """Whether opponents keep an advancing pawn that comes to the space from staying there."""
        own, opponents = self.standing(state, place)
        shared, pairs = self.options["safety_shared"], self.options["pairs"]
        meets_pair = any(n > 1 for n in opponents.values())
        if not opponents or self.options["captures"] == "passing":
            return False
        if meets_pair and pairs in ("blockade", "wall"):
            return True
        if self.is_safe(place):
            return not (shared == "any" or (shared == "two" and own + opponents.total() < 2))
        return meets_pair and pairs != "none"

    def victims(self, state: State, place: int) -> list[int]:
        """Return whose pawns an advancing pawn captures where it captures."""
        return [] if self.is_safe(place) else self.opponents(state, place)

    def landed(self, state: State, way: Way) -> tuple[int, dict[Spot, list[int]]]:
        """Return where an advancing pawn stands at last, and whom it captures where.

        From a star it goes on to the next one; where it may not stay, to the nest.
        """
        board, options = self.board, self.options
        hit: dict[Spot, list[int]] = {}
        for on in way[:-1]:
            there = self.victims(state, on)
            if options["captures"] == "passing" or (
                options["overtaking_captures"] and len(there) == 1
            ):
                hit[board.spot(self.seat, on)] = there
        landings = [way[-1]]
        if way[-1] in board.stars:
            landings.append(board.next_star(way[-1]))
        for on in landings if options["captures"] == "landing" else ():
            if options["held_target"] == "sends-back" and self.is_held(state, on):
                return NEST, hit
            hit[board.spot(self.seat, on)] = self.victims(state, on)
        return landings[-1], hit

    def made(
        self,
        state: State,
        pawn: Pawn,
        way: Way,
        spent: str,
        *,
        by_dice: bool = True,
        is_part: bool = False,
        taken: list[int] | None = None,
    ) -> Iterator[tuple[str, State]]:
        """Yield the step and the state after it, unless the pair may not go there."""
        board, options = self.board, self.options
        if taken is None:
            to, hit = self.landed(state, way)
        else:
            to, hit = way[-1], {board.spot(self.seat, way[-1]): taken}
        moved = pawn._replace(place=to, took_part=pawn.took_part or is_part)
        moved = Pawn(NEST) if to == NEST else moved
        own = list(state.own)
        own.remove(pawn)
        if options["pair_rule"] == "throughout" and self.together(own, moved):
            return
        captured, others = 0, state.others
        for at, victims in hit.items():
            for seat in victims:
                places = list(others[seat])
                places.remove(next(on for on in places if board.spot(seat, on) == at))
                others = (*others[:seat], (*places, NEST), *others[seat + 1 :])
                captured += 1
        earned = [options["capture_bonus"]] * captured
        earned += [options["finish_bonus"]] * (to == board.home)
        opens = options["open_blockade"] == "doublet"
        opens = opens and board.spot(self.seat, pawn.place) in self.blockades
        counts = options["must_capture"] or options["again_capture"]
        after = state._replace(
            own=tuple(sorted([*own, moved])),
            others=others,
            bonuses=tuple(sorted([*state.bonuses, *filter(None, earned)])),
            opened=state.opened or (by_dice and opens),
            cleared=state.cleared or (by_dice and pawn.clears),
            captured=state.captured + captured * counts,
            came_home=state.came_home or (options["again_home"] and to == board.home),
            entered=state.entered + (options["entry_required"] and pawn.place == NEST),
        )
        mark = "x" if captured else ""
        yield f"{board.text(pawn.place)}-{board.text(to)}({spent}){mark}", after

    def together(self, others: Iterable[Pawn], pawn: Pawn) -> bool:
        """Whether the pawn stands with the one that it stood with, on another space."""
        spot = self.board.spot(self.seat, pawn.place)
        return pawn.pair != NOWHERE and any(
            other.pair == pawn.pair and self.board.spot(self.seat, other.place) == spot
            for other in others
            if spot not in (NOWHERE, pawn.pair)
        )

    # Plays: all of them, then the sieve

    def list_plays(self, limit: int | None) -> None:
        waiting = [self.start]
        while waiting:
            state = waiting.pop()
            if state not in self.after:
                self.after[state] = list(dict.fromkeys(self.steps(state)))
                waiting += [after for _, after in self.after[state]]
                if limit is not None and len(self.after) > limit:
                    raise TooManyError

    def sieve(self) -> set[State]:
        """Return the states in which the player may stop."""
        options, granted = self.options, self.spaces_or_increments(self.start)
        plays = [state for state in self.after if self.may_end(state)]
        won = {state for state in plays if self.has_won(state)}
        is_whole = options["doublet_whole"] and len(self.granted) == 4

        def spent(state: State) -> int:
            return granted - self.spaces_or_increments(state)

        def keep_greatest(count: Any) -> list[State]:
            greatest = max(map(count, plays))
            return [state for state in plays if state in won or count(state) == greatest]

        def keep_captures() -> set[State]:
            return set(keep_greatest(lambda s: s.captured) if options["must_capture"] else plays)

        if options["usage"] == "free":
            return keep_captures()
        if options["usage"] == "exhaust":
            plays = [s for s in plays if not any(self.may_end(after) for _, after in self.after[s])]
        else:
            if options["entry_required"]:
                plays = keep_greatest(lambda s: s.entered)
            if options["open_blockade"] == "doublet" and self.is_doublet:
                plays = keep_greatest(lambda s: s.opened)
            if options["clear_entry"] and self.has_nest(self.start):
                plays = keep_greatest(lambda s: s.cleared)
        most = max(map(spent, plays))
        if options["usage"] != "exhaust":
            plays = keep_greatest(spent)
            if options["usage"] == "maximal-higher":
                plays = keep_greatest(lambda s: -sum(increment.spaces for increment in s.dice))
        if most < granted and is_whole:
            plays = [self.start]
        if most < granted and options["usage"] == "whole-throw":
            plays = [state for state in plays if state in won] or [self.start]
        if options["usage"] != "exhaust" and not options["bonus_optional"]:
            plays = [state for state in plays if state in won or not self.can_spend_bonus(state)]
        return keep_captures()

    def spaces_or_increments(self, state: State) -> int:
        """Return how much of the dice is left: increments, or spaces of a grant."""
        return sum(i.spaces if i.kind == "grant" else 1 for i in state.dice)

    def may_end(self, state: State) -> bool:
        """Whether `pair_rule` lets a play end so."""
        return self.options["pair_rule"] != "at-end" or not self.is_pair_elsewhere(state)

    def is_pair_elsewhere(self, state: State) -> bool:
        return any(self.together(state.own[:index], p) for index, p in enumerate(state.own))

    def can_spend_bonus(self, state: State) -> bool:
        return any(s.dice == state.dice and self.may_end(s) for _, s in self.after[state])

    def has_won(self, state: State) -> bool:
        return self.board.has_finished(pawn.place for pawn in state.own)

    def leading_on(self) -> set[State]:
        """Return the states from which a complete play is still reached."""
        before: dict[State, list[State]] = {}
        for state, steps in self.after.items():
            for _, after in steps:
                before.setdefault(after, []).append(state)
        found, waiting = set[State](), list(self.complete)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                waiting += before.get(state, ())
        return found

    # Answers

    def offered(self, states: Iterable[State]) -> dict[str, set[State]]:
        """Return the legal steps, each with the states that it leads to."""
        found: dict[str, set[State]] = {}
        for state in states:
            for text, after in self.after[state]:
                if after in self.alive:
                    found.setdefault(text, set()).add(after)
        return found

    def at(self, made: Iterable[str]) -> set[State]:
        """Return the states of a play after these steps; KeyError where one is illegal."""
        states = {self.start}
        for step in made:
            states = self.offered(states)[step]
        return states

    def ends(self, states: Iterable[State]) -> set[State]:
        """Return the complete plays that still can be reached."""
        found, waiting = set[State](), list(states)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                waiting += [after for _, after in self.after[state] if after in self.alive]
        return found & self.complete

    def throws_again(self, end: State) -> bool:
        options = self.options
        if self.has_won(end):
            return False
        again = options["again"]
        if self.is_doublet and (again == "always" or (again == "if-all-used" and not end.dice)):
            return True
        has_captured = options["again_capture"] and end.captured > 0
        return has_captured or end.came_home or (self.is_a_try() and self.tries < 2)

    def is_a_try(self) -> bool:
        """Whether this throw counts as one of three tries: none on the ring, and no step."""
        is_out = any(map(self.board.on_ring, self.seats[self.seat]))
        has_step = bool(self.offered([self.start]))
        return self.options["tries"] == 3 and not (is_out or self.is_doublet or has_step)

    def result(self, end: State) -> str:
        own = [pawn.place for pawn in end.own]
        if self.has_won(end) and self.goes_on():
            own = self.board.left_behind(own)
        seats = [own if seat == self.seat else other for seat, other in enumerate(end.others)]
        return position_text(self.board, seats)

    def goes_on(self) -> bool:
        """Whether others play on after the seat has won."""
        if self.partner is not None:
            return not self.board.has_finished(self.seats[self.partner])
        others = [own for seat, own in enumerate(self.seats) if own and seat != self.seat]
        left = sum(not self.board.has_finished(own) for own in others)
        return self.options["play_on"] and left > 1

    def punished(self) -> str:
        """Return the position after the penalty of a third doublet."""
        if self.penalty == "undo-turn":
            return self.began
        board, own = self.board, sorted(self.seats[self.seat])
        nearest = max((place for place in own if place < board.home), default=NEST)
        goes: int | None = None
        if self.penalty == "last-moved" and self.last is not None:
            goes = board.place[self.last]
        elif self.penalty in ("nearest-home", "nearest-home-unless-row"):
            goes = nearest
        elif self.penalty == "all-open":
            own = [NEST if board.on_ring(on) and not self.is_safe(on) else on for on in own]
        spared = self.penalty in ("last-moved", "nearest-home-unless-row")
        if goes is not None and goes < board.home and not (spared and board.in_row(goes)):
            own.remove(goes)
            own.append(NEST)
        return position_text(
            board, (own if s == self.seat else o for s, o in enumerate(self.seats))
        )

    def answer(self, made: Iterable[str] = ()) -> dict[str, Any]:
        """Answer the request after the steps made."""
        if self.penalty is not None:
            return {
                "increments": [],
                "steps": [],
                "may_stop": True,
                "results": [self.punished()],
                "again": self.penalty == "no-move",
                "penalty": self.penalty.removesuffix("-unless-row"),
            }
        states = self.at(made)
        ends = self.ends(states)
        results = sorted(map(self.result, ends))
        again = sorted({self.result(end) for end in ends if self.throws_again(end)})
        results = sorted(set(results))
        return {
            "increments": [increment.spaces for increment in self.granted],
            "steps": sorted(self.offered(states)),
            "may_stop": not states.isdisjoint(self.complete),
            "results": results,
            "again": again == results if again in (results, []) else again,
            "penalty": None,
        }


def less(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """Return the items but one."""
    index = items.index(item)
    return items[:index] + items[index + 1 :]


def answer(request: Request, limit: int | None = None) -> dict[str, Any]:
    return Throw(request, limit).answer(request.get("play", ()))
