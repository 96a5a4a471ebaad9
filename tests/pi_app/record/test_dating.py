"""Whether the clock was set: by a time service in this boot, or from a clock with a battery."""

import time
from pathlib import Path

import pytest

from pi_app.record.clock import ClockCheck, clock_is_set


def is_set(folder: Path, *batteries: str, synchronized: bool = False) -> bool:
    """Return whether the clock counts as set.

    batteries: what each clock with or without a battery says. synchronized: what the kernel says.
    """
    for number, text in enumerate(batteries):
        clock = folder / f"rtc{number}"
        clock.mkdir()
        (clock / "since_epoch").write_text(text)
    return clock_is_set(lambda: synchronized, folder / "synchronized", folder)


def test_a_pi_that_has_not_heard_from_the_net_has_no_time_to_keep(tmp_path: Path) -> None:
    assert not is_set(tmp_path)
    assert not is_set(tmp_path / "nowhere")


def test_any_time_service_that_tells_the_kernel_is_enough(tmp_path: Path) -> None:
    assert is_set(tmp_path, synchronized=True)


def test_timesyncd_may_have_heard_from_the_net_days_ago(tmp_path: Path) -> None:
    (tmp_path / "synchronized").touch()
    assert is_set(tmp_path)


def test_a_clock_with_a_battery_is_enough(tmp_path: Path) -> None:
    assert is_set(tmp_path, f"{time.time() - 100:.0f}\n")


def test_a_clock_without_a_battery_does_not_hide_one_that_has_it(tmp_path: Path) -> None:
    assert is_set(tmp_path, "37\n", f"{time.time():.0f}\n")


@pytest.mark.parametrize("begun_anew", ["37\n", "", "soon"])
def test_a_clock_that_has_just_begun_to_count_is_not(tmp_path: Path, begun_anew: str) -> None:
    assert not is_set(tmp_path, begun_anew)


def test_a_clock_that_was_set_is_not_looked_at_again() -> None:
    looks = iter([False, False, True])
    was_set = ClockCheck(lambda: next(looks))
    assert [was_set() for _ in range(5)] == [False, False, True, True, True]
