"""The lit chamber at the other end of the kernel's USB: its firmware's logic on a gadget's port.

Beside the kernel's dummy_hcd, which joins a USB device to its host in one machine. Python's own
library and the firmware alone. Time, dome and lights are not a Pico's, and `firmware/main.py` is
left out: tests/firmware runs that in MicroPython.
"""

import os
import secrets
import subprocess
import time
import tty
from contextlib import suppress
from pathlib import Path
from threading import Thread

from firmware.chamber import TICKS_MASK, Dice, Dome
from firmware.link import Link

PORT = Path("/dev/ttyGS0")
LASTING_PORT = Path("/dev/pachisi-chamber")  # of systemd/udev.rules
CABLE = Path("/sys/class/udc/dummy_udc.0/soft_connect")
# As a Pico with MicroPython names itself.
GADGET = (
    *("modprobe", "g_serial", "idVendor=0x2e8a", "idProduct=0x0005", "iManufacturer=MicroPython"),
    "iSerialNumber=e6614103e7452d2f",
)
LOOP_S = 0.002  # a Pico's takes less, but leaves the other threads of this process no time


class Pico:
    """A Pico that is plugged in: it has power, and so runs, until `unplug`.

    down: whether the dome is pressed. lights: the lit lines. heard: what has come; hears: whether
    it takes that.
    """

    def __init__(self, hears: bool = True) -> None:
        subprocess.run(GADGET, check=True)
        self.boot = secrets.token_hex(4)
        self.dice = Dice(lambda: 5)  # its own throws are sixes
        self.dome = Dome(False)
        self.link = Link(self.dice, b"0.2.0 e6614103e7452d2f", self.boot.encode(), self._now())
        self.down = False
        self.hears, self.heard = hears, b""
        self.lights = 0
        self._has_power = True
        self._line = os.open(PORT, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._line)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_armed(self) -> bool:
        """Whether the next press of the dome counts."""
        return self.link.is_connected and self.link._arm > 0

    def unplug(self) -> None:
        """Pull the cable, and with it the power, unless that has been done."""
        if not self._has_power:
            return
        CABLE.write_text("disconnect")
        self._has_power = False
        self._thread.join()
        os.close(self._line)
        subprocess.run(["modprobe", "--remove", "g_serial"], check=True)

    def _run(self) -> None:
        while self._has_power:
            with suppress(OSError):  # nothing has come, there is no room, or the cable is pulled
                self._step(self._now())
            time.sleep(LOOP_S)

    def _step(self, now: int) -> None:
        with suppress(BlockingIOError):
            data = os.read(self._line, 4096)
            self.heard += data
            for byte in data if self.hears else b"":
                self.link.take(byte, now)
        self.link.update(now, self.dome.update(now, self.down))
        self.lights = self.dice.update_lights(now)
        self.link.unsent = self.link.unsent[os.write(self._line, self.link.unsent) :]

    @staticmethod
    def _now() -> int:
        return time.monotonic_ns() // 1_000_000 & TICKS_MASK
