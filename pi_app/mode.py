"""A mode: one kind of screen, with what each press does on it. Here what all have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_app.events import Lamp, Tone
from pi_app.history import Row
from pi_app.screen import Screen

if TYPE_CHECKING:
    from pi_app.session import Session

Lamps = tuple[Lamp, Lamp, Lamp, Lamp]
SEATS = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Change:
    """What a press or the passing of time makes of a session."""

    session: Session
    rows: tuple[Row, ...] = ()
    draw: int = 0
    tones: tuple[Tone, ...] = ()


class Mode:
    """What a screen shows and what presses do; unless a mode says otherwise, nothing.

    Presses of seats that are not among `drivers` are answered with `whose` and do nothing.
    """

    __slots__ = ()

    def joined(self, s: Session) -> tuple[int, ...]:
        """Return the seats that play; each of them may open the menu."""
        return s.playing.game.seats

    def drivers(self, s: Session) -> tuple[int, ...]:
        """Return the seats whose OK and NEXT count."""
        return ()

    def whose(self, s: Session) -> str:
        """Return what the others are told when they press."""
        return "wait"

    def holds_ok(self, s: Session, seat: int) -> bool:
        """Whether holding OK means something other than pressing it."""
        return False

    def ok(self, s: Session, seat: int) -> Change:
        """A driver pressed OK."""
        return Change(s)

    def hold_ok(self, s: Session, seat: int) -> Change:
        """A driver held OK, where `holds_ok`."""
        return Change(s)

    def next(self, s: Session, seat: int) -> Change:
        """A driver pressed NEXT."""
        return Change(s)

    def menu(self, s: Session, seat: int) -> Change:
        """A seat that plays held NEXT."""
        return s.open_menu(seat)

    def dome(self, s: Session) -> Change:
        """The dome was pressed."""
        return s.refuse(self.whose(s))

    def screen(self, s: Session) -> Screen:
        """Return what the display shows."""
        raise NotImplementedError

    def lamps(self, s: Session) -> Lamps:
        """Return what the four lamps show: the drivers' are lit."""
        return lamps(on=self.drivers(s))

    def wake_at(self, s: Session) -> float | None:
        """Return when time itself changes the screen next."""
        return None

    def pass_time(self, s: Session) -> Change:
        """Do what is due by `s.t`."""
        return Change(s)

    def resting(self, s: Session) -> bool:
        """Whether nothing is being decided, so that the screen may dim."""
        return False


def lamps(on: tuple[int, ...] = (), blink: tuple[int, ...] = ()) -> Lamps:
    """Return the four lamps, those in `blink` blinking and those in `on` lit."""
    a, b, c, d = (_lamp(seat, on, blink) for seat in SEATS)
    return a, b, c, d


def _lamp(seat: int, on: tuple[int, ...], blink: tuple[int, ...]) -> Lamp:
    if seat in blink:
        return "blink"
    return "on" if seat in on else "off"
