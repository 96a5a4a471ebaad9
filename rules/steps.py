"""Steps: the text form of one, and every single step that a state of a play allows.

What is blocked, captured and spent is told in rules/NOTATION.md.
Which sequences of steps make a legal play is not asked here, but in `plays`.
"""

import re
from collections.abc import Iterator
from copy import copy
from functools import lru_cache, reduce
from itertools import chain
from math import gcd
from operator import or_
from typing import Any, NamedTuple, Self

from rules.board import (
    HOME,
    NEST,
    PLACE_TEXTS,
    PLACES,
    SEATS,
    Route,
    bits,
    board,
    parse_place,
    routes,
    safety_spaces,
    seen_bits,
)
from rules.position import PAWNS, Position
from rules.ruleset import DOUBLET_SPACES, RuleSet

GRANT = 14  # spaces that a doublet grants where `DoubletSpaces.fourteen`


class Step(NamedTuple):
    """One step of a play, `12-17(5)x`: from where to where, what it spends, whether it captures."""

    origin: int
    target: int
    spent: str
    captures: bool = False

    def __str__(self) -> str:
        """Return the notation of rules/NOTATION.md."""
        ends = f"{PLACE_TEXTS[self.origin]}-{PLACE_TEXTS[self.target]}"
        return f"{ends}({self.spent}){'x' * self.captures}"


_STEP = re.compile(
    r"(?P<origin>\w+)-(?P<target>\w+)\((?P<spent>[1-9]\d?(?:[+,][1-6]|/14)?)\)(?P<captures>x?)",
    re.ASCII,
)


def parse_step(text: str) -> Step:
    """Return the step that a text gives; ValueError says what is wrong with it."""
    match = _STEP.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no step: write one such as 12-17(5), N-0(4+1) or 17-37(20)x")
    origin, target = parse_place(match["origin"]), parse_place(match["target"])
    return Step(origin, target, match["spent"], bool(match["captures"]))


# A pawn in a play is `place << TAG_BITS | tag`. The tag holds what the pair rule and the 14-space
# grant must know of it: which pair it stood in when the dice were thrown, whether it took a part.
TAG_BITS = 3
PAIR = 0b011
PART = 0b100
IN_NEST = NEST << TAG_BITS
AT_HOME = HOME << TAG_BITS
LAST_IN_ROW = HOME - 1

Dice = tuple[int, ...]  # open dice increments, highest first; of a grant its spaces and fives
World = tuple[int, ...]  # one seat's four pawns, least advanced place number first
Part = tuple[int, str, int, int]  # of a 14-space grant: its size, spelling, target, catch as bits


class State(NamedTuple):
    """Where a play stands.

    `worlds` are the ways to tell the seat's pawns apart that the steps so far allow (pawns look
    alike); `lone` the lone opponents still on the ring, as bits seen from the seat; `dice` the open
    dice increments, highest first, or of a 14-space grant the spaces left and the fives not yet
    entered with; `bonuses` the open bonus increments; `closed` whether dice may no more be used.
    """

    worlds: tuple[World, ...]
    lone: int
    dice: Dice
    bonuses: tuple[int, ...] = ()
    closed: bool = False


class Successor(NamedTuple):
    """A step from a state: its parts, the captured opponents as bits, and the state it leads to."""

    origin: int
    target: int
    spent: str
    caught: int
    state: State

    @property
    def step(self) -> Step:
        """The step itself."""
        return _new(Step, (self.origin, self.target, self.spent, self.caught != 0))


def is_doublet(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    """Whether a throw is a doublet under `doublet_number`."""
    if ruleset.dice == 1:
        return faces[0] == ruleset.doublet_number
    return faces[0] == faces[1]


def granted(ruleset: RuleSet, pawns: tuple[int, ...], faces: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dice increments that a throw grants, faces first, then undersides."""
    if ruleset.total_move == "only":
        return (sum(faces),)
    if not is_doublet(ruleset, faces):
        return faces
    grants = DOUBLET_SPACES[ruleset.doublet_spaces]
    if grants.fourteen:
        return (GRANT,)
    if not grants.undersides or (grants.once_entered and NEST in pawns):
        return faces
    return (7,) if ruleset.dice == 1 else (*faces, *(7 - face for face in faces))


@lru_cache(maxsize=64)
class Setting:
    """What every throw of a rule set shares, so that it is worked out once."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self.board = board(ruleset.layout)
        self.bits = bits(ruleset.layout)
        self.routes = routes(ruleset.layout, ruleset.second_circuit)
        self.views = seen_bits(ruleset.layout)
        self.reaches = {  # of a 14-space grant from each place, as bits
            place: reduce(or_, (route.way for routes in ways[: GRANT + 1] for route in routes), 0)
            for place, ways in self.routes.items()
        }
        self.to_go = {place: self.board.spaces_to_go(place) for place in PLACES}
        round_again = self.board.ring if ruleset.second_circuit else 0
        # What the ways home that bonuses alone can go are a multiple of.
        self.bonus_unit = gcd(ruleset.capture_bonus, ruleset.finish_bonus, round_again) or 1
        self.entry_bit = self.board.bit(0)
        # Place numbers fall from home to nest but on a second circuit.
        self.by_number = not ruleset.second_circuit
        self.safe = sum(1 << space for space in safety_spaces(ruleset.layout, ruleset.safety))


# Makes a named tuple without the call to its class: listing tr-1938's plays takes a tenth less.
_new = tuple.__new__


class Stepper:
    """The steps of one seat's play with one throw: `start` and the successors of any state."""

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: tuple[int, ...]
    ) -> None:
        self.setting = setting = Setting(ruleset)
        self.ruleset, self.position, self.seat = ruleset, position, seat
        self.increments = granted(ruleset, position[seat], faces)
        self.grant = self.increments == (GRANT,)
        self.grants = GRANT if self.grant else len(self.increments)  # D of a play that spends all
        self.faces, self.face = faces, faces[0]
        self.unlike = len(faces) == 2 and faces[0] != faces[1] and len(self.increments) == 2
        self.doublet = is_doublet(ruleset, faces)
        self._bits, self._routes, self._safe = setting.bits, setting.routes, setting.safe
        self._shorten = ruleset.stop_behind_blockade
        self._one = ruleset.total_move == "only" and 1 in faces
        self._wasted = GRANT
        self._sharers = DOUBLET_SPACES[ruleset.doublet_spaces].sharers
        self._known_parts: dict[tuple[int, int, int], tuple[Part, ...]] = {}
        self._caught_on_the_way = ~setting.safe if ruleset.overtaking_captures else 0
        self.blockades, lone = self._opponents()
        self._pair_bits = [0, *self._pairs(position[seat])]
        self.alike = len(self._pair_bits) == 1  # no pawn need be told from another
        self._plain = self.alike and not self.grant
        dice = (
            (GRANT, self._fives()) if self.grant else tuple(sorted(self.increments, reverse=True))
        )
        self.start = State((self._tagged(position[seat]),), lone, dice)

    def sparing(self, spaces: int) -> Self:
        """Return a stepper that leaves out parts after which more of a grant is surely wasted.

        That is where nobody else can take a part, and neither the part nor a bonus may win.
        """
        if not self.grant:
            return self
        other = copy(self)
        other._wasted = spaces
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by what it was made of: the rest is tables and can be big."""
        return type(self), (self.ruleset, self.position, self.seat, self.faces)

    # --- the throw's beginning -------------------------------------------------------------

    def _opponents(self) -> tuple[int, int]:
        """Return the opponents' blockades and lone pawns as bits seen from the seat."""
        blockades = lone = 0
        for further in range(1, SEATS):
            view = self.setting.views[further]
            for place in self.position[(self.seat + further) % SEATS]:
                bit = view[place]
                blockades |= lone & bit
                lone |= bit
        return blockades, lone & ~blockades

    def _pairs(self, pawns: tuple[int, ...]) -> list[int]:
        """Return the bits of the spaces on which the seat's pawns stand together."""
        if self.ruleset.pair_rule == "off":
            return []
        seen, pairs = 0, []
        for place in pawns:
            bit = self._bits[place]
            if seen & bit:
                pairs.append(bit)
            seen |= bit
        return pairs

    def _tagged(self, pawns: tuple[int, ...]) -> World:
        """Return the seat's pawns, those that stand together tagged with their pair's number."""
        if self.alike:
            return tuple(sorted([place << TAG_BITS for place in pawns]))
        tags = {bit: number for number, bit in enumerate(self._pair_bits)}
        return tuple(sorted(p << TAG_BITS | tags.get(self._bits[p], 0) for p in pawns))

    def _fives(self) -> int:
        return 2 if self.face == self.ruleset.entry_number else 0

    # --- what a state tells ------------------------------------------------------------------

    def position_after(self, state: State) -> Position:
        """Return the whole position in a state: own pawns moved, captured ones in their nests."""
        gone = self.start.lone & ~state.lone
        seats = list(self.position)
        own = [code >> TAG_BITS for code in reversed(state.worlds[0])]
        if not self.setting.by_number:
            own.sort(key=self.setting.board.spaces_to_go)
        seats[self.seat] = tuple(own)
        if gone:
            for other, place in self.caught(gone):
                pawns = list(seats[other])
                pawns.remove(place)
                seats[other] = (*pawns, NEST)
        a, b, c, d = seats
        return a, b, c, d

    def caught(self, gone: int) -> tuple[tuple[int, int], ...]:
        """Return seat and place of the opponents on the given bits."""
        return tuple(
            (other, place)
            for other in range(SEATS)
            if other != self.seat
            for place in self.position[other]
            if gone & self.setting.views[(other - self.seat) % SEATS][place]
        )

    def won(self, state: State) -> bool:
        """Whether all four pawns are home."""
        return state.worlds[0][0] >= AT_HOME

    def entered(self, state: State) -> int:
        """Return how many pawns the play has entered."""
        return self.start.worlds[0].count(IN_NEST) - state.worlds[0].count(IN_NEST)

    def spent(self, state: State) -> int:
        """Return how many dice increments the play has spent; of a 14-space grant, spaces."""
        return self.grants - (state.dice[0] if self.grant else len(state.dice))

    def spent_faces(self, state: State) -> int:
        """Return the sum of the dice increments that the play has spent."""
        if self.grant:
            return self.spent(state)
        return sum(self.increments) - sum(state.dice)

    def together(self, state: State) -> bool:
        """Whether a pair has moved on as a pair, however its pawns are told apart."""
        return not self._plain and all(map(self._pair_moved, state.worlds))

    def _pair_moved(self, world: World) -> bool:
        place_bits: dict[int, int] = {}
        for code in world:
            pair, bit = code & PAIR, self._bits[code >> TAG_BITS]
            if pair and bit and bit != self._pair_bits[pair]:
                if place_bits.get(pair) == bit:
                    return True
                place_bits[pair] = bit
        return False

    # --- the steps ---------------------------------------------------------------------------

    def successors(self, state: State) -> Iterator[Successor]:
        """Return every single step that the rules of board, pawns and increments allow."""
        if state.worlds[0][0] >= AT_HOME:
            return iter(())
        dice_open = state.dice and not state.closed
        if not (dice_open or state.bonuses):
            return iter(())
        blocked = self.blockades | self.own_blockades(state)
        if not dice_open:
            return self._bonus_steps(state, blocked)
        kind = self._grant_steps if self.grant else self._dice_steps
        if not state.bonuses:
            return kind(state, blocked)
        return chain(kind(state, blocked), self._bonus_steps(state, blocked))

    def lapsed(self, state: State) -> bool:
        """Whether the dice can surely no more be used, whatever is done with bonuses."""
        if not self.grant or state.closed:
            return state.closed or not state.dice
        left, fives = state.dice
        if state.worlds[0][0] < 0 and fives and left >= 5 and self.may_enter(5):
            return False
        return not left or self._parts_taken(state)

    def _parts_taken(self, state: State) -> bool:
        """Whether no pawn on the board may take one more part of a 14-space grant."""
        had_part = sum(code & PART == PART for code in state.worlds[0])
        if had_part == self._sharers:
            return True
        return all(code & PART or not 0 <= code < AT_HOME for w in state.worlds for code in w)

    def bonuses_may_win(self, state: State) -> bool:
        """Whether bonuses alone might bring all home: each pawn goes in whole bonuses or not."""
        to_go, unit = self.setting.to_go, self.setting.bonus_unit
        exact = not any(to_go[code >> TAG_BITS] % unit for code in state.worlds[0])
        return exact and self._may_win(state, 0)

    def _may_win(self, state: State, spaces: int) -> bool:
        """Whether so many spaces, and bonuses for all lone opponents, are enough to win."""
        to_go = sum(self.setting.to_go[code >> TAG_BITS] for code in state.worlds[0])
        for_captures = self.ruleset.capture_bonus * state.lone.bit_count()
        for_homecomings = self.ruleset.finish_bonus * PAWNS
        return to_go <= spaces + sum(state.bonuses) + for_captures + for_homecomings

    def last_die_fits(self, state: State) -> bool:
        """Whether the one open die surely fits: `successors` would find it, but makes the states.

        Where pawns must be told apart, landing beside one's own is left out as not sure.
        """
        if state.closed:
            return False
        if self.one_brings_home(state):
            return True
        number, world = state.dice[0], state.worlds[0]
        blocked = self.blockades | self.own_blockades(state)
        if world[0] < 0 and number == self.ruleset.entry_number:
            if self.last_die_enters(state):
                return True
            if self.reserved(number):
                return False
        unsure = state.lone & self._safe
        if not self.alike:
            for code in world:
                unsure |= self._bits[code >> TAG_BITS]
        for code in world:
            if 0 <= code < AT_HOME:
                for _, way, landed in self._routes[code >> TAG_BITS][number]:
                    if not (way & blocked or landed & unsure):
                        return True
        return False

    def last_die_enters(self, state: State) -> bool:
        """Whether the one open die may bring a pawn in."""
        if state.closed or state.worlds[0][0] >= 0 or not self.may_enter(state.dice[0]):
            return False
        return not (self.blockades | self.own_blockades(state)) & self.setting.entry_bit

    def one_brings_home(self, state: State) -> bool:
        """Whether a die that shows 1 may bring a pawn home where only totals move: none is 1."""
        return self._one and any(code >> TAG_BITS == LAST_IN_ROW for code in state.worlds[0])

    def own_blockades(self, state: State) -> int:
        """Return the spaces on which two of the seat's pawns stand, as bits."""
        bits, (one, two, three, four) = self._bits, state.worlds[0]
        a, b = bits[one >> TAG_BITS], bits[two >> TAG_BITS]
        c, d = bits[three >> TAG_BITS], bits[four >> TAG_BITS]
        return a & b | (a | b) & c | (a | b | c) & d

    def _dice_steps(self, state: State, blocked: int) -> Iterator[Successor]:
        dice = state.dice
        world = state.worlds[0]
        in_nest = world[0] < 0
        previous = 0
        for index, number in enumerate(dice):
            if number == previous:
                continue
            previous = number
            rest = dice[:index] + dice[index + 1 :]
            if in_nest and number == self.ruleset.entry_number:
                if self.may_enter(number) and not blocked & self.setting.entry_bit:
                    yield self._enter(state, str(number), rest)
                if self.reserved(number):
                    continue
            yield from self._advances(state, blocked, number, str(number), rest)
        if self.one_brings_home(state):
            worlds = self._moved(state.worlds, LAST_IN_ROW, HOME)
            yield Successor(LAST_IN_ROW, HOME, "1", 0, self._after(state, worlds, HOME, 0, ()))
        if len(dice) == 2:
            if self.unlike:
                yield from self._both_dice(state, blocked)
            if self.ruleset.touch_down:
                yield from self._touch_downs(state, blocked)
        elif len(dice) > 2 and self.ruleset.touch_down:
            yield from self._touch_downs(state, blocked)

    def may_enter(self, number: int) -> bool:
        """Whether a dice increment of this number, by itself, brings a pawn in."""
        ruleset = self.ruleset
        if number != ruleset.entry_number:
            return False
        if ruleset.total_move == "only":
            return True
        if ruleset.entry_by == "sum":
            return False
        return ruleset.undersides_enter or not (self.doublet and number != self.face)

    def reserved(self, number: int) -> bool:
        """Whether the number is kept for entering while the nest holds a pawn."""
        return self.ruleset.entry_number_reserved and number == self.ruleset.entry_number

    def _both_dice(self, state: State, blocked: int) -> Iterator[Successor]:
        """Return the steps that spend two unlike dice at once: entering by sum, a total."""
        ruleset, (high, low) = self.ruleset, state.dice
        in_nest = state.worlds[0][0] < 0
        if (
            in_nest
            and high + low == ruleset.entry_number
            and ruleset.entry_by != "die"
            and not blocked & self.setting.entry_bit
        ):
            yield self._enter(state, f"{high}+{low}", ())
        if ruleset.total_move == "allowed":
            kept = in_nest and (self.reserved(high) or self.reserved(low))
            if not kept:
                yield from self._advances(state, blocked, high + low, f"{high}+{low}", ())

    def _enter(self, state: State, spent: str, rest: Dice) -> Successor:
        caught = state.lone & self.setting.entry_bit
        worlds = self._moved(state.worlds, NEST, 0)
        return Successor(NEST, 0, spent, caught, self._after(state, worlds, 0, caught, rest))

    def _advances(
        self, state: State, blocked: int, spaces: int, spent: str, rest: Dice, shorten: bool = True
    ) -> Iterator[Successor]:
        worlds, lone = state.worlds, state.lone
        held, routes, caught_in_passing = lone & self._safe, self._routes, self._caught_on_the_way
        previous = NEST
        for code in worlds[0]:
            origin = code >> TAG_BITS
            if origin == previous or code >= AT_HOME:
                continue
            previous = origin
            for target, way, landed in routes[origin][spaces]:
                if way & blocked or landed & held:
                    continue
                moved = self._moved(worlds, origin, target)
                if not moved:
                    continue
                caught = lone & (way & caught_in_passing | landed)
                after = self._after(state, moved, target, caught, rest)
                yield _new(Successor, (origin, target, spent, caught, after))
            if self._shorten and shorten:
                yield from self._shortened_advances(state, blocked, origin, spaces, spent, rest)

    def _shortened_advances(
        self, state: State, blocked: int, origin: int, spaces: int, spent: str, rest: Dice
    ) -> Iterator[Successor]:
        for target, caught in self._shortened(state.lone, blocked, origin, spaces):
            worlds = self._moved(state.worlds, origin, target)
            if worlds:
                after = self._after(state, worlds, target, caught, rest)
                yield Successor(origin, target, spent, caught, after)

    def _landings(
        self, lone: int, blocked: int, origin: int, spaces: int
    ) -> Iterator[tuple[int, int]]:
        """Return where an increment may land a pawn, and whom it catches there or on the way."""
        for route in self._routes[origin][spaces]:
            if not route.way & blocked and not route.landed & lone & self._safe:
                yield route.target, self._catches(lone, route)
        if self._shorten:
            yield from self._shortened(lone, blocked, origin, spaces)

    def _catches(self, lone: int, route: Route) -> int:
        return lone & (route.way & self._caught_on_the_way | route.landed)

    def _shortened(
        self, lone: int, blocked: int, origin: int, spaces: int
    ) -> Iterator[tuple[int, int]]:
        """Return the landings just behind the first blockade within reach."""
        lengths = self._routes[origin]
        for length in range(2, spaces + 1):
            for route in lengths[length]:
                if route.landed & blocked and not route.passed & blocked:
                    for short in lengths[length - 1]:
                        if short.way == route.passed and not (short.landed & lone & self._safe):
                            yield short.target, self._catches(lone, short)

    def _touch_downs(self, state: State, blocked: int) -> Iterator[Successor]:
        in_nest = state.worlds[0][0] < 0
        for first, second in _ordered_pairs(state.dice):
            if in_nest and (self.reserved(first) or self.reserved(second)):
                continue
            rest = _without(state.dice, first, second)
            for origin in {code >> TAG_BITS for code in state.worlds[0]} - {NEST, HOME}:
                for target, caught in self._touched(state.lone, blocked, origin, first, second):
                    worlds = self._moved(state.worlds, origin, target)
                    if worlds:
                        after = self._after(state, worlds, target, caught, rest)
                        yield Successor(origin, target, f"{first},{second}", caught, after)

    def _touched(
        self, lone: int, blocked: int, origin: int, first: int, second: int
    ) -> Iterator[tuple[int, int]]:
        for leg in self._routes[origin][first]:
            if leg.landed & lone & self._safe and not leg.way & blocked:
                passed = lone & leg.way & self._caught_on_the_way
                for target, caught in self._landings(lone, blocked, leg.target, second):
                    yield target, caught | passed

    def _bonus_steps(self, state: State, blocked: int) -> Iterator[Successor]:
        closed = self.ruleset.bonus_timing == "after-dice"
        for spaces in set(state.bonuses):
            rest = _without(state.bonuses, spaces)
            spending = State(state.worlds, state.lone, state.dice, rest, closed)
            yield from self._advances(
                spending, blocked, spaces, str(spaces), state.dice, shorten=False
            )

    def _grant_steps(self, state: State, blocked: int) -> Iterator[Successor]:
        left, fives = state.dice
        in_nest = state.worlds[0][0] < 0
        may_enter = in_nest and fives and left >= 5 and self.may_enter(5)
        if may_enter and not blocked & self.setting.entry_bit:
            yield self._enter(state, "5", (left - 5, fives - 1))
        kept = 5 * fives if in_nest and self.ruleset.entry_number_reserved else 0
        if not self._parts_taken(state):
            yield from self._parts(state, blocked, left - kept)

    def _parts(self, state: State, blocked: int, most: int) -> Iterator[Successor]:
        (left, fives), worlds, lone = state.dice, state.worlds, state.lone
        in_nest = worlds[0][0] < 0
        wholes = [
            code >> TAG_BITS
            for world in worlds
            for code in world
            if 0 <= code < AT_HOME and not code & PART
        ]
        last = len(wholes) == 1 and not (in_nest and fives)
        least = left - self._wasted if last else 1
        may_win = last and self._may_win(state, GRANT)
        for origin in set(wholes):
            for size, spent, target, caught in self._ways_of_parts(origin, blocked, lone):
                wins = may_win and (state.bonuses or caught or target == HOME)
                if size <= most and (size >= least or wins):
                    moved = self._moved(worlds, origin, target, part=True)
                    if moved:
                        after = self._after(state, moved, target, caught, (left - size, fives))
                        yield _new(Successor, (origin, target, spent, caught, after))

    def _ways_of_parts(self, origin: int, blocked: int, lone: int) -> tuple[Part, ...]:
        """Return the parts that a pawn may take, largest first.

        They are kept, since what lies before a pawn is the same in many of a play's states.
        """
        reach = self.setting.reaches[origin]
        key = origin, blocked & reach, lone & reach
        known = self._known_parts.get(key)
        if known is None:
            known = self._known_parts[key] = tuple(
                (size, f"{size}/{GRANT}", target, caught)
                for size in range(GRANT, 0, -1)
                for target, caught in set(self._landings(lone, blocked, origin, size))
                if target != HOME or size == GRANT or not self.ruleset.doublet_home_whole
            )
        return known

    # --- what a step leaves behind -------------------------------------------------------------

    def _after(
        self, state: State, worlds: tuple[World, ...], target: int, caught: int, dice: Dice
    ) -> State:
        bonuses = state.bonuses
        if not caught and target != HOME:
            return _new(State, (worlds, state.lone, dice, bonuses, state.closed))
        if self.ruleset.capture_bonus:
            bonuses = (*bonuses, *(self.ruleset.capture_bonus,) * caught.bit_count())
        if target == HOME and self.ruleset.finish_bonus:
            bonuses = (*bonuses, self.ruleset.finish_bonus)
        return State(worlds, state.lone & ~caught, dice, tuple(sorted(bonuses)), state.closed)

    def _moved(
        self, worlds: tuple[World, ...], origin: int, target: int, part: bool = False
    ) -> tuple[World, ...]:
        """Return the worlds after a pawn went from origin to target; none where no pawn may."""
        if self._plain or (part and self.alike and len(worlds) == 1):
            world = list(worlds[0])
            world[world.index(origin << TAG_BITS)] = target << TAG_BITS | (PART if part else 0)
            world.sort()
            return (tuple(world),)
        after = [
            moved
            for world in worlds
            for code in set(world)
            if code >> TAG_BITS == origin and not (part and code & PART)
            for moved in [self._moved_one(world, code, target, part)]
            if moved
        ]
        return tuple(sorted(set(after))) if len(after) > 1 else tuple(after)

    def _moved_one(self, world: World, code: int, target: int, part: bool) -> World:
        pair = code & PAIR
        others = list(world)
        others.remove(code)
        if pair and self.ruleset.pair_rule == "throughout" and target != HOME:
            bit = self._bits[target]
            if bit != self._pair_bits[pair] and any(
                other & PAIR == pair and self._bits[other >> TAG_BITS] == bit for other in others
            ):
                return ()
        tag = (0 if target == HOME else pair) | code & PART | (PART if part else 0)
        others.append(target << TAG_BITS | tag)
        others.sort()
        return tuple(others)


def _ordered_pairs(dice: Dice) -> set[tuple[int, int]]:
    return {(a, b) for i, a in enumerate(dice) for j, b in enumerate(dice) if i != j}


def _without(dice: Dice, *gone: int) -> tuple[int, ...]:
    rest = list(dice)
    for number in gone:
        rest.remove(number)
    return tuple(rest)
