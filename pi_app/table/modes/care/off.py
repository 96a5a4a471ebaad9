"""Switching off: counted down while a finger holds, then said. Cuts no power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pi_app.screens.screen import KeyHint, Text, TextScreen, message
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.telling.last_pages import SWITCHING_OFF


@dataclass(frozen=True, slots=True)
class SwitchingOff(Mode):
    """The table closes and the computer goes off; no press counts any more."""

    off: ClassVar[bool] = True

    def joined(self, session: Session) -> tuple[int, ...]:
        return ()

    def whose(self, session: Session) -> str:
        return ""

    def dome(self, session: Session) -> Change:
        return Change(session)

    def screen(self, session: Session) -> TextScreen[Text]:
        return SWITCHING_OFF


def counting_down(seconds: int) -> TextScreen[Text]:
    """Return what is shown while a finger holds: how many seconds it must still hold."""
    return TextScreen(
        message("ask-switch-off"),
        (),
        (KeyHint(message("press-let-go"), message("do-no")),),
        large=str(seconds),
    )
