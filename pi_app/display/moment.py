"""The time at which a screen is drawn, and when it must be drawn again.

Each question about a step of time notes when the next step begins, so the next frame is not late.
"""

from pi_app.model.events import earliest
from pi_app.model.screens import steps_since


class FrameTime:
    """The time of a frame, in seconds.

    t: now. since: when the screen came up. until: when the first of the next steps begins; None if
    nothing has asked for one.
    """

    def __init__(self, t: float, since: float) -> None:
        self._t = t
        self._since = since
        self.until: float | None = None

    def steps(self, length: float, since: float | None = None) -> int:
        """Return how many steps of `length` seconds have passed.

        since: a time in seconds; default: when the screen came up.
        """
        since = self._since if since is None else since
        passed = steps_since(since, length, self._t)
        self.note(since + (passed + 1) * length)
        return passed

    def turn(self, length: float, count: int, since: float | None = None) -> int:
        """Return which of `count` things has its turn now, if each has `length` seconds."""
        return self.steps(length, since) % count if count > 1 else 0

    def note(self, due: float) -> None:
        self.until = earliest(self.until, due)
