"""A write that waits for a slow disk: the watchdog waits with it, but not for ever."""

from threading import Event

import pytest

from pi_app.simulate.simulation import VirtualClock
from pi_app.system.slow_disk import LIMIT_S, SLOW_S, SlowDisk


class Bench:
    """A disk whose writes take as long as a test says, looked at once a second."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.beats: list[float] = []
        self.told: list[float] = []
        self.disk = SlowDisk(
            lambda: self.beats.append(self.clock.now),
            lambda: self.told.append(self.clock.now),
            self.clock,
        )
        self.write = self.disk.patiently(self.take)

    def take(self, seconds: int) -> str:
        for _ in range(seconds):
            self.clock.now += 1
            self.disk.step()
        return "written"


@pytest.mark.parametrize("seconds", [1, 11, 14, 59])
def test_a_write_that_waits_gives_a_sign_of_life_each_second(seconds: int) -> None:
    bench = Bench()
    assert bench.write(seconds) == "written"
    assert bench.beats == list(range(1, seconds + 1))


def test_a_write_that_waits_for_ever_gives_no_sign_after_the_limit() -> None:
    bench = Bench()
    bench.write(200)
    assert bench.beats[-1] == LIMIT_S - 1


def test_the_limit_counts_anew_for_each_write() -> None:
    bench = Bench()
    for _ in range(3):
        bench.write(40)
    assert bench.beats[-1] == 120


def test_a_table_that_is_stuck_elsewhere_gives_no_sign() -> None:
    bench = Bench()
    bench.take(20)
    bench.write(1)
    bench.take(20)
    assert bench.beats == [21]


def test_after_a_write_that_fails_the_disk_is_waited_for_no_more() -> None:
    bench = Bench()
    with pytest.raises(ZeroDivisionError):
        bench.disk.patiently(lambda: 1 / 0)()
    bench.take(20)
    assert bench.beats == []


def test_the_players_are_told_once_for_each_slow_write(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    for seconds in (1, 12, 2, 9):
        bench.write(seconds)
    assert bench.told == [1 + SLOW_S, 15 + SLOW_S]
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "the journal's disk or card is slow",
        "the journal's disk or card is slow",
    ]


def test_a_message_that_fails_does_not_end_the_signs_of_life() -> None:
    bench = Bench()

    def fail() -> None:
        raise OSError("no display")

    bench.disk = SlowDisk(lambda: bench.beats.append(bench.clock.now), fail, bench.clock)
    bench.disk.patiently(bench.take)(12)
    assert bench.beats[-1] == 12


def test_its_thread_beats_while_the_write_does_not_return() -> None:
    beaten = Event()
    disk = SlowDisk(beaten.set, lambda: None, check_s=0.01)
    disk.start()
    try:
        assert disk.patiently(lambda: beaten.wait(10))()
    finally:
        disk.close()
