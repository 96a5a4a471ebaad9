"""The plain player that the table falls back on, with no table of weights; keeps out chances.

It values a play by twice (500 less the spaces its seat has still to go, a nested pawn 100), plus 36
less the throws that capture one of its pawns, plus 10 for each blockade: the strongest of the
players in the package `racket`, `games/parcheesi/best-players`, by the author of S3. Of plays with
equal values that player takes one by chance; ours takes the first, which is a little stronger.
"""

from pi_app.players.features import Sight
from pi_app.players.play_ends import PlayEnd
from rules import NEST

NESTED = 100  # spaces to go


def graces_value(sight: Sight, option: PlayEnd, seat: int) -> float:
    """Return what an option is worth to `seat`."""
    order = sight.order(option.position, option.first)
    sides = [sight.side(option.position[other]) for other in order]
    mine = order.index(seat)
    side = sides[mine]
    nested = option.position[seat].count(NEST)
    to_go = side.to_go + nested * (NESTED - sight.journey)
    capturing = 0
    for _, other, found in sight.contacts(sides, order):
        if other == mine:
            capturing |= found.throws
    risk = 36 * capturing.bit_count() * sight.share
    return 2 * (500 - to_go) + 36 - risk + 10 * (side.pairs[0].bit_count())
