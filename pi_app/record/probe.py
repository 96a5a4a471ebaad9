"""Tests the journal's disk: writes a setting, reads it back and removes it. Touches no game."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex

from pi_app.model.faults import Fault
from pi_app.record.schema import PUT_SETTING
from pi_app.record.trouble import DISK_GONE, journal_error

KEY = "self test"
GET = "SELECT value FROM settings WHERE key = ?"
REMOVE = "DELETE FROM settings WHERE key = ?"
BUSY_S = 1.0


def probe(path: Path) -> Fault | None:
    """Write to a journal and read it back. Return the fault, or None.

    It uses its own connections, so another thread may write meanwhile. It hangs if the disk does.
    """
    if not os.path.lexists(path):
        return DISK_GONE
    value = token_hex()
    try:
        with _connect(path) as writing, _connect(path) as reading:
            writing.execute(PUT_SETTING, (KEY, value))
            there = reading.execute(GET, (KEY,)).fetchone()
            writing.execute(REMOVE, (KEY,))
    except sqlite3.Error as error:
        return journal_error(path, "written", error).fault
    return None if there == (value,) else "bad-disk"


@contextmanager
def _connect(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an existing journal. Each statement is a commit that survives a power cut."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, BUSY_S, isolation_level=None, uri=True)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        yield connection
