"""The panels' lamps on GPIO pins. They blink and pulse without a thread of their own.

gpiozero's own `pulse` needs a thread for each lamp, which wakes 25 times a second.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import cos, floor, pi

from gpiozero import DigitalOutputDevice, Factory

from pi_app.devices.buttons import explain_pin_errors
from pi_app.devices.closing import close_anyway
from pi_app.model.events import Lamp

HALF_S = 0.5  # lit, and then dark: a lamp blinks at 1 Hz
BREATH_S = 3.0  # as slow as a sleeper's breath, so nobody takes it for blinking
BREATH_STEP_S = 0.1  # the bar of a hold moves as often
CHEER_STEP_S = 0.2
# The winner's lamp: under two flashes a second. More than three can cause a seizure (WCAG 2.3.1).
CHEER = "#.#.###."
PWM_HZ = 100  # too fast to see; the library makes it in software, only while a lamp pulses
FAINTEST = 0.04  # a pulsing lamp is never off


class Lamps:
    """The lamps of all seats.

    pins: BCM numbers by seat; None for a seat without a lamp. Each pin drives an LED with its
    resistor to ground, or a transistor.
    """

    def __init__(self, pins: Sequence[int | None], factory: Factory) -> None:
        self._lamps: dict[int, DigitalOutputDevice] = {}  # by seat
        self._levels = [0.0] * len(pins)
        try:
            for seat, pin in enumerate(pins):
                if pin is not None:
                    with explain_pin_errors(pin):
                        self._lamps[seat] = DigitalOutputDevice(pin, pin_factory=factory)
        except BaseException:
            self.close()
            raise

    def show(self, lamps: Sequence[Lamp], now: float) -> float | None:
        """Set each seat's lamp. Return when to call this again; None if no lamp is moving."""
        for seat, lamp in self._lamps.items():
            level = LEVELS[lamps[seat]](now)
            if level != self._levels[seat]:
                _set_level(lamp, level)
                self._levels[seat] = level
        dues = [(floor(now / step + 1e-6) + 1) * step for step in map(STEPS.get, lamps) if step]
        return min(dues, default=None)

    def close(self) -> None:
        """Switch the lamps off and release the pins; log errors and go on."""
        for lamp in self._lamps.values():
            close_anyway(f"the lamp at {lamp.pin}", partial(_set_level, lamp, 0.0))
            close_anyway(f"the lamp at {lamp.pin}", lamp.close)
        self._lamps.clear()


def breath_level(now: float) -> float:
    """Return the level of a pulsing lamp, 0 to 1.

    The swell is squared, because eyes see a weak light brighter than it is.
    """
    step = floor(now / BREATH_STEP_S + 1e-6)
    swell = (1 - cos(2 * pi * step * BREATH_STEP_S / BREATH_S)) / 2
    return round(FAINTEST + (1 - FAINTEST) * swell**2, 2)


LEVELS: dict[Lamp, Callable[[float], float]] = {
    "off": lambda now: 0.0,
    "on": lambda now: 1.0,
    "blink": lambda now: float(floor(now / HALF_S + 1e-6) % 2 == 0),
    "breathe": breath_level,
    "cheer": lambda now: float(CHEER[floor(now / CHEER_STEP_S + 1e-6) % len(CHEER)] == "#"),
}
STEPS: dict[Lamp, float] = {"blink": HALF_S, "breathe": BREATH_STEP_S, "cheer": CHEER_STEP_S}


def _set_level(lamp: DigitalOutputDevice, level: float) -> None:
    """Set a level. PWM costs CPU time, so it runs only between off and full."""
    frequency = PWM_HZ if 0 < level < 1 else None
    if lamp.pin.frequency != frequency:
        lamp.pin.frequency = frequency
    lamp.pin.state = level if frequency else bool(level)
