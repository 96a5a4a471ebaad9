"""Puts messages into the words of a language, with gettext. Chooses no language."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import Literal

from pi_app.screens.screen import Message, Seat, Text, Value
from rules.board import SEAT_LETTERS

# Where a text is read: short forms are for the panel, long ones for pages and the voice.
Place = Literal["panel", "page"]
COUNT = "count"  # the slot that chooses the form of the plural


class Language:
    """A language with its catalog of texts."""

    def __init__(self, catalog: GNUTranslations) -> None:
        self._catalog = catalog

    @property
    def code(self) -> str:
        """The code of the language as in HTML (RFC 5646): `en`."""
        return self._catalog.info()["language"]

    def say(self, text: Text | Value, place: Place = "panel") -> str:
        """Return a text in words. A page uses the panel's form if it has none of its own.

        Raises KeyError if a slot of the text has no value.
        """
        match text:
            case Message("", ()):
                return ""
            case Message():
                slots = dict(text.slots)
                words = {name: self.say(value, place) for name, value in slots.items()}
                return self._find(text.id, slots.get(COUNT), place).format_map(words)
            case Seat(number):
                return SEAT_LETTERS[number]
            case tuple():
                *before, last = (self.say(member, place) for member in text)
                if not before:
                    return last
                joined = before[0]
                for word in before[1:]:
                    joined = self._find("list-more", None, place).format(before=joined, word=word)
                return self._find("list-last", None, place).format(before=joined, word=last)
        return str(text)

    def _find(self, name: str, count: object, place: Place) -> str:
        """Return the text of an id in the form for `count`; the id if the catalog has no text."""
        for context in dict.fromkeys((place, "panel")):
            if isinstance(count, int):
                found = self._catalog.npgettext(context, name, name, count)
            else:
                found = self._catalog.pgettext(context, name)
            if found != name:
                break
        return found


@cache
def language(name: str) -> Language:
    """Return a language by its code, such as `en`. Raises FileNotFoundError."""
    with (files("pi_app.texts") / f"{name}.mo").open("rb") as file:
        return Language(GNUTranslations(file))


ENGLISH = language("en")
