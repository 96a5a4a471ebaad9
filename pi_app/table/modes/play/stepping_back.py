"""The dome steps back to the choice before, or counts a die down. Throws nothing."""

from pi_app.table.core.state import SEATS, Change, Mode, Session

STEPPED_OK_S = 0.4  # after the dome has stepped back, OK does not count for so long,
STEPPED_THROW_S = 1.0  # and the dome does not throw


def dome_steps_back(session: Session) -> bool:
    """Whether the dome can step back or count down: a chamber that throws by itself can't."""
    return session.dome and not (session.setup.rolls and session.lit)


def step_back(session: Session, mode: Mode) -> Change:
    """Return the change of a press of the dome that steps back, or counts down, to a mode.

    A second press by mistake throws nothing, and an OK already held confirms nothing.
    """
    return session.lead_to(
        mode,
        pressed=session.playing.game.seat,
        ok_deaf=(session.t + STEPPED_OK_S,) * len(SEATS),
        throws_from=session.t + STEPPED_THROW_S,
        fingers=session.fingers.spend(),
    )
