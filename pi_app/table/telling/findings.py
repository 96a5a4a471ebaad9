"""The parts of a self test, and the findings of those without a player. Touches no device."""

from __future__ import annotations

from typing import Literal, get_args

from pi_app.input.events import Finding
from pi_app.input.parts import LinkState, Supply
from pi_app.rows.faults import Fault
from pi_app.screens.screen import NOTHING, message
from pi_app.texts.words import FAULT_REMEDIES, size_words

# The parts in their order, on the display and in `referee self-test`.
TestPart = Literal["display", "signals", "chamber", "journal", "power", "buttons"]
TEST_PARTS: tuple[TestPart, ...] = get_args(TestPart)


def disk_finding(fault: Fault | None, free: int | None, nearly_full: bool) -> Finding:
    """Return the result of writing to the journal and reading back.

    fault: why that failed, None if it did not. free: the disk's free bytes, None if not known.
    """
    if fault is not None:
        why, remedy = FAULT_REMEDIES[fault]
        return Finding("journal", False, message("sentence", what=why), remedy)
    room = message("room-free", room=size_words(free)) if free is not None else NOTHING
    if nearly_full:
        return Finding("journal", False, message("nearly-full", room=room), message("make-room"))
    return Finding("journal", True, message("written-and-read", room=room))


STRONGER_SUPPLY = message("stronger-supply")
MORE_AIR = message("more-air")


def power_finding(supply: Supply | None) -> Finding:
    """Return the result of the power test. supply: None if the Pi does not report it."""
    match supply:
        case None:
            return Finding("power", None, message("power-not-told"))
        case Supply(low=True):
            return Finding("power", False, message("power-low"), STRONGER_SUPPLY)
        case Supply(was_low=True):
            return Finding("power", False, message("power-was-low"), STRONGER_SUPPLY)
        case Supply(hot=True):
            return Finding("power", False, message("too-hot"), MORE_AIR)
        case Supply(was_hot=True):
            return Finding("power", False, message("was-too-hot"), MORE_AIR)
    return Finding("power", True, message("power-good"))


def chamber_finding(line: LinkState) -> Finding:
    """Return the result of the chamber test, with the counters of its connection."""
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
    round_trip_ms = max(1, round(line.trip_s * 1000))
    return Finding("chamber", True, message("it-answers-in", ms=round_trip_ms), counters)
