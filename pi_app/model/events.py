"""Events for the session, and orders for devices. Frozen values, which decide nothing."""

from dataclasses import dataclass
from math import inf
from typing import Any, Literal, NamedTuple, get_args

from pi_app.model.advice import AdviceQuestion
from pi_app.model.screens import Message, Text
from rules.history import Record

Kind = Literal["ok", "next", "dome", "power"]
DrawnBy = Literal["press", "roll"]  # the lit chamber's dice: drawn by the Pi at a press, or by it
Lamp = Literal["off", "on", "breathe", "blink", "cheer"]  # on: your turn; breathe: you may press
ToneName = Literal["press", "capture", "home", "turn", "win", "refused"]
Part = Literal["voice", "chamber", "journal", "power"]  # what a self test checks without a player


# What the table can't do itself: a unit of systemd does it.
Request = Literal["power-off", "page-on", "page-off", "backup", "restore"]
Result = Literal[
    "done",
    "not-taken",
    "failed",
    "no-games",
    "no-backup",
    "not-restored",
    "no-stick",
    "two-sticks",
    "unknown-format",
    "read-only",
    "full",
]


class Button(NamedTuple):
    """One button. `dome` and `power` belong to no seat."""

    seat: int | None
    kind: Kind


class Finding(NamedTuple):
    """The result of a self test of one part."""

    part: str  # a `Part`, or any name at a terminal
    good: bool | None  # None if nobody can tell
    words: Text
    look: Text = ""  # what to check if it is not good, else more details


class Answer(NamedTuple):
    """What became of a request, as one line of text: `done 12`."""

    result: Result
    games: int = 0  # how many it was about

    def __str__(self) -> str:
        return f"{self.result} {self.games}"

    @classmethod
    def parse(cls, text: str) -> "Answer":
        """Return the answer that `str` has written. Raises ValueError for anything else."""
        result, games = text.split()
        if result not in get_args(Result):
            raise ValueError(f"{result!r} is not the result of a request")
        return cls(result, int(games))  # type: ignore[arg-type]


class Address(NamedTuple):
    host: str  # "pachisi.local" or "pachisi.local:8337"
    known: bool  # False if it is only a guess, from the computer's own name
    number: str | None = None  # a numeric address, "" without a network, None before anybody asked


class LanguageName(NamedTuple):
    code: str  # the name of its catalog
    name: str  # in that language
    letters: str = ""  # the capitals that it has beside A to Z
    edition: str = ""  # that its players know best; "" for the default


@dataclass(frozen=True, slots=True)
class Setup:
    """What this referee has."""

    panels: tuple[int, ...] = (0, 1, 2, 3)  # the seats with a panel
    next_buttons: tuple[int, ...] = (0, 1, 2, 3)  # those with a NEXT button
    dome: bool = True  # there is a button for throwing
    rolls: bool = False  # the lit chamber draws its own dice
    voice: bool = False
    requests: tuple[Request, ...] = ()  # those that systemd takes from us
    ruleset: str = ""  # the edition that is offered first; "" for that of the language
    lamps: tuple[int, ...] = (0, 1, 2, 3)  # the seats with a lamp
    buzzer: bool = True
    power: bool = True  # there is a power button
    chamber: bool = False  # a lit chamber belongs to this table
    page: Address | None = None  # for spectators
    chances: bool = False  # the page shows each seat's chance to win
    languages: tuple[LanguageName, ...] = ()  # those that players can choose
    asks_language: bool = False  # the first screen asks for one if nobody has chosen one yet
    version: str = ""  # of the program, "" if the menu does not show it

    def has_one_button(self, seat: int | None) -> bool:
        """Whether a seat's panel has one button. None: a button that belongs to no panel."""
        return seat is not None and seat not in self.next_buttons


def earliest(*times: float | None) -> float | None:
    """Return the first of some times, of which None means never."""
    return min((time for time in times if time is not None), default=None)


class Event:
    """An input of the session. t: the monotonic time in seconds."""

    __slots__ = ()
    t: float


@dataclass(frozen=True, slots=True)
class Edge(Event):
    """A raw edge of an input pin. Level 0 is a pressed button."""

    pin: int
    level: int
    t: float


@dataclass(frozen=True, slots=True)
class Down(Event):
    """A button was pressed (debounced)."""

    button: Button
    t: float
    known_until: float = inf  # until then it is down. Beyond, a hold waits for `StillDown`


@dataclass(frozen=True, slots=True)
class StillDown(Event):
    """A button that was pressed with a `known_until` is known to be down at `t`."""

    button: Button
    t: float


@dataclass(frozen=True, slots=True)
class Up(Event):
    """A button was released (debounced)."""

    button: Button
    t: float


@dataclass(frozen=True, slots=True)
class Stuck(Event):
    """A button has been down for longer than anybody presses. Its release is an Up."""

    button: Button
    t: float


@dataclass(frozen=True, slots=True)
class Tick(Event):
    """The time of the reply's `wake_at` has come."""

    t: float


@dataclass(frozen=True, slots=True)
class DiceDrawn(Event):
    """Dice were drawn. boot, n: the press of the lit chamber they are for."""

    faces: tuple[int, ...]
    source: str  # kernel, typed, chamber or simulated
    t: float
    boot: str | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """A line about a device, to show until it is replaced; None removes it."""

    device: str
    text: Message | None
    t: float


@dataclass(frozen=True, slots=True)
class ChamberPress(Event):
    """The lit chamber's dome was pressed."""

    boot: str  # this start of the chamber
    n: int  # counts the presses since then
    arm: int  # the key of the wishes that armed it
    t: float


@dataclass(frozen=True, slots=True)
class ChamberRolled(Event):
    """The lit chamber threw its own dice. boot, n, arm: as in `ChamberPress`."""

    boot: str
    n: int
    arm: int
    faces: tuple[int, ...]
    t: float


@dataclass(frozen=True, slots=True)
class ChamberLine(Event):
    """The link to the lit chamber is up, or it is lost."""

    up: bool
    t: float


@dataclass(frozen=True, slots=True)
class RowsSaved(Event):
    t: float


@dataclass(frozen=True, slots=True)
class PartChecked(Event):
    """A self test of a part is finished."""

    finding: Finding
    t: float


@dataclass(frozen=True, slots=True)
class Resume(Event):
    """The game in progress, as the journal has it at the start of the program."""

    record: Record
    t: float
    walk: bool = False  # the referee was off, so it asks whether the pawns are still in place


@dataclass(frozen=True, slots=True)
class PageNumber(Event):
    """The page has another numeric address than before, "" for none."""

    number: str
    t: float


@dataclass(frozen=True, slots=True)
class RequestAnswered(Event):
    """A unit of systemd has answered the request that was made at `made_at`."""

    answer: Answer
    made_at: float
    t: float


@dataclass(frozen=True, slots=True)
class ClockRead(Event):
    """The time of the computer's clock, at the start and whenever the clock was set.

    A Pi's clock is wrong until it gets the time from a network.
    """

    unix: float  # seconds since 1970
    boot: str  # the id of this boot of the computer
    t: float


@dataclass(frozen=True, slots=True)
class AdviceGiven(Event):
    """An answer, as the question's `read` returns it."""

    question: AdviceQuestion
    answer: Any
    t: float


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the lit chamber should do now: what it shows, and whether a press counts."""

    key: int = 0  # the session's moment; a press comes back with the key that armed it
    mode: DrawnBy = "press"
    dice: int = 2  # how many there are
    faces: tuple[int, ...] = ()  # what they show, () for dark
    throw: int = 0  # the number of their throw; the dice tumble when it changes
    seat: int | None = None  # whose press of the dome counts
    test: int = 0  # how often the lights were to be tested; the chamber tests them when it grows


@dataclass(frozen=True, slots=True)
class Tone:
    """A short sound. seat: the seat whose own tone it is, or None."""

    seat: int | None
    name: ToneName
