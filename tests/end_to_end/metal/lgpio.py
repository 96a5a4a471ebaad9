"""A Pi's pins for a real process: stands in for lgpio on its path, moved from outside by a socket.

In the folder that METAL names, the datagrams `17 0` and `17 1` to the socket `pins` press and let
go; `die` ends the thread that reports edges, as an exception in a handler does in the real one. A
file `away` means that there are no pins, one of the name `busy 17` that somebody has this one, and
`hang` that reading them never ends.
"""

import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpiozero.pins import local

FOLDER = Path(os.environ["METAL"])
FINGER_S = 0.005  # no finger lets go sooner; what is shorter than 1 ms is a spark
BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64

local.get_pi_revision = lambda: 0x902120  # a Zero 2 W
levels: dict[int, int] = {}
modes: dict[int, int] = {}
handlers: dict[int, Callable[[int, int, int, int], None]] = {}


class error(Exception):  # noqa: N801
    """The library's own."""


def _report() -> None:
    (FOLDER / "pins").unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(FOLDER / "pins"))
        while (word := line.recv(100).decode()) != "die":
            pin, level = map(int, word.split())
            levels[pin] = level
            if pin in handlers:
                handlers[pin](0, pin, level, time.monotonic_ns())
            time.sleep(FINGER_S)


def gpiochip_open(chip: int) -> int:
    if (FOLDER / "away").exists():
        raise error("can not open gpiochip")
    if not _notify_thread.is_alive():
        _notify_thread.start()
    return 0


_notify_thread = threading.Thread(target=_report, daemon=True)


def gpio_claim_input(handle: int, pin: int, flags: int = 0) -> int:
    if (FOLDER / f"busy {pin}").exists():
        raise error("GPIO busy")
    modes[pin] = flags
    return 0


def gpio_claim_output(handle: int, pin: int, level: int = 0, flags: int = 0) -> int:
    modes[pin] = 2
    return 0


def gpio_claim_alert(handle: int, pin: int, edges: int, flags: int = 0) -> int:
    return 0


def gpio_get_mode(handle: int, pin: int) -> int:
    return modes[pin]


def gpio_read(handle: int, pin: int) -> int:
    while (FOLDER / "hang").exists():
        time.sleep(0.01)
    return levels.setdefault(pin, 1)


def gpio_write(handle: int, pin: int, level: int) -> int:
    levels[pin] = level
    return 0


def nothing(*arguments: Any) -> int:
    return 0


gpio_free = gpiochip_close = gpio_set_debounce_micros = tx_pwm = nothing


class callback:  # noqa: N801
    """Tells of a pin's edges until it is cancelled."""

    def __init__(self, handle: int, pin: int, edges: int, told: Callable[..., None]) -> None:
        self.pin = pin
        handlers[pin] = told

    def cancel(self) -> None:
        handlers.pop(self.pin, None)
