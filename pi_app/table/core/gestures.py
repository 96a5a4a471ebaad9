"""Turns presses, releases and time into gestures. Knows no game and no screen.

`Fingers.take` is the only way in: an event goes in, and the gesture that it completes comes out.

    Down ------- up to CLICK_S ------ Up   click
    Down ------- for hold_s --------- ...  hold, at the first event after that time
    Down                                   press, if a press has a gesture of its own
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Literal, NamedTuple

from pi_app.model.events import Button, Down, StillDown, Stuck, Tick, Up
from pi_app.model.screens import Bar

CLICK_S = 0.6  # a press that is released later is a hold that was given up
HOLD_S = 1.0
CHILD_HOLD_S = 2.0  # a child may rest a finger on a button
OFF_S = 3.0  # long enough to read the countdown and change one's mind

Touch = Down | StillDown | Up | Stuck | Tick
Name = Literal["ok", "hold-ok", "next", "menu", "dome", "off", "off?", "no-off"]


class Gesture(NamedTuple):
    """A gesture of a seat, or of the dome and the power button, which have no seat."""

    seat: int | None
    name: Name


class Meaning(NamedTuple):
    """The gestures of a press: when it goes down, on a short release, and after `hold_s`."""

    press: Name | None = None
    click: Name | None = None
    hold: Name | None = None
    hold_s: float = HOLD_S


SPENT = Meaning()


class Conditions(NamedTuple):
    """What decides the gestures of a press that begins now."""

    off: bool = False  # the referee can be switched off
    one_button: bool = False  # the panel has no NEXT button
    is_childs: bool = False
    holds_ok: bool = False  # a hold of OK, for `hold_s`, has a meaning of its own on this screen
    hold_s: float = HOLD_S
    ignores_ok: bool = False  # a short press of OK does not count now
    ignores_ok_holds: bool = False

    def meaning(self, button: Button) -> Meaning:
        if button.kind == "dome":
            return Meaning(press="dome")
        if button.kind == "power":
            off = Meaning(click="off?", hold="off", hold_s=OFF_S)
            return off if self.off else Meaning(press="no-off")
        to_next = Meaning(click="next", hold="menu")
        what = to_next if button.kind == "next" else self._meaning_of_ok()
        return what._replace(hold_s=max(what.hold_s, CHILD_HOLD_S)) if self.is_childs else what

    def _meaning_of_ok(self) -> Meaning:
        if not self.one_button and not self.holds_ok:
            return SPENT if self.ignores_ok else Meaning(press="ok")
        click: Name | None = "next" if self.one_button else None if self.ignores_ok else "ok"
        hold: Name = "hold-ok" if self.holds_ok else "ok"
        hold_s = self.hold_s if self.holds_ok else HOLD_S
        return Meaning(None, click, None if self.ignores_ok_holds else hold, hold_s)


@dataclass(frozen=True, slots=True)
class Finger:
    """A button that is down, and what this press still means."""

    button: Button
    since: float
    meaning: Meaning
    known_until: float = inf  # how long it is known to be down

    @property
    def due(self) -> float:
        """When its hold takes effect."""
        return self.since + self.meaning.hold_s

    def still_down(self, t: float) -> Finger:
        return replace(self, known_until=max(t, self.known_until))

    @property
    def can_hold(self) -> bool:
        """Whether this press has a hold, and the button is known to be down until it is due."""
        return self.meaning.hold is not None and self.due <= self.known_until


@dataclass(frozen=True, slots=True)
class Fingers:
    """All buttons that are down."""

    down: tuple[Finger, ...] = ()

    def take(self, event: Touch, now: Conditions | None = None) -> tuple[Fingers, Gesture | None]:
        """Return the fingers after an event, and the gesture that it completes, or None.

        now: the conditions of a Down, None if the press has no meaning. After a Tick, others may be
        due, too, but perhaps the first one changes what they mean.
        """
        match event:
            case Down(button, t, known_until):
                what = SPENT if now is None else now.meaning(button)
                finger = Finger(button, t, what, known_until)
                return Fingers((*self._others(button), finger)), _gesture(button, what.press)
            case StillDown(button, t):
                down = [f.still_down(t) if f.button == button else f for f in self.down]
                return Fingers(tuple(down)), None
            case Up(button, t):
                short = [f for f in self.down if f.button == button and t - f.since < CLICK_S]
                click = short[0].meaning.click if short else None
                return Fingers(self._others(button)), _gesture(button, click)
            case Stuck(button):
                return Fingers(self._others(button)), None
        return self._hold(event.t)

    def _hold(self, t: float) -> tuple[Fingers, Gesture | None]:
        """Return the fingers after the first hold that is due at `t`, which counts once."""
        due = [finger for finger in self.down if finger.can_hold and finger.due <= t]
        if not due:
            return self, None
        first = min(due, key=lambda finger: finger.due)
        down = [replace(f, meaning=SPENT) if f is first else f for f in self.down]
        return Fingers(tuple(down)), _gesture(first.button, first.meaning.hold)

    def spend(self) -> Fingers:
        """Return the fingers without OK's meanings: a press must not act on the next screen."""
        down = [replace(f, meaning=SPENT) if f.button.kind == "ok" else f for f in self.down]
        return Fingers(tuple(down))

    def off_in(self, t: float) -> int | None:
        """Return the whole seconds until the referee switches off, or None without such a hold."""
        dues = [f.due for f in self.down if f.meaning.hold and f.meaning.hold_s == OFF_S]
        return max(1, ceil(min(dues) - t - 1e-6)) if dues else None

    def bar(self, seats: tuple[int, ...]) -> Bar | None:
        """Return the longest hold of these seats, the dome and the power button, or None."""
        holding = [f for f in self.down if f.meaning.hold and f.button.seat in (*seats, None)]
        first = min(holding, key=lambda finger: finger.since, default=None)
        return None if first is None else Bar(first.since, first.due)

    def wake_at(self, t: float) -> float | None:
        """Return when the next hold is due or the countdown to switching off changes, or None."""
        dues = []
        for finger in self.down:
            if finger.can_hold:
                dues.append(finger.due)
                if finger.meaning.hold_s == OFF_S and finger.due - t > 1:
                    dues.append(finger.due - ceil(finger.due - t - 1e-6) + 1)
        return min(dues, default=None)

    def _others(self, button: Button) -> tuple[Finger, ...]:
        return tuple([finger for finger in self.down if finger.button != button])


def _gesture(button: Button, name: Name | None) -> Gesture | None:
    return Gesture(button.seat, name) if name else None
