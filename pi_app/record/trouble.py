"""Errors of the journal, each with a sentence for the log and a fault's id. It repairs nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EIO, ENOSPC, EROFS
from pathlib import Path

from pi_app.model.errors import UserError
from pi_app.model.parts import Fault

DISK_GONE: Fault = "disk-gone"
MAX_ERROR_LENGTH = 160  # characters of a message of SQLite


class JournalError(UserError):
    """The journal can't be opened, read or written. Its sentence has a remedy."""

    def __init__(self, sentence: str, fault: Fault = "no-access") -> None:
        super().__init__(sentence)
        self.fault = fault


class TooNewError(JournalError):
    """A later version, `maker`, has made the journal, and only that or a later one can open it."""

    def __init__(self, sentence: str, maker: str) -> None:
        super().__init__(sentence)
        self.maker = maker


class Unwritable(JournalError):
    """The disk can't be written now. It may still be readable."""


class Damage(Exception):
    """The reason, in one line, why a database can't be continued. It is then set aside."""

    def __init__(self, why: str) -> None:
        super().__init__(error_in_one_line(why))


def error_in_one_line(why: object) -> str:
    """Return an error's message in one short line. SQLite can quote a whole schema in a message."""
    words = " ".join("".join(one if one.isprintable() else " " for one in str(why)).split())
    return words if len(words) <= MAX_ERROR_LENGTH else f"{words[: MAX_ERROR_LENGTH - 1]}…"


# The beginning of SQLite's name of an error, the fault, and the remedy.
REMEDIES: tuple[tuple[str, Fault, str], ...] = (
    ("SQLITE_FULL", "disk-full", "free some space, then confirm again"),
    ("SQLITE_READONLY", "read-only", "make it and its folder writable, then confirm again"),
    ("SQLITE_PERM", "read-only", "make it and its folder writable, then confirm again"),
    ("SQLITE_CANTOPEN", "no-access", "make its folder writable, or name another one"),
    ("SQLITE_BUSY", "disk-busy", "end the other program that has it open, then confirm again"),
    ("SQLITE_IOERR_SHMSIZE", "disk-full", "free some space, then confirm again"),
    ("SQLITE_IOERR", "bad-disk", "look after its disk or card, then confirm again"),
)


def journal_error(path: object, what: str, error: sqlite3.Error) -> JournalError:
    """Return the error of a journal that can't be `what`, such as "opened" or "written"."""
    name = getattr(error, "sqlite_errorname", "")
    for start, fault, remedy in REMEDIES:
        if name.startswith(start):
            return Unwritable(
                f"{path} can't be {what} ({error_in_one_line(error)}): {remedy}", fault
            )
    why = f"{path} can't be {what} ({error_in_one_line(error)}): restart the referee"
    return JournalError(why, "no-access")


FAULTS_BY_ERRNO: dict[int, Fault] = {
    EROFS: "read-only",
    ENOSPC: "disk-full",
    EDQUOT: "disk-full",
    EIO: "bad-disk",
}


@contextmanager
def in_sentences(path: Path, what: str, remedy: str = "restart the referee") -> Iterator[None]:
    """If a file can't be `what`, such as "opened", raise a JournalError. remedy: after OSError."""
    try:
        yield
    except OSError as error:
        sentence = f"{path} can't be {what} ({error.strerror}): {remedy}"
        fault = FAULTS_BY_ERRNO.get(error.errno or 0)
        raise (Unwritable(sentence, fault) if fault else JournalError(sentence)) from error
    except sqlite3.Error as error:
        raise journal_error(path, what, error) from error


def is_disk_fault(error: sqlite3.Error) -> bool:
    """Return whether the disk or another process is the cause, not a damaged database.

    Even to read a database, SQLite writes an index of its log next to it.
    """
    name = getattr(error, "sqlite_errorname", "")
    others = tuple(start for start, _, _ in REMEDIES if start != "SQLITE_IOERR")
    return name.startswith((*others, "SQLITE_IOERR_SHM", "SQLITE_IOERR_WRITE"))


def may_have_lost_disk(error: sqlite3.Error) -> bool:
    """Return whether the connection may be dead for good, as after its disk was unplugged."""
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"))
