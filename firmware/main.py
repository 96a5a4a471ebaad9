"""The lit chamber on a Pico: pins, USB, clock, watchdog. chamber.py and link.py decide."""

import binascii
import os
import select
import sys
import time

import chamber
import link
import machine
import micropython
import pins

VERSION = b"0.2.0"
WATCHDOG_MS = 8000  # the RP2040's counter ends at 8388 ms
UPDATE_MS = 60000
BYTES_A_STEP = 256


def random_byte():
    return os.urandom(1)[0]


class Port:
    """USB serial, one byte at a time. `read` and `write` never wait."""

    def __init__(self, source, sink):
        self._source = source
        self._sink = sink
        self._byte = bytearray(1)
        self._readable = select.poll()
        self._readable.register(source, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sink, select.POLLOUT)

    def read(self):
        """Return the next byte, or -1."""
        for _ in self._readable.ipoll(0):
            if self._source.readinto(self._byte):
                return self._byte[0]
        return -1

    def write(self, byte):
        """Send a byte if there is room for it. Return whether there was."""
        for _ in self._writable.ipoll(0):
            self._byte[0] = byte
            self._sink.write(self._byte)
            return True
        return False


class Heartbeat:
    """The LED on the board. A Pico W's is on the radio chip, and may fail alone."""

    def __init__(self):
        self._is_lit = False
        try:
            self._pin = machine.Pin(pins.HEARTBEAT, machine.Pin.OUT, value=0)
        except Exception:
            self._pin = None

    def light(self, is_lit):
        try:
            if self._pin and is_lit != self._is_lit:
                self._is_lit = is_lit
                self._pin.value(is_lit)
        except Exception:
            self._pin = None  # a broken chip is slow to refuse


class Table:
    """The dome, the dice, the heartbeat LED and the link. `step` is one pass through the loop."""

    def __init__(self, port, now):
        self._port = port
        self._dome_pin = open_dome()
        self._lines = [machine.Pin(number, machine.Pin.OUT, value=0) for number in pins.DICE]
        self._heartbeat = Heartbeat()
        self._lit_mask = 0
        self.dome = chamber.Dome(self.is_pressed())
        self.dice = chamber.Dice(random_byte)
        name = VERSION + b" " + binascii.hexlify(machine.unique_id())
        self.link = link.Link(self.dice, name, binascii.hexlify(os.urandom(4)), now)

    def is_pressed(self):
        return self._dome_pin.value() == 0

    def step(self, now):
        """Read the waiting bytes, update all parts, send what there is room for, set the lights."""
        self._receive(now)
        self.link.update(now, self.dome.update(now, self.is_pressed()))
        self._send()
        self._set_lights(self.dice.update_lights(now))
        self._heartbeat.light(chamber.heartbeat_is_lit(now, self.link.is_connected))

    def _receive(self, now):
        for _ in range(BYTES_A_STEP):
            byte = self._port.read()
            if byte < 0:
                return
            self.link.take(byte, now)

    def _send(self):
        line = self.link.unsent
        sent = 0
        while sent < len(line) and self._port.write(line[sent]):
            sent += 1
        if sent:
            self.link.unsent = line[sent:]

    def _set_lights(self, mask):
        if mask != self._lit_mask:
            for number, pin in enumerate(self._lines):
                pin.value(mask >> number & 1)
            self._lit_mask = mask


def open_dome():
    return machine.Pin(pins.DOME, machine.Pin.IN, machine.Pin.PULL_UP)


def is_dome_held():
    """Whether the dome is held at power-on. Always False after a reset by the watchdog."""
    if machine.reset_cause() == machine.WDT_RESET:
        return False
    dome = open_dome()
    for _ in range(10):
        time.sleep_ms(10)
        if dome.value():
            return False
    return True


def blink(pattern):
    """Blink once. pattern: milliseconds lit, dark, lit and so on."""
    heartbeat = Heartbeat()
    for number, pause in enumerate(pattern):
        heartbeat.light(number % 2 == 0)
        time.sleep_ms(pause)


def wait_for_update():
    """Blink twice a second until the dome was open for UPDATE_MS. mpremote can interrupt it."""
    dome = open_dome()
    last_closed = time.ticks_ms()
    while chamber.elapsed_ms(time.ticks_ms(), last_closed) < UPDATE_MS:
        blink((100, 150, 100, 650))
        if not dome.value():
            last_closed = time.ticks_ms()


def main():
    if is_dome_held():
        wait_for_update()  # without the watchdog and the loop
    micropython.kbd_intr(-1)  # 0x03 on the line is noise, not Ctrl-C
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        table = Table(Port(sys.stdin.buffer, sys.stdout.buffer), time.ticks_ms())
        while True:
            table.step(time.ticks_ms())
            watchdog.feed()
    except Exception:
        while True:  # until the watchdog resets the Pico
            blink((100, 100))


if __name__ == "__main__":
    main()
