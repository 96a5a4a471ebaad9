"""Walks: where a pawn lands if the order counts in which it touches the spaces of its way.

It does where a pawn can't be passed, is sent back, goes on from a star, or captures whom it passes.
`board` explains places and bits.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from ..board import NEST
from .situation import Bars, Situation


class Barriers(NamedTuple):
    """What meets one pawn that advances, as bits.

    unpassed: the spaces that it can't pass, though it may land there. full: those where its own
    side keeps it from landing. held, sent_back: those where opponents do, or send it back.
    """

    unpassed: int
    full: int
    held: int
    sent_back: int


def find_barriers(situation: Situation, lone: int, bars: Bars, origin: int) -> Barriers:
    """Return what meets the pawn at a place; the other arguments are those of `find_landings`."""
    ground, met, ruleset = situation.terrain, situation.opponents, situation.ruleset
    blocked, held = bars
    theirs = held & (met.forts | lone & ground.safe)
    unpassed, full = blocked | met.pairs & ground.benches, blocked | held & ~theirs
    if origin == NEST:  # with cowries, where nobody bars the way
        return Barriers(blocked, full, theirs, 0)
    if ruleset.passing == "none":
        unpassed = (held | lone) & ~ground.bits[origin]
    sends_back = ruleset.held_target == "sends-back"
    return Barriers(unpassed, full, *((0, theirs) if sends_back else (theirs, 0)))


def find_landings(
    situation: Situation, lone: int, bars: Bars, origin: int, spaces: int
) -> Iterator[tuple[int, int]]:
    """Return each target of an increment, its nest if the pawn is sent back, and whom it captures.

    lone, bars: the opponents that may be captured, and what `find_bars` returns.
    """
    ground, ruleset, bits = situation.terrain, situation.ruleset, situation.terrain.bits
    unpassed, full, held, sent_back = find_barriers(situation, lone, bars, origin)
    if origin == NEST and ruleset.captures == "passing":
        lone = 0
    taken = lone & ground.open & ~sent_back
    for walk in ground.walks[origin][spaces]:
        target, landed = walk.target, walk.landed
        if walk.passed & unpassed or landed & full:
            before = [*takewhile(lambda place: not bits[place] & unpassed, walk.places[:-1])]
            if before and ruleset.stop_behind_blockade:
                yield before[-1], 0
        elif not landed & held:
            caught = lone & walk.passed & situation.caught_on_the_way | taken & landed
            onward = ground.next_star.get(target)
            if landed & sent_back:
                target = NEST
            elif onward is not None:
                target = NEST if bits[onward] & sent_back else onward
                caught |= taken & bits[onward]
            yield target, caught
