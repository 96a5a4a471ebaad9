"""The main loop: one inbox, one thread. It carries out the session's decisions and makes none."""

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
from pi_app.logs import LastComplaints
from pi_app.record.trouble import JournalError
from pi_app.table.core.state import Session
from pi_app.table.session import Reply, handle, refuse_press
from pi_app.table.session_text import session_text, without_names

REREAD_PINS_S = 0.5  # the loop reads all pins at least this often, to recover a lost edge
SAVE_RETRY_S = 5.0  # how often the loop tries to save waiting rows while nobody presses
SAVE_BACKOFF = 10  # after a failed save, wait this many times its duration before the next

log = logging.getLogger(__name__)


Output = Callable[[Reply, float], float | None]
"""Takes the newest reply and the time; returns at once, with the time of its next call or None."""


def log_error(error: Exception) -> None:
    """Log an unexpected exception."""
    log.error("the table goes on after %r", error, exc_info=error)


@dataclass(slots=True, kw_only=True)
class App:
    """The main loop and what it needs.

    read: returns the present level of every pin.
    alive: returns whether presses still arrive.
    record: commits a reply's rows and settings. When it returns, they survive a power cut.
    hold: keeps a reply's rows in memory only, after the players chose to play on unsaved.
    save: commits all rows that wait in memory.
    settle: does the slow follow-up work of `record`, after the reply is shown.
    clock: monotonic, in seconds.
    report_error: gets each unexpected exception, but only once if it repeats. The game goes on.
    is_recorded: returns whether the journal has a press of the lit chamber.
    acknowledge: lets the chamber forget a press.
    beat: called at least twice a second, which shows that the loop still runs.
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
    report_error: Callable[[Exception], None] = log_error
    is_recorded: Callable[[str, int], bool] = lambda boot, press_number: False
    acknowledge: Callable[[int], None] = lambda press_number: None
    beat: Callable[[], None] = lambda: None
    inbox: SimpleQueue[Event | None] = field(default_factory=SimpleQueue)
    has_waiting_rows: bool = False
    save_at: float = 0.0
    save_on_press_at: float = 0.0
    session_wake_at: float | None = None
    output_times: list[float | None] = field(default_factory=list)
    complaints: LastComplaints = field(default_factory=LastComplaints)

    def run(self) -> None:
        """Run until `stop` is called, the table is switched off, or presses no longer arrive."""
        while self.alive() and not self.session.off:
            due = self.due()
            wait = REREAD_PINS_S if due is None else min(REREAD_PINS_S, due - self.clock())
            try:
                event = self.inbox.get(timeout=max(0.0, wait))
            except Empty:
                event = Tick(self.clock())
            if event is None:
                return
            self.take(event)
            self.beat()

    def stop(self) -> None:
        """End `run`. Any thread or signal handler may call it."""
        self.inbox.put(None)

    def drain(self) -> None:
        """Process all events in the inbox, then a Tick if one is due. For a simulated clock."""
        while not self.inbox.empty():
            if (event := self.inbox.get()) is not None:
                self.take(event)
        if (due := self.due()) is not None and due <= self.clock():
            self.take(Tick(self.clock()))

    def due(self) -> float | None:
        """Return the time of the next Tick, or None if nothing waits for a time."""
        save_at = self.save_at if self.has_waiting_rows else None
        times = (self.session_wake_at, wake_at(self.contacts), save_at, *self.output_times)
        return min((time for time in times if time is not None), default=None)

    def take(self, event: Event) -> None:
        """Decide on an event and carry the decision out. An exception does not end the loop.

        A press of the lit chamber that the journal already has is only acknowledged.
        """
        for decided in self._session_events(event):
            before, kind = self.session, type(decided).__name__
            press = decided if isinstance(decided, ChamberPress | ChamberRolled) else None
            try:
                if press is None or not self.is_recorded(press.boot, press.n):
                    self._decide(decided)
                self.complaints.clear(kind)
            except Exception as error:
                self.session_wake_at, self.output_times = None, []
                if self._report(kind, error):
                    log.error("it was %r in %s", decided, session_text(without_names(before)))
            if press is not None:
                self.acknowledge(press.n)  # only after the outputs have the reply to it

    def _session_events(self, event: Event) -> Iterator[Event]:
        """Yield the events for the session: presses and releases take the place of edges.

        A Tick yields the presses that count by now before it reads the pins, which takes time.
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
        was_saved = self._try_to_save(event)
        reply = self._decide_with_dice(event)
        try:
            was_saved = self._commit_or_hold(reply) or was_saved
        except JournalError as error:
            if self.complaints.is_new("journal", str(error)):
                log.error("%s", error)
            self._carry_out(refuse_press(self.session, reply, error.fault))
            return
        self._carry_out(reply)
        if not was_saved:
            return
        if self.complaints.clear("journal"):
            log.info("the journal can be written again")
        self.settle(reply)
        if self.session.unsaved and not self.has_waiting_rows:
            log.warning("all unsaved moves are saved now")
            self._carry_out(handle(self.session, RowsSaved(event.t)))

    def _try_to_save(self, event: Event) -> bool:
        """Save the waiting rows if it is time to try. Return whether they were saved."""
        is_press = isinstance(event, Down | ChamberPress | ChamberRolled)
        began = self.clock()
        due = self.save_on_press_at if is_press else self.save_at
        if not self.has_waiting_rows or began < due:
            return False
        try:
            self.save()
        except JournalError:
            self._delay_next_save(began)
            return False
        self.has_waiting_rows = False
        return True

    def _commit_or_hold(self, reply: Reply) -> bool:
        """Commit a reply's rows, or hold them if the players chose to play on unsaved.

        Return whether they were committed. Raises JournalError if the reply must be refused.
        """
        if not (reply.rows or reply.puts):
            return False
        if not self.has_waiting_rows:
            began = self.clock()
            try:
                self.record(reply)
                return True
            except JournalError:
                if not self.session.unsaved:
                    raise
                self._delay_next_save(began)
        self.hold(reply)
        self.has_waiting_rows = True
        return False

    def _delay_next_save(self, began: float) -> None:
        """Delay the next save after one that failed, so that a slow disk delays few presses."""
        now = self.clock()
        self.save_on_press_at = now + SAVE_BACKOFF * (now - began)
        self.save_at = max(now + SAVE_RETRY_S, self.save_on_press_at)

    def _decide_with_dice(self, event: Event) -> Reply:
        """Return the session's reply. If it asks for dice, throw them and add the reply to them."""
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
        self.session, self.session_wake_at = reply.session, reply.wake_at
        self.output_times = []
        for index, output in enumerate(self.outputs):
            part, due = f"output {index}", None
            try:
                due = output(reply, self.clock())
                self.complaints.clear(part)
            except Exception as error:
                self._report(part, error)
            self.output_times.append(due)

    def _report(self, part: str, error: Exception) -> bool:
        """Report an error unless it repeats the part's last one. Return whether it was new."""
        is_new = self.complaints.is_new(part, repr(error))
        if is_new:
            self.report_error(error)
        return is_new
