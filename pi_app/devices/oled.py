"""The OLED panel by luma: sends the newest picture in its own time. Draws nothing."""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from luma.core.device import device as Device  # noqa: N812
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c, spi
from PIL.Image import Image

from pi_app.devices.control_pins import ControlPins
from pi_app.running.back_off import doubling_pauses
from pi_app.running.newest_value import Newest
from pi_app.screens.screen import Level

if TYPE_CHECKING:
    from pi_app.config import Display

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 5.0  # a panel that is plugged in again is back within this time
CHECK_S = 2.0  # how often an idle panel is asked whether it is still there
STEADY_S = 60.0  # a panel that has not failed for so long is back for good
JOIN_S = 0.4  # four pictures at I2C's slowest; a bus stuck for longer does not hold up the end
BRIGHT, DIM = 0xCF, 0x10  # contrast: what luma sets for an SSD1306, and what a dark room needs
CONTRAST: dict[Level, int] = {"bright": BRIGHT, "half": 0x58, "low": 0x28, "dim": DIM}
NOP = 0xE3  # SSD1306 data sheet, table 9-1; SH1106, command 25


class Oled:
    """A panel that may be absent, slow or failing without stopping anybody.

    open_device: makes a new luma device; called again after every failure.
    report: told one sentence when the panel fails, and how else it fails then, each once, and None
    when it has not failed for steady_s, by whoever runs `step`. A loose wire fails now and then for
    hours. The panel keeps its last picture when the program ends.
    name: what it is called where it fails.
    """

    def __init__(
        self,
        open_device: Callable[[], Device],
        report: Callable[[str | None], None],
        clock: Callable[[], float] = monotonic,
        touch_s: float = CHECK_S,
        join_s: float = JOIN_S,
        steady_s: float = STEADY_S,
        name: str = "the display",
    ) -> None:
        self._open_device = open_device
        self._report = report
        self._clock = clock
        self._touch_s = touch_s
        self._join_s = join_s
        self._steady_s = steady_s
        self.name = name
        self._device: Device | None = None
        self._shown: bytes | None = None
        self._level: Level | None = None
        self._retry_at: float | None = None  # after a failure
        self._troubles: set[str] = set()  # reported, since it last worked for good
        self._failed_at = 0.0
        self._back_off = doubling_pauses(FIRST_RETRY_S, LAST_RETRY_S)
        self._blank = False  # at the end
        self._wanted = Newest[tuple[Image, Level]]("panel", self._run)

    def show(self, image: Image, level: Level = "bright") -> None:
        """Want this picture instead of what was waiting; never waits for the panel.

        level: how bright; a dark panel is switched off and sent nothing.
        """
        self._wanted.put((image, level))

    def step(self, now: float) -> float | None:
        """Send what is waiting; return when to try again after a failure, None if all is well."""
        wanted = self._wanted.newest
        if self._retry_at is not None and now < self._retry_at:
            return self._retry_at
        if wanted is not None and self._is_new(*wanted):
            self._attempt(lambda: self._send(*wanted), now)
        return self._retry_at

    def start(self) -> None:
        """Send pictures from a thread of its own from now on."""
        self._wanted.start()

    def close(self, blank: bool = False) -> None:
        """Send what is waiting, blank the panel if asked to, let go of the bus."""
        self._blank = blank
        ended = self._wanted.close(self._join_s)
        if self._wanted.thread is None:
            self._end()
        elif not ended:  # a stuck bus must not hold up the end
            _forget_exit_hooks()  # that of a device whose making is stuck

    def _end(self) -> None:
        self.step(self._clock())
        self._drop(self._blank)

    def _run(self) -> None:
        while not self._wanted.closed:
            now = self._clock()
            retry_at = self.step(now)
            if not self._wanted.wait(self._touch_s if retry_at is None else retry_at - now):
                self._touch(self._clock())
        self._end()  # here too: only this thread ever waits for the bus

    def _touch(self, now: float) -> None:
        """Find out that an idle panel is gone, so that it is built anew when it is back."""
        device = self._device
        if device is not None:
            self._attempt(lambda: device.command(NOP), now)

    def _attempt(self, send: Callable[[], None], now: float) -> None:
        try:
            send()
        except Exception as error:  # luma, smbus2, spidev and RPi.GPIO each raise their own
            self._fail(error, now)
        else:
            self._succeed(now)

    def _is_new(self, image: Image, level: Level) -> bool:
        return level != self._level or (level != "dark" and image.tobytes() != self._shown)

    def _send(self, image: Image, level: Level) -> None:
        if self._device is None:
            self._device = self._open_device()
        if level == "dark":
            self._device.hide()
        else:
            self._light(self._device, image, level)
        self._level = level

    def _light(self, device: Device, image: Image, level: Level) -> None:
        """Send a picture; a panel that was dark comes on with it, not with the one before."""
        if level != self._level:
            device.contrast(CONTRAST[level])
        if image.tobytes() != self._shown:
            device.display(image)
            self._shown = image.tobytes()
        if self._level == "dark":
            device.show()

    def _fail(self, error: Exception, now: float) -> None:
        self._drop(blank=False)
        self._shown = self._level = None
        trouble = describe_failure(error, self.name)
        if trouble not in self._troubles:
            self._report(trouble)
        self._troubles.add(trouble)
        self._failed_at = now
        self._retry_at = now + self._back_off.failed()

    def _succeed(self, now: float) -> None:
        if self._troubles and now >= self._failed_at + self._steady_s:
            self._report(None)
            self._troubles.clear()
        self._retry_at = None
        self._back_off.worked()

    def _drop(self, blank: bool) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.persist = not blank
            with suppress(Exception):
                device.cleanup()


ENABLE_COMMANDS = {"i2c": "sudo referee setup", "spi": "sudo raspi-config nonint do_spi 0"}


def describe_failure(error: Exception, name: str = "the display") -> str:
    """Return why a panel can't be reached and what to do, whichever library says it."""
    what = str(error)
    device = re.search(r"/dev/(i2c|spi)[\w.-]*", f"{what} {getattr(error, 'filename', '')}")
    remedy = "look after its wires, and after its driver, bus and address in the configuration"
    if isinstance(error, ImportError):
        remedy = "install it by `sudo apt-get install python3-spidev`"
    elif device and isinstance(error, PermissionError | DevicePermissionError):
        what, group = f"{device[0]}: Permission denied", device[1]
        remedy = f"join the group {group} by `sudo usermod -aG {group} NAME` and log in again"
    elif device and isinstance(error, FileNotFoundError | DeviceNotFoundError):
        what = f"{device[0]} is not there"
        remedy = f"turn it on by `{ENABLE_COMMANDS[device[1]]}`"
    elif what == "SPI device not found":  # luma's words, without a path
        remedy = f"turn it on by `{ENABLE_COMMANDS['spi']}`"
    return f"{name} can't be reached ({what}): {remedy}"


def open_device(display: Display, factory: Any, bus: Any = None) -> Callable[[], Device]:
    """Return an opener of the panel that the configuration names.

    factory: gpiozero's, drives the data/command and reset pins of an SPI panel.
    bus: used instead of the system's, an object like smbus2.SMBus or spidev.SpiDev.
    """
    from luma.oled import device as drivers

    driver = getattr(drivers, display.driver)
    pins = ControlPins(factory)

    def open_() -> Device:
        line = _i2c(display, bus) if display.bus == "i2c" else _spi(display, bus, pins)
        try:
            return driver(line, rotate=2 if display.rotation == 180 else 0)
        except BaseException:
            line.cleanup()
            raise
        finally:
            _forget_exit_hooks()

    return open_


def _i2c(display: Display, bus: Any) -> i2c:
    return i2c(bus=bus, port=display.i2c_port, address=display.i2c_address)


def _spi(display: Display, bus: Any, pins: ControlPins) -> spi:
    return spi(
        spi=bus,
        gpio=pins,
        port=display.spi_port,
        device=display.spi_device,
        bus_speed_hz=display.spi_mhz * 1_000_000,
        gpio_DC=display.dc,
        gpio_RST=display.reset,
    )


class _ExitHook:
    """Equal to every exit hook of a luma device."""

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__qualname__", "") == "device.__init__.<locals>.shutdown_hook"

    __hash__ = None  # type: ignore[assignment]


def _forget_exit_hooks() -> None:
    """Undo what luma does for each device it makes: it would keep them all, for blanking at exit.

    An absent panel is tried every few seconds, a third of a megabyte each.
    """
    atexit.unregister(_ExitHook())  # type: ignore[arg-type]
