"""A confirmed action on the game: done, recorded, told in words and heard. Shows nothing."""

from __future__ import annotations

from dataclasses import replace

from pi_app.input.events import Tone
from pi_app.rows import history
from pi_app.settings.settings import HINTS
from pi_app.table.core.state import Change, Session
from pi_app.texts.words import confirmed, news
from rules.facts import Begins, CameHome, Captured, Fact, TurnOf, Won
from rules.game import Phase
from rules.history import Entry, Record, new_record


def act(s: Session, entry: Entry) -> Change:
    """Do and record a confirmed entry."""
    record, row, facts = history.act(s.playing, entry)
    won = record.game.phase is Phase.OVER and any(isinstance(fact, Won) for fact in facts)
    last = confirmed(s.playing.game, entry)
    after = replace(s, record=record).at_rest(news(facts), last, cheers=won)
    return Change(after, (row,), tones=tones(facts) or (Tone(s.playing.game.seat, "press"),))


def begin(s: Session, record: Record) -> Change:
    """Record that a game begins."""
    begun = replace(s, record=record, held=None).at_rest()
    return Change(begun, (history.start_row(record),), tones=(Tone(record.game.seat, "turn"),))


def rematch(s: Session) -> Change:
    """Begin another game by the same rules, of the same seats, with the same one as host.

    Whether there are hints was chosen for the last one only.
    """
    over, s = s.playing, replace(s, settings=s.settings.without(HINTS.key))
    others = (seat for seat in over.game.seats if seat != over.host)
    host = (over.host,) if over.host in over.game.seats else ()
    return begin(s, new_record(over.game.ruleset, (*host, *others)))


def tones(facts: tuple[Fact, ...]) -> tuple[Tone, ...]:
    """Return what is heard of what has happened."""
    heard = (_tone(fact) for fact in facts)
    return tuple(tone for tone in heard if tone is not None)


def _tone(fact: Fact) -> Tone | None:
    match fact:
        case Captured(_, _, by):
            return Tone(by, "capture")
        case CameHome(seat):
            return Tone(seat, "home")
        case TurnOf(seat) | Begins(seat):
            return Tone(seat, "turn")
        case Won(seat, _):
            return Tone(seat, "win")
    return None
