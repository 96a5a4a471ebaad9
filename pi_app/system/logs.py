"""Writes the log: each fault once, with levels for systemd, without ever blocking."""

import logging
import os
import select
from typing import TextIO

# sd-daemon(3)
LEVELS = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6}
DEBUG = 7


class LastComplaints:
    """The last complaint of each part, so that a repeated complaint is logged only once."""

    def __init__(self) -> None:
        self._complaints: dict[str, str] = {}

    def is_new(self, part: str, complaint: str) -> bool:
        """Note a part's complaint. Return whether it differs from the part's last one."""
        before = self._complaints.get(part)
        self._complaints[part] = complaint
        return complaint != before

    def clear(self, part: str) -> bool:
        """Note that a part works. Return whether it had a complaint before."""
        return self._complaints.pop(part, None) is not None


class RateLimit:
    """Lets each message through at most once in `every_s` seconds."""

    def __init__(self, every_s: float = 60.0) -> None:
        self._every_s = every_s
        self._last_at: dict[str, float] = {}

    def allows(self, message: str, now: float) -> bool:
        """Return whether a message may be logged now, in seconds of any clock, and note it."""
        last_at = self._last_at.get(message)
        if last_at is not None and now < last_at + self._every_s:
            return False
        self._last_at[message] = now
        return True


class DroppingHandler(logging.Handler):
    """Writes an entry at once, or drops it if nobody reads the pipe.

    A pipe that nobody reads fills up. Then a write would block the thread that logs. The handler
    counts the dropped entries and logs their number as soon as there is room again.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)
        self._dropped = 0
        self._ends_in_part = False  # the last entry was written only in part

    def emit(self, record: logging.LogRecord) -> None:
        """Write an entry, preceded by the number of dropped ones if there are any."""
        try:
            text = self.format(record)
            if self._dropped:
                what = "nobody read the log: entries left out: %d"
                gap = {"levelno": logging.WARNING, "msg": what, "args": (self._dropped,)}
                if self._write(self.format(logging.makeLogRecord(gap))):
                    self._dropped = 0
            if self._dropped or not self._write(text):
                self._dropped += 1
        except Exception:
            self.handleError(record)

    def _write(self, text: str) -> bool:
        """Write lines. Return whether somebody reads them and all of them fitted."""
        data = f"{text}\n".encode(errors="backslashreplace")
        if self._ends_in_part:
            data = b"\n" + data
        while data:
            if not self._room.poll(0):
                return False
            try:
                written = os.write(self._descriptor, data[: select.PIPE_BUF])  # fits: poll(2)
            except OSError:
                return False
            data = data[written:]
            self._ends_in_part = bool(data)
        return True


class SystemdFormatter(logging.Formatter):
    """Begins each line with its level. systemd's journal makes an entry of each line."""

    def format(self, record: logging.LogRecord) -> str:
        return add_level_prefix(record.levelno, super().format(record))


def add_level_prefix(level: int, text: str) -> str:
    """Return a text with a level of `logging` before each line, such as `<3>the disk is full`."""
    return "\n".join(f"<{LEVELS.get(level, DEBUG)}>{line}" for line in text.splitlines())


def is_systemd_stream(stream: TextIO, journal_stream: str | None) -> bool:
    """Return whether systemd's journal reads a stream.

    journal_stream: the value of JOURNAL_STREAM, the device and inode that the journal reads, or
    None (systemd.exec(5)).
    """
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # closed, or not a file
        return False
    return journal_stream == f"{found.st_dev}:{found.st_ino}"


def log_handler(stream: TextIO, journal_stream: str | None) -> logging.Handler:
    """Return a handler that logs to a stream: with levels for systemd, or as text for people."""
    try:
        handler: logging.Handler = DroppingHandler(stream.fileno())
    except (OSError, ValueError):  # not a file, as in a test
        handler = logging.StreamHandler(stream)
    systemd = is_systemd_stream(stream, journal_stream)
    handler.setFormatter(
        SystemdFormatter() if systemd else logging.Formatter("referee: %(message)s")
    )
    return handler
