"""Confirmed actions on the game: their rows, tones, scores, and who did them. Makes no screen."""

from dataclasses import replace

from pi_app.model import history
from pi_app.model.events import Tone
from pi_app.model.history import New, Row, start_row
from pi_app.model.screens import ByHand, message, moved_pawns
from pi_app.settings.evening import REST_S, ClockReading
from pi_app.settings.settings import BOT, DICE, EVENING, HINTS, LAST_ROUND, STAND_IN
from pi_app.table.core.clocks import keep_minutes
from pi_app.table.core.state import Change, Session, ToGame, ToJoining
from pi_app.table.telling.chronicle import CLOCK
from pi_app.texts.words import done_words, news_words, seat_letter
from rules.actions import Action, LastTurn, Move, Stop, Throw
from rules.board import NEST, SEAT_LETTERS
from rules.facts import Begins, CameHome, Captured, Fact, TurnOf, Won
from rules.game import SIDES, Game, Phase, play
from rules.history import Entry, Record, new_record
from rules.position import Position
from rules.ruleset import THIRD_DOUBLETS

SHELLS_NOTICE = "shells"  # the key of a notice that is there until the first throw


def act(session: Session, entry: Entry) -> Change:
    """Return the change that a confirmed entry makes: its row, its tones and the mode after it."""
    record, row, facts = history.act(session.playing, entry)
    before, game = session.playing.game, record.game
    won = game.phase is Phase.OVER and any(isinstance(fact, Won) for fact in facts)
    following = ToGame(news_words(before.ruleset, facts), done_words(before, entry), cheers=won)
    after = session.enter_mode(following, record=record)
    return Change(after, (row,), tones=tones_of(facts) or (Tone(before.seat, "press"),))


def begin(session: Session, record: Record) -> Change:
    started = session.enter_mode(ToGame(), record=record, held=())
    if session.setup.rolls and started.rules.throws_shells:
        started = started.with_notice(SHELLS_NOTICE, message("chamber-has-no-shells"))
    return Change(started, (start_row(record),), tones=(Tone(record.game.seat, "turn"),))


def rematch(session: Session) -> Change:
    """Return the change that starts another game with the same rules, seats and host.

    The choice of hints was for the last game only, so it is reset.
    """
    over, session = session.playing, replace(session, settings=session.settings.without(HINTS.key))
    host_first = sorted(over.game.seats, key=lambda seat: seat != over.host)
    return begin(session, new_record(over.game.ruleset, host_first))


def join_next_game(session: Session, seat: int) -> Change:
    """Return the change of a press by this seat after which players join the next game.

    Dice, bots and hints were chosen for the last game only, so they are reset.
    """
    settings = session.settings.without(DICE.key).without(HINTS.key)
    for bot in settings.named(BOT):
        settings = settings.without(f"{BOT}{bot}")
    joining = ToJoining(session.next_rules)
    return session.lead_to(joining, pressed=seat, record=None, held=(), settings=settings)


def tones_of(facts: tuple[Fact, ...]) -> tuple[Tone, ...]:
    tones = []
    for fact in facts:
        match fact:
            case Captured(_, _, by):
                tones.append(Tone(by, "capture"))
            case CameHome(seat):
                tones.append(Tone(seat, "home"))
            case TurnOf(seat) | Begins(seat):
                tones.append(Tone(seat, "turn"))
            case Won(seat, _):
                tones.append(Tone(seat, "win"))
    return tuple(tones)


def follow_up(before: Session, change: Change) -> Change:
    """Return a change with all that its rows entail: who did them, the evening's score, stand-ins.

    before: the session before the change. The journal commits all of it together.
    """
    if not change.rows:
        return change
    session = replace(change.session, moment=change.session.moment + len(change.rows))
    first, *throw = change.rows
    if isinstance(first.entry, New):
        if before.record is None:  # the players have just joined: nobody is away
            settings, joined = session.settings, before.mode.joined(before)
            playing = [seat for seat in session.playing.game.seats if seat not in joined]
            for letter in settings.named(STAND_IN):
                if SEAT_LETTERS.find(letter) not in playing:  # else a player has two seats
                    settings = settings.without(f"{STAND_IN}{letter}")
            session = replace(session, settings=settings)
        evening, now = session.settings.get(EVENING), clock_of(session)
        if now.since(evening.last) >= REST_S:
            session = session.unset(LAST_ROUND.key)
        return replace(change, session=session.set(EVENING, evening.start_game(now)))
    was = before.playing
    hint = before.hints.level_in(was.game, before.mode.hints(before))
    if isinstance(first.entry, LastTurn):  # the hint is for the choice that comes after it
        hint = None
    rows = [replace(_sign_row(before, was.game.seat, first), hint=hint)]
    if throw:  # the dome confirmed the first row and then threw for the seat whose turn it was
        rows += [_sign_row(before, session.playing.past[-1].before.seat, *throw)]
    return replace(change, rows=tuple(rows), session=keep_minutes(_update_score(was.game, session)))


def clock_of(session: Session) -> ClockReading:
    """Return the time now by both clocks."""
    wall = session.wall
    return ClockReading(wall.boot, session.t, max(0.0, wall.unix + session.t - wall.t))


def _sign_row(before: Session, seat: int, row: Row) -> Row:
    """Return a row of a seat's turn with who did it, if that was a bot or a stand-in."""
    of_turn = isinstance(row.entry, Throw | Move | Stop)  # only the seat whose turn it is does it
    if row.by is not None or not of_turn:
        return row
    other = before.seats.player_seat(seat)
    by = before.seats.level(seat) or (seat_letter(other) if other != seat else None)
    if before.clock_moves and not isinstance(row.entry, Throw):
        by = CLOCK
    return replace(row, by=by)


def _update_score(was: Game, session: Session) -> Session:
    """Return the session with the evening's score after a win, or after an undo of the win.

    was: the game before. Whoever plays on for the places changes nothing.
    """
    now = session.playing.game
    if was.places == now.places and Phase.OVER not in (was.phase, now.phase):
        return session
    before, after = ((one.winners, one.phase is Phase.OVER) for one in (was, now))
    if before == after or was.played_on or now.played_on:
        return session
    without = session.settings.get(EVENING).undo_win(clock_of(session))
    if not now.winners:
        return session.set(EVENING, without)
    sides = SIDES if now.ruleset.partners else tuple((seat,) for seat in now.seats)
    names = {side: session.seats.side_name(side) for side in sides}
    winners = [name for side, name in names.items() if {*side} <= {*now.winners}]
    return session.set(EVENING, without.count_win(winners, names.values(), clock_of(session)))


def only_action(game: Game) -> Action | None:
    """Return the only action that a game allows now, or None if there is a choice.

    A choice of the starter or of the dice is never the only one: somebody has to make it.
    """
    if game.phase is Phase.PENALTY:
        return None if game.put_back else Stop()
    if game.phase is not Phase.MOVE:
        return None
    steps = game.steps
    if not steps:
        return Stop()
    [first, *others] = steps
    return None if others or game.may_stop else Move(first)


def left_to_move(was: Game, action: Action, now: Game) -> tuple[tuple[ByHand, ...], Position]:
    """Return the pawns that players still move by hand after an action, and where all pawns are.

    They are those of a turn that is undone, the own first, all on open spaces that a third doublet
    costs, or those that leave the track because their seat has won.
    """
    if was.phase is Phase.PENALTY:
        by_choice = THIRD_DOUBLETS[was.ruleset.third_doublet].takes_pawn  # it has shown the pawn
        back = () if by_choice else was.put_back
        return tuple(ByHand(*move, there=True) for move in back), was.position
    on_board = was.position
    if isinstance(action, Move):
        pawns, seats = [*was.position[was.seat]], [*now.position]
        pawns[pawns.index(action.step.origin)] = action.step.target
        seats[was.seat] = tuple(pawns)
        a, b, c, d = seats
        on_board = a, b, c, d
    moved = moved_pawns(on_board, now.position)
    own = [one for one in moved if one.seat == was.seat and one.target == NEST]
    return tuple(own), on_board


def leads_to_a_throw(game: Game, action: Action) -> bool:
    """Whether an action sends no pawn back, leaves nothing to move, and a throw follows it."""
    if isinstance(action, Move) and (action.step.captures or action.step.target == NEST):
        return False
    after = play(game, action)[0]
    return after.phase is Phase.THROW and not left_to_move(game, action, after)[0]
