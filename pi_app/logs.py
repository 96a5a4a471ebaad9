"""How the log is told: each fault once, and with levels that systemd reads. Knows no fault."""

import logging
import os
from typing import TextIO

LEVELS = {
    logging.CRITICAL: 2,
    logging.ERROR: 3,
    logging.WARNING: 4,
    logging.INFO: 6,
}  # sd-daemon(3)
DEBUG = 7


class Once:
    """What each part has complained of, so that it is told once and not at every repetition."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def ill(self, part: str, complaint: str) -> bool:
        """Whether this is news: this part's last complaint was another, or it was well since."""
        before = self._told.get(part)
        self._told[part] = complaint
        return complaint != before

    def well(self, part: str) -> bool:
        """Take note that a part does what it should; whether that is news."""
        return self._told.pop(part, None) is not None


class ForSystemd(logging.Formatter):
    """Begins each line with its level: a line is an entry of systemd's journal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        return with_level(record.levelno, super().format(record))


def with_level(level: int, text: str) -> str:
    """Return a text with its level before each line, as in `<3>the disk is full`."""
    return "\n".join(f"<{LEVELS.get(level, DEBUG)}>{line}" for line in text.splitlines())


def goes_to_systemd(stream: TextIO, journal_stream: str | None) -> bool:
    """Whether systemd's journal reads a stream.

    journal_stream: what JOURNAL_STREAM says, which names the file that it reads (systemd.exec(5)).
    """
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # closed, or no file at all
        return False
    return journal_stream == f"{found.st_dev}:{found.st_ino}"


def told_on(stream: TextIO, journal_stream: str | None) -> logging.Handler:
    """Return a handler that tells the log on a stream: for systemd, or for people."""
    handler = logging.StreamHandler(stream)
    systemd = goes_to_systemd(stream, journal_stream)
    handler.setFormatter(ForSystemd() if systemd else logging.Formatter("referee: %(message)s"))
    return handler
