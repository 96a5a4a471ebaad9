"""Plays as `grace`, the bot that needs no table of weights. It estimates no chances.

The value of a play has three parts: twice 500 less the spaces that the seat has still to go, where
a pawn in the nest counts 100; 36 less the throws that capture one of its pawns; and 10 for each
blockade. This is the strongest of the players in `games/parcheesi/best-players` of the package
`racket`, by the author of S3. If plays have equal values, that bot takes one at random; ours takes
the first, which is a little stronger.
"""

from pi_app.players.features import FeatureExtractor, RingPawns
from pi_app.players.play_ends import PlayEnd
from rules import NEST

NESTED = 100  # spaces to go


def grace_value(extractor: FeatureExtractor, end: PlayEnd, seat: int) -> float:
    """Return the value of an end to `seat`, in points of `grace`."""
    order = extractor.turn_order(end.position, end.first)
    sides = [extractor.seat_features(other, end.position[other]) for other in order]
    mine = order.index(seat)
    side = sides[mine]
    nested = end.position[seat].count(NEST)
    to_go = side.to_go + nested * (NESTED - extractor.nest_to_home)
    capturing = 0
    for _, other, contact in extractor.find_contacts(RingPawns(sides)):
        if other == mine:
            capturing |= contact.throws
    risk = 36 * capturing.bit_count() * extractor.throw_share
    return 2 * (500 - to_go) + 36 - risk + 10 * side.blockades.bit_count()
