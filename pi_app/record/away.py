"""Whether the table was away: what its journal is told when it ends, and asks at the next start.

A Pi has no clock that runs on while it is off: for how long it was is known within one boot only.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

CLOSED = "closed"  # the setting that says when the table ended; none while it runs
CLOSED_TEXT = re.compile(r"(\S+) ([0-9]{1,12})")
AWAY_S = 60.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class BootTime(NamedTuple):
    """A moment of this computer: which boot, "" if unknown, and seconds since, asleep or not."""

    boot: str
    seconds: float


Clock = Callable[[], BootTime]


def boot_time(boot_id: Path = BOOT_ID) -> BootTime:
    """Return the moment that it is."""
    try:
        boot = boot_id.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        boot = ""
    return BootTime(boot, time.clock_gettime(time.CLOCK_BOOTTIME))


def closed_text(at: BootTime) -> str:
    """Return what is kept of the moment in which the table ended."""
    return f"{at.boot} {at.seconds:.0f}"


def was_away(closed: str | None, now: BootTime) -> bool:
    """Whether the table ended uncleanly, `closed` None, or more than AWAY_S ago, or who knows when.

    closed: what `closed_text` once said; a text that is none of that kind says nothing.
    """
    said = CLOSED_TEXT.fullmatch(closed or "")
    if said is None or said[1] != now.boot:
        return True
    return not -1 <= now.seconds - int(said[2]) <= AWAY_S  # rounded, it may be just ahead
