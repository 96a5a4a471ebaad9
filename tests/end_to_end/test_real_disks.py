"""A table on a real file system that is full, read-only or gone. No root: mounts of one's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.asked import can_not_run
from tests.end_to_end.real_disks import SCENARIOS

ROOT = Path(__file__).parents[2]
OWN_MOUNTS = ("unshare", "--map-root-user", "--mount")


@pytest.fixture(scope="module", autouse=True)
def own_mounts() -> None:
    """See that this machine lets a process have mounts of its own."""
    mounting = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"]
    try:
        tried = subprocess.run(mounting, check=False, capture_output=True, text=True)
        trouble = tried.stderr.strip() if tried.returncode else ""
    except OSError as error:
        trouble = str(error)
    if trouble:
        can_not_run(f"this machine has no mounts for a process alone ({trouble})")


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_table_on_a_disk_that_can_not_be_written(name: str, tmp_path: Path) -> None:
    played = subprocess.run(
        [*OWN_MOUNTS, sys.executable, "-m", "tests.end_to_end.real_disks", name, tmp_path],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert played.returncode == 0, played.stderr
