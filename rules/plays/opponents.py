"""The opponents: whose pawns a seat meets where, as bits seen from it. Moves nobody.

`board` explains places and bits.
"""

from ..board import SEATS
from ..memory import Late
from ..position import Position
from ..ruleset import RuleSet
from .ground import Terrain
from .worlds import find_spaces


class Opponents:
    """All pawns but the seat's own, in one position.

    blockades: the spaces that the seat can't pass. forts: those where two pawns of one seat are
    safe, so that it can't land. lone: those whose pawns may be captured somehow, or hold a safety
    space; in Parcheesi the lone pawns. pairs: those with two or more pawns of one seat, or of a
    side. crowded: those with two or more pawns. mixed: those with pawns of several seats otherwise.
    ally, ally_pairs: where the partner has a pawn, or two, if they count as the seat's own there;
    such a pair is one of the blockades, and the partner is no opponent otherwise.
    guest: where an entering pawn captures one of two pawns, or several that would keep it out, a
    bit of its own for those pawns; of pawns of two seats, the one that came last. Else 0.
    """

    def __init__(
        self, ruleset: RuleSet, ground: Terrain, position: Position, seat: int, late: Late
    ) -> None:
        self._ground, self._position, self._seat = ground, position, seat
        self.guest, self._guest_seats = 0, tuple[int, ...]()
        self.ally = self.ally_pairs = 0
        pairs = barring = mixed = lone = 0
        for further in ground.seats_further:
            pawns = position[(seat + further) % SEATS]
            if pawns:
                spaces, spaces_of_two = find_spaces(ground.views[further], pawns)
                if spaces_of_two:
                    pairs |= spaces_of_two
                    barring |= spaces_of_two & ground.bars[further]
                mixed |= lone & spaces
                lone |= spaces
        if ground.pairs_of_sides:
            barring |= mixed & (ground.bars[1] | ground.bars[3])
            pairs, mixed = pairs | mixed, 0
            partner = position[(seat + 2) % SEATS]
            self.ally, self.ally_pairs = find_spaces(ground.views[2], partner)
        self.pairs, self.mixed, self.crowded = pairs, mixed, pairs | mixed
        if ground.is_plain:
            self.blockades, self.forts, self.lone = pairs, 0, lone & ~pairs
            return
        self.blockades = barring
        self.forts = pairs & ~barring if any(ground.pairs) and not ground.benches else 0
        self.lone = lone & ~(self.blockades | self.forts)
        if ground.pairs.bar_own:
            self.blockades |= self.ally_pairs & ground.bars[2]
        if ground.shared_limit > 2 and ground.pairs.are_safe:
            self.forts &= ~ground.safe
        entry = self.crowded & ground.entry_bit
        if entry:
            self._find_guests(ruleset, entry, late)

    def _find_guests(self, ruleset: RuleSet, entry: int, late: Late) -> None:
        """Find whom an entering pawn captures of those who fill the entry or keep it out."""
        ground, captures = self._ground, ruleset.entry_captures
        takes_one = ground.shared_limit == 2 and entry & ground.safe
        if not ground.gives_way:
            met = self.mixed if captures == "full" else 0
        elif captures == "lone":
            met = self.mixed | self.pairs & ~self.lone
        else:
            met = self.crowded if captures == "full" or takes_one else self.blockades | self.forts
        if not met & entry:
            return
        there = [who for who, _ in self.find(entry)]
        if takes_one:
            space = ground.board.space(self._seat, 0)
            known = [who for where, who in late if where == space and who in there]
            there = known or [min(there, key=lambda who: (who - self._seat) % SEATS)]
        self._guest_seats, self.guest = tuple(there), ground.guest_bit
        self.lone = (self.lone | entry if takes_one else self.lone & ~entry) | self.guest
        self.crowded |= self.guest

    def count(self, bits: int) -> int:
        """Return how many opponents' pawns are on the given bits, which are `lone`."""
        return len(self.find(bits)) if bits & self.crowded else bits.bit_count()

    def find(self, bits: int) -> tuple[tuple[int, int], ...]:
        """Return seat and place of each opponent's pawn on the given bits, by seat."""
        ground, found, guests = self._ground, [], list(self._guest_seats)
        for seat in sorted((self._seat + further) % SEATS for further in ground.seats_further):
            view = ground.views[(seat - self._seat) % SEATS]
            for place in self._position[seat]:
                bit = view[place]
                if seat in guests and bit == ground.entry_bit:
                    guests.remove(seat)
                    bit = self.guest
                if bits & bit:
                    found.append((seat, place))
        return tuple(found)
