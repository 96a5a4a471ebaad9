"""Asks how much room the journal's disk has, and whether it keeps data. It touches no game."""

import os
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex

from pi_app.model.parts import Fault
from pi_app.record.schema import PUT_SETTING, REMOVE_SETTING, connect
from pi_app.record.trouble import DISK_GONE, journal_error

LEAST_FREE = 50_000_000  # bytes: thousands of games, but little for a system that logs and updates
MOUNTS = Path("/proc/self/mountinfo")  # proc_pid_mountinfo(5)
# They accept every write and sync, and lose all of it when the power goes. raspi-config offers an
# overlay with its upper layer in memory. Where that layer is can't be found out afterwards.
IN_MEMORY = re.compile(r"(tmpfs|ramfs|overlay) |\S+ /dev/z?ram[0-9]")
KEY = "self test"
GET = "SELECT value FROM settings WHERE key = ?"
BUSY_S = 1.0


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes of a folder's disk, or None if unknown."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


def is_nearly_full(free_bytes: int | None) -> bool:
    """Return whether the free bytes may be too few for the next game; None counts as enough."""
    return free_bytes is not None and free_bytes < LEAST_FREE


def is_in_memory(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Return whether a folder is lost when the power goes; False if unknown.

    mounts: the kernel's list of this process's mounts.
    """
    try:
        device = folder.stat().st_dev
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    numbers = f"{os.major(device)}:{os.minor(device)}"
    kinds = [line.partition(" - ")[2] for line in lines if line.split()[2] == numbers]
    return any(map(IN_MEMORY.match, kinds))


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
