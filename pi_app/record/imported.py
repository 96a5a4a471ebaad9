"""Stores imported games: each file as it came, in a folder next to the journal.

The table never reads that folder, so an imported game never becomes the game in progress.
"""

import fcntl
import os
from contextlib import ExitStack
from pathlib import Path

from pi_app.record.files import sync, write_whole
from pi_app.record.trouble import in_sentences

FOLDER = "imported"  # in the journal's folder
ENDING = ".jsonl"
IMPORTED_PREFIX = "i"  # begins an imported game's number: i1, i2, ...


def imported_games(journal: Path) -> dict[str, Path]:
    """Return the files of the imported games of a journal, by number such as `i2`, in order."""
    if not os.path.lexists(journal.parent / FOLDER):  # also if the journal's folder is closed to us
        return {}
    numbers = sorted(
        int(path.stem)
        for path in (journal.parent / FOLDER).glob(f"*{ENDING}")
        if path.stem.isdecimal() and path.stem == str(int(path.stem)) and path.is_file()
    )
    return {f"{IMPORTED_PREFIX}{number}": _file(journal, number) for number in numbers}


def read_imported(path: Path) -> bytes:
    """Return the file of an imported game. Raises JournalError if it can't be read."""
    with in_sentences(path, "read", "import it anew"):
        return path.read_bytes()


def store_imported(journal: Path, data: bytes) -> tuple[str, bool]:
    """Store a record next to a journal. Return its number, and whether it is new.

    When this returns, the record survives a power cut. A crash leaves all of it or nothing.
    Raises JournalError if it can't be written.
    """
    folder = journal.parent / FOLDER
    with in_sentences(folder, "written", "use sudo, or name another folder"), ExitStack() as stack:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
        stack.callback(os.close, handle)
        fcntl.flock(handle, fcntl.LOCK_EX)  # wait until no other process imports
        there = imported_games(journal)
        for number, path in there.items():
            if read_imported(path) == data:
                return number, False
        last = next(reversed(there), f"{IMPORTED_PREFIX}0")
        new = int(last.removeprefix(IMPORTED_PREFIX)) + 1
        write_whole(_file(journal, new), data)
        sync(folder.parent)
    return f"{IMPORTED_PREFIX}{new}", True


def _file(journal: Path, number: int) -> Path:
    return journal.parent / FOLDER / f"{number}{ENDING}"
