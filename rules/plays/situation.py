"""The situation: a throw in a position, and questions about any state of its play. Makes no steps.

`board` explains places and bits, `worlds` how pawns are stored.
"""

from typing import Any, ClassVar, Final, NamedTuple

from ..board import NEST, SEATS
from ..increments import GRANT, grant_increments, is_doublet
from ..memory import Late
from ..position import PAWNS, Position, has_won, leave_track
from ..ruleset import RuleSet
from ..steps import Step
from .ground import terrain
from .opponents import Opponents
from .worlds import IN_NEST, TAG_BITS, Mover, World, find_spaces, places

CLOSED: Final = 1  # a bonus is spent, and dice come before bonuses: no die can be used any more
CLEARED: Final = 2  # a die has moved a pawn that was on the entry space, as `clear_entry` asks
OPENED: Final = 4  # a die has moved a pawn off a blockade, as `open_blockade` asks
SENT_BACK: Final = 8  # a step has sent its own pawn to the nest, as `held_target` may
DONE: Final = CLOSED | CLEARED | OPENED | SENT_BACK
TO_CLEAR: Final = 4 - NEST  # plus a place, the bit of a mark: a pawn that was on the entry is there

NO_ENTRY: Final = -1
MOST_OPPONENTS: Final = (SEATS - 1) * PAWNS

# The open dice increments, highest first; of a 14-space grant, the spaces left and the fives that
# may still enter a pawn.
Dice = tuple[int, ...]

Faces = tuple[int, ...]  # what the dice or shells of a throw show
Bars = tuple[int, int]  # the spaces that no pawn may pass, and those where none may land, as bits


class State(NamedTuple):
    """How far a play has come.

    marks: what the play has done, a sum of `CLOSED`, `CLEARED`, `OPENED` and `SENT_BACK`; until
    `CLEARED`, also where the pawns are that were on the entry (`TO_CLEAR`).
    """

    worlds: tuple[World, ...]  # the seat's pawns, in every way to tell them apart that fits
    lone: int  # the opponents that could be captured and still stand, as in `Opponents.lone`
    dice: Dice
    bonuses: tuple[int, ...] = ()  # the open bonus increments
    marks: int = 0


class Successor(NamedTuple):
    """A step from a state: its parts, the captured opponents as bits, and the state after it."""

    origin: int
    target: int
    spent: str
    caught: int
    state: State

    @property
    def step(self) -> Step:
        return new_tuple(Step, (self.origin, self.target, self.spent, self.caught != 0))


# Makes a named tuple without a call to its class, which saves a tenth of listing tr-1938's plays.
new_tuple: Final = tuple.__new__


class Situation:
    """One seat's throw in a position.

    Each throw makes one. Python 3.11 keeps up to 30 attributes of an object compact: with 31, games
    took some hundredths longer. So what depends on the rule set alone is the terrain's.
    """

    grant: ClassVar[bool] = False  # whether the increments are 14 spaces to share out
    only_spaces_count: ClassVar[bool] = True  # whether each die enters a pawn or moves one by it

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: Faces, late: Late = ()
    ) -> None:
        self.terrain = ground = terrain(ruleset)
        self.ruleset, self.position, self.seat = ruleset, position, seat
        self.faces, self.face, self.late = faces, faces[0], late
        self.increments = grant_increments(ruleset, position[seat], faces)
        # How many increments there are to spend; of a 14-space `grant`, how many spaces.
        self.grants = GRANT if self.grant else len(self.increments)
        self.nested = position[seat].count(NEST)  # how many are in the nest at the start
        self.doublet = is_doublet(ruleset, faces)
        # Whether two dice differ, and whether they bring a pawn in together.
        self.unlike = len(faces) == 2 and faces[0] != faces[1] and len(self.increments) == 2
        by_sum = self.unlike and ruleset.entry_by != "die"
        self.sum_enters = by_sum and sum(faces) == ruleset.entry_number
        self._total_moves = self.unlike and ruleset.total_move == "allowed"
        self._bits, self._routes, self._safe = ground.world_bits, ground.direct, ground.safe
        self._first_home, self._end_code = ground.first_home, ground.end_code
        self._mover = Mover(ruleset, position[seat], ground.bits, self.grant)
        self.alike = self._mover.alike  # no pawn need be told from another by its pair
        # No total is 1. So where only totals move a pawn, a die that shows 1 may bring one home.
        self._one_counts = ruleset.total_move == "only" and 1 in faces
        self.opponents = Opponents(ruleset, ground, position, seat, late)
        self.blockades = self.opponents.blockades & ~(ground.entry_bit if ground.gives_way else 0)
        # Where a step captures whom it passes, as bits.
        alone = ~self.opponents.crowded
        overtakes = ruleset.overtaking_captures
        self.caught_on_the_way = ground.open & alone if overtakes else ground.open_passed
        dice = tuple(sorted(self.increments, reverse=True))
        self.start = State((self._mover.world(position[seat]),), self.opponents.lone, dice)
        # What a die should do with a pawn, `CLEARED`, `OPENED` or both, by the pawn's place.
        self.duties = self._find_duties() if ground.has_duties else {}
        if self.duties.get(0, 0) & CLEARED:
            self.start = self.start._replace(marks=1 << TO_CLEAR)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy only the arguments: the rest is tables and can be big."""
        return type(self), (self.ruleset, self.position, self.seat, self.faces, self.late)

    def _find_duties(self) -> dict[int, int]:
        ruleset, pawns, start = self.ruleset, self.position[self.seat], self.start
        duties: dict[int, int] = {}
        if ruleset.open_blockade == "doublet" and self.doublet:
            bits, pairs = self.terrain.bits, self.own_blockades(start)
            duties |= {place: OPENED for place in pawns if bits[place] & pairs}
        if ruleset.clear_entry and self.nested and 0 in pawns:
            duties[0] = duties.get(0, 0) | CLEARED
        return duties

    # --- what has happened -----------------------------------------------------------------------

    def position_after(self, state: State) -> Position:
        """Return the position of all seats in a state: captured pawns are back in their nests.

        So are the other pawns of a seat that has won, if the game goes on (`leave_track`).
        """
        gone = self.start.lone & ~state.lone
        seats = list(self.position)
        own = [code >> TAG_BITS for code in reversed(state.worlds[0])]
        if not self.terrain.by_number:
            own.sort(key=self.terrain.board.spaces_to_go)
        seats[self.seat] = tuple(own)
        if gone:
            for other, place in self.opponents.find(gone):
                pawns = list(seats[other])
                pawns.remove(place)
                seats[other] = (*pawns, NEST)
        a, b, c, d = seats
        if self.terrain.winner_leaves and self.has_won(state) and self._others_play_on():
            return leave_track(self.ruleset, (a, b, c, d), self.seat)
        return a, b, c, d

    def _others_play_on(self) -> bool:
        """Whether the game goes on if the seat wins now."""
        seats = [seat for seat in range(SEATS) if self.position[seat]]
        left = [seat for seat in seats if not has_won(self.ruleset, self.position[seat])]
        return (self.seat + 2) % SEATS in left if self.ruleset.partners else len(left) > 2

    def has_won(self, state: State) -> bool:
        """Whether so many pawns are home that the seat has won."""
        return state.worlds[0][self.terrain.decider] >= self.terrain.home_code

    def count_entered(self, state: State) -> int:
        """Return how many pawns the play has entered."""
        sent_back = state.marks & SENT_BACK != 0
        return self.nested - state.worlds[0].count(IN_NEST) + sent_back

    def count_captured(self, state: State) -> int:
        """Return how many opponents' pawns the play has captured."""
        return self.opponents.count(self.start.lone & ~state.lone)

    def count_home(self, state: State) -> int:
        """Return how many of the seat's pawns are home."""
        home = self.terrain.home_code
        return sum(code >= home for code in state.worlds[0])

    def count_spent(self, state: State) -> int:
        """Return how many dice increments the play has spent; of a 14-space grant, spaces."""
        return self.grants - len(state.dice)

    def sum_spent(self, state: State) -> int:
        """Return the sum of the dice increments that the play has spent."""
        return sum(self.increments) - sum(state.dice)

    def has_paired(self, state: State) -> bool:
        """Whether a pair stands together elsewhere, however its pawns are told apart."""
        return self._mover.has_paired(state.worlds)

    # --- who is in the way -----------------------------------------------------------------------

    def own_blockades(self, state: State) -> int:
        """Return the spaces where the seat's own pawns bar its way, as bits."""
        return self.own_side(state)[2]

    def own_side(self, state: State) -> tuple[int, int, int]:
        """Return the spaces with pawns of the seat or its ally, with two or more, and those where
        a pair of the seat, or of both, bars the way of the seat, as bits."""
        here, pairs = find_spaces(self._bits, state.worlds[0])
        terrain, met = self.terrain, self.opponents
        barring = pairs & terrain.own_bars
        if not met.ally:
            return here, pairs, barring
        mixed = here & met.ally
        barring |= mixed & terrain.mixed_bars
        return here | met.ally, pairs | met.ally_pairs | mixed, barring

    def find_bars(self, state: State) -> Bars:
        """Return the spaces that no pawn may pass, and those where none may land, as bits.

        No pawn may land on one of the first either.
        """
        terrain, met = self.terrain, self.opponents
        here, pairs = find_spaces(self._bits, state.worlds[0])
        if terrain.is_plain:
            return self.blockades | pairs, state.lone & self._safe
        barring = pairs & terrain.own_bars
        if met.ally:
            here, pairs, barring = self.own_side(state)
        gone = terrain.entry_bit if met.guest & ~state.lone else 0
        blocked = met.blockades & ~gone | barring | here & terrain.no_passing
        held = met.forts & ~gone | self._full_of_own(here, pairs)
        if terrain.shared_limit == 0:
            held |= state.lone & self._safe
        elif terrain.shared_limit == 2:
            held |= self._safe & (met.crowded & ~gone | state.lone & here)
        return blocked, held

    def _full_of_own(self, here: int, pairs: int) -> int:
        """Return the spaces that hold as many pawns of the seat's side as they may.

        here, pairs: as `own_side` has them.
        """
        limit = self.terrain.own_limit
        return here if limit == 1 else pairs if limit == 2 else 0

    def find_entry(self, state: State, bars: Bars) -> int:
        """Return which opponents an entering pawn captures, as bits; `NO_ENTRY` if it can't."""
        terrain, met, (blocked, held) = self.terrain, self.opponents, bars
        entry = terrain.entry_bit
        lone = state.lone & entry
        if terrain.is_plain:
            return NO_ENTRY if blocked & entry else lone
        here, pairs, _ = self.own_side(state)
        if self._full_of_own(here, pairs) & entry:
            return NO_ENTRY
        if guest := state.lone & met.guest:
            return guest
        captures, crowd = self.ruleset.entry_captures, 0 if met.guest else entry
        if captures == "landing":
            stopped, caught = held & entry, lone & terrain.open
        elif captures == "lone":
            stopped, caught = (met.mixed | met.pairs & ~met.lone) & crowd, lone
        else:
            stopped, caught = met.pairs & crowd, lone if here & entry else 0
        if not (stopped or blocked & entry):
            return caught
        return lone if terrain.gives_way and lone else NO_ENTRY

    # --- what may still happen, found without making the states that steps lead to ---------------

    def may_enter(self, number: int, state: State) -> bool:
        """Whether a dice increment of this number, by itself, brings a pawn in."""
        ruleset = self.ruleset
        if number not in self.terrain.entry_numbers:
            return False
        if ruleset.total_move == "only":
            return True
        if ruleset.entry_by == "sum":
            return False
        if not self.doublet or number == self.face:
            return True
        return ruleset.undersides_enter and number == ruleset.entry_number

    def takes_off(self, number: int) -> bool:
        """Whether a number takes a pawn off the last space, exact count or not."""
        return self._one_counts and number == 1

    def is_reserved(self, number: int) -> bool:
        """Whether a number can only enter while the nest holds a pawn."""
        return self.ruleset.entry_number_reserved and number == self.ruleset.entry_number

    def has_lapsed(self, state: State) -> bool:
        """Whether the dice surely can't be used any more, whatever is done with bonuses."""
        return state.marks & CLOSED != 0 or not state.dice

    def bonuses_may_win(self, state: State) -> bool:
        """Whether bonuses alone might win. A pawn can't use a part of a bonus."""
        to_go, unit = self.terrain.to_go, self.terrain.bonus_unit
        exact = sum(not to_go[code >> TAG_BITS] % unit for code in state.worlds[0])
        return exact >= self.ruleset.to_win and self._may_win(state, 0)

    def _may_win(self, state: State, spaces: int) -> bool:
        """Whether so many spaces, with a bonus for each lone opponent, could be enough to win."""
        ways = sorted(self.terrain.to_go[code >> TAG_BITS] for code in state.worlds[0])
        to_go = sum(ways[: self.ruleset.to_win])
        lone = state.lone
        captured = MOST_OPPONENTS if self.opponents.crowded & lone else lone.bit_count()
        for_captures = self.ruleset.capture_bonus * captured
        for_homecomings = self.ruleset.finish_bonus * PAWNS
        return to_go <= spaces + sum(state.bonuses) + for_captures + for_homecomings

    def may_capture(self) -> bool:
        """Whether the throw might capture. Before a capture, its dice make 14 spaces at most."""
        start, ruleset, terrain = self.start, self.ruleset, self.terrain
        pawns = [place for place in places(start.worlds[0]) if place in terrain.reaches]
        earns = ruleset.finish_bonus and any(terrain.to_go[place] <= GRANT for place in pawns)
        if earns or ruleset.throws_shells or ruleset.overshoot == "back" or terrain.walks:
            return start.lone != 0
        entry = terrain.entry_bit | terrain.guest_bit | terrain.reaches[0]
        reach = [entry if place == NEST else terrain.reaches[place] for place in pawns]
        return any(start.lone & spaces for spaces in reach)

    def last_die_fits(self, state: State) -> bool:
        """Whether a pawn can surely use the one open die. `successors` finds out, too, but slower.

        Where pawns must be told apart, a landing beside one's own pawn does not count as sure.
        """
        if state.marks & CLOSED:
            return False
        if self._one_counts and self.terrain.before_end in places(state.worlds[0]):
            return True
        number, world = state.dice[0], state.worlds[0]
        blocked, unsure = self.find_bars(state)
        if world[0] == IN_NEST and number in self.terrain.entry_numbers:
            if self.last_die_enters(state):
                return True
            if self.is_reserved(number):
                return False
        if not self.alike:
            unsure |= self.own_side(state)[0]
        routes, end_code = self._routes, self._end_code
        for code in world:
            if IN_NEST < code < end_code:
                for _, way, landed in routes[code >> TAG_BITS][number]:
                    if not (way & blocked or landed & unsure):
                        return True
        return False

    def last_die_enters(self, state: State) -> bool:
        """Whether the one open die may bring a pawn in."""
        in_nest = state.worlds[0][0] == IN_NEST
        if state.marks & CLOSED or not in_nest or not self.may_enter(state.dice[0], state):
            return False
        return self.find_entry(state, self.find_bars(state)) != NO_ENTRY
