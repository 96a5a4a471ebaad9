"""Worlds: one seat's pawns as integers, once for each way to number pawns on the same space.

A pawn is one integer, `place << TAG_BITS | tag`, and a world is a sorted tuple of four pawns:

    | place | part | pair |    pair, 2 bits: 1 or 2, its pair when the dice were thrown; else 0
                               part, 1 bit: whether it has taken a part of 14 spaces

The pair rule and the 14 spaces ask which pawn has moved, but pawns look alike. So where pawns with
different tags are on one space, the play goes on in a world for each, and a step is legal if it is
legal in one of them. A double three gives 3, 3, 4 and 4, and the pawns marked ' are a pair:

                     11  12' 12'
    12-15(3)         11  12' 15'
    11-15(4)         12' 15  15'
    15-19(4)         12' 15  19'   or   12' 15' 19     either pawn on 15 may be the one that moves
    12-15(3)         15  15' 19'                       the other world would pair ' and ' on 15

Opponents, dice and routes are not known here.
"""

from typing import Final

from ..board import NEST
from ..ruleset import RuleSet

TAG_BITS: Final = 3
PAIR: Final = 0b011
PART: Final = 0b100
IN_NEST: Final = NEST << TAG_BITS

World = tuple[int, ...]  # one seat's four pawns, least advanced place number first


def places(world: World) -> list[int]:
    """Return where a world's pawns stand, in its order."""
    return [code >> TAG_BITS for code in world]


def find_spaces(bits: tuple[int, ...], pawns: tuple[int, ...]) -> tuple[int, int]:
    """Return the spaces with any of four pawns, and those with two or more, as bits.

    bits: the bit of each pawn's space, by the numbers that `pawns` has: places or those of a world.
    """
    one, two, three, four = pawns
    a, b, c, d = bits[one], bits[two], bits[three], bits[four]
    first_two = a | b
    first_three = first_two | c
    return first_three | d, a & b | first_two & c | first_three & d


class Mover:
    """Moves a seat's pawns under the pair rule.

    pawns: their places when the dice were thrown. bits: each place's bit, by the place.
    shares: whether pawns may take parts of 14 spaces.
    """

    def __init__(
        self, ruleset: RuleSet, pawns: tuple[int, ...], bits: tuple[int, ...], shares: bool
    ) -> None:
        self._bits = bits
        self._pair_bits, seen = [0], 0  # the spaces of pair 1 and pair 2, as bits
        if ruleset.pair_rule != "off":
            for place in pawns:
                if seen & bits[place]:
                    self._pair_bits.append(bits[place])
                seen |= bits[place]
        self._throughout = ruleset.pair_rule == "throughout"
        self.alike = len(self._pair_bits) == 1  # no pawn need be told from another by its pair
        self._plain = self.alike and not shares

    def world(self, pawns: tuple[int, ...]) -> World:
        """Return pawns by their places, each tagged with the number of its pair."""
        if self.alike:
            return tuple(sorted([place << TAG_BITS for place in pawns]))
        tags = {bit: number for number, bit in enumerate(self._pair_bits)}
        return tuple(sorted(p << TAG_BITS | tags.get(self._bits[p], 0) for p in pawns))

    def has_paired(self, worlds: tuple[World, ...]) -> bool:
        """Whether a pair stands together elsewhere, however its pawns are told apart."""
        if self.alike:
            return False
        for world in worlds:
            place_bits: dict[int, int] = {}
            for code in world:
                pair, bit = code & PAIR, self._bits[code >> TAG_BITS]
                if pair and bit and bit != self._pair_bits[pair]:
                    if place_bits.get(pair) == bit:
                        break
                    place_bits[pair] = bit
            else:
                return False
        return True

    def move(
        self, worlds: tuple[World, ...], origin: int, target: int, part: int = 0
    ) -> tuple[World, ...]:
        """Return the worlds after a pawn went from origin to target; `()` if it may not.

        part: `PART` if the pawn takes a part of 14 spaces, which it may do once; else 0.
        """
        if self._plain or (part and self.alike and len(worlds) == 1):
            world = list(worlds[0])
            world[world.index(origin << TAG_BITS)] = target << TAG_BITS | part
            world.sort()
            return (tuple(world),)
        after = [
            moved
            for world in worlds
            for code in set(world)
            if code >> TAG_BITS == origin and not code & part
            for moved in [self._move_one(world, code, target, part)]
            if moved
        ]
        return tuple(sorted(set(after))) if len(after) > 1 else tuple(after)

    def _move_one(self, world: World, code: int, target: int, part: int) -> World:
        """Return a world after the pawn `code` went to `target`, () if the pair rule forbids it."""
        pair = code & PAIR
        others = list(world)
        others.remove(code)
        bit = self._bits[target]
        if pair and self._throughout and bit and bit != self._pair_bits[pair]:  # home has no bit
            for other in others:
                if other & PAIR == pair and self._bits[other >> TAG_BITS] == bit:
                    return ()
        tag = (pair if bit else 0) | code & PART | part
        others.append(target << TAG_BITS | tag)
        others.sort()
        return tuple(others)
