"""The stepper: every single step that a state of a play allows.

NOTATION.md has the rules of moving. `plays` decides which sequences of steps are legal, and `grant`
makes the steps with 14 spaces to share out. Sets of spaces are integers (see `board`), so that one
`&` each refuses a step (`Situation.find_bars`):

    way & blocked    the step passes or lands on a space that is barred, mostly by two pawns
    landed & held    the step lands on a space that is held, mostly a safety space with an opponent
"""

from collections.abc import Iterator
from itertools import chain, permutations
from typing import Self

from ..board import NEST, Route
from .situation import (
    CLEARED,
    CLOSED,
    DONE,
    NO_ENTRY,
    OPENED,
    SENT_BACK,
    TO_CLEAR,
    Bars,
    Dice,
    Situation,
    State,
    Successor,
    new_tuple,
)
from .walks import find_landings
from .worlds import IN_NEST, TAG_BITS, World, places


class Stepper(Situation):
    """The steps of one seat's play with one throw: the successors of `start` and of any state."""

    def successors(self, state: State) -> Iterator[Successor]:
        """Return every single step that board, pawns and increments allow, legal play or not."""
        ground = self.terrain
        if state.worlds[0][ground.decider] >= ground.home_code:  # has_won, without a call
            return iter(())
        dice_open = state.dice and not state.marks & CLOSED
        if not (dice_open or state.bonuses):
            return iter(())
        bars = self.find_bars(state)
        if not dice_open:
            return self._bonus_steps(state, bars)
        dice_steps = self._dice_steps(state, bars)
        if not state.bonuses:
            return dice_steps
        return chain(dice_steps, self._bonus_steps(state, bars))

    def limit_waste(self, spaces: int) -> Self:
        """Return a stepper without those parts of a grant that surely waste more than `spaces`.

        A part does so where no other pawn can take a part, and neither it nor a bonus may win.
        """
        return self

    # --- dice ----------------------------------------------------------------------------------

    def _dice_steps(self, state: State, bars: Bars) -> Iterator[Successor]:
        dice = state.dice
        in_nest = state.worlds[0][0] == IN_NEST
        previous = 0
        for index, number in enumerate(dice):
            if number == previous:
                continue
            previous = number
            rest = dice[:index] + dice[index + 1 :]
            if in_nest and number in self.terrain.entry_numbers:
                if self.may_enter(number, state):
                    yield from self._entries(state, bars, str(number), rest)
                if self.is_reserved(number):
                    continue
            yield from self._advances(state, bars, number, str(number), rest)
        if self._one_counts:
            yield from self._homecoming(state, "1", ())
        if len(dice) >= 2:
            total = f"{dice[0]}+{dice[1]}"
            if self.sum_enters and in_nest:
                yield from self._entries(state, bars, total, ())
            if self._total_moves and not (in_nest and any(map(self.is_reserved, dice))):
                yield from self._advances(state, bars, sum(dice), total, ())
            if self.ruleset.touch_down:
                yield from self._touch_downs(state, bars)

    def _homecoming(self, state: State, spent: str, rest: Dice) -> Iterator[Successor]:
        """Return the step that takes a pawn off the last space, whatever it spends."""
        origin, target = self.terrain.before_end, self.terrain.board.end
        if origin in places(state.worlds[0]):
            worlds = self._mover.move(state.worlds, origin, target)
            after = self._state_after(self._mark(state, origin), worlds, target, 0, rest)
            yield new_tuple(Successor, (origin, target, spent, 0, after))

    def _touch_downs(self, state: State, bars: Bars) -> Iterator[Successor]:
        """Return the steps of two dice whose first ends on a safety space that somebody holds."""
        lone, world, (blocked, held) = state.lone, state.worlds[0], bars
        origins = {code >> TAG_BITS for code in world if IN_NEST < code < self._end_code}
        in_nest = world[0] == IN_NEST
        for first, second in set(permutations(state.dice, 2)):
            if in_nest and (self.is_reserved(first) or self.is_reserved(second)):
                continue
            rest = _remove(state.dice, first, second)
            legs = ((origin, leg) for origin in origins for leg in self._routes[origin][first])
            for origin, leg in legs:
                if leg.way & blocked or not leg.landed & held & lone:
                    continue
                passed = lone & leg.way & self.caught_on_the_way
                for target, caught in self._landings(lone, bars, leg.target, second):
                    worlds = self._mover.move(state.worlds, origin, target)
                    if worlds:
                        both = caught | passed
                        begun = self._mark(state, origin)
                        after = self._state_after(begun, worlds, target, both, rest)
                        yield Successor(origin, target, f"{first},{second}", both, after)

    def _mark(self, state: State, origin: int) -> State:
        """Return a state marked with the duties that a die has done with the pawn at `origin`."""
        duty, marks = self.duties.get(origin, 0) & OPENED, state.marks
        if marks >> (TO_CLEAR + origin) & 1:
            duty, marks = duty | CLEARED, marks & DONE
        return state._replace(marks=marks | duty) if duty else state

    def _follow(self, after: Successor) -> Successor:
        """Return a bonus step that remembers where it moved a pawn that was on the entry."""
        marks, here = after.state.marks, 1 << TO_CLEAR + after.origin
        if not marks & here:
            return after
        left = marks if after.origin in places(after.state.worlds[0]) else marks & ~here
        state = after.state._replace(marks=left | 1 << TO_CLEAR + after.target)
        return after._replace(state=state)

    # --- bonuses -------------------------------------------------------------------------------

    def _bonus_steps(self, state: State, bars: Bars) -> Iterator[Successor]:
        closed = CLOSED if self.ruleset.bonus_timing == "after-dice" else 0
        for spaces in set(state.bonuses):
            rest = _remove(state.bonuses, spaces)
            spending = State(state.worlds, state.lone, state.dice, rest, state.marks | closed)
            steps = self._advances(spending, bars, spaces, str(spaces), state.dice, by_die=False)
            yield from map(self._follow, steps) if self.duties else steps

    # --- ways ----------------------------------------------------------------------------------

    def _entries(self, state: State, bars: Bars, spent: str, rest: Dice) -> Iterator[Successor]:
        caught = self.find_entry(state, bars)
        if caught != NO_ENTRY:
            worlds = self._mover.move(state.worlds, NEST, 0)
            after = self._state_after(state, worlds, 0, caught, rest)
            yield new_tuple(Successor, (NEST, 0, spent, caught, after))

    def _advances(
        self, state: State, bars: Bars, spaces: int, spent: str, rest: Dice, by_die: bool = True
    ) -> Iterator[Successor]:
        worlds, routes, (blocked, held) = state.worlds, self._routes, bars
        lone, caught_in_passing = state.lone & self.terrain.open, self.caught_on_the_way
        furthest_only = self.terrain.furthest_only
        may_land_elsewhere = by_die and self.terrain.may_land_elsewhere
        has_duties, start = by_die and self.duties, state
        move, end_code = self._mover.move, self._end_code
        previous = NEST
        for code in worlds[0]:
            origin = code >> TAG_BITS
            if origin == previous or code >= end_code:
                continue
            previous = origin
            if has_duties:
                state = self._mark(start, origin)
            for target, way, landed in routes[origin][spaces]:
                if way & blocked or landed & held:
                    continue
                moved = move(worlds, origin, target)
                if not moved:
                    continue
                caught = lone & (way & caught_in_passing | landed)
                after = self._state_after(state, moved, target, caught, rest)
                yield new_tuple(Successor, (origin, target, spent, caught, after))
                if furthest_only:
                    break
            if may_land_elsewhere:
                others = self._landings if self.terrain.walks else self._short_landings
                for target, caught in others(state.lone, bars, origin, spaces):
                    moved = move(worlds, origin, target)
                    if moved:
                        begun = state
                        if target == NEST:
                            begun = state._replace(marks=state.marks | SENT_BACK)
                        after = self._state_after(begun, moved, target, caught, rest)
                        yield new_tuple(Successor, (origin, target, spent, caught, after))
                        if furthest_only:
                            break

    def _landings(
        self, lone: int, bars: Bars, origin: int, spaces: int
    ) -> Iterator[tuple[int, int]]:
        """Return each target of an increment, and whom of the `lone` it captures, as bits."""
        if self.terrain.walks:
            yield from find_landings(self, lone, bars, origin, spaces)
            return
        blocked, held = bars
        for route in self._routes[origin][spaces]:
            if not route.way & blocked and not route.landed & held:
                yield route.target, self._find_caught(lone, route)
        if self.ruleset.stop_behind_blockade:
            yield from self._short_landings(lone, bars, origin, spaces)

    def _find_caught(self, lone: int, route: Route) -> int:
        return lone & (route.way & self.caught_on_the_way | route.landed & self.terrain.open)

    def _short_landings(
        self, lone: int, bars: Bars, origin: int, spaces: int
    ) -> Iterator[tuple[int, int]]:
        """Return the same for the space behind the first blocked one within reach."""
        lengths, (blocked, held) = self._routes[origin], bars
        for length in range(2, spaces + 1):
            for route in lengths[length]:
                if route.landed & blocked and not route.passed & blocked:
                    for short in lengths[length - 1]:
                        if short.way == route.passed and not short.landed & held:
                            yield short.target, self._find_caught(lone, short)

    def _state_after(
        self, state: State, worlds: tuple[World, ...], target: int, caught: int, dice: Dice
    ) -> State:
        """Return the state after a step to `target` that left the `dice` open, with its bonuses.

        caught: whom it captured, as bits.
        """
        bonuses = state.bonuses
        if not caught and target < self._first_home:
            return new_tuple(State, (worlds, state.lone, dice, bonuses, state.marks))
        if self.ruleset.capture_bonus:
            captured = self.opponents.count(caught)
            bonuses = (*bonuses, *(self.ruleset.capture_bonus,) * captured)
        if target >= self._first_home and self.ruleset.finish_bonus:
            bonuses = (*bonuses, self.ruleset.finish_bonus)
        return State(worlds, state.lone & ~caught, dice, tuple(sorted(bonuses)), state.marks)


def _remove(dice: Dice, *numbers: int) -> tuple[int, ...]:
    rest = list(dice)
    for number in numbers:
        rest.remove(number)
    return tuple(rest)
