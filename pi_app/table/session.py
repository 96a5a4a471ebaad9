"""What the table does: `handle(session, event)` says what to record, show, light and sound.

It touches nothing: no clock, no randomness, no device. What each screen does is in its mode.
What can't be recorded has not happened: `untaken` says what is done instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pi_app.input.events import (
    Advised,
    Button,
    ChamberLine,
    ChamberPress,
    ChamberRolled,
    Checked,
    Down,
    Drawn,
    Event,
    Notice,
    Resume,
    Saved,
    Setup,
    Stuck,
    Tone,
    Up,
    Wall,
)
from pi_app.input.gestures import SPENT, Gesture, meaning
from pi_app.rows.faults import Fault
from pi_app.rows.history import Row
from pi_app.screens.screen import AWAKE, NOTHING, Glow, Motion, Screen, message, next_glow
from pi_app.settings.offers import offered_first
from pi_app.settings.settings import Put, Settings
from pi_app.table.core.acting import booked
from pi_app.table.core.advice import TAKEN, asks
from pi_app.table.core.state import (
    NO_SETTINGS,
    SEATS,
    Change,
    Held,
    Lamps,
    Mode,
    Reading,
    Session,
    Shown,
    ToGame,
    ToJoining,
    ToMenu,
    Whisper,
)
from pi_app.table.modes.care.off import SwitchingOff, counting_down
from pi_app.table.modes.care.walking import resume
from pi_app.table.modes.entries import WholeMenu
from pi_app.table.modes.play.play import THROWING, Play, confirm, drawn
from pi_app.table.modes.play.typing_each import types_each, typing_each
from pi_app.table.modes.play.untaken import Untaken
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.wishes import wishes
from pi_app.texts.words import button_name, stuck
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

    `draw` is how many dice the loop must draw now; it then at once hands in `Drawn`.
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
    reply = _reply(booked(session, change))
    if reply.session.settings is session.settings:
        return reply
    return replace(reply, puts=reply.session.settings.puts_after(session.settings))


def untaken(session: Session, reply: Reply, fault: Fault) -> Reply:
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
    return _reply(Change(after.into(Untaken(fault, session.mode)), tones=tones))


def _held(s: Session, reply: Reply) -> Held | None:
    """Return the throw in a reply that is not taken, for the seat that made it; None without."""
    made = reply.session.record
    if s.record is None or made is None or not any(map(is_throw, reply.rows)):
        return None
    done = made.past[-1]
    if not isinstance(done.action, Throw):
        return None
    return Held(s.throws + 1, WaitingThrow(done.before.seat, done.action, done.source))


def is_throw(row: Row) -> bool:
    """Whether a row is a throw of dice."""
    return isinstance(row.entry, Throw)


def _wake(s: Session) -> Session:
    """Wake a dark screen: nobody has read it, and a press by which it was dark is late from now."""
    deaf = (s.t + OK_DEAF_S,) * len(SEATS)
    return replace(s, resting_since=s.t, moment=s.moment + 1, ok_deaf=deaf)


def _down(s: Session, event: Down) -> Change:
    seat = event.button.seat
    if seat is not None and seat not in s.setup.panels:
        return Change(s)
    if s.resting_since is not None and s.glow.level == "dark":
        s = _wake(s)
        if event.button.kind != "power":  # held for 3 s, it is meant, dark or not
            fingers, _ = s.fingers.press(event.button, event.t, SPENT)
            return Change(replace(s, fingers=fingers))
    s = s.mode.pressed_now(s, event.button)
    if seat is None:
        what = meaning(event.button, only=False, holds=False, off=s.setup.off)
    else:
        only, is_ok = s.only(seat), event.button.kind == "ok"
        holds = is_ok and s.mode.holds_ok(s, seat) and s.mode.may_press(s, seat)
        what = meaning(event.button, only, holds, s.mode.hold_ok_s)
        if s.is_childs(seat):
            what = what.for_children()
        if is_ok and s.t < s.ok_deaf[seat]:
            what = what.without_ok(holds=isinstance(s.mode, Joining))
    fingers, gestures = s.fingers.press(event.button, event.t, what)
    return _gestures(Change(replace(s, fingers=fingers)), gestures)


def _up(s: Session, event: Up) -> Change:
    fingers, gestures = s.fingers.release(event.button, event.t)
    after = replace(s, fingers=fingers).with_notice(_key(event.button), None)
    return _gestures(Change(after), gestures)


def _stuck(s: Session, event: Stuck) -> Change:
    """Name a stuck button and forget its finger, so that nothing comes of it until it is let go."""
    if event.button.seat not in (None, *s.setup.panels):
        return Change(s)
    after = replace(s, fingers=s.fingers.without(event.button))
    name = button_name(event.button, event.button.seat is not None and s.only(event.button.seat))
    return Change(after.with_notice(_key(event.button), stuck(name)))


def _key(button: Button) -> str:
    """Return what the notice of a button is known by."""
    return f"{button.kind}.{button.seat}"


def _notice(s: Session, event: Notice) -> Change:
    return Change(s.with_notice(event.device, event.text))


def _saved(s: Session, event: Saved) -> Change:
    whisper = Whisper(message("saved-again"), s.t + SAVED_S, stays=True)
    return Change(replace(s.with_notice("journal", None), unsaved=False, whisper=whisper))


def _resume(s: Session, event: Resume) -> Change:
    return resume(s, event, WholeMenu)


def _line(s: Session, event: ChamberLine) -> Change:
    return Change(replace(s, lit=event.up, lit_only_throws=event.only_throws))


def _press(s: Session, event: ChamberPress) -> Change:
    """The lit dome counts as the dome does, but only for the throw that it was armed for."""
    if event.arm != wishes(s).key:
        return Change(s)
    if s.glow.level == "dark":
        return Change(_wake(s))
    change = s.mode.dome(s)
    rows = (
        replace(row, boot=event.boot, n=event.n) if is_throw(row) else row for row in change.rows
    )
    return replace(change, rows=tuple(rows))


def _rolled(s: Session, event: ChamberRolled) -> Change:
    """Take the chamber's own dice; where the dome confirms, they confirm first."""
    if event.arm != s.moment or not s.setup.rolls:
        return Change(s)
    faces = Drawn(event.faces, "chamber", event.t, event.boot, event.n)
    if s.forced is None:
        return drawn(s, faces)
    counts_from = s.mode.dome_counts_from(s)
    if counts_from is None or s.t < counts_from:
        return s.refuse(message("a-moment"))
    confirmed = _after(Change(s), confirm(s))
    return _after(confirmed, drawn(confirmed.session, faces))


def _checked(s: Session, event: Checked) -> Change:
    others = tuple(one for one in s.findings if one.part != event.finding.part)
    return Change(replace(s, findings=(*others, event.finding)))


def _wall(s: Session, event: Wall) -> Change:
    return Change(replace(s, wall=event))


def _advised(s: Session, event: Advised) -> Change:
    """Take an answer to what is still asked; one that comes too late is of no use."""
    if event.question != asks(s):
        return Change(s)
    return Change(TAKEN[event.question.kind](s, event.answer))


ANSWERS: dict[type, Callable[[Session, Any], Change]] = {
    Down: _down,
    Up: _up,
    Stuck: _stuck,
    Drawn: drawn,
    Notice: _notice,
    Saved: _saved,
    Checked: _checked,
    Resume: _resume,
    Wall: _wall,
    ChamberLine: _line,
    ChamberPress: _press,
    ChamberRolled: _rolled,
    Advised: _advised,
}


def _to_game(s: Session, to: ToGame) -> Mode:
    if s.settings.typed and types_each(s):
        return typing_each(s, to.news, to.last)
    return Play(s.t, news=to.news, last=to.last, cheers=to.cheers)


def _to_joining(s: Session, to: ToJoining) -> Mode:
    return Joining(to.ruleset)


def _to_menu(s: Session, to: ToMenu) -> Mode:
    menu = WholeMenu(to.seat, to.back, s.t)
    return menu if to.top else menu.where_last_used(s)


ARRIVALS: dict[type[Mode], Callable[[Session, Any], Mode]] = {
    ToGame: _to_game,
    ToJoining: _to_joining,
    ToMenu: _to_menu,
}


def _pass_time(session: Session, t: float) -> Change:
    """Do what time alone brings: modes that end by themselves, holds that become due."""
    s = session if session.t == t else replace(session, t=t)
    if s.whisper is not None and s.whisper.until <= t:
        s = replace(s, whisper=None)
    change = _after(Change(s), s.mode.pass_time(s))
    if not s.fingers.down:
        return change
    fingers, gestures = change.session.fingers.hold(t)
    held = replace(change, session=change.session.with_fields(fingers=fingers))
    return _gestures(held, gestures)


def _gestures(change: Change, gestures: tuple[Gesture, ...]) -> Change:
    for gesture in gestures:
        change = _after(change, _gesture(change.session, gesture))
    return change


def _gesture(s: Session, gesture: Gesture) -> Change:
    seat, name = gesture
    if name in OF_POWER:
        return OF_POWER[name](s)
    if s.fingers.off_in(s.t) is not None:
        return Change(s)  # what would be answered can't be seen
    if seat is None:
        return s.mode.dome(s)
    counts = s.mode.may_press(s, seat) or (name == "ok" and s.mode.passes_on(s, seat))
    if name == "menu" or (not counts and s.only(seat) and name == "ok"):
        return s.mode.menu(s, seat) if seat in s.joined else s.refuse(s.mode.whose(s))
    if not counts:
        return s.refuse(s.mode.whose(s))
    if name == "next":
        return s.mode.next(s, seat)
    change = s.mode.ok(s, seat) if name == "ok" else s.mode.hold_ok(s, seat)
    return _deafened(s, change, seat)


OF_POWER: dict[str, Callable[[Session], Change]] = {
    "off": lambda s: Change(s.into(SwitchingOff())),
    "off?": lambda s: s.refuse(message("hold-switch-off")),
    "no-off": lambda s: s.refuse(message("can-not-switch-off")),
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
    s = change.session
    rests = s.mode.resting(s) and not s.fingers.down and s.whisper is None
    since = s.resting_since if s.resting_since is not None else s.t
    s = s.with_fields(resting_since=since if rests else None)
    shown = s.mode.show(s)
    seconds = s.fingers.off_in(s.t)
    screen = shown.screen if seconds is None else counting_down(seconds)
    reading = _reading(s, shown) if seconds is None else None
    s = s.with_fields(forced=shown.forced, facing=shown.facing, reading=reading)
    return Reply(
        session=s,
        screen=screen,
        motion=_motion(s),
        lamps=shown.lamps,
        rows=change.rows,
        draw=change.draw,
        tones=change.tones,
        wake_at=_wake_at(s, shown.counts_from),
        glow=s.glow,
    )


def _reading(s: Session, shown: Shown) -> Reading | None:
    """Return since when a child's screen has been what it is; anybody else sees all at once.

    Where several may press, it is a child's if all their panels are.
    """
    if not shown.drivers or not all(map(s.is_childs, shown.drivers)):
        return None
    known = s.reading is not None and s.reading.screen == shown.screen
    return s.reading if known else Reading(shown.screen, s.t)


def _motion(s: Session) -> Motion:
    return Motion(
        since=s.mode.shown_since(s),
        bar=s.fingers.bar(s.joined) if s.fingers.down else None,
        notice=NOTHING if s.whisper is None else s.whisper.text,
        notices=tuple([text for _, text in s.notices]),
        noticed=s.noticed,
        read_since=None if s.reading is None else s.reading.since,
    )


def _wake_at(s: Session, counts_from: float | None) -> float | None:
    """Return when time itself changes something next, None if it never does."""
    whisper = s.whisper.until if s.whisper is not None else None
    fingers = s.fingers.wake_at(s.t) if s.fingers.down else None
    counts = counts_from if counts_from is not None and counts_from > s.t else None
    deaf = s.deaf_until if s.deaf_until > s.t else None
    wishes = (s.mode.wake_at(s), fingers, whisper, counts, deaf, _glow_at(s))
    return min([wish for wish in wishes if wish is not None], default=None)


def _glow_at(s: Session) -> float | None:
    """Return when a longer rest makes the screen glow in another way."""
    if s.resting_since is None:
        return None
    after = next_glow(s.t - s.resting_since)
    return None if after is None else s.resting_since + after
