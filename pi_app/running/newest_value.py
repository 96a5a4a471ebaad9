"""The newest value for a thread of its own, which takes it when it can. Knows no device."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """A slot in which the newest value wins, a thread for it, and a bell that wakes the thread.

        def run() -> None:  # on the thread
            while not slot.closed:
                slot.wait()
                if (text := slot.take()) is not None:
                    ...

        slot = Newest[str]("voice", run)
        slot.start()
        slot.put("a text")

    `put` and `ring` never wait, and may be called from any thread.
    """

    def __init__(self, name: str, run: Callable[[], None]) -> None:
        self._name = name
        self._run = run
        self._slot: deque[T] = deque(maxlen=1)
        self._bell = Event()
        self._closed = Event()
        self.thread: Thread | None = None

    def put(self, value: T) -> None:
        """Let a value take the place of the one before, and ring."""
        self._slot.append(value)
        self._bell.set()

    def ring(self) -> None:
        """Wake the thread."""
        self._bell.set()

    def start(self) -> None:
        """Begin the thread, if it has not begun yet."""
        if self.thread is None:
            self.thread = Thread(target=self._run, name=self._name, daemon=True)
            self.thread.start()

    @property
    def newest(self) -> T | None:
        """The value, which stays; None where there is none."""
        with suppress(IndexError):
            return self._slot[-1]
        return None

    def take(self) -> T | None:
        """Take the value out; None where there is none."""
        with suppress(IndexError):
            return self._slot.pop()
        return None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the bell, or so long; return whether it rang. Look for the value after this."""
        rang = self._bell.wait(seconds)
        self._bell.clear()
        return rang

    def pause(self, seconds: float) -> None:
        """Wait so long, whatever rings, unless it is closed."""
        self._closed.wait(seconds)

    @property
    def closed(self) -> bool:
        """Whether the thread is to end."""
        return self._closed.is_set()

    def close(self, seconds: float = 0.0) -> bool:
        """Have the thread end; wait for it as long as that, and return whether it has ended."""
        self._closed.set()
        self._bell.set()
        if self.thread is None:
            return True
        self.thread.join(seconds)
        return not self.thread.is_alive()
