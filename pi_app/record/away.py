"""Finds out at a start whether the table was away, from the moment at which it was closed.

A Pi has no clock that runs while it is off, so the time away is known only within one boot.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

CLOSED = "closed"  # the setting with the moment of the table's end; not there while it runs
CLOSED_TEXT = re.compile(r"(\S+) ([0-9]{1,12})")
AWAY_S = 60.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class BootTime(NamedTuple):
    """A moment: the boot's id, "" if unknown, and the seconds since that boot, sleep included."""

    boot: str
    seconds: float


Clock = Callable[[], BootTime]


def boot_time(boot_id: Path = BOOT_ID) -> BootTime:
    """Return the present moment. boot_id: the kernel's file with the id."""
    try:
        boot = boot_id.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        boot = ""
    return BootTime(boot, time.clock_gettime(time.CLOCK_BOOTTIME))


def closed_text(at: BootTime) -> str:
    """Return the text that the journal keeps of a moment."""
    return f"{at.boot} {at.seconds:.0f}"


def was_away(closed: str | None, now: BootTime) -> bool:
    """Return whether the table was closed more than AWAY_S ago, or at an unknown moment.

    closed: a text of `closed_text`, or None after an unclean end.
    """
    match = CLOSED_TEXT.fullmatch(closed or "")
    if match is None or match[1] != now.boot:
        return True
    return not -1 <= now.seconds - int(match[2]) <= AWAY_S  # it was rounded, perhaps up
