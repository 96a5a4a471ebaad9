"""How long to wait before something that failed is tried again. This module does not wait."""


class BackOff:
    """The pauses in seconds after one failure, two, and so on. The last one repeats."""

    def __init__(self, *pauses: float) -> None:
        self._pauses = pauses
        self._failures = 0

    def failed(self) -> float:
        """Note a failure. Return how many seconds to wait before the next try."""
        pause = self._pauses[min(self._failures, len(self._pauses) - 1)]
        self._failures += 1
        return pause

    def worked(self) -> None:
        """Note a success: the next failure counts as the first again."""
        self._failures = 0


def doubling_pauses(first_s: float, longest_s: float) -> BackOff:
    """Return pauses that double from `first_s` up to `longest_s`."""
    pauses = [first_s]
    while pauses[-1] < longest_s:
        pauses.append(min(2 * pauses[-1], longest_s))
    return BackOff(*pauses)
