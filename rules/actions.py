"""Actions of players and dice; writes and parses their text. Does not check legality."""

import re
from dataclasses import dataclass

from .board import SEAT_LETTERS
from .errors import InputError
from .steps import Step, parse_step

NAMES: dict[int | None, str] = {**dict(enumerate(SEAT_LETTERS)), None: "-"}  # in `last-turn`
CORRECTION = re.compile(r"correct (\S+) seat ([0-3]) doublets (0|[1-9][0-9]{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice show these faces, 1 to 6 each."""

    faces: tuple[int, ...]

    def __str__(self) -> str:
        return f"throw {' '.join(map(str, self.faces))}"


@dataclass(frozen=True, slots=True)
class Choose:
    """The players choose this seat to begin."""

    seat: int

    def __str__(self) -> str:
        return f"choose {self.seat}"


@dataclass(frozen=True, slots=True)
class Move:
    """The seat whose turn it is makes this step."""

    step: Step

    def __str__(self) -> str:
        return f"move {self.step}"


@dataclass(frozen=True, slots=True)
class Stop:
    """The seat ends its play, passes because it can't move, or accepts its penalty."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class End:
    """The players end the game."""

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True, slots=True)
class Correct:
    """The pawns on the board are elsewhere than the game has them, or it is another seat's turn."""

    position: str  # where the pawns are, as a position's text
    seat: int  # whose turn it is
    doublets: int = 0  # how many it has thrown in this turn before the throw on the table

    def __str__(self) -> str:
        return f"correct {self.position} seat {self.seat} doublets {self.doublets}"


@dataclass(frozen=True, slots=True)
class Leave:
    """This seat leaves the game, and its pawns the board."""

    seat: int

    def __str__(self) -> str:
        return f"leave {self.seat}"


@dataclass(frozen=True, slots=True)
class PlayOn:
    """After the first win the other seats play on for the places."""

    def __str__(self) -> str:
        return "play-on"


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The game is over when the running or next turn of this seat is; None takes that back."""

    seat: int | None

    def __str__(self) -> str:
        return f"last-turn {NAMES.get(self.seat, self.seat)}"


Action = Throw | Choose | Move | Stop | End | Correct | Leave | PlayOn | LastTurn
WHOLE: tuple[Action, ...] = (Stop(), End(), PlayOn(), *map(LastTurn, NAMES))  # without a value
NAMED = {str(action): action for action in WHOLE}


def parse_action(text: str) -> Action:
    """Return the action in a line of text. Raises ValueError if the text is not an action."""
    word, _, rest = text.partition(" ")
    if word == "move":
        return Move(parse_step(rest))
    if text in NAMED:
        return NAMED[text]
    if match := CORRECTION.fullmatch(text):
        return Correct(match[1], int(match[2]), int(match[3]))
    numbers = rest.split(" ")
    if all(number in ("0", "1", "2", "3", "4", "5", "6") for number in numbers):
        if word == "throw":
            return Throw(tuple(map(int, numbers)))
        if word in ("choose", "leave") and len(numbers) == 1:
            return Choose(int(rest)) if word == "choose" else Leave(int(rest))
    raise InputError(
        f"{text!r} is not an action: write throw 5 3, choose 2, move 12-17(5), stop, end, leave 2, "
        "play-on, last-turn C, last-turn - or correct POSITION seat 0 doublets 0"
    )
