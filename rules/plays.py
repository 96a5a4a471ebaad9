"""Plays: which steps of a throw may be offered, and where a play may end.

A step may be offered where a complete play goes on with it: NOTATION.md, "Which plays are
legal". What complete plays reach is found in `search`.
"""

from math import inf
from typing import Any

from .grant import GrantStepper
from .increments import is_doublet
from .position import Position
from .ruleset import RuleSet
from .search import Search
from .situation import State
from .stepper import Stepper
from .steps import Step


class Plays:
    """The plays of one throw. `overdue` are the blockades to break, as bits seen from the seat.

    Nothing is searched before it is asked for. TooManyStates from any answer for which more than
    `most` states would have to be visited.
    """

    def __init__(self, stepper: Stepper, overdue: int = 0, most: float = inf) -> None:
        self.stepper, self.overdue, self._most = stepper, overdue, most
        self.start = stepper.start
        self._search: Search | None = None
        self._steps: dict[State, dict[Step, State]] = {}
        self._endings: dict[State, frozenset[State]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by what it was made of: what was searched is found again."""
        return type(self), (self.stepper, self.overdue, self._most)

    @property
    def search(self) -> Search:
        """What complete plays reach: it is searched for once, when it is first asked."""
        if self._search is None:
            search = Search(self.stepper, self._most)
            search.settle()
            self._search = search
        return self._search

    def steps(self, state: State) -> dict[Step, State]:
        """Return the steps that a complete play may go on with, and the states they lead to."""
        known = self._steps.get(state)
        if known is None:
            known = self._steps[state] = self._offered(state)
        return known

    def _offered(self, state: State) -> dict[Step, State]:
        search = self.search
        if search.only_empty or not (state.dice or state.bonuses):
            return {}
        successors = search.successors(state)
        if not self.overdue:
            return {after.step: after.state for after in successors if search.leads_on(after.state)}
        fewest = self._fewest_left()
        return {
            after.step: after.state
            for after in successors
            if any(self._left(ending) == fewest for ending in self._all_endings(after.state))
        }

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
        endings = self._all_endings(state)
        if not self.overdue:
            return endings
        fewest = self._fewest_left()
        return frozenset(ending for ending in endings if self._left(ending) == fewest)

    def _all_endings(self, state: State) -> frozenset[State]:
        """Return the endings, whatever blockades are overdue."""
        known = self._endings.get(state)
        if known is None:
            known = self._endings[state] = frozenset(self.search.endings(state))
        return known

    def _fewest_left(self) -> int:
        """Return how many overdue blockades the plays leave that break most of them."""
        return min(map(self._left, self._all_endings(self.start)))

    def _left(self, state: State) -> int:
        """Return how many overdue blockades stand in a state."""
        return (self.stepper.own_blockades(state) & self.overdue).bit_count()

    def all_used(self, state: State) -> bool:
        """Whether everything that the dice granted is spent; bonuses are not asked."""
        return self.stepper.spent(state) == self.stepper.grants

    def throws_again(self, ending: State) -> bool:
        """Whether the seat throws again after a play that ended so."""
        stepper = self.stepper
        if not stepper.doublet or stepper.won(ending):
            return False
        again = stepper.ruleset.again
        return again == "always" or (again == "if-all-used" and self.all_used(ending))


def plays_of(
    ruleset: RuleSet,
    position: Position,
    seat: int,
    faces: tuple[int, ...],
    overdue: int = 0,
    most: float = inf,
) -> Plays:
    """Return the plays of a seat's throw in a position; the rest as in `Plays`."""
    shares = ruleset.fourteen and is_doublet(ruleset, faces)
    stepper = (GrantStepper if shares else Stepper)(ruleset, position, seat, faces)
    return Plays(stepper, overdue, most)
