"""Luck and skill of games, by a process of low priority; the game asked for last comes first."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Event, Lock, Thread

import pi_app
from pi_app.players.review import Found, Look, line_of, parse_found

log = logging.getLogger(__name__)

NICE = 19  # after all that plays a game
MOST = 16  # games that are kept; another takes the place of the one that was asked for longest ago
# Without `site`, whose modules take memory: it needs the standard library and us alone.
COMMAND = (sys.executable, "-SP", "-m", "pi_app.players.reviewing")
ROOT = Path(pi_app.__file__).parents[1]

Asked = tuple[Look, ...]


class Reviews:
    """Gives what is ready, and goes on. The process begins with the first game that is asked for.

    Once it has failed it is not begun again: what is ready stays.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._games: dict[Asked, list[Found | None]] = {}  # the last one was asked for last
        self._lock = Lock()
        self._bell = Event()
        self._closing = False
        self._process: Popen[str] | None = None
        self._thread: Thread | None = None

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
            with self._begun() as process:
                while not self._closing:
                    self._bell.clear()
                    if (next_one := self._next()) is None:
                        self._bell.wait()
                    else:
                        found, n, one = next_one
                        found[n] = _told(process, one)
                process.kill()
        except (OSError, ValueError) as error:
            if not self._closing:
                log.warning("luck and skill are worked out no further: %s", error)

    def _begun(self) -> Popen[str]:
        self._process = Popen(
            self._command,
            stdin=PIPE,
            stdout=PIPE,
            text=True,
            env={"PYTHONPATH": str(ROOT)},
            process_group=0,  # Ctrl-C is for the table, with which it ends
        )
        with suppress(OSError):  # it then works as quickly as the table
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        return self._process

    def _next(self) -> tuple[list[Found | None], int, Look] | None:
        """Return what is to be looked at next, and where what is found of it goes."""
        with self._lock:
            for asked, found in reversed(self._games.items()):
                if None in found:
                    n = found.index(None)
                    return found, n, asked[n]
        return None


def _told(process: Popen[str], one: Look) -> Found:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line_of(one)}\n")
    process.stdin.flush()
    return parse_found(process.stdout.readline())
