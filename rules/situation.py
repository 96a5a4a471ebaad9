"""The situation: a throw in a position, and questions about any state of its play. Makes no steps.

`board` explains places and bits, `worlds` how pawns are stored.
"""

from typing import Any, ClassVar, Final, NamedTuple

from .board import HOME, NEST, SEATS
from .ground import terrain
from .increments import GRANT, grant_increments, is_doublet
from .position import PAWNS, Position
from .ruleset import RuleSet
from .steps import Step
from .worlds import AT_HOME, IN_NEST, TAG_BITS, Mover, World, places

LAST_IN_ROW: Final = HOME - 1

Dice = tuple[int, ...]  # open dice increments, highest first; of a grant its spaces and fives


class State(NamedTuple):
    """How far a play has come.

    worlds: the seat's pawns, in every way to tell them apart that fits the steps made.
    lone: the lone opponents still on the ring, as bits seen from the seat.
    dice: the open dice increments, highest first; of a 14-space grant, the spaces left and the
    fives that may still enter a pawn. bonuses: the open bonus increments.
    closed: whether dice can't be used any more.
    """

    worlds: tuple[World, ...]
    lone: int
    dice: Dice
    bonuses: tuple[int, ...] = ()
    closed: bool = False


class Successor(NamedTuple):
    """A step from a state: its parts, the captured opponents as bits, and the state after it."""

    origin: int
    target: int
    spent: str
    caught: int
    state: State

    @property
    def step(self) -> Step:
        """The step itself."""
        return new_tuple(Step, (self.origin, self.target, self.spent, self.caught != 0))


# Makes a named tuple without a call to its class, which saves a tenth of listing tr-1938's plays.
new_tuple: Final = tuple.__new__


class Situation:
    """One seat's throw in a position.

    start: the state before the first step. increments: what the throw grants.
    grants: how many increments there are to spend; of a 14-space `grant`, how many spaces.
    unlike: whether two dice differ. sum_enters: whether they bring a pawn in together.
    alike: whether no pawn need be told from another by its pair. nested: how many pawns are in the
    nest at the start. blockades: the opponents', as bits seen from the seat.
    """

    grant: ClassVar[bool] = False  # whether the increments are 14 spaces to share out

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: tuple[int, ...]
    ) -> None:
        self.terrain = ground = terrain(ruleset)
        self.ruleset, self.position, self.seat = ruleset, position, seat
        self.faces, self.face = faces, faces[0]
        self.increments = grant_increments(ruleset, position[seat], faces)
        self.grants = GRANT if self.grant else len(self.increments)
        self.nested = position[seat].count(NEST)
        self.doublet = is_doublet(ruleset, faces)
        self.unlike = len(faces) == 2 and faces[0] != faces[1] and len(self.increments) == 2
        by_sum = self.unlike and ruleset.entry_by != "die"
        self.sum_enters = by_sum and sum(faces) == ruleset.entry_number
        self._bits, self._routes, self._safe = ground.bits, ground.routes, ground.safe
        self._mover = Mover(ruleset, position[seat], self._bits, self.grant)
        self.alike = self._mover.alike
        # No total is 1. So where only totals move a pawn, a die that shows 1 may bring one home.
        self._one_counts = ruleset.total_move == "only" and 1 in faces
        self.blockades = lone = 0
        for further, view in enumerate(ground.views[1:], 1):
            for place in position[(seat + further) % SEATS]:
                self.blockades |= lone & view[place]
                lone |= view[place]
        lone &= ~self.blockades
        dice = tuple(sorted(self.increments, reverse=True))
        self.start = State((self._mover.world(position[seat]),), lone, dice)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy only the arguments: the rest is tables and can be big."""
        return type(self), (self.ruleset, self.position, self.seat, self.faces)

    # --- what has happened -----------------------------------------------------------------------

    def position_after(self, state: State) -> Position:
        """Return the position of all seats in a state: captured pawns are back in their nests."""
        gone = self.start.lone & ~state.lone
        seats = list(self.position)
        own = [code >> TAG_BITS for code in reversed(state.worlds[0])]
        if not self.terrain.by_number:
            own.sort(key=self.terrain.board.spaces_to_go)
        seats[self.seat] = tuple(own)
        if gone:
            for other, place in self.find_opponents(gone):
                pawns = list(seats[other])
                pawns.remove(place)
                seats[other] = (*pawns, NEST)
        a, b, c, d = seats
        return a, b, c, d

    def find_opponents(self, bits: int) -> tuple[tuple[int, int], ...]:
        """Return seat and place of each opponent's pawn on the given bits."""
        return tuple(
            (other, place)
            for other in range(SEATS)
            if other != self.seat
            for place in self.position[other]
            if bits & self.terrain.views[(other - self.seat) % SEATS][place]
        )

    def has_won(self, state: State) -> bool:
        """Whether all four pawns are home."""
        return state.worlds[0][0] >= AT_HOME

    def count_entered(self, state: State) -> int:
        """Return how many pawns the play has entered."""
        return self.nested - state.worlds[0].count(IN_NEST)

    def count_spent(self, state: State) -> int:
        """Return how many dice increments the play has spent; of a 14-space grant, spaces."""
        return self.grants - len(state.dice)

    def sum_spent(self, state: State) -> int:
        """Return the sum of the dice increments that the play has spent."""
        return sum(self.increments) - sum(state.dice)

    def has_paired(self, state: State) -> bool:
        """Whether a pair stands together elsewhere, however its pawns are told apart."""
        return self._mover.has_paired(state.worlds)

    def own_blockades(self, state: State) -> int:
        """Return the spaces on which two of the seat's pawns stand, as bits."""
        bits, (one, two, three, four) = self._bits, state.worlds[0]
        a, b = bits[one >> TAG_BITS], bits[two >> TAG_BITS]
        c, d = bits[three >> TAG_BITS], bits[four >> TAG_BITS]
        return a & b | (a | b) & c | (a | b | c) & d

    # --- what may still happen, found without making the states that steps lead to ---------------

    def may_enter(self, number: int) -> bool:
        """Whether a dice increment of this number, by itself, brings a pawn in."""
        ruleset = self.ruleset
        if number != ruleset.entry_number:
            return False
        if ruleset.total_move == "only":
            return True
        if ruleset.entry_by == "sum":
            return False
        return ruleset.undersides_enter or not (self.doublet and number != self.face)

    def is_reserved(self, number: int) -> bool:
        """Whether a number can only enter while the nest holds a pawn."""
        return self.ruleset.entry_number_reserved and number == self.ruleset.entry_number

    def has_lapsed(self, state: State) -> bool:
        """Whether the dice surely can't be used any more, whatever is done with bonuses."""
        return state.closed or not state.dice

    def bonuses_may_win(self, state: State) -> bool:
        """Whether bonuses alone might bring all pawns home. A pawn can't use a part of a bonus."""
        to_go, unit = self.terrain.to_go, self.terrain.bonus_unit
        exact = not any(to_go[code >> TAG_BITS] % unit for code in state.worlds[0])
        return exact and self._may_win(state, 0)

    def _may_win(self, state: State, spaces: int) -> bool:
        """Whether so many spaces, with a bonus for each lone opponent, could be enough to win."""
        to_go = sum(self.terrain.to_go[code >> TAG_BITS] for code in state.worlds[0])
        for_captures = self.ruleset.capture_bonus * state.lone.bit_count()
        for_homecomings = self.ruleset.finish_bonus * PAWNS
        return to_go <= spaces + sum(state.bonuses) + for_captures + for_homecomings

    def last_die_fits(self, state: State) -> bool:
        """Whether a pawn can surely use the one open die. `successors` finds out, too, but slower.

        Where pawns must be told apart, a landing beside one's own pawn does not count as sure.
        """
        if state.closed:
            return False
        if self._one_counts and LAST_IN_ROW in places(state.worlds[0]):
            return True
        number, world = state.dice[0], state.worlds[0]
        blocked = self.blockades | self.own_blockades(state)
        if world[0] < 0 and number == self.ruleset.entry_number:
            if self.last_die_enters(state):
                return True
            if self.is_reserved(number):
                return False
        unsure = state.lone & self._safe
        if not self.alike:
            for code in world:
                unsure |= self._bits[code >> TAG_BITS]
        for code in world:
            if 0 <= code < AT_HOME:
                for _, way, landed in self._routes[code >> TAG_BITS][number]:
                    if not (way & blocked or landed & unsure):
                        return True
        return False

    def last_die_enters(self, state: State) -> bool:
        """Whether the one open die may bring a pawn in."""
        if state.closed or state.worlds[0][0] >= 0 or not self.may_enter(state.dice[0]):
            return False
        return not (self.blockades | self.own_blockades(state)) & self.terrain.entry_bit
