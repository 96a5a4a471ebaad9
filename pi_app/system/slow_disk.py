"""Notices that the deciding thread waits for a slow disk. It neither reads nor writes itself.

A card may pause for more than ten seconds, and again right after that. Only a wait for the disk
keeps systemd's watchdog waiting: a table that hangs anywhere else is still restarted.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import ParamSpec, TypeVar

CHECK_S = 1.0
SLOW_S = 3.0  # then the players are told
LIMIT_S = 60.0  # for one write; several times the longest pause of a card that still works

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(eq=False)
class SlowDisk:
    """A thread that gives the deciding thread's sign of life while that waits for the disk.

    `beat` and `show` run on this class's thread, and only while the deciding thread waits.
    """

    beat: Callable[[], None]  # gives the sign
    show: Callable[[], None]  # tells the players that the disk is slow, once for each wait
    clock: Callable[[], float] = time.monotonic
    check_s: float = CHECK_S
    _lock: Lock = field(default_factory=Lock)  # while it is held, the wait does not end
    _since: float | None = None  # when the wait began
    _shown: bool = False
    _closed: Event = field(default_factory=Event)

    def patiently(self, write: Callable[P, T]) -> Callable[P, T]:
        """Return a function that does the same as `write`, as a wait for the disk."""

        def wait(*args: P.args, **kwargs: P.kwargs) -> T:
            self._since, self._shown = self.clock(), False
            try:
                return write(*args, **kwargs)
            finally:
                with self._lock:
                    self._since = None

        return wait

    def step(self) -> None:
        """Give a sign of life if the deciding thread waits, and tell the players if it is slow."""
        with self._lock:
            if self._since is None:
                return
            waited = self.clock() - self._since
            if waited < LIMIT_S:
                self.beat()
            if waited >= SLOW_S and not self._shown:
                self._shown = True
                log.warning("the journal's disk or card is slow: a write waits for %.0f s", waited)
                try:
                    self.show()
                except Exception:  # the signs of life must go on
                    log.exception("the players could not be told")

    def start(self) -> None:
        Thread(target=self._run, name="slow disk", daemon=True).start()

    def close(self) -> None:
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.wait(self.check_s):
            self.step()
