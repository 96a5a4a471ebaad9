"""A press that the journal could not record: players try again or play on unsaved."""

from dataclasses import dataclass, replace

from pi_app.model.events import Tone
from pi_app.model.parts import Fault
from pi_app.model.screens import KeyHint, Text, TextScreen, message
from pi_app.table.core.state import Change, Mode, Session
from pi_app.texts.words import FAULT_REMEDIES, FAULTS


@dataclass(frozen=True, slots=True)
class RefusedPress(Mode):
    """The journal has refused a press, so the press did nothing.

    A short press tries again. A hold of OK on any panel lets rows wait in memory.
    """

    fault: Fault
    back: Mode  # in which the press was made

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.back.joined(session)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.setup.panels if session.record is None else self.joined(session)

    def whose(self, session: Session) -> Text:
        return message("first-tap") if self.has_one_button(session) else message("first-ok")

    def holds_ok(self, session: Session, seat: int) -> bool:
        return True

    def ok(self, session: Session, seat: int) -> Change:
        change = self.back.pass_time(session.enter_mode(self.back))
        return Change(change.session, change.rows, change.draw, (Tone(seat, "press"),))

    def next(self, session: Session, seat: int) -> Change:
        return self.ok(session, seat)

    def menu(self, session: Session, seat: int) -> Change:
        return self.ok(session, seat)

    def hold_ok(self, session: Session, seat: int) -> Change:
        """Let rows wait in memory, and do what a short press does."""
        noticed = session.with_notice("journal", message("not-saved", why=FAULTS[self.fault]))
        return self.ok(replace(noticed, unsaved=True), seat)

    def screen(self, session: Session) -> TextScreen[Text]:
        one_button = self.has_one_button(session)
        why, remedy = FAULT_REMEDIES[self.fault]
        choice = message("hold-plays-on") if one_button else message("hold-ok-plays-on")
        press = message("press-tap") if one_button else message("press-ok-or-next")
        lines = (remedy, message("press-not-taken"), choice)
        return TextScreen(why, lines, (KeyHint(press, message("do-try-again")),))
