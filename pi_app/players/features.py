"""Features: what a position means to each seat, as numbers. `value` makes chances of them.

    each seat alone         SeatFeatures      where its pawns are, and how soon they are home; kept,
                                              because a step changes the pawns of one seat or two
    each seat and another   ContactFeatures   which throws capture whose pawns
    who waits for whom      Standoff          pawns behind blockades, and who has moves to spare
    who may still meet      FAR_FEATURES      pawns that can still come behind others
    all seats               a race            each seat's chance if no pawns met from now on

The numbers depend on the rule set and on the distances between seats, not on the seats' letters.

A set of ring spaces is an integer with one bit for each space; bit 0 is the entry of seat A. To
look ahead of a pawn, the set goes round the ring twice. A shift then brings the space after the
pawn to bit 0, and a mask keeps the spaces that the pawn can reach:

    hunter's pawn       .  .  .  h  .  .  .  .  .  .  .
    distance            .  .  .  .  1  2  3  4  5  6  7     spaces from h, up to the longest step
    bit after the shift .  .  .  .  0  1  2  3  4  5  6
    other's lone pawn   .  .  .  .  .  .  .  x  .  .  .     4 spaces away: 4, 1 + 3, 2 + 2, 3 + 1
    other's blockade    .  .  .  .  .  .  .  .  .  o  .     h cannot reach space 6, nor pass it

`reach.ReachingThrows` turns "4 spaces" into the set of throws that move a pawn this distance, with
one bit for each equally likely throw. Sets are united before they are counted, so a throw that
captures two pawns counts once.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate, product
from math import log
from operator import or_
from typing import Final, NamedTuple

from pi_app.players.bearoff import (
    FARTHEST_IN_TABLE,
    Hazards,
    load_bearoff,
    race_chances,
    race_of_sides,
    spaces_to_go,
)
from pi_app.players.reach import ReachingThrows, Start, all_throws, farthest_move, grace_throws
from rules import NEST, ROW, Position, RuleSet, next_seat
from rules import at as game_at
from rules import terrain as terrain_of
from rules.board import Board
from rules.game import winning_seats
from rules.position import PAWNS, Pawns

SEATS: Final = 4
DIE_REACH: Final = (1 << 6) - 1  # the spaces ahead of a pawn that one die reaches, as bits
LEAST_RACE = 0.002  # is added to the ratio of a seat's chance in the race
RACE_SCALE = 4
SPACES_SCALE = 100  # a feature in spaces is divided by this, so that it is about 1 at most

# Features between a seat and each other seat, summed over the other seats. A capture is possible
# "soon" if the hunter throws before the seat that may lose the pawn. Otherwise it is "later".
CONTACT_FEATURES = (
    "risk_soon",  # others' throws that capture a pawn of this seat
    "stake_soon",  # the same throws, each multiplied by the spaces that the pawn has moved
    "risk_later",
    "stake_later",
    "hunt_soon",  # this seat's throws that capture another seat's pawn
    "hunt_later",
)
TURN_FEATURES = ("first", "second", "third")  # 1 if the seat throws next, second, third
# come: the leader's progress, 0 to 1. race: the seat's chance if no pawns met from now on, as the
# logarithm of its ratio to an equal share. settled: the chance that a seat which can meet no other
# wins the race. Of partners, each has half of its side's chance in the race, and only opponents
# count as others.
RACE_FEATURES = ("race", "settled")
# Who waits behind a blockade. A seat's tempo is how far its single pawns can move before the first
# blockade of another seat or to home: who has less of it than those for whom it waits gives way.
# Pawns in a pair count in `tempo_all` only.
STANDOFF_FEATURES = (
    "tempo",
    "tempo_all",
    "stuck",  # own pawns that have another seat's blockade ahead
    "all_stuck",  # 1 if all have one
    "locked",  # own pawns in a pair that has another seat's blockade at most 6 spaces ahead
    "stuck_to_go",  # share of the seat's spaces to go that its stuck pawns have
    "held",  # others' pawns that a blockade of this seat is the first to hold
    "leader_held",  # those of the leader
    "least_tempo",  # the least tempo of those for whom the seat waits
    "less_tempo",  # 1 if the seat has less
    "on_board",  # blockades of all seats
    "any_stuck",  # 1 if a pawn of any seat is stuck
)
# Others' pawns that can still come behind a pawn of this seat, and pawns of this seat that can
# still come behind others', by the spaces to the nearest. Then races as they are only in some
# positions: with nobody behind, none to come, no own pawn stuck, and so on.
FAR_FEATURES = (
    "behind_14",
    "behind_30",
    "behind_far",
    "nests_20",  # others' pawns in the nest, the same
    "nests_far",
    "ahead_14",
    "ahead_30",
    "ahead_far",
    "none_behind",
    "none_to_come",  # neither from the nest
    "race_none_behind",
    "race_none_to_come",
    "race_not_stuck",
    "race_free",  # neither stuck nor met
    "race_few",  # not stuck, and at most two can come
    "few",
)
FEATURE_NAMES = (
    "finish",  # share of the throws that bring a pawn home if nothing blocks it
    *CONTACT_FEATURES,
    *TURN_FEATURES,
    "come",
    *RACE_FEATURES,
    *STANDOFF_FEATURES,
    *FAR_FEATURES,
)

STUCK = STANDOFF_FEATURES.index("stuck")
NO_TEMPO = 300  # spaces: stands for that of nobody

Features = tuple[float, ...]


class Outlook(NamedTuple):
    """The view from one space before the home row, for one seat's pawn there.

    bit: the space itself, 0 outside the ring. next_space: the number of the space after it; outside
    the ring, as if the ring began earlier.
    way: the spaces of the ring ahead on the pawn's way. ahead: those up to the longest increment.
    Bit 0 is the next space.
    to_go: the spaces to home.
    """

    bit: int
    next_space: int
    ahead: int
    way: int
    to_go: int


@dataclass(eq=False, slots=True)
class SeatFeatures:
    """One seat's pawns, as features and as sets of ring spaces.

    inputs: the numbers of the network's inputs for the places of its pawns.
    finish: its feature of this name.
    to_go: the sum of the spaces to home of the pawns that it needs to win. row_to_go: that of its
    pawns in the home row.
    nest_count: how many of its pawns are in the nest.
    entry: the view of its pawns in the nest: from its entry, or from the centre on a board with a
    way out. outlooks: the views of its pawns on the ring and on the way out.
    lone, blockades: its lone pawns on the ring, and its pairs there, whatever a pair does.
    spaces: the numbers of the spaces of its pawns on the ring.
    way: the spaces of the ring on which its pawns stand or may still come.
    hazards: of finishing in each turn if nobody meets its pawns. exact: whether they are exact.

    Four sets go twice round the ring: `standing`, its pawns; `targets`, those that others capture
    as they advance; `held`, those on whose spaces no other seat's pawn may stop; and `barriers`,
    those that no other seat may pass, mostly pairs.
    """

    inputs: tuple[int, ...]
    finish: float
    to_go: int
    row_to_go: int
    nest_count: int
    entry: Outlook
    outlooks: tuple[Outlook, ...]
    lone: int
    blockades: int
    spaces: tuple[int, ...]
    standing: int
    targets: int
    held: int
    barriers: int
    way: int
    hazards: Hazards
    exact: bool


class Standoff:
    """Who waits for whom behind blockades, for one seat: numbers as in `STANDOFF_FEATURES`.

    They are in spaces and pawns, not yet shares. pawns: how many may still have to wait.
    waits_for: the seats for whom it waits, by index.
    """

    tempo: int = 0
    tempo_all: int = 0
    pawns: int = 0
    stuck: int = 0
    stuck_to_go: int = 0
    locked: int = 0
    held: int = 0
    leader_held: int = 0

    def __init__(self) -> None:
        self.waits_for: set[int] = set()


class ContactFeatures:
    """The features between one seat, the hunter, and another one.

    throws: the throws that capture a pawn of the other seat, as bits.
    captures: how many these are, where a throw that can capture two different pawns counts twice.
    stake: the same, each multiplied by the spaces that the pawn has moved.
    """

    throws: int = 0
    captures: int = 0
    stake: int = 0


class RingPawns:
    """The pawns on the ring of all seats in a position.

    seats: their features. owners: the index of the seat that has a pawn on a space, by the space's
    number; of several seats, any.
    targets, held, barriers: the union of the sets of these names in `SeatFeatures`. A pawn cannot
    stop on a held space of another seat, not even between two dice. crowded: the spaces on which
    pawns of several seats are.
    """

    def __init__(self, seats: list[SeatFeatures]) -> None:
        self.seats = seats
        self.owners: dict[int, int] = {}
        self.targets = self.held = self.barriers = self.crowded = 0
        pawns = 0
        for index, seat in enumerate(seats):
            self.targets |= seat.targets
            self.held |= seat.held
            self.barriers |= seat.barriers
            own = seat.lone | seat.blockades
            self.crowded |= pawns & own
            pawns |= own
            for space in seat.spaces:
                self.owners[space] = index


class FeatureExtractor:
    """Computes the features of any position under one rule set."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self.finished = finished_pawns(ruleset)
        terrain = terrain_of(ruleset)
        self._ring = terrain.board.ring
        self._arm = terrain.board.arm
        self.safe_bits = terrain.safe
        self.to_go = spaces_to_go(ruleset)
        self.nest_to_home = self.to_go[NEST]
        self._way_out = self.nest_to_home - self.to_go[0]
        first_place = NEST if terrain.board.has_way_out else 0
        farthest, last = farthest_move(ruleset), terrain.board.last
        self._farthest, self._beyond_reach = farthest, 1 << farthest
        self.throw_share = 1 / len(all_throws(ruleset))
        longest, round_again = terrain.board.longest, ruleset.second_circuit
        ahead = {
            place: (1 << (longest if round_again else min(longest, last - place)))
            - (1 << max(-place - 1, 0))
            for place in terrain.routes
            if first_place <= place < ROW
        }
        ways = {  # on a second round, to the tip once more
            place: (1 << last - place + (self._ring if place > last else 0))
            - (1 << max(-place - 1, 0))
            for place in ahead
        }
        if terrain.board.has_way_out:  # a grace besides the value goes one space farther
            ahead[NEST], ways[NEST] = ahead[NEST + 1] << 1, ways[NEST + 1] << 1
        self._outlooks = [
            {
                place: Outlook(
                    1 << space if place >= 0 else 0, space + 1, bits, ways[place], self.to_go[place]
                )
                for place, bits in ahead.items()
                for space in ((seat * self._arm + place) % self._ring,)
            }
            for seat in range(SEATS)
        ]
        self._throws = {
            start: ReachingThrows(ruleset, Start(*start))
            for start in product((False, True), range(3), range(3))
        }
        self._grace_throws = grace_throws(ruleset)
        # The throws of at most so many spaces, where a pawn captures those that it passes.
        by_way = self._throws[False, 0, 0]
        to_each = [by_way[1 << spaces] for spaces in range(farthest)]
        self._up_to = list(accumulate(to_each, or_, initial=0))
        self._captures_passing = ruleset.captures == "passing"
        self._are_partners, self._throws_shells = ruleset.partners, ruleset.throws_shells
        self._inputs, self.row_inputs = number_inputs(terrain.board)
        self._homes = tuple((place, self.to_go[place]) for place in set(self.finished))
        self._stars = self._twice(sum(1 << star for star in terrain.next_star))
        # From where a number brings a pawn home that is not its spaces to go.
        self._shortcuts = {last - n: n for n in range(1, 7) if terrain.next_star}
        if ruleset.row_by == "ladder":
            self._shortcuts[terrain.before_end] = terrain.board.row
        self._own_limit, shared = terrain.own_limit, terrain.shared_limit
        self._two_share = shared == 2
        nobody_passes, pairs = ruleset.passing == "none", terrain.pairs
        self._gives_way = ruleset.entry_pairs == "give-way"
        self._shuts_out = pairs.bar_others and not self._gives_way
        self._bars_own = nobody_passes or pairs.bar_own
        self._lone_bars = -nobody_passes
        self._pairs_bar = -1 if pairs.bar_others else pairs.are_not_passed * terrain.safe
        # Where pawns can't be captured, and where those that can't be do not let others in.
        self._safe_pairs = terrain.pairs.bar_others or terrain.pairs.are_safe
        self._held_lone = 0 if shared else terrain.safe
        self._held_pairs = (~terrain.safe if shared > 2 else -1) if terrain.pairs.are_safe else 0
        self._has_barriers = nobody_passes or pairs.bar_others or pairs.are_not_passed
        self._bearoff = load_bearoff(ruleset)
        whole_ring = (1 << self._ring) - 1 if round_again else 0
        self._ways_home = [
            {
                place: reduce(or_, [outlooks[n].bit for n in range(place, last + 1)], whole_ring)
                for place in outlooks
            }
            for outlooks in self._outlooks
        ]
        self.seat_features = lru_cache(maxsize=512)(self._compute_seat_features)
        self._orders: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}

    def compute_features(self, position: Position, order: tuple[int, ...]) -> list[Features]:
        """Return the features of each seat in `order`, each in the order of `FEATURE_NAMES`.

        order: the seats that play, in the order of their turns. The first one throws next.
        """
        seats = [self.seat_features(seat, position[seat]) for seat in order]
        contact_sums = [dict.fromkeys(CONTACT_FEATURES, 0.0) for _ in order]
        share = self.throw_share
        ring_pawns = RingPawns(seats)
        for hunting_seat, hunted_seat, contact in self.find_contacts(ring_pawns):
            hunter, hunted = contact_sums[hunting_seat], contact_sums[hunted_seat]
            when = "soon" if hunting_seat < hunted_seat else "later"  # who throws first
            hunted[f"risk_{when}"] += contact.captures * share
            hunted[f"stake_{when}"] += contact.stake * share / SPACES_SCALE
            hunter[f"hunt_{when}"] += contact.throws.bit_count() * share
        progress = 1 - min(seat.to_go for seat in seats) / (PAWNS * self.nest_to_home)
        race = race_of_sides if self._are_partners else race_chances
        races = race([seat.hazards for seat in seats])
        settled = 0.0
        for index, (seat, chance) in enumerate(zip(seats, races, strict=True)):
            if not any(seat.way & seats[n].way for n in self._find_opponents(len(seats), index)):
                settled += chance
        standoffs, meetings = self._standoff_features(ring_pawns), self._count_meetings(seats)
        features = []
        for turn, (sums, chance) in enumerate(zip(contact_sums, races, strict=True)):
            ratio = log(len(order) * chance + LEAST_RACE) / RACE_SCALE
            others = (progress, ratio, settled)
            far = _far_features(meetings[turn], ratio, is_stuck=standoffs[turn][STUCK] > 0)
            found = (*sums.values(), *_TURNS[turn], *others, *standoffs[turn], *far)
            features.append((seats[turn].finish, *found))
        return features

    def _standoff_features(self, ring_pawns: RingPawns) -> list[Features]:
        """Return the `STANDOFF_FEATURES` of each seat; all are 0 where nobody bars the way."""
        seats = ring_pawns.seats
        if not self._has_barriers:
            return [(0.0,) * len(STANDOFF_FEATURES)] * len(seats)
        standoffs = self._find_standoffs(ring_pawns)
        on_board = (ring_pawns.barriers & (1 << self._ring) - 1).bit_count() / PAWNS
        any_stuck = float(any(one.stuck for one in standoffs))
        features: list[Features] = []
        for seat, one in zip(seats, standoffs, strict=True):
            least = min([standoffs[n].tempo for n in one.waits_for], default=NO_TEMPO)
            features.append(
                (
                    one.tempo / SPACES_SCALE,
                    one.tempo_all / SPACES_SCALE,
                    one.stuck / PAWNS,
                    float(0 < one.pawns == one.stuck),
                    one.locked / PAWNS,
                    min(one.stuck_to_go / max(seat.to_go, 1), 1.0),
                    one.held / PAWNS,
                    one.leader_held / 2,
                    least / SPACES_SCALE,
                    float(one.tempo < least < NO_TEMPO),
                    on_board,
                    any_stuck,
                )
            )
        return features

    def _find_standoffs(self, ring_pawns: RingPawns) -> list[Standoff]:
        """Return who waits for whom, by seat."""
        seats = ring_pawns.seats
        standoffs = [Standoff() for _ in seats]
        leader = min(seats, key=lambda seat: seat.to_go)
        for seat, one in zip(seats, standoffs, strict=True):
            foreign = ring_pawns.barriers & ~seat.barriers
            one.tempo = one.tempo_all = seat.row_to_go
            one.pawns = len(seat.outlooks) + seat.nest_count
            for n, outlook in enumerate((*seat.outlooks, *[seat.entry] * seat.nest_count)):
                ahead, free = foreign >> outlook.next_space & outlook.way, outlook.to_go
                is_paired = outlook.bit & seat.blockades > 0
                if ahead:
                    free = (ahead & -ahead).bit_length() - 1
                    owner = ring_pawns.owners[(outlook.next_space + free) % self._ring]
                    one.waits_for.add(owner)
                    one.stuck += 1
                    one.stuck_to_go += outlook.to_go
                    one.locked += is_paired and ahead & DIE_REACH > 0
                    standoffs[owner].held += 1
                    standoffs[owner].leader_held += seat is leader
                if n < len(seat.outlooks):
                    one.tempo_all += free
                    one.tempo += 0 if is_paired else free
        return standoffs

    def _count_meetings(self, seats: list[SeatFeatures]) -> list[list[int]]:
        """Return for each seat the counts of the first eight `FAR_FEATURES`."""
        counts = [[0] * 8 for _ in seats]
        for index, seat in enumerate(seats):
            for other in self._find_opponents(len(seats), index):
                standing = seats[other].standing
                if not standing:
                    continue
                for outlook in seat.outlooks:
                    ahead = standing >> outlook.next_space & outlook.way
                    if ahead:
                        spaces = (ahead & -ahead).bit_length()
                        distance = (spaces > 14) + (spaces > 30)
                        counts[other][distance] += 1
                        counts[index][5 + distance] += 1
                if seat.nest_count:
                    ahead = standing >> seat.entry.next_space - 1 & (seat.entry.way << 1 | 1)
                    if ahead:
                        is_far = (ahead & -ahead).bit_length() > 21
                        counts[other][4 if is_far else 3] += seat.nest_count
        return counts

    def find_finished(self, position: Position) -> list[int]:
        """Return the seats that have brought so many pawns home as they must."""
        last = self.ruleset.to_win - 1
        return [n for n, pawns in enumerate(position) if pawns and pawns[last] in self.finished]

    def find_winners(self, position: Position) -> tuple[int, ...]:
        """Return the seats that have won, `()` if nobody has."""
        return winning_seats(self.ruleset, self.find_finished(position))

    def _find_opponents(self, count: int, index: int) -> tuple[int, ...]:
        """Return the indices of a seat's opponents among so many seats in the order of turns."""
        first, step = (1, 2) if self._are_partners else (1, 1)
        return tuple([(index + further) % count for further in range(first, count, step)])

    def exact_chances(self, position: Position, first: int) -> dict[int, float] | None:
        """Return each seat's exact chance to win, None if pawns of two seats can still meet.

        first: the seat that throws next. A pawn that a third doublet may send to its nest is not
        taken to meet others. With partners the result is always None, because a side that plays for
        the last pawn of both seats plays other moves than a seat that plays for its own.
        """
        if self._are_partners or any(NEST in pawns for pawns in position):
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

    def find_contacts(self, ring_pawns: RingPawns) -> list[tuple[int, int, ContactFeatures]]:
        """Return the contact of each hunter with each other seat that it can affect.

        Each item has the hunter's index in `RingPawns.seats`, the other seat's, and the contact.
        """
        find = self._find_passed if self._captures_passing else self._find_targets
        found, seats = [], ring_pawns.seats
        for index in range(len(seats)):
            contacts: defaultdict[int, ContactFeatures] = defaultdict(ContactFeatures)
            for (space, other), throws in find(ring_pawns, index).items():
                if throws:
                    count, seat = throws.bit_count(), seats[other]
                    from_entry = (space + 1 - seat.entry.next_space - self._way_out) % self._ring
                    pawns = 1 if self._safe_pairs else 1 + (seat.blockades >> space & 1)
                    contacts[other].throws |= throws
                    contacts[other].captures += count
                    contacts[other].stake += pawns * count * (self._way_out + from_entry)
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
        seen = tuple([outlooks[place] for place in pawns if NEST < place < ROW])
        nest_count, entry = pawns.count(NEST), outlooks[NEST if self._way_out else 0]
        needed = pawns[: self.ruleset.to_win]
        to_go = sum([self.to_go[place] for place in needed])
        lone = blockades = 0
        for outlook in seen:
            blockades |= lone & outlook.bit
            lone |= outlook.bit
        lone &= ~blockades
        spaces = [0] * (PAWNS - len(needed)) + sorted([self.to_go[place] for place in needed])
        way = self._ways_home[seat][0] if nest_count else 0
        for place in pawns:
            if NEST < place < ROW:
                way |= self._ways_home[seat][place]
        in_table = NEST not in needed and spaces[-1] <= FARTHEST_IN_TABLE
        if in_table:
            hazards = self._bearoff.hazards(spaces)
        else:
            hazards = self._bearoff.estimate_hazards(spaces, needed.count(NEST))
        inputs = {self._inputs[place][pawns[:n].count(place)] for n, place in enumerate(pawns)}
        return SeatFeatures(
            tuple(sorted(inputs)),
            self._finishing_share(pawns),
            to_go,
            sum([self.to_go[place] for place in pawns if place > ROW]),
            nest_count,
            entry,
            seen,
            lone,
            blockades,
            tuple([outlook.next_space - 1 for outlook in seen if outlook.bit]),
            self._twice(lone | blockades),
            self._twice((lone if self._safe_pairs else lone | blockades) & ~self.safe_bits),
            self._twice(lone & self._held_lone | blockades & self._held_pairs),
            self._twice(lone & self._lone_bars | blockades & self._pairs_bar),
            way,
            hazards,
            in_table and self._bearoff.is_exact,
        )

    def _finishing_share(self, pawns: Pawns) -> float:
        """Return the share of the throws that bring a pawn home if nothing blocks it."""
        nested, throws = min(pawns.count(NEST), 2), 0
        throws_by_way = self._throws[False, nested, nested]
        for place in pawns:
            if place == NEST or place in self.finished:
                continue
            for end, left in self._homes:
                spaces = self.to_go[place] - left
                if spaces <= self._farthest and not (self._own_limit == 1 and end in pawns):
                    throws |= throws_by_way[1 << spaces - 1]
                    if spaces == 1:  # off the last space, by a grace
                        throws |= self._grace_throws
            if place in self._shortcuts:
                throws |= throws_by_way[1 << self._shortcuts[place] - 1]
        return throws.bit_count() * self.throw_share

    def _fills_entry(self, lone: int, blockades: int, entry: int) -> bool:
        """Return whether a seat's own pawns let no other of its pawns in."""
        if self._own_limit == 1:
            return lone & entry > 0
        return self._bars_own and blockades & entry > 0

    def _twice(self, bits: int) -> int:
        """Return a set of ring spaces twice round the ring."""
        return bits | bits << self._ring

    # --- two seats ------------------------------------------------------------------------------

    def _find_targets(self, ring_pawns: RingPawns, index: int) -> dict[tuple[int, int], int]:
        """Return the throws that capture each pawn, by its space and its seat's index.

        index: the hunter's.
        """
        hunter, owners = ring_pawns.seats[index], ring_pawns.owners
        all_targets = ring_pawns.targets & ~hunter.targets
        all_held = 0 if self._throws_shells else ring_pawns.held ^ hunter.held
        if self._are_partners:
            all_targets &= ~ring_pawns.seats[(index + 2) % SEATS].targets
        if self._two_share:
            all_held |= self._twice(ring_pawns.crowded)
        own_barriers = 0 if self._bars_own else hunter.barriers
        all_barriers = ring_pawns.barriers & ~own_barriers
        found: dict[tuple[int, int], int] = {}
        nested, entry = min(hunter.nest_count, 2), hunter.entry.bit
        pawns = [(False, outlook) for outlook in hunter.outlooks]
        if nested and self.ruleset.clear_entry and hunter.lone & entry:
            pawns = [pawn for pawn in pawns if pawn[1].bit == entry]
        entering = 0
        if nested and not (
            (all_barriers & entry and self._shuts_out)
            or self._fills_entry(hunter.lone, hunter.blockades, entry)
        ):
            entering = nested
            pawns.append((True, hunter.entry))
            victim = self._find_guest(ring_pawns, index)
            if victim is not None:
                found[hunter.entry.next_space - 1, victim] = self._throws[True, nested, entering][0]
        for in_nest, outlook in pawns:
            next_space, ahead = outlook.next_space, outlook.ahead
            targets = all_targets >> next_space & ahead
            if not targets:
                continue
            throws_by_way = self._throws[in_nest, nested, entering]
            barriers = all_barriers >> next_space | self._beyond_reach
            held = all_held >> next_space
            star = self._stars >> next_space & DIE_REACH & ~held
            onward = self._stars >> next_space & -(star << 1)
            while targets:
                target = targets & -targets
                targets ^= target
                space = (next_space + target.bit_length() - 1) % self._ring
                if target <= barriers & -barriers:
                    throws = throws_by_way[target | held & target - 1]
                    if target == onward & -onward:
                        throws |= throws_by_way[star]
                    lost = space, owners[space]
                    found[lost] = found.get(lost, 0) | throws
        return found

    def _find_passed(self, ring_pawns: RingPawns, index: int) -> dict[tuple[int, int], int]:
        """Return the same as `_find_targets` where a pawn captures those that it passes."""
        hunter, found = ring_pawns.seats[index], dict[tuple[int, int], int]()
        for outlook in hunter.outlooks:
            next_space, ahead = outlook.next_space, outlook.ahead
            barriers = (ring_pawns.barriers & ~hunter.barriers) >> next_space
            barriers |= self._beyond_reach >> 1
            up_to = self._up_to[(barriers & -barriers).bit_length()]
            for other, seat in enumerate(ring_pawns.seats):
                targets = seat.targets >> next_space & ahead & self._beyond_reach - 1
                while targets and other != index:
                    spaces = (targets & -targets).bit_length()
                    targets &= targets - 1
                    lost = (next_space + spaces - 1) % self._ring, other
                    found[lost] = found.get(lost, 0) | up_to & ~self._up_to[spaces]
        return found

    def _find_guest(self, ring_pawns: RingPawns, index: int) -> int | None:
        """Return the index of the seat that loses a pawn if one enters, None if nobody does.

        index: of the seat that enters. Of two other seats' pawns it is not known which came last.
        Two pawns that enter by one throw are taken for one.
        """
        entry, captures = ring_pawns.seats[index].entry, self.ruleset.entry_captures
        is_shared = captures == "landing" and entry.bit & self.safe_bits
        full = ring_pawns.crowded | (ring_pawns.barriers if self._gives_way else 0)
        if is_shared or (captures == "full" and not full & entry.bit):
            return None
        for other, seat in enumerate(ring_pawns.seats):
            if other != index and (seat.lone | seat.blockades) & entry.bit:
                return other
        return None


def finished_pawns(ruleset: RuleSet) -> Pawns:
    """Return the pawns of a seat that has won."""
    homes = sorted(terrain_of(ruleset).board.home, reverse=True)
    return tuple((homes * PAWNS)[:PAWNS])


@lru_cache(maxsize=2)  # building an extractor takes 7 ms, and every position needs one
def feature_extractor(ruleset: RuleSet) -> FeatureExtractor:
    """Return the feature extractor of a rule set, with its caches."""
    return FeatureExtractor(ruleset)


def number_inputs(board: Board) -> tuple[dict[int, tuple[int, ...]], int]:
    """Return the numbers of the network's inputs for a row of pawns, and how many there are.

    A place has an input for the first pawn there and one for all others; the nest and home have one
    for each. The nest is first, then come the places from home backwards, so that a network serves
    boards with other spaces from the entry to the tip, too.
    """
    numbers, count = dict[int, tuple[int, ...]](), 0
    for place in sorted(board.places, key=lambda place: (place != NEST, board.to_go[place])):
        many = PAWNS if place == NEST or place in board.home else 2
        numbers[place] = tuple([count + min(n, many - 1) for n in range(PAWNS)])
        count += many
    return numbers, count


def _far_features(counts: list[int], race: float, *, is_stuck: bool) -> Features:
    """Return the `FAR_FEATURES` of a seat. counts: of `_count_meetings`. race: its feature."""
    behind, come = sum(counts[:3]), sum(counts[:5])
    is_few = not is_stuck and come <= 2
    return (
        *[count / PAWNS for count in counts],
        float(not behind),
        float(not come),
        race * (not behind),
        race * (not come),
        race * (not is_stuck),
        race * (not is_stuck and not come),
        race * is_few,
        float(is_few),
    )


_TURNS = tuple(tuple(float(n == turn) for turn in range(len(TURN_FEATURES))) for n in range(SEATS))
