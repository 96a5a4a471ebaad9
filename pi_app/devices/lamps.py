"""The panels' lamps on GPIO pins. They blink and breathe by the clock handed in: no thread.

gpiozero's own pulse takes a thread a lamp that wakes 25 times a second.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import cos, floor, pi

from gpiozero import DigitalOutputDevice, Factory

from pi_app.devices.buttons import explain_pin_errors
from pi_app.devices.closing import close_anyway
from pi_app.input.events import Lamp

HALF_S = 0.5  # lit and dark: a blinking lamp goes at 1 Hz
BREATH_S = 3.0  # as calm as a sleeper's, and never taken for blinking
BREATH_STEP_S = 0.1  # as often as the bar of a hold moves
CHEER_STEP_S = 0.2
CHEER = "#.#.###."  # under two flashes a second: more than three can cause a seizure (WCAG 2.3.1)
PWM_HZ = 100  # no flicker to be seen; the library makes it in software, only while a lamp breathes
FAINTEST = 0.04  # a lamp that breathes is never off


class Lamps:
    """One lamp a seat; a seat whose pin is None has none.

    pins: BCM numbers, by seat. Each drives an LED with its resistor to ground, or a transistor.
    """

    def __init__(self, pins: Sequence[int | None], factory: Factory) -> None:
        self._lamps: list[DigitalOutputDevice | None] = []
        self._levels = [0.0] * len(pins)
        try:
            for pin in pins:
                self._lamps.append(_output(pin, factory))
        except BaseException:
            self.close()
            raise

    @property
    def lit(self) -> tuple[bool, ...]:
        """Whether each seat's lamp is lit, if only faintly."""
        return tuple(lamp is not None and lamp.pin.state > 0 for lamp in self._lamps)

    def show(self, lamps: Sequence[Lamp], now: float) -> float | None:
        """Set each lamp for this moment; return when to be called again, None if all stand."""
        for seat, (lamp, wanted) in enumerate(zip(self._lamps, lamps, strict=True)):
            level = LEVELS[wanted](now)
            if lamp is not None and level != self._levels[seat]:
                _set(lamp, level)
                self._levels[seat] = level
        dues = [(floor(now / step + 1e-6) + 1) * step for step in map(STEPS.get, lamps) if step]
        return min(dues, default=None)

    def close(self) -> None:
        """Put the lamps out and let go of the pins; one that fails keeps no other."""
        for lamp in self._lamps:
            if lamp is not None:
                close_anyway(f"the lamp at {lamp.pin}", partial(_set, lamp, 0.0))
                close_anyway(f"the lamp at {lamp.pin}", lamp.close)
        self._lamps.clear()


def breath_level(now: float) -> float:
    """Return how bright a breathing lamp is, 0 to 1; squared, as eyes see small light large."""
    step = floor(now / BREATH_STEP_S + 1e-6)
    swell = (1 - cos(2 * pi * step * BREATH_STEP_S / BREATH_S)) / 2
    return round(FAINTEST + (1 - FAINTEST) * swell**2, 2)


def _blink(now: float) -> float:
    return float(floor(now / HALF_S + 1e-6) % 2 == 0)


def cheer_level(now: float) -> float:
    """Return the winner's lamp: two short flashes and a long one."""
    return float(CHEER[floor(now / CHEER_STEP_S + 1e-6) % len(CHEER)] == "#")


LEVELS: dict[Lamp, Callable[[float], float]] = {
    "off": lambda now: 0.0,
    "on": lambda now: 1.0,
    "blink": _blink,
    "breathe": breath_level,
    "cheer": cheer_level,
}
STEPS: dict[Lamp, float] = {"blink": HALF_S, "breathe": BREATH_STEP_S, "cheer": CHEER_STEP_S}


def _output(pin: int | None, factory: Factory) -> DigitalOutputDevice | None:
    if pin is None:
        return None
    with explain_pin_errors(pin):
        return DigitalOutputDevice(pin, pin_factory=factory)


def _set(lamp: DigitalOutputDevice, level: float) -> None:
    """Set a level; PWM, which costs time, only where it is neither off nor full."""
    frequency = PWM_HZ if 0 < level < 1 else None
    if lamp.pin.frequency != frequency:
        lamp.pin.frequency = frequency
    lamp.pin.state = level if frequency else bool(level)
