"""The rules read a second time, slowly: every sequence of legal steps listed, then sieved.

Shares nothing with the package under test: its own places, its own text forms, its own presets.
It keeps out refusals: a request is taken to be a legal one.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeAlias

NEST = -1
OUT = 100  # o1, on the relatives' cross, is 101
ROW = 200  # r1 is 201
HOME = 208

Pawns: TypeAlias = tuple[int, ...]
Options: TypeAlias = dict[str, Any]

DEFAULTS: Options = {
    "layout": "standard",
    "safety": "twelve",
    "travel": "counterclockwise",
    "dice": 2,
    "starter": "highest-total",
    "turn_order": "left",
    "entry_number": 5,
    "entry_by": "die-or-sum",
    "entry_required": False,
    "entry_number_reserved": False,
    "undersides_enter": False,
    "total_move": "never",
    "touch_down": False,
    "pair_rule": "throughout",
    "stop_behind_blockade": False,
    "usage": "maximal",
    "doublet_spaces": "top",
    "doublet_whole": False,
    "doublet_home_whole": False,
    "again": "always",
    "third_doublet": "nearest-home",
    "capture_bonus": 20,
    "finish_bonus": 10,
    "bonus_timing": "any",
    "bonus_optional": False,
    "overtaking_captures": False,
    "second_circuit": False,
    "blockade_limit": 0,
    "play_on": False,
}

SR_1942: Options = {
    "entry_required": True,
    "doublet_spaces": "four-when-entered",
    "doublet_whole": True,
}

PRESETS: dict[str, Options] = {
    "sr-1942": SR_1942,
    "sr-1989": SR_1942,
    "sr-1975": {
        "entry_number_reserved": True,
        "doublet_spaces": "four-when-entered",
        "doublet_whole": True,
    },
    "pb": {
        "starter": "choose",
        "touch_down": True,
        "doublet_spaces": "top",
        "again": "if-all-used",
        "third_doublet": "none",
        "capture_bonus": 0,
        "finish_bonus": 0,
    },
    "mb-india": {"doublet_spaces": "four", "doublet_whole": True},
    "mb-total": {
        "entry_number": 7,
        "entry_by": "sum",
        "total_move": "only",
        "usage": "whole-throw",
        "doublet_spaces": "top",
        "again": "never",
        "third_doublet": "none",
        "capture_bonus": 0,
        "finish_bonus": 0,
    },
    "tr-1938": {
        "entry_required": True,
        "entry_number_reserved": True,
        "stop_behind_blockade": True,
        "doublet_spaces": "fourteen-any",
        "doublet_home_whole": True,
        "third_doublet": "none",
        "finish_bonus": 0,
    },
    "tr-1960": {
        "entry_required": True,
        "entry_number_reserved": True,
        "doublet_spaces": "fourteen-two-pawns",
        "doublet_home_whole": True,
        "third_doublet": "forfeit",
        "finish_bonus": 0,
    },
    "one-die": {
        "dice": 1,
        "entry_by": "die",
        "doublet_spaces": "four-when-entered",
        "starter": "highest-die",
    },
    "encyclopedia": {
        "starter": "lowest-die",
        "total_move": "allowed",
        "usage": "maximal-higher",
        "doublet_spaces": "four",
        "third_doublet": "nearest-home-unless-row",
        "bonus_timing": "after-dice",
        "bonus_optional": True,
        "second_circuit": True,
    },
    "sca": {
        "turn_order": "right",
        "undersides_enter": True,
        "doublet_spaces": "four",
        "finish_bonus": 0,
    },
    "findler": {
        "starter": "choose",
        "pair_rule": "at-end",
        "usage": "exhaust",
        "doublet_spaces": "four-when-entered",
    },
    "royal-2023": {
        "entry_required": True,
        "doublet_spaces": "four-when-entered",
        "doublet_whole": True,
        "bonus_timing": "after-dice",
    },
}

#         arm, entry_offset, guard
LAYOUTS = {
    "standard": (17, 5, 5),
    "corner-64": (16, 5, 5),
    "pachisi": (17, 4, 4),
    "tip-entry": (17, 0, 5),
}


def options_of(ruleset: str | Options) -> Options:
    """All thirty fields of a preset's name or of an object with fields replaced."""
    fields = {"preset": ruleset} if isinstance(ruleset, str) else dict(ruleset)
    preset = PRESETS[fields.pop("preset")] if "preset" in fields else {}
    return with_doublets(DEFAULTS | preset | fields)


def with_doublets(options: Options) -> Options:
    """The options, with which throw is a doublet: that follows from the dice if it is not named."""
    return {"doublet_number": 6 if options["dice"] == 1 else "any"} | options


class Board:
    """One layout as one rule set plays on it."""

    def __init__(self, options: Options) -> None:
        self.arm, offset, guard = LAYOUTS[options["layout"]]
        self.ring = 4 * self.arm
        self.last = self.ring - offset
        self.second_circuit: bool = options["second_circuit"]
        tips = {self.ring_space(seat, self.last) for seat in range(4)}
        entries = {self.ring_space(seat, 0) for seat in range(4)}
        guarded = {(tip + d) % self.ring for tip in tips for d in (-guard, 0, guard)}
        kinds = {"twelve": guarded, "entries": entries, "tips": tips, "none": set[int]()}
        self.safe = kinds[options["safety"]]

    def ring_space(self, seat: int, step: int) -> int:
        return (seat * self.arm + step) % self.ring

    def on_ring(self, place: int) -> bool:
        return 0 <= place < ROW

    def space(self, seat: int, place: int) -> tuple[str, int] | None:
        """What two pawns share when they stand together; nothing in the nest or at home."""
        if place in (NEST, HOME):
            return None
        if self.on_ring(place):
            return ("ring", self.ring_space(seat, place))
        return (f"row of {seat}", place)

    def next_places(self, place: int) -> list[int]:
        """Where one space more leads: two ways at the tip where a second circuit is allowed."""
        if place in (NEST, HOME):
            return []
        if place > ROW:
            return [place + 1]
        around = [(place + 1) % self.ring] if self.second_circuit else []
        if place == self.last:
            return [ROW + 1, *around]
        return around if place > self.last else [place + 1]

    def routes(self, place: int, spaces: int) -> list[list[int]]:
        """Each way of going that many spaces, cut short only by reaching home."""
        if spaces == 0 or place == HOME:
            return [[]]
        return [
            [follow, *rest]
            for follow in self.next_places(place)
            for rest in self.routes(follow, spaces - 1)
        ]

    def to_go(self, place: int) -> int:
        """Steps to go until home; a pawn in the nest has the most."""
        if place == NEST:
            return 1000
        if place > ROW:
            return HOME - place
        return (self.last - place) % self.ring + 8 if place > self.last else self.last - place + 8


# Text forms ------------------------------------------------------------------------------------


def place_text(place: int) -> str:
    if place == NEST:
        return "N"
    if place == HOME:
        return "H"
    if place > OUT:
        return f"r{place - ROW}" if place > ROW else f"o{place - OUT}"
    return str(place)


def place_of(text: str) -> int:
    if text in ("N", "H"):
        return NEST if text == "N" else HOME
    return {"r": ROW, "o": OUT}[text[0]] + int(text[1:]) if text[0] in "ro" else int(text)


def position_of(text: str) -> tuple[Pawns, ...]:
    return tuple(
        () if seat == "-" else tuple(place_of(pawn) for pawn in seat.split(","))
        for seat in text.split("/")
    )


def position_text(board: Board, seats: tuple[Pawns, ...]) -> str:
    return "/".join(
        ",".join(place_text(place) for place in sorted(pawns, key=board.to_go)) or "-"
        for pawns in seats
    )


# The throw -------------------------------------------------------------------------------------


class Die(NamedTuple):
    """One dice increment."""

    spaces: int
    underside: bool = False


class Grant(NamedTuple):
    """What a throw grants: dice increments, or one grant of 14 spaces with its fives."""

    dice: tuple[Die, ...]
    spaces: int = 0
    fives: int = 0

    def size(self) -> int:
        """All that was granted, in the unit of D."""
        return self.spaces or len(self.dice)

    def numbers(self) -> list[int]:
        return [self.spaces] if self.spaces else [die.spaces for die in self.dice]


def is_doublet(options: Options, throw: list[int]) -> bool:
    if options["dice"] == 1:
        return bool(throw[0] == 6)
    return throw[0] == throw[1]


def granted(options: Options, throw: list[int], nest: int) -> Grant:
    kind = options["doublet_spaces"]
    full = kind == "four" or (kind == "four-when-entered" and nest == 0)
    if options["dice"] == 1:
        return Grant((Die(7 if throw == [6] and full else throw[0]),))
    if options["total_move"] == "only":
        return Grant((Die(sum(throw)),))
    faces = (Die(throw[0]), Die(throw[1]))
    if throw[0] != throw[1]:
        return Grant(faces)
    if kind.startswith("fourteen"):
        return Grant((), 14, 2 if throw[0] == 5 else 0)
    under = Die(7 - throw[0], underside=True)
    return Grant((*faces, under, under) if full else faces)


# One play under way ----------------------------------------------------------------------------


class State(NamedTuple):
    """Everything about a play so far that what follows or a sieve may ask, pawns told apart."""

    own: Pawns
    others: tuple[Pawns, ...]
    dice: tuple[Die, ...]
    spaces: int
    fives: int
    took: tuple[bool, ...]
    bonuses: tuple[int, ...] = ()
    bonus_begun: bool = False
    marks: tuple[Any, ...] = ()  # what else the relatives' rules ask of a play


class Landing(NamedTuple):
    """Where one pawn comes to stand, and the (seat, index) of each pawn it captures."""

    place: int
    captured: frozenset[tuple[int, int]]


class Moved(NamedTuple):
    """One legal step: its text, whether it spends a bonus, and the state after."""

    text: str
    bonus: bool
    after: State


def without(open_dice: tuple[Die, ...], *spent: Die) -> tuple[Die, ...]:
    left = list(open_dice)
    for die in spent:
        left.remove(die)
    return tuple(left)


class Turn:
    """One throw of one seat in one position."""

    def __init__(
        self,
        request: dict[str, Any],
        options_of: Callable[[str | Options], Options] = options_of,
        board_of: Callable[[Options], Board] = Board,
    ) -> None:
        self.options = options_of(request["ruleset"])
        self.board = board_of(self.options)
        self.seat: int = request["seat"]
        self.throw: list[int] = request["throw"]
        self.position = position_of(request["position"])
        own = self.position[self.seat]
        self.grant = self.granted(own.count(NEST))
        self.start = State(
            own,
            tuple(() if seat == self.seat else p for seat, p in enumerate(self.position)),
            self.grant.dice,
            self.grant.spaces,
            self.grant.fives,
            (False,) * len(own),
        )
        self.pairs = [
            (one, two, self.board.space(self.seat, own[one]))
            for one, two in combinations(range(len(own)), 2)
            if self.together(own, one, two)
        ]
        self.steps_from = lru_cache(maxsize=None)(self.legal_steps)
        self.standing = lru_cache(maxsize=None)(self.spaces_taken)

    def granted(self, nest: int) -> Grant:
        return granted(self.options, self.throw, nest)

    def is_doublet(self) -> bool:
        return is_doublet(self.options, self.throw)

    # Who stands where

    def together(self, own: Pawns, one: int, two: int) -> bool:
        space = self.board.space(self.seat, own[one])
        return space is not None and space == self.board.space(self.seat, own[two])

    def pair_elsewhere(self, own: Pawns) -> bool:
        """Whether two pawns that stood together at the throw stand together on another space."""
        return any(
            self.together(own, one, two) and self.board.space(self.seat, own[one]) != space
            for one, two, space in self.pairs
        )

    def pawns_at(self, state: State, place: int) -> list[tuple[int, int]]:
        """The (seat, index) of each pawn on the space that this place of our seat is."""
        space = self.board.space(self.seat, place)
        return [] if space is None else self.standing(state.own, state.others).get(space, [])

    def spaces_taken(
        self, own: Pawns, others: tuple[Pawns, ...]
    ) -> dict[tuple[str, int], list[tuple[int, int]]]:
        """The (seat, index) of each pawn, by the space it stands on."""
        taken: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for seat in range(4):
            for index, place in enumerate(own if seat == self.seat else others[seat]):
                space = self.board.space(seat, place)
                if space is not None:
                    taken.setdefault(space, []).append((seat, index))
        return taken

    def blockade(self, state: State, place: int) -> bool:
        return len(self.pawns_at(state, place)) == 2

    def lone_opponent(self, state: State, place: int) -> tuple[int, int] | None:
        there = self.pawns_at(state, place)
        return there[0] if len(there) == 1 and there[0][0] != self.seat else None

    def safe(self, place: int) -> bool:
        on_ring = self.board.on_ring(place)
        return on_ring and self.board.ring_space(self.seat, place) in self.board.safe

    # Advancing one pawn

    def landings(self, state: State, place: int, spaces: int, shorten: bool) -> set[Landing]:
        """Each way one increment may advance a pawn from a place."""
        found = set()
        for route in self.board.routes(place, spaces):
            blocked = [i for i, step in enumerate(route) if self.blockade(state, step)]
            if blocked:
                walked = route[: blocked[0]] if shorten else []
            else:
                walked = route if len(route) == spaces else []
            if walked:
                found |= self.land(state, walked)
        return found

    def land(self, state: State, walked: list[int]) -> set[Landing]:
        """The landing at the end of an open way, unless section 2 forbids it."""
        target, captured = walked[-1], self.overtaken(state, walked[:-1])
        opponent = self.lone_opponent(state, target)
        if opponent is None:
            return {Landing(target, captured)}
        return set() if self.safe(target) else {Landing(target, captured | {opponent})}

    def overtaken(self, state: State, passed: list[int]) -> frozenset[tuple[int, int]]:
        if not self.options["overtaking_captures"]:
            return frozenset()
        opponents = [self.lone_opponent(state, place) for place in passed if not self.safe(place)]
        return frozenset(opponent for opponent in opponents if opponent is not None)

    def touch_downs(self, state: State, place: int, one: int, two: int) -> set[Landing]:
        """One increment onto a safety space that a lone opponent holds, the other on from there."""
        found = set()
        for route in self.board.routes(place, one):
            open_way = len(route) == one and not any(self.blockade(state, p) for p in route)
            if open_way and self.safe(route[-1]) and self.lone_opponent(state, route[-1]):
                over = self.overtaken(state, route[:-1])
                shorten = self.options["stop_behind_blockade"]
                for landing in self.landings(state, route[-1], two, shorten):
                    found.add(Landing(landing.place, landing.captured | over))
        return found

    # The steps

    def legal_steps(self, state: State) -> list[Moved]:
        """All that may be done next, plays' ends not yet asked for."""
        if all(place == HOME for place in state.own):
            return []
        dice: list[Moved] = []
        if not state.bonus_begun:
            kinds = (self.entries, self.advances, self.ones, self.totals, self.touches, self.parts)
            for kind in kinds:
                dice += kind(state)
        moves = [*dice, *self.bonus_steps(state)]
        if self.options["pair_rule"] != "throughout":
            return moves
        return [move for move in moves if not self.pair_elsewhere(move.after.own)]

    def entry_ways(self, state: State) -> list[tuple[str, State]]:
        """What may be spent on entering one pawn, with the state after spending it."""
        number = self.options["entry_number"]
        ways: list[tuple[str, State]] = [
            (str(die.spaces), state._replace(dice=without(state.dice, die)))
            for die in set(state.dice)
            if die.spaces == number and self.die_enters(die)
        ]
        if "sum" in self.options["entry_by"]:
            ways += [
                (f"{one.spaces}+{two.spaces}", state._replace(dice=without(state.dice, one, two)))
                for one, two in permutations(state.dice, 2)
                if one.spaces > two.spaces and one.spaces + two.spaces == number
                if not one.underside and not two.underside
            ]
        if state.fives and state.spaces >= 5 and "die" in self.options["entry_by"]:
            ways += [("5", state._replace(spaces=state.spaces - 5, fives=state.fives - 1))]
        return ways

    def entries(self, state: State) -> Iterator[Moved]:
        if self.blockade(state, 0):
            return
        opponent = self.lone_opponent(state, 0)
        landing = Landing(0, frozenset({opponent} if opponent else ()))
        for pawn, place in enumerate(state.own):
            if place == NEST:
                for spent, after in self.entry_ways(state):
                    yield self.moved(state, pawn, landing, spent, after)

    def die_enters(self, die: Die) -> bool:
        if self.options["total_move"] == "only":
            return True
        if die.underside and not self.options["undersides_enter"]:
            return False
        return "die" in self.options["entry_by"]

    def reserved(self, state: State, die: Die) -> bool:
        """Whether a die is kept for entering only."""
        kept = self.options["entry_number_reserved"] and NEST in state.own
        return bool(kept and die.spaces == self.options["entry_number"])

    def advances(self, state: State) -> Iterator[Moved]:
        shorten = self.options["stop_behind_blockade"]
        for die in set(state.dice):
            if not self.reserved(state, die):
                after = state._replace(dice=without(state.dice, die))
                for pawn, place in enumerate(state.own):
                    for landing in self.landings(state, place, die.spaces, shorten):
                        yield self.moved(state, pawn, landing, str(die.spaces), after)

    def ones(self, state: State) -> Iterator[Moved]:
        """No total is 1: from r7 one die that shows it goes home, and uses the throw in full."""
        if self.options["total_move"] == "only" and state.dice and 1 in self.throw:
            for pawn, place in enumerate(state.own):
                if place == ROW + 7:
                    landing = Landing(HOME, frozenset())
                    yield self.moved(state, pawn, landing, "1", state._replace(dice=()))

    def totals(self, state: State) -> Iterator[Moved]:
        """Both dice as one increment: not with doublets."""
        if self.options["total_move"] != "allowed" or self.throw[0] == self.throw[1]:
            return
        if len(state.dice) < 2 or any(self.reserved(state, die) for die in state.dice):
            return
        high, low = sorted((die.spaces for die in state.dice), reverse=True)
        shorten = self.options["stop_behind_blockade"]
        for pawn, place in enumerate(state.own):
            for landing in self.landings(state, place, high + low, shorten):
                yield self.moved(state, pawn, landing, f"{high}+{low}", state._replace(dice=()))

    def touches(self, state: State) -> Iterator[Moved]:
        if not self.options["touch_down"]:
            return
        free = [die for die in state.dice if not self.reserved(state, die)]
        for one, two in set(permutations(free, 2)):
            after = state._replace(dice=without(state.dice, one, two))
            for pawn, place in enumerate(state.own):
                for landing in self.touch_downs(state, place, one.spaces, two.spaces):
                    yield self.moved(state, pawn, landing, f"{one.spaces},{two.spaces}", after)

    def parts(self, state: State) -> Iterator[Moved]:
        """Parts of a 14-space grant."""
        two_pawns = self.options["doublet_spaces"] == "fourteen-two-pawns"
        if two_pawns and sum(state.took) == 2:
            return
        kept = self.options["entry_number_reserved"] and NEST in state.own
        shorten = self.options["stop_behind_blockade"]
        for size in range(1, state.spaces - (5 * state.fives if kept else 0) + 1):
            for pawn, place in enumerate(state.own):
                if state.took[pawn]:
                    continue
                took = tuple(old or other == pawn for other, old in enumerate(state.took))
                after = state._replace(spaces=state.spaces - size, took=took)
                for landing in self.landings(state, place, size, shorten):
                    if landing.place == HOME and size < 14 and self.options["doublet_home_whole"]:
                        continue
                    yield self.moved(state, pawn, landing, f"{size}/14", after)

    def bonus_steps(self, state: State) -> Iterator[Moved]:
        for bonus in set(state.bonuses):
            left = list(state.bonuses)
            left.remove(bonus)
            begun = self.options["bonus_timing"] == "after-dice"
            after = state._replace(bonuses=tuple(left), bonus_begun=begun)
            for pawn, place in enumerate(state.own):
                for landing in self.landings(state, place, bonus, shorten=False):
                    move = self.moved(state, pawn, landing, str(bonus), after)
                    yield move._replace(bonus=True)

    def moved(self, state: State, pawn: int, landing: Landing, spent: str, after: State) -> Moved:
        """The step written out, its captures and bonuses carried into the state after it."""
        own = tuple(landing.place if other == pawn else old for other, old in enumerate(state.own))
        others = tuple(
            tuple(
                NEST if (seat, index) in landing.captured else old
                for index, old in enumerate(pawns)
            )
            for seat, pawns in enumerate(state.others)
        )
        earned = [self.options["capture_bonus"]] * len(landing.captured)
        if landing.place == HOME:
            earned.append(self.options["finish_bonus"])
        bonuses = tuple(sorted([*after.bonuses, *(bonus for bonus in earned if bonus)]))
        text = f"{place_text(state.own[pawn])}-{place_text(landing.place)}({spent})"
        mark = "x" if landing.captured else ""
        return Moved(text + mark, False, after._replace(own=own, others=others, bonuses=bonuses))


# Whole plays -----------------------------------------------------------------------------------

Play: TypeAlias = frozenset[State]
"""A play so far, as all the ways in which its pawns may be told apart.

Two sequences of steps that lead to the same such set are one from here on: everything a sieve
asks of a play can be read from it.
"""


class TooManyError(Exception):
    """More plays than the asker wants to wait for."""


class Plays:
    """All sequences of legal steps of one turn, and which of them may be stopped."""

    def __init__(self, turn: Turn, limit: int | None = None) -> None:
        self.turn = turn
        self.options = turn.options
        self.empty: Play = frozenset({turn.start})
        self.follow: dict[Play, dict[str, Play]] = {}
        waiting = [self.empty]
        while waiting:
            play = waiting.pop()
            if play not in self.follow:
                if limit and len(self.follow) == limit:
                    raise TooManyError
                self.spread(play)
                waiting += self.follow[play].values()
        self.complete = self.sieve()
        self.leading = self.lead()

    def spread(self, play: Play) -> None:
        """Make every step that is legal for some choice of which pawn made each step so far."""
        onward: dict[str, set[State]] = {}
        for state in play:
            for move in self.turn.steps_from(state):
                key = f"bonus {move.text}" if move.bonus else move.text
                onward.setdefault(key, set()).add(move.after)
        self.follow[play] = {text: frozenset(states) for text, states in onward.items()}

    # What a sieve asks of a play: the same for every way of telling its pawns apart

    def won(self, play: Play) -> bool:
        return all(place == HOME for place in next(iter(play)).own)

    def entered(self, play: Play) -> int:
        return self.turn.start.own.count(NEST) - next(iter(play)).own.count(NEST)

    def dice_spent(self, play: Play) -> int:
        left = next(iter(play))
        return self.turn.grant.size() - (left.spaces if self.turn.grant.spaces else len(left.dice))

    def faces_spent(self, play: Play) -> int:
        left = next(iter(play))
        faces = sum(die.spaces for die in self.turn.grant.dice) - sum(d.spaces for d in left.dice)
        return faces + self.turn.grant.spaces - left.spaces

    def kept_apart(self, state: State) -> bool:
        """Whether `at-end` lets the play end here, its pawns told apart so."""
        return self.options["pair_rule"] != "at-end" or not self.turn.pair_elsewhere(state.own)

    def may_end(self, play: Play) -> bool:
        """Whether `at-end` lets the play end here for some choice of which pawns moved."""
        return any(map(self.kept_apart, play))

    def no_more(self, play: Play, bonus_only: bool) -> bool:
        """Whether for one such choice it may end and no step, or bonus step, is possible."""
        return any(
            self.kept_apart(state)
            and not any(
                self.kept_apart(move.after)
                for move in self.turn.steps_from(state)
                if move.bonus or not bonus_only
            )
            for state in play
        )

    # The sieves, in the order of the text

    def sieve(self) -> set[Play]:
        plays = {play for play in self.follow if self.may_end(play)}
        exhaust = self.options["usage"] == "exhaust"
        if exhaust:
            plays = {play for play in plays if self.no_more(play, bonus_only=False)}
        else:
            plays = self.required(plays)
        greatest = max(self.dice_spent(play) for play in plays)
        if not exhaust:
            plays = self.greatest(plays, self.dice_spent)
        if self.options["usage"] == "maximal-higher":
            plays = self.greatest(plays, self.faces_spent)
        if greatest < self.turn.grant.size():
            plays = self.short_of_whole(plays)
        if not exhaust and not self.options["bonus_optional"]:
            plays = {p for p in plays if self.won(p) or self.no_more(p, bonus_only=True)}
        return plays

    def required(self, plays: set[Play]) -> set[Play]:
        """What the second sieve leaves."""
        return self.greatest(plays, self.entered) if self.options["entry_required"] else plays

    def short_of_whole(self, plays: set[Play]) -> set[Play]:
        """What the fifth sieve leaves where no play uses all that was granted."""
        if self.options["doublet_whole"] and len(self.turn.grant.dice) == 4:
            return {self.empty}
        if self.options["usage"] == "whole-throw":
            return {play for play in plays if self.won(play)} or {self.empty}
        return plays

    def greatest(self, plays: set[Play], measure: Callable[[Play], int]) -> set[Play]:
        """Those with the greatest of a measure, and winning plays whatever theirs."""
        most = max(measure(play) for play in plays)
        return {play for play in plays if self.won(play) or measure(play) == most}

    # After some steps of one play

    def after(self, texts: list[str]) -> list[Play]:
        """The play or plays those texts may be: a bonus step may read like a dice step."""
        plays = [self.empty]
        for text in texts:
            plays = [
                self.follow[play][key]
                for play in plays
                for key in (text, f"bonus {text}")
                if key in self.follow[play]
            ]
        return plays

    def reachable(self, plays: list[Play]) -> set[Play]:
        found: set[Play] = set()
        waiting = list(plays)
        while waiting:
            play = waiting.pop()
            if play not in found:
                found.add(play)
                waiting += self.follow[play].values()
        return found

    def lead(self) -> set[Play]:
        """The plays so far from which some complete play can be reached."""
        before: dict[Play, list[Play]] = {}
        for play, onward in self.follow.items():
            for later in onward.values():
                before.setdefault(later, []).append(play)
        found: set[Play] = set()
        waiting = list(self.complete)
        while waiting:
            play = waiting.pop()
            if play not in found:
                found.add(play)
                waiting += before.get(play, [])
        return found

    def result(self, play: Play) -> str:
        state = next(iter(play))
        seats = tuple(
            state.own if seat == self.turn.seat else pawns
            for seat, pawns in enumerate(state.others)
        )
        return position_text(self.turn.board, seats)

    def throws_again(self, play: Play) -> bool:
        rule = self.options["again"]
        if not self.turn.is_doublet() or rule == "never" or self.won(play):
            return False
        return bool(rule == "always" or self.dice_spent(play) == self.turn.grant.size())


# The protocol ----------------------------------------------------------------------------------


def penalty(turn: Turn, doublets: int) -> str | None:
    """The third doublet's penalty as the options name it, where it strikes."""
    if turn.options["third_doublet"] == "none" or doublets < 2:
        return None
    return turn.options["third_doublet"] if turn.is_doublet() else None


def penalized(turn: Turn, kind: str) -> int:
    """The place of the pawn that goes to its nest: the nest itself where none goes."""
    if not kind.startswith("nearest-home"):
        return NEST
    nearest = min((p for p in turn.start.own if p != HOME), key=turn.board.to_go)
    return NEST if kind == "nearest-home-unless-row" and nearest > ROW else nearest


def penalty_answer(turn: Turn, kind: str, place: int) -> dict[str, Any]:
    own = list(turn.start.own)
    if place != NEST:
        own[own.index(place)] = NEST
    position = tuple(
        tuple(own) if seat == turn.seat else pawns for seat, pawns in enumerate(turn.position)
    )
    return {
        "increments": [],
        "steps": [],
        "may_stop": True,
        "results": [position_text(turn.board, position)],
        "again": kind == "no-move",
        "penalty": "nearest-home" if kind.startswith("nearest") else kind,
    }


def answer(request: dict[str, Any], limit: int | None = None) -> dict[str, Any]:
    """The analysis protocol's answer to a legal request, or TooManyError past a limit of plays."""
    turn = Turn(request)
    struck = penalty(turn, request.get("doublets", 0))
    if struck:
        return penalty_answer(turn, struck, penalized(turn, struck))
    return answer_after(Plays(turn, limit), request.get("play", []))


def answer_after(plays: Plays, steps: list[str]) -> dict[str, Any]:
    """The answer where some steps are made, all plays once listed."""
    here = plays.after(steps)
    onward = [(text, later) for play in here for text, later in plays.follow[play].items()]
    ends = plays.reachable(here) & plays.complete
    results = {plays.result(play) for play in ends}
    again = {plays.result(play) for play in ends if plays.throws_again(play)}
    leading = plays.leading
    return {
        "increments": plays.turn.grant.numbers(),
        "steps": sorted({text.removeprefix("bonus ") for text, to in onward if to in leading}),
        "may_stop": any(play in plays.complete for play in here),
        "results": sorted(results),
        "again": bool(again) if again in (set(), results) else sorted(again),
        "penalty": None,
    }


def first_steps(request: dict[str, Any]) -> tuple[list[str], bool]:
    """The legal first steps, and whether the empty play is complete."""
    found = answer(request)
    return found["steps"], found["may_stop"]
