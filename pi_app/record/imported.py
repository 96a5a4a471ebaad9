"""Games that were imported: a file each, as it was given, in a folder beside the journal.

The table never looks there, so that none of them is ever its game in progress.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_app.record.files import sync, write_whole
from pi_app.record.trouble import JournalError

FOLDER = "imported"  # in the journal's folder
ENDING = ".jsonl"
MARK = "i"  # begins an imported game's number: i1, i2, ...


def imported_games(journal: Path) -> dict[str, Path]:
    """Return the files of the games that were imported beside a journal, by number, in order."""
    numbers = sorted(
        int(path.stem)
        for path in (journal.parent / FOLDER).glob(f"*{ENDING}")
        if path.stem.isdecimal() and path.stem == str(int(path.stem)) and path.is_file()
    )
    return {f"{MARK}{number}": _file(journal, number) for number in numbers}


def read_imported(path: Path) -> bytes:
    """Return an imported game as it was given; JournalError where it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path} can't be read ({error.strerror}): import it anew") from error


def store_imported(journal: Path, data: bytes) -> tuple[str, bool]:
    """Keep a record beside a journal; return its number, and whether it was not there before.

    Once this returns it outlives a power cut; a crash leaves all of it or nothing. JournalError
    where it can't be written.
    """
    folder = journal.parent / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            there = imported_games(journal)
            for number, path in there.items():
                if read_imported(path) == data:
                    return number, False
            last = next(reversed(there), f"{MARK}0")
            new = int(last.removeprefix(MARK)) + 1
            write_whole(_file(journal, new), data)
            sync(folder.parent)
    except OSError as error:
        raise JournalError(
            f"{folder} can't be written ({error.strerror}): use sudo, or name another folder"
        ) from error
    return f"{MARK}{new}", True


def _file(journal: Path, number: int) -> Path:
    return journal.parent / FOLDER / f"{number}{ENDING}"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep others from importing meanwhile."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
