"""The terrain: what a rule set's board is to every throw, as tables of bits. Knows no pawns.

Bits and places are those of `board`.
"""

from functools import lru_cache, reduce
from math import gcd
from operator import or_

from .board import PLACES, bits, board, routes, safety_spaces, seen_bits
from .increments import GRANT
from .ruleset import RuleSet


class Terrain:
    """A rule set's board, worked out once; `terrain` keeps it.

    bits: of each place, by the place. routes: of each place on the board, by the number of spaces.
    views: the bits of the pawns of the seat that sits 0 to 3 seats further, by their place.
    to_go: the spaces home from each place. safe: the safety spaces, as bits. entry_bit: the entry.
    """

    def __init__(self, ruleset: RuleSet) -> None:
        self.board = board(ruleset.layout)
        self.bits = bits(ruleset.layout)
        self.routes = routes(ruleset.layout, ruleset.second_circuit)
        self.views = seen_bits(ruleset.layout)
        self.to_go = {place: self.board.spaces_to_go(place) for place in PLACES}
        self.safe = sum(1 << space for space in safety_spaces(ruleset.layout, ruleset.safety))
        self.entry_bit = self.board.bit(0)
        # Place numbers fall from home to nest but on a second circuit.
        self.by_number = not ruleset.second_circuit
        self.reaches = {  # of a 14-space grant from each place, as bits
            place: reduce(or_, (route.way for routes in ways[: GRANT + 1] for route in routes), 0)
            for place, ways in self.routes.items()
        }
        round_again = self.board.ring if ruleset.second_circuit else 0
        # What the ways home that bonuses alone can go are a multiple of.
        self.bonus_unit = gcd(ruleset.capture_bonus, ruleset.finish_bonus, round_again) or 1


@lru_cache(maxsize=64)
def terrain(ruleset: RuleSet) -> Terrain:
    """Return the terrain of a rule set."""
    return Terrain(ruleset)
