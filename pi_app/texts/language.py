"""Puts messages into the words of a language, with gettext. Chooses no language.

The context of a text in a catalog is a place, then an idiom if the text is only for it, then a form
if other texts ask for it: `panel`, `page ludo`, `panel from`, `panel ludo from`. An idiom is the
words of the players of one family of games, or for one board. A text is looked up in this order:
the voice before the page before the panel, its idioms before none, and its form before none. A text
that the catalog lacks comes from the base language: `en` for `en_GB`, and English in the end.

A text asks for its slots in braces:

    {origin}        the words of the slot
    {origin:from}   the same in the form "from", if the slot is a message that has this form
    {seat:de |d'}   with `de ` before the words, but `d'` if they begin as `elides-before` says
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from struct import unpack_from
from typing import IO, Literal, get_args

from pi_app.model.events import LanguageName
from pi_app.model.screens import Message, Seat, Text, Value, message
from rules.board import SEAT_LETTERS

# Where a text is read or heard: short forms are for the panel, long ones for pages and paper, and
# forms without signs for the voice. A place without a text of its own has that of the one before.
Place = Literal["panel", "page", "voice"]
PLACES: tuple[Place, ...] = get_args(Place)
NARROW = "\u202f"  # the space that never breaks, before a French ":" and inside a place's words
COUNT = "count"  # the slot that chooses the form of the plural
NUMBERS = "numbers"  # the idiom that names spaces by the numbers printed on the board
GOAL = "goal"  # the idiom for a board on which a row is home, and is called the goal
COWRIES = "cowries"  # the idiom of games in which cowries are thrown, and not dice
LADDER = "ladder"  # the idiom of games in which a pawn climbs a ladder, as in petits chevaux
BENCHES = "benches"  # the idiom of games in which safe spaces are benches, as in Switzerland
SIXES = "sixes"  # the idiom of games with one die, in which a six is what doubles are elsewhere
STARS = "stars"  # the idiom of games with stars, in which safety spaces are called globes
ENGLISH_CODE = "en"
# A language in an Accept-Language header, with the weight that the browser gives it.
ACCEPTED = re.compile(r"(?P<tag>[a-z]{1,8}(-[a-z0-9]{1,8})*)( *; *q=(?P<weight>[01](\.\d{0,3})?))?")
ELISION = "|"  # between what precedes a slot's words, and the same elided


class _Missing(NullTranslations):
    """Returns an empty text for every id."""

    def pgettext(self, context: str, message: str) -> str:
        return ""

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return ""


class Catalog(GNUTranslations):
    """A compiled catalog. A text that it lacks is empty; in gettext it would be its own id."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.add_fallback(_Missing())


@dataclass(frozen=True)
class Language:
    """A language with its catalog of texts.

    base: the language of the texts that the catalog lacks. idioms: whose texts come first: a key of
    `FAMILIES` in `pi_app/settings/offers.py`, GOAL, LADDER, NUMBERS, COWRIES, BENCHES, STARS or
    SIXES.
    """

    catalog: Catalog
    base: Language | None = None
    idioms: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The code of the language as in HTML (BCP 47): `en`, `en-GB`."""
        return self.catalog.info()["language"].replace("_", "-")

    @property
    def name(self) -> str:
        """The name of the language in that language."""
        return self.say(message("language-name"))

    def in_idioms(self, *idioms: str) -> Language:
        """Return the language in which the texts of these idioms come first."""
        return replace(self, idioms=idioms, base=self.base and self.base.in_idioms(*idioms))

    def say(self, text: Text | Value, place: Place = "panel", form: str = "") -> str:
        """Return a text in words, in its own place or in the nearest before it.

        On the panel the name of a place is one word, with narrow spaces; in a form it is a phrase.

        form: in which another text asks for this one; "" for none. Raises KeyError if a slot of the
        text has no value.
        """
        match text:
            case Message("", ()):
                return ""
            case Message():
                slots = dict(text.slots)
                words = {name: _Slot(self, value, place) for name, value in slots.items()}
                said = self._find(text.id, slots.get(COUNT), place, form).format_map(words)
                is_name = place == "panel" and not form and text.id.startswith("place-")
                return said.replace(" ", NARROW) if is_name else said
            case Seat(number):
                return SEAT_LETTERS[number]
            case tuple():
                return self._list([self.say(member, place, form) for member in text], place)
        return str(text)

    def _list(self, words: list[str], place: Place) -> str:
        *before, last = words
        if not before:
            return last
        joined = before[0]
        for word in before[1:]:
            joined = self.say(message("list-more", before=joined, word=word), place)
        return self.say(message("list-last", before=joined, word=last), place)

    def _find(self, name: str, count: object, place: Place, form: str) -> str:
        """Return the text of an id in the form for `count`; the id if no catalog has a text."""
        for context in _contexts(place, self.idioms, form):
            if isinstance(count, int):
                found = self.catalog.npgettext(context, name, name, count)
            else:
                found = self.catalog.pgettext(context, name)
            if found:
                return found
        return self.base._find(name, count, place, form) if self.base else name

    def elides(self, words: str) -> bool:
        """Return whether the word before these words is elided: `d'A`, but `de B`."""
        beginnings = tuple(self.say(message("elides-before")).split())
        return words.casefold().startswith(beginnings)


@cache
def _contexts(place: Place, idioms: tuple[str, ...], form: str) -> tuple[str, ...]:
    """Return the contexts in which a text is looked up, the nearest first."""
    found = (
        " ".join(filter(None, (where, idiom, shape)))
        for where in reversed(PLACES[: PLACES.index(place) + 1])
        for idiom in (*idioms, "")
        for shape in (form, "")
    )
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class _Slot:
    """The value of a slot; the text that has the slot decides its form."""

    language: Language
    value: Value
    place: Place

    def __format__(self, form: str) -> str:
        if ELISION not in form:
            return self.language.say(self.value, self.place, form)
        words = self.language.say(self.value, self.place)
        full, elided = form.split(ELISION)
        return (elided if self.language.elides(words) else full) + words


@cache
def codes() -> tuple[str, ...]:
    """Return the names of all catalogs, those of English first: `en`, `en_GB`, `de`."""
    names = (file.name for file in files("pi_app.texts").iterdir())
    found = (name.removesuffix(".mo") for name in names if name.endswith(".mo"))
    return tuple(sorted(found, key=lambda code: (not code.startswith(ENGLISH_CODE), code)))


def base_code(code: str) -> str | None:
    """Return the language of the texts that a catalog lacks: `en` for `en_GB`; None for English."""
    if code == ENGLISH_CODE:
        return None
    return code.rpartition("_")[0] or ENGLISH_CODE


@cache
def language(code: str) -> Language:
    """Return a language by the name of its catalog, `en` or `en_GB`. Raises FileNotFoundError."""
    with (files("pi_app.texts") / f"{code}.mo").open("rb") as file:
        catalog = Catalog(file)
    base = base_code(code)
    return Language(catalog, language(base) if base else None)


ENGLISH = language(ENGLISH_CODE)


def find_language(code: str) -> Language:
    """Return a language by the name of its catalog; English if there is no such catalog."""
    return language(code) if code in codes() else ENGLISH


def all_languages() -> dict[str, Language]:
    """Return each language by the name of its catalog, English first."""
    return {code: language(code) for code in codes()}


def language_names() -> tuple[LanguageName, ...]:
    """Return each language's name in that language, its letters and its edition; English first."""
    asked, names = (message("language-name"), message("extra-letters"), message("own-edition")), []
    for code in codes():
        name, letters, edition = _read_texts(code, *asked)
        names.append(LanguageName(code, name, letters.strip("-"), edition))
    return tuple(names)


def _read_texts(code: str, *asked: Message) -> Iterator[str]:
    """Yield texts of the panel without slots. To load each catalog for these takes 1.5 MB."""
    data = (files("pi_app.texts") / f"{code}.mo").read_bytes()
    count, id_table, text_table = unpack_from("<3I", data, 8)
    starts = unpack_from(f"<{2 * count}I", data, id_table)[1::2]  # each comes after its length
    for text in asked:
        start = data.find(f"\0panel\4{text.id}\0".encode()) + 1
        if start:
            length, at = unpack_from("<2I", data, text_table + 8 * starts.index(start))
            yield data[at : at + length].decode()
        elif base := base_code(code):
            yield from _read_texts(base, text)


def preferred_code(accepted: str, offered: Collection[str]) -> str:
    """Return the first of the offered catalogs in a browser's order; English if it wants none.

    accepted: an Accept-Language header, `de-AT, fr;q=0.8`. `de` also serves who wants `de-AT`.
    """
    by_name = {code.replace("_", "-").lower(): code for code in offered}
    wanted = [ACCEPTED.fullmatch(part.strip().lower()) for part in accepted.split(",")]
    weights = {one["tag"]: float(one["weight"] or 1) for one in wanted if one}
    for tag in sorted(weights, key=lambda tag: -weights[tag]):
        for name in (tag, tag.partition("-")[0]):
            if name in by_name and weights[tag] > 0:
                return by_name[name]
    return ENGLISH_CODE
