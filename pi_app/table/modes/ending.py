"""What the menu asks before it ends the game or switches the table off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pi_app.table.acting import act
from pi_app.table.gestures import OFF_S
from pi_app.table.modes.menu import FromMenu
from pi_app.table.modes.off import SwitchingOff
from pi_app.table.screen import Page
from pi_app.table.state import Change, Session
from pi_app.table.words import letter
from rules.actions import End


@dataclass(frozen=True, slots=True)
class ConfirmEnd(FromMenu):
    """The menu asks again before it ends the game: only holding OK does."""

    def holds_ok(self, s: Session, seat: int) -> bool:
        return True

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse("hold OK to end")

    def hold_ok(self, s: Session, seat: int) -> Change:
        return act(s, End())

    def screen(self, s: Session) -> Page:
        driver = self.menu_before.driver
        hint = "tap: no, hold: end" if s.only(driver) else "NEXT: no, hold OK: end"
        return Page(f"{letter(driver)}: end game?", ("The game ends now.",), hint)


@dataclass(frozen=True, slots=True)
class ConfirmOff(FromMenu):
    """The menu asks again before the table is switched off: only holding OK for 3 s does that."""

    hold_ok_s: ClassVar[float] = OFF_S

    def holds_ok(self, s: Session, seat: int) -> bool:
        return True

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse("hold OK to switch off")

    def hold_ok(self, s: Session, seat: int) -> Change:
        return Change(s.into(SwitchingOff()))

    def screen(self, s: Session) -> Page:
        driver = self.menu_before.driver
        hint = "tap: no, hold: off" if s.only(driver) else "NEXT: no, hold OK: off"
        return Page(f"{letter(driver)}: shut down?", ("The game is kept.",), hint)
