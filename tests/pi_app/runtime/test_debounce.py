"""The debouncer turns any bounce into one Down and one Up."""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.model.events import Button, Down, Edge, Stuck, Tick, Up
from pi_app.runtime.debounce import (
    CLOSED_S,
    DEAD_S,
    STUCK_S,
    Contact,
    Reports,
    debounce,
    step,
    wake_at,
)

TRACES = sorted((Path(__file__).parent / "traces").glob("*.txt"))
OK_A = Button(0, "ok")
PIN = 17
LONG_AFTER = 1e9


def run(edges: Iterable[Edge], contact: Contact | None = None) -> Reports:
    """Play edges as the loop does: a Tick whenever one is due, and one long after the last."""
    contacts = {PIN: contact or Contact(OK_A)}
    reports: Reports = ()
    events: list[Edge | Tick] = [*edges, Tick(LONG_AFTER)]
    for event in events:
        while (due := wake_at(contacts)) is not None and due < event.t:
            contacts, more = debounce(contacts, Tick(due))
            reports += more
        contacts, more = debounce(contacts, event)
        reports += more
    return reports


def told(reports: Reports) -> str:
    """Write reports as the trace files do: `Down 0.00, Up 20.00`, in milliseconds, or `nothing`."""
    words = (f"{type(report).__name__} {report.t * 1000:.2f}" for report in reports)
    return ", ".join(words) or "nothing"


def read_trace(path: Path) -> tuple[str, list[Edge]]:
    text = path.read_text()
    expected = re.findall(r"^# reports: (.*)$", text, re.MULTILINE)[0]
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return expected, [Edge(PIN, int(level), float(ms) / 1000) for ms, level in lines]


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_recorded_trace_gives_the_reports_it_names(path: Path) -> None:
    expected, edges = read_trace(path)
    assert told(run(edges)) == expected


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_loop_too_busy_to_tick_loses_nothing(path: Path) -> None:
    expected, edges = read_trace(path)
    contact = Contact(OK_A)
    reports: Reports = ()
    events: list[Edge | Tick] = [*edges, Tick(LONG_AFTER)]
    for event in events:
        contact, more = step(contact, event)
        reports += more
    assert told(reports) == expected


def test_there_are_traces() -> None:
    assert len(TRACES) >= 10


def test_nine_buttons_pressed_at_once_are_nine_presses() -> None:
    buttons = [Button(seat, "ok") for seat in range(4)]
    buttons += [Button(seat, "next") for seat in range(4)]
    buttons += [Button(None, "dome")]
    contacts = {pin: Contact(button) for pin, button in enumerate(buttons)}
    bounces = [(0.0, 0), (0.001, 1), (0.002, 0), (0.1, 1), (0.101, 0), (0.102, 1)]
    reports: Reports = ()
    for t, level in bounces:
        for pin in contacts:
            contacts, more = debounce(contacts, Edge(pin, level, t + pin * 1e-5))
            reports += more
    assert [r.button for r in reports if isinstance(r, Down)] == buttons
    assert [r.button for r in reports if isinstance(r, Up)] == buttons
    assert len(reports) == 18


def test_an_edge_of_a_pin_that_is_no_button_is_dropped() -> None:
    contacts = {PIN: Contact(OK_A)}
    assert debounce(contacts, Edge(5, 0, 1.0)) == (contacts, ())


def test_a_button_held_at_power_on_says_nothing_until_it_was_let_go() -> None:
    held = Contact(OK_A, level=0)
    assert run([], held) == ()
    edges = [Edge(PIN, 1, 5.0), Edge(PIN, 0, 6.0), Edge(PIN, 1, 6.5)]
    assert told(run(edges, held)) == "Down 6000.00, Up 6500.00"


def test_a_button_that_stays_down_is_stuck_once_after_half_a_minute() -> None:
    pressed = [Edge(PIN, 0, 2.0), Edge(PIN, 1, 2.0 + STUCK_S - 0.001)]
    assert told(run(pressed)) == "Down 2000.00, Up 31999.00"
    stuck = [Edge(PIN, 0, 2.0), Edge(PIN, 1, 99.0), Edge(PIN, 0, 100.0), Edge(PIN, 1, 100.2)]
    assert told(run(stuck)) == (
        "Down 2000.00, Stuck 32000.00, Up 99000.00, Down 100000.00, Up 100200.00"
    )


def test_a_button_that_is_down_from_the_start_is_stuck_too_and_released() -> None:
    contacts = {PIN: Contact(OK_A, level=0)}
    contacts, nothing = debounce(contacts, Tick(7.0))
    assert (nothing, wake_at(contacts)) == ((), 7.0 + STUCK_S)
    contacts, stuck = debounce(contacts, Tick(7.0 + STUCK_S))
    assert (stuck, wake_at(contacts)) == ((Stuck(OK_A, 37.0),), None)
    contacts, released = debounce(contacts, Edge(PIN, 1, 50.0))
    assert released == (Up(OK_A, 50.0),)
    contacts, _ = debounce(contacts, Edge(PIN, 0, 51.0))
    contacts, pressed = debounce(contacts, Tick(51.0 + CLOSED_S))
    assert pressed == (Down(OK_A, 51.0),)


def test_press_and_release_have_their_own_dead_times() -> None:
    contact = Contact(OK_A, press_dead_s=0.005, release_dead_s=0.05)
    contact, _ = step(contact, Edge(PIN, 0, 1.0))
    contact, _ = step(contact, Tick(1.0 + CLOSED_S))
    assert contact.wake_at == pytest.approx(1.005)
    contact, _ = step(contact, Edge(PIN, 1, 2.0))
    assert contact.wake_at == pytest.approx(2.05)


def test_a_press_counts_1_ms_after_its_edge_at_the_time_of_that_edge() -> None:
    contacts = {PIN: Contact(OK_A)}
    contacts, early = debounce(contacts, Edge(PIN, 0, 4.0))
    assert (early, wake_at(contacts)) == ((), 4.0 + CLOSED_S)
    contacts, early = debounce(contacts, Tick(4.0 + 0.9 * CLOSED_S))
    assert early == ()
    contacts, pressed = debounce(contacts, Tick(4.0 + CLOSED_S))
    assert pressed == (Down(OK_A, 4.0),)


def first_press(edges: list[tuple[int, int]], until: int) -> int | None:
    """Return the first edge after which the contact is closed for 1 ms of 3 ms, by looking.

    Edges are microseconds and levels; the contact is looked at in every microsecond.
    """
    levels, level = list[int](), 1
    changes = dict(edges)
    for t in range(until):
        level = changes.get(t, level)
        levels.append(level)
    for t, level in edges:
        if level == 0 and levels[t : t + 3000].count(0) >= 1000:
            return t
    return None


def test_of_random_bounce_the_edge_counts_that_looking_at_every_microsecond_names() -> None:
    for seed in range(200):
        chance = Random(f"bounce {seed}")
        t, level, bounce = 0, 1, list[tuple[int, int]]()
        while t < 15_000:
            t += 3 * (chance.choice((2, 17, 100, 233, 500)) + chance.randrange(33))  # never 1 ms
            level = 1 - level
            bounce.append((t, level))
        if level == 0:
            bounce.append((t + 300, 1))
        wanted = first_press(bounce, t + 4000)
        reports = run([Edge(PIN, level, t / 1e6) for t, level in bounce])
        found = [round(report.t * 1e6) for report in reports if isinstance(report, Down)]
        assert found[:1] == ([] if wanted is None else [wanted]), seed


@given(sparks=st.lists(st.tuples(st.floats(0.003, 0.1), st.floats(1e-6, 0.0009)), max_size=30))
def test_sparks_of_less_than_1_ms_are_no_press(sparks: list[tuple[float, float]]) -> None:
    edges, t = list[Edge](), 0.0
    for wait, closed in sparks:
        edges += Edge(PIN, 0, t + wait), Edge(PIN, 1, t + wait + closed)
        t += wait + closed
    assert run(edges) == ()


bounce_s = st.lists(st.floats(0, DEAD_S * 0.999), max_size=12).map(sorted)


def bouncing(start: float, level: int, offsets: list[float]) -> list[Edge]:
    """Edges that begin at `start` with a level and end at that level, all within the dead time."""
    offsets = offsets[: len(offsets) // 2 * 2]
    edges = [Edge(PIN, level, start)]
    for n, offset in enumerate(offsets, 1):
        edges.append(Edge(PIN, level ^ (n % 2), start + offset))
    return edges


@given(
    presses=st.lists(
        st.tuples(st.floats(DEAD_S, 5), bounce_s, st.floats(DEAD_S, 5), bounce_s), max_size=5
    )
)
def test_bounce_within_the_dead_time_gives_one_down_and_one_up(
    presses: list[tuple[float, list[float], float, list[float]]],
) -> None:
    edges, t = [], 0.0
    for wait, press, hold, release in presses:
        edges += bouncing(t + wait, 0, press)
        edges += bouncing(t + wait + hold, 1, release)
        t += wait + hold
    kinds = [type(report) for report in run(edges)]
    assert kinds == [Down, Up] * len(presses)


@given(
    hold=st.floats(0.004, DEAD_S),
    press=st.lists(st.floats(0, 0.002), max_size=12).map(sorted),  # then it is closed for 2 ms
    release=bounce_s,
)
def test_a_tap_shorter_than_the_dead_time_is_one_press(
    hold: float, press: list[float], release: list[float]
) -> None:
    edges = bouncing(0.0, 0, press) + bouncing(hold, 1, release)
    assert [type(report) for report in run(edges)] == [Down, Up]


@given(noise=st.lists(st.tuples(st.floats(0, 0.2), st.sampled_from((0, 1))), max_size=60))
def test_whatever_comes_down_and_up_alternate_and_the_last_level_wins(
    noise: list[tuple[float, int]],
) -> None:
    edges = [Edge(PIN, level, t) for t, level in sorted(noise)]
    reports = [report for report in run(edges) if not isinstance(report, Stuck)]
    assert all(type(one) is not type(other) for one, other in pairwise(reports))
    assert not reports or isinstance(reports[0], Down)
    assert (len(reports) % 2 == 1) == (edges[-1].level == 0 if edges else False)
    assert all(one.t <= other.t for one, other in pairwise(reports))
