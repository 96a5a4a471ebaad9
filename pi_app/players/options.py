"""What may come of the throw on the table, and by which steps; keeps out what is best."""

from collections.abc import Iterator
from typing import NamedTuple

from pi_app.advice.looks import without
from rules import Game, Position, Step, next_seat
from rules.plays import Plays, TooManyStates
from rules.steps import TAG_BITS, State, Stepper

MOST_STATES = 3000  # of a throw whose plays are all listed; one takes some 15 us
BREADTH = 12  # states that are followed at a time where there are more


class Option(NamedTuple):
    """One way for a play to end: how it stands then, where the pawns are, and who throws next.

    Seats that had won before are left out of the position. Who wins stands as who throws next.
    """

    ending: State
    position: Position
    first: int


def options(game: Game) -> list[Option]:
    """Return the ways in which the play on the table may end; of equal ones, one.

    Where they are too many to be listed in time, those that the steps lead to which bring the seat
    farthest. In the same order each time. Only for a game at `Phase.MOVE`.
    """
    plays, state = game.plays
    seat, following = game.seat, next_seat(game, game.seat)
    found: dict[tuple[Position, int], Option] = {}
    for ending in sorted(_endings(plays, state)):
        position = without(plays.stepper.position_after(ending), game.places)
        again = plays.throws_again(ending) or plays.stepper.won(ending)
        first = seat if again else following
        found.setdefault((position, first), Option(ending, position, first))
    return list(found.values())


def _endings(plays: Plays, state: State) -> frozenset[State]:
    try:
        return Plays(plays.stepper, plays.overdue, MOST_STATES).endings(state)
    except TooManyStates:
        return frozenset(_found_by_going_on(plays, state))


def _found_by_going_on(plays: Plays, state: State) -> Iterator[State]:
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
        open_ends = after[:BREADTH]


def _spaces_to_go(stepper: Stepper, state: State) -> int:
    """Return the seat's spaces to go, less those that open bonuses and captures are good for."""
    to_go = sum(stepper.setting.to_go[place] for place in _places(state))
    return to_go - sum(state.bonuses) + 20 * state.lone.bit_count()


def steps_to(game: Game, ending: State) -> tuple[Step, ...]:
    """Return steps by which the play on the table comes to one of its endings."""
    plays, state = game.plays
    for forward in (True, False):  # on a second circuit places fall again
        steps = _search(plays.stepper, state, ending, forward, set())
        if steps is not None:
            return steps
    raise LookupError(f"no steps lead from {state} to {ending}")


def _search(
    stepper: Stepper, state: State, ending: State, forward: bool, passed: set[State]
) -> tuple[Step, ...] | None:
    """Return steps to the ending; those that bring a pawn to its place in it are tried first."""
    if state == ending:
        return ()
    nearing = [
        (_away(after.state, ending), number, after)
        for number, after in enumerate(stepper.successors(state))
        if after.state not in passed and not (forward and _beyond(after.state, ending))
    ]
    for _, _, after in sorted(nearing):
        if after.state not in passed:
            passed.add(after.state)
            rest = _search(stepper, after.state, ending, forward, passed)
            if rest is not None:
                return (after.step, *rest)
    return None


def _away(state: State, ending: State) -> int:
    """Return how many pawns are not yet where one stands in the ending, and captures to make."""
    left = list(_places(ending))
    for place in _places(state):
        if place in left:
            left.remove(place)
    return len(left) + (state.lone & ~ending.lone).bit_count()


def _beyond(state: State, ending: State) -> bool:
    """Whether a pawn has gone farther than it stands in the ending, or too much was captured."""
    if ending.lone & ~state.lone:
        return True
    return any(here > there for here, there in zip(_places(state), _places(ending), strict=True))


def _places(state: State) -> tuple[int, ...]:
    """Return where the seat's pawns stand, least advanced first."""
    return tuple([code >> TAG_BITS for code in state.worlds[0]])
