"""The results of those parts of a self test that need no player. Uses no device."""

from pi_app.model.events import Finding
from pi_app.model.parts import Fault, LinkState, PowerState
from pi_app.model.screens import NOTHING, message
from pi_app.texts.words import FAULT_REMEDIES, size_words


def journal_finding(
    fault: Fault | None, free_bytes: int | None, nearly_full: bool, in_memory: bool
) -> Finding:
    """Return the result of writing to the journal and reading back.

    fault: the reason if it failed, else None. free_bytes: the disk's, None if not known. in_memory:
    whether all of it is lost when the power goes.
    """
    if fault is not None:
        why, remedy = FAULT_REMEDIES[fault]
        return Finding("journal", False, message("sentence", what=why), remedy)
    if in_memory:
        return Finding("journal", False, message("in-memory"), message("use-a-disk"))
    space = NOTHING if free_bytes is None else message("room-free", room=size_words(free_bytes))
    if nearly_full:
        return Finding("journal", False, message("nearly-full", room=space), message("make-room"))
    return Finding("journal", True, message("written-and-read", room=space))


def power_finding(state: PowerState | None) -> Finding:
    """Return the result of the power test. state: None if the Pi does not report it."""
    match state:
        case None:
            return Finding("power", None, message("power-not-told"))
        case PowerState(low=True):
            return Finding("power", False, message("power-low"), message("stronger-supply"))
        case PowerState(was_low=True):
            return Finding("power", False, message("power-was-low"), message("stronger-supply"))
        case PowerState(hot=True):
            return Finding("power", False, message("too-hot"), message("more-air"))
        case PowerState(was_hot=True):
            return Finding("power", False, message("was-too-hot"), message("more-air"))
    return Finding("power", True, message("power-good"))


def voice_finding(speaks: bool | None) -> Finding:
    """Return the result of the voice's test. speaks: see `Voice`."""
    match speaks:
        case None:
            return Finding("voice", None, message("voice-not-begun"))
        case True:
            return Finding("voice", True, message("voice-speaks"))
    return Finding("voice", False, message("voice-silent"), message("look-at-loudspeaker"))


def chamber_finding(link: LinkState) -> Finding:
    """Return the result of the chamber test, with the counters of its connection."""
    if not link.is_connected:
        return Finding("chamber", False, message("no-answer"), message("look-at-usb"))
    counters = message(
        "chamber-counters",
        commands=message("commands", count=link.commands),
        lost=message("lines-lost", count=link.dropped),
        alone=message("throws-alone", count=link.own_throws),
    )
    if link.round_trip_s is None:
        return Finding("chamber", True, message("it-answers"), counters)
    round_trip_ms = max(1, round(link.round_trip_s * 1000))
    return Finding("chamber", True, message("it-answers-in", ms=round_trip_ms), counters)
