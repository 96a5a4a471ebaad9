"""Finds the throws with which a pawn reaches a space by dice alone. It knows no position.

Throws are bits: 36 of two dice, where each order counts, and 6 of one die.
"""

from itertools import product
from typing import NamedTuple

from rules import GRANT, NEST, RuleSet, grant_increments, is_doublet

FARTHEST = 14  # spaces: the farthest that one throw moves a pawn, in any edition
MAX_WAYS = 512  # of each start, kept with their throws


class Start(NamedTuple):
    """The start of a pawn's way.

    in_nest: the pawn starts in the nest, not on the ring.
    nested: how many of the seat's pawns are in the nest. entering: how many of these find the
    entry free. One throw lets at most two enter, so 2 means two or more.
    """

    in_nest: bool
    nested: int
    entering: int


class ReachingThrows(dict[int, int]):
    """The throws that move one pawn along a way, by the way: `throws_reaching` with a memory.

    A way is a set of bits, bit 0 for the first space: the highest bit is the space to reach, and
    the others are held. Way 0 brings a pawn from the nest to its entry.
    """

    def __init__(self, ruleset: RuleSet, start: Start) -> None:
        super().__init__()
        self._ruleset, self._start = ruleset, start

    def __missing__(self, way: int) -> int:
        if len(self) >= MAX_WAYS:
            self.clear()
        spaces = way.bit_length()
        held = way ^ (1 << spaces >> 1)
        throws = self[way] = throws_reaching(self._ruleset, self._start, spaces, held)
        return throws


# All throws by the number of dice, in every order: 6 of one die, 36 of two.
ALL_THROWS = {dice: tuple(product(range(1, 7), repeat=dice)) for dice in (1, 2)}


def throws_reaching(ruleset: RuleSet, start: Start, spaces: int, held: int) -> int:
    """Return the throws that move one pawn by exactly `spaces`, as bits of `ALL_THROWS`.

    spaces: counted from the entry if the pawn starts in the nest.
    held: the spaces on the way on which no die may end, bit 0 for the first.

    Blockades are ignored.
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
            increments = _remove(increments, ruleset.entry_number)
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
    return _adds_up(_remove(increments, number), spaces, held)


def _enters_by_sum(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    differs = len(faces) == 2 and not is_doublet(ruleset, faces)
    return differs and ruleset.entry_by != "die" and sum(faces) == ruleset.entry_number


def _remove(increments: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the increments without the first one of that number."""
    rest = list(increments)
    if number in rest:
        rest.remove(number)
    return tuple(rest)


def _adds_up(increments: tuple[int, ...], spaces: int, held: int, gone: int = 0) -> bool:
    """Return whether some increments, in some order, add up without a stop on a held space.

    gone: the spaces that the pawn has moved already.
    """
    if gone == spaces:
        return True
    return any(
        _adds_up(_remove(increments, number), spaces, held, gone + number)
        for number in set(increments)
        if gone + number == spaces
        or (gone + number < spaces and not held >> (gone + number - 1) & 1)
    )
