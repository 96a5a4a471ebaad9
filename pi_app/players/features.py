"""Computes the features of a position for each seat, as numbers. It does not rate the position.

All features depend on the rule set: its board, safety spaces, entry rule and dice. They depend on
the distances between seats, but not on the seats' letters. So all letters are equal.

A set of ring spaces is an integer with one bit for each space. Bit 0 is the entry of one seat, the
hunter. With these sets the module finds the pawns that the hunter can reach:

    hunter's pawn       .  .  .  h  .  .  .  .  .  .  .
    distance            .  .  .  .  1  2  3  4  5  6  7     spaces from h, up to HUNTING_RANGE
    other's lone pawn   .  .  .  .  .  .  .  x  .  .  .     4 spaces away: 4, 1 + 3, 2 + 2, 3 + 1
    other's blockade    .  .  .  .  .  .  .  .  .  o  .     h cannot reach space 6, nor pass it

`reach.throws_reaching` turns "4 spaces" into the throws that move a pawn this distance, with one
bit for each of the 36 throws. The union of the sets of all captures is counted, so a throw that
captures two pawns counts once.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce
from math import log
from operator import or_
from typing import NamedTuple

from pi_app.players.bearoff import LAST_SPACES, Hazards, load_bearoff, race_chances
from pi_app.players.reach import ALL_THROWS, FARTHEST, Start, throws_reaching
from rules import HOME, NEST, ROW, Position, RuleSet, next_seat
from rules import at as game_at
from rules import terrain as terrain_of
from rules.position import PAWNS, Pawns

SEATS = 4
DIE_RANGE = 6  # spaces: the farthest that one die moves a pawn
HUNTING_RANGE = 20  # spaces: a pawn farther ahead is not a target
MAX_CACHED_THROWS = 2048
LEAST_RACE = 0.01  # is added to the ratio of a seat's chance in the race
RACE_SCALE = 4
SPACES_SCALE = 100  # a feature in spaces is divided by this, so that it is about 1 at most

# Features of a seat's own pawns.
OWN_FEATURES = (
    "to_go",  # spaces to home; a pawn in the nest counts from the entry
    "nest_1",  # nest_n: 1 if at least n pawns are in the nest
    "nest_2",
    "nest_3",
    "nest_4",
    "home_1",  # home_n: 1 if at least n pawns are home
    "home_2",
    "home_3",
    "row",  # pawns in the home row
    "finish",  # share of the throws that bring a pawn home if nothing blocks it
    "arm_1",  # arm_n: pawns on the nth quarter of the ring
    "arm_2",
    "arm_3",
    "arm_4",
    "safe",  # lone pawns on safety spaces
    "lone",  # lone pawns on other spaces of the ring
    "blockades",
    "own_entry",  # 1 if the seat's own blockade is on its entry and a pawn is in the nest
    "within_1",  # within_n: the chance to finish within n turns if nobody met the seat's pawns
    "within_2",
    "within_4",
)
# Features between a seat and each other seat, summed over the other seats. A capture is possible
# "soon" if the hunter throws before the seat that may lose the pawn. Otherwise it is "later".
CONTACT_FEATURES = (
    "risk_soon",  # others' throws that capture a pawn of this seat
    "stake_soon",  # the same throws, each multiplied by the spaces that the pawn has moved
    "risk_later",
    "stake_later",
    "hunt_soon",  # this seat's throws that capture another seat's pawn
    "hunt_later",
    "waits",  # own pawns that have another seat's blockade at most 6 spaces ahead
    "waits_far",  # the same, as far ahead as one throw can move a pawn
    "holds",  # others' pawns at most 6 spaces behind this seat's blockade
    "holds_far",
    "shut_out",  # own pawns in the nest while another seat's blockade is on the entry
    "shuts_out",  # others' pawns in the nest while this seat's blockade is on their entry
    "hunters",  # others' pawns at most 20 spaces behind a lone pawn of this seat
)
(
    RISK_SOON,
    STAKE_SOON,
    RISK_LATER,
    STAKE_LATER,
    HUNT_SOON,
    HUNT_LATER,
    WAITS,
    WAITS_FAR,
    HOLDS,
    HOLDS_FAR,
    SHUT_OUT,
    SHUTS_OUT,
    HUNTERS,
) = range(len(CONTACT_FEATURES))
TURN_FEATURES = ("first", "second", "third")  # 1 if the seat throws next, second, third
# come: the leader's progress, 0 to 1. race: the seat's chance if no pawns met from now on, as the
# logarithm of its ratio to an equal share.
OTHER_FEATURES = (*CONTACT_FEATURES, *TURN_FEATURES, "come", "race")
FEATURE_NAMES = (*OWN_FEATURES, *OTHER_FEATURES)

Features = tuple[float, ...]


class SeatFeatures(NamedTuple):
    """One seat's pawns, as features and as bits.

    own: the features in the order of `OWN_FEATURES`.
    to_go: the sum of all pawns' spaces to home.
    places: where its pawns on the ring are.
    nest_count: how many of its pawns are in the nest.
    zone: the spaces on which another seat's pawn can be a target or an obstacle for this seat. Bit
    0 is its own entry.
    lone, blockades: its lone pawns and its blockades on the ring, each as four sets of bits. In set
    n, the bits are counted from the entry of the seat that is n seats before this one in the
    direction of travel.
    way: likewise, the spaces on which its pawns on the ring stand or may still come.
    hazards: of finishing in each turn if nobody meets its pawns. exact: whether they are exact.
    """

    own: Features
    to_go: int
    places: tuple[int, ...]
    nest_count: int
    zone: int
    lone: tuple[int, ...]
    blockades: tuple[int, ...]
    way: tuple[int, ...]
    hazards: Hazards
    exact: bool


class ContactFeatures(NamedTuple):
    """The features between one seat, the hunter, and another one.

    throws: the throws that capture a pawn of the other seat, as bits.
    hunt: the share of these throws among all throws.
    risk: like `hunt`, but a throw that can capture two different pawns counts twice.
    stake: like `risk`, but each count is multiplied by the spaces that the pawn has moved.
    The other fields are counts of pawns, as in `CONTACT_FEATURES`.
    """

    throws: int = 0
    hunt: float = 0.0
    risk: float = 0.0
    stake: float = 0.0
    waits: int = 0
    waits_far: int = 0
    shut_out: int = 0
    hunters: int = 0


NO_CONTACT = ContactFeatures()


class WayAhead(NamedTuple):
    """The way from one space of the ring to another one ahead.

    spaces: its length. passed: the spaces between the two ends, as one set of bits.
    between: the same spaces in order, one bit each.
    """

    spaces: int
    passed: int
    between: tuple[int, ...]


class FeatureExtractor:
    """Computes the features of any position under one rule set."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        terrain = terrain_of(ruleset)
        self._ring_length, self._last_ring_place = terrain.board.ring, terrain.board.last
        self._arm_length = terrain.board.arm
        self.safe_bits, self._entry_bit = terrain.safe, terrain.entry_bit
        self._place_bits = terrain.bits
        self._to_go = {**terrain.to_go, NEST: terrain.to_go[0]}
        self.entry_to_home = terrain.to_go[0]
        self.throw_share = 1 / len(ALL_THROWS[ruleset.dice])
        self._ways_ahead = {
            place: {
                route.landed: WayAhead(
                    spaces,
                    route.passed,
                    tuple(1 << (place + n) % self._ring_length for n in range(1, spaces)),
                )
                for spaces in range(HUNTING_RANGE, 0, -1)
                for route in terrain.routes[place][spaces]
                if route.target < ROW
            }
            for place in terrain.routes
            if place < ROW
        }
        self._bits_in_reach = {
            place: (
                _near_bits(ahead, DIE_RANGE),
                _near_bits(ahead, FARTHEST),
                _near_bits(ahead, HUNTING_RANGE),
            )
            for place, ahead in self._ways_ahead.items()
        }
        self._bearoff = load_bearoff(ruleset)
        self._farthest_exact = LAST_SPACES - 1 + terrain.to_go[terrain.board.last]
        round_again = (1 << self._ring_length) - 1 if ruleset.second_circuit else 0
        last = terrain.board.last
        self._way_home = {
            place: round_again | sum({self._place_bits[n] for n in range(place, last + 1)})
            for place in range(self._last_ring_place + 1)
        }
        self._throws_cache: dict[tuple[Start, int, int], int] = {}
        self.seat_features = lru_cache(maxsize=512)(self._compute_seat_features)
        self._contact = lru_cache(maxsize=2048)(self._compute_contact)
        self._orders: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}

    def to_go(self, place: int) -> int:
        """Return the spaces from a place to home. The nest counts as the entry."""
        return self._to_go[place]

    def compute_features(self, position: Position, order: tuple[int, ...]) -> list[Features]:
        """Return the features of each seat in `order`, each in the order of `FEATURE_NAMES`.

        order: the seats that play, in the order of their turns. The first one throws next.
        """
        seats, other_features = self.split_features(position, order)
        return [(*seat.own, *others) for seat, others in zip(seats, other_features, strict=True)]

    def split_features(
        self, position: Position, order: tuple[int, ...]
    ) -> tuple[list[SeatFeatures], list[Features]]:
        """Return the `SeatFeatures` of each seat in `order`, and the `OTHER_FEATURES` of each."""
        seats = [self.seat_features(position[seat]) for seat in order]
        contact_sums = [[0.0] * len(CONTACT_FEATURES) for _ in order]
        for hunting_seat, hunted_seat, contact in self.find_contacts(seats, order):
            hunter, hunted = contact_sums[hunting_seat], contact_sums[hunted_seat]
            _, hunt, risk, stake, waits, waits_far, shut_out, hunters = contact
            if hunting_seat < hunted_seat:  # the hunter throws first
                hunted[RISK_SOON] += risk
                hunted[STAKE_SOON] += stake
                hunter[HUNT_SOON] += hunt
            else:
                hunted[RISK_LATER] += risk
                hunted[STAKE_LATER] += stake
                hunter[HUNT_LATER] += hunt
            hunter[WAITS] += waits
            hunter[WAITS_FAR] += waits_far
            hunted[HOLDS] += waits
            hunted[HOLDS_FAR] += waits_far
            hunter[SHUT_OUT] += shut_out
            hunted[SHUTS_OUT] += shut_out
            hunted[HUNTERS] += hunters
        progress = 1 - min(seat.to_go for seat in seats) / (PAWNS * self.entry_to_home)
        races = [
            log(len(order) * chance + LEAST_RACE) / RACE_SCALE
            for chance in race_chances([seat.hazards for seat in seats])
        ]
        return seats, [
            (*sums, *_TURNS[turn], progress, races[turn]) for turn, sums in enumerate(contact_sums)
        ]

    def exact_chances(self, position: Position, first: int) -> dict[int, float] | None:
        """Return each seat's exact chance to win, None if pawns of two seats can still meet.

        first: the seat that throws next. A pawn that a third doublet may send to its nest is not
        taken to meet others.
        """
        order = self.turn_order(position, first)
        seats = [self.seat_features(position[seat]) for seat in order]
        if not all(seat.exact for seat in seats):
            return None
        passed = 0
        for seat, features in zip(order, seats, strict=True):
            way = features.way[seat]
            if passed & way:
                return None
            passed |= way
        chances = race_chances([seat.hazards for seat in seats])
        return dict(zip(order, chances, strict=True))

    def find_contacts(
        self, seats: list[SeatFeatures], order: tuple[int, ...]
    ) -> Iterator[tuple[int, int, ContactFeatures]]:
        """Yield the contact of each hunter with each other seat that it can affect.

        seats: the features of the seats in `order`. Each item has the hunter's index in `order`,
        the other seat's index, and the contact.
        """
        for hunter, hunter_features in enumerate(seats):
            _, _, places, nest_count, zone, _, own_blockades, *_ = hunter_features
            others = [
                (index, other.lone[distance] & zone, other.blockades[distance] & zone, distance)
                for index, other in enumerate(seats)
                if index != hunter
                for distance in ((order[index] - order[hunter]) % SEATS,)
            ]
            blocked, all_lone = own_blockades[0] & zone, 0
            for _, lone, blockades, _ in others:
                blocked |= blockades
                all_lone |= lone
            occupied_safe = all_lone & self.safe_bits
            for other, lone, blockades, distance in others:
                if lone or blockades:
                    contact = self._contact(
                        places, nest_count, lone, blockades, distance, blocked, occupied_safe
                    )
                    if contact is not NO_CONTACT:
                        yield hunter, other, contact

    def turn_order(self, position: Position, first: int) -> tuple[int, ...]:
        """Return the seats that play, in the order of their turns. `first` throws next."""
        seats = tuple([seat for seat, pawns in enumerate(position) if pawns])
        cached = self._orders.get((seats, first))
        if cached is not None:
            return cached
        nests = [(NEST,) * PAWNS if seat in seats else () for seat in range(SEATS)]
        game = game_at(self.ruleset, (nests[0], nests[1], nests[2], nests[3]), first)
        order = [first]
        while len(order) < len(seats):
            order.append(next_seat(game, order[-1]))
        self._orders[seats, first] = tuple(order)
        return tuple(order)

    # --- one seat -------------------------------------------------------------------------------

    def _compute_seat_features(self, pawns: Pawns) -> SeatFeatures:
        ring_places = tuple(place for place in pawns if 0 <= place < ROW)
        nest_count = pawns.count(NEST)
        to_go = sum(self._to_go[place] for place in pawns)
        lone = blockades = 0
        for place in ring_places:
            bit = self._place_bits[place]
            blockades |= lone & bit
            lone |= bit
        lone &= ~blockades
        zone = sum({bit for place in ring_places for bit in self._ways_ahead[place]})
        if nest_count:
            zone |= self._entry_bit | self._bits_in_reach[0][1]
        spaces = tuple(sorted([self._to_go[place] for place in pawns]))
        exact = not nest_count and spaces[-1] <= self._farthest_exact
        if exact:
            hazards = self._bearoff.hazards(spaces)
        else:
            hazards = self._bearoff.estimate_hazards(to_go, nest_count, PAWNS - pawns.count(HOME))
        way = reduce(or_, (self._way_home[place] for place in ring_places), 0)
        own = self._own_features(pawns, ring_places, lone, blockades)
        return SeatFeatures(
            (*own, *_within(hazards)),
            to_go,
            ring_places,
            nest_count,
            zone,
            self._rotate_bits(lone),
            self._rotate_bits(blockades),
            self._rotate_bits(way),
            hazards,
            exact,
        )

    def _own_features(
        self, pawns: Pawns, ring_places: tuple[int, ...], lone: int, blockades: int
    ) -> Features:
        """Return a seat's own features, in the order of `OWN_FEATURES`.

        ring_places: where its pawns on the ring are. lone, blockades: as bits from its own entry.
        """
        nest_count, home = pawns.count(NEST), pawns.count(HOME)
        finishing_throws = 0
        start = Start(in_nest=False, nested=min(nest_count, 2), entering=min(nest_count, 2))
        for place in pawns:
            if place not in (NEST, HOME) and self._to_go[place] <= FARTHEST:
                finishing_throws |= self._reaching_throws(start, self._to_go[place], 0)
        quarters = [min(4 * place // (self._last_ring_place + 1), 3) for place in ring_places]
        return (
            sum(self._to_go[place] for place in pawns) / SPACES_SCALE,
            *(float(nest_count >= n) for n in (1, 2, 3, 4)),
            *(float(home >= n) for n in (1, 2, 3)),
            float(PAWNS - nest_count - home - len(ring_places)),
            finishing_throws.bit_count() * self.throw_share,
            *(float(quarters.count(n)) for n in range(4)),
            float((lone & self.safe_bits).bit_count()),
            float((lone & ~self.safe_bits).bit_count()),
            float(blockades.bit_count()),
            float(nest_count > 0 and blockades & self._entry_bit > 0),
        )

    def _rotate_bits(self, bits: int) -> tuple[int, ...]:
        """Return a seat's bits four times.

        They are counted from its own entry, then from the entries of the three seats before it.
        """
        all_bits = (1 << self._ring_length) - 1
        return tuple(
            (bits << n * self._arm_length | bits >> self._ring_length - n * self._arm_length)
            & all_bits
            for n in range(SEATS)
        )

    # --- two seats ------------------------------------------------------------------------------

    def _compute_contact(
        self,
        places: tuple[int, ...],
        nest_count: int,
        lone: int,
        blockades: int,
        distance: int,
        blocked: int,
        occupied_safe: int,
    ) -> ContactFeatures:
        """Return the contact of a hunting seat with another seat.

        places, nest_count: the hunter's pawns.
        lone, blockades: the other seat's lone pawns and blockades in the hunter's zone.
        distance: how many seats the other seat is after the hunter, in the direction of travel.
        blocked: the blockades of all seats.
        occupied_safe: the safety spaces with a lone pawn of any other seat. A pawn cannot stop
        there, not even between two dice.
        In all sets of spaces, bit 0 is the hunter's entry.
        """
        waits = waits_far = hunters = 0
        targets = lone & ~self.safe_bits
        for place in places:
            in_die_range, in_throw_range, in_hunting_range = self._bits_in_reach[place]
            if blockades & in_throw_range:
                waits_far += 1
                waits += blockades & in_die_range > 0
            if targets & in_hunting_range:
                hunters += (targets & in_hunting_range).bit_count()
        shut_out = nest_count if blockades & self._entry_bit else 0
        throws_by_target = self._throws_by_captured_pawn(
            places, nest_count, lone, blocked, occupied_safe
        )
        if not (throws_by_target or waits_far or shut_out or hunters):
            return NO_CONTACT
        capturing_throws = risk = stake = 0
        for bit, throws in throws_by_target.items():
            capturing_throws |= throws
            count = throws.bit_count()
            risk += count
            stake += count * (
                (bit.bit_length() - 1 - distance * self._arm_length) % self._ring_length
            )
        share = self.throw_share
        shares = capturing_throws.bit_count() * share, risk * share, stake * share / SPACES_SCALE
        return ContactFeatures(capturing_throws, *shares, waits, waits_far, shut_out, hunters)

    def _throws_by_captured_pawn(
        self, places: tuple[int, ...], nest_count: int, lone: int, blocked: int, occupied_safe: int
    ) -> dict[int, int]:
        """Return the throws that capture a pawn, for each pawn that can be captured.

        The keys are the bits of the pawns' spaces. places, nest_count, lone, blocked,
        occupied_safe: as in `_compute_contact`.
        """
        found: dict[int, int] = {}
        targets = lone & ~self.safe_bits
        entering = 0 if blocked & self._entry_bit else min(nest_count, 2)
        start = Start(in_nest=False, nested=min(nest_count, 2), entering=entering)
        for place in places:
            self._reach_from(place, start, targets, blocked, occupied_safe, found)
        if entering:
            start = start._replace(in_nest=True)
            self._reach_from(0, start, targets & ~self._entry_bit, blocked, occupied_safe, found)
            if lone & self._entry_bit:
                throws = self._reaching_throws(start, 0, 0)
                found[self._entry_bit] = found.get(self._entry_bit, 0) | throws
        return found

    def _reaching_throws(self, start: Start, spaces: int, held: int) -> int:
        """Call `throws_reaching` for this rule set, with a cache."""
        key = start, spaces, held
        cached = self._throws_cache.get(key)
        if cached is None:
            if len(self._throws_cache) >= MAX_CACHED_THROWS:
                self._throws_cache.clear()
            cached = self._throws_cache[key] = throws_reaching(self.ruleset, start, spaces, held)
        return cached

    def _reach_from(
        self,
        place: int,
        start: Start,
        targets: int,
        blocked: int,
        occupied_safe: int,
        found: dict[int, int],
    ) -> None:
        """Add throws to `found`: those with which a pawn on `place` captures one of `targets`.

        The keys of `found` are the bits of the targets. start: the `Start` of the pawn. blocked,
        occupied_safe: as in `_compute_contact`.
        """
        remaining_targets = self._bits_in_reach[place][1] & targets
        ways_ahead = self._ways_ahead[place]
        while remaining_targets:
            bit = remaining_targets & -remaining_targets
            remaining_targets ^= bit
            spaces, passed, between = ways_ahead[bit]
            if passed & blocked:
                continue
            held = 0
            if passed & occupied_safe:
                held = sum(1 << n for n, space in enumerate(between) if space & occupied_safe)
            throws = self._reaching_throws(start, spaces, held)
            if throws:
                found[bit] = found.get(bit, 0) | throws


def _near_bits(ways_ahead: dict[int, WayAhead], max_spaces: int) -> int:
    """Return the spaces at a distance of at most `max_spaces`, as one set of bits."""
    return sum(bit for bit, way in ways_ahead.items() if way.spaces <= max_spaces)


def _within(hazards: Hazards) -> Features:
    """Return the chances to finish within 1, 2 and 4 turns."""
    running, chances = 1.0, []
    for hazard in hazards[:4]:
        running *= 1 - hazard
        chances.append(1 - running)
    return chances[0], chances[1], chances[3]


_TURNS = tuple(tuple(float(n == turn) for turn in range(len(TURN_FEATURES))) for n in range(SEATS))


@lru_cache(maxsize=2)  # building an extractor takes 7 ms, and every position needs one
def feature_extractor(ruleset: RuleSet) -> FeatureExtractor:
    """Return the feature extractor of a rule set, with its caches."""
    return FeatureExtractor(ruleset)
