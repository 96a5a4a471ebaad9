"""Steps with cowries: a grace or a free entry brings pawns in, counted from the centre.

Makes no steps with dice.
"""

from collections.abc import Iterator
from typing import ClassVar

from ..board import NEST
from ..increments import GRACE
from ..position import PAWNS
from ..ruleset import LOTS
from .situation import Bars, Dice, State, Successor, new_tuple
from .stepper import Stepper
from .worlds import IN_NEST


class LotStepper(Stepper):
    """The steps of a play with cowries."""

    only_spaces_count: ClassVar[bool] = False

    def takes_off(self, number: int) -> bool:
        if self.ruleset.grace == "value":
            return LOTS[self.ruleset.lots][self.face].grace
        return number == GRACE

    def may_enter(self, number: int, state: State) -> bool:
        all_wait = state.worlds[0].count(IN_NEST) == PAWNS
        return self.takes_off(number) or (self.ruleset.free_entry and all_wait)

    def _entries(self, state: State, bars: Bars, spent: str, rest: Dice) -> Iterator[Successor]:
        for target, caught in self._landings(state.lone, bars, NEST, int(spent)):
            worlds = self._mover.move(state.worlds, NEST, target)
            after = self._state_after(state, worlds, target, caught, rest)
            yield new_tuple(Successor, (NEST, target, spent, caught, after))

    def _advances(
        self, state: State, bars: Bars, spaces: int, spent: str, rest: Dice, by_die: bool = True
    ) -> Iterator[Successor]:
        if spaces != GRACE:
            yield from super()._advances(state, bars, spaces, spent, rest, by_die)
        if self.takes_off(spaces):
            yield from self._homecoming(state, spent, rest)
