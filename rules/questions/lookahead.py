"""All complete plays of a throw, with the steps and the game after each. Does not judge them."""

from collections.abc import Iterator

from ..actions import Move, Stop
from ..game import Game, IllegalAction, Phase, play
from ..memory import NOTHING, Memory
from ..plays.situation import State
from ..steps import Step

CompletePlay = tuple[tuple[Step, ...], Game]


def complete_plays(game: Game) -> Iterator[CompletePlay]:
    """Yield the complete plays of the throw on the table: the steps to make, and the game after.

    Of several plays that lead to equal games there is only one. The game after is at `Phase.THROW`
    or `Phase.OVER`. If the seat may stop, the empty play `()` is among them, so there is always a
    play. In the middle of a play the steps are those still to make; at a penalty, the empty play is
    the only one. Each play is searched for when it is needed, in the same order each time.
    The call raises IllegalAction if no throw is on the table.
    """
    if game.phase is Phase.PENALTY:
        return iter([((), play(game, Stop())[0])])
    if game.phase is not Phase.MOVE:
        raise IllegalAction(f"no throw is on the table: the game is at {game.phase}")
    return _continue_plays(game, (), set(), set())


def _continue_plays(
    game: Game, made: tuple[Step, ...], passed: set[tuple[State, Memory]], ended: set[Game]
) -> Iterator[CompletePlay]:
    if game.may_stop:
        yield from _yield_new(made, play(game, Stop())[0], ended)
    plays, state = game.plays
    remembers = bool(game.ruleset.remembers)
    for step, reached in plays.steps(state).items():
        if not remembers and (reached, NOTHING) in passed:
            continue
        after, _ = play(game, Move(step))
        past = reached, after.memory_now if remembers else NOTHING
        if past in passed:
            continue
        passed.add(past)
        if after.phase is Phase.MOVE:
            yield from _continue_plays(after, (*made, step), passed, ended)
        else:  # the step ended the play: nothing was left to do
            yield from _yield_new((*made, step), after, ended)


def _yield_new(made: tuple[Step, ...], after: Game, ended: set[Game]) -> Iterator[CompletePlay]:
    if after not in ended:
        ended.add(after)
        yield made, after
