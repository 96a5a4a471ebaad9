"""Draws every kept screen and every menu in a language, and finds the texts that do not fit."""

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, lru_cache
from itertools import product
from operator import is_, is_not
from typing import Any, NamedTuple, TypeVar, cast

from PIL import Image

from pi_app.display.lettering import Overflow
from pi_app.display.view import BEAT_S, frame
from pi_app.model.screens import (
    BoardMap,
    Message,
    Motion,
    Seat,
    Text,
    TextScreen,
    Value,
    message,
)
from pi_app.table.modes.menu.naming import SHOWN
from pi_app.texts.language import COUNT, Language, Place
from tests.pi_app.texts.shown import Shown, kept_screens, messages_of
from tests.words.catalogs import (
    IdsByIdiom,
    english,
    english_slots,
    idioms_for,
    language_of,
    plurals,
)
from tests.words.menus import changes_of_rules, menu_screens

T = TypeVar("T")
MOST_FRAMES = 40
# Places on the ring; each screen has the one that is the widest in its language.
WIDE_PLACES = (
    message("place-past", spaces=16, seat=Seat(3), number=68),
    message("place-entry", seat=Seat(3), number=56),
)
PLACE_IDS = {place.id for place in WIDE_PLACES}


@dataclass(frozen=True, eq=False)  # none is another, so no words of another are taken
class TracedLanguage(Language):
    """A language that notes which message each text comes from."""

    ids: dict[str, str] = field(default_factory=dict)

    def say(self, text: Text | Value, place: Place = "panel", form: str = "") -> str:
        """Return a text in words, as the language does."""
        words = super().say(text, place, form)
        if isinstance(text, Message) and words:
            self.ids[words] = text.id
        return words

    def id_of(self, words: str) -> str:
        """Return the id of the shortest text that has these words, "" if none has."""
        having = (text for text in self.ids if words in " ".join(re.split("[ \n]+", text)))
        return self.ids.get(min(having, key=len, default=""), "")


class TooLong(NamedTuple):
    """A text that does not fit. room: the place on the display, and its width in pixels."""

    id: str
    text: str
    room: str

    def __str__(self) -> str:
        return f"{self.id}: too long for {self.room}: {self.text!r}"


class Drawn(NamedTuple):
    """What a screen shows in turn, the id of each text on it, and which texts are too long."""

    pictures: tuple[Image.Image, ...]
    ids: dict[str, str]
    faults: frozenset[TooLong]


def pictures(shown: Shown, language: Language) -> Iterator[Image.Image]:
    """Yield all that a screen shows in turn."""
    motion = Motion(notice=shown.notice, read_since=0.0 if shown.by_line else None)
    seen: set[bytes] = set()
    t = 0.0
    for _ in range(MOST_FRAMES):
        image, until = frame(shown.screen, motion, t, language)
        if image.tobytes() not in seen:
            yield image
        if until is None or image.tobytes() in seen:
            return
        seen.add(image.tobytes())
        t = max(until, t + BEAT_S)


@lru_cache(3000)  # enough for a language: its page has many of the screens that are checked
def draw_shown(shown: Shown, language: Language) -> Drawn:
    """Return what a screen shows in a language."""
    tracing = TracedLanguage(language.catalog, language.base, language.idioms)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Overflow)
        drawn = tuple(pictures(shown, tracing))
    found = [fault.message for fault in caught if isinstance(fault.message, Overflow)]
    faults = (TooLong(tracing.id_of(fault.text), fault.text, fault.room) for fault in found)
    return Drawn(drawn, tracing.ids, frozenset(faults))


# Messages of which any can be where another is: their ids begin alike.
ALIKE = ("apart-", "edition-", "family-", "fault-", "reason-", "refusal-", "why-")
EXAMPLES: dict[str, Value] = {
    "count": 12,
    "number": 12,
    "numbers": ("6", "10", "25"),
    "seat": Seat(3),
    "seats": (Seat(1), Seat(2), Seat(3)),
    "spaces": 14,
    "throws": 36,
}
MOST_ALIKE = 1  # screens with one of a kind, on which all others of the kind are drawn


# What to press on a panel with one button, by what that is on one with two.
ONE_BUTTON = {
    "press-next": message("press-tap"),
    "press-hold-next": message("press-tap"),
    "press-next-or-dome": message("press-tap-or-dome"),
    "press-ok": message("press-hold"),
    "press-hold-ok": message("press-hold"),
}


@cache
def all_screens() -> tuple[Shown, ...]:
    """Return the kept screens and those of the menus, and others with the same places for texts.

    Some have a message that is like one of theirs. For each row of keys, one has the keys of a
    panel with one button.
    """
    kept = (*kept_screens(), *menu_screens(), *changes_of_rules())
    ids = [(shown, frozenset(messages_of(shown))) for shown in kept]
    found = frozenset[str]().union(*(names for _, names in ids))
    others: list[Shown] = []
    plain = language_of(english())
    for kind in ALIKE:
        having = [shown for shown, names in ids if any(name.startswith(kind) for name in names)]
        lacking = [name for name in english_slots() if name.startswith(kind) and name not in found]
        for name, shown in product(sorted(lacking), having[:MOST_ALIKE]):
            other = with_alike(shown, kind, example(name))
            if not draw_shown(other, plain).faults:
                others.append(other)
    rows = {(type(one.screen), one.by_line, getattr(one.screen, "keys", ())): one for one in kept}
    return (*kept, *others, *map(with_one_button, rows.values()))


def with_one_button(shown: Shown) -> Shown:
    """Return a screen with the keys of a panel with one button."""
    return cast(Shown, _replaced(shown, lambda found: ONE_BUTTON.get(found.id, found)))


def example(name: str) -> Message:
    """Return a message with long values in its slots."""
    slots = dict.fromkeys(english_slots()[name])
    if name in plurals():
        slots[COUNT] = None
    return message(name, **{slot: EXAMPLES[slot] for slot in slots})


def too_long(
    language: Language, ids_by_idiom: IdsByIdiom, ids: frozenset[str] | None = None
) -> list[TooLong]:
    """Return which texts of a language do not fit on any of all screens, in any table's idioms.

    ids_by_idiom: the ids of the messages that have words of their own in an idiom. ids: only
    screens with one of these messages are drawn; None: all.
    """
    found = too_long_letters(language) if ids is None else set()
    for shown in all_screens():
        names = frozenset(messages_of(shown))
        if ids is None or not ids.isdisjoint(names):
            for idioms in idioms_for(names, ids_by_idiom):
                spoken = language.in_idioms(*idioms)
                for one in {shown, with_place(shown, widest_place(spoken))}:
                    found |= draw_shown(one, spoken).faults
    return sorted(found)


@cache
def widest_place(language: Language) -> Message:
    """Return the place on the ring that is the widest in a language."""
    return max(WIDE_PLACES, key=lambda place: len(language.say(place)))


def too_long_letters(language: Language) -> set[TooLong]:
    """Return which of a language's own letters do not fit where a name is entered."""
    extra = message("extra-letters")
    letters = language.say(extra).strip("-")
    screens = (Shown(TextScreen("", (), large=large)) for large in {letters[:SHOWN], *letters})
    faults = {fault for shown in screens for fault in draw_shown(shown, language).faults}
    return {fault._replace(id=extra.id) for fault in faults}


def with_place(value: T, place: Message) -> T:
    """Return a value with this place in each place of a pawn, at any depth."""
    return cast(T, _replaced(value, lambda found: place if found.id in PLACE_IDS else found))


def with_alike(value: T, kind: str, other: Message) -> T:
    """Return a value with a message instead of each whose id begins with `kind`."""
    return cast(T, _replaced(value, lambda found: other if found.id.startswith(kind) else found))


def _replaced(value: object, change: Callable[[Message], Message]) -> object:
    if isinstance(value, Message) and (other := change(value)) is not value:
        return other
    if isinstance(value, tuple):
        parts: list[Any] = [_replaced(member, change) for member in value]
        if all(map(is_, parts, value)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type | BoardMap):
        named = {one.name: getattr(value, one.name) for one in fields(value)}
        made = {name: _replaced(part, change) for name, part in named.items()}
        return replace(value, **made) if any(map(is_not, made.values(), named.values())) else value
    return value
