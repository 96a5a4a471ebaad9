"""Keeps the last faults next to the journal, because the system's log may be in memory only.

A thread writes the file whole, at most once a minute. So no press waits for it.
"""

import logging
import re
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pi_app import __version__
from pi_app.record.files import write_whole
from pi_app.system.newest_value import Newest

FILE = "faults.log"  # in the journal's folder
MAX_FAULTS = 100
MAX_LENGTH = 2000  # characters of a fault, which may have a traceback
PAUSE_S = 60.0
CLOSE_S = 1.0  # a disk may hang
BEGINS = "the table begins, in boot"
ENDS = "the table ends"
CUT_IN_BOOT = (
    "the table before was stopped without an end: by the watchdog, by a crash or by somebody"
)
CUT_WITH_BOOT = "the table before was stopped without an end: the computer restarted or lost power"


@contextmanager
def keep_faults(folder: Path, boot: str | None) -> Iterator[None]:
    """Keep the faults that this block logs, and how this table and the one before ended.

    boot: the id of the computer's start.
    """
    faults = LastFaults(folder / FILE)
    before = faults.kept
    if before and ENDS not in before[-1]:
        is_same_boot = any(f"{BEGINS} {boot}" in fault for fault in before)
        faults.note(CUT_IN_BOOT if is_same_boot else CUT_WITH_BOOT)
    faults.note(f"{BEGINS} {boot}, version {__version__}")
    logging.getLogger().addHandler(faults)
    try:
        yield
    except BaseException as error:
        faults.note(f"{ENDS}: {error!r}")
        raise
    else:
        faults.note(ENDS)
    finally:
        logging.getLogger().removeHandler(faults)
        faults.close()


class LastFaults(logging.Handler):
    """A handler of the log that keeps its last faults in a file. `keep_faults` uses it."""

    def __init__(self, path: Path) -> None:
        super().__init__(logging.WARNING)
        formatter = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
        formatter.converter = time.gmtime
        self.setFormatter(formatter)
        self._path = path
        self._faults = deque(read_faults(path), MAX_FAULTS)
        self._slot = Newest[str]("last faults", self._run)
        self._slot.start()

    @property
    def kept(self) -> tuple[str, ...]:
        """The entries of the file, and those to be written; the newest is the last."""
        return tuple(self._faults)

    def note(self, text: str) -> None:
        """Keep an entry that is not in the log."""
        self.handle(logging.makeLogRecord({"msg": text}))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an entry of the log. Its further lines are indented."""
        text = self.format(record)[:MAX_LENGTH]
        self._faults.append("\n ".join(text.splitlines()))
        self._slot.put("".join(f"{fault}\n" for fault in self._faults))

    def close(self) -> None:
        """Write the entries that still wait, and end the thread."""
        self._slot.close(CLOSE_S)
        super().close()

    def _run(self) -> None:
        while not self._slot.closed:
            self._slot.wait()
            self._write()
            self._slot.pause(PAUSE_S)
        self._write()

    def _write(self) -> None:
        if (text := self._slot.take()) is not None:
            try:
                write_whole(self._path, text.encode(errors="backslashreplace"))
            except OSError:
                if self._slot.newest is None:
                    self._slot.put(text)  # for the next time


def read_faults(path: Path) -> list[str]:
    """Return the entries of a file, each with its further lines; [] if it can't be read."""
    with suppress(OSError):
        if path.is_file():
            return re.split(r"\n(?! )", path.read_text(errors="replace").rstrip("\n"))
    return []
