"""What is kept beside a game's rows, in one commit: the score of the evening, who did them."""

from __future__ import annotations

from dataclasses import replace

from pi_app.rows.history import New, Row
from pi_app.settings.evening import Evening, Moment
from pi_app.settings.settings import EVENING, STAND_IN
from pi_app.table.core.state import Change, Session
from pi_app.table.core.tips import hinted
from pi_app.table.core.who import known_as, level, played_by
from pi_app.texts.words import letter
from rules.actions import Move, Stop, Throw
from rules.game import Phase
from rules.history import Record

OF_A_SEAT = (Throw, Move, Stop)  # what only the seat whose turn it is does


def booked(before: Session, change: Change) -> Change:
    """Return a change with what follows from its rows, which came of this session."""
    if not change.rows:
        return change
    first, *thrown = change.rows
    rows = [_hinted(before, _signed(before, before.record, first))]
    if thrown:  # the dome has confirmed the first row, too, and then thrown for whose turn it was
        made = change.session.playing.past[-1]
        rows += [_signed(before, replace(change.session.playing, game=made.before), *thrown)]
    return replace(change, rows=tuple(rows), session=_scored(before, change))


def now_of(s: Session) -> Moment:
    """Return what time it is."""
    wall = s.wall
    return Moment(wall.boot, s.t, max(0.0, wall.unix + s.t - wall.t))


def _signed(before: Session, record: Record | None, row: Row) -> Row:
    """Return a row with who did it, where that is another than the seat whose turn it was."""
    if record is None or row.by is not None or not isinstance(row.entry, OF_A_SEAT):
        return row
    seat = record.game.seat
    other = played_by(before, seat)
    by = level(before, seat) or (letter(other) if other != seat else None)
    return replace(row, by=by)


def _hinted(before: Session, row: Row) -> Row:
    """Return a row with how far a hint was given for what it does."""
    return row if isinstance(row.entry, New) else replace(row, hint=hinted(before))


def _scored(before: Session, change: Change) -> Session:
    """Return the session after a game has begun, was won, or its winning was undone."""
    s, evening = change.session, change.session.settings.get(EVENING)
    if any(isinstance(row.entry, New) for row in change.rows):
        s = s if before.record is not None else _all_there(s)
        return s.set(EVENING, evening.begun(now_of(s)))
    was, now = (_result(one.record) for one in (before, s))
    if was == now:
        return s
    return s.set(EVENING, _counted(s, evening))


def _all_there(s: Session) -> Session:
    """Return the session in which nobody plays on for anybody: who joins plays."""
    settings = s.settings
    for seat in settings.named(STAND_IN):
        settings = settings.without(f"{STAND_IN}{seat}")
    return replace(s, settings=settings)


def _result(record: Record | None) -> tuple[int | None, bool]:
    """Return who has won a game so far, and whether it is over."""
    if record is None:
        return None, False
    places = record.game.places
    return (places[0] if places else None), record.game.phase is Phase.OVER


def _counted(s: Session, evening: Evening) -> Evening:
    """Return the evening after the result of the game on the table has changed."""
    now, (winner, _) = now_of(s), _result(s.record)
    undone = evening.undone(now)
    if winner is None:
        return undone
    others = (known_as(s, seat) for seat in s.playing.game.seats)
    return undone.won(known_as(s, winner), others, now)
