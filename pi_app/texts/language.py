"""Messages in the words of a language, by the standard library's gettext. Chooses no language."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import Literal

from pi_app.screens.screen import Message, Seat, Text, Value
from rules.board import SEAT_LETTERS

# Where a text is read: the short form is the panel's, the long one that of pages and the voice.
Place = Literal["panel", "page"]
COUNT = "count"  # the slot by which the plural's form is chosen


class Language:
    """One language's catalog: says messages in its words."""

    def __init__(self, catalog: GNUTranslations) -> None:
        self._catalog = catalog

    @property
    def code(self) -> str:
        """The language as HTML names it (RFC 5646): `en`."""
        return self._catalog.info()["language"]

    def say(self, text: Text | Value, place: Place = "panel") -> str:
        """Return a message in words. A page that has no words of its own takes the panel's.

        Raises KeyError where a slot of the text has no value.
        """
        match text:
            case Message("", ()):
                return ""
            case Message():
                slots = dict(text.slots)
                words = {name: self.say(value, place) for name, value in slots.items()}
                return self._found(text.id, slots.get(COUNT), place).format_map(words)
            case Seat(number):
                return SEAT_LETTERS[number]
            case tuple():
                return self._listed([self.say(one, place) for one in text], place)
        return str(text)

    def _found(self, name: str, count: object, place: Place) -> str:
        """Return the text of an id, its form for so many; the id where the catalog has none."""
        for context in dict.fromkeys((place, "panel")):
            if isinstance(count, int):
                found = self._catalog.npgettext(context, name, name, count)
            else:
                found = self._catalog.pgettext(context, name)
            if found != name:
                break
        return found

    def _listed(self, words: list[str], place: Place) -> str:
        """Return words in a row, as they are spoken: `6, 1 and 20`."""
        *before, last = words
        if not before:
            return last
        joined = before[0]
        for word in before[1:]:
            joined = self._found("list-more", None, place).format(before=joined, word=word)
        return self._found("list-last", None, place).format(before=joined, word=last)


@cache
def language(name: str) -> Language:
    """Return a language by its code, `en`; FileNotFoundError where there is no catalog of it."""
    with (files("pi_app.texts") / f"{name}.mo").open("rb") as file:
        return Language(GNUTranslations(file))


ENGLISH = language("en")
