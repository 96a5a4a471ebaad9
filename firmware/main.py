"""The lit chamber on a Pico: pins, USB, clock, watchdog. chamber.py and link.py decide."""

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


def hexadecimal(data):
    return b"".join([b"%02x" % byte for byte in data])


class Port:
    """USB serial by single bytes. Neither reading nor writing ever waits."""

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
        """Send a byte; return whether there was room for it."""
        for _ in self._writable.ipoll(0):
            self._byte[0] = byte
            self._sink.write(self._byte)
            return True
        return False


class Table:
    """The chamber's parts, joined. `step` is one pass through the loop."""

    def __init__(self, port, now):
        self._port = port
        self._button = button()
        self._lines = [machine.Pin(number, machine.Pin.OUT, value=0) for number in pins.DICE]
        self._beat = machine.Pin(pins.HEARTBEAT, machine.Pin.OUT, value=0)
        self._lit = 0
        self._beating = False
        self.dome = chamber.Dome(self.pressed())
        self.dice = chamber.Dice(random_byte)
        name = VERSION + b" " + hexadecimal(machine.unique_id())
        self.link = link.Link(self.dice, name, hexadecimal(os.urandom(4)), now)

    def pressed(self):
        return self._button.value() == 0

    def step(self, now):
        """Read what came, let time pass, write what there is room for, and set the lights."""
        self._receive(now)
        self.link.step(now, self.dome.step(now, self.pressed()))
        self._send()
        self._light(self.dice.lights(now))
        self._pulse(chamber.heartbeat_is_lit(now, self.link.up))

    def _receive(self, now):
        for _ in range(BYTES_A_STEP):
            byte = self._port.read()
            if byte < 0:
                return
            self.link.take(byte, now)

    def _send(self):
        out = self.link.out
        sent = 0
        while sent < len(out) and self._port.write(out[sent]):
            sent += 1
        if sent:
            self.link.out = out[sent:]

    def _light(self, mask):
        if mask == self._lit:
            return
        for number, pin in enumerate(self._lines):
            pin.value(mask >> number & 1)
        self._lit = mask

    def _pulse(self, beating):
        if beating != self._beating:
            self._beat.value(beating)
            self._beating = beating


def button():
    return machine.Pin(pins.DOME, machine.Pin.IN, machine.Pin.PULL_UP)


def held():
    """Whether the dome is held at power-on; False after a reset by the watchdog."""
    if machine.reset_cause() == machine.WDT_RESET:
        return False
    dome = button()
    for _ in range(10):
        time.sleep_ms(10)
        if dome.value():
            return False
    return True


def blink(pattern):
    """Blink this pattern once: milliseconds lit and dark in turn."""
    beat = machine.Pin(pins.HEARTBEAT, machine.Pin.OUT, value=0)
    for number, pause in enumerate(pattern):
        beat.value(number % 2 == 0)
        time.sleep_ms(pause)


def wait_for_update():
    """Blink double until the dome was up for UPDATE_MS. Meanwhile mpremote can interrupt."""
    dome = button()
    down = time.ticks_ms()
    while chamber.elapsed_ms(time.ticks_ms(), down) < UPDATE_MS:
        blink((100, 150, 100, 650))
        if not dome.value():
            down = time.ticks_ms()


def main():
    if held():
        wait_for_update()  # neither watchdog nor loop
    micropython.kbd_intr(-1)  # 0x03 on the line is noise, not Ctrl-C
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        table = Table(Port(sys.stdin.buffer, sys.stdout.buffer), time.ticks_ms())
        while True:
            table.step(time.ticks_ms())
            watchdog.feed()
    except Exception:
        while True:  # a fault; the watchdog restarts it
            blink((100, 100))


if __name__ == "__main__":
    main()
