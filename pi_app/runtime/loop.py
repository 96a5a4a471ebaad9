"""The main loop: one inbox, one thread.

It carries out the session's decisions. It decides nothing itself.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue

from pi_app.model import events
from pi_app.record.trouble import JournalError
from pi_app.runtime.debounce import Contact, Reports, debounce, wake_at
from pi_app.runtime.dice import Dice
from pi_app.system.logs import LastComplaints
from pi_app.table.core.state import Session
from pi_app.table.session import Reply, handle, refuse_press
from pi_app.table.session_text import session_text, without_names

REREAD_PINS_S = 0.5  # the loop reads all pins at least this often, because an edge may be lost
SAVE_RETRY_S = 5.0  # how often the loop tries to save waiting rows while nobody presses
SAVE_BACKOFF = 10  # the pause after a failed save is this many times as long as the save took

log = logging.getLogger(__name__)

Output = Callable[[Reply, float], float | None]
"""Takes the newest reply and the time. Returns the time of its next call, or None.

It does not block.
"""


def log_error(error: Exception) -> None:
    log.error("the game continues after an unexpected error: %r", error, exc_info=error)


@dataclass(slots=True, kw_only=True)
class App:
    session: Session
    contacts: dict[int, Contact]
    read_pins: Callable[[], Sequence[events.Edge]]
    presses_arrive: Callable[[], bool]
    commit: Callable[[Reply], None]  # when it returns, rows and settings survive a power cut
    # While the journal can't be written, after the players chose to continue without saving.
    keep_in_memory: Callable[[Reply], None]
    save_waiting_rows: Callable[[], None]
    finish_commit: Callable[[Reply], None]  # the slow work after a commit; the reply is shown
    dice: Dice
    clock: Callable[[], float]  # monotonic, in seconds
    outputs: Sequence[Output]
    report_error: Callable[[Exception], None] = log_error  # not the same one twice in a row
    is_recorded: Callable[[str, int], bool] = lambda boot, press_number: False  # in the journal
    acknowledge: Callable[[int], None] = lambda press_number: None  # the chamber forgets a press
    report_alive: Callable[[], None] = lambda: None  # called at least twice a second
    inbox: SimpleQueue[events.Event | None] = field(default_factory=SimpleQueue)
    has_waiting_rows: bool = False
    next_save_at: float = 0.0
    next_save_on_press_at: float = 0.0
    session_wake_at: float | None = None
    output_times: list[float | None] = field(default_factory=list)
    last_errors: LastComplaints = field(default_factory=LastComplaints)

    def run(self) -> None:
        """Run until `stop` is called, the table is switched off, or presses no longer arrive."""
        while self.presses_arrive() and not self.session.mode.off:
            tick_at = self.next_tick_at()
            wait = REREAD_PINS_S if tick_at is None else min(REREAD_PINS_S, tick_at - self.clock())
            try:
                event = self.inbox.get(timeout=max(0.0, wait))
            except Empty:
                event = events.Tick(self.clock())
            if event is None:
                return
            self.process(event)
            self.report_alive()

    def stop(self) -> None:
        """End `run`. Any thread or signal handler may call this."""
        self.inbox.put(None)

    def drain(self) -> None:
        """Process all events in the inbox, then a Tick if one is due. For a simulated clock."""
        while not self.inbox.empty():
            if (event := self.inbox.get()) is not None:
                self.process(event)
        if (tick_at := self.next_tick_at()) is not None and tick_at <= self.clock():
            self.process(events.Tick(self.clock()))

    def next_tick_at(self) -> float | None:
        save_at = self.next_save_at if self.has_waiting_rows else None
        return events.earliest(
            self.session_wake_at, wake_at(self.contacts), save_at, *self.output_times
        )

    def process(self, event: events.Event) -> None:
        """Decide on an event and carry the decision out. An exception does not end the loop.

        If the journal already has a press of the lit chamber, only acknowledge the press.
        """
        for one in self._session_events(event):
            before, kind = self.session, type(one).__name__
            press = one if isinstance(one, events.ChamberPress | events.ChamberRolled) else None
            try:
                if press is None or not self.is_recorded(press.boot, press.n):
                    self._decide(one)
                self.last_errors.clear(kind)
            except Exception as error:
                self.session_wake_at, self.output_times = None, []
                if self._report(kind, error):
                    text = session_text(without_names(before))
                    log.error("the error came from %r in %s", one, text)
            if press is not None:
                self.acknowledge(press.n)  # only after the outputs got the reply to this press

    def _session_events(self, event: events.Event) -> Iterator[events.Event]:
        """Yield the events for the session, with presses and releases instead of edges.

        For a Tick, first yield the presses that are already long enough. Reading the pins takes
        time and would delay them.
        """
        if not isinstance(event, (events.Edge, events.Tick)):
            yield event
            return
        yield from self._debounce(event)
        if isinstance(event, events.Tick):
            for edge in self.read_pins():
                yield from self._debounce(edge)
            yield event

    def _debounce(self, event: events.Edge | events.Tick) -> Reports:
        self.contacts, reports = debounce(self.contacts, event)
        return reports

    def _decide(self, event: events.Event) -> None:
        was_saved = self._try_to_save(event)
        reply = self._decide_with_dice(event)
        try:
            was_saved = self._keep_rows(reply) or was_saved
        except JournalError as error:
            if self.last_errors.is_new("journal", str(error)):
                log.error("%s", error)
            self._carry_out(refuse_press(self.session, reply, error.fault))
            return
        self._carry_out(reply)
        if not was_saved:
            return
        if self.last_errors.clear("journal"):
            log.info("writing to the journal works again")
        self.finish_commit(reply)
        if self.session.unsaved and not self.has_waiting_rows:
            log.warning("all waiting rows are saved now")
            self._carry_out(handle(self.session, events.RowsSaved(event.t)))

    def _try_to_save(self, event: events.Event) -> bool:
        """Save the waiting rows if it is time to try. Return whether they were saved."""
        is_press = isinstance(event, events.Down | events.ChamberPress | events.ChamberRolled)
        started_at = self.clock()
        due = self.next_save_on_press_at if is_press else self.next_save_at
        if not self.has_waiting_rows or started_at < due:
            return False
        try:
            self.save_waiting_rows()
        except JournalError:
            self._delay_next_save(started_at)
            return False
        self.has_waiting_rows = False
        return True

    def _keep_rows(self, reply: Reply) -> bool:
        """Commit a reply's rows, or keep them in memory if the players chose to continue unsaved.

        Return whether they were committed. Raises JournalError if the reply must be refused.
        """
        if not (reply.rows or reply.puts):
            return False
        if not self.has_waiting_rows:
            started_at = self.clock()
            try:
                self.commit(reply)
                return True
            except JournalError:
                if not self.session.unsaved:
                    raise
                self._delay_next_save(started_at)
        self.keep_in_memory(reply)
        self.has_waiting_rows = True
        return False

    def _delay_next_save(self, started_at: float) -> None:
        """Schedule the next save after a failed one. A slow disk then delays only a few presses."""
        now = self.clock()
        self.next_save_on_press_at = now + SAVE_BACKOFF * (now - started_at)
        self.next_save_at = max(now + SAVE_RETRY_S, self.next_save_on_press_at)

    def _decide_with_dice(self, event: events.Event) -> Reply:
        """Return the session's reply. If it asks for dice, throw them, and merge both replies."""
        reply = handle(self.session, event)
        if not reply.draw:
            return reply
        press = (event.boot, event.n) if isinstance(event, events.ChamberPress) else ()
        faces = self.dice.throw(reply.draw, reply.session.rules.throws_shells)
        drawn = events.DiceDrawn(faces, self.dice.source, event.t, *press)
        second = handle(reply.session, drawn)
        return replace(
            second,
            rows=reply.rows + second.rows,
            puts=reply.puts + second.puts,
            tones=reply.tones + second.tones,
        )

    def _carry_out(self, reply: Reply) -> None:
        self.session, self.session_wake_at = reply.session, reply.wake_at
        self.output_times = []
        for index, output in enumerate(self.outputs):
            name = f"output {index}"
            try:
                self.output_times.append(output(reply, self.clock()))
                self.last_errors.clear(name)
            except Exception as error:
                self._report(name, error)

    def _report(self, name: str, error: Exception) -> bool:
        """Report an error unless it repeats the last one of `name`. Return whether it was new."""
        is_new = self.last_errors.is_new(name, repr(error))
        if is_new:
            self.report_error(error)
        return is_new
