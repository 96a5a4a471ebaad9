"""A pin of gpiozero's mock factory that fails to close, as lgpio's does when its level changes."""

from typing import Any


def fail_once(pin: Any) -> None:
    """Have the next close of a pin raise, and the ones after it work again."""
    close = pin.close

    def busy() -> None:
        pin.close = close
        raise OSError("GPIO busy")

    pin.close = busy
