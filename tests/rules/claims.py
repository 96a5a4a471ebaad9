"""What each reason claims, held against the brute force, which knows no reasons."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from rules.board import place_text
from rules.questions.reasons import Reason, Rule
from rules.steps import Step
from tests.rules.from_the_texts import NEST, Request, State, Throw, position_text

NO_PLACE = 1000  # of this board


@dataclass
class Refusal:
    """A step that is refused after some steps of a play, and the reason that is given."""

    request: Request
    throw: Throw
    made: list[str]
    step: Step
    reason: Reason

    def __post_init__(self) -> None:
        self.options, self.board, self.seat = self.throw.options, self.throw.board, self.throw.seat
        self.here = self.throw.at(self.made)
        self.state = next(iter(self.here))
        self.standing = [pawn.place for pawn in self.state.own]
        self.details: dict[str, Any] = dict(self.reason.details)
        self.origin, self.target = map(self.place_of, self.step[:2])
        spent = self.step.spent.removesuffix("/14")
        self.numbers = [int(number) for number in re.findall(r"\d+", spent)]
        self.spaces = sum(self.numbers)
        self.granted = [increment.spaces for increment in self.throw.granted]
        self.left = [i.spaces for i in self.state.dice if i.kind == "grant"]  # of a 14-space grant

    def place_of(self, place: int) -> int:
        """Return a place of the package's as the texts' board has it."""
        return self.board.place.get(place_text(place), NO_PLACE)

    @property
    def holds(self) -> bool:
        """Whether the rule that is named stops the step."""
        return CLAIMS[self.reason.rule](self)

    # Who stands there

    @property
    def place(self) -> int:
        """The place that the reason names."""
        assert self.reason.place is not None
        return self.place_of(self.reason.place)

    @property
    def there(self) -> Counter[int]:
        """How many pawns of each seat stand there, none if the pawn does not come there."""
        ways = [[self.board.entry]]
        if self.origin != NEST:
            ways = self.board.ways(self.origin, self.spaces)
        elif self.options["lots"] != "dice":
            ways = [list(range(1, self.spaces + 1))]
        spots = [self.board.spot(self.seat, place) for way in ways for place in way]
        named = self.board.spot(self.seat, self.place)
        standing = [*self.state.others]
        standing[self.seat] = tuple(self.standing)
        return Counter(
            seat
            for seat, places in enumerate(standing)
            for place in places
            if named in spots and self.board.spot(seat, place) == named
        )

    def stands(self, own: bool, least: int) -> bool:
        """Whether the seat that is named has so many pawns there, and is the own one or not."""
        seat = self.reason.seat
        assert seat is not None
        return (seat == self.seat) == own and self.there[seat] >= least

    @property
    def is_of_sides(self) -> bool:
        """Whether two pawns of partners are a pair."""
        return bool(self.options["partners"]) and self.options["stacking"] != "any"

    @property
    def partner_stands(self) -> bool:
        return self.is_of_sides and self.there[(self.seat + 2) % 4] > 0

    @property
    def stand_together(self) -> bool:
        """Whether a pawn of the seat that is named stands there, and one of its partner."""
        assert self.reason.seat is not None
        side = {self.reason.seat, self.reason.seat + 2}
        return self.is_of_sides and self.there.keys() == side

    # What enters

    @cached_property
    def entries(self) -> list[tuple[int, list[int]]]:
        """What brings a pawn in if nobody is in the way: the first increment, what is spent."""
        # Those on the board stand where they keep nobody in.
        far = self.board.entry + 20
        own = [place if place == NEST else far + n for n, place in enumerate(self.standing)]
        seats = [own if seat == self.seat else () for seat in range(4)]
        position = position_text(self.board, seats)
        faces = range(1, 7) if self.options["lots"] == "dice" else range(7)
        throws = [
            Throw(self.request | {"position": position, "throw": list(dice)}, limit=0)
            for dice in product(faces, repeat=self.options["dice"])
        ]
        return [
            (throw.granted[0].spaces, [int(number) for number in spent.split("+")])
            for throw in throws
            for text, _ in throw.steps(throw.start)
            if text.startswith("N-")
            for spent in [text.partition("(")[2].partition(")")[0]]
        ]

    @property
    def alone(self) -> set[int]:
        """The numbers that bring a pawn in by themselves."""
        return {spent[0] for _, spent in self.entries if len(spent) == 1}

    @property
    def sums(self) -> set[int]:
        return {sum(spent) for _, spent in self.entries if len(spent) == 2}

    @property
    def named(self) -> set[int]:
        """The numbers that enter as the reason has them."""
        return set(map(int, str(self.details["enters"]).split(", ")))

    @property
    def names_what_enters(self) -> bool:
        by_sum = self.details["by_sum"]
        return self.named == (self.sums if by_sum else self.alone) and not (by_sum and self.alone)

    @property
    def does_not_enter(self) -> bool:
        enters = self.sums if "+" in self.step.spent else self.alone
        return "," in self.step.spent or self.spaces not in enters

    @property
    def lot_does_not_enter(self) -> bool:
        values = {value for value, _ in self.entries}
        return self.granted[0] not in self.named == values

    # Whole plays

    @property
    def onward(self) -> Iterator[tuple[str, bool, State]]:
        """The steps that board and increments allow next: whether by a bonus, and where to."""
        for state in self.here:
            for text, after in self.throw.after[state]:
                yield text, after.dice == state.dice, after

    @cached_property
    def through(self) -> list[State]:
        """The plays that begin so and may end by the pair rule."""
        waiting = [after for text, _, after in self.onward if text == str(self.step)]
        found = dict.fromkeys(waiting)
        while waiting:
            new = [after for _, after in self.throw.after[waiting.pop()] if after not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return list(filter(self.throw.may_end, found))

    def reach(self, measure: Callable[[State], int]) -> list[State]:
        """Those of them that reach as much as the complete plays."""
        most = max(map(measure, self.throw.complete))
        return [play for play in self.through if measure(play) >= most]

    def fall_short(self, number: int) -> bool:
        """Whether all that pass the rules before the one of this number fail it."""
        is_required = self.options["entry_required"]
        must_open = self.options["open_blockade"] == "doublet" and self.throw.is_doublet
        must_clear = self.options["clear_entry"] and self.throw.has_nest(self.throw.start)
        measures: list[Callable[[State], int]] = [
            lambda play: -is_required * sum(pawn.place == NEST for pawn in play.own),
            lambda play: must_open and play.opened,
            lambda play: must_clear and play.cleared,
            lambda play: -self.throw.spaces_or_increments(play),
            lambda play: -sum(increment.spaces for increment in play.dice),
            lambda play: sum(places.count(NEST) for places in play.others),
        ]
        passing = self.through
        for measure in measures[:number]:
            passing = [play for play in passing if play in self.reach(measure)]
        return bool(passing) and not set(passing) & set(self.reach(measures[number]))

    @property
    def is_pair_elsewhere(self) -> bool:
        """Whether the pair rule alone forbids the step."""
        named = self.request["ruleset"]
        ruleset = {"preset": named} if isinstance(named, str) else named
        free = Throw(self.request | {"ruleset": ruleset | {"pair_rule": "off"}}, limit=0)
        after = [
            after
            for state in self.here
            for text, after in free.steps(state)
            if text.rstrip("x") == str(self.step).rstrip("x")
        ]
        return bool(after) and all(map(self.throw.is_pair_elsewhere, after))

    @property
    def touches_down(self) -> bool:
        start = f"{self.board.text(self.origin)}-"
        spent = f"({','.join(map(str, self.numbers))})"
        steps = [text for text, _ in self.throw.steps(self.state)]
        return any(text.startswith(start) and spent in text for text in steps)

    # Numbers and ways

    @property
    def is_not_open(self) -> bool:
        state, number = self.state, int(self.details["number"])
        dice = [die.spaces for die in state.dice if die.kind != "grant" and not state.bonus_begun]
        return self.numbers.count(number) > [*dice, *state.bonuses].count(number)

    @property
    def ends(self) -> set[int]:
        """Where the number takes the pawn if nobody is in the way."""
        if self.origin == NEST:
            return {self.spaces}
        goes_off = self.origin == self.board.home - 1 and self.throw.has_grace
        ways = self.board.ways(self.origin, self.spaces)
        if self.options["overshoot"] == "over":
            ways = [self.throw.into_goal(self.state, self.origin, way) or way for way in ways]
        ends = {way[-1] for way in ways if self.board.fits(self.origin, self.spaces, way)}
        ends = {self.board.next_star(end) if end in self.board.stars else end for end in ends}
        return ends | ({self.board.home} if goes_off else set())

    @property
    def to_go(self) -> int:
        return self.board.end - self.origin

    @property
    def leads_elsewhere(self) -> bool:
        named = {self.board.place[text] for text in self.details["targets"].split(" or ")}
        if self.options["held_target"] == "sends-back" and NEST in named:
            return self.target not in named
        return self.target not in self.ends and (
            named <= self.ends or self.options["stop_behind_blockade"]
        )

    @property
    def ladder_asks_otherwise(self) -> bool:
        """Whether the pawn stands on the ladder or its foot, and another number would move it."""
        needed = int(self.details["number"])
        ways = self.board.ways(self.origin, needed)
        return self.board.is_on_ladder(self.origin) and ways[0] != [] and self.spaces != needed

    @property
    def has_had_its_part(self) -> bool:
        pawns = [pawn for state in self.here for pawn in state.own if pawn.place == self.origin]
        return all(pawn.took_part for pawn in pawns)


CLAIMS: dict[Rule, Callable[[Refusal], bool]] = {
    Rule.HOME_STAYS: lambda r: r.to_go == 0,
    Rule.NO_PAWN: lambda r: r.origin not in r.standing,
    Rule.BONUS_USED: lambda r: r.state.bonus_begun,
    Rule.ONE_TOTAL: lambda r: r.options["total_move"] == "only",
    Rule.NO_TOUCH_DOWN: lambda r: not r.options["touch_down"],
    Rule.NO_TOTAL: lambda r: r.options["total_move"] == "never",
    Rule.SIX_COUNTS: lambda r: r.details["spaces"] == r.granted[0] != r.throw.dice[0],
    Rule.UNDERSIDE_LATER: lambda r: r.throw.has_nest(r.throw.start) and r.is_not_open,
    Rule.SPENT: lambda r: r.is_not_open and r.details["number"] in r.granted,
    Rule.NOT_THROWN: lambda r: r.is_not_open,
    Rule.DOUBLET_SUM: lambda r: r.throw.dice[0] == r.throw.dice[-1],
    Rule.SUM_WRITTEN: lambda r: r.numbers == sorted(r.numbers),
    Rule.ONLY_FIVES: lambda r: r.names_what_enters,
    Rule.ONLY_LEFT: lambda r: r.details["left"] == sum(r.left) < r.spaces,
    Rule.PART_WRITTEN: lambda r: r.throw.granted[0].kind == "grant",
    Rule.NO_GRANT: lambda r: r.throw.granted[0].kind != "grant",
    Rule.PART_ENTERS: lambda r: r.origin == NEST and r.step.spent.endswith("/14"),
    Rule.TWO_SHARED: lambda r: sum(pawn.took_part for pawn in r.state.own) == 2,
    Rule.PART_HAD: lambda r: r.has_had_its_part,
    Rule.FIVES_KEPT: lambda r: (
        r.details["kept"] == 5 * r.throw.fives_left(r.state) > sum(r.left) - r.spaces
    ),
    Rule.BONUS_ENTERS: lambda r: r.names_what_enters,
    Rule.ENTRY_SPACE: lambda r: r.target != r.board.entry,
    Rule.OTHER_SUM: lambda r: r.does_not_enter,
    Rule.OTHER_NUMBER: lambda r: r.does_not_enter and r.names_what_enters,
    Rule.ENTRY_BY_DIE: lambda r: r.does_not_enter,
    Rule.ENTRY_BY_SUM: lambda r: r.does_not_enter and r.names_what_enters,
    Rule.UNDERSIDE: lambda r: (
        not r.options["undersides_enter"] or r.spaces != r.options["entry_number"]
    ),
    Rule.ENTRY_BLOCKED: lambda r: r.stands(own=r.reason.seat == r.seat, least=2),
    Rule.RESERVED: lambda r: r.options["entry_number"] in r.numbers and NEST in r.standing,
    Rule.EXACT_COUNT: lambda r: (
        r.target not in r.ends
        and (r.details["to_go"], r.details["spaces"]) == (r.to_go, r.spaces)
        and r.to_go != r.spaces
    ),
    Rule.LADDER: lambda r: r.ladder_asks_otherwise,
    Rule.FOOT_COUNT: lambda r: (
        r.board.is_ladder and r.details["to_go"] == r.board.tip - r.origin < r.spaces
    ),
    Rule.NOT_PASSED: lambda r: (
        r.options["passing"] == "none" and r.stands(own=r.reason.seat == r.seat, least=1)
    ),
    Rule.BENCH_PASSED: lambda r: (
        r.stands(own=False, least=2) and r.throw.is_barred(r.state, r.place)
    ),
    Rule.LEADS_ELSEWHERE: lambda r: r.leads_elsewhere,
    Rule.HOME_WHOLE: lambda r: r.target == r.board.home and r.spaces < 14,
    Rule.BARRED: lambda r: r.stands(own=False, least=2) and r.throw.is_barred(r.state, r.place),
    Rule.TWO_STAND: lambda r: r.stands(own=True, least=2),
    Rule.ONE_STANDS: lambda r: r.stands(own=True, least=1),
    Rule.MUST_CAPTURE: lambda r: r.fall_short(5),
    Rule.PARTNER_STANDS: lambda r: r.partner_stands and r.options["stacking"] == "one",
    Rule.TOGETHER: lambda r: r.stand_together,
    Rule.FULL: lambda r: (
        r.there.total() > 1
        and (r.options["safety_shared"] == "two" or r.origin == NEST or r.partner_stands)
    ),
    Rule.PAIR_SAFE: lambda r: r.stands(own=False, least=2),
    Rule.GOAL_PASSED: lambda r: r.stands(own=True, least=1),
    Rule.LOTS_ENTER: lambda r: r.lot_does_not_enter,
    Rule.GRACE_ENTERS: lambda r: r.does_not_enter and 1 in r.alone & {*r.granted},
    Rule.GRACE_MOVES: lambda r: r.numbers == [1] and r.origin != NEST,
    Rule.OWN_BARRED: lambda r: r.stands(own=True, least=2),
    Rule.SAFETY_HELD: lambda r: (
        r.stands(own=False, least=1)
        and r.board.spot(r.seat, r.place) in r.board.safe
        and r.options["safety_shared"] == "no"
    ),
    Rule.NOTHING_TOUCHED: lambda r: not r.touches_down,
    Rule.WHOLE_THROW: lambda r: r.throw.complete == {r.throw.start},
    Rule.WHOLE_DOUBLET: lambda r: r.throw.complete == {r.throw.start},
    Rule.MARK_WRITTEN: lambda r: any(text == r.details["step"] for text, _, _ in r.onward),
    Rule.PAIR_TOGETHER: lambda r: r.is_pair_elsewhere,
    Rule.PAIR_ENDS: lambda r: not r.through,
    Rule.BONUS_FIRST: lambda r: any(
        not by_bonus and after in r.throw.alive for _, by_bonus, after in r.onward
    ),
    Rule.MUST_ENTER: lambda r: r.fall_short(0),
    Rule.OPEN_FIRST: lambda r: r.fall_short(1),
    Rule.CLEAR_FIRST: lambda r: r.fall_short(2),
    Rule.ONLY_WIN: lambda r: all(map(r.throw.has_won, r.throw.complete)),
    Rule.WASTES_GRANT: lambda r: r.fall_short(3),
    Rule.WASTES: lambda r: r.fall_short(3),
    Rule.LOWER_LOST: lambda r: r.fall_short(4),
}
