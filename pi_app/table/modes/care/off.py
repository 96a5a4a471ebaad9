"""The screens of switching off: the countdown and the last page. Cuts no power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pi_app.screens.screen import KeyHint, Text, TextScreen, message
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.telling.last_pages import SWITCHING_OFF


@dataclass(frozen=True, slots=True)
class SwitchingOff(Mode):
    """The referee is switching off. Presses no longer count."""

    off: ClassVar[bool] = True

    def joined(self, session: Session) -> tuple[int, ...]:
        return ()

    def whose(self, session: Session) -> str:
        return ""

    def dome(self, session: Session) -> Change:
        return Change(session)

    def screen(self, session: Session) -> TextScreen[Text]:
        return SWITCHING_OFF


def countdown_screen(seconds: int) -> TextScreen[Text]:
    """Return the screen during the hold that switches off. seconds: how long it must still last."""
    return TextScreen(
        message("ask-switch-off"),
        (),
        (KeyHint(message("press-let-go"), message("do-no")),),
        large=str(seconds),
    )
