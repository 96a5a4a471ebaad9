"""How much room the journal's disk has."""

import shutil
from pathlib import Path

import pytest

from pi_app.record.space import free_bytes, is_nearly_full


def test_it_is_what_the_disk_says(tmp_path: Path) -> None:
    room = free_bytes(tmp_path)
    assert room == pytest.approx(shutil.disk_usage(tmp_path).free, abs=1e9)
    assert free_bytes(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("room", "little"), [(0, True), (49_999_999, True), (50_000_000, False), (None, False)]
)
def test_below_50_mb_is_little(room: int | None, little: bool) -> None:
    assert is_nearly_full(room) is little
