"""Walks: where a pawn lands that can't be passed, is sent back, goes on from a star or captures
whom it passes. All this asks in which order a pawn touches spaces, which routes don't say.

`board` explains places and bits.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..board import NEST, Walk
from .situation import Situation


class Barriers(NamedTuple):
    """What meets one pawn that advances, as bits.

    unpassed: the spaces that it can't pass, though it may land there. full: those where it may not
    land and its own side is why, so that it may stop before them. held: those where opponents keep
    it from landing, or send it back.
    """

    unpassed: int
    full: int
    held: int


def find_barriers(
    situation: Situation, lone: int, blocked: int, held: int, origin: int
) -> Barriers:
    """Return what meets the pawn at a place; the other arguments are those of `find_landings`."""
    ground, met = situation.terrain, situation.opponents
    theirs = held & (met.forts | lone & ground.safe)
    unpassed = blocked | met.pairs & ground.benches
    if situation.ruleset.passing == "none":
        unpassed = (held | lone) & ~ground.bits[origin]
    return Barriers(unpassed, blocked | held & ~theirs, theirs)


def find_landings(
    situation: Situation, lone: int, blocked: int, held: int, origin: int, spaces: int
) -> Iterator[tuple[int, int]]:
    """Return each target of an increment, its nest if the pawn is sent back, and whom it captures.

    lone, blocked, held: the opponents that may be captured, and what `find_bars` returns.
    """
    ground, ruleset, bits = situation.terrain, situation.ruleset, situation.terrain.bits
    unpassed, full, theirs = find_barriers(situation, lone, blocked, held, origin)
    may_capture, sends_back = lone, ruleset.held_target == "sends-back"
    if origin == NEST:  # with cowries
        unpassed, full, sends_back = blocked, full | theirs, False
        may_capture = lone if ruleset.captures == "landing" else 0
    for walk in ground.walks[origin][spaces]:
        target, landed = walk.target, walk.landed
        caught = may_capture & walk.passed & situation._caught_on_the_way
        if walk.passed & unpassed or landed & full:
            short = find_stop(walk, unpassed, bits)
            if short is not None and ruleset.stop_behind_blockade:
                yield short, 0
            continue
        if landed & theirs and not sends_back:
            continue
        caught |= may_capture & landed & ground.open & ~theirs
        onward = ground.next_star.get(target)
        if landed & theirs:
            target = NEST
        elif onward is not None:
            target = NEST if bits[onward] & theirs else onward
            caught |= may_capture & bits[onward] & ground.open & ~theirs
        yield target, caught


def find_stop(walk: Walk, unpassed: int, bits: tuple[int, ...]) -> int | None:
    """Return the place of a walk just before the first space that bars it, None if it is the first.

    It is barred by one of the spaces that are `unpassed`, or by its last space.
    """
    before = None
    for place in walk.places[:-1]:
        if bits[place] & unpassed:
            break
        before = place
    return before
