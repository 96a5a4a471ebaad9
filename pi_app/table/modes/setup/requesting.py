"""What the menu shows and asks of the referee beside the game: its page, version and requests."""

from dataclasses import dataclass
from textwrap import wrap

from pi_app.model.events import Answer, Request
from pi_app.model.screens import Message, QrScreen, Screen, Text, TextScreen, message
from pi_app.settings.addresses import qr_text
from pi_app.table.core.state import Change, Session
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


MOMENT = message("one-moment")
RESTART = (message("referee-restarts"), message("game-is-kept"))
RESTARTING = (MOMENT, *RESTART)
# What is asked before a request, what OK will do, and what is shown until the answer.
WORDS: dict[Request, tuple[Message, tuple[Message, ...], tuple[Message, ...]]] = {
    "page-on": (message("ask-page-on"), (message("phones-can-watch"), *RESTART), RESTARTING),
    "page-off": (message("ask-page-off"), RESTART, RESTARTING),
    "backup": (
        message("ask-backup"),
        (message("put-a-stick-in"),),
        (MOMENT, message("leave-the-stick-in")),
    ),
    "restore": (
        message("ask-restore"),
        (message("put-the-backup-in"),),
        (MOMENT, message("referee-restarts")),
    ),
}


@dataclass(frozen=True, slots=True)
class Requesting(Looking):
    """Asks before a request is made, then shows what becomes of it.

    made_at: when OK made the request, None before. answer: None until it comes.
    """

    request: Request
    made_at: float | None = None
    answer: Answer | None = None

    def ok(self, session: Session, seat: int) -> Change:
        if self.made_at is None:
            return session.lead_to(self.touched(session, made_at=session.t))
        return Change(session) if self.answer is None else self.go_back(session)

    def screen(self, session: Session) -> TextScreen[Text]:
        title, before, during = WORDS[self.request]
        if self.made_at is None:
            return self.text_screen(session, title, before, message("do-no"), message("do-yes"))
        if self.answer is None:
            return self.text_screen(session, title, during)
        line = message(f"answer-{self.answer.result}")
        if self.answer.result == "done":
            line = message("answer-done", count=self.answer.games)
        return self.text_screen(session, title, (line,))
