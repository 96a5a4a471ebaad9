"""Asks how much of the journal's disk is free, and whether the disk survives a power cut."""

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

LEAST_FREE = 50_000_000  # bytes: thousands of games, but little for a system that logs and updates
MOUNTS = Path("/proc/self/mountinfo")  # proc_pid_mountinfo(5)
# They accept every write and sync, and lose all of it when the power goes. raspi-config offers an
# overlay with its upper layer in memory. Where that layer is can't be found out afterwards.
IN_MEMORY = re.compile(r"(tmpfs|ramfs|overlay) |\S+ /dev/z?ram[0-9]")


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes of a folder's disk, or None if unknown."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


def is_nearly_full(free_bytes: int | None) -> bool:
    """Return whether the free bytes may be too few for the next game; None counts as enough."""
    return free_bytes is not None and free_bytes < LEAST_FREE


def is_in_memory(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Return whether a folder is lost when the power goes; False if unknown.

    mounts: the kernel's list of this process's mounts.
    """
    try:
        device = folder.stat().st_dev
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    numbers = f"{os.major(device)}:{os.minor(device)}"
    kinds = [line.partition(" - ")[2] for line in lines if line.split()[2] == numbers]
    return any(map(IN_MEMORY.match, kinds))
