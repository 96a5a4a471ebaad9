"""What comes into the session, and what devices are told: frozen values, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pi_app.advice.reviews import ReviewRequest
from pi_app.screens.screen import Message, Text
from rules.game import Game
from rules.history import Record
from rules.ruleset import DEFAULT_PRESET

Kind = Literal["ok", "next", "dome", "power"]
DrawnBy = Literal["press", "roll"]  # the lit chamber's dice: by the Pi at the press, or by itself
Lamp = Literal["off", "on", "breathe", "blink", "cheer"]  # lit: your turn; breathes: you may choose
ToneName = Literal["press", "capture", "home", "turn", "win", "refused"]


Part = Literal["chamber", "journal", "power"]  # what a self test looks after


class Button(NamedTuple):
    """One button of the table; `dome` and `power` belong to no seat."""

    seat: int | None
    kind: Kind


class Question(NamedTuple):
    """What the table wants worked out of a game, off the deciding thread.

    kind: what is asked, as `KINDS` in pi_app/players/working.py has it. of: the game, or the look
    at one of its throws. level: of the box that plays.
    """

    kind: str
    of: Game | ReviewRequest
    level: str = ""


class Finding(NamedTuple):
    """What a self test has found of a part.

    good: None where it can't be told. look: what to look at where it is not good, or more of it.
    """

    part: Part
    good: bool | None
    words: Text
    look: Text = ""


class Address(NamedTuple):
    """What a browser asks for to see the page: "pachisi.local" or "pachisi.local:8337".

    known: False where it is only a guess, the computer's own name.
    """

    host: str
    known: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """What this table has: its panels, those with a NEXT button, a dome or none.

    rolls: a lit chamber throws its own dice. off: the computer can be switched off from here.
    lamps: the panels with one. power: there is a power button. chamber: a lit one belongs here.
    page: where the page for those who look on is, None where none is served. chances: that page
    shows each seat's chance to win.
    """

    panels: tuple[int, ...] = (0, 1, 2, 3)
    next_buttons: tuple[int, ...] = (0, 1, 2, 3)
    dome: bool = True
    rolls: bool = False
    off: bool = False
    ruleset: str = DEFAULT_PRESET
    lamps: tuple[int, ...] = (0, 1, 2, 3)
    buzzer: bool = True
    power: bool = True
    chamber: bool = False
    page: Address | None = None
    chances: bool = False


# Events. `t` is monotonic time in seconds.


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw edge of an input pin; level 0 is a pressed button."""

    pin: int
    level: int
    t: float


@dataclass(frozen=True, slots=True)
class Down:
    """A button was pressed (debounced)."""

    button: Button
    t: float


@dataclass(frozen=True, slots=True)
class Up:
    """A button was released (debounced)."""

    button: Button
    t: float


@dataclass(frozen=True, slots=True)
class Stuck:
    """A button has been down for longer than anybody presses; its release is an Up."""

    button: Button
    t: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the reply's `wake_at` is reached."""

    t: float


@dataclass(frozen=True, slots=True)
class DiceDrawn:
    """Dice were drawn. Source: kernel, typed, chamber or simulated.

    `boot` and `n` tell which press of the lit chamber they belong to.
    """

    faces: tuple[int, ...]
    source: str
    t: float
    boot: str | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """One line that a device has to say; None takes it back."""

    device: str
    text: Message | None
    t: float


@dataclass(frozen=True, slots=True)
class ChamberPress:
    """The lit chamber's dome was pressed; `arm` is the key of the wishes that had armed it."""

    boot: str
    n: int
    arm: int
    t: float


@dataclass(frozen=True, slots=True)
class ChamberRolled:
    """The lit chamber threw its own dice; `arm` is the key of the wishes that had armed it."""

    boot: str
    n: int
    arm: int
    faces: tuple[int, ...]
    t: float


@dataclass(frozen=True, slots=True)
class ChamberLine:
    """The line to the lit chamber is up, or it is lost.

    only_throws: its firmware is an older one, whose dome is armed for throws alone.
    """

    up: bool
    t: float
    only_throws: bool = False


@dataclass(frozen=True, slots=True)
class RowsSaved:
    """All that had to wait is recorded now."""

    t: float


@dataclass(frozen=True, slots=True)
class PartChecked:
    """A self test has found something."""

    finding: Finding
    t: float


@dataclass(frozen=True, slots=True)
class Resume:
    """At start: the game in progress, as the journal has it.

    walk: the table was away, so the players are asked whether the pawns still stand as it has them.
    """

    record: Record
    t: float
    walk: bool = False


@dataclass(frozen=True, slots=True)
class ClockRead:
    """What the computer's clock says: `unix` seconds since 1970, on this boot of the computer.

    Told at start and whenever the clock was set, since a Pi's is wrong until it hears of a better.
    """

    unix: float
    boot: str
    t: float


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    """An answer to a question, which `read_answer` of the core makes of a line."""

    question: Question
    answer: Any
    t: float


Event = (
    Edge
    | Down
    | Up
    | Stuck
    | Tick
    | DiceDrawn
    | Notice
    | ChamberPress
    | ChamberRolled
    | ChamberLine
    | RowsSaved
    | PartChecked
    | Resume
    | ClockRead
    | AdviceGiven
)


# What the lit chamber is told.


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the lit chamber should do now: what it shows, and whether a press counts.

    key: the session's moment; a press comes back with the key that the chamber was armed for.
    mode: who draws the dice. dice: how many there are, as many as faces where faces are shown.
    faces: what the dice show, () for dark. throw: which throw of the game the faces are; another
    number tumbles again, whatever the faces are.
    seat: whose press of the dome counts, with faces or without; None where no press counts.
    test: how often the lights were to be tested; they are tested when it grows.
    """

    key: int = 0
    mode: DrawnBy = "press"
    dice: int = 2
    faces: tuple[int, ...] = ()
    throw: int = 0
    seat: int | None = None
    test: int = 0


# What is heard.


@dataclass(frozen=True, slots=True)
class Tone:
    """A short sound; a seat's own tone where one is named."""

    seat: int | None
    name: ToneName
