"""The hands at a table without hardware: fingers that press mock pins, by a button's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pi_app.input.events import Button
from rules.board import SEAT_LETTERS

BUTTONS = {"dome": Button(None, "dome")} | {
    f"{letter}.{kind}": Button(seat, kind)
    for seat, letter in enumerate(SEAT_LETTERS)
    for kind in ("ok", "next")
}


def button_name(button: Button) -> str:
    """Return a button's name: `A.ok`, `C.next`, `dome`."""
    return button.kind if button.seat is None else f"{SEAT_LETTERS[button.seat]}.{button.kind}"


class Hands:
    """The fingers of several people. A pin is low while at least one of them is on its button.

    pins: BCM numbers with their buttons. factory: gpiozero's MockFactory.
    """

    def __init__(self, pins: Mapping[int, Button], factory: Any) -> None:
        self._pins = {button_name(button): factory.pin(pin) for pin, button in pins.items()}
        self._fingers: dict[str, set[str]] = {name: set() for name in self._pins}

    @property
    def buttons(self) -> tuple[str, ...]:
        """The names of this table's buttons."""
        return tuple(self._pins)

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the buttons that are down."""
        return tuple(name for name, fingers in self._fingers.items() if fingers)

    def down(self, name: str, who: str = "") -> None:
        """Put a finger of `who` on a button. Raises ValueError if the table has no such button."""
        fingers = self._fingers_on(name)
        fingers.add(who)
        self._pins[name].drive_low()

    def up(self, name: str, who: str = "") -> None:
        """Take a finger of `who` off a button, which goes up with the last finger.

        Raises ValueError if the table has no such button.
        """
        fingers = self._fingers_on(name)
        fingers.discard(who)
        if not fingers:
            self._pins[name].drive_high()

    def lift_all(self, who: str) -> None:
        """Take all fingers of `who` off the buttons."""
        for name, fingers in self._fingers.items():
            if who in fingers:
                self.up(name, who)

    def _fingers_on(self, name: str) -> set[str]:
        if name not in self._fingers:
            raise ValueError(
                f"{name!r} is not a button of this table: it has {', '.join(self._pins)}"
            )
        return self._fingers[name]
