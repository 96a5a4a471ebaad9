"""The two output pins of an SPI display: luma sets them through our own pin factory."""

from gpiozero import DigitalOutputDevice, Factory


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
