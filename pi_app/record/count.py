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


NOTHING = ConfirmedRows(0, 0)


class Count:
    """The open file of the count: one line of fixed length, which each count overwrites."""

    def __init__(self, journal: Path) -> None:
        self._handle = os.open(count_path(journal), os.O_RDWR | os.O_CREAT, 0o644)

    def write(self, counted: ConfirmedRows) -> None:
        """Write the count to the disk. If that fails, the count stays too low, which is safe."""
        game, rows = map(str, counted)
        with suppress(OSError):
            os.pwrite(self._handle, f"{game:>9} {rows:>9} {_checksum(game, rows)}\n".encode(), 0)
            os.fdatasync(self._handle)

    def close(self) -> None:
        os.close(self._handle)


def count_path(journal: Path) -> Path:
    return journal.with_suffix(".count")


def read_count(journal: Path) -> ConfirmedRows:
    """Return the count of a journal, NOTHING if there is none or if it is damaged.

    The journal may be open in another process.
    """
    path, words = count_path(journal), list[str]()
    with suppress(OSError):
        if path.is_file():  # a read would wait for a pipe
            words = path.read_bytes().decode("ascii", "replace").split()
    if len(words) != 3 or words[2] != _checksum(*words[:2]) or not "".join(words[:2]).isdecimal():
        return NOTHING
    return ConfirmedRows(int(words[0]), int(words[1]))


def _checksum(game: str, rows: str) -> str:
    return f"{crc32(f'{game} {rows}'.encode()):08x}"
