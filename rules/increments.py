"""Increments: the numbers that a throw grants. Does not depend on how pawns use them."""

from typing import Final

from .board import NEST
from .ruleset import DOUBLET_SPACES, RuleSet

GRANT: Final = 14  # the spaces that a doublet grants under `DoubletSpaces.fourteen`


def is_doublet(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    """Whether a throw is a doublet, as the option `doublet_number` defines it."""
    if ruleset.dice == 1:
        return faces[0] == ruleset.doublet_number
    return faces[0] == faces[1]


def grant_increments(
    ruleset: RuleSet, pawns: tuple[int, ...], faces: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the increments that a throw grants: faces first, then undersides.

    pawns: the places of the seat's pawns; undersides may depend on whether one is in the nest.
    faces: what the dice show. `(GRANT,)` means spaces that pawns share.
    """
    if ruleset.total_move == "only":
        return (sum(faces),)
    if not is_doublet(ruleset, faces):
        return faces
    grants = DOUBLET_SPACES[ruleset.doublet_spaces]
    if grants.fourteen:
        return (GRANT,)
    if not grants.undersides or (grants.once_entered and NEST in pawns):
        return faces
    return (7,) if ruleset.dice == 1 else (*faces, *(7 - face for face in faces))
