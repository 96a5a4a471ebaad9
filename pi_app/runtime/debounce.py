"""Turns raw edges of the button pins into presses and releases. No clock, no pins, no gestures.

An edge becomes a press when the contact has been closed for CLOSED_S in all, within WITHIN_S of it.
The press has the time of that edge:

    open      ___|~~~~|_____|~~~~~~~~|~~~~~~
    closed         0.3 ms     0.7 ms  counts now, as a press at the first edge

After a press or a release the contact may bounce for a dead time; then its level counts again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pi_app.model.events import Button, Down, Edge, Stuck, Tick, Up, earliest

DEAD_S = 0.02  # three times the 6.2 ms of good switches (Ganssle, A Guide to Debouncing)
CLOSED_S = 0.001  # 4 kV of static beside a wire closes for 6 µs (simulated), a quick tap for 4 ms
WITHIN_S = 0.003
STUCK_S = 30.0  # the longest hold is 2 s; a child that leans on a button tires before
PRESSED = 0  # the level of a button to ground
RELEASED = 1

Reports = tuple[Down | Up | Stuck, ...]


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact. One that is down from the start counts only after its release."""

    button: Button
    press_dead_s: float = DEAD_S  # the dead time after a press
    release_dead_s: float = DEAD_S
    pressed: bool = False  # what was reported last
    level: int = RELEASED  # what the pin showed last
    deaf_until: float | None = None  # the end of the dead time, None outside of it
    closed_at: float | None = None  # the time of the edge that closed it, None while it is open
    sparks: tuple[tuple[float, float], ...] = ()  # when it was closed too briefly: from, to
    down_since: float | None = None  # when the pin was first seen down
    stuck: bool = False  # whether it was reported as stuck

    @property
    def press_due(self) -> tuple[float, float] | None:
        """When a contact that stays closed becomes a press, and the time of its edge; or None."""
        if self.pressed or self.closed_at is None:
            return None
        counts_at = self.closed_at + CLOSED_S - sum(end - begin for begin, end in self.sparks)
        edge = self.closed_at
        for begin, end in self.sparks:
            if counts_at <= begin + WITHIN_S:
                edge = begin
                break
            counts_at += end - begin  # too long ago for this press
        if self.deaf_until is not None:
            counts_at = max(counts_at, self.deaf_until)
        return counts_at, edge

    @property
    def stuck_at(self) -> float | None:
        """When to report the button as stuck; None while it is up, or after the report."""
        return None if self.down_since is None or self.stuck else self.down_since + STUCK_S

    @property
    def wake_at(self) -> float | None:
        return earliest(self.deaf_until, *(self.press_due or ())[:1], self.stuck_at)


def step(contact: Contact, event: Edge | Tick) -> tuple[Contact, Reports]:
    """Return the contact after an edge or a tick, and what to report: Down and Up by turns.

    A button that stays down is reported as Stuck once, with or without a Down before it.
    """
    contact, settled = _settle(contact, event.t)
    contact, stuck = _stick(contact, event.t)
    if isinstance(event, Tick) or event.level == contact.level:
        return contact, settled + stuck
    released: Reports = ()
    if event.level == PRESSED:
        near = tuple(spark for spark in contact.sparks if spark[0] + WITHIN_S > event.t)
        contact = replace(contact, level=PRESSED, closed_at=event.t, sparks=near)
    else:
        sparks = contact.sparks
        if contact.closed_at is not None and not contact.pressed and contact.deaf_until is None:
            sparks = (*sparks, (contact.closed_at, event.t))
        contact = replace(contact, level=RELEASED, closed_at=None, sparks=sparks)
        contact, released = _release(contact, event.t)
    contact, _ = _stick(contact, event.t)
    return contact, settled + stuck + released


def debounce(
    contacts: Mapping[int, Contact], event: Edge | Tick
) -> tuple[dict[int, Contact], Reports]:
    """Return all contacts, by pin, after an edge or a tick, and what to report.

    An edge concerns its own pin, a tick all pins. Edges of unknown pins are ignored.
    """
    after = dict(contacts)
    reports: Reports = ()
    for pin in contacts if isinstance(event, Tick) else {event.pin} & contacts.keys():
        after[pin], more = step(contacts[pin], event)
        reports += more
    return after, reports


def wake_at(contacts: Mapping[int, Contact]) -> float | None:
    """Return when a Tick is due, or None if time alone changes nothing."""
    return earliest(*(contact.wake_at for contact in contacts.values()))


def _settle(contact: Contact, t: float) -> tuple[Contact, Reports]:
    """Report the press or release that has become due by now, at an unchanged level."""
    reports: Reports = ()
    while True:
        press_due = contact.press_due
        if contact.deaf_until is not None and contact.deaf_until <= t:
            contact, more = _release(replace(contact, deaf_until=None), contact.deaf_until)
        elif press_due is not None and press_due[0] <= t:
            edge_t = press_due[1]
            deaf_until = edge_t + contact.press_dead_s
            contact = replace(contact, pressed=True, deaf_until=deaf_until, sparks=())
            more = (Down(contact.button, edge_t),)
        else:
            return contact, reports
        reports += more


def _release(contact: Contact, t: float) -> tuple[Contact, Reports]:
    """Report a release, if it is one, and start its dead time."""
    if contact.deaf_until is not None or contact.level == PRESSED or not contact.pressed:
        return contact, ()
    deaf_until = t + contact.release_dead_s
    return replace(contact, pressed=False, deaf_until=deaf_until), (Up(contact.button, t),)


def _stick(contact: Contact, t: float) -> tuple[Contact, Reports]:
    """Report a pin that has been down for too long, once; until its release it then is pressed."""
    if contact.level == RELEASED:
        is_up = contact.down_since is None
        return contact if is_up else replace(contact, down_since=None, stuck=False), ()
    if contact.down_since is None:
        contact = replace(contact, down_since=t)
    due = contact.stuck_at
    if due is None or t < due:
        return contact, ()
    return replace(contact, stuck=True, pressed=True), (Stuck(contact.button, due),)
