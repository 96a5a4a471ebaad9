"""The terrain: tables of bits for a rule set's board, the same for every throw. Knows no pawns.

`board` explains bits and places.
"""

from functools import lru_cache, reduce
from math import gcd
from operator import or_

from .board import PLACES, bits, board, routes, safety_spaces, seen_bits
from .increments import GRANT
from .ruleset import RuleSet


class Terrain:
    """A rule set's board, worked out once; `terrain` keeps it.

    bits: each place's bit, by the place. routes: from each place on the board, by the number of
    spaces. views: the bits of the pawns of the seat 0 to 3 seats further, by their place.
    to_go: the spaces home, by the place. safe: the safety spaces, as bits.
    entry_bit: the entry space, as a bit. reaches: all spaces within 14 of a place, as bits.
    """

    def __init__(self, ruleset: RuleSet) -> None:
        self.board = board(ruleset.layout)
        self.bits = bits(ruleset.layout)
        self.routes = routes(ruleset.layout, ruleset.second_circuit)
        self.views = seen_bits(ruleset.layout)
        self.to_go = {place: self.board.spaces_to_go(place) for place in PLACES}
        self.safe = sum(1 << space for space in safety_spaces(ruleset.layout, ruleset.safety))
        self.entry_bit = self.board.bit(0)
        # Unless there is a second circuit, place numbers fall from home to nest.
        self.by_number = not ruleset.second_circuit
        self.reaches = {  # of a 14-space grant from each place, as bits
            place: reduce(or_, (route.way for routes in ways[: GRANT + 1] for route in routes), 0)
            for place, ways in self.routes.items()
        }
        round_again = self.board.ring if ruleset.second_circuit else 0
        # Bonuses alone bring a pawn home only if its spaces to go are a multiple of this.
        self.bonus_unit = gcd(ruleset.capture_bonus, ruleset.finish_bonus, round_again) or 1


@lru_cache(maxsize=64)
def terrain(ruleset: RuleSet) -> Terrain:
    """Return the terrain of a rule set; the same object for equal rule sets."""
    return Terrain(ruleset)
