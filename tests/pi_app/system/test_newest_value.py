"""The newest value for a thread: what is put last wins, and closing ends the thread."""

from queue import SimpleQueue
from threading import Thread

import pytest

from pi_app.system.newest_value import Newest

LONG_S = 60.0  # for what comes at once, on a machine that is busy


class Reader:
    """A slot whose thread tells what it takes."""

    def __init__(self) -> None:
        self.told: SimpleQueue[str | None] = SimpleQueue()
        self.slot = Newest[str]("reader", self._run)

    def _run(self) -> None:
        while not self.slot.closed:
            self.slot.wait()
            self.told.put(self.slot.take())


def test_of_several_values_the_newest_is_taken_and_only_once() -> None:
    slot = Newest[str]("nobody", lambda: None)
    assert slot.take() is None
    for value in ("one", "two", "three"):
        slot.put(value)
    assert slot.newest == "three"
    assert slot.take() == "three"
    assert slot.newest is None
    assert slot.take() is None


def test_a_value_wakes_the_thread() -> None:
    reader = Reader()
    reader.slot.start()
    for value in ("one", "two"):
        reader.slot.put(value)
        assert reader.told.get(timeout=LONG_S) == value
    assert reader.slot.close(LONG_S)


def test_a_bell_that_rang_before_it_is_waited_for_is_heard_once() -> None:
    slot = Newest[str]("nobody", lambda: None)
    slot.ring()
    assert slot.wait(LONG_S)
    assert not slot.wait(0.0)


def test_closing_wakes_and_ends_the_thread() -> None:
    reader = Reader()
    reader.slot.start()
    first = reader.slot.thread
    reader.slot.start()
    assert reader.slot.thread is first
    assert reader.slot.close(LONG_S)
    assert first is not None
    assert not first.is_alive()


def test_a_pause_ends_when_it_is_closed_but_not_by_the_bell() -> None:
    done: SimpleQueue[bool] = SimpleQueue()

    def run() -> None:
        slot.pause(LONG_S)
        done.put(slot.closed)

    slot = Newest[str]("pausing", run)
    slot.start()
    slot.put("a value")
    assert slot.close(LONG_S)
    assert done.get(timeout=LONG_S)


def test_one_that_was_never_started_is_closed_at_once() -> None:
    assert Newest[str]("nobody", lambda: None).close()


def test_one_that_is_closed_while_its_thread_starts_is_closed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slot = Newest[str]("reader", lambda: None)
    start = Thread.start

    def start_late(thread: Thread) -> None:
        assert slot.close()
        start(thread)

    monkeypatch.setattr(Thread, "start", start_late)
    slot.start()
    assert slot.close(LONG_S)


def test_one_that_is_closed_does_not_start() -> None:
    slot = Newest[str]("nobody", lambda: None)
    slot.close()
    slot.start()
    assert slot.thread is None
