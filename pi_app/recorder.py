"""The recorder: what a reply confirms becomes an entry of the journal. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pi_app.record.away import CLOSED, Clock, closed_text, was_away
from pi_app.record.backlog import Backlog
from pi_app.record.journal import Commit
from pi_app.record.trouble import JournalError
from pi_app.rows.history import Row
from pi_app.table.core.state import Session
from pi_app.table.modes.care.walking import asks_walk
from pi_app.table.session import Reply
from rules.game import Phase


@dataclass(frozen=True, slots=True)
class Recorder:
    """Has the journal keep what replies confirm, and whether the table was away.

    now: seconds since 1970, None where nobody has set the computer's clock. clock: monotonic
    seconds; loaded: when the journal was, by it. moment: since this computer's start. confirmed: is
    told each row that is committed.
    """

    backlog: Backlog
    now: Callable[[], float | None]
    clock: Callable[[], float]
    loaded: float
    moment: Clock
    confirmed: Callable[[Row], None]

    def record(self, reply: Reply) -> None:
        """Commit what a reply confirms; JournalError where the disk does not take it."""
        self._confirm(self.backlog.append(self._entry(reply)))

    def hold(self, reply: Reply) -> None:
        """Let what a reply confirms wait in memory."""
        self.backlog.wait(self._entry(reply))

    def save(self) -> None:
        """Commit what waits; JournalError where it must wait on."""
        self._confirm(self.backlog.save())

    def settle(self, reply: Reply) -> None:
        """Do what may wait until the commit is shown."""
        self.backlog.journal.settle(_turn_is_over(reply.session))

    def was_away(self, closed: str | None) -> bool:
        """Whether the table was away; take out of the journal that it ended, before it is shown.

        closed: what the journal has of that, None after an unclean end. Where it can't be taken out
        nothing could be recorded, so nobody knows what the pawns did.
        """
        if closed is None:
            return True
        try:
            self.backlog.append(Commit(puts=((CLOSED, None),)))
        except JournalError:
            return True
        return was_away(closed, self.moment())

    def say_closed(self, session: Session) -> None:
        """Have the journal keep when the table ended, unless a walk is still to be answered.

        Where it does not take that, the next start finds an unclean end.
        """
        if not asks_walk(session.mode):
            with suppress(JournalError):
                self.backlog.append(Commit(puts=((CLOSED, closed_text(self.moment())),)))

    def _entry(self, reply: Reply) -> Commit:
        t = self.clock() - self.loaded
        return Commit(tuple(reply.rows), self.now(), _is_over(reply.session), reply.puts, t)

    def _confirm(self, rows: tuple[Row, ...]) -> None:
        for row in rows:
            self.confirmed(row)


def _is_over(session: Session) -> bool:
    return session.record is not None and session.record.game.phase is Phase.OVER


def _turn_is_over(session: Session) -> bool:
    if session.record is None:
        return False
    game = session.record.game
    return game.phase is Phase.OVER or (game.phase is Phase.THROW and not game.doublets)
