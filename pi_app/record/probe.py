"""Tests the journal's disk: writes a setting, reads it back and removes it. Touches no game."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from secrets import token_hex

from pi_app.model.faults import Fault
from pi_app.record.schema import PUT_SETTING, REMOVE_SETTING, connect
from pi_app.record.trouble import DISK_GONE, journal_error

KEY = "self test"
GET = "SELECT value FROM settings WHERE key = ?"
BUSY_S = 1.0


def probe(path: Path) -> Fault | None:
    """Write to a journal and read it back. Return the fault, or None.

    It uses its own connections, so another thread may write meanwhile. It hangs if the disk does.
    """
    if not os.path.lexists(path):
        return DISK_GONE
    value, uri = token_hex(), f"{path.absolute().as_uri()}?mode=rw"  # which makes no file
    try:
        with closing(connect(uri, BUSY_S)) as writing, closing(connect(uri, BUSY_S)) as reading:
            writing.execute("PRAGMA synchronous = FULL")  # each commit survives a power cut
            writing.execute(PUT_SETTING, (KEY, value))
            there = reading.execute(GET, (KEY,)).fetchone()
            writing.execute(REMOVE_SETTING, (KEY,))
    except sqlite3.Error as error:
        return journal_error(path, "written", error).fault
    return None if there == (value,) else "bad-disk"
