"""The screen with the score of the evening: how many games each player has won."""

from dataclasses import dataclass
from typing import ClassVar

from pi_app.model.screens import Message, Text, TextScreen, message
from pi_app.settings.evening import SIDE_SIGN, Evening
from pi_app.settings.settings import EVENING
from pi_app.table.core.acting import clock_of
from pi_app.table.core.seats import BOT_NAME
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import Confirm
from pi_app.texts.words import hold_key, next_key, question_title

LINES = 5  # of the small font on a page
MOST_SCORES = 2 * LINES
BOTS = message("bots-score")


@dataclass(frozen=True, slots=True)
class Scores(Confirm):
    """Shows the score. NEXT goes back; a hold of OK begins a new score."""

    too_short: ClassVar[Message] = message("hold-to-begin-anew")

    def hold_ok(self, session: Session, seat: int) -> Change:
        after = session.set(EVENING, Evening(clock_of(session)))
        return after.lead_to(self.touched_menu(session))

    def screen(self, session: Session) -> TextScreen[Text]:
        only = self.has_one_button(session)
        hints = next_key(only, message("do-back")), hold_key(only, message("do-from-0"))
        title = question_title(self.driver, message("games-won"))
        return TextScreen(title, score_lines(session.settings.get(EVENING)), hints)


def score_lines(evening: Evening) -> tuple[Text, ...]:
    """Return the scores as lines, the best first: `LUC: 2 of 3`. More than LINES share lines."""
    best = sorted(evening.scores, key=lambda score: (-score.wins, score.games, score.who))
    texts = [
        message("won-of", who=_player_words(who), wins=wins, games=games)
        for who, wins, games in best[:MOST_SCORES]
    ]
    if len(texts) <= LINES:
        return tuple(texts)
    pairs = (texts[n : n + 2] for n in range(0, len(texts), 2))
    return tuple(
        message("two-columns", left=pair[0], right=pair[-1]) if pair[1:] else pair[0]
        for pair in pairs
    )


def _player_words(who: str) -> Text:
    """Return the name above a score: of a player, of the bots or of a side's two players."""
    names = [BOTS if name == BOT_NAME else name for name in who.split(SIDE_SIGN)]
    return message("side", one=names[0], other=names[1]) if names[1:] else names[0]
