"""Keeps rows in memory while the journal can't be written. It does not ask the players for that."""

import logging

from pi_app.model.history import New, Row
from pi_app.record.journal import Commit, Journal
from pi_app.record.trouble import JournalError

log = logging.getLogger(__name__)


class Backlog:
    """A journal and the commits that wait for it, in order."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._waiting: tuple[Commit, ...] = ()

    @property
    def game(self) -> int | None:
        """The number of the newest game in the journal; None while the start of it waits."""
        starts = (isinstance(row.entry, New) for entry in self._waiting for row in entry.rows)
        return None if any(starts) else self.journal.game

    def append(self, entry: Commit) -> tuple[Row, ...]:
        """Commit all waiting entries and this one, all or nothing. Return their rows.

        Raises JournalError if the disk refuses; then this entry does not wait.
        """
        return self._commit((*self._waiting, entry))

    def wait(self, entry: Commit) -> None:
        """Let an entry wait in memory."""
        self._waiting = (*self._waiting, entry)

    def save(self) -> tuple[Row, ...]:
        """Commit all waiting entries. Return their rows. Raises as `append`."""
        return self._commit(self._waiting) if self._waiting else ()

    def is_recorded(self, boot: str, n: int) -> bool:
        """Return whether event n of the lit chamber's boot is recorded or waits."""
        waiting = (row for entry in self._waiting for row in entry.rows)
        return any((row.boot, row.n) == (boot, n) for row in waiting) or self.journal.is_recorded(
            boot, n
        )

    def close(self) -> None:
        """Try once more to write the waiting rows, log how many are lost, and close the journal."""
        try:
            self.save()
        except JournalError as error:
            count = sum(len(entry.rows) for entry in self._waiting)
            log.error("%d moves that were played unsaved are lost: %s", count, error)
            self._waiting = ()
        finally:
            self.journal.close()

    def _commit(self, entries: tuple[Commit, ...]) -> tuple[Row, ...]:
        self.journal.append(entries)
        self._waiting = ()
        return tuple(row for entry in entries for row in entry.rows)
