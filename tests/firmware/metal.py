"""The Pico's metal as the tests have it, under MicroPython: pins, watchdog, USB. No rules of ours.

`install()` puts the fakes where `firmware/main.py` imports them from. `answer(line)` serves a whole
chamber to another process, one step of its loop for each line.
"""

import binascii
import io
import os
import select  # noqa: F401 - the real one, before micropython's place is taken
import sys

TIMES = 1  # how long what is long by nature goes on: ten times so in a soak


class Pin:
    """Every pin there is, by its name; a level that nobody sets is high, as with a pull-up."""

    IN, OUT, PULL_UP = 0, 1, 2
    levels = {}  # noqa: RUF012
    written = []  # noqa: RUF012
    on_write = None
    without = (
        ""  # "open" or "write": what the LED refuses, as on a Pico W whose radio chip is broken
    )

    def __init__(self, name, mode=IN, pull=None, value=None):
        self.name = name
        self._refuse("open")
        if value is not None:
            self.levels[name] = value

    def value(self, level=None):
        if level is None:
            return self.levels.get(self.name, 1)
        self._refuse("write")
        self.levels[self.name] = int(level)
        Pin.written.append((self.name, int(level)))
        return Pin.on_write() if Pin.on_write else None

    def _refuse(self, what):
        if self.name == "LED" and Pin.without == what:
            raise OSError("CYW43")


class WDT:
    """The watchdog; `bites` tells how many feeds it takes until SystemExit ends the test."""

    made = []  # noqa: RUF012
    bites = 10

    def __init__(self, timeout):
        self.timeout = timeout
        self.feeds = 0
        WDT.made.append(self)

    def feed(self):
        self.feeds += 1
        if self.feeds >= WDT.bites:
            raise SystemExit


class Machine:
    PWRON_RESET, WDT_RESET = 1, 3
    Pin = Pin
    WDT = WDT
    cause = 1

    @staticmethod
    def reset_cause():
        return Machine.cause

    @staticmethod
    def unique_id():
        return b"\xe6\x61\x41\x03\xe7\x45\x2d\x2f"


class Micropython:
    keyboard = []  # noqa: RUF012

    @staticmethod
    def kbd_intr(character):
        Micropython.keyboard.append(character)


class Time:
    """The clock: it stands still but for who sleeps."""

    now = 0
    on_sleep = None

    @staticmethod
    def ticks_ms():
        return Time.now

    @staticmethod
    def sleep_ms(duration):
        Time.now += duration
        return Time.on_sleep() if Time.on_sleep else None


class Usb(io.IOBase):
    """One end of USB serial: bytes that wait to be read, room to write."""

    def __init__(self):
        self.waiting = b""
        self.room = 10**6
        self.sent = bytearray()

    def readinto(self, buffer):
        assert self.waiting, "a read that would wait"
        count = min(len(buffer), len(self.waiting))
        buffer[:count] = self.waiting[:count]
        self.waiting = self.waiting[count:]
        return count

    def write(self, data):
        assert len(data) <= self.room, "a write that would wait"
        self.room -= len(data)
        self.sent.extend(data)
        return len(data)

    def ioctl(self, request, flags):
        if request != 3:  # MP_STREAM_POLL
            return 0
        return flags & (1 if self.waiting else 0) | flags & (4 if self.room else 0)


class Sys:
    """What main.py takes of sys."""

    stdin = None
    stdout = None


class Random:
    """os.urandom's stand-in: a linear congruence, so that a test can be done again."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self, count):
        data = bytearray(count)
        for place in range(count):
            self.state = (self.state * 1103515245 + 12345) & 0x3FFFFFFF
            data[place] = self.state >> 16 & 255
        return bytes(data)


def install(seed=1):
    """Put the fakes in place and give main.py as a module, freshly imported."""
    Pin.levels.clear()
    del Pin.written[:], WDT.made[:], Micropython.keyboard[:]
    Pin.on_write, Pin.without, Machine.cause, WDT.bites = None, "", 1, 10
    Time.on_sleep, Time.now = None, 0
    os.urandom = Random(seed)
    usb = Usb()
    Sys.stdin = Sys.stdout = type("Stream", (), {"buffer": usb})
    names = {"machine": Machine, "micropython": Micropython, "sys": Sys, "time": Time}
    for name in names:
        sys.modules[name] = names[name]
    sys.modules.pop("main", None)
    try:
        import main
    finally:
        for name in names:
            del sys.modules[name]
    return main, usb


def sixes(count):
    """What a served chamber throws by itself, so that one can see where a face comes from."""
    return b"\x05" * count


class Served:
    """The chamber that `answer` steps."""

    table = None
    usb = None


def answer(line):
    """One step: `restart SEED NOW`, or `NOW DOWN ROOM HEX` answered by `HEX LIGHTS UP`.

    NOW in ms, DOWN 1 while the dome is pressed, ROOM how many bytes the host takes now, UP 1 in a
    session.
    """
    words = line.split()
    if words[0] == "restart":
        main, Served.usb = install(int(words[1]))
        Served.table = main.Table(main.Port(Served.usb, Served.usb), int(words[2]))
        os.urandom = sixes
        return "restarted"
    usb = Served.usb
    Pin.levels[15] = 1 - int(words[1])
    usb.room = int(words[2])
    usb.waiting += binascii.unhexlify(words[3]) if len(words) > 3 else b""
    Served.table.step(int(words[0]))
    sent, usb.sent = binascii.hexlify(usb.sent).decode() or "-", bytearray()
    lights = 0
    for place in range(8):
        lights |= Pin.levels[2 + place] << place
    return " ".join((sent, str(lights), str(int(Served.table.link.is_connected))))
