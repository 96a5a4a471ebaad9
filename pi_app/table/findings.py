"""What a self test finds where only the box can look: values to plain words. Looks at nothing."""

from __future__ import annotations

from typing import NamedTuple

from pi_app.table.events import Finding
from pi_app.table.words import NEARLY_FULL, NOT_TAKEN, many, storage


class Supply(NamedTuple):
    """What the Pi tells of its power: too low, too hot, now or at any time since the start."""

    low: bool = False
    hot: bool = False
    was_low: bool = False
    was_hot: bool = False


class Line(NamedTuple):
    """How the line to the lit chamber is.

    alone: throws that it made by itself. trip_s: the middle of the times from command to answer.
    """

    up: bool
    commands: int = 0
    dropped: int = 0
    alone: int = 0
    trip_s: float | None = None


def of_journal(brief: str | None, free: int | None, nearly_full: bool) -> Finding:
    """Return what came of writing and reading back. brief: the journal's word for why not."""
    if brief is not None:
        why, remedy = NOT_TAKEN[brief]
        return Finding("journal", False, f"{why}.", remedy)
    room = "" if free is None else f" {storage(free)} are free."
    if nearly_full:
        return Finding("journal", False, f"{NEARLY_FULL.capitalize()}.{room}", "Make room on it.")
    return Finding("journal", True, f"Written and read back.{room}")


SUPPLY = "Take a stronger power supply."
AIR = "Give it more air."


def of_power(supply: Supply | None) -> Finding:
    """Return what the Pi tells of its power, None where it tells nothing."""
    match supply:
        case None:
            return Finding("power", None, "This computer does not tell.")
        case Supply(low=True):
            return Finding("power", False, "It is too low now.", SUPPLY)
        case Supply(was_low=True):
            return Finding("power", False, "It was too low.", SUPPLY)
        case Supply(hot=True):
            return Finding("power", False, "The Pi is too hot.", AIR)
        case Supply(was_hot=True):
            return Finding("power", False, "The Pi was too hot.", AIR)
    return Finding("power", True, "Strong enough. The Pi is cool.")


def of_chamber(line: Line) -> Finding:
    """Return how the line to the lit chamber is, with its counters."""
    if not line.up:
        return Finding("chamber", False, "It does not answer.", "Look at its USB cable.")
    trip = "" if line.trip_s is None else f" in {max(1, round(line.trip_s * 1000))} ms"
    sent, lost = many(line.commands, "command"), many(line.dropped, "line")
    counters = f"{sent}, {lost} lost, {many(line.alone, 'throw')} alone."
    return Finding("chamber", True, f"It answers{trip}.", counters)
