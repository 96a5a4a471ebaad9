"""Reviews games in a process of low priority, beginning with the newest request."""

import logging
from collections.abc import Sequence
from functools import partial
from threading import Lock

from pi_app.model.advice import ReviewQuestion, ThrowReview
from pi_app.system.back_off import BackOff
from pi_app.system.child import WORKER, AnswerError, Child, close_child, start_process
from pi_app.system.newest_value import Newest

log = logging.getLogger(__name__)

MAX_GAMES = 16  # whose reviews are kept; a new one replaces the one with the oldest request

Throws = tuple[ReviewQuestion, ...]


class Reviews:
    """Reviews games in the background. The process starts with the first request.

    command: starts the process. failed: whether it failed; then it is not started again, and only
    finished reviews are available.
    """

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._child = Child(partial(start_process, command), BackOff(0.0))
        # In the order of their newest requests.
        self._games: dict[Throws, list[ThrowReview | None]] = {}
        self._lock = Lock()
        self._work = Newest[None]("reviews", self._run)
        self.failed = False

    def request(self, throws: Throws) -> tuple[ThrowReview | None, ...]:
        """Return the reviews of a game's throws, None for those to come. Callable on any thread."""
        with self._lock:
            reviews = self._games.pop(throws, [None] * len(throws))
            self._games[throws] = reviews
            while len(self._games) > MAX_GAMES:
                del self._games[next(iter(self._games))]
            if None in reviews:
                self._work.start()
            known = tuple(reviews)
        self._work.ring()
        return known

    def close(self) -> None:
        """End the process and its thread."""
        close_child(self._work, self._child)

    def _run(self) -> None:
        try:
            while not self._work.closed:
                with self._lock:
                    unfinished = [game for game in self._games.items() if None in game[1]]
                if not unfinished:
                    self._work.wait()
                    continue
                throws, reviews = unfinished[-1]  # the game with the newest request
                index = reviews.index(None)
                question = throws[index]
                reviews[index] = question.read(self._child.ask(question.line()))
        except (AnswerError, OSError, ValueError) as error:
            if not self._work.closed:
                self.failed = True
                log.warning("reviews of games have stopped: %s", error)
        finally:
            self._child.end()
