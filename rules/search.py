"""The search: what complete plays of a throw reach, and which states lead to one. Offers no steps.

A complete play reaches the greatest E (pawns entered), then D (increments spent), then V (sum of
the numbers spent) that any play reaches: NOTATION.md, "Which plays are legal". This goal is
found without making all plays, where it can be:

    bound    what could be reached at most, counted without a single step
      |
      |---> a play reaches it: the first one found ends the search, and the bound is the goal
      |
      '---> none does: every state is visited, and the greatest that is met is the goal

From then on one question is asked of a state, "can a complete play still come of it?". The first
play found answers it, and answers are kept, so that no state is searched twice.
"""

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import NamedTuple

from .board import HOME
from .increments import GRANT
from .ruleset import DOUBLET_SPACES
from .situation import State, Successor
from .stepper import Stepper
from .worlds import TAG_BITS


class Goal(NamedTuple):
    """What a complete play reaches, in the order of the rules; 0 where the rules don't ask."""

    entered: int
    spent: int
    faces: int


class TooManyStates(Exception):
    """A search that would visit more states than it was allowed."""


class Search:
    """Which states lead to complete plays of one throw, once `settle` has found their goal.

    `only_wins`: the throw must be used whole and can't be, so only a play that wins may be made.
    `only_empty`: no step may be made at all. TooManyStates from anything that would have to visit
    more than `most` states.
    """

    def __init__(self, stepper: Stepper, most: float = inf) -> None:
        ruleset = stepper.ruleset
        self._stepper, self._most = stepper, most
        self._exhaust = ruleset.usage == "exhaust"
        self._at_end = ruleset.pair_rule == "at-end" and not stepper.alike
        self._higher = ruleset.usage == "maximal-higher"
        self._entries = self._most_entries() if ruleset.entry_required else 0
        self._only_spent_counts = not (self._entries or self._higher)
        self.goal = self._bound()
        self.only_wins = self.only_empty = False
        self._settled = False  # until then only what meets the goal counts: no win, no end before
        self._by_die = self._last_die_tells()
        self._kept: dict[State, tuple[Successor, ...]] = {}
        self._leads: dict[State, bool] = {}

    def settle(self) -> None:
        """Find the goal: the bound if a play meets it, else the greatest of all plays."""
        stepper, wins = self._stepper, False
        whole = stepper.ruleset.doublet_whole and len(stepper.increments) == 4
        if whole or not self._exhaust:
            if not self.leads_on(stepper.start):
                self.goal, wins = self._greatest()
                self._by_die = self._last_die_tells()
            # From now on a win counts, too: a state that led to no goal may lead to that.
            self._leads = {state: True for state, leads in self._leads.items() if leads}
        # Where four increments can't all be spent, none may be. Where a whole throw can't be spent,
        # a play may still win.
        may_win_short = stepper.ruleset.usage == "whole-throw" and not whole
        short = (whole or may_win_short) and self.goal.spent < stepper.grants
        self.only_wins = short and may_win_short and wins
        self.only_empty = short and not self.only_wins
        self._settled = True

    def _last_die_tells(self) -> bool:
        """Whether complete plays spend all, so that one die left tells by fitting or not."""
        stepper = self._stepper
        plain = not (stepper.grant or stepper.ruleset.stop_behind_blockade or self._exhaust)
        return plain and self.goal.spent == stepper.grants and not self._at_end

    # --- what a complete play is ----------------------------------------------------------------

    def measure(self, state: State) -> Goal:
        """Return what a state has reached, as far as these rules ask."""
        stepper = self._stepper
        return Goal(
            stepper.entered(state) if self._entries else 0,
            stepper.spent(state),
            stepper.spent_faces(state) if self._higher else 0,
        )

    def ends(self, state: State, successors: Iterable[Successor] | None = None) -> bool:
        """Whether a play may stop here, for one choice of which of two alike made each step.

        successors: those of the state, where they are known.
        """
        if not self._reached(state):
            return False
        if self._stepper.won(state):
            return True
        bonuses_only = not self._exhaust
        if bonuses_only and (self._stepper.ruleset.bonus_optional or not state.bonuses):
            return True
        if len(state.worlds) == 1:
            known = self.successors(state) if successors is None else successors
            return self._nothing_left(state, known, bonuses_only)
        choices = (state._replace(worlds=(world,)) for world in state.worlds)
        return any(
            self._nothing_left(one, self._stepper.successors(one), bonuses_only)
            for one in choices
            if not self.together(one)
        )

    def _nothing_left(
        self, state: State, successors: Iterable[Successor], bonuses_only: bool
    ) -> bool:
        """Whether no step, or no bonus step, is still possible."""
        return all(
            self.together(after.state)
            for after in successors
            if not bonuses_only or after.state.dice == state.dice
        )

    def together(self, state: State) -> bool:
        """Whether a play may not end here because a pair has moved on together."""
        return self._at_end and self._stepper.together(state)

    def _reached(self, state: State) -> bool:
        """Whether a play could stop here for all that the dice ask."""
        if self._at_end and self._stepper.together(state):
            return False
        if self._settled:
            if self._exhaust:
                return True
            if self.only_wins:
                return self._stepper.won(state)
        stepper, goal = self._stepper, self.goal
        if stepper.spent(state) == goal.spent and (
            self._only_spent_counts or self.measure(state) == goal
        ):
            return True
        return self._settled and stepper.won(state)

    # --- which states lead to one ---------------------------------------------------------------

    def leads_on(self, state: State) -> bool:
        """Whether a complete play passes through this state."""
        if self._by_die and len(state.dice) == 1:
            decided = self._last_die(state)
            if decided is not None:
                return decided
        if self._reached(state):
            return True
        if not (state.dice or state.bonuses) or self._lost(state):
            return False
        known = self._leads.get(state)
        if known is None:
            self._leads[state] = False  # until it is found to: a play never comes back to a state
            if len(self._leads) > self._most:
                raise TooManyStates
            first = state is self._stepper.start  # whose steps are asked for next
            successors = self.successors(state) if first else self._stepper.successors(state)
            known = any(self.leads_on(after.state) for after in successors)
            self._leads[state] = known
        return known

    def successors(self, state: State) -> tuple[Successor, ...]:
        """Return the successors of a state that steps and stopping are asked of, and keep them."""
        known = self._kept.get(state)
        if known is None:
            known = self._kept[state] = tuple(self._stepper.successors(state))
        return known

    def _last_die(self, state: State) -> bool | None:
        """Whether spending the last die completes the play, None where that is not plain to see."""
        stepper = self._stepper
        missing = self.goal.entered - stepper.entered(state) if self._entries else 0
        fits = stepper.last_die_enters(state) if missing else stepper.last_die_fits(state)
        if fits and missing <= 1:
            return True
        plain = stepper.alike and not state.bonuses and not stepper.won(state)
        return False if plain else None

    def _lost(self, state: State) -> bool:
        """Whether the dice lapse short of the goal, and bonuses can't win."""
        if (self._exhaust and self._settled) or not self._stepper.lapsed(state):
            return False
        if self._at_end and self.measure(state) == self.goal:
            return False
        return not self._settled or not self._stepper.bonuses_may_win(state)

    # --- all plays, where they must be visited ----------------------------------------------------

    def endings(self, state: State) -> Iterator[State]:
        """Yield the states in which complete plays that begin with this state end."""
        wasted = GRANT if self._exhaust else self._stepper.grants - self.goal.spent
        for reached, successors in _walk(state, self._stepper.sparing(wasted), self._most):
            if self.ends(reached, successors):
                yield reached

    def reachable(self, state: State) -> Iterator[State]:
        """Yield every state that steps lead to from this one, itself first."""
        return (reached for reached, _ in _walk(state, self._stepper, self._most))

    def _greatest(self) -> tuple[Goal, bool]:
        """Return the greatest E, D and V, each among the plays that the one before it leaves.

        And whether a play wins.
        """
        found = {
            (self.measure(state), self._stepper.won(state))
            for state, _ in _walk(self._stepper.start, self._stepper, self._most, self._decided)
            if not self.together(state)
        }
        entered = max(measure.entered for measure, _ in found)
        found = {(m, won) for m, won in found if won or m.entered == entered}
        spent = max(measure.spent for measure, _ in found)
        found = {(m, won) for m, won in found if won or m.spent == spent}
        goal = Goal(entered, spent, max(measure.faces for measure, _ in found))
        return goal, any(won for _, won in found)

    def _decided(self, state: State) -> bool:
        """Whether all that bonuses may still do leaves E, D and V as they are, and can't win."""
        lapsed = self._stepper.lapsed(state) and not self._stepper.bonuses_may_win(state)
        return lapsed and not self.together(state)

    # --- the bound: how much there could be at most -----------------------------------------------

    def _bound(self) -> Goal:
        """Return a goal that no play exceeds, so that a play that meets it ends the search."""
        stepper = self._stepper
        spent = self._most_of_grant() if stepper.grant else stepper.grants
        faces = spent if stepper.grant else sum(stepper.increments)
        return Goal(self._entries, spent, faces if self._higher else 0)

    def _most_entries(self) -> int:
        stepper = self._stepper
        if stepper.blockades & stepper.terrain.entry_bit:
            return 0
        if stepper.grant:
            chances = stepper.start.dice[1]
        else:
            chances = sum(map(stepper.may_enter, stepper.increments))
            if stepper.sum_enters:
                chances = max(chances, 1)
        return min(stepper.nested, chances)

    def _most_of_grant(self) -> int:
        """Return how many of the 14 spaces could be spent if only opponents stood in the way."""
        entries = self._most_entries()
        pawns = [code >> TAG_BITS for code in self._stepper.start.worlds[0] if code >= 0]
        reaches = sorted(map(self._reach, [*pawns, *[0] * entries]), reverse=True)
        sharers = DOUBLET_SPACES[self._stepper.ruleset.doublet_spaces].sharers
        return min(GRANT, 5 * entries + sum(reaches[:sharers]))

    def _reach(self, place: int) -> int:
        """Return the longest part that a pawn could take from a place."""
        if place == HOME:
            return 0
        stepper, ruleset = self._stepper, self._stepper.ruleset
        free = [
            spaces
            for spaces in range(1, GRANT + 1)
            for route in stepper.terrain.routes[place][spaces]
            if not route.way & stepper.blockades
            and (route.target != HOME or spaces == GRANT or not ruleset.doublet_home_whole)
        ]
        longest = max(free, default=0)
        return GRANT if longest and ruleset.stop_behind_blockade else longest


def _walk(
    state: State,
    stepper: Stepper,
    most: float = inf,
    ends: Callable[[State], bool] = lambda _: False,
) -> Iterator[tuple[State, list[Successor]]]:
    """Return every state that steps lead to from this one, itself first, with its successors.

    Where a state `ends` it, no successors are looked for. TooManyStates where there are more
    states than `most`.
    """
    seen, open_ends = {state}, [state]
    while open_ends:
        state = open_ends.pop()
        successors = [] if ends(state) else list(stepper.successors(state))
        yield state, successors
        for after in successors:
            if after.state not in seen:
                seen.add(after.state)
                if len(seen) > most:
                    raise TooManyStates
                open_ends.append(after.state)
