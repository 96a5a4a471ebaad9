"""A screen in words for people who can't see it, and which words are new. No voice, no page."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pi_app.model import screens
from pi_app.model.screens import BoardScreen, Message, Screen, Seat, Text, message
from pi_app.table.core.state import Session
from pi_app.texts.language import ENGLISH, Language
from pi_app.texts.words import (
    PATTERNS,
    is_position_in_list,
    keys_line,
    position_in_list,
    shells_words,
    side_words,
)
from rules.board import SEATS

ASLEEP = message("asleep")
STOP = re.compile(r"[.,;]+$")
PAUSES = ("?", "!", ":")  # after these a voice pauses by itself


class Speech(NamedTuple):
    """What there is to hear at one moment: the screen's words, an aside, the devices' notices."""

    parts: tuple[str, ...] = ()  # the words, heading first; () for a screen of a moment only
    counted: tuple[str, str] = ("", "")  # the part `NEXT: 2 of 4`, and the count alone: `2 of 4`
    # A whisper, and until when it is shown, which tells it from the same line shown again.
    aside: tuple[str, float] = ("", 0.0)
    notices: tuple[str, ...] = ()


SILENCE = Speech()


def with_pauses(lines: Iterable[str]) -> list[str]:
    """Return lines that are read after each other, each but the last with a pause at its end.

    The pause is a comma, because espeak-ng makes none for a full stop before a small letter.
    """
    said = list(filter(None, lines))
    ended = (line if line.endswith(PAUSES) else f"{STOP.sub('', line)}," for line in said[:-1])
    return [*ended, *said[-1:]]


def join_lines(lines: Iterable[str]) -> str:
    return " ".join(with_pauses(lines))


def speech_of(session: Session, screen: Screen, language: Language) -> Speech:
    """Return what there is to hear about a session and its screen, in a language."""
    language = language.in_idioms(*session.idioms)
    is_passing = isinstance(screen, BoardScreen) and (screen.passing or _is_tumbling(screen))
    parts = () if is_passing else tuple(_parts(screen, language))
    if session.glow.level == "dark":
        parts = (language.say(ASLEEP, "voice"),)
    whisper = session.whisper
    aside = ("", 0.0) if whisper is None else (language.say(whisper.text, "voice"), whisper.until)
    notices = tuple(language.say(text, "voice") for _, text in session.notices)
    return Speech(parts, _counted(screen, language), aside, notices)


def _counted(screen: Screen, language: Language) -> tuple[str, str]:
    """Return the words of the key that counts the choices, and the count alone, or "" twice."""
    keys = screen.keys if isinstance(screen, BoardScreen | screens.TextScreen) else ()
    for key in keys:
        if is_position_in_list(key.does):
            return language.say(keys_line([key]), "voice"), language.say(key.does, "voice")
    return "", ""


def _is_tumbling(screen: BoardScreen[Text]) -> bool:
    return any(die.tumbling for die in screen.dice)


def new_words(before: Speech, now: Speech) -> str:
    """Return the words to speak after `before`, or "" if nothing is new.

    They interrupt what is being spoken, so a new notice repeats the screen's words after it. Under
    an unchanged heading only the new parts are said, if there are any, and a new count first.
    """
    notices = [text for text in now.notices if text not in before.notices]
    aside = now.aside[0] if now.aside != before.aside else ""
    parts = now.parts if notices or now.parts != before.parts else ()
    if before.parts[:1] == now.parts[:1] and not notices:
        parts = tuple(part for part in parts if part not in before.parts) or parts
        key, count = now.counted
        if key in parts:
            parts = (count, *(part for part in parts if part != key))
    return join_lines((aside, *notices, *parts))


def screen_words(screen: Screen, language: Language = ENGLISH) -> str:
    """Return the words of a screen as one line, for people who can't see the display."""
    return join_lines(_parts(screen, language))


def _parts(screen: Screen, language: Language) -> Iterator[str]:
    """Yield the words of a screen part by part, the heading first."""
    for texts in _texts(screen):
        if words := " ".join(filter(None, (language.say(text, "voice") for text in texts))):
            yield words.replace("\n", " ")


def _texts(screen: Screen) -> Iterator[tuple[Text | Seat, ...]]:
    """Yield the messages of a screen part by part; those of one part are one phrase."""
    match screen:
        case BoardScreen():
            yield (screen.heading,)
            said: list[Message] = []
            if screen.dice and not _is_tumbling(screen):
                faces = tuple(die.face for die in screen.dice if isinstance(die, screens.Die))
                said = [shells_words(one) for one in screen.dice if isinstance(one, screens.Shells)]
                yield (message("dice-are", faces=faces),) if faces else tuple(said)
            yield (screen.lead,)
            yield from _words(screen)
            yield (screen.note if screen.note not in said else screens.NOTHING,)
            yield (message("the-best") if screen.star else screens.NOTHING,)
            yield (screen.last,)
            yield from ((keys_line([key]),) for key in screen.keys)
        case screens.TextScreen():
            yield (screen.title,)
            lines = screen.lines
            if screen.chosen is not None:
                position = position_in_list(screen.chosen, len(lines))
                lines = (lines[screen.chosen], position)
            yield from ((line,) for line in lines)
            yield (screen.large,)
            yield from ((Seat(mark.seat), mark.text) for mark in screen.seats if mark.text)
            yield (screen.hint or keys_line(screen.keys),)
        case screens.Podium():
            yield (screen.title,)
            yield (screen.line,)
            yield from ((Seat(mark.seat), mark.text) for mark in screen.seats)
            yield (keys_line(screen.keys),)
        case screens.Curve():
            yield (screen.title,)
            yield from ((chance,) for chance in _best_chances(screen))
            yield (keys_line(screen.keys),)
        case screens.QrScreen():
            yield (screen.lead, screen.text)
            yield (keys_line([screen.key]),)
        case screens.Pattern():
            yield (PATTERNS[screen.picture],)


def _words(screen: BoardScreen[Text]) -> Iterator[tuple[Text, ...]]:
    """Yield the large words: one phrase, or what else a step does whose target the lead has."""
    lead, words = screen.lead, screen.words
    target = dict(lead.slots).get("target") if isinstance(lead, Message) else None
    if target in words[:1]:
        yield from ((text,) for text in words[1:])
    else:
        yield words


def _best_chances(screen: screens.Curve[Text]) -> Iterator[Message]:
    """Yield the best chance to win of each seat or side: `A 81 of 100 after turn 40`."""
    count = 2 if screen.partners else SEATS
    for seat in range(count if screen.chances else 0):
        chances = [(row[seat] or 0.0, -turn) for turn, row in enumerate(screen.chances, 1)]
        best, turn = max(chances)
        if best:
            chance = round(best * 100)
            who = side_words((seat, seat + 2)) if screen.partners else Seat(seat)
            yield message("best-chance", seat=who, chance=chance, turn=-turn)
