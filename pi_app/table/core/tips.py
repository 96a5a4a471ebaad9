"""What is told of the best step, to whom, and how far that was asked for. Works nothing out."""

from __future__ import annotations

from dataclasses import replace

from pi_app.settings.settings import HINTS
from pi_app.table.core.state import Hinted, Session, Tip
from pi_app.table.core.who import level
from rules.game import Phase

HOW_FAR = ("pawn", "step", "why")


def can_hint(s: Session) -> bool:
    """Whether there is anything to choose for people, who want to be told."""
    if s.record is None or s.record.game.phase is not Phase.MOVE or not s.record.game.steps:
        return False
    return level(s, s.record.game.seat) is None and s.settings.get(HINTS) == "on"


def tip(s: Session) -> Tip | None:
    """Return what is best now, None where it is not known."""
    known = s.record is not None and s.tip is not None and s.tip.game == s.record.game
    return s.tip if known else None


def asked(s: Session, how_far: str) -> Session:
    """Return the session in which a hint was asked for as far as this, or farther before."""
    farthest = max(how_far, hinted(s) or how_far, key=HOW_FAR.index)
    return replace(s, hinted=Hinted(s.playing.game, farthest))


def hinted(s: Session) -> str | None:
    """Return how far a hint was given for what is to be done now, None where none was.

    The best choice may have been marked without being asked for.
    """
    if s.record is None:
        return None
    if s.hinted is not None and s.hinted.game == s.record.game:
        return s.hinted.how_far
    return "step" if s.mode.hints(s) and tip(s) is not None else None
