"""Writes files so that they survive a power cut. It knows no journal."""

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Write or replace a file by one rename, so that it is never half written.

    When this returns, the file survives a power cut. Raises OSError.
    """
    half = path.with_name(f"{path.name}.half")
    try:
        half.unlink(missing_ok=True)  # it may be a pipe
        with half.open("wb") as file:
            _write_through(file, data)
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
        raise
    sync(path.parent)


def write_new(path: Path, data: bytes) -> None:
    """Write a new file. Raises FileExistsError if the file is there already.

    When this returns, the file survives a power cut, if its file system can do that.
    """
    with path.open("xb") as file:
        try:
            _write_through(file, data)
        except OSError:
            path.unlink()
            raise
    with suppress(OSError):  # some file systems can't sync a folder
        sync(path.parent)


def _write_through(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Write the names in a folder to the disk, so that they survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def memory_folder() -> str | None:
    """Return a folder in memory for temporary files, or None if the system has none."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
