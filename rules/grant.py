"""The grant: steps with the 14 spaces of a doublet, which pawns share out in parts. No other dice.

A state's dice are the spaces left and the fives that may still enter a pawn: `(14, 2)` after a
double five, `(14, 0)` after any other doublet. A five that enters uses up five of the spaces. A
pawn takes one part, of any size.
"""

from collections.abc import Iterator
from copy import copy
from typing import ClassVar, Self

from .board import HOME
from .increments import GRANT
from .position import Position
from .ruleset import DOUBLET_SPACES, RuleSet
from .situation import Dice, State, Successor, new_tuple
from .stepper import Stepper
from .worlds import AT_HOME, PART, TAG_BITS

Part = tuple[int, str, int, int]  # its size, spelling, target, catch as bits


class GrantStepper(Stepper):
    """The steps of a play with 14 spaces."""

    grant: ClassVar[bool] = True

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: tuple[int, ...]
    ) -> None:
        super().__init__(ruleset, position, seat, faces)
        self._sharers = DOUBLET_SPACES[ruleset.doublet_spaces].sharers
        self._wasted = GRANT  # how many spaces may be left to nobody
        self._known_parts: dict[tuple[int, int, int], tuple[Part, ...]] = {}

    def _open_dice(self) -> Dice:
        return GRANT, 2 if self.face == self.ruleset.entry_number else 0

    def sparing(self, spaces: int) -> Self:
        other = copy(self)
        other._wasted = spaces
        return other

    def spent(self, state: State) -> int:
        return GRANT - state.dice[0]

    def spent_faces(self, state: State) -> int:
        return GRANT - state.dice[0]

    def lapsed(self, state: State) -> bool:
        if state.closed:
            return True
        left, fives = state.dice
        if state.worlds[0][0] < 0 and fives and left >= 5 and self.may_enter(5):
            return False
        return not left or self._parts_taken(state)

    def _parts_taken(self, state: State) -> bool:
        """Whether no pawn on the board may take one more part."""
        sharers = self._sharers
        if sharers and sum(code & PART == PART for code in state.worlds[0]) == sharers:
            return True
        return all(code & PART or not 0 <= code < AT_HOME for w in state.worlds for code in w)

    def _dice_steps(self, state: State, blocked: int) -> Iterator[Successor]:
        left, fives = state.dice
        in_nest = state.worlds[0][0] < 0
        may_enter = in_nest and fives and left >= 5 and self.may_enter(5)
        if may_enter and not blocked & self.terrain.entry_bit:
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
                    moved = self._mover.moved(worlds, origin, target, PART)
                    if moved:
                        after = self._after(state, moved, target, caught, (left - size, fives))
                        yield new_tuple(Successor, (origin, target, spent, caught, after))

    def _ways_of_parts(self, origin: int, blocked: int, lone: int) -> tuple[Part, ...]:
        """Return the parts that a pawn may take, largest first.

        They are kept, since what lies before a pawn is the same in many of a play's states.
        """
        reach = self.terrain.reaches[origin]
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
