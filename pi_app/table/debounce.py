"""Raw edges of the button pins to presses and releases. Pure: no clock, no pins, no gestures."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pi_app.table.events import Button, Down, Edge, Stuck, Tick, Up

DEAD_S = 0.02  # three times the 6.2 ms of good switches (Ganssle, A Guide to Debouncing)
STUCK_S = 30.0  # the longest hold is 2 s; a child that leans on a button tires before
PRESSED = 0  # the level of a button to ground
RELEASED = 1


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact.

    pressed: what was reported last. level: what the pin showed last. wake_at: the end of the dead
    time, in which edges are only noted; None while the next edge acts at once.
    down_since: when the pin was first seen down. stuck: that this is too long ago was reported.
    A level that is there from the start, with nothing reported, waits for the button to be let go.
    """

    button: Button
    press_dead_s: float = DEAD_S
    release_dead_s: float = DEAD_S
    pressed: bool = False
    level: int = RELEASED
    wake_at: float | None = None
    down_since: float | None = None
    stuck: bool = False

    @property
    def stuck_at(self) -> float | None:
        """When the button will count as stuck; None while it is up, or once that is reported."""
        if self.down_since is None or self.stuck:
            return None
        return self.down_since + STUCK_S


Reports = tuple[Down | Up | Stuck, ...]


def step(contact: Contact, event: Edge | Tick) -> tuple[Contact, Reports]:
    """Take an edge, or the time of day, and return what it means: Down and Up in turn.

    A button that stays down is Stuck once, after its Down or, from the start, without one.
    """
    contact, settled = _settle(contact, event.t)
    contact, stuck = _stick(contact, event.t)
    if isinstance(event, Tick) or event.level == contact.level:
        return contact, settled + stuck
    contact, acted = _act(replace(contact, level=event.level), event.t)
    contact, _ = _stick(contact, event.t)
    return contact, settled + stuck + acted


def debounce(
    contacts: Mapping[int, Contact], event: Edge | Tick
) -> tuple[dict[int, Contact], Reports]:
    """Hand an edge to its pin's contact or a tick to all; edges of other pins are dropped."""
    after = dict(contacts)
    reports: Reports = ()
    for pin in contacts if isinstance(event, Tick) else {event.pin} & contacts.keys():
        after[pin], more = step(contacts[pin], event)
        reports += more
    return after, reports


def wake_at(contacts: Mapping[int, Contact]) -> float | None:
    """Return when a Tick is due, None if time alone brings nothing."""
    dues = (due for one in contacts.values() for due in (one.wake_at, one.stuck_at))
    return min((due for due in dues if due is not None), default=None)


def _settle(contact: Contact, t: float) -> tuple[Contact, Reports]:
    """End the dead times that are over: what the level came to in them is reported now."""
    reports: Reports = ()
    while contact.wake_at is not None and contact.wake_at <= t:
        contact, more = _act(replace(contact, wake_at=None), contact.wake_at)
        reports += more
    return contact, reports


def _act(contact: Contact, t: float) -> tuple[Contact, Reports]:
    """Report a level that differs from what was reported, and be deaf for a while after it."""
    pressed = contact.level == PRESSED
    if contact.wake_at is not None or pressed == contact.pressed:
        return contact, ()
    dead_s = contact.press_dead_s if pressed else contact.release_dead_s
    report = Down(contact.button, t) if pressed else Up(contact.button, t)
    return replace(contact, pressed=pressed, wake_at=t + dead_s), (report,)


def _stick(contact: Contact, t: float) -> tuple[Contact, Reports]:
    """Watch how long the pin has been down; report that as stuck once, as pressed until let go."""
    if contact.level == RELEASED:
        up = (
            contact
            if contact.down_since is None
            else replace(contact, down_since=None, stuck=False)
        )
        return up, ()
    since = t if contact.down_since is None else contact.down_since
    contact = replace(contact, down_since=since)
    if contact.stuck or t < since + STUCK_S:
        return contact, ()
    report = Stuck(contact.button, since + STUCK_S)
    return replace(contact, stuck=True, pressed=True), (report,)
