"""Endings: how the play on the table may end, and steps to such an ending. Not which is best.

`lookahead.complete_plays` gives each play with the game after it. This is for those who compare
many plays in little time: an ending takes no game, and only the one that is chosen takes steps.
"""

from collections.abc import Iterator
from typing import NamedTuple

from .game import Game
from .plays import Plays
from .position import Position
from .search import TooManyStates
from .situation import State
from .stepper import Stepper
from .steps import Step
from .worlds import places


class Ending(NamedTuple):
    """One way for a play to end: where the pawns are, and whether its seat wins or throws again.

    `state` is what `steps_to` needs to come to it.
    """

    state: State
    position: Position
    wins: bool
    throws_again: bool


def endings(game: Game, most: int, breadth: int) -> Iterator[Ending]:
    """Yield the ways in which the play on the table may end, in the same order each time.

    most: how many states of the play are visited at most. Where there are more, only the `breadth`
    states that bring the seat farthest are followed from each step to the next, and not all endings
    are found. Several may come to the same position. IllegalAction where no throw is on the table.
    """
    plays, state = game.plays
    stepper = plays.stepper
    try:
        found = Plays(stepper, plays.overdue, most).endings(state)
    except TooManyStates:
        found = frozenset(_by_going_on(plays, state, breadth))
    for end in sorted(found):
        yield Ending(
            end, stepper.position_after(end), stepper.has_won(end), plays.throws_again(end)
        )


def steps_to(game: Game, ending: Ending) -> tuple[Step, ...]:
    """Return steps by which the play on the table comes to one of its endings."""
    plays, state = game.plays
    for forward in (True, False):  # on a second circuit places fall again
        steps = _way(plays.stepper, state, ending.state, forward, set())
        if steps is not None:
            return steps
    raise LookupError(f"no steps lead from {state} to {ending.state}")


def goes_on(before: Game, after: Game) -> bool:
    """Whether the play that was on the table before is on it still, and not a later one."""
    return after.search is not None and after.search is before.search


def _by_going_on(plays: Plays, state: State, breadth: int) -> Iterator[State]:
    """Yield endings, going on each time only with the states that bring the seat farthest."""
    open_ends, seen = [state], {state}
    while open_ends:
        after = []
        for one in open_ends:
            if plays.may_stop(one):
                yield one
            after += [reached for reached in plays.steps(one).values() if reached not in seen]
            seen.update(after)
        after = sorted(set(after), key=lambda one: (_spaces_to_go(plays.stepper, one), one))
        open_ends = after[:breadth]


def _spaces_to_go(stepper: Stepper, state: State) -> int:
    """Return the seat's spaces to go, less those that open bonuses and captures are good for."""
    to_go = sum(stepper.terrain.to_go[place] for place in places(state.worlds[0]))
    return to_go - sum(state.bonuses) + 20 * state.lone.bit_count()


def _way(
    stepper: Stepper, state: State, end: State, forward: bool, passed: set[State]
) -> tuple[Step, ...] | None:
    """Return steps to an end; those that bring a pawn to its place in it are tried first."""
    if state == end:
        return ()
    nearing = [
        (_away(after.state, end), number, after)
        for number, after in enumerate(stepper.successors(state))
        if after.state not in passed and not (forward and _beyond(after.state, end))
    ]
    for _, _, after in sorted(nearing):
        if after.state not in passed:
            passed.add(after.state)
            rest = _way(stepper, after.state, end, forward, passed)
            if rest is not None:
                return (after.step, *rest)
    return None


def _away(state: State, end: State) -> int:
    """Return how many pawns are not yet where one stands in the end, and captures to make."""
    left = places(end.worlds[0])
    for place in places(state.worlds[0]):
        if place in left:
            left.remove(place)
    return len(left) + (state.lone & ~end.lone).bit_count()


def _beyond(state: State, end: State) -> bool:
    """Whether a pawn has gone farther than it stands in the end, or too much was captured."""
    if end.lone & ~state.lone:
        return True
    both = zip(places(state.worlds[0]), places(end.worlds[0]), strict=True)
    return any(here > there for here, there in both)
