"""What the table does: `handle(session, event)` says what to record, show, light and sound.

It touches nothing: no clock, no randomness, no device. What each screen does is in its mode.
What can't be recorded has not happened: `refuse_press` says what is done instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pi_app.input.events import (
    AdviceGiven,
    Button,
    ChamberLine,
    ChamberPress,
    ChamberRolled,
    ClockRead,
    DiceDrawn,
    Down,
    Event,
    Notice,
    PartChecked,
    Resume,
    RowsSaved,
    Setup,
    Stuck,
    Tone,
    Up,
)
from pi_app.input.gestures import SPENT, Gesture, meaning
from pi_app.rows.faults import Fault
from pi_app.rows.history import Row
from pi_app.screens.screen import AWAKE, NOTHING, Glow, Motion, Screen, message, next_glow
from pi_app.settings.offers import offered_first
from pi_app.settings.settings import Put, Settings
from pi_app.table.core.acting import follow_up
from pi_app.table.core.advice import TAKEN, next_question
from pi_app.table.core.state import (
    NO_SETTINGS,
    SEATS,
    Change,
    ChildReading,
    Lamps,
    Mode,
    PendingThrow,
    Session,
    Shown,
    ToGame,
    ToJoining,
    ToMenu,
    Whisper,
)
from pi_app.table.modes.care.off import SwitchingOff, countdown_screen
from pi_app.table.modes.care.walking import resume_game
from pi_app.table.modes.entries import WholeMenu
from pi_app.table.modes.play.play import THROWING, Playing, confirm_forced, record_dice
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.play.typing_each import type_throw, types_every_throw
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.wishes import wishes_of
from pi_app.texts.words import button_name, stuck_words
from rules.actions import Throw
from rules.history import WaitingThrow

OK_DEAF_S = 0.4
SAVED_S = 2.0  # long enough to read


def new_session(setup: Setup, settings: Settings = NO_SETTINGS) -> Session:
    """Return the session of a table that nobody has joined yet."""
    return Session(setup, Joining(offered_first(settings, setup.ruleset)), settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the loop carries out: commit `rows` and `puts` first, then show, light and sound.

    `draw` is how many dice the loop must draw now; it then at once hands in `DiceDrawn`.
    `motion`: how the screen moves. `glow`: how it rests while nothing is being decided.
    """

    session: Session
    screen: Screen
    motion: Motion
    lamps: Lamps
    rows: tuple[Row, ...] = ()
    puts: tuple[Put, ...] = ()
    draw: int = 0
    tones: tuple[Tone, ...] = ()
    wake_at: float | None = None
    glow: Glow = AWAKE


def handle(session: Session, event: Event) -> Reply:
    """Return what an event makes of the session, and all that is to be done about it."""
    change = _pass_time(session, max(event.t, session.t))
    answer = ANSWERS.get(type(event))
    if answer is not None:
        change = _after(change, answer(change.session, event))
    reply = _reply(follow_up(session, change))
    if reply.session.settings is session.settings:
        return reply
    return replace(reply, puts=reply.session.settings.puts_after(session.settings))


def refuse_press(session: Session, reply: Reply, fault: Fault) -> Reply:
    """Return what replaces a reply whose rows the journal refuses. fault: why it does.

    The session is the one before it. A throw among the rows is kept for its next try, and fingers
    that are down mean nothing more.
    """
    t = reply.session.t
    after = replace(
        session,
        t=t,
        fingers=reply.session.fingers.spend(),
        whisper=None,
        ok_deaf=(t + OK_DEAF_S,) * len(SEATS),
        held=_held(session, reply) or session.held,
    )
    tones = (Tone(None, "refused"),)
    return _reply(Change(after.into(RefusedPress(fault, session.mode)), tones=tones))


def _held(session: Session, reply: Reply) -> PendingThrow | None:
    """Return the throw in a reply that is not taken, for the seat that made it; None without."""
    made = reply.session.record
    if session.record is None or made is None or not any(map(is_throw, reply.rows)):
        return None
    done = made.past[-1]
    if not isinstance(done.action, Throw):
        return None
    return PendingThrow(
        session.throws + 1, WaitingThrow(done.before.seat, done.action, done.source)
    )


def is_throw(row: Row) -> bool:
    """Whether a row is a throw of dice."""
    return isinstance(row.entry, Throw)


def _wake(session: Session) -> Session:
    """Wake a dark screen: nobody has read it, and a press by which it was dark is late from now."""
    deaf = (session.t + OK_DEAF_S,) * len(SEATS)
    return replace(session, resting_since=session.t, moment=session.moment + 1, ok_deaf=deaf)


def _down(session: Session, event: Down) -> Change:
    seat = event.button.seat
    if seat is not None and seat not in session.setup.panels:
        return Change(session)
    if session.resting_since is not None and session.glow.level == "dark":
        session = _wake(session)
        if event.button.kind != "power":  # held for 3 s, it is meant, dark or not
            fingers, _ = session.fingers.press(event.button, event.t, SPENT)
            return Change(replace(session, fingers=fingers))
    session = session.mode.pressed_now(session, event.button)
    if seat is None:
        what = meaning(event.button, only=False, holds=False, off=session.setup.off)
    else:
        only, is_ok = session.only(seat), event.button.kind == "ok"
        holds = (
            is_ok and session.mode.holds_ok(session, seat) and session.mode.may_press(session, seat)
        )
        what = meaning(event.button, only, holds, session.mode.hold_ok_s)
        if session.is_childs(seat):
            what = what.for_children()
        if is_ok and session.t < session.ok_deaf[seat]:
            what = what.without_ok(holds=isinstance(session.mode, Joining))
    fingers, gestures = session.fingers.press(event.button, event.t, what)
    return _gestures(Change(replace(session, fingers=fingers)), gestures)


def _up(session: Session, event: Up) -> Change:
    fingers, gestures = session.fingers.release(event.button, event.t)
    after = replace(session, fingers=fingers).with_notice(_key(event.button), None)
    return _gestures(Change(after), gestures)


def _stuck(session: Session, event: Stuck) -> Change:
    """Name a stuck button and forget its finger, so that nothing comes of it until it is let go."""
    if event.button.seat not in (None, *session.setup.panels):
        return Change(session)
    after = replace(session, fingers=session.fingers.without(event.button))
    name = button_name(
        event.button, event.button.seat is not None and session.only(event.button.seat)
    )
    return Change(after.with_notice(_key(event.button), stuck_words(name)))


def _key(button: Button) -> str:
    """Return what the notice of a button is known by."""
    return f"{button.kind}.{button.seat}"


def _notice(session: Session, event: Notice) -> Change:
    return Change(session.with_notice(event.device, event.text))


def _saved(session: Session, event: RowsSaved) -> Change:
    whisper = Whisper(message("saved-again"), session.t + SAVED_S, stays=True)
    return Change(replace(session.with_notice("journal", None), unsaved=False, whisper=whisper))


def _resume(session: Session, event: Resume) -> Change:
    return resume_game(session, event, WholeMenu)


def _line(session: Session, event: ChamberLine) -> Change:
    return Change(replace(session, lit=event.up, lit_only_throws=event.only_throws))


def _press(session: Session, event: ChamberPress) -> Change:
    """The lit dome counts as the dome does, but only for the throw that it was armed for."""
    if event.arm != wishes_of(session).key:
        return Change(session)
    if session.glow.level == "dark":
        return Change(_wake(session))
    change = session.mode.dome(session)
    rows = (
        replace(row, boot=event.boot, n=event.n) if is_throw(row) else row for row in change.rows
    )
    return replace(change, rows=tuple(rows))


def _rolled(session: Session, event: ChamberRolled) -> Change:
    """Take the chamber's own dice; where the dome confirms, they confirm first."""
    if event.arm != session.moment or not session.setup.rolls:
        return Change(session)
    faces = DiceDrawn(event.faces, "chamber", event.t, event.boot, event.n)
    if session.forced is None:
        return record_dice(session, faces)
    counts_from = session.mode.dome_counts_from(session)
    if counts_from is None or session.t < counts_from:
        return session.refuse(message("a-moment"))
    confirmed = _after(Change(session), confirm_forced(session))
    return _after(confirmed, record_dice(confirmed.session, faces))


def _checked(session: Session, event: PartChecked) -> Change:
    others = tuple(one for one in session.findings if one.part != event.finding.part)
    return Change(replace(session, findings=(*others, event.finding)))


def _wall(session: Session, event: ClockRead) -> Change:
    return Change(replace(session, wall=event))


def _advised(session: Session, event: AdviceGiven) -> Change:
    """Take an answer to what is still asked; one that comes too late is of no use."""
    if event.question != next_question(session):
        return Change(session)
    return Change(TAKEN[event.question.kind](session, event.answer))


ANSWERS: dict[type, Callable[[Session, Any], Change]] = {
    Down: _down,
    Up: _up,
    Stuck: _stuck,
    DiceDrawn: record_dice,
    Notice: _notice,
    RowsSaved: _saved,
    PartChecked: _checked,
    Resume: _resume,
    ClockRead: _wall,
    ChamberLine: _line,
    ChamberPress: _press,
    ChamberRolled: _rolled,
    AdviceGiven: _advised,
}


def _to_game(session: Session, to: ToGame) -> Mode:
    if session.settings.typed and types_every_throw(session):
        return type_throw(session, to.news, to.last)
    return Playing(session.t, news=to.news, last=to.last, cheers=to.cheers)


def _to_joining(session: Session, to: ToJoining) -> Mode:
    return Joining(to.ruleset)


def _to_menu(session: Session, to: ToMenu) -> Mode:
    menu = WholeMenu(to.seat, to.back, session.t)
    return menu if to.top else menu.reopen(session)


ARRIVALS: dict[type[Mode], Callable[[Session, Any], Mode]] = {
    ToGame: _to_game,
    ToJoining: _to_joining,
    ToMenu: _to_menu,
}


def _pass_time(session: Session, t: float) -> Change:
    """Do what time alone brings: modes that end by themselves, holds that become due."""
    now = session if session.t == t else replace(session, t=t)
    if session.whisper is not None and session.whisper.until <= t:
        now = replace(now, whisper=None)
    change = _after(Change(now), session.mode.pass_time(now))
    if not session.fingers.down:
        return change
    fingers, gestures = change.session.fingers.hold(t)
    held = replace(change, session=change.session.with_fields(fingers=fingers))
    return _gestures(held, gestures)


def _gestures(change: Change, gestures: tuple[Gesture, ...]) -> Change:
    for gesture in gestures:
        change = _after(change, _gesture(change.session, gesture))
    return change


def _gesture(session: Session, gesture: Gesture) -> Change:
    seat, name = gesture
    if name in OF_POWER:
        return OF_POWER[name](session)
    if session.fingers.off_in(session.t) is not None:
        return Change(session)  # what would be answered can't be seen
    if seat is None:
        return session.mode.dome(session)
    counts = session.mode.may_press(session, seat) or (
        name == "ok" and session.mode.passes_on(session, seat)
    )
    if name == "menu" or (not counts and session.only(seat) and name == "ok"):
        return (
            session.mode.menu(session, seat)
            if seat in session.joined
            else session.refuse(session.mode.whose(session))
        )
    if not counts:
        return session.refuse(session.mode.whose(session))
    if name == "next":
        return session.mode.next(session, seat)
    change = session.mode.ok(session, seat) if name == "ok" else session.mode.hold_ok(session, seat)
    return _deafened(session, change, seat)


OF_POWER: dict[str, Callable[[Session], Change]] = {
    "off": lambda session: Change(session.into(SwitchingOff())),
    "off?": lambda session: session.refuse(message("hold-switch-off")),
    "no-off": lambda session: session.refuse(message("can-not-switch-off")),
}


def _deafened(before: Session, change: Change, seat: int) -> Change:
    """Let no OK count for a moment after one that changed what is asked: nobody has read it yet.

    Where players join, each asks for itself.
    """
    after = change.session
    if (after.mode is before.mode and after.record is before.record) or after.mode.quick:
        return change
    deafened = (seat,) if isinstance(after.mode, Joining) else SEATS
    until = before.t + OK_DEAF_S
    ok_deaf = tuple([until if one in deafened else before.ok_deaf[one] for one in SEATS])
    then, now = before.record, after.record
    ends_a_play = (
        then is not None
        and now is not None
        and then.game.phase not in THROWING
        and now.game.phase in THROWING
    )
    deaf_until = max(after.deaf_until, until) if ends_a_play else after.deaf_until
    return replace(change, session=replace(after, ok_deaf=ok_deaf, deaf_until=deaf_until))


def _after(change: Change, after: Change) -> Change:
    """Return two changes, one after the other, as one.

    No finger's OK and no whisper reaches into what follows.
    """
    before, session = change.session, after.session
    arrive = ARRIVALS.get(type(session.mode))
    mode = session.mode if arrive is None else arrive(session, session.mode)
    if type(mode) is not type(before.mode) or session.record is not before.record:
        whisper = session.whisper if session.whisper and session.whisper.stays else None
        session = session.into(mode, fingers=session.fingers.spend(), whisper=whisper)
    elif arrive is not None:
        session = session.into(mode)
    return Change(
        session,
        (*change.rows, *after.rows),
        after.draw or change.draw,
        (*change.tones, *after.tones),
    )


def _reply(change: Change) -> Reply:
    session = change.session
    rests = session.mode.resting(session) and not session.fingers.down and session.whisper is None
    since = session.resting_since if session.resting_since is not None else session.t
    session = session.with_fields(resting_since=since if rests else None)
    shown = session.mode.show(session)
    seconds = session.fingers.off_in(session.t)
    screen = shown.screen if seconds is None else countdown_screen(seconds)
    reading = _reading(session, shown) if seconds is None else None
    session = session.with_fields(forced=shown.forced, facing=shown.facing, reading=reading)
    return Reply(
        session=session,
        screen=screen,
        motion=_motion(session),
        lamps=shown.lamps,
        rows=change.rows,
        draw=change.draw,
        tones=change.tones,
        wake_at=_wake_at(session, shown.counts_from),
        glow=session.glow,
    )


def _reading(session: Session, shown: Shown) -> ChildReading | None:
    """Return since when a child's screen has been what it is; anybody else sees all at once.

    Where several may press, it is a child's if all their panels are.
    """
    if not shown.drivers or not all(map(session.is_childs, shown.drivers)):
        return None
    known = session.reading is not None and session.reading.screen == shown.screen
    return session.reading if known else ChildReading(shown.screen, session.t)


def _motion(session: Session) -> Motion:
    return Motion(
        since=session.mode.shown_since(session),
        bar=session.fingers.bar(session.joined) if session.fingers.down else None,
        notice=NOTHING if session.whisper is None else session.whisper.text,
        notices=tuple([text for _, text in session.notices]),
        noticed=session.noticed,
        read_since=None if session.reading is None else session.reading.since,
    )


def _wake_at(session: Session, counts_from: float | None) -> float | None:
    """Return when time itself changes something next, None if it never does."""
    whisper = session.whisper.until if session.whisper is not None else None
    fingers = session.fingers.wake_at(session.t) if session.fingers.down else None
    counts = counts_from if counts_from is not None and counts_from > session.t else None
    deaf = session.deaf_until if session.deaf_until > session.t else None
    wishes = (session.mode.wake_at(session), fingers, whisper, counts, deaf, _glow_at(session))
    return min([wish for wish in wishes if wish is not None], default=None)


def _glow_at(session: Session) -> float | None:
    """Return when a longer rest makes the screen glow in another way."""
    if session.resting_since is None:
        return None
    after = next_glow(session.t - session.resting_since)
    return None if after is None else session.resting_since + after
