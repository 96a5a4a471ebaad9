"""Fingers on buttons: turns presses, releases and time into what they mean. No game, no screen."""

from dataclasses import dataclass, replace
from math import ceil
from typing import Literal, NamedTuple

from pi_app.input.events import Button
from pi_app.screens.screen import Bar

CLICK_S = 0.6  # released later than this, a press was a hold thought better of
HOLD_S = 1.0
CHILD_HOLD_S = 2.0  # a child that rests a finger means nothing yet
OFF_S = 3.0  # long enough to be read, counted down and thought better of

Name = Literal["ok", "hold-ok", "next", "menu", "dome", "off", "off?", "no-off"]


class Gesture(NamedTuple):
    """What a seat's fingers said; the dome has no seat."""

    seat: int | None
    name: Name


class Meaning(NamedTuple):
    """What one press means on going down, on a short release, and when held for so long."""

    press: Name | None = None
    click: Name | None = None
    hold: Name | None = None
    hold_s: float = HOLD_S

    def for_children(self) -> "Meaning":
        """Return it with a hold that is long enough not to be made by mistake."""
        return self._replace(hold_s=max(self.hold_s, CHILD_HOLD_S))

    def without_ok(self, holds: bool) -> "Meaning":
        """Return what is left of it while OK is deaf. `holds`: a hold counts all the same."""
        press, click, hold = (None if name in ("ok", "hold-ok") else name for name in self[:3])
        return Meaning(press, click, self.hold if holds else hold, self.hold_s)


DOME = Meaning(press="dome")
OK = Meaning(press="ok")
OK_OR_HOLD = Meaning(click="ok", hold="hold-ok")
NEXT = Meaning(click="next", hold="menu")
ONLY = Meaning(click="next", hold="ok")
ONLY_OR_HOLD = Meaning(click="next", hold="hold-ok")
POWER = Meaning(click="off?", hold="off", hold_s=OFF_S)
NO_POWER = Meaning(press="no-off")
SPENT = Meaning()


def meaning(
    button: Button, only: bool, holds: bool, hold_s: float = HOLD_S, off: bool = False
) -> Meaning:
    """Return what pressing a button means now.

    `only`: its panel has no NEXT button. `holds`: holding OK means something on this screen, after
    `hold_s`. `off`: the table can be switched off.
    """
    if button.kind == "dome":
        return DOME
    if button.kind == "power":
        return POWER if off else NO_POWER
    if button.kind == "next":
        return NEXT
    if button.kind == "ok":
        what = ((OK, OK_OR_HOLD), (ONLY, ONLY_OR_HOLD))[only][holds]
        return what._replace(hold_s=hold_s) if holds else what
    return SPENT


@dataclass(frozen=True, slots=True)
class Finger:
    """A button that is down since `since`, with what the press still means."""

    button: Button
    since: float
    meaning: Meaning

    @property
    def due(self) -> float:
        """When a hold acts."""
        return self.since + self.meaning.hold_s


@dataclass(frozen=True, slots=True)
class Fingers:
    """All buttons that are down now."""

    down: tuple[Finger, ...] = ()

    def press(
        self, button: Button, t: float, what: Meaning
    ) -> tuple["Fingers", tuple[Gesture, ...]]:
        """Put a finger down; what acts on the press is said at once."""
        fingers = Fingers((*self._others(button), Finger(button, t, what)))
        return fingers, _gestures(button, what.press)

    def release(self, button: Button, t: float) -> tuple["Fingers", tuple[Gesture, ...]]:
        """Lift a finger; a short press that acts on release is said now."""
        lifted = next((finger for finger in self.down if finger.button == button), None)
        short = lifted is not None and t - lifted.since < CLICK_S
        clicked = lifted.meaning.click if lifted is not None and short else None
        return Fingers(self._others(button)), _gestures(button, clicked)

    def without(self, button: Button) -> "Fingers":
        """Forget a finger, and so what its release or its hold would have said."""
        return Fingers(self._others(button))

    def hold(self, t: float) -> tuple["Fingers", tuple[Gesture, ...]]:
        """Say which holds have become due by `t`; a finger says so once."""
        due = [finger for finger in self.down if finger.meaning.hold and finger.due <= t]
        rest = tuple(
            replace(finger, meaning=SPENT) if finger in due else finger for finger in self.down
        )
        said = (gesture for f in due for gesture in _gestures(f.button, f.meaning.hold))
        return Fingers(rest), tuple(said)

    def spend(self) -> "Fingers":
        """Forget what OK fingers meant: a press begun on one screen does nothing on the next."""
        down = [Finger(f.button, f.since, SPENT) if f.button.kind == "ok" else f for f in self.down]
        return Fingers(tuple(down))

    def off_in(self, t: float) -> int | None:
        """Return the whole seconds until the table is switched off, None if nobody holds for it."""
        dues = [f.due for f in self.down if f.meaning.hold and f.meaning.hold_s == OFF_S]
        return max(1, ceil(min(dues) - t - 1e-6)) if dues else None

    def bar(self, seats: tuple[int, ...]) -> Bar | None:
        """Return the longest hold of these seats, and of who belongs to none; None without one."""
        holding = [f for f in self.down if f.meaning.hold and f.button.seat in (*seats, None)]
        first = min(holding, key=lambda finger: finger.since, default=None)
        return None if first is None else Bar(first.since, first.due)

    def wake_at(self, t: float) -> float | None:
        """Return when the next hold is due, or a second less is left until switching off."""
        dues = []
        for finger in self.down:
            if finger.meaning.hold:
                dues.append(finger.due)
                if finger.meaning.hold_s == OFF_S and finger.due - t > 1:
                    dues.append(finger.due - ceil(finger.due - t - 1e-6) + 1)
        return min(dues, default=None)

    def _others(self, button: Button) -> tuple[Finger, ...]:
        return tuple([finger for finger in self.down if finger.button != button])


def _gestures(button: Button, name: Name | None) -> tuple[Gesture, ...]:
    return (Gesture(button.seat, name),) if name else ()
