"""The two output pins of an SPI panel, driven by our own pin factory as luma drives RPi.GPIO's."""

from gpiozero import DigitalOutputDevice, Factory


class ControlPins:
    """The little of RPi.GPIO that luma asks for: set up a pin once, then set its level."""

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._outputs: dict[int, DigitalOutputDevice] = {}

    def setup(self, pin: int, _direction: str) -> None:
        if pin not in self._outputs:  # luma sets up anew whenever the panel is built anew
            self._outputs[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        self._outputs[pin].value = level
