"""The moment at which a screen is drawn, and when it looks otherwise by time alone. Draws nothing.

Whatever asks which step of time it is has the next one noted: so no drawing is done too late.
"""

from __future__ import annotations

from pi_app.screens.screen import steps_since


class FrameTime:
    """A time in seconds; `until` is when the next step begins of all that was asked for."""

    def __init__(self, t: float, since: float) -> None:
        self._t = t
        self._since = since
        self.until: float | None = None

    def steps(self, length: float, since: float | None = None) -> int:
        """Return how many steps of this length have passed since the screen came up, or `since`."""
        since = self._since if since is None else since
        passed = steps_since(since, length, self._t)
        self.note(since + (passed + 1) * length)
        return passed

    def turn(self, length: float, count: int, since: float | None = None) -> int:
        """Return which of so many has its turn of this length."""
        return self.steps(length, since) % count if count > 1 else 0

    def note(self, due: float) -> None:
        """Note that the screen looks otherwise from then on."""
        self.until = due if self.until is None else min(self.until, due)
