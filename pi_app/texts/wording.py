"""A screen's messages in words, the rest of it as it is."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from pi_app.screens.screen import BoardMap, Message, Screen, WordedScreen
from pi_app.texts.language import Language, Place

T = TypeVar("T")


def word_screen(screen: Screen, language: Language, place: Place = "panel") -> WordedScreen:
    """Return a screen in the words of a language."""
    return cast(WordedScreen, _worded(screen, language, place))


def _worded(value: object, language: Language, place: Place) -> object:
    """Return a value in which each message, however deep, is words; itself where it has none."""
    if isinstance(value, Message):
        return language.say(value, place)
    if isinstance(value, tuple):
        parts = [_worded(one, language, place) for one in value]
        same = all(new is old for new, old in zip(parts, value, strict=True))
        return value if same else _like(value, parts)
    if not is_dataclass(value) or isinstance(value, type | BoardMap):
        return value
    known = ((one.name, getattr(value, one.name)) for one in fields(value))
    changed = {
        name: new for name, old in known if (new := _worded(old, language, place)) is not old
    }
    return replace(value, **changed) if changed else value


def _like(value: tuple[object, ...], parts: list[object]) -> tuple[object, ...]:
    """Return parts as a tuple of the same kind, named or not."""
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)  # type: ignore[arg-type]
