"""Facts about a step that may be illegal: its pawn, its number and its play. Gives no reasons."""

from typing import Any

from ..board import NEST, ROW, SEAT_LETTERS, SEATS, Route, Walk, place_text
from ..increments import GRANT
from ..plays.plays import Plays
from ..plays.situation import CLOSED, State
from ..plays.walks import find_barriers, find_landings
from ..plays.worlds import places
from ..steps import Step


class Question:
    """A step in a state of a play, legal or not, taken apart for those who explain it."""

    def __init__(self, plays: Plays, state: State, step: Step) -> None:
        self.plays, self.state, self.step = plays, state, step
        self.stepper = plays.stepper
        self.ruleset = plays.stepper.ruleset
        self.board = plays.stepper.terrain.board
        self.places = places(state.worlds[0])
        self.letter = SEAT_LETTERS[plays.stepper.seat]
        self.bars = self.stepper.find_bars(state)
        self.blockades, self.held = self.bars

    # --- what the step spends --------------------------------------------------------------------

    @property
    def is_part(self) -> bool:
        """Whether the step spends a part of a 14-space grant."""
        return self.step.spent.endswith(f"/{GRANT}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The increments that the step spends; of a part, its spaces."""
        spent = self.step.spent.removesuffix(f"/{GRANT}")
        return tuple(int(number) for number in spent.replace("+", ",").split(","))

    @property
    def spaces(self) -> int:
        """How many spaces the step's increments make together."""
        return sum(self.numbers)

    @property
    def is_ungranted_die(self) -> bool:
        """Whether the step spends a number that a die shows, though it is not granted."""
        shown, open_ = self.stepper.faces, (*self.stepper.increments, *self.state.bonuses)
        return len(self.numbers) == 1 and self.spaces in shown and self.spaces not in open_

    @property
    def is_bonus(self) -> bool:
        """Whether the step spends a bonus, and not a die that is open."""
        open_dice = () if self.stepper.grant or self.state.marks & CLOSED else self.state.dice
        spent = self.step.spent
        return spent in map(str, self.state.bonuses) and spent not in map(str, open_dice)

    @property
    def goes_off(self) -> bool:
        """Whether the step's number takes its pawn off the last space, exact count or not."""
        at_last = self.step.origin == self.stepper.terrain.before_end
        return at_last and len(self.numbers) == 1 and self.stepper.takes_off(self.spaces)

    # --- where it may go -------------------------------------------------------------------------

    def routes_of(self, spaces: int) -> tuple[Route, ...]:
        """Return the routes of so many spaces from where the step begins."""
        by_length = self.stepper.terrain.routes.get(self.step.origin, ())
        routes = by_length[spaces] if 0 <= spaces < len(by_length) else ()
        if not self.stepper.terrain.furthest_only:
            return routes
        blocked, held = self.bars
        free = [route for route in routes if not (route.way & blocked or route.landed & held)]
        return (*free, *routes)[:1]

    @property
    def routes(self) -> list[Route]:
        """The routes that the step's spaces may take, blocked or not."""
        off = [Route(self.board.end, way=0, landed=0)] * self.goes_off
        if self.stepper.terrain.walks:
            lone, origin = self.state.lone, self.step.origin
            found = find_landings(self.stepper, lone, self.bars, origin, self.spaces)
            known = found if self.routes_of(self.spaces) else ()
            landings = [Route(target, way=0, landed=0) for target, _ in known]
            return [*(landings[:1] if self.stepper.terrain.furthest_only else landings), *off]
        return [*self.routes_of(self.spaces), *self.routes_behind, *off]

    @property
    def routes_behind(self) -> list[Route]:
        """The routes that stop behind a blockade, where the rules have that."""
        if self.is_bonus or not self.ruleset.stop_behind_blockade or self.stepper.terrain.walks:
            return []
        blockades, routes_of = self.blockades, self.routes_of
        return [
            short
            for length in range(2, self.spaces + 1)
            for longer in routes_of(length)
            if longer.landed & blockades and not longer.passed & blockades
            for short in routes_of(length - 1)
            if short.way == longer.passed
        ]

    @property
    def barred_walks(self) -> list[tuple[Walk, int]]:
        """The walks to the step's target that others bar, and the first space that does, as a bit.

        Empty where the rules don't ask for walks.
        """
        stepper, origin, bits = self.stepper, self.step.origin, self.stepper.terrain.bits
        if not (stepper.terrain.walks and self.routes_of(self.spaces)):
            return []
        unpassed, full, held, _ = find_barriers(stepper, self.state.lone, self.bars, origin)
        return [
            (walk, next((bit for bit in passed if bit & unpassed), walk.landed))
            for walk in stepper.terrain.walks[origin][self.spaces]
            for passed in [[bits[place] for place in walk.places[:-1]]]
            if walk.target == self.step.target
            and (walk.passed & unpassed or walk.landed & (full | held))
        ]

    # --- who and where, for a reason's words -----------------------------------------------------

    @property
    def origin(self) -> str:
        """Where the step begins, as text."""
        return place_text(self.step.origin)

    @property
    def entry_numbers(self) -> list[int]:
        """The numbers that enter by what the step spends: one die, or the sum of two."""
        by_sum = "+" in self.step.spent
        return [self.ruleset.entry_number] if by_sum else sorted(self.stepper.terrain.entry_numbers)

    @property
    def entry(self) -> str:
        """The numbers that enter: `a 5`, `a 1 or a 6`."""
        numbers = self.entry_numbers
        return " or ".join(f"an {n}" if n in (8, 11) else f"a {n}" for n in numbers)

    @property
    def entry_details(self) -> dict[str, Any]:
        """What brings a pawn in, as details of a reason: `1, 6`, and whether as a sum."""
        by_sum = self.ruleset.entry_by == "sum" and self.ruleset.total_move != "only"
        return {"enters": ", ".join(map(str, self.entry_numbers)), "by_sum": by_sum}

    def owners(self, bit: int) -> tuple[int, ...]:
        """Return the seat that stands on the space of a bit, or the two seats of a side.

        Of several seats that are no side it is the own one, or the one with most pawns.
        """
        stepper, met = self.stepper, self.stepper.opponents
        firm = met.pairs & (~met.lone | stepper.terrain.benches)  # pairs that can't be captured
        bits = bit | met.guest if bit == stepper.terrain.entry_bit else bit
        others = [seat for seat, _ in met.find(bits & (firm | self.state.lone))]
        partner = [(stepper.seat + 2) % SEATS] if bit & met.ally else []
        is_own = any(stepper.terrain.bits[place] == bit for place in self.places)
        side = sorted([stepper.seat, *partner] if is_own else partner)
        if side and not bit & firm:
            return tuple(side)
        if stepper.terrain.pairs_of_sides:
            return tuple(dict.fromkeys(others))
        return (max(others, key=others.count),)

    def place_of(self, bit: int) -> int:
        """Return the place of a bit, as the step's seat counts it."""
        return next(place for place in self.board.places if self.board.bit(place) == bit)

    def where(self, place: int) -> str:
        """Return how players name a place: `on home row 3`, `on C's entry`, `on 3 past C`."""
        if place < 0:
            return f"on square {place - NEST} of the way out"
        if place > ROW:
            return f"on home row {place - ROW}"
        space = self.board.space(self.stepper.seat, place)
        assert space is not None
        seat, past = self.board.past_entry(space)
        letter = SEAT_LETTERS[seat]
        return f"on {past} past {letter}" if past else f"on {letter}'s entry"
