"""What holds of every press of the dome, whatever was pressed before; for tests that draw presses.

Sessions are values: what a press would do is tried on copies.
"""

from dataclasses import replace

from pi_app.model import history
from pi_app.model.events import Button, ChamberPress, ChamberRolled, Down, Event, Resume, Tick
from pi_app.table.core.advice import next_question
from pi_app.table.core.state import ForcedStep, Session
from pi_app.table.modes.care.self_test import PressesStep
from pi_app.table.modes.play.play import THROWING, Playing
from pi_app.table.session import Reply, handle, new_session
from pi_app.table.telling.choices import MENU
from pi_app.table.wishes import wishes_of
from rules.actions import Move, Throw
from rules.game import Game, Phase, play

DOME = Button(None, "dome")
BOOT = "b007b007"
ROUNDING_S = 1e-5  # seconds that add up to others are off by less
LATER = 1_000_000  # a press that no journal has yet


def is_press(event: Event) -> bool:
    """Whether an event is a press of the dome, the lit chamber's included."""
    wired = isinstance(event, Down) and event.button == DOME
    return wired or isinstance(event, ChamberPress | ChamberRolled)


def check_rows(before: Session, event: Event, reply: Reply) -> None:
    """Check what a reply records: a row, or what the dome confirms with the throw that follows."""
    rows = reply.rows
    assert len(rows) <= 2
    if not is_press(event):
        assert len(rows) <= 1
        assert not any(row.by == "dome" for row in rows)
        return
    assert all(isinstance(row.entry, Throw) for row in rows[-1:])
    if len(rows) == 2:
        check_confirmed(before, reply)
    if rows:
        assert reply.session.t >= before.throws_from
        pair = (
            (event.boot, event.n)
            if isinstance(event, ChamberPress | ChamberRolled)
            else (None, None)
        )
        assert (rows[-1].boot, rows[-1].n) == pair


def check_confirmed(before: Session, reply: Reply) -> None:
    """Check that only what was left to do is confirmed, by a screen that has stood."""
    first, throw = reply.rows
    forced, game = before.forced, before.playing.game
    assert forced is not None
    assert (forced.game, str(forced.action)) == (game, str(first.entry))
    assert reply.session.t >= max(forced.counts_from, before.deaf_until)
    assert left_to_do(game, before.seats.has_bot(game.seat))
    after, _ = play(game, forced.action)
    assert after.phase is Phase.THROW
    assert not (isinstance(forced.action, Move) and forced.action.step.captures)
    made = reply.session.playing.past[-1]
    assert (made.before.seat, str(made.action)) == (after.seat, str(throw.entry))
    assert first.by == (before.seats.level(game.seat) or "dome")
    assert (first.boot, first.n) == (None, None)


def left_to_do(game: Game, boxed: bool) -> bool:
    """Whether nobody has anything to choose, nor a pawn of a penalty to move."""
    if game.phase is Phase.PENALTY:
        return not game.put_back
    return boxed or not game.steps or (len(game.steps) == 1 and not game.may_stop)


def check_armed(session: Session) -> None:
    """Check that the lit chamber is armed only where a press of it does something now."""
    armed = wishes_of(session)
    if not session.lit or armed.seat is None or isinstance(session.mode, PressesStep):
        return
    event: Event = ChamberPress(BOOT, LATER, armed.key, session.t)
    if armed.mode == "roll":
        faces = (1,) * session.playing.game.dice
        event = ChamberRolled(BOOT, LATER, armed.key, faces, session.t)
    reply = handle(session, event)
    done = bool(reply.rows) or bool(reply.draw) or reply.session.mode != session.mode
    assert done or session.glow.level == "dark"
    assert armed.mode != "roll" or reply.rows


def check_round(session: Session) -> None:
    """Check that the dome goes back through all choices to the one where it began."""
    mode = session.mode
    if (
        not isinstance(mode, Playing)
        or session.forced is not None
        or session.playing.game.phase in THROWING
    ):
        return
    if (
        session.playing.game.phase is Phase.OVER
        or not session.setup.dome
        or session.t < session.deaf_until
    ):
        return
    if (
        mode.question(session).choice == MENU
        and replace(mode, index=0).show(session).forced is not None
    ):
        return  # it steps back once, to what the dome confirms
    count = len(mode.question(session).choices)
    at, seen = session, list[int]()
    for _ in range(count):
        at = handle(at, Down(DOME, at.t)).session
        assert isinstance(at.mode, Playing)
        seen.append(at.mode.question(at).choice_index)
    begun = mode.question(session).choice_index
    assert seen == [(begun - back) % count for back in range(1, count + 1)]


def check_undone(before: Session, after: Session) -> None:
    """Check that one undo leads back to what the dome confirmed, and that the dice come again."""
    forced = before.forced
    assert forced is not None
    made = after.playing.past[-1].action
    record, _ = history.undo(after.playing)
    assert record.game == forced.game
    back = new_session(before.setup, before.settings)
    back = replace(back, lit=before.lit, plan=before.plan)
    back = handle(back, Resume(replace(record, displaced=None), 0.0)).session
    again = once_more(back)
    assert isinstance(made, Throw)
    assert [str(row.entry) for row in again.rows] == [str(forced.action), str(made)]
    assert again.draw == 0


def once_more(session: Session) -> Reply:
    """Press the dome at the forced screen as soon as that counts."""
    assert isinstance(session.forced, ForcedStep)
    t = session.forced.counts_from
    if session.setup.dome:
        return handle(session, Down(DOME, t))
    if session.setup.rolls:  # whatever it rolls, the throw that waits comes first
        return handle(
            session, ChamberRolled(BOOT, LATER, session.moment, (6,) * session.playing.game.dice, t)
        )
    return handle(session, ChamberPress(BOOT, LATER, session.moment, t))


def check_wakes(reply: Reply) -> None:
    """Check that time goes on, at the latest after the tick at which a clock strikes."""
    if is_due(reply):
        reply = handle(reply.session, Tick(reply.session.t))
    assert not is_due(reply)


def is_due(reply: Reply) -> bool:
    """Whether a clock strikes at once, but for the event that was."""
    return reply.wake_at is not None and reply.wake_at <= reply.session.t


def check_quiet(reply: Reply, part: float) -> None:
    """Check that nothing happens before `wake_at`, after this part of the time until then."""
    s = reply.session
    if is_due(reply):
        return
    until = s.t + 10.0 if reply.wake_at is None else reply.wake_at
    after = handle(s, Tick(max(s.t, min(s.t + part * (until - s.t), until - ROUNDING_S))))
    assert (after.rows, after.puts, after.draw, after.tones) == ((), (), 0, ())
    assert (after.screen, after.motion, after.lamps, after.glow) == (
        reply.screen,
        reply.motion,
        reply.lamps,
        reply.glow,
    )
    assert wishes_of(after.session) == wishes_of(s)
    assert (next_question(after.session), after.wake_at) == (next_question(s), reply.wake_at)
