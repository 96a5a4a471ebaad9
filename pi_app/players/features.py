"""Computes the features of a position for each seat, as numbers. It does not rate the position.

All features depend on the rule set: its board, safety spaces, entry rule and dice. They depend on
the distances between seats, but not on the seats' letters. So all letters are equal.

A set of ring spaces is an integer with one bit for each space. Bit 0 is the entry of seat A. Where
the module looks ahead of a pawn, the set goes round the ring twice. A shift then moves the space
after the pawn to bit 0, and a mask keeps the spaces that the pawn can reach:

    hunter's pawn       .  .  .  h  .  .  .  .  .  .  .
    distance            .  .  .  .  1  2  3  4  5  6  7     spaces from h, up to HUNTING_RANGE
    bit after the shift .  .  .  .  0  1  2  3  4  5  6
    other's lone pawn   .  .  .  .  .  .  .  x  .  .  .     4 spaces away: 4, 1 + 3, 2 + 2, 3 + 1
    other's blockade    .  .  .  .  .  .  .  .  .  o  .     h cannot reach space 6, nor pass it

`reach.ReachingThrows` turns "4 spaces" into the throws that move a pawn this distance, with one
bit for each of the 36 throws. The union of the sets of all captures is counted, so a throw that
captures two pawns counts once.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product
from math import log
from operator import or_
from typing import Final, NamedTuple

from pi_app.players.bearoff import FARTHEST_IN_TABLE, Hazards, load_bearoff, race_chances
from pi_app.players.reach import ALL_THROWS, FARTHEST, ReachingThrows, Start
from rules import HOME, NEST, ROW, Position, RuleSet, next_seat
from rules import at as game_at
from rules import terrain as terrain_of
from rules.position import PAWNS, Pawns

SEATS: Final = 4
HUNTING_RANGE = 20  # spaces: a pawn farther ahead is not a target
# Spaces ahead of a pawn, as bits: those that one die reaches, and those that one throw reaches.
DIE_REACH: Final = (1 << 6) - 1
BEYOND_REACH: Final = 1 << FARTHEST
THROW_REACH: Final = BEYOND_REACH - 1
LEAST_RACE = 0.002  # is added to the ratio of a seat's chance in the race
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
# logarithm of its ratio to an equal share. quiet: 1 if no other seat is close behind one of the
# seat's lone pawns or in the way of one. quiet_race: `race` of such a seat, 0 of others.
# settled: the chance that a seat which can meet no other wins the race.
RACE_FEATURES = ("race", "quiet", "quiet_race", "settled")
OTHER_FEATURES = (*CONTACT_FEATURES, *TURN_FEATURES, "come", *RACE_FEATURES)
FEATURE_NAMES = (*OWN_FEATURES, *OTHER_FEATURES)

Features = tuple[float, ...]


class Outlook(NamedTuple):
    """The view from one space of the ring, for one seat's pawn there.

    bit: the space itself. next_space: the number of the space after it.
    ahead: the spaces ahead on the pawn's way, up to `HUNTING_RANGE`. Bit 0 is the next space.
    """

    bit: int
    next_space: int
    ahead: int


@dataclass(eq=False, slots=True)
class SeatFeatures:
    """One seat's pawns, as features and as sets of ring spaces.

    own: the features in the order of `OWN_FEATURES`.
    to_go: the sum of all pawns' spaces to home.
    nest_count: how many of its pawns are in the nest.
    entry: the view from its entry. outlooks: the views of its pawns on the ring.
    lone, blockades: its lone pawns and its blockades on the ring.
    lone_spaces: the numbers of the spaces of its lone pawns.
    way: the spaces of the ring on which its pawns stand or may still come.
    hazards: of finishing in each turn if nobody meets its pawns. exact: whether they are exact.

    Three sets go twice round the ring: `targets`, its lone pawns on spaces that are not safety
    spaces; `held`, its lone pawns on safety spaces; and `barriers`, its blockades.
    """

    own: Features
    to_go: int
    nest_count: int
    entry: Outlook
    outlooks: tuple[Outlook, ...]
    lone: int
    blockades: int
    lone_spaces: tuple[int, ...]
    targets: int
    held: int
    barriers: int
    way: int
    hazards: Hazards
    exact: bool


class ContactFeatures:
    """The features between one seat, the hunter, and another one.

    throws: the throws that capture a pawn of the other seat, as bits.
    captures: how many these are, where a throw that can capture two different pawns counts twice.
    stake: the same, each multiplied by the spaces that the pawn has moved.
    The other fields are counts of pawns, as in `CONTACT_FEATURES`.
    """

    throws: int = 0
    captures: int = 0
    stake: int = 0
    waits: int = 0
    waits_far: int = 0
    shut_out: int = 0
    hunters: int = 0


class RingPawns:
    """The pawns on the ring of all seats in a position.

    seats: their features. owners: the index of the seat that has a lone pawn on a space, by the
    space's number.
    targets, held, barriers: the union of the sets of these names in `SeatFeatures`. A pawn cannot
    stop on a held space of another seat, not even between two dice.
    """

    def __init__(self, seats: list[SeatFeatures]) -> None:
        self.seats = seats
        self.owners: dict[int, int] = {}
        self.targets = self.held = self.barriers = 0
        for index, seat in enumerate(seats):
            self.targets |= seat.targets
            self.held |= seat.held
            self.barriers |= seat.barriers
            for space in seat.lone_spaces:
                self.owners[space] = index


class FeatureExtractor:
    """Computes the features of any position under one rule set."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        terrain = terrain_of(ruleset)
        self._ring, self._last_ring_place = terrain.board.ring, terrain.board.last
        self._arm = terrain.board.arm
        self.safe_bits = terrain.safe
        self._to_go = {**terrain.to_go, NEST: terrain.to_go[0]}
        self.entry_to_home = terrain.to_go[0]
        self.throw_share = 1 / len(ALL_THROWS[ruleset.dice])
        ahead = {
            place: sum(
                1 << spaces - 1
                for spaces in range(1, HUNTING_RANGE + 1)
                if any(route.target < ROW for route in routes[spaces])
            )
            for place, routes in terrain.routes.items()
            if place < ROW
        }
        self._outlooks = [
            {
                place: Outlook(1 << space, space + 1, bits)
                for place, bits in ahead.items()
                for space in ((seat * self._arm + place) % self._ring,)
            }
            for seat in range(SEATS)
        ]
        self._throws = {
            start: ReachingThrows(ruleset, Start(*start))
            for start in product((False, True), range(3), range(3))
        }
        self._bearoff = load_bearoff(ruleset)
        last = terrain.board.last
        round_again = (1 << self._ring) - 1 if ruleset.second_circuit else 0
        self._ways_home = [
            {
                place: reduce(or_, [outlooks[n].bit for n in range(place, last + 1)], round_again)
                for place in outlooks
            }
            for outlooks in self._outlooks
        ]
        self.seat_features = lru_cache(maxsize=512)(self._compute_seat_features)
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
        seats = [self.seat_features(seat, position[seat]) for seat in order]
        contact_sums = [[0.0] * len(CONTACT_FEATURES) for _ in order]
        share = self.throw_share
        for hunting_seat, hunted_seat, contact in self.find_contacts(seats):
            hunter, hunted = contact_sums[hunting_seat], contact_sums[hunted_seat]
            if contact.throws:
                soon = hunting_seat < hunted_seat  # the hunter throws first
                hunted[RISK_SOON if soon else RISK_LATER] += contact.captures * share
                stake = contact.stake * share / SPACES_SCALE
                hunted[STAKE_SOON if soon else STAKE_LATER] += stake
                hunt = contact.throws.bit_count() * share
                hunter[HUNT_SOON if soon else HUNT_LATER] += hunt
            if contact.waits_far:
                hunter[WAITS] += contact.waits
                hunter[WAITS_FAR] += contact.waits_far
                hunted[HOLDS] += contact.waits
                hunted[HOLDS_FAR] += contact.waits_far
            if contact.shut_out:
                hunter[SHUT_OUT] += contact.shut_out
                hunted[SHUTS_OUT] += contact.shut_out
            hunted[HUNTERS] += contact.hunters
        progress = 1 - min(seat.to_go for seat in seats) / (PAWNS * self.entry_to_home)
        races = race_chances([seat.hazards for seat in seats])
        settled = 0.0
        for seat, chance in zip(seats, races, strict=True):
            if not any(seat.way & other.way for other in seats if other is not seat):
                settled += chance
        features = []
        for turn, (sums, chance) in enumerate(zip(contact_sums, races, strict=True)):
            race = log(len(order) * chance + LEAST_RACE) / RACE_SCALE
            quiet, quiet_race = (0.0, 0.0) if sums[HUNTERS] or sums[WAITS_FAR] else (1.0, race)
            features.append((*sums, *_TURNS[turn], progress, race, quiet, quiet_race, settled))
        return seats, features

    def exact_chances(self, position: Position, first: int) -> dict[int, float] | None:
        """Return each seat's exact chance to win, None if pawns of two seats can still meet.

        first: the seat that throws next. A pawn that a third doublet may send to its nest is not
        taken to meet others.
        """
        if any(NEST in pawns for pawns in position):
            return None
        order = self.turn_order(position, first)
        seats = [self.seat_features(seat, position[seat]) for seat in order]
        passed = 0
        for seat in seats:
            if not seat.exact or passed & seat.way:
                return None
            passed |= seat.way
        chances = race_chances([seat.hazards for seat in seats])
        return dict(zip(order, chances, strict=True))

    def find_contacts(self, seats: list[SeatFeatures]) -> list[tuple[int, int, ContactFeatures]]:
        """Return the contact of each hunter with each other seat that it can affect.

        seats: the features of the seats that play. Each item has the hunter's index in `seats`,
        the other seat's index, and the contact.
        """
        found, ring_pawns = [], RingPawns(seats)
        for index, hunter in enumerate(seats):
            contacts: defaultdict[int, ContactFeatures] = defaultdict(ContactFeatures)
            if ring_pawns.barriers != hunter.barriers:
                self._add_barriers(contacts, hunter, seats)
            self._add_captures(contacts, ring_pawns, index)
            found += [(index, other, contact) for other, contact in sorted(contacts.items())]
        return found

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

    def _compute_seat_features(self, seat: int, pawns: Pawns) -> SeatFeatures:
        outlooks = self._outlooks[seat]
        seen = tuple([outlooks[place] for place in pawns if 0 <= place < ROW])
        nest_count, entry = pawns.count(NEST), outlooks[0]
        to_go = sum([self._to_go[place] for place in pawns])
        lone = blockades = 0
        for outlook in seen:
            blockades |= lone & outlook.bit
            lone |= outlook.bit
        lone &= ~blockades
        spaces = sorted([self._to_go[place] for place in pawns])
        way = self._ways_home[seat][0] if nest_count else 0
        for place in pawns:
            if 0 <= place < ROW:
                way |= self._ways_home[seat][place]
        in_table = not nest_count and spaces[-1] <= FARTHEST_IN_TABLE
        if in_table:
            hazards = self._bearoff.hazards(spaces)
        else:
            hazards = self._bearoff.estimate_hazards(spaces, nest_count)
        own = self._own_features(pawns, to_go, lone, blockades, entry.bit)
        return SeatFeatures(
            (*own, *_within(hazards)),
            to_go,
            nest_count,
            entry,
            seen,
            lone,
            blockades,
            tuple([outlook.next_space - 1 for outlook in seen if outlook.bit & lone]),
            self._twice(lone & ~self.safe_bits),
            self._twice(lone & self.safe_bits),
            self._twice(blockades),
            way,
            hazards,
            in_table and self._bearoff.is_exact,
        )

    def _own_features(
        self, pawns: Pawns, to_go: int, lone: int, blockades: int, entry: int
    ) -> Features:
        """Return a seat's own features, in the order of `OWN_FEATURES`.

        to_go: the sum of all pawns' spaces to home. lone, blockades: as sets of ring spaces.
        entry: its entry, as a bit.
        """
        nest_count, home = pawns.count(NEST), pawns.count(HOME)
        finishing_throws = in_row = 0
        throws_by_way = self._throws[False, min(nest_count, 2), min(nest_count, 2)]
        quarters = [0.0] * 4
        for place in pawns:
            if place in (NEST, HOME):
                continue
            if self._to_go[place] <= FARTHEST:
                finishing_throws |= throws_by_way[1 << self._to_go[place] - 1]
            if place < ROW:
                quarters[min(4 * place // (self._last_ring_place + 1), 3)] += 1
            else:
                in_row += 1
        return (
            to_go / SPACES_SCALE,
            *_AT_LEAST[nest_count],
            *_AT_LEAST[home][:3],
            float(in_row),
            finishing_throws.bit_count() * self.throw_share,
            *quarters,
            float((lone & self.safe_bits).bit_count()),
            float((lone & ~self.safe_bits).bit_count()),
            float(blockades.bit_count()),
            float(nest_count > 0 and blockades & entry > 0),
        )

    def _twice(self, bits: int) -> int:
        """Return a set of ring spaces twice round the ring."""
        return bits | bits << self._ring

    # --- two seats ------------------------------------------------------------------------------

    def _add_barriers(
        self,
        contacts: defaultdict[int, ContactFeatures],
        hunter: SeatFeatures,
        seats: list[SeatFeatures],
    ) -> None:
        """Count a hunter's pawns that wait for another seat's blockade. contacts: by the seat."""
        for other, seat in enumerate(seats):
            if seat is hunter or not seat.barriers:
                continue
            for outlook in hunter.outlooks:
                ahead = seat.barriers >> outlook.next_space & outlook.ahead & THROW_REACH
                if ahead:
                    contacts[other].waits_far += 1
                    contacts[other].waits += ahead & DIE_REACH > 0
            if seat.barriers & hunter.entry.bit and hunter.nest_count:
                contacts[other].shut_out = hunter.nest_count

    def _add_captures(
        self, contacts: defaultdict[int, ContactFeatures], ring_pawns: RingPawns, index: int
    ) -> None:
        """Add the pawns that a hunter can capture to its contacts with the other seats.

        contacts: by the index of the other seat. index: the hunter's.
        """
        for space, throws in self._find_targets(contacts, ring_pawns, index).items():
            if throws:
                other, count = ring_pawns.owners[space], throws.bit_count()
                spaces_moved = (space + 1 - ring_pawns.seats[other].entry.next_space) % self._ring
                contacts[other].throws |= throws
                contacts[other].captures += count
                contacts[other].stake += count * spaces_moved

    def _find_targets(
        self, contacts: defaultdict[int, ContactFeatures], ring_pawns: RingPawns, index: int
    ) -> dict[int, int]:
        """Return the throws that capture each pawn, by its space. Count the hunters in `contacts`.

        contacts, index: as in `_add_captures`.
        """
        hunter, owners = ring_pawns.seats[index], ring_pawns.owners
        all_targets = ring_pawns.targets ^ hunter.targets
        all_held = ring_pawns.held ^ hunter.held
        found: dict[int, int] = {}
        nested = min(hunter.nest_count, 2)
        entering = 0 if ring_pawns.barriers & hunter.entry.bit else nested
        pawns = [(False, outlook) for outlook in hunter.outlooks]
        if entering:
            pawns.append((True, hunter.entry))
            entry = hunter.entry.next_space - 1
            if owners.get(entry, index) != index:
                found[entry] = self._throws[True, nested, entering][0]
        for in_nest, (_, next_space, ahead) in pawns:
            targets = all_targets >> next_space & ahead
            if not targets:
                continue
            throws_by_way = self._throws[in_nest, nested, entering]
            barriers = ring_pawns.barriers >> next_space | BEYOND_REACH
            held = all_held >> next_space
            while targets:
                target = targets & -targets
                targets ^= target
                space = (next_space + target.bit_length() - 1) % self._ring
                if not in_nest:
                    contacts[owners[space]].hunters += 1
                if target < barriers & -barriers:
                    throws = throws_by_way[target | held & target - 1]
                    found[space] = found.get(space, 0) | throws
        return found


@lru_cache(maxsize=2)  # building an extractor takes 7 ms, and every position needs one
def feature_extractor(ruleset: RuleSet) -> FeatureExtractor:
    """Return the feature extractor of a rule set, with its caches."""
    return FeatureExtractor(ruleset)


_AT_LEAST = tuple(
    tuple(float(count >= n) for n in range(1, PAWNS + 1)) for count in range(PAWNS + 1)
)


def _within(hazards: Hazards) -> Features:
    """Return the chances to finish within 1, 2 and 4 turns."""
    running, chances = 1.0, []
    for hazard in hazards[:4]:
        running *= 1 - hazard
        chances.append(1 - running)
    return chances[0], chances[1], chances[3]


_TURNS = tuple(tuple(float(n == turn) for turn in range(len(TURN_FEATURES))) for n in range(SEATS))
