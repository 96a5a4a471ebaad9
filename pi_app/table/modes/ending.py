"""What the menu asks before it ends the game or switches the table off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pi_app.table.acting import act
from pi_app.table.gestures import OFF_S
from pi_app.table.modes.menu import Confirm
from pi_app.table.modes.off import SwitchingOff
from pi_app.table.screen import Page
from pi_app.table.state import Change, Session
from pi_app.table.texts.message import Text
from pi_app.table.words import letter
from rules.actions import End


@dataclass(frozen=True, slots=True)
class ConfirmEnd(Confirm):
    """The menu asks again before it ends the game: only holding OK does."""

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse("hold OK to end")

    def hold_ok(self, s: Session, seat: int) -> Change:
        return act(s, End())

    def screen(self, s: Session) -> Page[Text]:
        title = f"{letter(self.menu_before.driver)}: end game?"
        return Page(title, ("The game ends now.",), self.keys(s, "end"))


@dataclass(frozen=True, slots=True)
class ConfirmOff(Confirm):
    """The menu asks again before the table is switched off: only holding OK for 3 s does that."""

    hold_ok_s: ClassVar[float] = OFF_S

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse("hold OK to switch off")

    def hold_ok(self, s: Session, seat: int) -> Change:
        return Change(s.into(SwitchingOff()))

    def screen(self, s: Session) -> Page[Text]:
        title = f"{letter(self.menu_before.driver)}: shut down?"
        return Page(title, ("The game is kept.",), self.keys(s, "off"))
