"""A display without hardware, on luma's dummy device."""

from collections.abc import Callable

from luma.core.device import dummy
from PIL import Image


class DummyDisplay(dummy):  # type: ignore[misc]
    """A display without hardware. It calls `changed` whenever its picture changes."""

    def __init__(self) -> None:
        super().__init__(128, 64, mode="1")
        self.changed: Callable[[], None] = lambda: None
        self.off = False
        self._told = b""  # the picture at the last call of `changed`

    @property
    def pixels(self) -> bytes:
        """The visible picture, dark while the display is off; empty before the first."""
        image = Image.new("1", self.size) if self.off else self.image
        return b"" if image is None else image.tobytes()

    def display(self, image: Image.Image) -> None:
        super().display(image)
        self._tell()

    def hide(self) -> None:
        self.off = True
        self._tell()

    def show(self) -> None:
        self.off = False
        self._tell()

    def _tell(self) -> None:
        """Call `changed` if the visible picture is new: the same one is sent from time to time."""
        if self.pixels != self._told:
            self._told = self.pixels
            self.changed()
