"""Draws every kept screen in a language, and finds the texts that do not fit."""

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeVar, cast

from babel.messages.catalog import Catalog as Source
from PIL import Image

from pi_app.display.lettering import Overflow
from pi_app.display.view import BEAT_S, frame
from pi_app.model.screens import BoardMap, Message, Motion, Seat, Text, Value, message
from pi_app.texts.language import COUNT, ENGLISH, Language, Place, language
from tests.pi_app.texts.shown import Shown, kept_screens, messages_of
from tests.words.catalogs import english_slots, ids_by_idiom, plurals

T = TypeVar("T")
MOST_FRAMES = 40
# Places on the ring; each screen has the one that is the widest in its language.
WIDE_PLACES = (
    message("place-past", spaces=16, seat=Seat(3), number=68),
    message("place-entry", seat=Seat(3), number=56),
)
PLACE_IDS = {place.id for place in WIDE_PLACES}


@dataclass(frozen=True)
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
        """Return the id of the shortest text that has these words."""
        having = (text for text in self.ids if words in " ".join(re.split("[ \n]+", text)))
        return self.ids[min(having, key=len, default="")] if words else ""


class TooLong(NamedTuple):
    """A text that does not fit. room: the place on the display, and its width in pixels."""

    id: str
    text: str
    room: str

    def __str__(self) -> str:
        return f"{self.id}: too long for {self.room}: {self.text!r}"


def traced(language: Language) -> TracedLanguage:
    """Return a language that notes where its texts come from."""
    return TracedLanguage(language.catalog, language.base, language.idioms)


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


def draw_shown(shown: Shown, language: Language) -> tuple[list[Image.Image], set[TooLong]]:
    """Return the pictures of a screen, and which of its texts do not fit."""
    tracing = language if isinstance(language, TracedLanguage) else traced(language)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Overflow)
        drawn = list(pictures(shown, tracing))
    found = (warning.message for warning in caught)
    return drawn, {
        TooLong(tracing.id_of(fault.text), fault.text, fault.room)
        for fault in found
        if isinstance(fault, Overflow)
    }


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


@cache
def all_screens() -> tuple[Shown, ...]:
    """Return the kept screens, and some of them with each message that is like one of theirs."""
    kept = kept_screens()
    ids = [(shown, frozenset(messages_of(shown))) for shown in kept]
    found = frozenset[str]().union(*(names for _, names in ids))
    others: list[Shown] = []
    for kind in ALIKE:
        having = [shown for shown, names in ids if any(name.startswith(kind) for name in names)]
        lacking = [name for name in english_slots() if name.startswith(kind) and name not in found]
        for name, shown in product(sorted(lacking), having[:MOST_ALIKE]):
            other = with_alike(shown, kind, example(name))
            if not draw_shown(other, ENGLISH)[1]:
                others.append(other)
    return (*kept, *others)


def example(name: str) -> Message:
    """Return a message with long values in its slots."""
    slots = dict.fromkeys(english_slots()[name])
    if name in plurals():
        slots[COUNT] = None
    return message(name, **{slot: EXAMPLES[slot] for slot in slots})


def too_long(language: Language, ids: frozenset[str] | None = None) -> list[TooLong]:
    """Return which texts of a language do not fit on any kept screen.

    ids: only screens with one of these messages are drawn; None: all.
    """
    found: set[TooLong] = set()
    widest = max(WIDE_PLACES, key=lambda place: len(language.say(place)))
    for shown in all_screens():
        if ids is None or not ids.isdisjoint(messages_of(shown)):
            found |= draw_shown(with_place(shown, widest), language)[1]
    return sorted(found)


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
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type | BoardMap):
        named = ((one.name, getattr(value, one.name)) for one in fields(value))
        return replace(value, **{name: _replaced(part, change) for name, part in named})
    return value


def too_long_in_idioms(source: Source, code: str) -> list[TooLong]:
    """Return which texts of a catalog do not fit, also those for an idiom only."""
    spoken = language(code)
    found = set(too_long(spoken))
    for idiom, ids in ids_by_idiom(source).items():
        found |= set(too_long(spoken.in_idioms(idiom), ids))
    return sorted(found)
