"""How much room the disk of the journal has."""

import shutil
from contextlib import suppress
from pathlib import Path

LEAST_FREE = 50_000_000  # bytes: thousands of games, but little for a system that logs and updates


def free_bytes(folder: Path) -> int | None:
    """Return the bytes that are free on a folder's disk; None where that can't be told."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


def is_nearly_full(free_bytes: int | None) -> bool:
    """Whether so little is free that the next game may not be kept."""
    return free_bytes is not None and free_bytes < LEAST_FREE
