"""The stepper: every single step that a state of a play allows.

NOTATION.md has the rules of moving. `plays` decides which sequences of steps are legal, and `grant`
makes the steps with 14 spaces to share out. Sets of spaces are integers (see `board`), so that one
`&` each refuses a step:

    way & blocked    two pawns stand on a space that the step passes or lands on
    landed & held    the step lands on a safety space that a lone opponent holds
"""

from collections.abc import Iterator
from itertools import chain, permutations
from typing import Self

from .board import HOME, NEST, Route
from .position import Position
from .ruleset import RuleSet
from .situation import LAST_IN_ROW, Dice, Situation, State, Successor, new_tuple
from .worlds import AT_HOME, TAG_BITS, World, places


class Stepper(Situation):
    """The steps of one seat's play with one throw: the successors of `start` and of any state."""

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: tuple[int, ...]
    ) -> None:
        super().__init__(ruleset, position, seat, faces)
        self._total_moves = self.unlike and ruleset.total_move == "allowed"
        self._shorten = ruleset.stop_behind_blockade
        self._caught_on_the_way = ~self._safe if ruleset.overtaking_captures else 0

    def successors(self, state: State) -> Iterator[Successor]:
        """Return every single step that board, pawns and increments allow, legal play or not."""
        if state.worlds[0][0] >= AT_HOME:
            return iter(())
        dice_open = state.dice and not state.closed
        if not (dice_open or state.bonuses):
            return iter(())
        blocked = self.blockades | self.own_blockades(state)
        if not dice_open:
            return self._bonus_steps(state, blocked)
        if not state.bonuses:
            return self._dice_steps(state, blocked)
        return chain(self._dice_steps(state, blocked), self._bonus_steps(state, blocked))

    def limit_waste(self, spaces: int) -> Self:
        """Return a stepper without those parts of a grant that surely waste more than `spaces`.

        A part does so where no other pawn can take a part, and neither it nor a bonus may win.
        """
        return self

    # --- dice ----------------------------------------------------------------------------------

    def _dice_steps(self, state: State, blocked: int) -> Iterator[Successor]:
        dice = state.dice
        in_nest = state.worlds[0][0] < 0
        previous = 0
        for index, number in enumerate(dice):
            if number == previous:
                continue
            previous = number
            rest = dice[:index] + dice[index + 1 :]
            if in_nest and number == self.ruleset.entry_number:
                if self.may_enter(number) and not blocked & self.terrain.entry_bit:
                    yield self._enter(state, str(number), rest)
                if self.is_reserved(number):
                    continue
            yield from self._advances(state, blocked, number, str(number), rest)
        if self._one_counts and LAST_IN_ROW in places(state.worlds[0]):
            worlds = self._mover.move(state.worlds, LAST_IN_ROW, HOME)
            yield Successor(
                LAST_IN_ROW, HOME, "1", 0, self._state_after(state, worlds, HOME, 0, ())
            )
        if len(dice) >= 2:
            if self.sum_enters and in_nest and not blocked & self.terrain.entry_bit:
                yield self._enter(state, f"{dice[0]}+{dice[1]}", ())
            if self._total_moves and not (in_nest and any(map(self.is_reserved, dice))):
                yield from self._advances(state, blocked, sum(dice), f"{dice[0]}+{dice[1]}", ())
            if self.ruleset.touch_down:
                yield from self._touch_downs(state, blocked)

    def _touch_downs(self, state: State, blocked: int) -> Iterator[Successor]:
        """Return the steps of two dice whose first ends on a safety space that somebody holds."""
        lone, origins = state.lone, {code >> TAG_BITS for code in state.worlds[0]} - {NEST, HOME}
        in_nest = state.worlds[0][0] < 0
        for first, second in set(permutations(state.dice, 2)):
            if in_nest and (self.is_reserved(first) or self.is_reserved(second)):
                continue
            rest = _remove(state.dice, first, second)
            legs = ((origin, leg) for origin in origins for leg in self._routes[origin][first])
            for origin, leg in legs:
                if leg.way & blocked or not leg.landed & lone & self._safe:
                    continue
                passed = lone & leg.way & self._caught_on_the_way
                for target, caught in self._landings(lone, blocked, leg.target, second):
                    worlds = self._mover.move(state.worlds, origin, target)
                    if worlds:
                        both = caught | passed
                        after = self._state_after(state, worlds, target, both, rest)
                        yield Successor(origin, target, f"{first},{second}", both, after)

    # --- bonuses -------------------------------------------------------------------------------

    def _bonus_steps(self, state: State, blocked: int) -> Iterator[Successor]:
        closed = self.ruleset.bonus_timing == "after-dice"
        for spaces in set(state.bonuses):
            rest = _remove(state.bonuses, spaces)
            spending = State(state.worlds, state.lone, state.dice, rest, closed)
            yield from self._advances(
                spending, blocked, spaces, str(spaces), state.dice, shorten=False
            )

    # --- ways ----------------------------------------------------------------------------------

    def _enter(self, state: State, spent: str, rest: Dice) -> Successor:
        caught = state.lone & self.terrain.entry_bit
        worlds = self._mover.move(state.worlds, NEST, 0)
        after = self._state_after(state, worlds, 0, caught, rest)
        return new_tuple(Successor, (NEST, 0, spent, caught, after))

    def _advances(
        self, state: State, blocked: int, spaces: int, spent: str, rest: Dice, shorten: bool = True
    ) -> Iterator[Successor]:
        worlds, lone = state.worlds, state.lone
        held, routes, caught_in_passing = lone & self._safe, self._routes, self._caught_on_the_way
        move = self._mover.move
        previous = NEST
        for code in worlds[0]:
            origin = code >> TAG_BITS
            if origin == previous or code >= AT_HOME:
                continue
            previous = origin
            for target, way, landed in routes[origin][spaces]:
                if way & blocked or landed & held:
                    continue
                moved = move(worlds, origin, target)
                if not moved:
                    continue
                caught = lone & (way & caught_in_passing | landed)
                after = self._state_after(state, moved, target, caught, rest)
                yield new_tuple(Successor, (origin, target, spent, caught, after))
            if self._shorten and shorten:
                for target, caught in self._short_landings(lone, blocked, origin, spaces):
                    moved = move(worlds, origin, target)
                    if moved:
                        after = self._state_after(state, moved, target, caught, rest)
                        yield new_tuple(Successor, (origin, target, spent, caught, after))

    def _landings(
        self, lone: int, blocked: int, origin: int, spaces: int
    ) -> Iterator[tuple[int, int]]:
        """Return each target of an increment, and whom it captures, as bits.

        lone, blocked: the lone opponents, and the spaces on which two pawns stand, as bits.
        """
        for route in self._routes[origin][spaces]:
            if not route.way & blocked and not route.landed & lone & self._safe:
                yield route.target, self._find_caught(lone, route)
        if self._shorten:
            yield from self._short_landings(lone, blocked, origin, spaces)

    def _find_caught(self, lone: int, route: Route) -> int:
        return lone & (route.way & self._caught_on_the_way | route.landed)

    def _short_landings(
        self, lone: int, blocked: int, origin: int, spaces: int
    ) -> Iterator[tuple[int, int]]:
        """Return the same for the space behind the first of the `blocked` spaces within reach.

        A `lone` opponent on a safety space forbids that, too.
        """
        lengths = self._routes[origin]
        for length in range(2, spaces + 1):
            for route in lengths[length]:
                if route.landed & blocked and not route.passed & blocked:
                    for short in lengths[length - 1]:
                        if short.way == route.passed and not (short.landed & lone & self._safe):
                            yield short.target, self._find_caught(lone, short)

    def _state_after(
        self, state: State, worlds: tuple[World, ...], target: int, caught: int, dice: Dice
    ) -> State:
        """Return the state after a step to `target` that left the `dice` open, with its bonuses.

        caught: whom it captured, as bits.
        """
        bonuses = state.bonuses
        if not caught and target != HOME:
            return new_tuple(State, (worlds, state.lone, dice, bonuses, state.closed))
        if self.ruleset.capture_bonus:
            bonuses = (*bonuses, *(self.ruleset.capture_bonus,) * caught.bit_count())
        if target == HOME and self.ruleset.finish_bonus:
            bonuses = (*bonuses, self.ruleset.finish_bonus)
        return State(worlds, state.lone & ~caught, dice, tuple(sorted(bonuses)), state.closed)


def _remove(dice: Dice, *numbers: int) -> tuple[int, ...]:
    rest = list(dice)
    for number in numbers:
        rest.remove(number)
    return tuple(rest)
