"""The version of the program, for who asks for help or wants to upgrade."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.screens.screen import Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import FromMenu
from pi_app.texts.words import next_key, question_title


def has_version(session: Session) -> bool:
    """Whether the referee knows its version."""
    return bool(session.setup.version)


@dataclass(frozen=True, slots=True)
class ShowingVersion(FromMenu):
    """Shows the version until a press leads back to the menu."""

    def ok(self, session: Session, seat: int) -> Change:
        return self.go_back(session)

    def screen(self, session: Session) -> TextScreen[Text]:
        driver = self.menu_before.driver
        key = next_key(session.has_one_button(driver), message("do-back"))
        line = message("referee-and-version", version=session.setup.version)
        return TextScreen(question_title(driver, message("version")), (line,), (key,))
