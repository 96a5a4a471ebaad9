"""Plays: which sequences of steps with one throw are complete, and so which steps may be offered.

rules/NOTATION.md, "Which plays are legal". The greatest E, D and V are looked for once a throw;
after that only "can a complete play still come of this?" is asked, and the first answer ends it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from rules.board import HOME, NEST
from rules.ruleset import DOUBLET_SPACES
from rules.steps import GRANT, IN_NEST, TAG_BITS, State, Step, Stepper, Successor


class Goal(NamedTuple):
    """What a complete play reaches, in the order of the rules; 0 where the rules don't ask."""

    entered: int
    spent: int
    faces: int


class TooManyStates(Exception):
    """A search that would visit more states than it was allowed."""


class Plays:
    """The plays of one throw. `overdue` are the blockades to break, as bits seen from the seat.

    TooManyStates, now or when steps are asked for, where more than `most` states would have to be
    visited to tell them.
    """

    def __init__(self, stepper: Stepper, overdue: int = 0, most: float = inf) -> None:
        self.stepper = stepper
        self._most = most
        self.start = stepper.start
        self.overdue = overdue
        ruleset = stepper.ruleset
        self.exhaust = ruleset.usage == "exhaust"
        self._at_end = ruleset.pair_rule == "at-end"
        self._higher = ruleset.usage == "maximal-higher"
        self._entries = self._most_entries() if ruleset.entry_required else 0
        self._only_spent_counts = not (self._entries or self._higher)
        self._kept: dict[State, tuple[Successor, ...]] = {}
        self._leads: dict[State, bool] = {}
        self._steps: dict[State, dict[Step, State]] = {}
        self._endings: dict[State, frozenset[State]] = {}
        self._seeking = True  # whether only what meets the goal counts: no win, no exhausted play
        self.goal = self._bound()
        self._by_die = self._last_die_tells()
        whole = ruleset.doublet_whole and len(stepper.increments) == 4
        may_win_short = ruleset.usage == "whole-throw" and not whole
        wins = False
        if (whole or not self.exhaust) and not self._leads_on(self.start):
            self.goal, wins = self._greatest()
            self._by_die = self._last_die_tells()
        short = (whole or may_win_short) and self.goal.spent < stepper.grants
        # Where the throw must be spent whole and can't be: only a play that wins may be made,
        # and where there is none or four increments were granted, none at all.
        self.only_wins = short and may_win_short and wins
        self.only_empty = short and not self.only_wins
        self._seeking = False
        self._leads = {state: True for state, leads in self._leads.items() if leads}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by what it was made of: what was searched is found again."""
        return type(self), (self.stepper, self.overdue, self._most)

    def _last_die_tells(self) -> bool:
        """Whether complete plays spend all, so that one die left tells by fitting or not."""
        stepper = self.stepper
        plain = not (stepper.grant or stepper.ruleset.stop_behind_blockade or self.exhaust)
        return plain and self.goal.spent == stepper.grants and (stepper.alike or not self._at_end)

    # --- what the table and the protocol ask ----------------------------------------------------

    def steps(self, state: State) -> dict[Step, State]:
        """Return the steps that a complete play may go on with, and the states they lead to."""
        known = self._steps.get(state)
        if known is None:
            known = self._steps[state] = self._offered(state)
        return known

    def may_stop(self, state: State) -> bool:
        """Whether the play may end here."""
        if self.only_empty:
            return state == self.start
        if self.overdue:
            return state in self._best_endings(state)
        return self._ends(state, self._successors(state))

    def endings(self, state: State) -> frozenset[State]:
        """Return the states in which complete plays that begin with this state end."""
        if self.only_empty:
            return frozenset({self.start})
        return self._best_endings(state) if self.overdue else self._all_endings(state)

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

    # --- what a complete play is ----------------------------------------------------------------

    def _greatest(self) -> tuple[Goal, bool]:
        """Return the greatest E, D and V, each among the plays that the one before it leaves.

        And whether a play wins.
        """
        found = {
            (self.measure(state), self.stepper.won(state))
            for state, _ in _walk(self.start, self.stepper, self._most, self._decided)
            if not self.together(state)
        }
        entered = max(measure.entered for measure, _ in found)
        found = {(m, won) for m, won in found if won or m.entered == entered}
        spent = max(measure.spent for measure, _ in found)
        found = {(m, won) for m, won in found if won or m.spent == spent}
        goal = Goal(entered, spent, max(measure.faces for measure, _ in found))
        return goal, any(won for _, won in found)

    def measure(self, state: State) -> Goal:
        """Return what a state has reached, as far as these rules ask."""
        stepper = self.stepper
        return Goal(
            stepper.entered(state) if self._entries else 0,
            stepper.spent(state),
            stepper.spent_faces(state) if self._higher else 0,
        )

    def _reached(self, state: State) -> bool:
        """Whether a play could stop here for all that the dice ask."""
        if self._at_end and self.together(state):
            return False
        if self.exhaust and not self._seeking:
            return True
        if not self._seeking and self.only_wins:
            return self.stepper.won(state)
        if self.stepper.spent(state) == self.goal.spent and (
            self._only_spent_counts or self.measure(state) == self.goal
        ):
            return True
        return not self._seeking and self.stepper.won(state)

    def _ends(self, state: State, successors: Iterable[Successor]) -> bool:
        """Whether a play may stop here, for one choice of which of two alike made each step."""
        if not self._reached(state):
            return False
        if self.stepper.won(state):
            return True
        bonuses_only = not self.exhaust
        if bonuses_only and (self.stepper.ruleset.bonus_optional or not state.bonuses):
            return True
        if len(state.worlds) == 1:
            return self._nothing_left(state, successors, bonuses_only)
        choices = (state._replace(worlds=(world,)) for world in state.worlds)
        return any(
            self._nothing_left(one, self.stepper.successors(one), bonuses_only)
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
        return self._at_end and self.stepper.together(state)

    def _leads_on(self, state: State) -> bool:
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
            first = state is self.start  # whose steps are asked for next
            successors = self._successors(state) if first else self.stepper.successors(state)
            known = any(self._leads_on(after.state) for after in successors)
            self._leads[state] = known
        return known

    def _lost(self, state: State) -> bool:
        """Whether the dice lapse short of the goal, and bonuses can't win."""
        if (self.exhaust and not self._seeking) or not self.stepper.lapsed(state):
            return False
        if self._at_end and self.measure(state) == self.goal:
            return False
        return self._seeking or not self.stepper.bonuses_may_win(state)

    def _decided(self, state: State) -> bool:
        """Whether all that bonuses may still do leaves E, D and V as they are, and can't win."""
        lapsed = self.stepper.lapsed(state) and not self.stepper.bonuses_may_win(state)
        return lapsed and not self.together(state)

    def _successors(self, state: State) -> tuple[Successor, ...]:
        """Return the successors of a state that steps and stopping are asked of, and keep them."""
        known = self._kept.get(state)
        if known is None:
            known = self._kept[state] = tuple(self.stepper.successors(state))
        return known

    def _last_die(self, state: State) -> bool | None:
        """Whether spending the last die completes the play, None where that is not plain to see."""
        stepper = self.stepper
        missing = self.goal.entered - stepper.entered(state) if self._entries else 0
        fits = stepper.last_die_enters(state) if missing else stepper.last_die_fits(state)
        if fits and missing <= 1:
            return True
        plain = stepper.alike and not state.bonuses and not stepper.won(state)
        return False if plain else None

    def _offered(self, state: State) -> dict[Step, State]:
        if self.only_empty or not (state.dice or state.bonuses):
            return {}
        successors = self._successors(state)
        if self.overdue:
            best = self._fewest_left
            return {
                after.step: after.state
                for after in successors
                if any(self._left(ending) == best for ending in self._all_endings(after.state))
            }
        return {after.step: after.state for after in successors if self._leads_on(after.state)}

    # --- all plays, where they must be listed ---------------------------------------------------

    def reachable(self, state: State) -> Iterator[State]:
        """Return every state that steps lead to from this one, itself first."""
        return (reached for reached, _ in _walk(state, self.stepper, self._most))

    def _all_endings(self, state: State) -> frozenset[State]:
        known = self._endings.get(state)
        if known is None:
            wasted = GRANT if self.exhaust else self.stepper.grants - self.goal.spent
            known = self._endings[state] = frozenset(
                reached
                for reached, successors in _walk(state, self.stepper.sparing(wasted), self._most)
                if self._ends(reached, successors)
            )
        return known

    def _best_endings(self, state: State) -> frozenset[State]:
        """Return the endings that leave as few overdue blockades standing as any play does."""
        best = self._fewest_left
        return frozenset(e for e in self._all_endings(state) if self._left(e) == best)

    @cached_property
    def _fewest_left(self) -> int:
        return min(map(self._left, self._all_endings(self.start)))

    def _left(self, state: State) -> int:
        """Return how many overdue blockades stand in a state."""
        return (self.stepper.own_blockades(state) & self.overdue).bit_count()

    # --- how much there could be at most ----------------------------------------------------------

    def _bound(self) -> Goal:
        """Return a goal that no play exceeds, so that a play that meets it ends the search."""
        stepper = self.stepper
        spent = self._most_of_grant() if stepper.grant else stepper.grants
        faces = spent if stepper.grant else sum(stepper.increments)
        return Goal(self._entries, spent, faces if self._higher else 0)

    def _most_entries(self) -> int:
        stepper = self.stepper
        if stepper.blockades & stepper.setting.entry_bit:
            return 0
        if stepper.grant:
            chances = self.start.dice[1]
        else:
            chances = sum(map(stepper.may_enter, stepper.increments))
            by_sum = stepper.unlike and stepper.ruleset.entry_by != "die"
            if by_sum and sum(stepper.increments) == stepper.ruleset.entry_number:
                chances = max(chances, 1)
        return min(self.start.worlds[0].count(IN_NEST), chances)

    def _most_of_grant(self) -> int:
        """Return how many of the 14 spaces could be spent if only opponents stood in the way."""
        entries = self._most_entries()
        pawns = [code >> TAG_BITS for code in self.start.worlds[0] if code >> TAG_BITS != NEST]
        reaches = sorted(map(self._reach, [*pawns, *[0] * entries]), reverse=True)
        sharers = DOUBLET_SPACES[self.stepper.ruleset.doublet_spaces].sharers
        return min(GRANT, 5 * entries + sum(reaches[:sharers]))

    def _reach(self, place: int) -> int:
        if place == HOME:
            return 0
        stepper = self.stepper
        free = [
            spaces
            for spaces in range(1, GRANT + 1)
            for route in stepper.setting.routes[place][spaces]
            if not route.way & stepper.blockades
            and (route.target != HOME or spaces == GRANT or not self._home_whole)
        ]
        longest = max(free, default=0)
        return GRANT if longest and stepper.ruleset.stop_behind_blockade else longest

    @property
    def _home_whole(self) -> bool:
        return self.stepper.ruleset.doublet_home_whole


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
