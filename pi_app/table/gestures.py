"""Fingers on buttons: turns presses, releases and time into what they mean. No game, no screen."""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pi_app.table.events import Button

CLICK_S = 0.6  # released later than this, a press was a hold thought better of
HOLD_S = 1.0
BAR_AFTER_S = 0.2  # a click shows no bar
BAR_STEP_S = 0.1

Name = Literal["ok", "hold ok", "next", "menu", "dome"]


class Gesture(NamedTuple):
    """What a seat's fingers said; the dome has no seat."""

    seat: int | None
    name: Name


class Meaning(NamedTuple):
    """What one press means on going down, on a short release, and when held."""

    press: Name | None = None
    click: Name | None = None
    hold: Name | None = None

    def without_ok(self, holds: bool) -> "Meaning":
        """Return what is left of it while OK is deaf. `holds`: a hold counts all the same."""
        press, click, hold = (None if name in ("ok", "hold ok") else name for name in self)
        return Meaning(press, click, self.hold if holds else hold)


DOME = Meaning(press="dome")
OK = Meaning(press="ok")
OK_OR_HOLD = Meaning(click="ok", hold="hold ok")
NEXT = Meaning(click="next", hold="menu")
ONLY = Meaning(click="next", hold="ok")
ONLY_OR_HOLD = Meaning(click="next", hold="hold ok")
SPENT = Meaning()


def meaning(button: Button, only: bool, holds: bool) -> Meaning:
    """Return what pressing a button means now.

    `only`: its panel has no NEXT button. `holds`: holding OK means something on this screen.
    """
    if button.kind == "dome":
        return DOME
    if button.kind == "next":
        return NEXT
    if button.kind == "ok":
        return ((OK, OK_OR_HOLD), (ONLY, ONLY_OR_HOLD))[only][holds]
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
        return self.since + HOLD_S


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
        return Fingers(
            tuple(
                replace(finger, meaning=SPENT) if finger.button.kind == "ok" else finger
                for finger in self.down
            )
        )

    def bar(self, t: float, seats: tuple[int, ...]) -> float | None:
        """Return how full the bar of the longest hold of these seats is, None without one."""
        held = [t - finger.since for finger in self._holding(seats)]
        longest = max(held, default=0.0)
        return min(1.0, longest / HOLD_S) if longest >= BAR_AFTER_S - 1e-6 else None

    def wake_at(self, t: float, seats: tuple[int, ...]) -> float | None:
        """Return when the next hold or the bar's next step is due."""
        dues = [finger.due for finger in self.down if finger.meaning.hold]
        for finger in self._holding(seats):
            steps = int((t - finger.since) / BAR_STEP_S + 1e-6) + 1
            dues.append(finger.since + max(BAR_AFTER_S, steps * BAR_STEP_S))
        return min(dues, default=None)

    def _others(self, button: Button) -> tuple[Finger, ...]:
        return tuple(finger for finger in self.down if finger.button != button)

    def _holding(self, seats: tuple[int, ...]) -> list[Finger]:
        return [f for f in self.down if f.meaning.hold and f.button.seat in seats]


def _gestures(button: Button, name: Name | None) -> tuple[Gesture, ...]:
    return (Gesture(button.seat, name),) if name else ()
