"""The panels' lamps on GPIO pins. Blinking is told by the clock handed in: no thread."""

from collections.abc import Sequence
from math import floor

from gpiozero import DigitalOutputDevice, Factory

from pi_app.devices.buttons import opening
from pi_app.table.events import Lamp

HALF_S = 0.5  # lit and dark: a blinking lamp goes at 1 Hz


class Lamps:
    """One lamp a seat; a seat whose pin is None has none.

    pins: BCM numbers, by seat. Each drives an LED with its resistor to ground, or a transistor.
    """

    def __init__(self, pins: Sequence[int | None], factory: Factory) -> None:
        self._lamps: list[DigitalOutputDevice | None] = []
        try:
            for pin in pins:
                self._lamps.append(_output(pin, factory))
        except BaseException:
            self.close()
            raise

    @property
    def lit(self) -> tuple[bool, ...]:
        """Whether each seat's lamp is lit."""
        return tuple(bool(lamp and lamp.value) for lamp in self._lamps)

    def show(self, lamps: Sequence[Lamp], now: float) -> float | None:
        """Set each lamp for this moment; return when to be called again, None if nothing blinks."""
        halves = floor(now / HALF_S)
        for lamp, wanted in zip(self._lamps, lamps, strict=True):
            lit = wanted == "on" or (wanted == "blink" and halves % 2 == 0)
            if lamp is not None and bool(lamp.value) != lit:
                lamp.value = lit
        return (halves + 1) * HALF_S if "blink" in lamps else None

    def close(self) -> None:
        """Put the lamps out and let go of the pins."""
        for lamp in self._lamps:
            if lamp is not None:
                lamp.close()
        self._lamps.clear()


def _output(pin: int | None, factory: Factory) -> DigitalOutputDevice | None:
    if pin is None:
        return None
    with opening(pin):
        return DigitalOutputDevice(pin, pin_factory=factory)
