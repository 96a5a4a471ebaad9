"""The wishes for the lit chamber, made from the session. Sends nothing."""

from pi_app.model.events import DrawnBy, Wishes
from pi_app.table.core.state import Session
from pi_app.table.modes.care.self_test import PressesStep
from pi_app.table.modes.play.play import THROWING
from pi_app.table.modes.play.showing_throw import ShowingThrow
from rules.actions import Throw

TEST_KEY = -1  # never a moment, so that a late press from a self test never throws


def wishes_of(session: Session) -> Wishes:
    """Return what the chamber should do now: show the throw on the table, or let a seat throw.

    On a dark screen the mode is "press": a press only wakes it, so the chamber must not throw.
    """
    tests = session.tests
    if isinstance(session.mode, PressesStep):
        return Wishes(TEST_KEY, "press", seat=session.mode.driver, test=tests)
    shells = session.record is not None and session.rules.throws_shells
    rolls = session.setup.rolls and session.glow.level != "dark" and not shells
    mode: DrawnBy = "roll" if rolls else "press"
    if session.record is None:
        return Wishes(session.moment, mode, test=tests)
    # The chamber has no shells: its dome throws them, but its dice stay dark.
    game, faces = session.record.game, () if shells else shown_faces(session)
    counts_from = session.mode.dome_counts_from(session)
    throws = session.forced is not None or game.phase in THROWING
    counts = counts_from is not None and session.t >= counts_from
    seat = game.seat if counts and (mode == "press" or throws) else None
    if faces:
        return Wishes(session.moment, mode, len(faces), faces, game.throws, seat, tests)
    return Wishes(session.moment, mode, game.dice, seat=seat, test=tests)


def shown_faces(session: Session) -> tuple[int, ...]:
    """Return the faces of the throw on the table, or of the last one while the dome is deaf."""
    if isinstance(session.mode, ShowingThrow):
        return session.mode.faces
    if session.playing.game.throw or session.t >= session.deaf_until:
        return session.playing.game.throw
    actions = (done.action for done in reversed(session.playing.past))
    return next((action.faces for action in actions if isinstance(action, Throw)), ())
