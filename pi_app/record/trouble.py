"""Errors of the journal, each with a sentence for the log and a fault's id. Mends nothing."""

import sqlite3
from errno import EDQUOT, EIO, ENOSPC, EROFS

from pi_app.errors import UserError
from pi_app.rows.faults import Fault

DISK_GONE: Fault = "disk-gone"
MAX_ERROR_LENGTH = 160  # of what SQLite says


class JournalError(UserError):
    """The journal can't be opened, read or written: one sentence with what to do, and the fault."""

    def __init__(self, sentence: str, fault: Fault = "no-access") -> None:
        super().__init__(sentence)
        self.fault = fault


class TooNewError(JournalError):
    """The journal is of a later version, `maker`, which alone can open it."""

    def __init__(self, sentence: str, maker: str) -> None:
        super().__init__(sentence)
        self.maker = maker


class Unwritable(JournalError):
    """The disk takes nothing now; what lies on it may be read all the same."""


class Damage(Exception):
    """Why a database can't be continued, in one line. The database is then set aside."""

    def __init__(self, why: str) -> None:
        super().__init__(error_in_one_line(why))


def error_in_one_line(why: object) -> str:
    """Return an error's words in one short line: SQLite can quote a whole schema in its own."""
    words = " ".join("".join(one if one.isprintable() else " " for one in str(why)).split())
    return words if len(words) <= MAX_ERROR_LENGTH else f"{words[: MAX_ERROR_LENGTH - 1]}…"


# The beginning of SQLite's name of an error, the fault, and what helps.
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
    """Return the error of a journal that can't be `what`: opened, read, written."""
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


def write_error(error: OSError, sentence: str) -> JournalError:
    """Return the error of a file beside the journal, in this sentence."""
    fault = FAULTS_BY_ERRNO.get(error.errno or 0)
    return Unwritable(sentence, fault) if fault else JournalError(sentence)


def is_disk_fault(error: sqlite3.Error) -> bool:
    """Whether it is the disk or somebody else that refuses, and not the database's own damage.

    To read a database, SQLite writes an index of its log beside it.
    """
    name = getattr(error, "sqlite_errorname", "")
    others = tuple(start for start, _, _ in REMEDIES if start != "SQLITE_IOERR")
    return name.startswith((*others, "SQLITE_IOERR_SHM", "SQLITE_IOERR_WRITE"))


def may_have_lost_disk(error: sqlite3.Error) -> bool:
    """Whether what is open may be dead for ever, as where its disk was pulled and put back."""
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"))
