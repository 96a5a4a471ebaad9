"""What goes wrong with the journal, told in one sentence and in a few letters. Mends nothing."""

import sqlite3

GONE = "disk gone"


class JournalError(Exception):
    """The journal can't be opened, read or written: one sentence with what to do.

    brief: the same for a panel, in at most nine letters.
    """

    def __init__(self, sentence: str, brief: str = "no access") -> None:
        super().__init__(sentence)
        self.brief = brief


class TooNewError(JournalError):
    """The journal is of a later version, `maker`, which alone can open it."""

    def __init__(self, sentence: str, maker: str) -> None:
        super().__init__(sentence)
        self.maker = maker


class Damage(Exception):
    """Why a database can't be continued, in a few words. Ends in its being set aside."""


# The beginning of SQLite's name of an error, its words for the panel, and what helps.
REMEDIES = (
    ("SQLITE_FULL", "disk full", "free some space, then confirm again"),
    ("SQLITE_READONLY", "read-only", "make it and its folder writable, then confirm again"),
    ("SQLITE_PERM", "read-only", "make it and its folder writable, then confirm again"),
    ("SQLITE_CANTOPEN", "no access", "make its folder writable, or name another one"),
    ("SQLITE_BUSY", "disk busy", "end the other program that has it open, then confirm again"),
    ("SQLITE_IOERR", "bad disk", "look after its disk or card, then confirm again"),
)


def refused(path: object, what: str, error: sqlite3.Error) -> JournalError:
    """Return the error of a journal that can't be `what`: opened, read, written."""
    name = getattr(error, "sqlite_errorname", "")
    for start, brief, remedy in REMEDIES:
        if name.startswith(start):
            return JournalError(f"{path} can't be {what} ({error}): {remedy}", brief)
    return JournalError(f"{path} can't be {what} ({error}): restart the referee", "no access")


def is_of_the_disk(error: sqlite3.Error) -> bool:
    """Whether it is the disk or somebody else that refuses, and not the database's own damage."""
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(tuple(start for start, _, _ in REMEDIES if start != "SQLITE_IOERR"))
