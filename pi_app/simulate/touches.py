"""The fingers of browsers on the table's buttons, whose messages may come late. Has no clock.

A message says how long its finger has been down, by the browser's own clock. So a tap whose release
comes late is a tap, and a hold counts as soon as the browser has confirmed it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from pi_app.model.events import Button, Down, StillDown, Up
from pi_app.simulate.hands import button_name, missing_button

Events = tuple[Down | StillDown | Up, ...]


class Touch(NamedTuple):
    """A finger that is on a button since `since`, and is known to be there until `known_until`."""

    since: float
    known_until: float


class Touches:
    """The fingers of all tabs. A button is down while at least one of them is on it.

    buttons: those of the table. Each function returns the events for the table.
    """

    def __init__(self, buttons: Iterable[Button]) -> None:
        self._buttons = {button_name(button): button for button in buttons}
        self._touches: dict[str, dict[str, Touch]] = {name: {} for name in self._buttons}

    @property
    def buttons(self) -> tuple[str, ...]:
        return tuple(self._buttons)

    @property
    def held(self) -> tuple[str, ...]:
        return tuple(name for name, touches in self._touches.items() if touches)

    def is_on(self, name: str, tab: str) -> bool:
        return tab in self._touches[name]

    def down(self, name: str, tab: str, t: float) -> Events:
        """Put a finger of `tab` on a button at `t`, in seconds.

        Raises ValueError if the table has no such button; so do the others.
        """
        touches = self._touches_of(name)
        was_down = bool(touches)
        touches.setdefault(tab, Touch(t, t))
        return () if was_down else (Down(self._buttons[name], t, known_until=t),)

    def still(self, name: str, tab: str, seconds: float) -> Events:
        """Confirm that a tab's finger is on a button, `seconds` after it was put there."""
        touches = self._touches_of(name)
        if tab not in touches:
            return ()
        since, known_until = touches[tab]
        touches[tab] = Touch(since, max(known_until, since + seconds))
        return (StillDown(self._buttons[name], touches[tab].known_until),)

    def up(self, name: str, tab: str, seconds: float = 0.0) -> Events:
        """Take a tab's finger off a button, `seconds` after it was put there.

        Without `seconds` it was there for as long as is known.
        """
        events = self.still(name, tab, seconds)
        touch = self._touches[name].pop(tab, None)
        if touch is None or self._touches[name]:
            return events
        return (*events, Up(self._buttons[name], touch.known_until))

    def lift_all(self, tab: str) -> Events:
        return tuple(event for name in self._touches for event in self.up(name, tab))

    def _touches_of(self, name: str) -> dict[str, Touch]:
        if name not in self._touches:
            raise ValueError(missing_button(name, self._buttons))
        return self._touches[name]
