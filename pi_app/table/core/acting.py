"""A confirmed action on the game: done, recorded and told, with what is kept beside its row.

Shows nothing. What is kept beside a row: the score of the evening, who did it, whether with a hint.
"""

from __future__ import annotations

from dataclasses import replace

from pi_app.record import history
from pi_app.record.history import Row
from pi_app.table.core.state import Change, Session
from pi_app.table.input.events import Tone
from pi_app.table.settings.evening import Evening, Moment
from pi_app.table.settings.settings import EVENING, HINTS, STAND_IN
from pi_app.table.texts.words import confirmed, letter, news
from rules.actions import Action, Move, Stop
from rules.facts import Begins, CameHome, Captured, Fact, TurnOf, Won
from rules.game import Game, Phase, play
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


# What is kept beside the rows of an action, in the same commit.

OF_A_SEAT = ("throw", "move", "stop")  # what only the seat whose turn it is does


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
    if record is None or row.by is not None or row.kind not in OF_A_SEAT:
        return row
    seat = record.game.seat
    other = before.played_by(seat)
    by = before.level(seat) or (letter(other) if other != seat else None)
    return replace(row, by=by)


def _hinted(before: Session, row: Row) -> Row:
    """Return a row with how far a hint was given for what it does."""
    return row if row.kind == "new" else replace(row, hint=before.hint_given)


def _scored(before: Session, change: Change) -> Session:
    """Return the session after a game has begun, was won, or its winning was undone."""
    s, evening = change.session, change.session.settings.get(EVENING)
    if any(row.kind == "new" for row in change.rows):
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
    others = (s.known_as(seat) for seat in s.playing.game.seats)
    return undone.won(s.known_as(winner), others, now)


# The one thing that is left to do, which the dome does before it throws.


def only_action(game: Game) -> Action | None:
    """Return the only thing that can be done in a game, None where there is more to choose."""
    if game.phase is Phase.PENALTY:
        return Stop() if game.penalty is None else None
    if game.phase is not Phase.MOVE:
        return None
    if not game.steps:
        return Stop()
    [first, *others] = game.steps
    return None if others or game.may_stop else Move(first)


def leads_to_a_throw(game: Game, action: Action) -> bool:
    """Whether an action captures nothing, and the same seat or the next throws after it."""
    if isinstance(action, Move) and action.step.captures:
        return False
    return play(game, action)[0].phase is Phase.THROW
