"""The questions before the game ends and before the referee is switched off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pi_app.input.gestures import OFF_S
from pi_app.screens.screen import Text, TextScreen, message
from pi_app.table.core.acting import act
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.off import SwitchingOff
from pi_app.table.modes.menu.menu import Confirm
from pi_app.texts.words import question_title
from rules.actions import End


@dataclass(frozen=True, slots=True)
class ConfirmEnd(Confirm):
    """Asks before the game ends."""

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-to-end"))

    def hold_ok(self, session: Session, seat: int) -> Change:
        return act(session, End())

    def screen(self, session: Session) -> TextScreen[Text]:
        title = question_title(self.menu_before.driver, message("ask-end-game"))
        return TextScreen(title, (message("game-ends"),), self.keys(session, message("do-end")))


@dataclass(frozen=True, slots=True)
class ConfirmOff(Confirm):
    """Asks before the referee is switched off. OK must be held for 3 s."""

    hold_ok_s: ClassVar[float] = OFF_S

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-to-switch-off"))

    def hold_ok(self, session: Session, seat: int) -> Change:
        return Change(session.enter_mode(SwitchingOff()))

    def screen(self, session: Session) -> TextScreen[Text]:
        title = question_title(self.menu_before.driver, message("ask-off"))
        return TextScreen(title, (message("game-is-kept"),), self.keys(session, message("do-off")))
