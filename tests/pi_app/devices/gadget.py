"""A USB gadget as the tests have it: a pseudo-terminal with a name in a by-id folder."""

import os
import pty
import select
import tty
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from pi_app.devices.chamber import frame_line, split_input
from tests.end_to_end.lit_table import Chamber

NAME = "usb-MicroPython_Board_in_FS_mode_e6614103e7452d2f-if00"


class Gadget:
    """Can be plugged and unplugged; what the Pi sends can be read, and anything answered."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.path = folder / name
        self._master = self._slave = -1
        self.plug()

    def plug(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.symlink_to(os.ttyname(self._slave))
        self._rest = b""
        self._heard: list[str] = []

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self._master)
        os.close(self._slave)

    def fill(self) -> None:
        """Fill what lies between, as for a gadget that has stopped reading."""
        os.set_blocking(self._slave, False)
        try:
            while True:
                os.write(self._slave, b"x" * 512)
        except BlockingIOError:
            os.set_blocking(self._slave, True)

    def send(self, *bodies: str) -> None:
        self.send_bytes(b"".join(frame_line(body) for body in bodies))

    def send_bytes(self, data: bytes) -> None:
        os.write(self._master, data)

    def read(self, wait: float = 0.0) -> bytes:
        """What the Pi has sent since, after at most `wait` seconds."""
        if select.select([self._master], [], [], wait)[0]:
            return os.read(self._master, 4096)
        return b""

    def expect(self, beginning: str, within: float = 60.0) -> str:
        """Wait for a line that begins so; those before it are passed over."""
        end = monotonic() + within
        while monotonic() < end:
            part = split_input(self._rest, self.read(0.0 if self._heard else 0.05))
            self._rest = part.partial_line
            self._heard += part.bodies
            while self._heard:
                body = self._heard.pop(0)
                if body.startswith(beginning):
                    return body
        raise AssertionError(f"no {beginning!r} came within {within} s")


def wait_for(condition: Callable[[], object], within: float = 60.0) -> float:
    """Wait until something holds, at most so long; return how long it took."""
    begin = monotonic()
    while not condition():
        assert monotonic() < begin + within, "it did not happen in time"
        select.select([], [], [], 0.002)
    return monotonic() - begin


class Pump:
    """Carries bytes between a gadget's port and a chamber; `ahead` moves the chamber's clock on."""

    def __init__(self, gadget: Gadget, chamber: Chamber) -> None:
        self.gadget = gadget
        self.chamber = chamber
        self.down = False
        self.lights = 0
        self.ahead = 0
        self._begin = monotonic()

    def run(self, until: Callable[[], object], within: float = 60.0) -> None:
        """Go on until the condition holds."""
        end = monotonic() + within
        while not until():
            assert monotonic() < end, "it did not happen in time"
            self.step()

    def step(self, hears: bool = True) -> None:
        """Let the chamber do one step. hears: with what has come; else that comes with the next."""
        now = int((monotonic() - self._begin) * 1000) + self.ahead
        heard = self.gadget.read(0.002) if hears else b""
        out, self.lights, _ = self.chamber.step(now, self.down, 10**6, heard)
        if out:
            self.gadget.send_bytes(out)
