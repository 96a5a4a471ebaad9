"""What the menu shows of the referee: the address of its page, and the version of the program."""

from dataclasses import dataclass
from textwrap import wrap

from pi_app.model.screens import QrScreen, Screen, Text, TextScreen, message
from pi_app.settings.addresses import qr_text
from pi_app.table.core.state import Session
from pi_app.table.modes.menu.menu import BACK, FromMenu, Looking
from pi_app.texts.words import next_key
from rules.game import Phase

HOST_LETTERS = 20  # of any width fit in a line of the small font


def has_page(session: Session) -> bool:
    return session.setup.page is not None


@dataclass(frozen=True, slots=True)
class ShowingAddress(Looking):
    """Shows the spectators' page as a code and a name to type, after a game that game's page."""

    def screen(self, session: Session) -> Screen:
        address = session.setup.page
        assert address is not None  # otherwise nothing opens this mode
        title = message("watch-by-phone")
        if address.number == "":
            return self.text_screen(session, title, (message("page-has-no-network"),))
        if address.known:
            text = f"{address.host} {address.number or ''}".rstrip()
            code = qr_text(address, newest_game=session.phase is Phase.OVER)
            key = next_key(self.has_one_button(session), BACK)
            return QrScreen(code, message("scan-or-type"), text, key)
        lines = wrap(address.host, HOST_LETTERS, break_on_hyphens=False)
        number = (address.number,) if address.number else ()
        return self.text_screen(session, title, (message("type-in-a-browser"), *lines, *number))


@dataclass(frozen=True, slots=True)
class ShowingVersion(FromMenu):
    """Shows the version, for who asks for help or wants to upgrade."""

    def screen(self, session: Session) -> TextScreen[Text]:
        line = message("referee-and-version", version=session.setup.version)
        return self.text_screen(session, message("version"), (line,))
