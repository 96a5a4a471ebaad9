"""What can come of a game: its throws and how likely they are, and every complete play of one.

Which of them is best is not asked here.
"""

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

    One die has 6 throws of weight 1. Two have 21 that differ in more than the order of the dice: 6
    doublets of weight 1 and 15 others of weight 2, 36 in all. A game's next throw is one of
    `throws(game.dice)`. ValueError for any other number of dice.
    """
    if dice not in (1, 2):
        raise ValueError(f"there are no throws of {dice!r} dice: one or two are thrown")
    ordered = combinations_with_replacement(range(1, 7), dice)
    return tuple((faces[::-1], len(set(faces))) for faces in ordered)


def complete_plays(game: Game) -> Iterator[CompletePlay]:
    """Yield the complete plays of the throw on the table: the steps to make, and the game after.

    Of plays that lead to equal games, in whatever order or by whatever steps, one is given. The
    game after is at `Phase.THROW` or `Phase.OVER`. The empty play `()` is among them where the seat
    may stop, so there is always one. In the middle of a play its steps are those still to make; at
    a penalty owning up is the only play. Each is looked for when it is asked for; the order is the
    same each time. IllegalAction, at the call, where no throw is on the table.
    """
    if game.phase is Phase.PENALTY:
        return iter([((), play(game, Stop())[0])])
    if game.phase is not Phase.MOVE:
        raise IllegalAction(f"no throw is on the table: the game is at {game.phase}")
    return _plays_on(game, (), set(), set())


def _plays_on(
    game: Game, made: tuple[Step, ...], passed: set[State], ended: set[Game]
) -> Iterator[CompletePlay]:
    if game.may_stop:
        yield from _new(made, play(game, Stop())[0], ended)
    plays, state = game.plays
    for step, reached in plays.steps(state).items():
        if reached in passed:
            continue
        passed.add(reached)
        after, _ = play(game, Move(step))
        if after.phase is Phase.MOVE:
            yield from _plays_on(after, (*made, step), passed, ended)
        else:  # the step ended the play: nothing was left to do
            yield from _new((*made, step), after, ended)


def _new(made: tuple[Step, ...], after: Game, ended: set[Game]) -> Iterator[CompletePlay]:
    if after not in ended:
        ended.add(after)
        yield made, after
