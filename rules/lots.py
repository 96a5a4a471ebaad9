"""Steps with cowries: a grace or a free entry brings pawns in, counted from the centre.

Makes no steps with dice. The value of a throw comes first among its increments, then the 1 that a
grace may give. No value is 1.
"""

from collections.abc import Iterator
from typing import ClassVar, Final

from .board import NEST
from .position import PAWNS
from .ruleset import LOTS
from .situation import State, Successor, new_tuple
from .stepper import Stepper
from .worlds import IN_NEST, TAG_BITS

GRACE: Final = 1  # the increment that a grace gives besides the value


class LotStepper(Stepper):
    """The steps of a play with cowries."""

    only_spaces_count: ClassVar[bool] = False

    @property
    def has_grace(self) -> bool:
        """Whether the throw has a grace."""
        return LOTS[self.ruleset.lots][self.face].grace

    def may_enter(self, number: int) -> bool:
        if number == GRACE:
            return True
        by_grace = self.has_grace and self.ruleset.grace == "value"
        return by_grace or (self.ruleset.free_entry and self.nested == PAWNS)

    def _dice_steps(self, state: State, blocked: int, held: int) -> Iterator[Successor]:
        for number in state.dice:
            rest = tuple(other for other in state.dice if other != number)
            for origin in sorted({code >> TAG_BITS for code in state.worlds[0]}):
                if self.may_use(state, origin, number):
                    for target, caught in self._find_targets(state, blocked, held, origin, number):
                        moved = self._mover.move(state.worlds, origin, target)
                        after = self._state_after(state, moved, target, caught, rest)
                        yield new_tuple(Successor, (origin, target, str(number), caught, after))

    def may_use(self, state: State, origin: int, number: int) -> bool:
        """Return whether a pawn on this place may use a number at all."""
        if origin == self.terrain.board.end:
            return False
        if origin != NEST:
            return number != GRACE or origin == self.terrain.before_end
        if number != GRACE and not (self.has_grace and self.ruleset.grace == "value"):
            all_wait = state.worlds[0].count(IN_NEST) == PAWNS
            return self.ruleset.free_entry and all_wait
        return True

    def _find_targets(
        self, state: State, blocked: int, held: int, origin: int, number: int
    ) -> Iterator[tuple[int, int]]:
        """Yield where a number takes a pawn, and whom it captures there, as bits."""
        off_the_last = self.has_grace and self.ruleset.grace == "value"
        if origin == self.terrain.before_end and off_the_last:
            yield self.terrain.board.end, 0
        else:
            yield from self._landings(state.lone, blocked, held, origin, number)
