"""The search: finds the results of all complete plays of a throw. Offers no steps.

A step leads from one state to another. A play is a path of such steps, and it is complete where no
path reaches more: pawns entered (E), then duties, increments spent (D) and their sum (V), in this
order and if the rule set counts them (NOTATION.md, "Which plays are legal"). That is the goal:

    12,3,N,N  --N-0(5)-->  12,3,0,N  --3-6(3)-->  12,6,0,N    E 1, D 2: the goal. May stop here
              --12-17(5)-> 17,3,N,N  --3-6(3)-->  17,6,N,N    E 0, D 2: 12-17(5) is not legal

`settle` finds the goal. First it takes a bound, counted without making a step, and looks for one
path to it; mostly there is one, and the bound is the goal. If not, it visits every state, and the
greatest that it meets is the goal. Then `leads_on` answers whether a path from a state reaches it.

Two rules for changes here. A bound that is too high costs time; one that is too low is a wrong
ruling. Answers are kept by the state, so whatever an answer depends on is a part of `State`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from math import inf
from operator import or_
from typing import NamedTuple

from ..increments import GRANT
from ..ruleset import DOUBLET_SPACES
from .situation import CLEARED, OPENED, State, Successor
from .stepper import Stepper
from .worlds import IN_NEST, TAG_BITS


class Goal(NamedTuple):
    """What a complete play reaches: E, duty, D and V; 0 where a rule set does not count one."""

    entered: int
    duty: int  # the sum of `situation.OPENED` and `CLEARED`, as far as the play has done them
    spent: int
    faces: int


class TooManyStates(Exception):
    """A search that would have to visit more states than it may."""


class Search:
    """Which states lead to complete plays of one throw, once `settle` has found their goal.

    only_wins: the throw must be used whole and can't be, so only a play that wins may be made.
    only_empty: no step may be made at all. captures: how many pawns a complete play must capture,
    if it does not win; where it must, `leads_to_captures` answers and not `leads_on`.
    TooManyStates from any method that would have to visit more than `most` states.
    """

    def __init__(self, stepper: Stepper, most: float = inf) -> None:
        ruleset = stepper.ruleset
        self._stepper, self._most = stepper, most
        self._exhaust, self._free = ruleset.usage == "exhaust", ruleset.usage == "free"
        self._at_end = ruleset.pair_rule == "at-end" and not stepper.alike
        self._higher = ruleset.usage == "maximal-higher"
        self._entries = self._most_entries() if ruleset.entry_required else 0
        self._only_spent_counts = not (self._entries or self._higher or stepper.duties)
        # First a bound that no play exceeds, so that a play that reaches it ends the search.
        spent = self._most_of_grant() if stepper.grant else stepper.grants
        faces = spent if stepper.grant else sum(stepper.increments)
        duty = reduce(or_, stepper.duties.values()) if stepper.duties else 0
        self.goal = Goal(self._entries, duty, spent, faces if self._higher else 0)
        self.only_wins = self.only_empty = False
        self.captures = 0
        self._settled = False  # until then only the goal counts, and a win does not
        self._ends_anywhere = self._free  # as far as dice decide
        self._last_die_decides = self._can_last_die_decide()
        self._kept: dict[State, tuple[Successor, ...]] = {}
        self._leads: dict[State, bool] = {}
        self._captured: dict[State, tuple[int, bool]] = {}

    def settle(self) -> None:
        """Find the goal: the bound if a play reaches it, else the greatest of all plays."""
        stepper, wins = self._stepper, False
        whole = stepper.ruleset.doublet_whole and len(stepper.increments) == 4
        # If four increments can't all be spent, no step may be made. If a whole throw can't be
        # spent, a play may still win.
        may_win_short = stepper.ruleset.usage == "whole-throw" and not whole
        if whole or not (self._exhaust or self._free):
            is_short = may_win_short and self.goal.spent < stepper.grants
            if is_short or not self.leads_on(stepper.start):
                if whole and self._only_spent_counts:  # no play spends all four
                    self.only_empty = True
                    return
                self.goal, wins = self._find_greatest()
                self._last_die_decides = self._can_last_die_decide()
            # From now on a win counts, too: a state that led to no goal may lead to that.
            self._leads = {state: True for state, leads in self._leads.items() if leads}
        short = (whole or may_win_short) and self.goal.spent < stepper.grants
        self.only_wins = short and may_win_short and wins
        self.only_empty = short and not self.only_wins
        self._settled = True
        self._ends_anywhere = self._exhaust or self._free
        if stepper.ruleset.must_capture and not self.only_empty and stepper.may_capture():
            self.captures = self._find_captures(self._frugal, stepper.start)[0]

    @property
    def _frugal(self) -> Stepper:
        """The stepper without steps that waste more than a complete play may."""
        wasted = GRANT if self._exhaust or self._free else self._stepper.grants - self.goal.spent
        return self._stepper.limit_waste(wasted)

    def _can_last_die_decide(self) -> bool:
        """Whether complete plays spend everything, so that a last die completes one if it fits."""
        stepper = self._stepper
        plain = not (stepper.grant or stepper.ruleset.stop_behind_blockade or self._exhaust)
        plain = plain and stepper.only_spaces_count
        plain = plain and not (stepper.duties or stepper.terrain.walks)
        return plain and self.goal.spent == stepper.grants and not self._at_end

    # --- what a complete play is ----------------------------------------------------------------

    def measure(self, state: State) -> Goal:
        """Return the E, duty, D and V of a state, as far as the rule set counts them."""
        stepper = self._stepper
        return Goal(
            stepper.count_entered(state) if self._entries else 0,
            state.marks & (OPENED | CLEARED),
            stepper.count_spent(state),
            stepper.sum_spent(state) if self._higher else 0,
        )

    def ends(self, state: State, successors: Iterable[Successor] | None = None) -> bool:
        """Whether a play may stop here, for some choice of which of two alike pawns made each step.

        successors: those of the state, if the caller has them.
        """
        if not self._may_end(state):
            return False
        if self._stepper.has_won(state):
            return True
        if self.captures and self._stepper.count_captured(state) < self.captures:
            return False
        bonuses_only = not self._exhaust
        if self._free:
            return True
        if bonuses_only and (self._stepper.ruleset.bonus_optional or not state.bonuses):
            return True
        if len(state.worlds) == 1:
            known = self.successors(state) if successors is None else successors
            return self._has_nothing_left(state, known, bonuses_only)
        choices = (state._replace(worlds=(world,)) for world in state.worlds)
        return any(
            self._has_nothing_left(one, self._stepper.successors(one), bonuses_only)
            for one in choices
            if not self.ends_together(one)
        )

    def _has_nothing_left(
        self, state: State, successors: Iterable[Successor], bonuses_only: bool
    ) -> bool:
        """Whether no step is possible any more, or no bonus step."""
        return all(
            self.ends_together(after.state)
            for after in successors
            if not bonuses_only or after.state.dice == state.dice
        )

    def ends_together(self, state: State) -> bool:
        """Whether a play may not end here because a pair has moved on together."""
        return self._at_end and self._stepper.has_paired(state)

    def _may_end(self, state: State) -> bool:
        """Whether the dice let a play stop here. Bonuses are not asked."""
        if self._at_end and self._stepper.has_paired(state):
            return False
        if self._ends_anywhere:
            return True
        if self.only_wins:
            return self._stepper.has_won(state)
        stepper, goal = self._stepper, self.goal
        if stepper.count_spent(state) == goal.spent and (
            self._only_spent_counts or self.measure(state) == goal
        ):
            return True
        return self._settled and stepper.has_won(state)

    # --- which states lead to one ---------------------------------------------------------------

    def leads_on(self, state: State) -> bool:
        """Whether a complete play passes through this state."""
        if self._ends_anywhere and not self._at_end:
            return True
        if self._last_die_decides:
            left = len(state.dice)
            if left == 0 and self._only_spent_counts:
                return True
            if left == 1:
                decided = self._completes_by_last_die(state)
                if decided is not None:
                    return decided
        if self._may_end(state):
            return True
        if not (state.dice or state.bonuses):
            return False
        stepper = self._stepper
        if not (self._exhaust and self._settled) and stepper.has_lapsed(state):
            # The dice lapse before the goal is reached. Then only bonuses could still win.
            may_part = self._at_end and self.measure(state) == self.goal
            if not may_part and not (self._settled and stepper.bonuses_may_win(state)):
                return False
        known = self._leads.get(state)
        if known is None:
            self._leads[state] = False  # for now: a play never comes back to a state
            if len(self._leads) > self._most:
                raise TooManyStates
            first = state is stepper.start  # its successors will be asked for next
            successors = self.successors(state) if first else stepper.successors(state)
            known = any(self.leads_on(after.state) for after in successors)
            self._leads[state] = known
        return known

    def leads_to_captures(self, state: State) -> bool:
        """Whether a complete play passes through this state, where it must capture."""
        captured, wins = self.most_captured(state)
        return wins or captured >= self.captures

    def most_captured(self, state: State) -> tuple[int, bool]:
        """Return how many pawns plays through this state capture at most, and whether one wins.

        It asks the plays that are complete but for `captures`, and is -1 if there are none.
        """
        return self._captured.get(state, (-1, False))

    def _find_captures(self, stepper: Stepper, state: State) -> tuple[int, bool]:
        """Return the same for a state, and keep it for all that steps lead to from there."""
        known = self._captured.get(state)
        if known is None:
            if len(self._captured) > self._most:
                raise TooManyStates
            successors, captured, wins = list(stepper.successors(state)), -1, False
            if self.ends(state, successors):
                captured, wins = stepper.count_captured(state), stepper.has_won(state)
            for after in successors:
                further = self._find_captures(stepper, after.state)
                captured, wins = max(captured, further[0]), wins or further[1]
            known = self._captured[state] = captured, wins
        return known

    def successors(self, state: State) -> tuple[Successor, ...]:
        """Return the successors of a state, and keep them: its steps will be asked for, too."""
        known = self._kept.get(state)
        if known is None:
            known = self._kept[state] = tuple(self._stepper.successors(state))
        return known

    def _completes_by_last_die(self, state: State) -> bool | None:
        """Whether spending the last die completes the play; None where only a search can say."""
        stepper = self._stepper
        if stepper.has_won(state):
            return None
        missing = self.goal.entered - stepper.count_entered(state) if self._entries else 0
        fits = stepper.last_die_enters(state) if missing else stepper.last_die_fits(state)
        if fits and missing <= 1:
            return True
        may_win = missing and stepper.terrain.decider  # with a pawn still in the nest
        return False if stepper.alike and not (state.bonuses or may_win) else None

    # --- all plays, where they must be visited ----------------------------------------------------

    def endings(self, state: State) -> Iterator[State]:
        """Yield the states in which complete plays that begin with this state end."""
        for reached, successors in _walk(state, self._frugal, self._most):
            if self.ends(reached, successors):
                yield reached

    def reachable(self, state: State) -> Iterator[State]:
        """Yield every state that steps lead to from this one, itself first."""
        return (reached for reached, _ in _walk(state, self._stepper, self._most))

    def _find_greatest(self) -> tuple[Goal, bool]:
        """Return the greatest E, the duty of plays with that E, then D and V; and if one wins."""
        stepper = self._stepper

        def is_final(state: State) -> bool:  # bonuses change neither E, D nor V, and can't win
            lapsed = stepper.has_lapsed(state) and not stepper.bonuses_may_win(state)
            return lapsed and not self.ends_together(state)

        found = {
            (self.measure(state), stepper.has_won(state))
            for state, _ in _walk(stepper.start, stepper, self._most, is_final)
            if not self.ends_together(state)
        }
        reached = []
        for count in range(len(Goal._fields)):
            most = max(measure[count] for measure, _ in found)
            found = {(measure, won) for measure, won in found if won or measure[count] == most}
            reached.append(most)
        return Goal(*reached), any(won for _, won in found)

    # --- the bound: how much a play could reach at most ------------------------------------------

    def _most_entries(self) -> int:
        stepper = self._stepper
        if stepper.blockades & stepper.terrain.entry_bit:
            return 0
        if stepper.grant:
            chances = stepper.start.dice[1]
        else:
            chances = sum(stepper.may_enter(n, stepper.start) for n in stepper.increments)
            if stepper.sum_enters:
                chances = max(chances, 1)
        return min(stepper.nested, chances)

    def _most_of_grant(self) -> int:
        """Return how many of the 14 spaces could be spent if only opponents were in the way."""
        stepper, ruleset = self._stepper, self._stepper.ruleset
        entries = self._most_entries()
        terrain = stepper.terrain
        on_board = [c for c in stepper.start.worlds[0] if IN_NEST < c < terrain.end_code]
        pawns = [code >> TAG_BITS for code in on_board]
        longest_parts = []
        for place in [*pawns, *[0] * entries]:
            free = [
                spaces
                for spaces in range(1, GRANT + 1)
                for route in terrain.routes[place][spaces]
                if not route.way & stepper.blockades
                and (
                    route.target < terrain.first_home
                    or spaces == GRANT
                    or not ruleset.doublet_home_whole
                )
            ]
            any_length = bool(free) and ruleset.stop_behind_blockade
            longest_parts.append(GRANT if any_length else max(free, default=0))
        longest_parts.sort(reverse=True)
        sharers = DOUBLET_SPACES[ruleset.doublet_spaces].sharers
        return min(GRANT, 5 * entries + sum(longest_parts[:sharers]))


def _walk(
    state: State,
    stepper: Stepper,
    most: float = inf,
    is_final: Callable[[State], bool] = lambda _: False,
) -> Iterator[tuple[State, list[Successor]]]:
    """Yield every state that steps lead to from this one, itself first, with its successors.

    is_final: whether the successors of a state are left out.
    Raises TooManyStates if there are more than `most` states.
    """
    visited, open_ends = {state}, [state]
    while open_ends:
        state = open_ends.pop()
        successors = [] if is_final(state) else list(stepper.successors(state))
        yield state, successors
        for after in successors:
            if after.state not in visited:
                visited.add(after.state)
                if len(visited) > most:
                    raise TooManyStates
                open_ends.append(after.state)
