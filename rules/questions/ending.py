"""Endings: how the current play may end, and the steps to each ending. Does not judge them.

`lookahead.complete_plays` gives the steps and the next game of every play. Endings are for programs
that compare many plays in little time: they have no game, and steps only for the chosen one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..game import Game
from ..plays.plays import Plays
from ..plays.search import TooManyStates
from ..plays.situation import State
from ..plays.stepper import Stepper
from ..plays.worlds import places
from ..position import Position
from ..steps import Step


class Ending(NamedTuple):
    """One way for a play to end: where the pawns are, and whether its seat wins or throws again."""

    state: State  # what `steps_to` needs to find steps to this ending
    position: Position
    wins: bool
    throws_again: bool


def endings(game: Game, most: int, breadth: int) -> Iterator[Ending]:
    """Yield the ways in which the play on the table may end, in the same order each time.

    most: how many states of the play to visit at most. If there are more, each step follows only
    the `breadth` states that bring the seat farthest, and some endings are not found.
    Several endings may have the same position. Raises IllegalAction if no
    throw is on the table.
    """
    plays, state = game.plays
    stepper = plays.stepper
    try:
        states = Plays(stepper, plays.overdue, plays.tries, most).endings(state)
    except TooManyStates:
        states = frozenset(_follow_farthest(plays, state, breadth))
    for end in sorted(states):
        position = stepper.position_after(end)
        yield Ending(end, position, stepper.has_won(end), plays.throws_again(end))


def steps_to(game: Game, ending: Ending) -> tuple[Step, ...]:
    """Return steps by which the play on the table comes to one of its endings."""
    plays, state = game.plays
    for forward in (True, False):  # back, or on a second circuit, a place number falls
        steps = _find_steps(plays.stepper, state, ending.state, forward, set())
        if steps is not None:
            return steps
    raise LookupError(f"no steps lead from {state} to {ending.state}")


def goes_on(before: Game, after: Game) -> bool:
    """Whether the same play is on the table in both games, and not a later one."""
    return after.search is not None and after.search is before.search


def _follow_farthest(plays: Plays, state: State, breadth: int) -> Iterator[State]:
    """Yield endings, following at each step only the states that bring the seat farthest."""
    to_go = plays.stepper.terrain.to_go

    def spaces_to_go(state: State) -> int:  # less what open bonuses and captures are good for
        own = sum(to_go[place] for place in places(state.worlds[0]))
        return own - sum(state.bonuses) + 20 * state.lone.bit_count()

    open_ends, visited = [state], {state}
    while open_ends:
        after = []
        for one in open_ends:
            if plays.may_stop(one):
                yield one
            after += [reached for reached in plays.steps(one).values() if reached not in visited]
            visited.update(after)
        after = sorted(set(after), key=lambda one: (spaces_to_go(one), one))
        open_ends = after[:breadth]


def _find_steps(
    stepper: Stepper, state: State, end: State, forward: bool, passed: set[State]
) -> tuple[Step, ...] | None:
    """Return steps to an end, None if there are none; nearer states are tried first.

    forward: whether no pawn may go beyond its place in the end. passed: the states seen before.
    """
    if state == end:
        return ()

    def is_beyond(one: State) -> bool:  # or has captured too much
        both = zip(places(one.worlds[0]), places(end.worlds[0]), strict=True)
        return bool(end.lone & ~one.lone) or any(here > there for here, there in both)

    nearer = [
        (_count_missing(after.state, end), number, after)
        for number, after in enumerate(stepper.successors(state))
        if after.state not in passed and not (forward and is_beyond(after.state))
    ]
    for _, _, after in sorted(nearer):
        if after.state not in passed:
            passed.add(after.state)
            rest = _find_steps(stepper, after.state, end, forward, passed)
            if rest is not None:
                return (after.step, *rest)
    return None


def _count_missing(state: State, end: State) -> int:
    """Return how many pawns have yet to reach a place of the end, and captures to make."""
    left = places(end.worlds[0])
    for place in places(state.worlds[0]):
        if place in left:
            left.remove(place)
    return len(left) + (state.lone & ~end.lone).bit_count()
