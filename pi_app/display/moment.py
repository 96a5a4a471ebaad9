"""The time at which a screen is drawn, and when it must be drawn again.

Each question about a step of time notes when the next step begins, so the next frame is not late.
"""

from dataclasses import dataclass

from pi_app.model.events import earliest
from pi_app.model.screens import steps_since


@dataclass(slots=True)
class FrameTime:
    """The time of a frame, in seconds."""

    t: float  # now
    since: float  # when the screen came up
    until: float | None = None  # when the next step begins; None if nothing has asked for one

    def steps(self, length: float, since: float | None = None) -> int:
        """Return how many steps of `length` seconds have passed.

        since: a time in seconds; default: when the screen came up.
        """
        since = self.since if since is None else since
        passed = steps_since(since, length, self.t)
        self.note(since + (passed + 1) * length)
        return passed

    def turn(self, length: float, count: int, since: float | None = None) -> int:
        """Return which of `count` things has its turn now, if each has `length` seconds."""
        return self.steps(length, since) % count if count > 1 else 0

    def note(self, due: float) -> None:
        self.until = earliest(self.until, due)
