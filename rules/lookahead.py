"""The possible throws of a game with their weights, and all complete plays. Does not judge them."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from .actions import Move, Stop
from .game import Game, IllegalAction, Phase, play
from .situation import State
from .steps import Step

Faces = tuple[int, ...]
CompletePlay = tuple[tuple[Step, ...], Game]


def throws(dice: int) -> tuple[tuple[Faces, int], ...]:
    """Return each distinct throw of one or two dice, larger face first, and its weight.

    One die has 6 throws of weight 1. Two dice have 6 doublets of weight 1 and, in either order, 15
    other throws of weight 2: together 36. A game's next throw is one of `throws(game.dice)`.
    Raises ValueError for any other number of dice.
    """
    if dice not in (1, 2):
        raise ValueError(f"there are no throws of {dice!r} dice: one or two are thrown")
    ordered = combinations_with_replacement(range(1, 7), dice)
    return tuple((faces[::-1], len(set(faces))) for faces in ordered)


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
    game: Game, made: tuple[Step, ...], passed: set[State], ended: set[Game]
) -> Iterator[CompletePlay]:
    if game.may_stop:
        yield from _yield_new(made, play(game, Stop())[0], ended)
    plays, state = game.plays
    for step, reached in plays.steps(state).items():
        if reached in passed:
            continue
        passed.add(reached)
        after, _ = play(game, Move(step))
        if after.phase is Phase.MOVE:
            yield from _continue_plays(after, (*made, step), passed, ended)
        else:  # the step ended the play: nothing was left to do
            yield from _yield_new((*made, step), after, ended)


def _yield_new(made: tuple[Step, ...], after: Game, ended: set[Game]) -> Iterator[CompletePlay]:
    if after not in ended:
        ended.add(after)
        yield made, after
