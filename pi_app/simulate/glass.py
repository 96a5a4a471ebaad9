"""A panel without hardware, on luma's dummy device."""

from __future__ import annotations

from collections.abc import Callable

from luma.core.device import dummy
from PIL import Image


class Glass(dummy):  # type: ignore[misc]
    """A panel without hardware that tells somebody whenever it shows a new picture."""

    def __init__(self) -> None:
        super().__init__(128, 64, mode="1")
        self.changed: Callable[[], None] = lambda: None

    def display(self, image: Image.Image) -> None:
        super().display(image)
        self.changed()
