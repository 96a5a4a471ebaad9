"""Files that outlive a power cut, and the folder for those that need not. Knows no journal."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, or replace it, in one rename: at any moment it is the old one or the new one.

    Once this returns, it outlives a power cut.
    """
    half = path.with_name(f"{path.name}.half")
    try:
        with half.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """Have the names in a folder outlive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def memory_folder() -> str | None:
    """Return a folder in memory for what is thrown away, None where the system has none."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
