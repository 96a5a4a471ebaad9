"""Increments: the numbers that a throw grants. How pawns use them is not asked."""

from .board import NEST
from .ruleset import DOUBLET_SPACES, RuleSet

GRANT = 14  # spaces that a doublet grants where `DoubletSpaces.fourteen`


def is_doublet(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    """Whether a throw is a doublet under `doublet_number`."""
    if ruleset.dice == 1:
        return faces[0] == ruleset.doublet_number
    return faces[0] == faces[1]


def granted(ruleset: RuleSet, pawns: tuple[int, ...], faces: tuple[int, ...]) -> tuple[int, ...]:
    """Return the increments that a throw grants a seat with these pawns: faces, then undersides.

    `(GRANT,)` are spaces to share out among pawns.
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
