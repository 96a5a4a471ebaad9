"""Plays: which steps of a throw may be offered, and when a play may end.

A step may be offered if a complete play goes on with it: NOTATION.md, "Which plays are legal".
`search` finds out what complete plays reach.
"""

from collections.abc import Callable
from math import inf
from typing import Any

from ..increments import is_doublet
from ..memory import NOTHING, Memory
from ..position import Position
from ..ruleset import RuleSet
from ..steps import Step
from .grant import GrantStepper
from .lots import LotStepper
from .search import Search
from .situation import State
from .stepper import Stepper


class Plays:
    """The plays of one throw.

    overdue: the blockades that the seat must break if it can, as bits seen from the seat.
    tries: how many throws of the turn running before this one were without a step.
    most: any method raises TooManyStates if it would have to visit more states.
    Nothing is searched before somebody asks.
    """

    def __init__(
        self, stepper: Stepper, overdue: int = 0, tries: int = 0, most: float = inf
    ) -> None:
        self.stepper, self.overdue, self.tries, self._most = stepper, overdue, tries, most
        self.start = stepper.start
        self._search: Search | None = None
        self._steps: dict[State, dict[Step, State]] = {}
        self._endings: dict[State, frozenset[State]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy only the arguments: what was searched can be found again."""
        return type(self), (self.stepper, self.overdue, self.tries, self._most)

    @property
    def search(self) -> Search:
        """What complete plays reach. The first use of this property searches for it."""
        if self._search is None:
            search = Search(self.stepper, self._most)
            search.settle()
            self._search = search
        return self._search

    def steps(self, state: State) -> dict[Step, State]:
        """Return the steps that a complete play may go on with, and the state after each."""
        known = self._steps.get(state)
        if known is not None:
            return known
        search = self.search
        if search.only_empty or not (state.dice or state.bonuses):
            offered = {}
        else:
            leads_on: Callable[[State], object] = search.leads_on
            if self.overdue:
                leads_on = self.endings
            elif search.captures:
                leads_on = search.leads_to_captures
            successors = search.successors(state)
            offered = {after.step: after.state for after in successors if leads_on(after.state)}
        self._steps[state] = offered
        return offered

    def may_stop(self, state: State) -> bool:
        """Whether the play may end here."""
        search = self.search
        if self.overdue or search.only_empty:
            return state in self.endings(state)
        return search.ends(state)

    def endings(self, state: State) -> frozenset[State]:
        """Return the states in which complete plays that begin with this state end."""
        if self.search.only_empty:
            return frozenset({self.start})
        known = self._endings.get(state)
        if known is None:
            known = frozenset(self.search.endings(state))
            if self.overdue:  # only those that leave as few of these as any play does
                of_all = known if state == self.start else self.endings(self.start)
                fewest = min(map(self._count_overdue, of_all))
                known = frozenset(one for one in known if self._count_overdue(one) == fewest)
            self._endings[state] = known
        return known

    def _count_overdue(self, state: State) -> int:
        if self.stepper.has_won(state):
            return 0
        return (self.stepper.own_blockades(state) & self.overdue).bit_count()

    def has_used_all(self, state: State) -> bool:
        """Whether the play has spent everything that the dice granted. Bonuses don't count."""
        return self.stepper.count_spent(state) == self.stepper.grants

    def throws_again(self, ending: State) -> bool:
        """Whether the seat throws again after a play that ended so."""
        stepper, ruleset = self.stepper, self.stepper.ruleset
        if not (stepper.doublet or stepper.terrain.again_otherwise) or stepper.has_won(ending):
            return False
        if stepper.doublet and (
            ruleset.again == "always"
            or (ruleset.again == "if-all-used" and self.has_used_all(ending))
        ):
            return True
        if ruleset.again_capture and ending.lone != self.start.lone:
            return True
        if ruleset.again_home and stepper.count_home(ending) > stepper.count_home(self.start):
            return True
        return ruleset.tries > self.tries + 1 and self._has_another_try()

    def _has_another_try(self) -> bool:
        """Whether the throw moves nothing and no pawn of the seat was on the ring."""
        stepper = self.stepper
        if stepper.doublet or self.steps(self.start):
            return False
        space, seat = stepper.terrain.board.space, stepper.seat
        return all(space(seat, place) is None for place in stepper.position[seat])


def plays_of(
    ruleset: RuleSet,
    position: Position,
    seat: int,
    faces: tuple[int, ...],
    overdue: int = 0,
    memory: Memory = NOTHING,
    most: float = inf,
) -> Plays:
    """Return the plays of a seat's throw in a position; `overdue` and `most` are those of `Plays`.

    faces: what the dice or shells show, as many as the rule set has dice.
    """
    kind: type[Stepper] = Stepper
    if ruleset.fourteen and is_doublet(ruleset, faces):
        kind = GrantStepper
    elif ruleset.lots != "dice":
        kind = LotStepper
    return Plays(kind(ruleset, position, seat, faces, memory.late), overdue, memory.tries, most)
