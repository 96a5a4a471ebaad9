"""The language of the table: players choose it in the menu, and at the first start."""

from dataclasses import dataclass, replace

from pi_app.model.events import Tone
from pi_app.model.screens import Text, TextScreen, message
from pi_app.settings.offers import EDITIONS, has_printed_numbers, own_edition
from pi_app.settings.settings import LANGUAGE, NUMBERS
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.menu.menu import LineList, Menu
from pi_app.table.modes.setup.joining import Joining
from pi_app.texts.language import ENGLISH_CODE
from pi_app.texts.words import keys, question_title

UNTOUCHED_S = 60.0  # after which the first start goes on in English

TITLE = message("menu-language")


def can_choose_language(session: Session) -> bool:
    return len(session.setup.languages) > 1


def language_words(session: Session) -> Text:
    names = {language.code: language.name for language in session.setup.languages}
    return names.get(session.settings.get(LANGUAGE) or ENGLISH_CODE, "")


def choose_language(menu: Menu, session: Session) -> Change:
    codes = [language.code for language in session.setup.languages]
    code = session.settings.get(LANGUAGE) or ENGLISH_CODE
    index = codes.index(code) if code in codes else 0
    return session.lead_to(ChoosingLanguage(menu, index=index))


@dataclass(frozen=True, slots=True)
class ChoosingLanguage(LineList):
    def lines(self, session: Session) -> dict[str, str]:
        return {language.code: language.name for language in session.setup.languages}

    def choose(self, session: Session, code: str) -> Change:
        return Change(session.set(LANGUAGE, code), tones=(Tone(self.driver, "press"),))

    def title(self, session: Session) -> Text:
        return question_title(self.driver, TITLE)


@dataclass(frozen=True, slots=True)
class AskingLanguage(Mode):
    """The first screen of a new referee: any panel's NEXT goes on, and OK chooses.

    The screen is in the language that is marked. back: the mode that follows. touched_at: when NEXT
    was last pressed, None before the first event.
    """

    back: Mode
    index: int = 0
    touched_at: float | None = None

    def joined(self, session: Session) -> tuple[int, ...]:
        return ()

    def chosen_rules(self, session: Session) -> str:
        return self.back.chosen_rules(session)

    def language(self, session: Session) -> str:
        return session.setup.languages[self.index].code

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.setup.panels

    def ok(self, session: Session, seat: int) -> Change:
        return Change(self._choose(session, self.language(session)), tones=(Tone(seat, "press"),))

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(session.setup.languages)
        return session.lead_to(replace(self, index=following, touched_at=session.t))

    def wake_at(self, session: Session) -> float:
        return (session.t if self.touched_at is None else self.touched_at) + UNTOUCHED_S

    def pass_time(self, session: Session) -> Change:
        if self.touched_at is None:
            return session.lead_to(replace(self, touched_at=session.t))
        is_due = session.t >= self.wake_at(session)
        return Change(self._choose(session, ENGLISH_CODE) if is_due else session)

    def screen(self, session: Session) -> TextScreen[Text]:
        only = self.has_one_button(session)
        hints = keys(only, message("do-other"), message("do-this-one"))
        names = tuple(language.name for language in session.setup.languages)
        return TextScreen(TITLE, names, hints, chosen=self.index)

    def resting(self, session: Session) -> bool:
        return True

    def _choose(self, session: Session, code: str) -> Session:
        after = session.set(LANGUAGE, code)
        own = EDITIONS.get(own_edition(after.settings, session.setup))
        is_open = not {**session.settings.first, **session.settings.kept}.get(NUMBERS.key)
        if own and has_printed_numbers(own) and is_open:
            numbered = after.set(NUMBERS, "on")
            after = numbered.with_notice(NUMBERS.key, message("a-is-yellow"))
        is_joining = isinstance(self.back, Joining)
        return after.enter_mode(Joining(after.next_rules) if is_joining else self.back)
