"""Files that outlive a power cut, and the folder for those that need not. Knows no journal."""

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, or replace it, in one rename: at any moment it is the old one or the new one.

    Once this returns, it outlives a power cut.
    """
    half = path.with_name(f"{path.name}.half")
    try:
        with half.open("wb") as file:
            _write_through(file, data)
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise
    sync(path.parent)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet; FileExistsError where it is.

    Once this returns, it outlives a power cut, as far as its file system can do that.
    """
    with path.open("xb") as file:
        try:
            _write_through(file, data)
        except OSError:
            path.unlink()
            raise
    with suppress(OSError):  # not every file system can sync a folder
        sync(path.parent)


def _write_through(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


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
