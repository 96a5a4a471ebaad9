"""The clocks of a turn and of the last round: when they strike, and what the table does then.

Time comes with events. A clock strikes at a tick, and only while the game itself is on the screen.
The clock of a turn stands still while a menu, a question, a correction or a notice is open, and
after a restart it begins anew. It never throws for a player.
"""

from dataclasses import replace

from pi_app.model import history
from pi_app.model.events import Tone, earliest
from pi_app.model.screens import Seat, message
from pi_app.settings.settings import LAST_ROUND, TURN_LIMIT, Limit
from pi_app.table.core.advice import BOARD_PHASES
from pi_app.table.core.state import OK_DEAF_S, SEATS, Change, Session, ToGame, TurnClock, Whisper
from pi_app.table.telling.chronicle import CLOCK
from rules.actions import LastTurn, Move, Stop, Throw
from rules.game import Phase, next_seat
from rules.history import Record

ANNOUNCED_S = 4.0  # long enough to read and to hear
MINUTE_S = 60.0


def strike(session: Session) -> Change:
    """Return the change that is due by the clocks: the last round comes, or a turn is too long."""
    t, round_at, turn_at = session.t, _last_round_at(session), _turn_ends_at(session)
    if round_at is not None and round_at <= t:
        limit = session.settings.get(LAST_ROUND)
        after = session.unset(LAST_ROUND.key) if limit.unit == "minutes" else session
        return end_after(after, last_seat(session.playing), CLOCK)
    if turn_at is None or turn_at > t:
        return Change(session)
    seat = session.playing.game.seat
    words = message("time-is-up", seat=Seat(session.seats.player_seat(seat)))
    whisper = Whisper(words, t + ANNOUNCED_S, stays=True)
    after = replace(session, clock=session.clock._replace(up=True), whisper=whisper)
    if after.clock_moves:  # nobody has read the step that OK would confirm now
        deaf = (t + OK_DEAF_S,) * len(SEATS)
        after = after.enter_mode(ToGame(words), ok_deaf=deaf, fingers=session.fingers.spend())
    return Change(after, tones=(Tone(seat, "turn"),))


def end_after(session: Session, seat: int | None, by: str | None = None) -> Change:
    """Return the change by which the game ends after a seat's turn; None takes that back."""
    record, row, _ = history.act(session.playing, LastTurn(seat))
    words = message("no-last-round") if seat is None else message("last-round", seat=Seat(seat))
    whisper = Whisper(words, session.t + ANNOUNCED_S, stays=True)
    hints = session.hints.keep_for(session.playing.game, record.game)
    after = replace(session, record=record, whisper=whisper, hints=hints)
    return Change(after, (replace(row, by=by),), tones=(Tone(record.game.seat, "turn"),))


def last_seat(record: Record) -> int:
    """Return the seat whose turn ends a round: the one before the seat that began."""
    game, first = record.game, _first_seat(record)
    left = [seat for seat in game.seats if seat not in game.places]
    return next(seat for seat in left if next_seat(game, seat) == first)


def _first_seat(record: Record) -> int:
    """Return the seat that began, or the next one if that plays no longer."""
    game, past = record.game, record.past
    thrown = (done.before for done in past if isinstance(done.action, Throw))
    began = next((before.seat for before in thrown if before.phase is Phase.THROW), game.seat)
    plays = began in game.seats and began not in game.places
    return began if plays else next_seat(game, began)


def wake_at(session: Session) -> float | None:
    """Return when a clock strikes next, or None if that needs more than time."""
    return earliest(_last_round_at(session), _turn_ends_at(session))


def _last_round_at(session: Session) -> float | None:
    limit, record = session.settings.get(LAST_ROUND), session.record
    if not limit.amount or not session.mode.runs_clocks or record is None:
        return None
    if record.game.phase not in BOARD_PHASES or record.game.last_turn is not None:
        return None
    if limit.unit == "minutes":
        return (session.minutes_since or 0.0) + MINUTE_S * limit.amount
    first, games = _first_seat(record), (*(done.before for done in record.past), record.game)
    of_first = (game for game in games if game.seat == first and game.phase in BOARD_PHASES)
    return session.t if len({game.turns for game in of_first}) >= limit.amount else None


def _turn_ends_at(session: Session) -> float | None:
    clock, seats = session.clock, session.seats
    if clock.since is None or clock.up:
        return None
    is_childs = seats.is_childs(seats.player_seat(session.playing.game.seat))
    seconds = float(session.settings.get(TURN_LIMIT)) * (2 if is_childs else 1)
    return clock.since + seconds - clock.spent


def run_clocks(session: Session) -> Session:
    """Return the session after an event, with its clocks running or standing still."""
    if session.minutes_since is None:
        session = replace(session, minutes_since=session.t)
    clock, play = session.clock, _timed_play(session)
    if play != clock.play:
        clock = TurnClock(play)
    runs = bool(play) and session.mode.runs_clocks and not session.notices
    if runs and clock.since is None:
        clock = clock._replace(since=session.t)
    elif not runs and clock.since is not None:
        clock = clock._replace(spent=clock.spent + session.t - clock.since, since=None)
    return session if clock == session.clock else replace(session, clock=clock)


def _timed_play(session: Session) -> tuple[int, ...]:
    """Return what a player has time for: a throw, or the play of one; () for nothing."""
    record = session.record
    if record is None or record.game.phase not in BOARD_PHASES:
        return ()
    if session.settings.get(TURN_LIMIT) == "off" or session.seats.has_bot(record.game.seat):
        return ()
    others = (one for one in record.told if not isinstance(one.entry, Throw | Move | Stop))
    # After an undo or a correction the time begins anew.
    anew = max((one.number for one in others), default=0)
    return record.game.turns, record.game.throws, anew


def keep_minutes(session: Session) -> Session:
    """Return the session with the minutes that are left until the last round, to be committed."""
    limit, since = session.settings.get(LAST_ROUND), session.minutes_since
    if since is None or limit.unit != "minutes":
        return session
    passed = min(int((session.t - since) // MINUTE_S), limit.amount - 1)
    if passed < 1:
        return session
    after = session.set(LAST_ROUND, Limit(limit.amount - passed))
    return replace(after, minutes_since=since + MINUTE_S * passed)
