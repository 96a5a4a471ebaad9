"""Whether the table was away: by the moment in which it ended, as far as that can be known."""

from pathlib import Path

import pytest

from pi_app.record.clock import BootTime, boot_time, closed_text, was_away

NOW = BootTime("b0", 1000.0)


@pytest.mark.parametrize(
    ("closed", "away"),
    [
        (closed_text(BootTime("b0", 999.6)), False),
        (closed_text(BootTime("b0", 1000.0)), False),
        (closed_text(BootTime("b0", 940.0)), False),
        (closed_text(BootTime("b0", 939.0)), True),
        (closed_text(BootTime("b0", 1002.0)), True),
        (closed_text(BootTime("b1", 999.0)), True),  # for how long it was off nobody knows
        (None, True),
        ("", True),
        ("b0", True),
        ("b0 soon", True),
        ("b0 ²", True),
        ("b0 " + 400 * "9", True),
        ("b0 " + 5000 * "9", True),
    ],
)
def test_the_table_was_away_unless_it_ended_well_within_a_minute_of_this_boot(
    closed: str | None, away: bool
) -> None:
    assert was_away(closed, NOW) is away


def test_where_the_boot_is_not_known_it_was_away(tmp_path: Path) -> None:
    now = boot_time(tmp_path / "none")
    assert was_away(closed_text(now), now)


def test_a_moment_of_this_computer_is_of_its_boot_and_not_before_the_last() -> None:
    first, second = boot_time(), boot_time()
    assert first.boot == second.boot != ""
    assert first.seconds <= second.seconds
    assert not was_away(closed_text(first), second)
