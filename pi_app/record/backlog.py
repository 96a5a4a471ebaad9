"""What a journal could not take yet: rows that wait in memory, in order, each with its time.

That they may wait is the players' choice, asked for elsewhere.
"""

import logging

from pi_app.record.journal import Commit, Journal
from pi_app.record.trouble import JournalError
from pi_app.rows.history import Row

log = logging.getLogger(__name__)


class Backlog:
    """A journal and what waits to be written into it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._waiting: tuple[Commit, ...] = ()

    def append(self, entry: Commit) -> tuple[Row, ...]:
        """Commit an entry after all that wait, at once or not at all; return the rows of all.

        JournalError where the disk does not take them: then this one does not wait.
        """
        return self._commit((*self._waiting, entry))

    def wait(self, entry: Commit) -> None:
        """Let an entry wait."""
        self._waiting = (*self._waiting, entry)

    def save(self) -> tuple[Row, ...]:
        """Commit all that wait; return it. JournalError where it must wait on."""
        return self._commit(self._waiting) if self._waiting else ()

    def is_recorded(self, boot: str, n: int) -> bool:
        """Whether the lit chamber's event n since this boot is recorded, or waits."""
        waiting = (row for entry in self._waiting for row in entry.rows)
        return any((row.boot, row.n) == (boot, n) for row in waiting) or self.journal.is_recorded(
            boot, n
        )

    def close(self) -> None:
        """Try once more to write what waits, say how much of it is lost, and close the journal."""
        try:
            self.save()
        except JournalError as error:
            count = sum(len(entry.rows) for entry in self._waiting)
            log.error("%d moves that were played unsaved are lost: %s", count, error)
            self._waiting = ()
        finally:
            self.journal.close()

    def _commit(self, entries: tuple[Commit, ...]) -> tuple[Row, ...]:
        self.journal.append_all(entries)
        self._waiting = ()
        return tuple(row for entry in entries for row in entry.rows)
