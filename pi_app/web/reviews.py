"""Luck and skill of games, by a process of low priority; the game asked for last comes first."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from threading import Lock

from pi_app.advice.reviews import ReviewRequest, ThrowReview
from pi_app.input.events import Question
from pi_app.running.back_off import BackOff
from pi_app.running.child import WORKER, Child, NoAnswer, close, start_process
from pi_app.running.newest_value import Newest
from pi_app.table.core.advice import question_line, read_answer

log = logging.getLogger(__name__)

MAX_GAMES = (
    16  # games that are kept; another takes the place of the one that was asked for longest ago
)

GameRequests = tuple[ReviewRequest, ...]


class Reviews:
    """Gives what is ready, and goes on. The process begins with the first game that is asked for.

    Once it has `failed` it is not begun again: what is ready stays.
    """

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._child = Child(partial(start_process, command), BackOff(0.0))
        self._games: dict[
            GameRequests, list[ThrowReview | None]
        ] = {}  # the last one was asked for last
        self._lock = Lock()
        self._work = Newest[None]("reviews", self._run)
        self.failed = False

    def ready(self, asked: GameRequests) -> tuple[ThrowReview | None, ...]:
        """Return what was found of a game's looks, None for those to come; from any thread."""
        with self._lock:
            found = self._games.pop(asked, [None] * len(asked))
            self._games[asked] = found
            while len(self._games) > MAX_GAMES:
                del self._games[next(iter(self._games))]
            if None in found:
                self._work.start()
            told = tuple(found)
        self._work.ring()
        return told

    def close(self) -> None:
        """End the process and its thread."""
        close(self._work, self._child)

    def _run(self) -> None:
        try:
            while not self._work.closed:
                if (next_one := self._next()) is None:
                    self._work.wait()
                else:
                    found, n, one = next_one
                    question = Question("review", one)
                    found[n] = read_answer(question, self._child.ask(question_line(question)))
        except (NoAnswer, OSError, ValueError) as error:
            if not self._work.closed:
                self.failed = True
                log.warning("luck and skill are worked out no further: %s", error)
        finally:
            self._child.end()

    def _next(self) -> tuple[list[ThrowReview | None], int, ReviewRequest] | None:
        """Return what is to be looked at next, and where what is found of it goes."""
        with self._lock:
            for asked, found in reversed(self._games.items()):
                if None in found:
                    n = found.index(None)
                    return found, n, asked[n]
        return None
