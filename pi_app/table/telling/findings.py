"""What a self test tries, and in words what only the box can find. Looks at nothing."""

from __future__ import annotations

from typing import Literal, get_args

from pi_app.input.events import Finding
from pi_app.input.parts import LinkState, Supply
from pi_app.rows.faults import Fault
from pi_app.screens.screen import NOTHING, message
from pi_app.texts.words import FAULT_REMEDIES, size_words

# What a self test tries, in this order, on the panel and by `referee self-test`.
TestPart = Literal["display", "signals", "chamber", "journal", "power", "buttons"]
TEST_PARTS: tuple[TestPart, ...] = get_args(TestPart)


def disk_finding(fault: Fault | None, free: int | None, nearly_full: bool) -> Finding:
    """Return what came of writing and reading back. fault: why it can't be done."""
    if fault is not None:
        why, remedy = FAULT_REMEDIES[fault]
        return Finding("journal", False, message("sentence", what=why), remedy)
    room = message("room-free", room=size_words(free)) if free is not None else NOTHING
    if nearly_full:
        return Finding("journal", False, message("nearly-full", room=room), message("make-room"))
    return Finding("journal", True, message("written-and-read", room=room))


SUPPLY = message("stronger-supply")
AIR = message("more-air")


def power_finding(supply: Supply | None) -> Finding:
    """Return what the Pi tells of its power, None where it tells nothing."""
    match supply:
        case None:
            return Finding("power", None, message("power-not-told"))
        case Supply(low=True):
            return Finding("power", False, message("power-low"), SUPPLY)
        case Supply(was_low=True):
            return Finding("power", False, message("power-was-low"), SUPPLY)
        case Supply(hot=True):
            return Finding("power", False, message("too-hot"), AIR)
        case Supply(was_hot=True):
            return Finding("power", False, message("was-too-hot"), AIR)
    return Finding("power", True, message("power-good"))


def chamber_finding(line: LinkState) -> Finding:
    """Return how the line to the lit chamber is, with its counters."""
    if not line.up:
        return Finding("chamber", False, message("no-answer"), message("look-at-usb"))
    counters = message(
        "chamber-counters",
        commands=message("commands", count=line.commands),
        lost=message("lines-lost", count=line.dropped),
        alone=message("throws-alone", count=line.alone),
    )
    if line.trip_s is None:
        return Finding("chamber", True, message("it-answers"), counters)
    trip = max(1, round(line.trip_s * 1000))
    return Finding("chamber", True, message("it-answers-in", ms=trip), counters)
