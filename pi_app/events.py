"""What comes into the session and what it answers: frozen values, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from pi_app.history import Record
    from pi_app.screen import Screen
    from pi_app.session import Session

Kind = Literal["ok", "next", "dome", "power"]
DrawnBy = Literal["press", "roll"]  # the lit chamber's dice: by the Pi at the press, or by itself
Lamp = Literal["off", "on", "blink"]
ToneName = Literal["press", "capture", "home", "turn", "win", "refused"]


class Button(NamedTuple):
    """One button of the table; `dome` and `power` belong to no seat."""

    seat: int | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class Setup:
    """What this table has: its panels, those with a NEXT button, a dome or none.

    rolls: a lit chamber throws its own dice.
    """

    panels: tuple[int, ...] = (0, 1, 2, 3)
    next_buttons: tuple[int, ...] = (0, 1, 2, 3)
    dome: bool = True
    rolls: bool = False
    ruleset: str = "royal-2023"


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
class Tick:
    """Time has passed: the reply's `wake_at` is reached."""

    t: float


@dataclass(frozen=True, slots=True)
class Drawn:
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
    text: str | None
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
    """The line to the lit chamber is up, or it is lost."""

    up: bool
    t: float


@dataclass(frozen=True, slots=True)
class Resume:
    """At start: the game in progress, as the journal has it."""

    record: Record
    t: float


Event = (
    Edge | Down | Up | Tick | Drawn | Notice | ChamberPress | ChamberRolled | ChamberLine | Resume
)


# What the lit chamber is told.


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the lit chamber should do now; a later one takes an earlier one's place.

    key: the moment these wishes are of (how many rows the game has): a press comes back with it.
    faces: what is to be seen, () for nothing. seat: who may throw, None where no press counts.
    test: how many times the lights were to be tested; TEST goes out when it grows.
    """

    key: int = 0
    mode: DrawnBy = "press"
    dice: int = 2
    faces: tuple[int, ...] = ()
    seat: int | None = None
    test: int = 0


# The answer.


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded action in its text form, with the position after it.

    `action` is a text of `rules.game`, `new <rule set> seats 0,2` or `undo`.
    """

    action: str
    position: str
    source: str | None = None
    boot: str | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Tone:
    """A short sound; a seat's own tone where one is named."""

    seat: int | None
    name: ToneName


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the loop carries out: commit `rows` first, then show, light and sound.

    `draw` is how many dice the loop must draw now; it then at once hands in `Drawn`.
    `dim` allows the screen to dim, shift and sleep: nothing is being decided.
    """

    session: Session
    screen: Screen
    lamps: tuple[Lamp, Lamp, Lamp, Lamp]
    rows: tuple[Row, ...] = ()
    draw: int = 0
    tones: tuple[Tone, ...] = ()
    wake_at: float | None = None
    dim: bool = False
