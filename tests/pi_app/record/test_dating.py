"""Whether the clock was set: by the net in this boot, or from a clock with a battery."""

import time
from pathlib import Path

from pi_app.record.dating import ClockCheck, clock_is_set


def test_a_pi_that_has_not_heard_from_the_net_has_no_time_to_keep(tmp_path: Path) -> None:
    assert not clock_is_set(tmp_path / "synchronized", tmp_path / "since_epoch")


def test_one_that_has_heard_from_the_net_has(tmp_path: Path) -> None:
    (tmp_path / "synchronized").touch()
    assert clock_is_set(tmp_path / "synchronized", tmp_path / "since_epoch")


def test_one_with_a_battery_has_unless_that_has_just_begun_to_count(tmp_path: Path) -> None:
    battery = tmp_path / "since_epoch"
    battery.write_text(f"{time.time() - 100:.0f}\n")
    assert clock_is_set(tmp_path / "synchronized", battery)
    for begun_anew in ("37\n", "", "soon"):
        battery.write_text(begun_anew)
        assert not clock_is_set(tmp_path / "synchronized", battery)


def test_a_clock_that_was_set_is_not_looked_at_again() -> None:
    looks = iter([False, False, True])
    is_set = ClockCheck(lambda: next(looks))
    assert [is_set() for _ in range(5)] == [False, False, True, True, True]
