"""Finds out whether this computer's clock was set, so that its time can be recorded.

A Pi without a battery starts with the time at which it was last switched off, or with any other.
The service can't ask the kernel by adjtimex(2), because ProtectClock= forbids it.
"""

import time
from collections.abc import Callable
from pathlib import Path

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")  # systemd-timesyncd.service(8)
BATTERY = Path("/sys/class/rtc/rtc0/since_epoch")  # a clock that runs while the power is off
DAY_S = 86400  # a clock with a battery may be wrong by minutes; one without starts in 1970


def clock_is_set(synchronized: Path = SYNCHRONIZED, battery: Path = BATTERY) -> bool:
    """Return whether the clock was set in this boot, from the net or a clock with a battery."""
    if synchronized.exists():
        return True
    try:
        return abs(int(battery.read_text(encoding="ascii")) - time.time()) < DAY_S
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
