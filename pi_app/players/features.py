"""What there is to see in a position, for each seat, as numbers; keeps out what they are worth.

All terms come from the rule set: the board, the safety spaces, how pawns enter, what dice grant.
Seats are told by where they stand to one another, so that no letter is better than another.

Pawns that may meet are found with bits, a bit for each ring space, counted from the hunter's entry:

    hunter at 3      .  .  .  h  .  .  .  .  .  .  .
    its ways         .  .  .  .  1  2  3  4  5  6  7     spaces from there, up to SIGHT
    others' lone     .  .  .  .  .  .  .  x  .  .  .     4 spaces capture it: 4, 1 + 3, 2 + 2, 3 + 1
    others' pairs    .  .  .  .  .  .  .  .  .  o  .     blocks the way from its 6th space on

`reach.reaching` turns "4 spaces" into the throws that do it, a bit for each of the 36. The bits of
all pawns are joined and then counted, so that a throw that captures two pawns counts once.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pi_app.players.reach import ALL_THROWS, FARTHEST, Start, throws_reaching
from rules import HOME, NEST, ROW, Position, RuleSet, Terrain, at, next_seat, terrain
from rules.position import PAWNS, Pawns

SEATS = 4
CLOSE = 6  # as far as one die goes
SIGHT = 20  # as far as a pawn is worth hunting
MOST_THROWS_KEPT = 2048
HUNDRED = 100  # spaces are told in hundreds, throws as a share of all: all features are about 1

# Of a seat's own pawns alone.
OWN = (
    "to_go",  # spaces, of nested pawns those from the entry
    "nest_1",  # whether at least one is in the nest
    "nest_2",
    "nest_3",
    "nest_4",
    "home_1",  # whether at least one is home
    "home_2",
    "home_3",
    "row",  # pawns in the home row
    "finish",  # throws that bring one home, nothing in the way
    "arm_1",  # pawns on the first quarter of the way
    "arm_2",
    "arm_3",
    "arm_4",
    "safe",  # lone pawns on safety spaces
    "lone",  # lone pawns on other spaces of the ring
    "blockades",
    "own_entry",  # a blockade on the own entry, with a pawn in the nest
)
# Of what stands to what, each summed over the other seats. "Soon" is before the seat that is to
# suffer it throws itself; "later" is after that.
CONTACT = (
    "risk_soon",  # throws that capture a pawn of the seat
    "stake_soon",  # the same, each times the spaces that the pawn has come
    "risk_later",
    "stake_later",
    "hunt_soon",  # throws by which the seat captures
    "hunt_later",
    "waits",  # pawns with another's blockade within a die before them
    "waits_far",  # the same within a throw
    "holds",  # others' pawns within a die behind a blockade of the seat
    "holds_far",
    "shut_out",  # pawns in the nest, the entry under another's blockade
    "shuts_out",  # the same done to others
    "hunters",  # others' pawns that are within 20 spaces behind a lone pawn
)
TURN = ("first", "second", "third")  # who throws next, who after that
BESIDES = (*CONTACT, *TURN, "come")  # how far the leader has come, 0 to 1
NAMES = (*OWN, *BESIDES)

Features = tuple[float, ...]


class SideFeatures(NamedTuple):
    """One seat's pawns: what they are worth seeing by themselves, and where they stand as bits.

    `lone` and `pairs` are lone pawns and blockades on the ring, seen from the seat itself and from
    the seats one, two and three before it in the direction of travel; `zone` the spaces on which
    anything is of interest to it.
    """

    own: Features
    to_go: int
    places: tuple[int, ...]
    nested: int
    zone: int
    lone: tuple[int, ...]
    pairs: tuple[int, ...]


class ContactFeatures(NamedTuple):
    """What one seat's pawns may do to another's: throws as bits or shares, pawns as counts."""

    throws: int = 0
    hunt: float = 0.0
    risk: float = 0.0
    stake: float = 0.0
    waits: int = 0
    waits_far: int = 0
    shut_out: int = 0
    hunters: int = 0


NONE = ContactFeatures()


class SpaceAhead(NamedTuple):
    """How one space lies before a place: how far off it is, and what lies between, as bits."""

    spaces: int
    passed: int
    between: tuple[int, ...]


class Sight:
    """The features of any position under one rule set."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        ground = terrain(ruleset)
        self._ring, self._last = ground.board.ring, ground.board.last
        self._arm = ground.board.arm
        self.safe, self._entry = ground.safe, ground.entry_bit
        self._bits = ground.bits
        self._to_go = {**ground.to_go, NEST: ground.to_go[0]}
        self.journey = ground.to_go[0]
        self.share = 1 / len(ALL_THROWS[ruleset.dice])
        self._ways = {
            place: {
                route.landed: SpaceAhead(n, route.passed, _offsets(ground, place, n))
                for n in range(SIGHT, 0, -1)
                for route in ground.routes[place][n]
                if route.target < ROW
            }
            for place in ground.routes
            if place < ROW
        }
        self._spans = {
            place: (
                _within(ways, CLOSE),
                _within(ways, FARTHEST),
                _within(ways, SIGHT),
            )
            for place, ways in self._ways.items()
        }
        self._throws: dict[tuple[Start, int, int], int] = {}
        self.side = lru_cache(maxsize=512)(self._seen_side)
        self._contact = lru_cache(maxsize=2048)(self._seen_contact)
        self._orders: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}

    def to_go(self, place: int) -> int:
        """Return the spaces from a place home, from the nest those from the entry."""
        return self._to_go[place]

    def features(self, position: Position, order: tuple[int, ...]) -> list[Features]:
        """Return the features of each seat in `order`, in the order of `NAMES`.

        `order` are the seats that play, from who throws next in the order of turns.
        """
        sides, rest = self.seen(position, order)
        return [(*side.own, *more) for side, more in zip(sides, rest, strict=True)]

    def seen(
        self, position: Position, order: tuple[int, ...]
    ) -> tuple[list[SideFeatures], list[Features]]:
        """Return each seat's side, and what there is to see besides its own pawns: `BESIDES`."""
        sides = [self.side(position[seat]) for seat in order]
        rest = [[0.0] * len(CONTACT) for _ in order]
        for hunter, other, found in self.contacts(sides, order):
            _add(rest[hunter], rest[other], found, hunter < other)
        come = 1 - min(side.to_go for side in sides) / (PAWNS * self.journey)
        return sides, [(*sums, *_TURNS[turn], come) for turn, sums in enumerate(rest)]

    def contacts(
        self, sides: list[SideFeatures], order: tuple[int, ...]
    ) -> Iterator[tuple[int, int, ContactFeatures]]:
        """Yield what each seat may do to each other, where there is anything, by their index."""
        for hunter, seat in enumerate(order):
            side = sides[hunter]
            zone = side.zone
            others = [
                (n, their.lone[further] & zone, their.pairs[further] & zone, further)
                for n, their in enumerate(sides)
                if n != hunter
                for further in ((order[n] - seat) % SEATS,)
            ]
            blocked, standing = side.pairs[0] & zone, 0
            for _, lone, pairs, _ in others:
                blocked |= pairs
                standing |= lone
            held = standing & self.safe
            for other, lone, pairs, further in others:
                if lone or pairs:
                    found = self._contact(
                        side.places, side.nested, lone, pairs, further, blocked, held
                    )
                    if found is not NONE:
                        yield hunter, other, found

    def order(self, position: Position, first: int) -> tuple[int, ...]:
        """Return the seats with pawns in the order of turns, from the one that throws next."""
        seats = tuple([seat for seat, pawns in enumerate(position) if pawns])
        known = self._orders.get((seats, first))
        if known is None:
            known = self._orders[seats, first] = _turn_order(self.ruleset, seats, first)
        return known

    # --- one seat by itself ---------------------------------------------------------------------

    def _seen_side(self, pawns: Pawns) -> SideFeatures:
        ring = tuple(place for place in pawns if 0 <= place < ROW)
        nested = pawns.count(NEST)
        to_go = sum(self._to_go[place] for place in pawns)
        lone = pairs = 0
        for place in ring:
            bit = self._bits[place]
            pairs |= lone & bit
            lone |= bit
        lone &= ~pairs
        zone = sum({bit for place in ring for bit in self._ways[place]})
        if nested:
            zone |= self._entry | self._spans[0][1]
        own = self._own(pawns, ring, lone, pairs)
        turned = self._seen_by_others(lone), self._seen_by_others(pairs)
        return SideFeatures(own, to_go, ring, nested, zone, *turned)

    def _own(self, pawns: Pawns, ring: tuple[int, ...], lone: int, pairs: int) -> Features:
        """Return what there is to see of a seat's pawns by themselves, in the order of `OWN`."""
        nested, home = pawns.count(NEST), pawns.count(HOME)
        quarters = [min(4 * place // (self._last + 1), 3) for place in ring]
        return (
            sum(self._to_go[place] for place in pawns) / HUNDRED,
            *(float(nested >= n) for n in (1, 2, 3, 4)),
            *(float(home >= n) for n in (1, 2, 3)),
            float(PAWNS - nested - home - len(ring)),
            self._finish(pawns, nested),
            *(float(quarters.count(n)) for n in range(4)),
            float((lone & self.safe).bit_count()),
            float((lone & ~self.safe).bit_count()),
            float(pairs.bit_count()),
            float(nested > 0 and pairs & self._entry > 0),
        )

    def _finish(self, pawns: Pawns, nested: int) -> float:
        """Return the share of throws that bring a pawn home."""
        found = 0
        start = Start(in_nest=False, nested=min(nested, 2), entering=min(nested, 2))
        for place in pawns:
            if place not in (NEST, HOME) and self._to_go[place] <= FARTHEST:
                found |= self._reaching(start, self._to_go[place], 0)
        return found.bit_count() * self.share

    def _seen_by_others(self, bits: int) -> tuple[int, ...]:
        whole = (1 << self._ring) - 1
        return tuple(
            (bits << n * self._arm | bits >> self._ring - n * self._arm) & whole
            for n in range(SEATS)
        )

    # --- one seat before another ----------------------------------------------------------------

    def _seen_contact(
        self,
        places: tuple[int, ...],
        nested: int,
        lone: int,
        pairs: int,
        further: int,
        blocked: int,
        held: int,
    ) -> ContactFeatures:
        """Return what a seat with pawns in these places may do to the one that is `further` on.

        All bits are seen from the hunting seat.
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
        caught = self._captures(places, nested, lone, blocked, held)
        if not (caught or waits_far or shut_out or hunters):
            return NONE
        captures = self._shares(caught, further)
        return ContactFeatures(*captures, waits, waits_far, shut_out, hunters)

    def _shares(self, caught: dict[int, int], further: int) -> tuple[int, float, float, float]:
        """Return the first four of a contact from the throws that capture each pawn."""
        union = risk = stake = 0
        for bit, throws in caught.items():
            union |= throws
            count = throws.bit_count()
            risk += count
            stake += count * ((bit.bit_length() - 1 - further * self._arm) % self._ring)
        share = self.share
        return union, union.bit_count() * share, risk * share, stake * share / HUNDRED

    def _captures(
        self, places: tuple[int, ...], nested: int, lone: int, blocked: int, held: int
    ) -> dict[int, int]:
        """Return each pawn that may be captured, as its bit, and the throws that do it."""
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
                throws = self._reaching(start, 0, 0)
                found[self._entry] = found.get(self._entry, 0) | throws
        return found

    def _reaching(self, start: Start, spaces: int, held: int) -> int:
        """Return `throws_reaching` of this rule set, kept."""
        key = start, spaces, held
        known = self._throws.get(key)
        if known is None:
            if len(self._throws) >= MOST_THROWS_KEPT:
                self._throws.clear()
            known = self._throws[key] = throws_reaching(self.ruleset, start, spaces, held)
        return known

    def _reach_from(
        self, place: int, start: Start, targets: int, blocked: int, held: int, found: dict[int, int]
    ) -> None:
        near = self._spans[place][1] & targets
        ways = self._ways[place]
        while near:
            bit = near & -near
            near ^= bit
            spaces, passed, between = ways[bit]
            if passed & blocked:
                continue
            stops = 0
            if passed & held:
                stops = sum(1 << n for n, space in enumerate(between) if space & held)
            throws = self._reaching(start, spaces, stops)
            if throws:
                found[bit] = found.get(bit, 0) | throws


def _within(ways: dict[int, SpaceAhead], most: int) -> int:
    """Return the spaces that are so many spaces off at most, as bits."""
    return sum(bit for bit, way in ways.items() if way.spaces <= most)


def _offsets(ground: Terrain, place: int, spaces: int) -> tuple[int, ...]:
    """Return the bits of the spaces between, in order."""
    ring = ground.board.ring
    return tuple(1 << (place + n) % ring for n in range(1, spaces))


def _add(hunter: list[float], hunted: list[float], found: ContactFeatures, soon: bool) -> None:
    """Count a contact for both sides, in the order of `CONTACT`."""
    _, hunt, risk, stake, waits, waits_far, shut_out, hunters = found
    if soon:
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


_TURNS = tuple(tuple(float(n == turn) for turn in range(len(TURN))) for n in range(SEATS))


@lru_cache(maxsize=2)  # takes 7 ms, and is asked for at each position
def sight_of(ruleset: RuleSet) -> Sight:
    """Return the sight of a rule set, with what it has worked out so far."""
    return Sight(ruleset)


def _turn_order(ruleset: RuleSet, seats: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return these seats in the order of turns, from the one that throws first."""
    a, b, c, d = ((NEST,) * PAWNS if seat in seats else () for seat in range(SEATS))
    game = at(ruleset, (a, b, c, d), first)
    order = [first]
    while len(order) < len(seats):
        order.append(next_seat(game, order[-1]))
    return tuple(order)
