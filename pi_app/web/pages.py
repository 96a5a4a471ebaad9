"""A page's HTML with its words in a language. Knows no state and no request."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib import resources

from pi_app.screens.screen import Message, Text, message
from pi_app.texts.language import Language

LANGUAGE = "{{language}}"  # in a page's file: the code of its language
TEXT_SLOT = re.compile(r"\{\{([a-z0-9-]+)\}\}")  # there: a text, by its id

# Slots of these texts that are filled with words in an element of their own.
ELEMENTS: dict[str, tuple[str, Text]] = {
    "ok": ("b", message("press-ok")),
    "next": ("b", message("press-next")),
    "space": ("kbd", message("key-space")),
    "first": ("kbd", "1"),
    "last": ("kbd", "6"),
    "add": ("code", "referee import FILE"),
}
# Slots that stay as they are, for the page's script to put a value in.
SCRIPT_SLOTS = ("seat", "chance", "what")


@cache
def page_html(package: str, name: str, language: Language) -> str:
    """Return a page's HTML; KeyError where one of its texts has a slot that nothing fills."""
    html = (resources.files(package) / name).read_text("utf-8").replace(LANGUAGE, language.code)
    return TEXT_SLOT.sub(lambda found: _said(found[1], language), html)


def _said(name: str, language: Language) -> str:
    """Return a text as HTML."""
    slots = {
        **{slot: f"{{{slot}}}" for slot in SCRIPT_SLOTS},
        **{slot: _mark(slot) for slot in ELEMENTS},
    }
    said = escape(language.say(Message(name, tuple(slots.items())), "page"))
    for slot, (tag, words) in ELEMENTS.items():
        element = f"<{tag}>{escape(language.say(words, 'page'))}</{tag}>"
        said = said.replace(_mark(slot), element)
    return said


def _mark(slot: str) -> str:
    """Return what stands for an element until its text is HTML; no text has a NUL in it."""
    return f"\0{slot}\0"
