"""Finds the throws with which a pawn reaches a space by dice alone. It knows no position.

Throws are bits: 36 of two dice, where each order counts, 6 of one die, and 64 of six cowries.
"""

from functools import cache
from typing import NamedTuple

from rules import GRANT, NEST, RuleSet, grant_increments, is_doublet, terrain, throws
from rules.increments import GRACE
from rules.ruleset import LOTS

FARTHEST_BY_DICE = 14  # spaces: the farthest that one throw of dice moves a pawn, in any edition
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


@cache
def all_throws(ruleset: RuleSet) -> tuple[tuple[int, ...], ...]:
    """Return the faces of all equally likely throws: 6 of one die, 36 of two, 64 of six cowries."""
    return tuple([one.faces for one in throws(ruleset) for _ in range(one.weight)])


def farthest_move(ruleset: RuleSet) -> int:
    """Return at least as many spaces as the farthest that one throw moves a pawn."""
    if ruleset.throws_shells:
        return GRACE + max(one.value for one in throws(ruleset))
    return FARTHEST_BY_DICE


def grace_throws(ruleset: RuleSet) -> int:
    """Return the throws with a grace, as bits of `all_throws`."""
    table = LOTS[ruleset.lots]
    return sum(
        1 << number for number, faces in enumerate(all_throws(ruleset)) if table[faces[0]].grace
    )


def throws_reaching(ruleset: RuleSet, start: Start, spaces: int, held: int) -> int:
    """Return the throws that move one pawn by exactly `spaces`, as bits of `all_throws`.

    spaces: if the pawn starts in the nest, counted from the entry; with cowries, from the centre.
    held: the spaces on the way on which no die may end, bit 0 for the first.

    Blockades are ignored, and so is the option `free_entry`.
    """
    held = 0 if ruleset.touch_down else held
    return sum(
        1 << number
        for number, faces in enumerate(all_throws(ruleset))
        if _reaches(ruleset, start, faces, spaces, held)
    )


def _reaches(
    ruleset: RuleSet, start: Start, faces: tuple[int, ...], spaces: int, held: int
) -> bool:
    if ruleset.throws_shells:
        return _reaches_by_lots(ruleset, start, faces, spaces)
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


def _reaches_by_lots(ruleset: RuleSet, start: Start, faces: tuple[int, ...], spaces: int) -> bool:
    lot = LOTS[ruleset.lots][faces[0]]
    if not start.in_nest:
        return lot.value == spaces
    if ruleset.grace == "enter":
        return lot.grace and spaces in (GRACE, GRACE + lot.value)
    return lot.grace and spaces == lot.value


def _enters_and_reaches(
    ruleset: RuleSet, faces: tuple[int, ...], increments: tuple[int, ...], spaces: int, held: int
) -> bool:
    if increments == (GRANT,):
        number = ruleset.entry_number
        return faces[0] == number and spaces <= GRANT - number
    if spaces == 0 and _enters_by_sum(ruleset, faces):
        return True
    if ruleset.total_move == "only":
        return spaces == 0 and increments == (ruleset.entry_number,)
    if ruleset.entry_by == "sum":
        return False
    return any(
        number in (increments if ruleset.undersides_enter else faces)
        and _adds_up(_remove(increments, number), spaces, held)
        for number in terrain(ruleset).entry_numbers
    )


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
