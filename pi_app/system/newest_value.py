"""A slot with the newest value, and a thread that takes the value when it can."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(eq=False)
class Newest(Generic[T]):
    """A slot for the newest value, a thread that uses it, and a bell that wakes the thread.

        def run() -> None:  # on the thread
            while not slot.closed:
                slot.wait()
                if (text := slot.take()) is not None:
                    ...

        slot = Newest[str]("voice", run)
        slot.start()
        slot.put("a text")

    `put` and `ring` return at once, and may be called from any thread.
    """

    name: str
    run: Callable[[], None]
    thread: Thread | None = None
    _slot: deque[T] = field(default_factory=lambda: deque(maxlen=1))
    _bell: Event = field(default_factory=Event)
    _closed: Event = field(default_factory=Event)

    def put(self, value: T) -> None:
        """Replace the value, and wake the thread."""
        self._slot.append(value)
        self._bell.set()

    def ring(self) -> None:
        self._bell.set()

    def start(self) -> None:
        """Start the thread, unless it runs already or the slot is closed.

        Another thread may close the slot meanwhile, and can't join a thread that is just starting.
        """
        if self.thread is None and not self.closed:
            thread = Thread(target=self.run, name=self.name, daemon=True)
            thread.start()
            self.thread = thread

    @property
    def newest(self) -> T | None:
        """The value, which stays in the slot; None if the slot is empty."""
        with suppress(IndexError):
            return self._slot[-1]
        return None

    def take(self) -> T | None:
        """Take the value out of the slot; None if the slot is empty."""
        with suppress(IndexError):
            return self._slot.pop()
        return None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the bell, at most `seconds`. Return whether it rang. Take the value then."""
        rang = self._bell.wait(seconds)
        self._bell.clear()
        return rang

    def pause(self, seconds: float) -> None:
        """Wait for `seconds`, whatever rings, or until the slot is closed."""
        self._closed.wait(seconds)

    @property
    def closed(self) -> bool:
        """Whether the thread must end."""
        return self._closed.is_set()

    def close(self, seconds: float = 0.0) -> bool:
        """Make the thread end. Wait for at most `seconds`; return whether it has ended."""
        self._closed.set()
        self._bell.set()
        if self.thread is None:
            return True
        self.thread.join(seconds)
        return not self.thread.is_alive()
