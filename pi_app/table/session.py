"""The table's core: `handle(session, event)` returns the next session and what devices must do.

It is pure: no clock, no randomness, no device. Each mode decides what its screen does:

    event --> pass_time --> what the event is to the session --> follow_up --> Reply
              holds and     Down, Up     a gesture, which the mode answers
              modes that    DiceDrawn    a throw, which becomes a row
              end now       others       news: a notice, an answer, the clock

    AskingLanguage --> Joining --> Playing <--> ShowingThrow
                          ^        |   ^
                          |        v   |
                          '-- menu, questions, corrections, RefusedPress, SwitchingOff

An action that the journal refuses has not happened; `refuse_press` returns the reply for that.
"""

from dataclasses import dataclass, replace
from typing import Any

from pi_app.model import events
from pi_app.model.history import Row
from pi_app.model.parts import Fault
from pi_app.model.screens import AWAKE, NOTHING, Glow, Motion, Screen, message, next_glow
from pi_app.settings.offers import offered_first
from pi_app.settings.settings import LANGUAGE, Put, Settings
from pi_app.table.core import state
from pi_app.table.core.acting import follow_up
from pi_app.table.core.advice import next_question, take_answer
from pi_app.table.core.clocks import run_clocks, strike, wake_at
from pi_app.table.core.gestures import Conditions, Gesture, Touch
from pi_app.table.core.state import SEATS, Change, ChildReading, Session, ToGame, ToJoining, ToMenu
from pi_app.table.modes.care.ending import SwitchingOff, countdown_screen
from pi_app.table.modes.care.walking import resume_game
from pi_app.table.modes.play.play import THROWING, Playing, confirm_forced, record_dice
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.play.typed_dice import type_throw, types_every_throw
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.modes.setup.languages import AskingLanguage
from pi_app.table.modes.setup.requesting import Requesting
from pi_app.table.modes.whole_menu import WholeMenu
from pi_app.table.wishes import wishes_of
from pi_app.texts.words import button_name
from rules.actions import Throw
from rules.game import Phase
from rules.history import TYPED, WaitingThrow

SAVED_S = 2.0  # long enough to read


def new_session(setup: events.Setup, settings: Settings = state.NO_SETTINGS) -> Session:
    joining = Joining(offered_first(settings, setup))
    asks = setup.asks_language and len(setup.languages) > 1 and not settings.get(LANGUAGE)
    return Session(setup, AskingLanguage(joining) if asks else joining, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the loop carries out: it commits `rows` and `puts` first, then shows, lights and sounds.

    draw: how many dice the loop must draw now; it then hands in `DiceDrawn` at once. motion: how
    the screen moves. wake_at: when the loop must hand in a `Tick`, None for never. glow: how bright
    the screen is. number: of the game in the journal, for those who watch; None if it is not there.
    """

    session: Session
    screen: Screen
    motion: Motion
    lamps: state.Lamps
    rows: tuple[Row, ...] = ()
    puts: tuple[Put, ...] = ()
    draw: int = 0
    tones: tuple[events.Tone, ...] = ()
    wake_at: float | None = None
    glow: Glow = AWAKE
    number: int | None = None


def handle(session: Session, event: events.Event) -> Reply:
    """Return the session after an event, with all that must be done about it."""
    t = max(event.t, session.t)
    if isinstance(event, events.DiceDrawn):  # its gesture came before all other holds
        change = _take_event(session, event)
        change = _after(change, _pass_time(change.session, t))
    else:
        change = _pass_time(session, t)
        if not isinstance(event, events.Tick):
            change = _after(change, _take_event(change.session, event))
        elif not change.rows and not change.draw:  # a clock's row is the only one of its event
            change = _after(change, strike(change.session))
    return _reply(session, follow_up(session, change))


def refuse_press(session: Session, reply: Reply, fault: Fault) -> Reply:
    """Return what replaces a reply whose rows the journal has refused.

    session: the one before the reply. A throw among the rows is kept for its seat. Fingers that are
    still down have no more effect.
    """
    t = reply.session.t
    after = replace(
        session,
        t=t,
        fingers=reply.session.fingers.spend(),
        whisper=None,
        ok_deaf=(t + state.OK_DEAF_S,) * len(SEATS),
        held=_hold_throw(session, reply),
    )
    tones = (events.Tone(None, "refused"),)
    refused = after.enter_mode(RefusedPress(fault, session.mode))
    return _reply(session, Change(refused, tones=tones))


def _hold_throw(session: Session, reply: Reply) -> tuple[WaitingThrow, ...]:
    """Return the throws that are held after a reply is refused, one of them with its new dice.

    Typed dice are still on the table, so they are typed in again.
    """
    record, held = reply.session.record, session.held
    for row in reply.rows:
        if record is not None and isinstance(row.entry, Throw) and row.source != TYPED:
            seat, known = record.told[-1].seat, record.told[-1].again
            if not known and all(other.seat != seat for other in held):
                held = (*held, WaitingThrow(seat, row.entry, row.source))
    return held


def _take_event(session: Session, event: events.Event) -> Change:
    panels = (None, *session.setup.panels)  # None: the dome and the power button
    match event:
        case events.Down(button) if button.seat in panels:
            return _press_button(session, event)
        case events.StillDown():
            return _move_finger(session, event)
        case events.Up(button):
            return _move_finger(session.with_notice(_notice_key(button), None), event)
        case events.Stuck(button) if button.seat in panels:
            # Its finger is forgotten, so that it has no effect until the button is released.
            name = button_name(button, session.setup.has_one_button(button.seat))
            noticed = session.with_notice(_notice_key(button), message("is-stuck", button=name))
            return _move_finger(noticed, event)
        case events.DiceDrawn():
            return record_dice(session, event)
        case events.ChamberLine():
            return Change(replace(session, lit=event.up))
        case events.ChamberPress():
            return _press_lit_dome(session, event)
        case events.ChamberRolled():
            return _take_roll(session, event)
    return _take_news(session, event)


def _take_news(session: Session, event: events.Event) -> Change:
    match event:
        case events.Notice(device, text):
            return Change(session.with_notice(device, text))
        case events.RowsSaved():
            whisper = state.Whisper(message("saved-again"), session.t + SAVED_S, stays=True)
            saved = session.with_notice("journal", None)
            return Change(replace(saved, unsaved=False, whisper=whisper))
        case events.PartChecked(finding):
            others = (other for other in session.findings if other.part != finding.part)
            return Change(replace(session, findings=(*others, finding)))
        case events.Resume():
            change = resume_game(session, event, WholeMenu)
            if isinstance(session.mode, AskingLanguage) and event.record.game.phase is Phase.OVER:
                asking = replace(session.mode, back=change.session.mode)
                return Change(change.session.enter_mode(asking))
            return change
        case events.PageNumber(number) if (page := session.setup.page) is not None:
            setup = replace(session.setup, page=page._replace(number=number))
            return Change(replace(session, setup=setup))
        case events.RequestAnswered(answer, made_at):
            mode = session.mode
            if isinstance(mode, Requesting) and mode.made_at == made_at:  # else nobody waits for it
                session = session.enter_mode(mode.touched(session, answer=answer))
            return Change(session)
        case events.ClockRead():
            return Change(replace(session, wall=event))
        case events.AdviceGiven(question, answer):
            if question == next_question(session):  # else it is too late
                session = take_answer(session, question, answer)
            return Change(session)
    return Change(session)


def _wake(session: Session) -> Session:
    """Light a dark screen. Nobody has read it yet, so OK and presses from before do not count."""
    deaf = (session.t + state.OK_DEAF_S,) * len(SEATS)
    return replace(session, resting_since=session.t, moment=session.moment + 1, ok_deaf=deaf)


def _press_button(session: Session, event: events.Down) -> Change:
    if session.glow.level == "dark":
        session = _wake(session)
        if event.button.kind != "power":  # a hold of 3 s is deliberate, dark or not
            return _move_finger(session, event)
    session = session.mode.pressed_now(session, event.button)
    return _move_finger(session, event, _conditions(session, event.button.seat))


def _conditions(session: Session, seat: int | None) -> Conditions:
    """Return what decides the gestures of a press by this seat, None: without a seat."""
    if seat is None:
        return Conditions(off="power-off" in session.setup.requests)
    mode, is_deaf = session.mode, session.t < session.ok_deaf[seat]
    return Conditions(
        one_button=session.setup.has_one_button(seat),
        is_childs=session.seats.is_childs(seat),
        holds_ok=mode.holds_ok(session, seat) and mode.may_press(session, seat),
        hold_s=mode.hold_ok_s,
        ignores_ok=is_deaf,
        ignores_ok_holds=is_deaf and not isinstance(mode, Joining),
    )


def _move_finger(session: Session, event: Touch, now: Conditions | None = None) -> Change:
    """Return the change that a finger on a button makes, when it goes down, stays or is lifted."""
    fingers, gesture = session.fingers.take(event, now)
    return _take_gesture(replace(session, fingers=fingers), gesture)


def _notice_key(button: events.Button) -> str:
    return f"{button.kind}.{button.seat}"


def _press_lit_dome(session: Session, event: events.ChamberPress) -> Change:
    """Press the dome of the lit chamber, which counts only for the wishes that armed it."""
    if event.arm != wishes_of(session).key:
        return Change(session)
    if session.glow.level == "dark":
        return Change(_wake(session))
    change = session.mode.dome(session)
    rows = (
        replace(row, boot=event.boot, n=event.n) if isinstance(row.entry, Throw) else row
        for row in change.rows
    )
    return replace(change, rows=tuple(rows))


def _take_roll(session: Session, event: events.ChamberRolled) -> Change:
    """Take the chamber's own dice, after the step that its dome confirms first, if any."""
    if event.arm != session.moment or not session.setup.rolls or session.rules.throws_shells:
        return Change(session)
    faces = events.DiceDrawn(event.faces, "chamber", event.t, event.boot, event.n)
    if session.forced is None:
        return record_dice(session, faces)
    counts_from = session.mode.dome_counts_from(session)
    if counts_from is None or session.t < counts_from:
        return session.refuse(message("a-moment"))
    confirmed = _after(Change(session), confirm_forced(session))
    return _after(confirmed, record_dice(confirmed.session, faces))


def _pass_time(session: Session, t: float) -> Change:
    """Do what time alone does: modes end by themselves and holds become due."""
    now = session if session.t == t else replace(session, t=t)
    if session.whisper is not None and session.whisper.until <= t:
        now = replace(now, whisper=None)
    change = _after(Change(now), session.mode.pass_time(now))
    while not change.draw:  # then the dice come first
        fingers, gesture = change.session.fingers.take(events.Tick(t))
        if gesture is None:
            break
        held = replace(change.session, fingers=fingers)
        change = _after(change, _take_gesture(held, gesture))
    return change


def _take_gesture(session: Session, gesture: Gesture | None) -> Change:
    if gesture is None:
        return Change(session)
    seat, name = gesture
    match name:
        case "off":
            return session.lead_to(SwitchingOff())
        case "off?":
            return session.refuse(message("hold-switch-off"))
        case "no-off":
            return session.refuse(message("can-not-switch-off"))
    if session.fingers.off_in(session.t) is not None:
        return Change(session)  # the countdown hides the screen that the gesture would answer
    if seat is None:
        return session.mode.dome(session)
    counts = session.mode.may_press(session, seat)
    if name == "ok" and isinstance(session.mode, Playing):
        counts = counts or session.mode.passes_on(session, seat)
    by_hold = session.setup.has_one_button(seat) and name == "ok"
    opens_menu = name == "menu" or (by_hold and not counts)
    if opens_menu and seat in session.joined:
        return session.mode.menu(session, seat)
    if opens_menu or not counts:
        return session.refuse(session.mode.whose(session))
    if name == "next":
        return session.mode.next(session, seat)
    change = session.mode.ok(session, seat) if name == "ok" else session.mode.hold_ok(session, seat)
    return _deafen_ok(session, change, seat)


def _deafen_ok(before: Session, change: Change, seat: int) -> Change:
    """Ignore OK for a moment after an OK that changed the question: nobody has read it yet.

    Fingers that are already on OK have no more effect. seat: who pressed. Where players join, only
    this seat's OK is ignored.
    """
    after = change.session
    if (after.mode is before.mode and after.record is before.record) or after.mode.quick:
        return change
    joins = isinstance(after.mode, Joining)
    deaf_seats, fingers = ((seat,), after.fingers) if joins else (SEATS, after.fingers.spend())
    until = before.t + state.OK_DEAF_S
    ok_deaf = tuple([until if other in deaf_seats else before.ok_deaf[other] for other in SEATS])
    ends_a_play = before.phase not in (None, *THROWING) and after.phase in THROWING
    deaf_until = max(after.deaf_until, until) if ends_a_play else after.deaf_until
    deafened = replace(after, ok_deaf=ok_deaf, deaf_until=deaf_until, fingers=fingers)
    return replace(change, session=deafened)


def _after(change: Change, after: Change) -> Change:
    """Return two changes, one after the other, as one.

    If the mode or the game changes, fingers on OK have no more effect and the whisper ends.
    """
    before, session = change.session, after.session
    mode = session.mode
    match mode:  # these three only name the mode to which they lead
        case ToGame(news, last, cheers):
            if session.settings.typed and types_every_throw(session):
                mode = type_throw(session, news, last)
            else:
                mode = Playing(session.t, news=news, last=last, cheers=cheers)
        case ToJoining(ruleset):
            mode = Joining(ruleset)
        case ToMenu(seat, back):
            mode = WholeMenu(seat, back, session.t)
    if type(mode) is not type(before.mode) or session.record is not before.record:
        whisper = session.whisper if session.whisper and session.whisper.stays else None
        session = session.enter_mode(mode, fingers=session.fingers.spend(), whisper=whisper)
    elif mode is not session.mode:
        session = session.enter_mode(mode)
    rows, tones = (*change.rows, *after.rows), (*change.tones, *after.tones)
    return Change(session, rows, after.draw or change.draw, tones)


def _reply(before: Session, change: Change) -> Reply:
    session = change.session
    rests = session.mode.resting(session) and not session.fingers.down and session.whisper is None
    since = session.resting_since if session.resting_since is not None else session.t
    drivers = session.mode.drivers(session)
    # A flat display turns only to a single driver, and not under a finger.
    turns = len(drivers) == 1 and not session.fingers.down
    facing = drivers[0] if turns else session.facing
    session = _with(session, resting_since=since if rests else None, facing=facing)
    session = run_clocks(session)
    shown = session.mode.show(session)
    seconds = session.fingers.off_in(session.t)
    screen = shown.screen if seconds is None else countdown_screen(seconds)
    reading = _reading(session, drivers, shown.screen) if seconds is None else None
    session = _with(session, forced=shown.forced, reading=reading)
    motion = Motion(
        since=session.mode.shown_since(session),
        bar=session.fingers.bar(session.joined) if session.fingers.down else None,
        notice=NOTHING if session.whisper is None else session.whisper.text,
        notices=tuple([text for _, text in session.notices]),
        noticed=session.noticed,
        read_since=None if session.reading is None else session.reading.since,
    )
    return Reply(
        session=session,
        screen=screen,
        motion=motion,
        lamps=shown.lamps,
        rows=change.rows,
        puts=session.settings.puts_after(before.settings),
        draw=change.draw,
        tones=change.tones,
        wake_at=_wake_at(session, shown.counts_from),
        glow=session.glow,
    )


def _with(session: Session, **fields: Any) -> Session:
    """Return the session with these fields: mostly the same object, which has them already."""
    changed = [name for name, value in fields.items() if getattr(session, name) != value]
    return replace(session, **fields) if changed else session


def _reading(session: Session, drivers: tuple[int, ...], screen: Screen) -> ChildReading | None:
    """Return since when a child has had this screen, or None if others drive it.

    A screen with several drivers counts as a child's if all their panels are children's.
    """
    if not drivers or not all(map(session.seats.is_childs, drivers)):
        return None
    known = session.reading is not None and session.reading.screen == screen
    return session.reading if known else ChildReading(screen, session.t)


def _wake_at(session: Session, counts_from: float | None) -> float | None:
    """Return when time alone next changes something, or None if it never does."""
    times = [session.mode.wake_at(session), wake_at(session)]
    if session.fingers.down:
        times.append(session.fingers.wake_at(session.t))
    if session.whisper is not None:
        times.append(session.whisper.until)
    if counts_from is not None and counts_from > session.t:
        times.append(counts_from)
    if session.deaf_until > session.t:
        times.append(session.deaf_until)
    if session.resting_since is not None:
        rest_s = next_glow(session.t - session.resting_since)
        times.append(None if rest_s is None else session.resting_since + rest_s)
    return events.earliest(*times)
