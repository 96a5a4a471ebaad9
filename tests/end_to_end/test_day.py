"""A long day: a table holds no more in the evening than it held at noon."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.asked import extent

HOURS = extent(2, soak=24)
HOUR_S = extent(900, soak=3600)
TURNS = extent(40, soak=5000)
MOST_MB = extent(3, soak=1)  # a short day's noon is too early: what is made once is not yet made


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_table_that_plays_all_day_holds_as_much_memory_in_the_evening_as_at_noon(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-m", "tests.end_to_end.day", str(tmp_path)]
    command += [str(HOURS), str(HOUR_S), str(TURNS)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    turns, megabytes = zip(*(line.split() for line in told.stdout.splitlines()), strict=True)
    assert (len(turns), int(turns[-1])) == (HOURS, TURNS)
    afternoon = list(map(float, megabytes[HOURS // 2 - 1 :]))
    assert max(afternoon) - afternoon[0] <= MOST_MB
