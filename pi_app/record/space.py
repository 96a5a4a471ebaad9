"""Measures the free space on the disk of the journal."""

import shutil
from contextlib import suppress
from pathlib import Path

LEAST_FREE = 50_000_000  # bytes: thousands of games, but little for a system that logs and updates


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes of a folder's disk, or None if unknown."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


def is_nearly_full(free_bytes: int | None) -> bool:
    """Return whether the free bytes may be too few for the next game; None counts as enough."""
    return free_bytes is not None and free_bytes < LEAST_FREE
