"""A display's D/C and RES pins. luma sets those of an SPI display through our own pin factory."""

from time import sleep

from gpiozero import DigitalOutputDevice, Factory

RESET_S = 0.01  # SSD1309 data sheet, "Power ON sequence": at least 3 us low; others ask for 1 ms


class ControlPins:
    """The part of RPi.GPIO that luma calls: set up a pin, then set its level."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._outputs: dict[int, DigitalOutputDevice] = {}

    def setup(self, pin: int, _direction: str) -> None:
        if pin not in self._outputs:  # luma sets it up again with each new device
            self._outputs[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        self._outputs[pin].value = level

    def reset_display(self, pin: int) -> None:
        """Pull a display's RES low for a moment, which luma does for SPI displays alone."""
        self.setup(pin, self.OUT)
        for level in (self.LOW, self.HIGH):
            self.output(pin, level)
            sleep(RESET_S)
