"""Counts the confirmed rows in a small file next to the database.

SQLite can lose the end of its log without an error; the count shows that. After a crash the count
may be too low.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32


class ConfirmedRows(NamedTuple):
    """A game's number, from 1, and the number of its confirmed rows."""

    game: int
    rows: int


class Count:
    """The open file of the count: one line of fixed length, which each count overwrites."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)

    def read(self) -> ConfirmedRows | None:
        """Return the count, or None if there is none or if it is damaged."""
        with suppress(OSError):  # it may not be a file
            return _parse_count(os.pread(self._handle, 100, 0))
        return None

    def write(self, counted: ConfirmedRows) -> None:
        """Write the count to the disk. If that fails, the count stays too low, which is safe."""
        game, rows = map(str, counted)
        with suppress(OSError):
            os.pwrite(self._handle, f"{game:>9} {rows:>9} {_checksum(game, rows)}\n".encode(), 0)
            os.fdatasync(self._handle)

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


def count_path(journal: Path) -> Path:
    """Return the path of the count of a journal."""
    return journal.with_suffix(".count")


def read_count(journal: Path) -> ConfirmedRows | None:
    """Return the count of a journal, which may be open in another process; None without one."""
    path = count_path(journal)
    with suppress(OSError):
        return _parse_count(path.read_bytes()) if path.is_file() else None
    return None


def _parse_count(data: bytes) -> ConfirmedRows | None:
    words = data.decode("ascii", errors="replace").split()
    if len(words) != 3 or words[2] != _checksum(*words[:2]) or not "".join(words[:2]).isdecimal():
        return None
    return ConfirmedRows(int(words[0]), int(words[1]))


def _checksum(game: str, rows: str) -> str:
    return f"{crc32(f'{game} {rows}'.encode()):08x}"
