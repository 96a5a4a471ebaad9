"""The buttons: puts the raw edges of GPIO pins into an inbox, without debouncing them.

Each button connects its pin to ground; the pin's own pull-up holds it high. Level 0 is pressed.
"""

import atexit
import os
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from shutil import rmtree
from threading import Thread
from time import monotonic
from typing import Any

from gpiozero import Factory, GPIOZeroError, InputDevice

from pi_app.devices.closing import close_anyway
from pi_app.model.errors import UserError
from pi_app.model.events import Edge

MOCK_STATES = 100
# Each factory's class in gpiozero, and the package of its library on Raspberry Pi OS and Ubuntu.
FACTORIES = {
    "lgpio": ("LGPIOFactory", "python3-lgpio"),
    "rpigpio": ("RPiGPIOFactory", "python3-rpi-lgpio or python3-rpi.gpio"),
    "mock": ("MockFactory", "gpiozero"),
}


class PinsError(UserError):
    """The GPIO pins can't be used as configured. The text says what to do."""


class PinsUnavailable(PinsError):
    """The GPIO pins can't be reached now, but perhaps at the next start."""


class PinInUse(PinsError):
    """A pin can't be opened now, because another program or driver uses it."""


def pin_factory(name: str) -> Factory:
    """Return the pin factory `name`: lgpio, rpigpio or mock.

    Raises PinsError if its library is missing, and PinsUnavailable if it can't reach the pins.
    """
    made, package = FACTORIES[name]
    if name != "mock":
        _set_lgpio_folder()
    try:
        module = import_module(f"gpiozero.pins.{name}")
        options = {"pin_class": _short_memory(module.MockPWMPin)} if name == "mock" else {}
        factory = getattr(module, made)(**options)
    except Exception as error:  # ImportError, lgpio.error, RuntimeError: it depends on the library
        kind = PinsError if isinstance(error, ImportError) else PinsUnavailable
        raise kind(
            f"the GPIO pins can't be reached by {name} ({error}): "
            f"install {package} on a Raspberry Pi, name another factory under [pins], "
            "or play without hardware with `referee simulate`"
        ) from error
    if name == "mock":
        factory.ticks = lambda: 0.0  # mock pins report a change at once, also to a simulated clock
    return factory


@contextmanager
def explain_pin_errors(pin: int) -> Iterator[None]:
    """Raise PinsError instead of a library's own error if `pin` can't be opened in this block.

    It is PinInUse unless gpiozero itself refuses the pin, which it does again at each start.
    """
    try:
        yield
    except Exception as error:
        kind = PinsError if isinstance(error, GPIOZeroError) else PinInUse
        raise kind(
            f"pin {pin} can't be used ({error}): stop the other program that uses it, "
            "or name another pin in the configuration"
        ) from error


def lgpio_thread() -> Thread | None:
    """Return the thread in which lgpio (also under rpi-lgpio) reports edges; None without lgpio."""
    return getattr(sys.modules.get("lgpio"), "_notify_thread", None)


class Buttons:
    """Inputs that put an Edge into an inbox whenever a pin's level changes.

    pins: BCM numbers. put: called from the library's thread. clock: the edges' time, in seconds.
    notifier: the library's thread that reports edges; `alive` checks it. By default lgpio's.
    """

    def __init__(
        self,
        pins: Iterable[int],
        put: Callable[[Edge], None],
        factory: Factory,
        clock: Callable[[], float] = monotonic,
        notifier: Thread | None = None,
    ) -> None:
        self._clock = clock
        self._notifier = notifier or lgpio_thread()
        self._inputs: dict[int, InputDevice] = {}
        self._handlers: list[Callable[[float, bool], None]] = []  # gpiozero does not keep them
        try:
            for pin in pins:
                with explain_pin_errors(pin):
                    device = InputDevice(pin, pull_up=True, pin_factory=factory)
                    self._inputs[pin] = device
                    self._handlers.append(_edge_handler(pin, put, factory, clock))
                    device.pin.when_changed = self._handlers[-1]
        except BaseException:
            self.close()
            raise

    def levels(self) -> dict[int, int]:
        """Return the level of each pin, 0 or 1, by its number."""
        return {pin: int(bool(device.pin.state)) for pin, device in self._inputs.items()}

    def read(self) -> tuple[Edge, ...]:
        """Return each pin's level as an edge. This replaces edges that the library lost."""
        t = self._clock()
        return tuple(Edge(pin, level, t) for pin, level in self.levels().items())

    def alive(self) -> bool:
        """Whether the library still reports edges. If not, only a new process helps."""
        return self._notifier is None or self._notifier.is_alive()

    def close(self) -> None:
        """Release the pins. An error with one pin is logged and does not stop the others."""
        for pin, device in self._inputs.items():
            close_anyway(f"pin {pin}", device.close)
        self._inputs.clear()


def _edge_handler(
    pin: int, put: Callable[[Edge], None], factory: Factory, clock: Callable[[], float]
) -> Callable[[float, bool], None]:
    """Return a handler of a pin's changes, which gets the time of each, in the factory's ticks.

    That can be long before the call: the library reports a short tap when it is over.
    """

    # An exception in a handler ends lgpio's only thread, so handlers do nothing that can fail.
    def handle(ticks: float, level: bool) -> None:
        age_s = factory.ticks_diff(factory.ticks(), ticks)
        put(Edge(pin, int(level), clock() - max(0.0, age_s)))

    return handle


def _set_lgpio_folder() -> None:
    """Let lgpio, also under rpi-lgpio, make its files in a folder that is removed at our end.

    It makes them when it is imported: in LG_WD, or otherwise in the working directory.
    """
    if "LG_WD" in os.environ:
        return
    try:
        folder = tempfile.mkdtemp("-referee", dir=os.environ.get("RUNTIME_DIRECTORY"))
    except OSError as error:
        raise PinsUnavailable(
            f"no folder can be made for lgpio's files ({error}): make {tempfile.tempdir or '/tmp'} "
            "writable, or name another folder in LG_WD"
        ) from error
    atexit.register(rmtree, folder, ignore_errors=True)
    os.environ["LG_WD"] = folder


def _short_memory(mock_pin: Any) -> Any:
    """Return a mock pin that remembers only its latest states: a simulated table runs for days."""

    class Pin(mock_pin):  # type: ignore[misc]
        def clear_states(self) -> None:
            super().clear_states()
            self.states: deque[object] = deque(self.states, maxlen=MOCK_STATES)

    return Pin
