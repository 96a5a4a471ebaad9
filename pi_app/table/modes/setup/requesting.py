"""What the menu asks of the units beside the referee: a question, a wait and the answer."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from pi_app.model.events import Answer, Request
from pi_app.model.screens import Message, Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import LOOK_S, FromMenu


class RequestWords(NamedTuple):
    """What is asked before a request, what OK will do, and what is shown until the answer."""

    question: Message
    before: tuple[Message, ...]
    during: tuple[Message, ...]


MOMENT = message("one-moment")
RESTART = (message("referee-restarts"), message("game-is-kept"))
WORDS: dict[Request, RequestWords] = {
    "page-on": RequestWords(
        message("ask-page-on"), (message("phones-can-watch"), *RESTART), (MOMENT, *RESTART)
    ),
    "page-off": RequestWords(message("ask-page-off"), RESTART, (MOMENT, *RESTART)),
    "backup": RequestWords(
        message("ask-backup"), (message("put-a-stick-in"),), (MOMENT, message("leave-the-stick-in"))
    ),
    "restore": RequestWords(
        message("ask-restore"),
        (message("put-the-backup-in"),),
        (MOMENT, message("referee-restarts")),
    ),
}


@dataclass(frozen=True, slots=True)
class Requesting(FromMenu):
    """Asks before a request is made, then shows what becomes of it.

    made_at: when OK made the request, None before. answer: None until it comes.
    """

    stays_s: ClassVar[float] = LOOK_S

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
