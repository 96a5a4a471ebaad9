"""Turns each reply into a commit of the journal. It decides nothing."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pi_app.model.history import Row
from pi_app.record.clock import CLOSED, Clock, closed_text, was_away
from pi_app.record.journal import Commit, Journal
from pi_app.record.trouble import JournalError
from pi_app.table.core.state import Session
from pi_app.table.modes.care.walking import asks_walk
from pi_app.table.session import Reply
from rules.game import Phase


@dataclass(frozen=True, slots=True)
class Recorder:
    """Writes replies to the journal, and the moment in which the table was closed."""

    journal: Journal
    now: Callable[[], float | None]  # seconds since 1970; None if the clock was never set
    clock: Callable[[], float]  # monotonic, in seconds
    loaded: float  # when the journal was loaded, by `clock`
    moment: Clock  # returns this boot and the seconds since it
    confirmed: Callable[[Row], None]  # called with each row that was committed

    def record(self, reply: Reply) -> None:
        """Commit a reply's rows and settings. Raises JournalError if the disk refuses them."""
        self._confirm(self.journal.append(self._commit_of(reply)))

    def hold(self, reply: Reply) -> None:
        self.journal.wait(self._commit_of(reply))

    def save(self) -> None:
        """Commit all that waits. Raises JournalError if the disk refuses it."""
        self._confirm(self.journal.save())

    def settle(self, reply: Reply) -> None:
        """Do the journal's follow-up work, after the reply is shown."""
        record = reply.session.record
        is_turn_over = record is not None and (
            record.game.phase is Phase.OVER
            or (record.game.phase is Phase.THROW and not record.game.doublets)
        )
        self.journal.settle(is_turn_over)

    def was_away(self, closed: str | None) -> bool:
        """Return whether the table was away, and remove the moment of its end from the journal.

        closed: that moment as the journal has it, None after an unclean end. If it can't be
        removed, then nothing could be recorded, so the pawns may have moved: the answer is True.
        """
        if closed is None:
            return True
        try:
            self.journal.append(Commit(puts=((CLOSED, None),)))
        except JournalError:
            return True
        return was_away(closed, self.moment())

    def say_closed(self, session: Session) -> None:
        """Write the moment of the table's end, unless a walk still waits for its answer.

        If the journal refuses it, the next start finds an unclean end.
        """
        if not asks_walk(session.mode):
            with suppress(JournalError):
                self.journal.append(Commit(puts=((CLOSED, closed_text(self.moment())),)))

    def _commit_of(self, reply: Reply) -> Commit:
        record = reply.session.record
        is_over = record is not None and record.game.phase is Phase.OVER
        t = self.clock() - self.loaded
        return Commit(tuple(reply.rows), self.now(), is_over, reply.puts, t)

    def _confirm(self, rows: tuple[Row, ...]) -> None:
        for row in rows:
            self.confirmed(row)
