"""What a screen says as text, for who can't see it, and what of it is new. No voice, no page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pi_app.table.screen import Code, Curve, Page, Pattern, Screen, Table, one_line
from pi_app.table.state import Session, Whisper
from pi_app.table.texts.language import ENGLISH
from pi_app.table.texts.message import Seat, message
from pi_app.table.texts.terms import PATTERNS, nth_of
from pi_app.table.texts.worded import worded
from pi_app.table.words import letter

ASLEEP = message("asleep")


class Said(NamedTuple):
    """What there is to hear at a moment: the screen's words, a whisper, what the devices say.

    parts: the words, the heading first; none of a screen that stands for a moment only.
    """

    parts: tuple[str, ...] = ()
    whisper: Whisper | None = None
    notices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The screen's words as one line."""
        return "; ".join(self.parts)


SILENCE = Said()


def to_say(s: Session, screen: Screen) -> Said:
    """Return what a screen has to say; notices in full, and not in the pieces that pass by."""
    if s.glow.level == "dark":
        parts: tuple[str, ...] = (ENGLISH.say(ASLEEP),)
    else:
        parts = () if _is_passing(screen) else _parts(replace(screen, notice=""))
    return Said(parts, s.whisper, tuple(ENGLISH.say(text) for _, text in s.notices))


def _is_passing(screen: Screen) -> bool:
    """Whether a screen is over before it could be heard."""
    return isinstance(screen, Table) and (
        screen.passing or any(die.tumbling for die in screen.dice)
    )


def unheard(before: Said, now: Said) -> str:
    """Return what is to be spoken after `before`, "" where nothing is new.

    It takes the place of what is being spoken, so after a new notice the words come again.
    """
    notices = [text for text in now.notices if text not in before.notices]
    whisper = ENGLISH.say(now.whisper.text) if now.whisper and now.whisper != before.whisper else ""
    parts = _news_first(before.parts, now.parts) if notices or now.parts != before.parts else ()
    return "; ".join(filter(None, (whisper, *notices, *parts)))


def _news_first(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of a screen: under the same heading those first that are new."""
    if before[:1] != now[:1]:
        return now
    return (
        *(part for part in now if part not in before),
        *(part for part in now if part in before),
    )


def says(screen: Screen) -> str:
    """Return what the screen says as one line, for who can't see the panel's pixels."""
    return "; ".join(_parts(screen))


def _parts(content: Screen) -> tuple[str, ...]:
    """Return what the screen says, the heading first."""
    screen = worded(content, ENGLISH)
    parts: tuple[str, ...]
    if isinstance(screen, Table):
        words = _spoken(" ".join((screen.lead, *screen.words)))
        last = _spoken(" ".join(screen.last.splitlines()))
        parts = (
            screen.heading,
            _lying(screen),
            _uses(screen),
            words,
            screen.note,
            ENGLISH.say(message("the-best")) if screen.star else "",
            last,
            *(one_line([key]) for key in screen.keys),
        )
    elif isinstance(screen, Pattern):
        parts = (ENGLISH.say(PATTERNS[screen.picture]),)
    elif isinstance(screen, Code):
        parts = (f"{screen.lead} {screen.text}", one_line([screen.key]))
    elif isinstance(screen, Curve):
        parts = (screen.title, *_best_chances(screen), one_line(screen.keys))
    else:
        marks = (f"{letter(mark.seat)} {mark.text}" for mark in screen.seats if mark.text != "-")
        lines = _lines(screen) if isinstance(screen, Page) else (screen.line,)
        large = screen.large if isinstance(screen, Page) else ""
        hint = screen.hint if isinstance(screen, Page) else ""
        parts = (screen.title, *lines, large, *marks, hint or one_line(screen.keys))
    return tuple(filter(None, (*parts, screen.notice)))


def _best_chances(screen: Curve[str]) -> Iterator[str]:
    """Yield how near to winning each seat came: `A 81 of 100 after turn 40`."""
    for seat in range(len(screen.chances[0]) if screen.chances else 0):
        chances = [(one[seat] or 0.0, -turn) for turn, one in enumerate(screen.chances, 1)]
        best, turn = max(chances)
        if best:
            chance = round(best * 100)
            yield ENGLISH.say(message("best-chance", seat=Seat(seat), chance=chance, turn=-turn))


def _lying(screen: Table[str]) -> str:
    """Return the faces that were thrown; nothing while dice still tumble."""
    if not screen.dice or any(die.tumbling for die in screen.dice):
        return ""
    return ENGLISH.say(message("dice-are", faces=tuple(die.face for die in screen.dice)))


def _uses(screen: Table[str]) -> str:
    """Return the increments that are chosen, where the words do not say them."""
    chosen = "+".join(one.text for one in screen.increments if one.state == "chosen")
    return "" if ":" in screen.lead else chosen


def _spoken(text: str) -> str:
    return text.replace("→", "to").strip()


def _lines(page: Page[str]) -> tuple[str, ...]:
    """Return a page's lines; of those that one chooses from, the chosen one and which it is."""
    if page.chosen is None:
        return page.lines
    return page.lines[page.chosen], ENGLISH.say(nth_of(page.chosen, len(page.lines)))
