"""Turns the raw edges of a button into recorded presses, and counts them by our debouncing."""

from collections.abc import Iterator, Sequence

from pi_app.model.events import Button, Down, Edge, Tick
from pi_app.runtime.debounce import PRESSED, Contact, step

QUIET_S = 0.05  # a press begins after such a rest: good switches bounce for 6.2 ms (see debounce)
REST_S = 1.0  # between two presses that are replayed
Press = list[list[int]]  # edges: microseconds since the first one, level
BUTTON = Button(None, "ok")


def split_presses(edges: Sequence[Edge]) -> list[Press]:
    """Return the presses of one pin's edges, which are in order of time."""
    presses: list[list[Edge]] = []
    for edge in edges:
        if not presses or (edge.level == PRESSED and edge.t > presses[-1][-1].t + QUIET_S):
            presses.append([])
        presses[-1].append(edge)
    return [[[round(1e6 * (e.t - press[0].t)), e.level] for e in press] for press in presses]


def replay(presses: Sequence[Press]) -> Iterator[Edge]:
    """Yield the edges of recorded presses, with a rest before each."""
    end = 0.0
    for press in presses:
        begin = end + REST_S
        for microseconds, level in press:
            end = begin + microseconds / 1e6
            yield Edge(0, level, end)


def count_presses(presses: Sequence[Press], dead_ms: Sequence[int]) -> int:
    """Return how many presses our debouncing counts. dead_ms: after a press, after a release."""
    press_dead_s, release_dead_s = (ms / 1000 for ms in dead_ms)
    contact, downs = Contact(BUTTON, press_dead_s, release_dead_s), 0
    events: list[Edge | Tick] = [*replay(presses), Tick(float("inf"))]
    for event in events:
        contact, reports = step(contact, event)
        downs += sum(isinstance(report, Down) for report in reports)
    return downs
