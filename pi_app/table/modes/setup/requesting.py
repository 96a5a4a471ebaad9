"""What the menu asks of the units beside the referee: a question, a wait and the answer."""

from dataclasses import dataclass

from pi_app.model.events import Answer, Request
from pi_app.model.screens import Message, Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import Looking

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
