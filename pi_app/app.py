"""The loop: one inbox, one deciding thread. Carries out what the session decides; has no say."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue

from pi_app.dice import Dice
from pi_app.input.debounce import Contact, Reports, debounce, wake_at
from pi_app.input.events import (
    ChamberPress,
    ChamberRolled,
    DiceDrawn,
    Down,
    Edge,
    Event,
    RowsSaved,
    Tick,
)
from pi_app.logs import Once
from pi_app.record.trouble import JournalError
from pi_app.table.core.state import Session
from pi_app.table.session import Reply, handle, refuse_press
from pi_app.table.session_text import session_text, without_names

HEARTBEAT_S = 0.5  # the pins are read anew at least this often: an edge that was lost is made good
SAVE_S = 5.0  # how often saving what waits is tried while nobody presses
REST = 10  # after a try that failed there is none for so many times as long as that took

log = logging.getLogger(__name__)


Output = Callable[[Reply, float], float | None]
"""A slot for what is shown: takes the newest reply, returns at once, says when it is due again."""


def log_fault(fault: Exception) -> None:
    """Log an exception that should not be."""
    log.error("the table goes on after %r", fault, exc_info=fault)


@dataclass(slots=True, kw_only=True)
class App:
    """The deciding thread's loop.

    read: every pin's level now. alive: whether presses are still reported. record: commits a
    reply's rows and settings; once it returns they outlive a power cut. hold: lets them wait in
    memory, which only a panel's choice allows; save: commits all that wait. settle: does what of
    that may wait until the reply is shown. clock: monotonic, in seconds. fault: told of every
    exception that should not be, once while it repeats; the game goes on after it. seen: whether a
    press of the lit chamber is recorded; got: tells the chamber that a press is, or never will be.
    beat: called by the loop again and again, twice a second at least, for as long as it is not
    stuck.
    """

    session: Session
    contacts: dict[int, Contact]
    read: Callable[[], Sequence[Edge]]
    alive: Callable[[], bool]
    record: Callable[[Reply], None]
    hold: Callable[[Reply], None]
    save: Callable[[], None]
    settle: Callable[[Reply], None]
    dice: Dice
    clock: Callable[[], float]
    outputs: Sequence[Output]
    fault: Callable[[Exception], None] = log_fault
    seen: Callable[[str, int], bool] = lambda boot, n: False
    got: Callable[[int], None] = lambda n: None
    beat: Callable[[], None] = lambda: None
    inbox: SimpleQueue[Event | None] = field(default_factory=SimpleQueue)
    waiting: bool = False
    save_at: float = 0.0
    press_saves_at: float = 0.0
    wake_at: float | None = None
    output_dues: list[float | None] = field(default_factory=list)
    once: Once = field(default_factory=Once)

    def run(self) -> None:
        """Decide until `stop` is called, the table goes off, or no more presses can come."""
        while self.alive() and not self.session.off and (event := self._next()) is not None:
            self.take(event)
            self.beat()

    def stop(self) -> None:
        """End `run`; from any thread or signal handler."""
        self.inbox.put(None)

    def drain(self) -> None:
        """Take what is in the inbox, and what time itself has made due; for a driven clock."""
        while not self.inbox.empty():
            if (event := self.inbox.get()) is not None:
                self.take(event)
        if (due := self.due()) is not None and due <= self.clock():
            self.take(Tick(self.clock()))

    def due(self) -> float | None:
        """Return when time itself is the next event, None for never."""
        save_at = self.save_at if self.waiting else None
        dues = (self.wake_at, wake_at(self.contacts), save_at, *self.output_dues)
        return min((due for due in dues if due is not None), default=None)

    def take(self, event: Event) -> None:
        """Decide on an event and carry out what follows; nothing that goes wrong ends the loop."""
        for settled in self._settle(event):
            before = self.session
            try:
                if not self._recorded(settled):
                    self._decide(settled)
                self.once.well(type(settled).__name__)
            except Exception as fault:
                self.wake_at, self.output_dues = None, []
                if self._tell(type(settled).__name__, fault):
                    log.error("it was %r in %s", settled, session_text(without_names(before)))
            if isinstance(settled, ChamberPress | ChamberRolled):
                self.got(settled.n)  # after the outputs have the wishes that follow from it

    def _recorded(self, event: Event) -> bool:
        """Whether this is a press of the lit chamber that is in the journal already."""
        return isinstance(event, ChamberPress | ChamberRolled) and self.seen(event.boot, event.n)

    def _next(self) -> Event | None:
        due = self.due()
        wait = HEARTBEAT_S if due is None else min(HEARTBEAT_S, due - self.clock())
        try:
            return self.inbox.get(timeout=max(0.0, wait))
        except Empty:
            return Tick(self.clock())

    def _settle(self, event: Event) -> Iterator[Event]:
        """Yield what the session is told of an event: presses and releases for edges.

        A Tick's own come before the pins are read, which would delay a press that counts now.
        """
        if not isinstance(event, (Edge, Tick)):
            yield event
            return
        yield from self._debounce(event)
        if isinstance(event, Tick):
            for edge in self.read():
                yield from self._debounce(edge)
            yield event

    def _debounce(self, event: Edge | Tick) -> Reports:
        self.contacts, reports = debounce(self.contacts, event)
        return reports

    def _decide(self, event: Event) -> None:
        saved = self._saved(event)
        reply = self._answer(event)
        try:
            saved = self._keep(reply) or saved
        except JournalError as error:
            if self.once.ill("journal", str(error)):
                log.error("%s", error)
            self._carry_out(refuse_press(self.session, reply, error.fault))
            return
        self._carry_out(reply)
        if not saved:
            return
        if self.once.well("journal"):
            log.info("the journal can be written again")
        self.settle(reply)
        if self.session.unsaved and not self.waiting:
            log.warning("all that was played unsaved is saved")
            self._carry_out(handle(self.session, RowsSaved(event.t)))

    def _saved(self, event: Event) -> bool:
        """Try to save what waits, at each press and now and then; whether it is saved now."""
        press = isinstance(event, Down | ChamberPress | ChamberRolled)
        began = self.clock()
        if not self.waiting or began < (self.press_saves_at if press else self.save_at):
            return False
        try:
            self.save()
        except JournalError:
            self._rest(began)
            return False
        self.waiting = False
        return True

    def _keep(self, reply: Reply) -> bool:
        """Record what a reply confirms, or let it wait where that was chosen; whether recorded.

        JournalError where it is not to be taken.
        """
        began = self.clock()
        confirms = bool(reply.rows or reply.puts)
        if confirms and not self.waiting:
            try:
                self.record(reply)
                return True
            except JournalError:
                if not self.session.unsaved:
                    raise
                self._rest(began)
        if confirms:
            self.hold(reply)
            self.waiting = True
        return False

    def _rest(self, began: float) -> None:
        """Put off the next try to save after one that failed: a slow disk delays few presses."""
        now = self.clock()
        self.press_saves_at = now + REST * (now - began)
        self.save_at = max(now + SAVE_S, self.press_saves_at)

    def _answer(self, event: Event) -> Reply:
        """Return the session's reply, the dice it asked for drawn and handed in."""
        reply = handle(self.session, event)
        if not reply.draw:
            return reply
        press = (event.boot, event.n) if isinstance(event, ChamberPress) else ()
        drawn = DiceDrawn(self.dice.throw(reply.draw), self.dice.source, event.t, *press)
        after = handle(reply.session, drawn)
        return replace(
            after,
            rows=reply.rows + after.rows,
            puts=reply.puts + after.puts,
            tones=reply.tones + after.tones,
        )

    def _carry_out(self, reply: Reply) -> None:
        self.session, self.wake_at = reply.session, reply.wake_at
        self.output_dues = [self._put_out(n, reply) for n in range(len(self.outputs))]

    def _put_out(self, n: int, reply: Reply) -> float | None:
        part = f"output {n}"
        try:
            due = self.outputs[n](reply, self.clock())
        except Exception as fault:
            self._tell(part, fault)
            return None
        self.once.well(part)
        return due

    def _tell(self, part: str, fault: Exception) -> bool:
        """Tell of a fault, unless it is the one that was told last of this part."""
        is_new = self.once.ill(part, repr(fault))
        if is_new:
            self.fault(fault)
        return is_new
