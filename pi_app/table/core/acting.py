"""A confirmed action on the game: done, recorded and told, with what is kept beside its row.

Shows nothing. What is kept beside a row: the score of the evening, who did it, whether with a hint.
"""

from __future__ import annotations

from dataclasses import replace

from pi_app.input.events import Tone
from pi_app.rows.history import New, Row, start_row
from pi_app.settings.evening import ClockReading
from pi_app.settings.settings import EVENING, HINTS, STAND_IN
from pi_app.table.core.state import Change, Session, ToGame
from pi_app.texts.words import done_words, news_words, seat_letter
from rules.actions import Action, Move, Stop, Throw
from rules.facts import Begins, CameHome, Captured, Fact, TurnOf, Won
from rules.game import Game, Phase, play
from rules.history import Entry, Record, enter, new_record
from rules.position import format_position


def act(session: Session, entry: Entry) -> Change:
    """Do and record a confirmed entry."""
    record, facts = enter(session.playing, entry)
    before, game = session.playing.game, record.game
    row = Row(entry, format_position(game.position))
    won = game.phase is Phase.OVER and any(isinstance(fact, Won) for fact in facts)
    following = ToGame(news_words(facts), done_words(before, entry), cheers=won)
    after = session.into(following, record=record)
    return Change(after, (row,), tones=tones_of(facts) or (Tone(before.seat, "press"),))


def begin(session: Session, record: Record) -> Change:
    """Record that a game begins."""
    begun = session.into(ToGame(), record=record, held=None)
    return Change(begun, (start_row(record),), tones=(Tone(record.game.seat, "turn"),))


def rematch(session: Session) -> Change:
    """Begin another game by the same rules, of the same seats, with the same one as host.

    Whether there are hints was chosen for the last one only.
    """
    over, session = session.playing, replace(session, settings=session.settings.without(HINTS.key))
    others = (seat for seat in over.game.seats if seat != over.host)
    host = (over.host,) if over.host in over.game.seats else ()
    return begin(session, new_record(over.game.ruleset, (*host, *others)))


def tones_of(facts: tuple[Fact, ...]) -> tuple[Tone, ...]:
    """Return what is heard of what has happened."""
    heard = []
    for fact in facts:
        match fact:
            case Captured(_, _, by):
                heard.append(Tone(by, "capture"))
            case CameHome(seat):
                heard.append(Tone(seat, "home"))
            case TurnOf(seat) | Begins(seat):
                heard.append(Tone(seat, "turn"))
            case Won(seat, _):
                heard.append(Tone(seat, "win"))
    return tuple(heard)


# What is kept beside the rows of an action, in the same commit.

OF_A_SEAT = (Throw, Move, Stop)  # what only the seat whose turn it is does


def follow_up(before: Session, change: Change) -> Change:
    """Return a change with what follows from its rows, which came of this session."""
    if not change.rows:
        return change
    s = replace(change.session, moment=change.session.moment + len(change.rows))
    first, *thrown = change.rows
    if isinstance(first.entry, New):
        return replace(change, session=_begun(before, s))
    rows = [replace(_signed(before, before.playing, first), hint=before.hint_given)]
    if thrown:  # the dome has confirmed the first row, too, and then thrown for whose turn it was
        record = replace(s.playing, game=s.playing.past[-1].before)
        rows += [_signed(before, record, *thrown)]
    return replace(change, rows=tuple(rows), session=_scored(before, s))


def clock_of(session: Session) -> ClockReading:
    """Return what time it is."""
    wall = session.wall
    return ClockReading(wall.boot, session.t, max(0.0, wall.unix + session.t - wall.t))


def _signed(before: Session, record: Record, row: Row) -> Row:
    """Return a row with who did it, where that is another than the seat whose turn it was."""
    if row.by is not None or not isinstance(row.entry, OF_A_SEAT):
        return row
    seat = record.game.seat
    other = before.played_by(seat)
    by = before.level(seat) or (seat_letter(other) if other != seat else None)
    return row if by is None else replace(row, by=by)


def _begun(before: Session, session: Session) -> Session:
    """Return the session after a game has begun."""
    session = session if before.record is not None else _all_there(session)
    return session.set(EVENING, session.settings.get(EVENING).begun(clock_of(session)))


def _scored(before: Session, session: Session) -> Session:
    """Return the session after the game was won, or its winning was undone."""
    was, now = before.playing.game, session.playing.game
    if (was.places[:1], was.phase is Phase.OVER) == (now.places[:1], now.phase is Phase.OVER):
        return session
    undone = session.settings.get(EVENING).undone(clock_of(session))
    if not now.places:
        return session.set(EVENING, undone)
    others = (session.known_as(seat) for seat in now.seats)
    return session.set(
        EVENING, undone.won(session.known_as(now.places[0]), others, clock_of(session))
    )


def _all_there(session: Session) -> Session:
    """Return the session in which nobody plays on for anybody: who joins plays."""
    settings = session.settings
    for seat in settings.named(STAND_IN):
        settings = settings.without(f"{STAND_IN}{seat}")
    return replace(session, settings=settings)


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
