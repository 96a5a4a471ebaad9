"""What a screen says in words, for who can't see it, and what of it is new. No voice, no page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pi_app.screens.screen import (
    NOTHING,
    BoardScreen,
    Curve,
    Message,
    Pattern,
    Podium,
    QrScreen,
    Screen,
    Seat,
    Text,
    TextScreen,
    message,
)
from pi_app.table.core.state import Session
from pi_app.texts.language import ENGLISH, Language
from pi_app.texts.words import PATTERNS, keys_line, position_in_list

ASLEEP = message("asleep")


class Aside(NamedTuple):
    """A line that is shown for a moment, and until when: the same line may come again."""

    words: str
    until: float


class Speech(NamedTuple):
    """What there is to hear at a moment: the screen's words, an aside, what the devices say.

    parts: the words, the heading first; none of a screen that stands for a moment only.
    """

    parts: tuple[str, ...] = ()
    aside: Aside | None = None
    notices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The screen's words as one line."""
        return "; ".join(self.parts)


SILENCE = Speech()


def speech_of(session: Session, screen: Screen, language: Language) -> Speech:
    """Return what there is to hear of a session and its screen, in the words of a language."""
    if session.glow.level == "dark":
        parts: tuple[str, ...] = (language.say(ASLEEP, "page"),)
    else:
        parts = () if _is_passing(screen) else tuple(_parts(screen, language))
    whisper = session.whisper
    aside = None if whisper is None else Aside(language.say(whisper.text, "page"), whisper.until)
    return Speech(parts, aside, tuple(language.say(text, "page") for _, text in session.notices))


def _is_passing(screen: Screen) -> bool:
    """Whether a screen is over before it could be heard."""
    return isinstance(screen, BoardScreen) and (
        screen.passing or any(die.tumbling for die in screen.dice)
    )


def new_words(before: Speech, now: Speech) -> str:
    """Return what is to be spoken after `before`, "" where nothing is new.

    It takes the place of what is being spoken, so after a new notice the words come again.
    """
    notices = [text for text in now.notices if text not in before.notices]
    aside = now.aside.words if now.aside and now.aside != before.aside else ""
    parts = _news_first(before.parts, now.parts) if notices or now.parts != before.parts else ()
    return "; ".join(filter(None, (aside, *notices, *parts)))


def _news_first(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of a screen: under the same heading those first that are new."""
    if before[:1] != now[:1]:
        return now
    return (
        *(part for part in now if part not in before),
        *(part for part in now if part in before),
    )


def screen_words(screen: Screen, language: Language = ENGLISH) -> str:
    """Return what a screen says as one line, for who can't see the panel's pixels."""
    return "; ".join(_parts(screen, language))


def _parts(screen: Screen, language: Language) -> Iterator[str]:
    """Yield what a screen says, the heading first."""
    for texts in _texts(screen):
        if said := " ".join(filter(None, (language.say(text, "page") for text in texts))):
            yield said


def _texts(screen: Screen) -> Iterator[tuple[Text | Seat, ...]]:
    """Yield what a screen says part by part; texts of one part are read as one."""
    match screen:
        case BoardScreen():
            yield (screen.heading,)
            yield (_lying(screen),)
            yield (screen.lead, *screen.words)
            yield (screen.note,)
            yield (message("the-best") if screen.star else NOTHING,)
            yield (screen.last,)
            yield from ((keys_line([key]),) for key in screen.keys)
        case TextScreen():
            yield (screen.title,)
            yield from ((line,) for line in _lines(screen))
            yield (screen.large,)
            yield from ((Seat(mark.seat), mark.text) for mark in screen.seats if mark.text)
            yield (screen.hint or keys_line(screen.keys),)
        case Podium():
            yield (screen.title,)
            yield (screen.line,)
            yield from ((Seat(mark.seat), mark.text) for mark in screen.seats)
            yield (keys_line(screen.keys),)
        case Curve():
            yield (screen.title,)
            yield from ((chance,) for chance in _best_chances(screen))
            yield (keys_line(screen.keys),)
        case QrScreen():
            yield (screen.lead, screen.text)
            yield (keys_line([screen.key]),)
        case Pattern():
            yield (PATTERNS[screen.picture],)


def _best_chances(screen: Curve[Text]) -> Iterator[Message]:
    """Yield how near to winning each seat came: `A 81 of 100 after turn 40`."""
    for seat in range(len(screen.chances[0]) if screen.chances else 0):
        chances = [(one[seat] or 0.0, -turn) for turn, one in enumerate(screen.chances, 1)]
        best, turn = max(chances)
        if best:
            chance = round(best * 100)
            yield message("best-chance", seat=Seat(seat), chance=chance, turn=-turn)


def _lying(screen: BoardScreen[Text]) -> Message:
    """Return the faces that were thrown; nothing while dice still tumble."""
    if not screen.dice or any(die.tumbling for die in screen.dice):
        return NOTHING
    return message("dice-are", faces=tuple(die.face for die in screen.dice))


def _lines(page: TextScreen[Text]) -> tuple[Text, ...]:
    """Return a page's lines; of those that one chooses from, the chosen one and which it is."""
    if page.chosen is None:
        return page.lines
    return page.lines[page.chosen], position_in_list(page.chosen, len(page.lines))
