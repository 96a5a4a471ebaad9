"""A step asked about: what it names, and how the play stands to it. Gives no reasons."""

from .board import ROW, SEAT_LETTERS, Board, Route, place_text
from .increments import GRANT
from .plays import Plays
from .situation import State, Successor
from .steps import Step
from .worlds import places


class Asked:
    """A step asked about: what it names, and what the play has open."""

    def __init__(self, plays: Plays, state: State, step: Step) -> None:
        self.plays, self.state, self.step = plays, state, step
        self.stepper = plays.stepper
        self.ruleset = plays.stepper.ruleset
        self.board = plays.stepper.terrain.board
        self.places = places(state.worlds[0])
        self.letter = SEAT_LETTERS[plays.stepper.seat]

    @property
    def part(self) -> bool:
        """Whether the step spends a part of a 14-space grant."""
        return self.step.spent.endswith(f"/{GRANT}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The increments that the step spends; of a part, its spaces."""
        spent = self.step.spent.removesuffix(f"/{GRANT}")
        return tuple(int(number) for number in spent.replace("+", ",").split(","))

    @property
    def spaces(self) -> int:
        """How many spaces the step's increments make together."""
        return sum(self.numbers)

    @property
    def one_die(self) -> bool:
        """Whether the step spends a number that a die shows, though it is not granted."""
        shown, open_ = self.stepper.faces, (*self.stepper.increments, *self.state.bonuses)
        return len(self.numbers) == 1 and self.spaces in shown and self.spaces not in open_

    @property
    def bonus(self) -> bool:
        """Whether the step spends a bonus, and not a die that is open."""
        open_dice = () if self.stepper.grant or self.state.closed else self.state.dice
        spent = self.step.spent
        return spent in map(str, self.state.bonuses) and spent not in map(str, open_dice)

    @property
    def blocked(self) -> int:
        """The spaces on which two pawns stand, as bits."""
        return self.stepper.blockades | self.stepper.own_blockades(self.state)

    @property
    def lengths(self) -> tuple[tuple[Route, ...], ...]:
        """The routes from where the step begins, by the number of spaces."""
        return self.stepper.terrain.routes[self.step.origin]

    @property
    def routes(self) -> list[Route]:
        """The routes that the step's spaces may take, blocked or not."""
        return [*self.lengths[self.spaces], *self.behind]

    @property
    def behind(self) -> list[Route]:
        """The routes that stop behind a blockade, where these rules have that."""
        if self.bonus or not self.ruleset.stop_behind_blockade:
            return []
        blocked, lengths = self.blocked, self.lengths
        return [
            short
            for length in range(2, self.spaces + 1)
            for longer in lengths[length]
            if longer.landed & blocked and not longer.passed & blocked
            for short in lengths[length - 1]
            if short.way == longer.passed
        ]

    @property
    def origin(self) -> str:
        """Where the step begins, as text."""
        return place_text(self.step.origin)

    @property
    def entry(self) -> str:
        """The number that enters: `a 5`."""
        number = self.ruleset.entry_number
        return f"an {number}" if number in (8, 11) else f"a {number}"

    @property
    def enters(self) -> dict[str, int]:
        """What brings a pawn in, as details of a reason: the number, and whether as a sum."""
        by_sum = self.ruleset.entry_by == "sum" and self.ruleset.total_move != "only"
        return {"enters": self.ruleset.entry_number, "by_sum": by_sum}

    def owner(self, bit: int) -> int:
        """Return the seat that stands on the space of a bit."""
        others = self.stepper.caught(bit & (self.stepper.blockades | self.state.lone))
        return others[0][0] if others else self.stepper.seat

    def beside_own(self, target: int) -> bool:
        """Whether a pawn that lands there stands beside one of its own."""
        bits = self.stepper.terrain.bits
        return any(bits[place] == bits[target] != 0 for place in self.places)

    @property
    def successor(self) -> Successor | None:
        """The step as board and increments alone allow it."""
        successors = self.stepper.successors(self.state)
        return next((after for after in successors if after.step == self.step), None)


def place_of(asked: Asked, bit: int) -> int:
    """Return the place of a bit, as the step's seat counts it."""
    number = bit.bit_length() - 1
    return number if number < asked.board.ring else ROW + 1 + number - asked.board.ring


def where(asked: Asked, place: int) -> str:
    """Return the players' name of a place on the board."""
    if place > ROW:
        return f"on home row {place - ROW}"
    space = (asked.stepper.seat * asked.board.arm + place) % asked.board.ring
    return f"on {space_name(asked.board, space)}"


def space_name(on: Board, space: int) -> str:
    """Return how players name a ring space: `C's entry`, `3 past C`."""
    seat, past = divmod(space, on.arm)
    return f"{past} past {SEAT_LETTERS[seat]}" if past else f"{SEAT_LETTERS[seat]}'s entry"
