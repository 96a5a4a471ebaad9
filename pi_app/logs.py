"""How the log is written: each fault once, with levels for systemd, never waited for. No fault."""

import logging
import os
import select
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


class Seldom:
    """What was told lately, so that what never stops changing is told once in a while.

    every_s: for how long it is not told again.
    """

    def __init__(self, every_s: float = 60.0) -> None:
        self._every_s = every_s
        self._told_at: dict[str, float] = {}

    def may_tell(self, what: str, now: float) -> bool:
        """Whether this was not told lately; then it is told now."""
        told_at = self._told_at.get(what)
        if told_at is not None and now < told_at + self._every_s:
            return False
        self._told_at[what] = now
        return True


class NeverWaiting(logging.Handler):
    """Writes an entry at once, or leaves it out where nobody reads what was written before.

    A pipe that nobody reads is full at some time. To write to it would hold up whoever logs: the
    deciding thread, a device's, the end. The entries that are left out are counted, and the next
    one that there is room for says how many.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)
        self._left_out = 0
        self._cut = False  # an entry was written in part

    def emit(self, record: logging.LogRecord) -> None:
        """Write an entry, after what there is to say of those that were left out."""
        try:
            text = self.format(record)
            if self._left_out and self._write(self.format(_gap(self._left_out))):
                self._left_out = 0
            if self._left_out or not self._write(text):
                self._left_out += 1
        except Exception:
            self.handleError(record)

    def _write(self, text: str) -> bool:
        """Write lines; whether there was room for all of them, and anybody to read them."""
        data = f"{text}\n".encode(errors="backslashreplace")
        if self._cut:
            data = b"\n" + data
        while data:
            if not self._room.poll(0):
                return False
            try:
                written = os.write(self._descriptor, data[: select.PIPE_BUF])  # fits: poll(2)
            except OSError:
                return False
            data = data[written:]
            self._cut = bool(data)
        return True


def _gap(left_out: int) -> logging.LogRecord:
    what = "nobody read the log: entries left out: %d"
    return logging.LogRecord(__name__, logging.WARNING, "", 0, what, (left_out,), None)


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


def log_handler(stream: TextIO, journal_stream: str | None) -> logging.Handler:
    """Return a handler that tells the log on a stream: for systemd, or for people."""
    try:
        handler: logging.Handler = NeverWaiting(stream.fileno())
    except (OSError, ValueError):  # no file, as a test's
        handler = logging.StreamHandler(stream)
    systemd = goes_to_systemd(stream, journal_stream)
    handler.setFormatter(ForSystemd() if systemd else logging.Formatter("referee: %(message)s"))
    return handler
