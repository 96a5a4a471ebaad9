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
from tests.rules import brute_force
from tests.rules.brute_force import HOME, NEST, ROW, Play, place_of
from tests.rules.relatives_brute_force import RelativesPlays, RelativesTurn

Request = dict[str, Any]


@dataclass
class Refusal:
    """A step that is refused after some steps of a play, and the reason that is given."""

    request: Request
    plays: RelativesPlays
    made: list[str]
    step: Step
    reason: Reason

    def __post_init__(self) -> None:
        self.turn, self.options = self.plays.turn, self.plays.options
        self.board, self.seat = self.turn.board, self.turn.seat
        self.here = self.plays.after(self.made)
        self.state = next(iter(self.here[0]))
        self.details: dict[str, Any] = dict(self.reason.details)
        self.origin, self.target = (place_of(place_text(place)) for place in self.step[:2])
        spent = self.step.spent.removesuffix("/14")
        self.numbers = [int(number) for number in re.findall(r"\d+", spent)]
        self.spaces = sum(self.numbers)

    @property
    def holds(self) -> bool:
        """Whether the rule that is named stops the step."""
        return CLAIMS[self.reason.rule](self)

    # Who stands there

    @property
    def place(self) -> int:
        """The place that the reason names."""
        assert self.reason.place is not None
        return place_of(place_text(self.reason.place))

    @property
    def there(self) -> Counter[int]:
        """How many pawns of each seat stand there, none if the pawn does not come there."""
        if self.origin != NEST:
            ways = self.board.routes(self.origin, self.spaces)
        elif self.turn.with_cowries():
            ways = [[self.board.way_place(n + 1) for n in range(self.spaces)]]
        else:
            ways = [[0]]
        spaces = [self.board.space(self.seat, place) for way in ways for place in way]
        if self.board.space(self.seat, self.place) not in spaces:
            return Counter()
        return Counter(seat for seat, _ in self.turn.pawns_at(self.state, self.place))

    def stands(self, own: bool, least: int) -> bool:
        """Whether the seat that is named has so many pawns there, and is the own one or not."""
        seat = self.reason.seat
        assert seat is not None
        return (seat == self.seat) == own and self.there[seat] >= least

    # What enters

    @cached_property
    def entries(self) -> list[tuple[int, list[int]]]:
        """What brings a pawn in if nobody is in the way: the first increment, what is spent."""
        # Those on the board stand where they keep nobody in.
        own = tuple(p if p == NEST else 20 + n for n, p in enumerate(self.state.own))
        seats = tuple(own if seat == self.seat else () for seat in range(4))
        position = brute_force.position_text(self.board, seats)
        faces = range(7) if self.turn.with_cowries() else range(1, 7)
        turns = [
            RelativesTurn(self.request | {"position": position, "throw": list(throw)})
            for throw in product(faces, repeat=self.options["dice"])
        ]
        return [
            (turn.grant.numbers()[0], [int(number) for number in spent.split("+")])
            for turn in turns
            for move in turn.entries(turn.start._replace(own=own))
            for spent in [move.text.partition("(")[2].partition(")")[0]]
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
        return self.turn.grant.numbers()[0] not in self.named == values

    # Whole plays

    @property
    def onward(self) -> Iterator[tuple[str, Play]]:
        """The steps that board and increments allow next, and the plays after them."""
        for play in self.here:
            yield from self.plays.follow[play].items()

    @cached_property
    def through(self) -> list[Play]:
        """The plays that begin so and may end by the pair rule."""
        keys = str(self.step), f"bonus {self.step}"
        after = [play for key, play in self.onward if key in keys]
        return [play for play in self.plays.reachable(after) if self.plays.may_end(play)]

    def reach(self, measure: Callable[[Play], int]) -> list[Play]:
        """Those of them that reach as much as the complete plays."""
        most = max(map(measure, self.plays.complete))
        return [play for play in self.through if measure(play) >= most]

    def fall_short(self, number: int) -> bool:
        """Whether all that pass the rules before the one of this number fail it."""
        measures = [
            self.plays.entered if self.options["entry_required"] else lambda _: 0,
            lambda play: self.plays.marks(play).opened,
            lambda play: self.plays.marks(play).cleared,
            self.plays.dice_spent,
            self.plays.faces_spent,
        ]
        passing = self.through
        for measure in measures[:number]:
            passing = [play for play in passing if play in self.reach(measure)]
        return bool(passing) and not set(passing) & set(self.reach(measures[number]))

    @property
    def is_pair_elsewhere(self) -> bool:
        """Whether the pair rule alone forbids the step."""
        turn = RelativesTurn(self.request | {"ruleset": self.options | {"pair_rule": "off"}})
        after = [
            move.after.own
            for state in self.here[0]
            for move in turn.legal_steps(state)
            if move.text.rstrip("x") == str(self.step).rstrip("x")
        ]
        return bool(after) and all(map(self.turn.pair_elsewhere, after))

    # Numbers and ways

    @property
    def is_not_open(self) -> bool:
        state, number = self.state, int(self.details["number"])
        dice = [] if state.bonus_begun else [die.spaces for die in state.dice]
        return self.numbers.count(number) > [*dice, *state.bonuses].count(number)

    @property
    def ends(self) -> set[int]:
        """Where the number takes the pawn if nobody is in the way."""
        if self.origin == NEST:
            return {self.board.way_place(self.spaces)}
        off = self.origin == ROW + self.board.row and self.turn.value_enters_by_grace()
        ways = self.board.routes(self.origin, self.spaces)
        return {way[-1] for way in ways if len(way) == self.spaces} | ({HOME} if off else set())

    @property
    def to_go(self) -> int:
        return self.board.to_go(self.origin) - (not self.board.has_home)

    @property
    def leads_elsewhere(self) -> bool:
        named = set(map(place_of, self.details["targets"].split(" or ")))
        return self.target not in self.ends and (
            named <= self.ends or self.options["stop_behind_blockade"]
        )

    @property
    def has_had_its_part(self) -> bool:
        pawns = [p for s in self.here[0] for p in zip(s.own, s.took, strict=True)]
        return all(took for place, took in pawns if place == self.origin)


CLAIMS: dict[Rule, Callable[[Refusal], bool]] = {
    Rule.HOME_STAYS: lambda r: r.to_go == 0,
    Rule.NO_PAWN: lambda r: r.origin not in r.state.own,
    Rule.BONUS_USED: lambda r: r.state.bonus_begun,
    Rule.ONE_TOTAL: lambda r: r.options["total_move"] == "only",
    Rule.NO_TOUCH_DOWN: lambda r: not r.options["touch_down"],
    Rule.NO_TOTAL: lambda r: r.options["total_move"] == "never",
    Rule.SIX_COUNTS: lambda r: r.details["spaces"] == r.turn.grant.numbers()[0] != r.turn.throw[0],
    Rule.UNDERSIDE_LATER: lambda r: NEST in r.turn.start.own and r.is_not_open,
    Rule.SPENT: lambda r: r.is_not_open and r.details["number"] in r.turn.grant.numbers(),
    Rule.NOT_THROWN: lambda r: r.is_not_open,
    Rule.DOUBLET_SUM: lambda r: r.turn.throw[0] == r.turn.throw[-1],
    Rule.SUM_WRITTEN: lambda r: r.numbers == sorted(r.numbers),
    Rule.ONLY_FIVES: lambda r: r.names_what_enters,
    Rule.ONLY_LEFT: lambda r: r.details["left"] == r.state.spaces < r.spaces,
    Rule.PART_WRITTEN: lambda r: r.turn.grant.spaces > 0,
    Rule.NO_GRANT: lambda r: r.turn.grant.spaces == 0,
    Rule.PART_ENTERS: lambda r: r.origin == NEST and r.step.spent.endswith("/14"),
    Rule.TWO_SHARED: lambda r: sum(r.state.took) == 2,
    Rule.PART_HAD: lambda r: r.has_had_its_part,
    Rule.FIVES_KEPT: lambda r: r.details["kept"] == 5 * r.state.fives > r.state.spaces - r.spaces,
    Rule.BONUS_ENTERS: lambda r: r.names_what_enters,
    Rule.ENTRY_SPACE: lambda r: r.target != 0,
    Rule.OTHER_SUM: lambda r: r.does_not_enter,
    Rule.OTHER_NUMBER: lambda r: r.does_not_enter and r.names_what_enters,
    Rule.ENTRY_BY_DIE: lambda r: r.does_not_enter,
    Rule.ENTRY_BY_SUM: lambda r: r.does_not_enter and r.names_what_enters,
    Rule.UNDERSIDE: lambda r: not r.options["undersides_enter"],
    Rule.ENTRY_BLOCKED: lambda r: r.stands(own=r.reason.seat == r.seat, least=2),
    Rule.RESERVED: lambda r: r.options["entry_number"] in r.numbers and NEST in r.state.own,
    Rule.EXACT_COUNT: lambda r: (
        r.target not in r.ends
        and (r.details["to_go"], r.details["spaces"]) == (r.to_go, r.spaces)
        and r.to_go != r.spaces
    ),
    Rule.LEADS_ELSEWHERE: lambda r: r.leads_elsewhere,
    Rule.HOME_WHOLE: lambda r: r.target == HOME and r.spaces < 14,
    Rule.BARRED: lambda r: r.stands(own=False, least=2) and r.turn.blockade(r.state, r.place),
    Rule.TWO_STAND: lambda r: r.stands(own=True, least=2),
    Rule.ONE_STANDS: lambda r: r.stands(own=True, least=1),
    Rule.FULL: lambda r: (
        r.there.total() > 1 and (r.options["safety_shared"] == "two" or r.origin == NEST)
    ),
    Rule.PAIR_SAFE: lambda r: r.stands(own=False, least=2),
    Rule.GOAL_PASSED: lambda r: r.stands(own=True, least=1),
    Rule.LOTS_ENTER: lambda r: r.lot_does_not_enter,
    Rule.GRACE_ENTERS: lambda r: r.does_not_enter and 1 in r.alone & {*r.turn.grant.numbers()},
    Rule.GRACE_MOVES: lambda r: r.numbers == [1] and r.origin != NEST,
    Rule.OWN_BARRED: lambda r: r.stands(own=True, least=2),
    Rule.SAFETY_HELD: lambda r: (
        r.stands(own=False, least=1) and r.turn.safe(r.place) and r.options["safety_shared"] == "no"
    ),
    Rule.NOTHING_TOUCHED: lambda r: not r.turn.touch_downs(r.state, r.origin, *r.numbers),
    Rule.WHOLE_THROW: lambda r: r.plays.complete == {r.plays.empty},
    Rule.WHOLE_DOUBLET: lambda r: r.plays.complete == {r.plays.empty},
    Rule.MARK_WRITTEN: lambda r: any(
        key.removeprefix("bonus ") == r.details["step"] for key, _ in r.onward
    ),
    Rule.PAIR_TOGETHER: lambda r: r.is_pair_elsewhere,
    Rule.PAIR_ENDS: lambda r: not r.through,
    Rule.BONUS_FIRST: lambda r: any(
        play in r.plays.leading for key, play in r.onward if not key.startswith("bonus ")
    ),
    Rule.MUST_ENTER: lambda r: r.fall_short(0),
    Rule.OPEN_FIRST: lambda r: r.fall_short(1),
    Rule.CLEAR_FIRST: lambda r: r.fall_short(2),
    Rule.ONLY_WIN: lambda r: all(map(r.plays.won, r.plays.complete)),
    Rule.WASTES_GRANT: lambda r: r.fall_short(3),
    Rule.WASTES: lambda r: r.fall_short(3),
    Rule.LOWER_LOST: lambda r: r.fall_short(4),
}
