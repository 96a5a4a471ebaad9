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
    def seen(self) -> Image.Image | None:
        """The visible picture, dark while the display is off; None before the first."""
        return Image.new("1", self.size) if self.off else self.image

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
        seen = b"" if self.seen is None else self.seen.tobytes()
        if seen != self._told:
            self._told = seen
            self.changed()
