"""Whether this computer's clock was set, so that what it says is worth keeping. Sets nothing.

A Pi without a battery starts with the time at which it was last switched off, or any other; the
kernel's own word, adjtimex(2), is forbidden to the service by ProtectClock=.
"""

import time
from collections.abc import Callable
from pathlib import Path

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")  # systemd-timesyncd.service(8)
BATTERY = Path("/sys/class/rtc/rtc0/since_epoch")  # a clock that ran on while the power was off
DAY_S = 86400  # a battery's clock may be wrong by minutes; one without begins in 1970


def clock_is_set(synchronized: Path = SYNCHRONIZED, battery: Path = BATTERY) -> bool:
    """Whether the clock heard from the net in this boot, or was set from one with a battery."""
    if synchronized.exists():
        return True
    try:
        return abs(int(battery.read_text(encoding="ascii")) - time.time()) < DAY_S
    except (OSError, ValueError):
        return False


class ClockCheck:
    """Whether the clock was set, looked up until it was.

    A clock with a battery often hangs on the display's wires, and reading it waits for a frame.
    """

    def __init__(self, is_set: Callable[[], bool] = clock_is_set) -> None:
        self._look = is_set
        self._was_set = False

    def __call__(self) -> bool:
        self._was_set = self._was_set or self._look()
        return self._was_set
