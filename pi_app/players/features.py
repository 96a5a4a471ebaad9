"""Computes the features of a position for each seat, as numbers. It does not judge them.

All features depend on the rule set: its board, safety spaces, entry rule and dice. A seat is known
by its distance from the others, not by its letter, so no letter is better than another.

Pawns that can reach each other are found with bits, one for each ring space, counted from the
entry of the hunting seat:

    hunter at 3      .  .  .  h  .  .  .  .  .  .  .
    distance         .  .  .  .  1  2  3  4  5  6  7     spaces from there, up to HUNTING_RANGE
    others' lone     .  .  .  .  .  .  .  x  .  .  .     4 spaces capture it: 4, 1 + 3, 2 + 2, 3 + 1
    others' pairs    .  .  .  .  .  .  .  .  .  o  .     blocks the hunter from its 6th space

`reach.throws_reaching` turns "4 spaces" into the throws that move a pawn so far, one bit for each
of the 36. The bits of all captures are joined before they are counted, so a throw that captures two
pawns counts once.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pi_app.players.reach import ALL_THROWS, FARTHEST, Start, throws_reaching
from rules import HOME, NEST, ROW, Position, RuleSet, at, next_seat
from rules import terrain as terrain_of
from rules.position import PAWNS, Pawns

SEATS = 4
ONE_DIE = 6  # spaces: the most that one die moves
HUNTING_RANGE = 20  # spaces: a pawn farther ahead is no target
MAX_CACHED_THROWS = 2048
SPACES_SCALE = 100  # spaces are divided by it and throws are shares, so features are near 1

# Features of a seat's own pawns.
OWN_FEATURES = (
    "to_go",  # spaces to home; a pawn in the nest counts from the entry
    "nest_1",  # whether at least one is in the nest
    "nest_2",
    "nest_3",
    "nest_4",
    "home_1",  # whether at least one is home
    "home_2",
    "home_3",
    "row",  # pawns in the home row
    "finish",  # share of throws that bring a pawn home if nothing blocks it
    "arm_1",  # pawns on the first quarter of the ring
    "arm_2",
    "arm_3",
    "arm_4",
    "safe",  # lone pawns on safety spaces
    "lone",  # lone pawns on other spaces of the ring
    "blockades",
    "own_entry",  # 1 if the seat's own blockade is on its entry and a pawn is in the nest
)
# Features of a seat and another one, each summed over all other seats. "Soon" means before the
# threatened seat's next throw, "later" means after it.
CONTACT_FEATURES = (
    "risk_soon",  # throws that capture a pawn of the seat
    "stake_soon",  # the same, each times the spaces that the pawn has moved
    "risk_later",
    "stake_later",
    "hunt_soon",  # throws by which the seat captures
    "hunt_later",
    "waits",  # own pawns with another's blockade at most 6 spaces ahead
    "waits_far",  # the same, at most one throw ahead
    "holds",  # others' pawns at most 6 spaces behind the seat's blockade
    "holds_far",
    "shut_out",  # pawns in the nest while another's blockade is on the entry
    "shuts_out",  # others' pawns that the seat shuts out
    "hunters",  # others' pawns at most 20 spaces behind a lone pawn
)
TURN_FEATURES = ("first", "second", "third")  # 1 if the seat throws next, second, third
OTHER_FEATURES = (*CONTACT_FEATURES, *TURN_FEATURES, "come")  # the leader's progress, 0 to 1
FEATURE_NAMES = (*OWN_FEATURES, *OTHER_FEATURES)

Features = tuple[float, ...]


class SideFeatures(NamedTuple):
    """One seat's pawns, as features and as bits.

    own: the features in the order of `OWN_FEATURES`.
    to_go: spaces to home, of all pawns. places: of its pawns on the ring. nested: a count.
    zone: the spaces at which other pawns concern it, as bits from its own entry.
    lone, pairs: its lone pawns and its blockades on the ring, as bits. Index n counts from the
    entry of the seat n places before it in the direction of travel, 0 from its own.
    """

    own: Features
    to_go: int
    places: tuple[int, ...]
    nested: int
    zone: int
    lone: tuple[int, ...]
    pairs: tuple[int, ...]


class ContactFeatures(NamedTuple):
    """The features of one seat, the hunter, with another.

    throws: those that capture a pawn of the other, as bits. hunt: their share of all throws.
    risk: as `hunt`, but a throw counts for each pawn. stake: as `risk`, times the pawn's spaces.
    The rest are counts of pawns, as in `CONTACT_FEATURES`.
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


class SpaceAhead(NamedTuple):
    """The way from a place to a space ahead: its length, and the spaces passed, as bits.

    passed: all of them joined. between: each by itself, in order.
    """

    spaces: int
    passed: int
    between: tuple[int, ...]


class FeatureExtractor:
    """The features of any position under one rule set."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        terrain = terrain_of(ruleset)
        self._ring, self._last = terrain.board.ring, terrain.board.last
        self._arm = terrain.board.arm
        self.safe, self._entry = terrain.safe, terrain.entry_bit
        self._bits = terrain.bits
        self._to_go = {**terrain.to_go, NEST: terrain.to_go[0]}
        self.journey = terrain.to_go[0]
        self.share = 1 / len(ALL_THROWS[ruleset.dice])
        self._spaces_ahead = {
            place: {
                route.landed: SpaceAhead(
                    spaces,
                    route.passed,
                    tuple(1 << (place + n) % self._ring for n in range(1, spaces)),
                )
                for spaces in range(HUNTING_RANGE, 0, -1)
                for route in terrain.routes[place][spaces]
                if route.target < ROW
            }
            for place in terrain.routes
            if place < ROW
        }
        self._spans = {
            place: (
                _near_bits(ahead, ONE_DIE),
                _near_bits(ahead, FARTHEST),
                _near_bits(ahead, HUNTING_RANGE),
            )
            for place, ahead in self._spaces_ahead.items()
        }
        self._throws: dict[tuple[Start, int, int], int] = {}
        self.side = lru_cache(maxsize=512)(self._compute_side)
        self._contact = lru_cache(maxsize=2048)(self._compute_contact)
        self._orders: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}

    def to_go(self, place: int) -> int:
        """Return the spaces from a place to home. The nest counts as the entry."""
        return self._to_go[place]

    def features(self, position: Position, order: tuple[int, ...]) -> list[Features]:
        """Return the features of each seat in `order`, each in the order of `FEATURE_NAMES`.

        order: the playing seats in the order of turns; the first throws next.
        """
        sides, others = self.sides_and_others(position, order)
        return [(*side.own, *other) for side, other in zip(sides, others, strict=True)]

    def sides_and_others(
        self, position: Position, order: tuple[int, ...]
    ) -> tuple[list[SideFeatures], list[Features]]:
        """Return each seat's side, and its features in the order of `OTHER_FEATURES`."""
        sides = [self.side(position[seat]) for seat in order]
        contact_sums = [[0.0] * len(CONTACT_FEATURES) for _ in order]
        for hunting_seat, hunted_seat, contact in self.contacts(sides, order):
            hunter, hunted = contact_sums[hunting_seat], contact_sums[hunted_seat]
            _, hunt, risk, stake, waits, waits_far, shut_out, hunters = contact
            if hunting_seat < hunted_seat:  # it throws before the hunted seat does: soon
                hunted[0] += risk
                hunted[1] += stake
                hunter[4] += hunt
            else:
                hunted[2] += risk
                hunted[3] += stake
                hunter[5] += hunt
            hunter[6] += waits
            hunter[7] += waits_far
            hunted[8] += waits
            hunted[9] += waits_far
            hunter[10] += shut_out
            hunted[11] += shut_out
            hunted[12] += hunters
        progress = 1 - min(side.to_go for side in sides) / (PAWNS * self.journey)
        return sides, [(*sums, *_TURNS[turn], progress) for turn, sums in enumerate(contact_sums)]

    def contacts(
        self, sides: list[SideFeatures], order: tuple[int, ...]
    ) -> Iterator[tuple[int, int, ContactFeatures]]:
        """Yield the contact of each seat with each other one that it can affect.

        Each comes as the hunter's index in `order`, the other seat's index, and the contact.
        """
        for hunter, seat in enumerate(order):
            side = sides[hunter]
            zone = side.zone
            others = [
                (other, their.lone[ahead] & zone, their.pairs[ahead] & zone, ahead)
                for other, their in enumerate(sides)
                if other != hunter
                for ahead in ((order[other] - seat) % SEATS,)
            ]
            blocked, all_lone = side.pairs[0] & zone, 0
            for _, lone, pairs, _ in others:
                blocked |= pairs
                all_lone |= lone
            held = all_lone & self.safe
            for other, lone, pairs, ahead in others:
                if lone or pairs:
                    contact = self._contact(
                        side.places, side.nested, lone, pairs, ahead, blocked, held
                    )
                    if contact is not NO_CONTACT:
                        yield hunter, other, contact

    def order(self, position: Position, first: int) -> tuple[int, ...]:
        """Return the playing seats in the order of turns. `first` throws next."""
        seats = tuple([seat for seat, pawns in enumerate(position) if pawns])
        cached = self._orders.get((seats, first))
        if cached is not None:
            return cached
        a, b, c, d = ((NEST,) * PAWNS if seat in seats else () for seat in range(SEATS))
        game = at(self.ruleset, (a, b, c, d), first)
        order = [first]
        while len(order) < len(seats):
            order.append(next_seat(game, order[-1]))
        self._orders[seats, first] = tuple(order)
        return tuple(order)

    # --- one seat -------------------------------------------------------------------------------

    def _compute_side(self, pawns: Pawns) -> SideFeatures:
        ring = tuple(place for place in pawns if 0 <= place < ROW)
        nested = pawns.count(NEST)
        to_go = sum(self._to_go[place] for place in pawns)
        lone = pairs = 0
        for place in ring:
            bit = self._bits[place]
            pairs |= lone & bit
            lone |= bit
        lone &= ~pairs
        zone = sum({bit for place in ring for bit in self._spaces_ahead[place]})
        if nested:
            zone |= self._entry | self._spans[0][1]
        own = self._own(pawns, ring, lone, pairs)
        return SideFeatures(
            own, to_go, ring, nested, zone, self._turn_bits(lone), self._turn_bits(pairs)
        )

    def _own(self, pawns: Pawns, ring: tuple[int, ...], lone: int, pairs: int) -> Features:
        """Return a seat's own features, in the order of `OWN_FEATURES`.

        ring: the places of its pawns on the ring. lone, pairs: its bits there.
        """
        nested, home = pawns.count(NEST), pawns.count(HOME)
        finishing = 0
        start = Start(in_nest=False, nested=min(nested, 2), entering=min(nested, 2))
        for place in pawns:
            if place not in (NEST, HOME) and self._to_go[place] <= FARTHEST:
                finishing |= self._reaching_throws(start, self._to_go[place], 0)
        quarters = [min(4 * place // (self._last + 1), 3) for place in ring]
        return (
            sum(self._to_go[place] for place in pawns) / SPACES_SCALE,
            *(float(nested >= n) for n in (1, 2, 3, 4)),
            *(float(home >= n) for n in (1, 2, 3)),
            float(PAWNS - nested - home - len(ring)),
            finishing.bit_count() * self.share,
            *(float(quarters.count(n)) for n in range(4)),
            float((lone & self.safe).bit_count()),
            float((lone & ~self.safe).bit_count()),
            float(pairs.bit_count()),
            float(nested > 0 and pairs & self._entry > 0),
        )

    def _turn_bits(self, bits: int) -> tuple[int, ...]:
        """Return bits of a seat as counted from the entries of the seats 0 to 3 before it."""
        whole = (1 << self._ring) - 1
        return tuple(
            (bits << n * self._arm | bits >> self._ring - n * self._arm) & whole
            for n in range(SEATS)
        )

    # --- two seats ------------------------------------------------------------------------------

    def _compute_contact(
        self,
        places: tuple[int, ...],
        nested: int,
        lone: int,
        pairs: int,
        ahead: int,
        blocked: int,
        held: int,
    ) -> ContactFeatures:
        """Return the contact of a hunting seat with the seat that is `ahead` seats after it.

        places, nested: the hunter's pawns. lone, pairs: the other seat's, within the hunter's zone.
        blocked: all blockades. held: safety spaces with a lone pawn of any other seat, where no
        die may end. All bits count from the hunter's entry.
        """
        waits = waits_far = hunters = 0
        targets = lone & ~self.safe
        for place in places:
            close, far, wide = self._spans[place]
            if pairs & far:
                waits_far += 1
                waits += pairs & close > 0
            if targets & wide:
                hunters += (targets & wide).bit_count()
        shut_out = nested if pairs & self._entry else 0
        throws_by_target = self._captures(places, nested, lone, blocked, held)
        if not (throws_by_target or waits_far or shut_out or hunters):
            return NO_CONTACT
        union = risk = stake = 0
        for bit, throws in throws_by_target.items():
            union |= throws
            count = throws.bit_count()
            risk += count
            stake += count * ((bit.bit_length() - 1 - ahead * self._arm) % self._ring)
        share = self.share
        shares = union.bit_count() * share, risk * share, stake * share / SPACES_SCALE
        return ContactFeatures(union, *shares, waits, waits_far, shut_out, hunters)

    def _captures(
        self, places: tuple[int, ...], nested: int, lone: int, blocked: int, held: int
    ) -> dict[int, int]:
        """Return the throws that capture each pawn, by its bit.

        places, nested, lone, blocked, held: as in `_compute_contact`.
        """
        found: dict[int, int] = {}
        targets = lone & ~self.safe
        entering = 0 if blocked & self._entry else min(nested, 2)
        start = Start(in_nest=False, nested=min(nested, 2), entering=entering)
        for place in places:
            self._reach_from(place, start, targets, blocked, held, found)
        if entering:
            start = start._replace(in_nest=True)
            self._reach_from(0, start, targets & ~self._entry, blocked, held, found)
            if lone & self._entry:
                throws = self._reaching_throws(start, 0, 0)
                found[self._entry] = found.get(self._entry, 0) | throws
        return found

    def _reaching_throws(self, start: Start, spaces: int, held: int) -> int:
        """Return `throws_reaching` of this rule set, from a cache."""
        key = start, spaces, held
        cached = self._throws.get(key)
        if cached is None:
            if len(self._throws) >= MAX_CACHED_THROWS:
                self._throws.clear()
            cached = self._throws[key] = throws_reaching(self.ruleset, start, spaces, held)
        return cached

    def _reach_from(
        self, place: int, start: Start, targets: int, blocked: int, held: int, found: dict[int, int]
    ) -> None:
        """Add to `found` the throws that capture each of the targets from a place, by its bit.

        start: of the pawn in that place. blocked, held: as in `_compute_contact`.
        """
        near = self._spans[place][1] & targets
        spaces_ahead = self._spaces_ahead[place]
        while near:
            bit = near & -near
            near ^= bit
            spaces, passed, between = spaces_ahead[bit]
            if passed & blocked:
                continue
            held_on_way = 0
            if passed & held:
                held_on_way = sum(1 << n for n, space in enumerate(between) if space & held)
            throws = self._reaching_throws(start, spaces, held_on_way)
            if throws:
                found[bit] = found.get(bit, 0) | throws


def _near_bits(spaces_ahead: dict[int, SpaceAhead], max_spaces: int) -> int:
    """Return the bits of the spaces at a distance of at most `max_spaces`."""
    return sum(bit for bit, space in spaces_ahead.items() if space.spaces <= max_spaces)


_TURNS = tuple(tuple(float(n == turn) for turn in range(len(TURN_FEATURES))) for n in range(SEATS))


@lru_cache(maxsize=2)  # to build one takes 7 ms, and each position needs it
def feature_extractor(ruleset: RuleSet) -> FeatureExtractor:
    """Return the feature extractor of a rule set, with its caches."""
    return FeatureExtractor(ruleset)
