"""The situation: a throw in a position, and what any state of its play tells. Makes no steps.

Places and bits are those of `board`, pawns those of `worlds`.
"""

from typing import Any, ClassVar, NamedTuple

from .board import HOME, NEST, SEATS
from .ground import terrain
from .increments import GRANT, granted, is_doublet
from .position import PAWNS, Position
from .ruleset import RuleSet
from .steps import Step
from .worlds import AT_HOME, IN_NEST, TAG_BITS, Mover, World

LAST_IN_ROW = HOME - 1

Dice = tuple[int, ...]  # open dice increments, highest first; of a grant its spaces and fives


class State(NamedTuple):
    """How far a play has come.

    `worlds` are the ways to tell the seat's pawns apart that the steps so far allow (pawns look
    alike); `lone` the lone opponents still on the ring, as bits seen from the seat; `dice` the open
    dice increments, highest first, or of a 14-space grant the spaces left and the fives not yet
    entered with; `bonuses` the open bonus increments; `closed` whether dice may no more be used.
    """

    worlds: tuple[World, ...]
    lone: int
    dice: Dice
    bonuses: tuple[int, ...] = ()
    closed: bool = False


class Successor(NamedTuple):
    """A step from a state: its parts, the captured opponents as bits, and the state it leads to."""

    origin: int
    target: int
    spent: str
    caught: int
    state: State

    @property
    def step(self) -> Step:
        """The step itself."""
        return new_tuple(Step, (self.origin, self.target, self.spent, self.caught != 0))


# Makes a named tuple without the call to its class: listing tr-1938's plays takes a tenth less.
new_tuple = tuple.__new__


class Situation:
    """One seat's throw in a position.

    `start` is where its play begins, `increments` what the throw grants, `grants` how many of them
    there are to spend, or of a 14-space `grant` how many spaces. `unlike` are two dice that differ,
    `sum_enters` tells whether such two bring a pawn in together. `nested` pawns were in the nest.
    `blockades` are the opponents', as bits seen from the seat.
    """

    grant: ClassVar[bool] = False  # whether the increments are 14 spaces to share out

    def __init__(
        self, ruleset: RuleSet, position: Position, seat: int, faces: tuple[int, ...]
    ) -> None:
        self.terrain = ground = terrain(ruleset)
        self.ruleset, self.position, self.seat = ruleset, position, seat
        self.faces, self.face = faces, faces[0]
        self.increments = granted(ruleset, position[seat], faces)
        self.grants = GRANT if self.grant else len(self.increments)  # D of a play that spends all
        self.nested = position[seat].count(NEST)
        self.doublet = is_doublet(ruleset, faces)
        self.unlike = len(faces) == 2 and faces[0] != faces[1] and len(self.increments) == 2
        by_sum = self.unlike and ruleset.entry_by != "die"
        self.sum_enters = by_sum and sum(faces) == ruleset.entry_number
        self._bits, self._routes, self._safe = ground.bits, ground.routes, ground.safe
        self._mover = Mover(ruleset, position[seat], self._bits, self.grant)
        self.alike = self._mover.alike
        # Where only totals move, no total is 1: a die that shows it may still bring a pawn home.
        self._one_counts = ruleset.total_move == "only" and 1 in faces
        self.blockades, lone = self._opponents()
        self.start = State((self._mover.world(position[seat]),), lone, self._open_dice())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by what it was made of: the rest is tables and can be big."""
        return type(self), (self.ruleset, self.position, self.seat, self.faces)

    def _opponents(self) -> tuple[int, int]:
        """Return the opponents' blockades and lone pawns as bits seen from the seat."""
        blockades = lone = 0
        position, seat, views = self.position, self.seat, self.terrain.views
        for further in range(1, SEATS):
            view = views[further]
            for place in position[(seat + further) % SEATS]:
                bit = view[place]
                blockades |= lone & bit
                lone |= bit
        return blockades, lone & ~blockades

    def _open_dice(self) -> Dice:
        return tuple(sorted(self.increments, reverse=True))

    # --- what has happened -----------------------------------------------------------------------

    def position_after(self, state: State) -> Position:
        """Return the whole position in a state: own pawns moved, captured ones in their nests."""
        gone = self.start.lone & ~state.lone
        seats = list(self.position)
        own = [code >> TAG_BITS for code in reversed(state.worlds[0])]
        if not self.terrain.by_number:
            own.sort(key=self.terrain.board.spaces_to_go)
        seats[self.seat] = tuple(own)
        if gone:
            for other, place in self.caught(gone):
                pawns = list(seats[other])
                pawns.remove(place)
                seats[other] = (*pawns, NEST)
        a, b, c, d = seats
        return a, b, c, d

    def caught(self, gone: int) -> tuple[tuple[int, int], ...]:
        """Return seat and place of the opponents on the given bits."""
        return tuple(
            (other, place)
            for other in range(SEATS)
            if other != self.seat
            for place in self.position[other]
            if gone & self.terrain.views[(other - self.seat) % SEATS][place]
        )

    def won(self, state: State) -> bool:
        """Whether all four pawns are home."""
        return state.worlds[0][0] >= AT_HOME

    def entered(self, state: State) -> int:
        """Return how many pawns the play has entered."""
        return self.nested - state.worlds[0].count(IN_NEST)

    def spent(self, state: State) -> int:
        """Return how many dice increments the play has spent; of a 14-space grant, spaces."""
        return self.grants - len(state.dice)

    def spent_faces(self, state: State) -> int:
        """Return the sum of the dice increments that the play has spent."""
        return sum(self.increments) - sum(state.dice)

    def together(self, state: State) -> bool:
        """Whether a pair has moved on as a pair, however its pawns are told apart."""
        return self._mover.together(state.worlds)

    def own_blockades(self, state: State) -> int:
        """Return the spaces on which two of the seat's pawns stand, as bits."""
        bits, (one, two, three, four) = self._bits, state.worlds[0]
        a, b = bits[one >> TAG_BITS], bits[two >> TAG_BITS]
        c, d = bits[three >> TAG_BITS], bits[four >> TAG_BITS]
        return a & b | (a | b) & c | (a | b | c) & d

    # --- what may still happen: quick answers, without the states that steps lead to -------------

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

    def reserved(self, number: int) -> bool:
        """Whether the number is kept for entering while the nest holds a pawn."""
        return self.ruleset.entry_number_reserved and number == self.ruleset.entry_number

    def lapsed(self, state: State) -> bool:
        """Whether the dice can surely no more be used, whatever is done with bonuses."""
        return state.closed or not state.dice

    def bonuses_may_win(self, state: State) -> bool:
        """Whether bonuses alone might bring all home: each pawn goes in whole bonuses or not."""
        to_go, unit = self.terrain.to_go, self.terrain.bonus_unit
        exact = not any(to_go[code >> TAG_BITS] % unit for code in state.worlds[0])
        return exact and self._may_win(state, 0)

    def _may_win(self, state: State, spaces: int) -> bool:
        """Whether so many spaces, and bonuses for all lone opponents, are enough to win."""
        to_go = sum(self.terrain.to_go[code >> TAG_BITS] for code in state.worlds[0])
        for_captures = self.ruleset.capture_bonus * state.lone.bit_count()
        for_homecomings = self.ruleset.finish_bonus * PAWNS
        return to_go <= spaces + sum(state.bonuses) + for_captures + for_homecomings

    def last_die_fits(self, state: State) -> bool:
        """Whether the one open die surely fits: `successors` would find it, but makes the states.

        Where pawns must be told apart, landing beside one's own is left out as not sure.
        """
        if state.closed:
            return False
        if self._one_counts and self._one_from_home(state):
            return True
        number, world = state.dice[0], state.worlds[0]
        blocked = self.blockades | self.own_blockades(state)
        if world[0] < 0 and number == self.ruleset.entry_number:
            if self.last_die_enters(state):
                return True
            if self.reserved(number):
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

    def _one_from_home(self, state: State) -> bool:
        return any(code >> TAG_BITS == LAST_IN_ROW for code in state.worlds[0])
