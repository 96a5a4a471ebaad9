"""The hands at a table without hardware: fingers that press mock pins, by a button's name."""

from collections.abc import Iterable, Mapping
from typing import Any

from pi_app.model.events import Button
from rules.board import SEAT_LETTERS

BUTTONS = {"dome": Button(None, "dome")} | {
    f"{letter}.{kind}": Button(seat, kind)
    for seat, letter in enumerate(SEAT_LETTERS)
    for kind in ("ok", "next")
}


def button_name(button: Button) -> str:
    """Return a button's name: `A.ok`, `C.next`, `dome`."""
    return button.kind if button.seat is None else f"{SEAT_LETTERS[button.seat]}.{button.kind}"


def missing_button(name: str, buttons: Iterable[str]) -> str:
    """Return why a button can't be pressed: the table has only `buttons`."""
    return f"{name!r} is not a button of this table: it has {', '.join(buttons)}"


class Hands:
    """Fingers that press a table's buttons. pins: by BCM number. factory: a MockFactory."""

    def __init__(self, pins: Mapping[int, Button], factory: Any) -> None:
        self._pins = {button_name(button): factory.pin(pin) for pin, button in pins.items()}

    def down(self, name: str) -> None:
        """Put a finger on a button. Raises ValueError if the table has no such button."""
        self._pin(name).drive_low()

    def up(self, name: str) -> None:
        """Take the finger off a button. Raises ValueError if the table has no such button."""
        self._pin(name).drive_high()

    def _pin(self, name: str) -> Any:
        if name not in self._pins:
            raise ValueError(missing_button(name, self._pins))
        return self._pins[name]
