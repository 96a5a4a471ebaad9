"""Luck and skill of games, by a process of low priority; the game asked for last comes first."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from subprocess import Popen
from threading import Event, Lock, Thread

from pi_app.advice.looks import Found, Look
from pi_app.input.events import Question
from pi_app.processes import WORKER, started
from pi_app.table.core.advice import question_line, read_answer

log = logging.getLogger(__name__)

MOST = 16  # games that are kept; another takes the place of the one that was asked for longest ago

Asked = tuple[Look, ...]


class Reviews:
    """Gives what is ready, and goes on. The process begins with the first game that is asked for.

    Once it has `failed` it is not begun again: what is ready stays.
    """

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._command = command
        self._games: dict[Asked, list[Found | None]] = {}  # the last one was asked for last
        self._lock = Lock()
        self._bell = Event()
        self._closing = False
        self._process: Popen[bytes] | None = None
        self._thread: Thread | None = None
        self.failed = False

    def ready(self, asked: Asked) -> tuple[Found | None, ...]:
        """Return what was found of a game's looks, None for those to come; from any thread."""
        with self._lock:
            found = self._games.pop(asked, [None] * len(asked))
            self._games[asked] = found
            while len(self._games) > MOST:
                del self._games[next(iter(self._games))]
            if self._thread is None and None in found:
                self._thread = Thread(target=self._run, name="reviews", daemon=True)
                self._thread.start()
            told = tuple(found)
        self._bell.set()
        return told

    def close(self) -> None:
        """End the process; its thread ends by that."""
        self._closing = True
        self._bell.set()
        if self._process is not None:
            self._process.kill()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            with started(self._command) as process:
                self._process = process
                while not self._closing:
                    if (next_one := self._next()) is None:
                        self._bell.wait()
                        self._bell.clear()  # before it is looked what there is, and if we close
                    else:
                        found, n, one = next_one
                        found[n] = _told(process, one)
                process.kill()
        except (OSError, ValueError) as error:
            if not self._closing:
                self.failed = True
                log.warning("luck and skill are worked out no further: %s", error)

    def _next(self) -> tuple[list[Found | None], int, Look] | None:
        """Return what is to be looked at next, and where what is found of it goes."""
        with self._lock:
            for asked, found in reversed(self._games.items()):
                if None in found:
                    n = found.index(None)
                    return found, n, asked[n]
        return None


def _told(process: Popen[bytes], one: Look) -> Found:
    assert process.stdin is not None
    assert process.stdout is not None
    question = Question("review", one)
    process.stdin.write(f"{question_line(question)}\n".encode())
    found: Found = read_answer(question, process.stdout.readline().decode())
    return found
