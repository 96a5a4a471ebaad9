"""Increments: what may be thrown, and the numbers that a throw grants. Does not move pawns."""

from functools import cache
from itertools import product
from math import prod
from typing import Final, NamedTuple

from .board import NEST
from .ruleset import DOUBLET_SPACES, LOTS, RuleSet

GRACE: Final = 1  # the increment that a grace gives besides the value; no value is 1
GRANT: Final = 14  # the spaces that a doublet grants under `DoubletSpaces.fourteen`


class ThrowOutcome(NamedTuple):
    """A throw that may happen."""

    faces: tuple[int, ...]  # of dice the eyes, larger first; of shells how many mouths are up
    weight: int  # in how many of the equally likely cases it happens
    value: int  # the spaces that it counts, all dice together
    goes_on: bool  # whether the seat throws again
    grace: bool  # whether the option `grace` applies to it


@cache
def throws(ruleset: RuleSet, dice: int | None = None) -> tuple[ThrowOutcome, ...]:
    """Return each distinct throw under a rule set, with its weight and its value.

    dice: how many are thrown, if not as many as the rule set has: a game's next throw is one of
    `throws(game.ruleset, game.dice)`. One die has 6 throws of weight 1. Two dice have 6 doublets of
    weight 1 and, in either order, 15 other throws of weight 2: together 36. Six cowries have 7
    throws, of weights 1, 6, 15, 20, 15, 6 and 1. Raises ValueError for any other number of dice.
    """
    count = ruleset.dice if dice is None else dice
    if count not in (1, 2):
        raise ValueError(f"there are no throws of {count!r} dice: one or two are thrown")
    table = LOTS[ruleset.lots]
    weights: dict[tuple[int, ...], int] = {}
    for faces in product(table, repeat=count):
        shown = tuple(sorted(faces, reverse=True))
        weights[shown] = weights.get(shown, 0) + prod(table[face].weight for face in faces)
    outcomes = []
    for faces, weight in weights.items():
        value, goes_on = throw_value(ruleset, faces), is_doublet(ruleset, faces)
        outcomes.append(ThrowOutcome(faces, weight, value, goes_on, table[faces[0]].grace))
    return tuple(outcomes)


def throw_value(ruleset: RuleSet, faces: tuple[int, ...]) -> int:
    """Return the spaces that a throw counts, all dice together."""
    return sum(LOTS[ruleset.lots][face].value for face in faces)


def is_doublet(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    """Whether a throw is a doublet: two dice alike, or one die or shells that throw again."""
    return faces[0] == faces[1] if len(faces) == 2 else LOTS[ruleset.lots][faces[0]].goes_on


def grant_increments(
    ruleset: RuleSet, pawns: tuple[int, ...], faces: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the increments that a throw grants: faces first, then undersides.

    pawns: the places of the seat's pawns; undersides may depend on whether one is in the nest.
    faces: what the dice or shells show. `(GRANT,)` means spaces that pawns share. `GRACE` comes
    after the value of the throw.
    """
    if ruleset.total_move == "only":
        return (sum(faces),)
    if ruleset.lots != "dice":
        lot = LOTS[ruleset.lots][faces[0]]
        return (lot.value, *[GRACE] * (lot.grace and ruleset.grace == "enter"))
    if not is_doublet(ruleset, faces):
        return faces
    grants = DOUBLET_SPACES[ruleset.doublet_spaces]
    if grants.fourteen:
        return (GRANT,)
    if not (grants.undersides or grants.twice) or (grants.once_entered and NEST in pawns):
        return faces
    if ruleset.dice == 1:
        return (2 * faces[0] if grants.twice else 7,)
    return (*faces, *(7 - face for face in faces))
