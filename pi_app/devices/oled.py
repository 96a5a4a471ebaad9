"""The OLED display: sends the newest picture through luma, on a thread of its own."""

import atexit
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from luma.core.device import device as Device  # noqa: N812
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c, spi
from PIL.Image import Image

from pi_app.config.keys import Display
from pi_app.devices.control_pins import ControlPins
from pi_app.model.screens import Level
from pi_app.system.back_off import BackOff, doubling_pauses
from pi_app.system.newest_value import Newest

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 5.0  # a display that is plugged in again works within this time
REFRESH_S = 5.0  # a display that has lost its power for a moment works again within this time
STEADY_S = 60.0  # without a failure for this long, it counts as repaired
JOIN_S = 0.4  # time for four pictures at I2C's slowest; `close` does not wait longer
BRIGHT, DIM = 0xCF, 0x10  # contrast: what luma sets for an SSD1306, and what a dark room needs
CONTRAST: dict[Level, int] = {"bright": BRIGHT, "half": 0x58, "low": 0x28, "dim": DIM}


@dataclass(eq=False)
class Oled:
    """A display that may be absent, slow or failing without stopping anybody.

    report: called on the thread that runs `step`, with a sentence for each new kind of failure, and
    with None after `steady_s` without one: a loose wire fails now and then for hours. refresh_s:
    how often all that the display should know is sent again. After a moment without power it
    answers as before, but has forgotten all, and is off. It keeps its last picture at our end.
    """

    open_device: Callable[[], Device]  # makes a new luma device; called again after each failure
    report: Callable[[str | None], None]
    clock: Callable[[], float] = monotonic
    refresh_s: float = REFRESH_S
    join_s: float = JOIN_S  # how long `close` waits for a stuck bus
    steady_s: float = STEADY_S
    name: str = "the display"  # for the reports
    _device: Device | None = None
    _sent: bytes | None = None  # the picture on the display
    _level: Level | None = None  # None: the display may have forgotten everything
    _refresh_at: float = 0.0
    _retry_at: float | None = None  # after a failure
    _troubles: set[str] = field(default_factory=set)  # reported since it last counted as repaired
    _failed_at: float = 0.0
    _back_off: BackOff = field(default_factory=lambda: doubling_pauses(FIRST_RETRY_S, LAST_RETRY_S))
    _blank: bool = False  # whether `close` blanks it

    def __post_init__(self) -> None:
        self._wanted = Newest[tuple[Image, Level]]("display", self._run)

    def show(self, image: Image, level: Level = "bright") -> None:
        """Show this picture instead of one that still waits. Returns at once.

        level: the brightness. "dark" switches the display off and does not send the picture.
        """
        self._wanted.put((image, level))

    def step(self, now: float) -> float | None:
        """Send the newest picture if it is new. Return when to try again, None if it worked."""
        if self._retry_at is not None and now < self._retry_at:
            return self._retry_at
        if (wanted := self._wanted.newest) is not None:
            image, level = wanted
            if now >= self._refresh_at:
                self._sent = self._level = None
                self._refresh_at = now + self.refresh_s
            is_new_image = level != "dark" and image.tobytes() != self._sent
            if level != self._level or is_new_image:
                self._attempt(image, level, now)
        return self._retry_at

    def start(self) -> None:
        self._wanted.start()

    def close(self, blank: bool = False) -> None:
        """Send the newest picture, blank the display if `blank`, and release the bus."""
        self._blank = blank
        ended = self._wanted.close(self.join_s)
        if self._wanted.thread is None:
            self._end()
        elif not ended:  # the bus is stuck
            _forget_exit_hooks()  # of a device that is still being made

    def _end(self) -> None:
        self.step(self.clock())
        self._drop(self._blank)

    def _run(self) -> None:
        while not self._wanted.closed:
            now = self.clock()
            retry_at = self.step(now)
            self._wanted.wait(self.refresh_s if retry_at is None else retry_at - now)
        self._end()  # on this thread, because only this one may wait for the bus

    def _attempt(self, image: Image, level: Level, now: float) -> None:
        try:
            self._send(image, level)
        except Exception as error:  # luma, smbus2, spidev and RPi.GPIO each raise their own
            self._drop(blank=False)
            self._sent = self._level = None
            trouble = describe_failure(error, self.name)
            if trouble not in self._troubles:
                self.report(trouble)
            self._troubles.add(trouble)
            self._failed_at = now
            self._retry_at = now + self._back_off.failed()
            return
        if self._troubles and now >= self._failed_at + self.steady_s:
            self.report(None)
            self._troubles.clear()
        self._retry_at = None
        self._back_off.worked()

    def _send(self, image: Image, level: Level) -> None:
        if self._device is None:
            self._device = self.open_device()
        device = self._device
        if level == "dark":
            device.hide()
        else:
            is_on = self._level not in (None, "dark")
            if not is_on:
                device.command(*getattr(device, "initialisation", ()))  # luma's dummies have none
            if level != self._level:
                device.contrast(CONTRAST[level])
            if image.tobytes() != self._sent:
                device.display(image)
                self._sent = image.tobytes()
            if not is_on:
                device.show()  # last, so that neither an old picture nor noise flashes up
        self._level = level

    def _drop(self, blank: bool) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.persist = not blank
            with suppress(Exception):
                device.cleanup()


ENABLE_COMMANDS = {"i2c": "sudo referee setup", "spi": "sudo raspi-config nonint do_spi 0"}


def describe_failure(error: Exception, name: str = "the display") -> str:
    """Return a sentence: why the display can't be reached, and what to do about it.

    error: of luma, or of the library below it. name: which display.
    """
    what = str(error)
    device = re.search(r"/dev/(i2c|spi)[\w.-]*", f"{what} {getattr(error, 'filename', '')}")
    remedy = "check its wires, and its driver, bus and address in the configuration"
    if isinstance(error, ImportError):
        remedy = "install it with `sudo apt-get install python3-spidev`"
    elif device and isinstance(error, PermissionError | DevicePermissionError):
        what, group = f"{device[0]}: Permission denied", device[1]
        remedy = f"join the group {group} with `sudo usermod -aG {group} NAME` and log in again"
    elif device and isinstance(error, FileNotFoundError | DeviceNotFoundError):
        what = f"{device[0]} is not there"
        remedy = f"turn it on with `{ENABLE_COMMANDS[device[1]]}`"
    elif silent := re.fullmatch(r"I2C device not found on address: 0x(\w+)", what):
        what = f"nothing answers at {silent[1].lower()}"
        remedy = f"is its back set to I2C? If it is, {remedy}"
    elif what == "SPI device not found":  # luma's words, without a path
        remedy = f"turn it on with `{ENABLE_COMMANDS['spi']}`"
    return f"{name} can't be reached ({what}): {remedy}"


def open_device(display: Display, factory: Any, bus: Any = None) -> Callable[[], Device]:
    """Return a function that opens the luma device which the configuration describes.

    factory: gpiozero's; it drives the pins of the display's D/C and RES.
    bus: an object like smbus2.SMBus or spidev.SpiDev, used instead of the system's bus.
    """
    from luma.oled import device as drivers

    driver = _keeping_initialisation(getattr(drivers, display.driver))
    pins = ControlPins(factory)

    def open_bus() -> i2c | spi:
        if display.bus == "i2c":
            if display.reset is not None:
                pins.reset_display(display.reset)
            return i2c(bus=bus, port=display.i2c_port, address=display.i2c_address)
        return spi(
            spi=bus,
            gpio=pins,
            port=display.spi_port,
            device=display.spi_device,
            bus_speed_hz=display.spi_mhz * 1_000_000,
            gpio_DC=display.dc,
            gpio_RST=display.reset,
        )

    def open_display() -> Device:
        interface = open_bus()
        try:
            return driver(
                interface,
                rotate=2 if display.rotation == 180 else 0,
                page_address_offset=display.column_offset,  # the other drivers take no notice
            )
        except BaseException:
            interface.cleanup()
            raise
        finally:
            _forget_exit_hooks()

    return open_display


def _keeping_initialisation(driver: type[Device]) -> type[Device]:
    """Return a driver whose devices have `initialisation`: what can be sent to them at any time.

    A driver's first transfer is "display off", which is left out, and then all that it sets.
    """

    class KeepingInitialisation(driver):  # type: ignore[misc]
        initialisation: tuple[int, ...] | None = None

        def command(self, *commands: int) -> None:
            if self.initialisation is None:
                self.initialisation = commands[1:]
            super().command(*commands)

    return KeepingInitialisation


class _ExitHook:
    """Compares equal to the exit hook of any luma device."""

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__qualname__", "") == "device.__init__.<locals>.shutdown_hook"

    __hash__ = None  # type: ignore[assignment]


def _forget_exit_hooks() -> None:
    """Remove the exit hooks with which luma blanks each device that it has made.

    They keep all these devices in memory: a third of a megabyte for each try at an absent display.
    """
    atexit.unregister(_ExitHook())  # type: ignore[arg-type]
