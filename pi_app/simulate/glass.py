"""A panel without hardware, on luma's dummy device."""

from __future__ import annotations

from collections.abc import Callable

from luma.core.device import dummy
from PIL import Image


class DummyDisplay(dummy):  # type: ignore[misc]
    """A panel without hardware that tells somebody whenever it shows a new picture."""

    def __init__(self) -> None:
        super().__init__(128, 64, mode="1")
        self.changed: Callable[[], None] = lambda: None
        self.off = False

    @property
    def seen(self) -> Image.Image | None:
        """What is seen of it: its picture, nothing lit while it is off."""
        return Image.new("1", self.size) if self.off else self.image

    def display(self, image: Image.Image) -> None:
        super().display(image)
        self.changed()

    def hide(self) -> None:
        self.off = True
        self.changed()

    def show(self) -> None:
        self.off = False
        self.changed()
