"""The score of the evening: how many games each has won. Counts nothing."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.screens.screen import Text, TextScreen, message
from pi_app.settings.evening import Evening
from pi_app.settings.settings import EVENING
from pi_app.table.core.acting import clock_of
from pi_app.table.core.state import BOT_NAME, Change, Session
from pi_app.table.modes.menu.menu import FromMenu
from pi_app.texts.words import hold_key, next_key, question_title

ROWS = 5  # small lines on a page
SHOWN = 2 * ROWS
BOXES = message("boxes-score")


@dataclass(frozen=True, slots=True)
class Scores(FromMenu):
    """NEXT goes back, holding OK begins a new score."""

    def holds_ok(self, session: Session, seat: int) -> bool:
        return True

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-to-begin-anew"))

    def hold_ok(self, session: Session, seat: int) -> Change:
        anew = session.set(EVENING, Evening(clock_of(session)))
        return Change(anew.into(self.touched_menu(session)))

    def screen(self, session: Session) -> TextScreen[Text]:
        driver = self.menu_before.driver
        only = session.only(driver)
        does = next_key(only, message("do-back")), hold_key(only, message("do-from-0"))
        title = question_title(driver, message("games-won"))
        return TextScreen(title, standings(session.settings.get(EVENING)), does)


def standings(evening: Evening) -> tuple[Text, ...]:
    """Return the scores as lines, the best first: `LUC: 2 of 3`; two a line where they are many."""
    best = sorted(evening.scores, key=lambda score: (-score.wins, score.games, score.who))
    texts = [
        message("won-of", who=BOXES if who == BOT_NAME else who, wins=wins, games=games)
        for who, wins, games in best[:SHOWN]
    ]
    if len(texts) <= ROWS:
        return tuple(texts)
    pairs = (texts[n : n + 2] for n in range(0, len(texts), 2))
    return tuple(message("two-columns", left=p[0], right=p[-1]) if p[1:] else p[0] for p in pairs)
