"""What the lit chamber is told: the session's state as wishes. Sends nothing."""

from dataclasses import replace

from pi_app.input.events import DrawnBy, Wishes
from pi_app.table.core.state import Session
from pi_app.table.modes.care.self_test import Pressing
from pi_app.table.modes.play.play import THROWING
from pi_app.table.modes.play.thrown import Thrown
from rules.actions import Throw

TEST_KEY = -1  # no moment: a press of a self test's dome never throws, however late it comes


def wishes(s: Session) -> Wishes:
    """Return what the chamber should do now: show the throw on the table, or let a seat throw.

    While the screen is dark a press only wakes it, so no chamber may throw its own dice by one.
    """
    return replace(_wishes(s), test=s.tests)


def _wishes(s: Session) -> Wishes:
    if isinstance(s.mode, Pressing):
        return Wishes(TEST_KEY, "press", seat=s.mode.menu_before.driver)
    mode: DrawnBy = "roll" if s.setup.rolls and s.glow.level != "dark" else "press"
    if s.record is None:
        return Wishes(s.moment, mode)
    game, faces = s.record.game, shown(s)
    counts_from = s.mode.dome_counts_from(s)
    counts = counts_from is not None and s.t >= counts_from and (mode == "press" or throws(s))
    seat = game.seat if counts else None
    if faces:
        return Wishes(s.moment, mode, len(faces), faces, s.throws, seat)
    return Wishes(s.moment, mode, game.dice, seat=seat)


def throws(s: Session) -> bool:
    """Whether a press of the dome would throw, and not step back."""
    return s.forced is not None or s.playing.game.phase in THROWING


def shown(s: Session) -> tuple[int, ...]:
    """Return the faces of the throw on the table, or of the last one while the dome is deaf."""
    if isinstance(s.mode, Thrown):
        return s.mode.faces
    if s.playing.game.throw or s.t >= s.deaf_until:
        return s.playing.game.throw
    actions = (done.action for done in reversed(s.playing.past))
    return next((action.faces for action in actions if isinstance(action, Throw)), ())
