"""Finds out whether this computer's clock was set, and whether the table was away at a start.

A Pi without a battery starts with the time at which it was last switched off, or with any other. So
the time away is known only within one boot.
"""

import ctypes
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

# Of systemd-timesyncd.service(8). The kernel forgets some hours after the last answer; this stays.
TIMESYNCD = Path("/run/systemd/timesync/synchronized")
CLOCKS = Path("/sys/class/rtc")  # those that run while the power is off, if they have a battery
DAY_S = 86400  # a clock with a battery may be wrong by minutes; one without starts in 1970
TIME_ERROR = 5  # "the system clock is not synchronized" (adjtimex(2))
TIMEX_BYTES = 512  # more than its struct has anywhere; zeros ask and change nothing
CLOSED = "closed"  # the setting with the moment of the table's end; not there while it runs
CLOSED_TEXT = re.compile(r"(\S+) ([0-9]{1,12})")
AWAY_S = 60.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def is_synchronized() -> bool:
    """Return whether the kernel knows that a time service has set the clock.

    timesyncd, chrony (with `rtcsync`, as Debian has it) and ntpd each tell it.
    """
    try:
        answer = int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)))
    except (OSError, AttributeError):  # a C library without it
        return False
    return 0 <= answer < TIME_ERROR


def clock_is_set(
    synchronized: Callable[[], bool] = is_synchronized,
    timesyncd: Path = TIMESYNCD,
    clocks: Path = CLOCKS,
) -> bool:
    """Return whether the clock was set in this boot, from the net or a clock with a battery."""
    from_the_net = synchronized() or timesyncd.exists()
    return from_the_net or any(map(_agrees, clocks.glob("rtc*/since_epoch")))


def _agrees(clock: Path) -> bool:
    try:
        return abs(int(clock.read_text(encoding="ascii")) - time.time()) < DAY_S
    except (OSError, ValueError):
        return False


class ClockCheck:
    """Checks whether the clock was set, until it was.

    A clock with a battery is often on the display's bus, so that a read waits for a frame.
    """

    def __init__(self, is_set: Callable[[], bool] = clock_is_set) -> None:
        self._is_set = is_set
        self._was_set = False

    def __call__(self) -> bool:
        self._was_set = self._was_set or self._is_set()
        return self._was_set


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
