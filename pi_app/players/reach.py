"""With which throws one pawn comes from here to there by dice alone; keeps out whose pawns stand.

Throws are bits: of two dice 36, each order counted, of one die 6.
"""

from itertools import product
from typing import NamedTuple

from rules import GRANT, NEST, RuleSet, grant_increments, is_doublet

FARTHEST = 14  # no dice of one throw carry a pawn farther, by any rule set


class Start(NamedTuple):
    """From where a pawn sets out: its nest or the ring, and how many of its seat may enter.

    `nested` are the seat's pawns in the nest, `entering` those of them that find their entry free;
    no more than two enter with one throw, so more are told as two.
    """

    in_nest: bool
    nested: int
    entering: int


# Every throw in every order by how many dice there are: 6 of one die, 36 of two.
ALL_THROWS = {dice: tuple(product(range(1, 7), repeat=dice)) for dice in (1, 2)}


def throws_reaching(ruleset: RuleSet, start: Start, spaces: int, held: int) -> int:
    """Return, as bits of `ALL_THROWS`, those that carry one pawn on by exactly so many spaces.

    From the nest `spaces` count from the entry. `held` are the spaces on the way on which no die
    may end, bit 0 the first. Blockades on the way are not asked here.
    """
    held = 0 if ruleset.touch_down else held
    return sum(
        1 << number
        for number, faces in enumerate(ALL_THROWS[ruleset.dice])
        if _reaches(ruleset, start, faces, spaces, held)
    )


def _reaches(
    ruleset: RuleSet, start: Start, faces: tuple[int, ...], spaces: int, held: int
) -> bool:
    increments = grant_increments(ruleset, (NEST,) if start.nested > 0 else (0,), faces)
    if start.in_nest:
        return _enters_and_reaches(ruleset, faces, increments, spaces, held)
    if increments == (GRANT,):
        return spaces <= GRANT
    if start.entering and (ruleset.entry_required or ruleset.entry_number_reserved):
        if ruleset.entry_required and _enters_by_sum(ruleset, faces):
            return False
        for _ in range(start.entering):
            increments = _less(increments, ruleset.entry_number)
    if ruleset.total_move == "allowed" and len(set(increments)) == 2 and sum(increments) == spaces:
        return True
    return _adds_up(increments, spaces, held)


def _enters_and_reaches(
    ruleset: RuleSet,
    faces: tuple[int, ...],
    increments: tuple[int, ...],
    spaces: int,
    held: int,
) -> bool:
    number = ruleset.entry_number
    if increments == (GRANT,):
        return faces[0] == number and spaces <= GRANT - number
    if spaces == 0 and _enters_by_sum(ruleset, faces):
        return True
    by_die = number in (increments if ruleset.undersides_enter else faces)
    if ruleset.total_move == "only":
        return spaces == 0 and increments == (number,)
    if not by_die or ruleset.entry_by == "sum":
        return False
    return _adds_up(_less(increments, number), spaces, held)


def _enters_by_sum(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    unlike = len(faces) == 2 and not is_doublet(ruleset, faces)
    return unlike and ruleset.entry_by != "die" and sum(faces) == ruleset.entry_number


def _less(increments: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the increments without one of that number."""
    left = list(increments)
    if number in left:
        left.remove(number)
    return tuple(left)


def _adds_up(increments: tuple[int, ...], spaces: int, held: int, gone: int = 0) -> bool:
    """Whether some of the increments, in some order, add up without ending on a held space."""
    if gone == spaces:
        return True
    return any(
        _adds_up(_less(increments, number), spaces, held, gone + number)
        for number in set(increments)
        if gone + number == spaces
        or (gone + number < spaces and not held >> (gone + number - 1) & 1)
    )
