"""The terrain: tables of bits for a rule set's board, the same for every throw. Knows no pawns.

`board` explains bits and places.
"""

from functools import lru_cache, reduce
from math import gcd
from operator import or_

from ..board import HOME, ROW, Walk, bits, board, routes, seen_bits, star_spaces, walks
from ..increments import GRACE, GRANT
from ..position import PAWNS
from ..ruleset import LOTS, PAIRS, SAFETY_SHARED, STACKING, RuleSet
from .worlds import TAG_BITS


class Terrain:
    """A rule set's board, worked out once; `terrain` keeps it. Sets of spaces are bits."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.board = board(ruleset.layout)
        self.bits = bits(ruleset.layout)  # each place's bit, by the place
        # The same, by a pawn's number in a world.
        self.world_bits = tuple(bit for bit in self.bits for _ in range(1 << TAG_BITS))
        # The bits of the pawns of the seat 0 to 3 seats further, by their place.
        self.views = seen_bits(ruleset.layout)
        # How many seats further each opponent sits.
        self.seats_further = (1, 3) if ruleset.partners else (1, 2, 3)
        # Whether two pawns of partners are a pair, as two of one seat are.
        self.pairs_of_sides = ruleset.partners and ruleset.stacking != "any"
        self.to_go = self.board.to_go  # the spaces to the end, by the place
        self.safe = sum(1 << space for space in self.board.safety[ruleset.safety])
        by_passing = ruleset.captures == "passing"
        # Where a pawn that advances captures whom it lands on, and where all whom it passes.
        self.open, self.open_passed = (0, ~self.safe) if by_passing else (~self.safe, 0)
        by_lots = ruleset.entry_by == "lots"
        # The space on which every pawn enters; 0 where that depends on the throw.
        self.entry_bit = 0 if by_lots else self.board.bit(0)
        self.first_home = min(self.board.home)  # the first place where a pawn is home
        # The least numbers of pawns at the end and at home (`worlds`).
        self.end_code, self.home_code = self.board.end << TAG_BITS, self.first_home << TAG_BITS
        # The index, in a world, of the pawn with which its seat wins as soon as it is home.
        self.decider = PAWNS - ruleset.to_win
        # Whether a seat may win with other pawns on the track, while others play on.
        self.winner_leaves = self.decider > 0 and (ruleset.play_on or ruleset.partners)
        self.before_end = self.board.way[-2]  # the last place before the end
        self.guest_bit = self.board.bit(-1) << 1  # a bit beyond all spaces (`opponents`)
        row = sum(self.board.bit(ROW + n) for n in range(1, self.board.row + 1))
        self.no_passing = 0 if ruleset.row_jump else row  # where no pawn may pass one of its seat
        self.pairs = PAIRS[ruleset.pairs]  # what two pawns of a seat do
        bars_own = ruleset.overshoot == "back" and self.pairs.bar_own
        ways = ruleset.layout, ruleset.second_circuit, ruleset.overshoot, ruleset.row_by
        self.routes = routes(*ways, bars_own)  # from each place on the board, by the spaces
        self.all_walks = walks(*ways)
        # These, where a step needs the order of spaces.
        self.walks: dict[int, tuple[tuple[Walk, ...], ...]] = {}
        if by_passing or ruleset.passing == "none" or ruleset.held_target == "sends-back":
            self.walks = self.all_walks
        # The routes that lead to where a pawn lands: all or, where walks do, none.
        none = {place: ((),) * len(lengths) for place, lengths in self.routes.items()}
        self.direct = none if self.walks else self.routes
        # Whether a die may also take a pawn where no direct route leads.
        self.may_land_elsewhere = bool(self.walks) or ruleset.stop_behind_blockade
        self.benches = self.safe if self.pairs.are_not_passed else 0  # where two can't be passed
        stars = star_spaces(ruleset.layout, ruleset.stars)
        # Where a pawn goes on to that lands on a star, by its place.
        self.next_star = dict(zip(stars, (*stars[1:], HOME), strict=False))
        # Whether only the first free one of some routes counts.
        self.furthest_only = ruleset.overshoot == "over" and self.board.is_goal
        on_entry = ruleset.pairs_on == "own-entry"
        bars = -1 if ruleset.pairs_on == "all" else self.safe
        bars = bars if self.pairs.bar_others else 0
        # Where a pair bars the way of others, by how many seats further it sits; then where a pair
        # of its own, or one with its partner, bars a seat's way.
        self.bars = tuple(view[0] if on_entry else bars for view in self.views)
        self.own_bars = self.bars[0] if self.pairs.bar_own else 0
        self.mixed_bars = self.own_bars | self.bars[2] if self.pairs.bar_own else 0
        self.own_limit = STACKING[ruleset.stacking]  # how many pawns of a seat a space may hold
        # How many pawns of several seats a safety space may hold; 0 if it does not.
        self.shared_limit = SAFETY_SHARED[ruleset.safety_shared]
        self.remembers, self.has_duties = ruleset.remembers, ruleset.has_duties
        # Whether a throw that is no doublet may bring another.
        self.again_otherwise = ruleset.again_capture or ruleset.again_home or ruleset.tries > 1
        values = [lot.value for lot in LOTS[ruleset.lots].values()]
        by_die = [number for number in (ruleset.entry_number, ruleset.entry_also) if number]
        # The numbers that by themselves may bring a pawn in.
        self.entry_numbers = (GRACE, *values) if by_lots else tuple(by_die)
        as_ever = self.pairs.bar_own and not self.shared_limit
        as_ever = as_ever and not self.pairs_of_sides and ruleset.pairs_on == "all"
        # Whether opponents on the entry space never keep a pawn out.
        self.gives_way = ruleset.entry_pairs == "give-way"
        # Whether each space holds one pawn, or two of a seat that stop everybody.
        self.is_plain = as_ever and ruleset.entry_captures == "lone" and not self.gives_way
        # Unless there is a second circuit, place numbers fall from home to nest.
        self.by_number = not ruleset.second_circuit
        self.reaches = {  # of a 14-space grant from each place
            place: reduce(or_, (route.way for routes in ways[: GRANT + 1] for route in routes), 0)
            for place, ways in self.routes.items()
        }
        round_again = self.board.ring if ruleset.second_circuit else 0
        # Bonuses alone bring a pawn home only if its spaces to go are a multiple of this.
        unit = gcd(ruleset.capture_bonus, ruleset.finish_bonus, round_again) or 1
        self.bonus_unit = 1 if ruleset.overshoot == "over" else unit


@lru_cache(maxsize=64)
def terrain(ruleset: RuleSet) -> Terrain:
    """Return the terrain of a rule set; the same object for equal rule sets."""
    return Terrain(ruleset)
