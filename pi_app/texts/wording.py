"""Puts the messages of a screen into the words of a language. Draws nothing."""

from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import cast

from pi_app.model.screens import BoardMap, Message, Screen, WordedScreen
from pi_app.texts.language import Language


@lru_cache(maxsize=2)  # a screen that blinks, on displays in two languages
def word_screen(screen: Screen, language: Language) -> WordedScreen:
    return cast(WordedScreen, _word_value(screen, language))


def _word_value(value: object, language: Language) -> object:
    """Return a value with words for each message at any depth; the same object if it has none."""
    if isinstance(value, Message):
        return language.say(value)
    if isinstance(value, tuple):
        parts = [_word_value(member, language) for member in value]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        if hasattr(value, "_fields"):
            return type(value)(*parts)  # type: ignore[arg-type]
        return tuple(parts)
    if not is_dataclass(value) or isinstance(value, type | BoardMap):
        return value
    members = ((field.name, getattr(value, field.name)) for field in fields(value))
    changed = {name: new for name, old in members if (new := _word_value(old, language)) is not old}
    return replace(value, **changed) if changed else value
