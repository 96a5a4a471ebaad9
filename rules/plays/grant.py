"""The grant: steps that use part of a doublet's 14 spaces. Makes no other steps.

The dice of a state are the spaces left and the fives that may still enter a pawn: `(14, 2)` after
a double five, `(14, 0)` after any other doublet. A five that enters a pawn uses five of the spaces.
Each pawn may take one part, of any size.
"""

from collections.abc import Iterator
from copy import copy
from typing import ClassVar, Self

from ..increments import GRANT
from ..memory import Late
from ..position import Position
from ..ruleset import DOUBLET_SPACES, RuleSet
from .situation import CLOSED, Bars, Faces, State, Successor, new_tuple
from .stepper import Stepper
from .worlds import IN_NEST, PART, TAG_BITS

Part = tuple[int, str, int, int]  # its size, its text, its target, whom it captures as bits


class GrantStepper(Stepper):
    """The steps of a play with 14 spaces."""

    grant: ClassVar[bool] = True

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: Faces, late: Late = ()
    ) -> None:
        super().__init__(ruleset, position, seat, faces, late)
        self._sharers = DOUBLET_SPACES[ruleset.doublet_spaces].sharers
        self._may_waste = GRANT  # how many spaces a part may leave that nobody can use
        self._known_parts: dict[tuple[int, int, int, int], tuple[Part, ...]] = {}
        fives = 2 if self.face == ruleset.entry_number else 0
        self.start = self.start._replace(dice=(GRANT, fives))

    def limit_waste(self, spaces: int) -> Self:
        other = copy(self)
        other._may_waste = spaces
        return other

    def count_spent(self, state: State) -> int:
        return GRANT - state.dice[0]

    def sum_spent(self, state: State) -> int:
        return GRANT - state.dice[0]

    def has_lapsed(self, state: State) -> bool:
        if state.marks & CLOSED:
            return True
        left, fives = state.dice
        if state.worlds[0][0] == IN_NEST and fives and left >= 5 and self.may_enter(5, state):
            return False
        return not left or self._has_no_taker(state)

    def _has_no_taker(self, state: State) -> bool:
        """Whether no pawn on the board may take another part."""
        sharers = self._sharers
        if sharers and sum(code & PART == PART for code in state.worlds[0]) == sharers:
            return True
        end = self._end_code
        return all(code & PART or not IN_NEST < code < end for w in state.worlds for code in w)

    def _dice_steps(self, state: State, bars: Bars) -> Iterator[Successor]:
        left, fives = state.dice
        in_nest = state.worlds[0][0] == IN_NEST
        may_enter = in_nest and fives and left >= 5 and self.may_enter(5, state)
        if may_enter:
            yield from self._entries(state, bars, "5", (left - 5, fives - 1))
        kept = 5 * fives if in_nest and self.ruleset.entry_number_reserved else 0
        if not self._has_no_taker(state):
            yield from self._parts(state, bars, left - kept)

    def _parts(self, state: State, bars: Bars, most: int) -> Iterator[Successor]:
        (left, fives), worlds, lone = state.dice, state.worlds, state.lone
        in_nest = worlds[0][0] == IN_NEST
        wholes = [
            code >> TAG_BITS
            for world in worlds
            for code in world
            if IN_NEST < code < self._end_code and not code & PART
        ]
        last = len(wholes) == 1 and not (in_nest and fives)
        least = left - self._may_waste if last else 1
        may_win = last and self._may_win(state, GRANT)
        for origin in set(wholes):
            for size, spent, target, caught in self._find_parts(origin, bars, lone):
                wins = may_win and (state.bonuses or caught or target >= self._first_home)
                if size <= most and (size >= least or wins):
                    moved = self._mover.move(worlds, origin, target, PART)
                    if moved:
                        begun, rest = self._mark(state, origin), (left - size, fives)
                        after = self._state_after(begun, moved, target, caught, rest)
                        yield new_tuple(Successor, (origin, target, spent, caught, after))

    def _find_parts(self, origin: int, bars: Bars, lone: int) -> tuple[Part, ...]:
        """Return the parts that a pawn may take, largest first.

        They are cached: the spaces before a pawn look the same in many states of a play.
        """
        reach, (blocked, held) = self.terrain.reaches[origin], bars
        key = origin, blocked & reach, held & reach, lone & reach
        known = self._known_parts.get(key)
        if known is None:
            known = self._known_parts[key] = tuple(
                (size, f"{size}/{GRANT}", target, caught)
                for size in range(GRANT, 0, -1)
                for target, caught in set(self._landings(lone, bars, origin, size))
                if target < self._first_home or size == GRANT or not self.ruleset.doublet_home_whole
            )
        return known
