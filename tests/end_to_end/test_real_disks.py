"""A table on a real file system that is full, read-only or gone, in mounts of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.asked import can_not_run
from tests.end_to_end.real_disks import AS_ROOT, SCENARIOS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OWN_MOUNTS = ("unshare", "--map-root-user", "--mount")
ROOTS_MOUNTS = ("unshare", "--mount")


def run(command: Sequence[str | Path]) -> str:
    """Run a command; return what it complained of, nothing if all went well."""
    try:
        done = subprocess.run(
            command,
            check=False,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    except OSError as error:
        return str(error)
    return done.stderr if done.returncode else ""


def play(name: str, mounts: tuple[str, ...], folder: Path) -> str:
    if trouble := run([*mounts, "mount", "-t", "tmpfs", "none", "/mnt"]):
        can_not_run(f"no mounts for a process alone by {' '.join(mounts)}: {trouble.strip()}")
    return run([*mounts, sys.executable, "-m", "tests.end_to_end.real_disks", name, folder])


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_table_on_a_disk_that_can_not_be_written(name: str, tmp_path: Path) -> None:
    assert play(name, OWN_MOUNTS, tmp_path) == ""


@pytest.mark.parametrize("name", AS_ROOT)
def test_a_table_on_a_card_that_only_root_can_mount(name: str, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        can_not_run("only root can mount a card")
    assert play(name, ROOTS_MOUNTS, tmp_path) == ""
