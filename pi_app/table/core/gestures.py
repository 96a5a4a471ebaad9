"""Turns presses, releases and time into gestures. Knows no game and no screen."""

from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Literal, NamedTuple

from pi_app.model.events import Button
from pi_app.model.screens import Bar

CLICK_S = 0.6  # a press that is released later is a hold that was given up
HOLD_S = 1.0
CHILD_HOLD_S = 2.0  # a child may rest a finger on a button
OFF_S = 3.0  # long enough to read the countdown and change one's mind

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

    def for_children(self) -> "Meaning":
        """Return this meaning with a hold too long to happen by mistake."""
        return self._replace(hold_s=max(self.hold_s, CHILD_HOLD_S))

    def without_ok(self, holds: bool) -> "Meaning":
        """Return this meaning without OK, while OK is ignored. holds: a hold still counts."""
        press, click, hold = (None if name in ("ok", "hold-ok") else name for name in self[:3])
        return Meaning(press, click, self.hold if holds else hold, self.hold_s)


DOME = Meaning(press="dome")
OK = Meaning(press="ok")
OK_OR_HOLD = Meaning(click="ok", hold="hold-ok")
NEXT = Meaning(click="next", hold="menu")
ONE_BUTTON = Meaning(click="next", hold="ok")
ONE_BUTTON_OR_HOLD = Meaning(click="next", hold="hold-ok")
POWER = Meaning(click="off?", hold="off", hold_s=OFF_S)
NO_POWER = Meaning(press="no-off")
SPENT = Meaning()


def meaning(
    button: Button, one_button: bool, holds: bool, hold_s: float = HOLD_S, off: bool = False
) -> Meaning:
    """Return the meaning of a press of a button now.

    one_button: its panel has no NEXT button. holds: a hold of OK, for `hold_s`, has a meaning of
    its own on this screen. off: the referee can be switched off here.
    """
    if button.kind == "dome":
        return DOME
    if button.kind == "power":
        return POWER if off else NO_POWER
    if button.kind == "next":
        return NEXT
    if button.kind == "ok":
        what = ((OK, OK_OR_HOLD), (ONE_BUTTON, ONE_BUTTON_OR_HOLD))[one_button][holds]
        return what._replace(hold_s=hold_s) if holds else what
    return SPENT


@dataclass(frozen=True, slots=True)
class Finger:
    """A button that has been down since `since`, and what this press still means.

    known_until: how long it is known to be down.
    """

    button: Button
    since: float
    meaning: Meaning
    known_until: float = inf

    @property
    def due(self) -> float:
        """When its hold takes effect."""
        return self.since + self.meaning.hold_s

    @property
    def can_hold(self) -> bool:
        """Whether this press has a hold, and the button is known to be down until it is due."""
        return self.meaning.hold is not None and self.due <= self.known_until


@dataclass(frozen=True, slots=True)
class Fingers:
    """All buttons that are down."""

    down: tuple[Finger, ...] = ()

    def press(
        self, button: Button, t: float, what: Meaning, known_until: float = inf
    ) -> tuple["Fingers", Gesture | None]:
        """Return the fingers with this one down, and the gesture of the press."""
        fingers = Fingers((*self._others(button), Finger(button, t, what, known_until)))
        return fingers, _gesture(button, what.press)

    def know(self, button: Button, t: float) -> "Fingers":
        """Return the fingers with this one known to be down at `t`."""
        down = (
            replace(finger, known_until=max(t, finger.known_until))
            if finger.button == button
            else finger
            for finger in self.down
        )
        return Fingers(tuple(down))

    def release(self, button: Button, t: float) -> tuple["Fingers", Gesture | None]:
        """Return the fingers without this one, and the gesture of its release."""
        lifted = next((finger for finger in self.down if finger.button == button), None)
        short = lifted is not None and t - lifted.since < CLICK_S
        clicked = lifted.meaning.click if lifted is not None and short else None
        return Fingers(self._others(button)), _gesture(button, clicked)

    def without(self, button: Button) -> "Fingers":
        """Return the fingers without this one, whose release and hold then mean nothing."""
        return Fingers(self._others(button))

    def hold(self, t: float) -> tuple["Fingers", Gesture | None]:
        """Return the fingers after the first hold that is due at `t`, and its gesture.

        It counts once. Others may be due, too, but perhaps the first one changes what they mean.
        """
        due = [finger for finger in self.down if finger.can_hold and finger.due <= t]
        if not due:
            return self, None
        first = min(due, key=lambda finger: finger.due)
        spent = replace(first, meaning=SPENT)
        down = tuple([spent if finger is first else finger for finger in self.down])
        return Fingers(down), _gesture(first.button, first.meaning.hold)

    def spend(self) -> "Fingers":
        """Return the fingers without OK's meanings: a press must not act on the next screen."""
        down = (
            replace(finger, meaning=SPENT) if finger.button.kind == "ok" else finger
            for finger in self.down
        )
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
