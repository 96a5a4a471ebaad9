"""How many rows are confirmed, in a small file beside the database and apart from its log.

What the log loses without a word is missed by it. It may lag behind, by what a crash cut short.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32


class ConfirmedRows(NamedTuple):
    """A game's number, from 1, and how many of its rows are confirmed."""

    game: int
    rows: int


class Count:
    """The file, open for writing: one line of a fixed length, overwritten in its place."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)

    def read(self) -> ConfirmedRows | None:
        """Return what was counted; None where nothing is, or where it is damaged."""
        with suppress(OSError):  # it is something else than a file
            return _counted(os.pread(self._handle, 100, 0))
        return None

    def write(self, counted: ConfirmedRows) -> None:
        """Have it on the disk. Where the disk refuses, it lags behind, which is no alarm."""
        game, rows = map(str, counted)
        with suppress(OSError):
            os.pwrite(self._handle, f"{game:>9} {rows:>9} {_check(game, rows)}\n".encode(), 0)
            os.fdatasync(self._handle)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)


def count_path(journal: Path) -> Path:
    """Return where the rows of a journal are counted."""
    return journal.with_suffix(".count")


def read_count(journal: Path) -> ConfirmedRows | None:
    """Return what is counted of a journal, which may be open elsewhere."""
    path = count_path(journal)
    with suppress(OSError):
        return _counted(path.read_bytes()) if path.is_file() else None
    return None


def _counted(data: bytes) -> ConfirmedRows | None:
    words = data.decode("ascii", errors="replace").split()
    if len(words) != 3 or words[2] != _check(*words[:2]) or not "".join(words[:2]).isdecimal():
        return None
    return ConfirmedRows(int(words[0]), int(words[1]))


def _check(game: str, rows: str) -> str:
    return f"{crc32(f'{game} {rows}'.encode()):08x}"
