"""Fills the texts of a language into the HTML file of a page."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib import resources

from pi_app.screens.screen import Message, Text, message
from pi_app.texts.language import Language

LANGUAGE = "{{language}}"  # in an HTML file: the code of the language
CHOOSER = "{{chooser}}"  # in an HTML file: the list of languages
TEXT_SLOT = re.compile(r"\{\{([a-z0-9-]+)\}\}")  # in an HTML file: a text, by its id

# Slots of the texts that become an HTML element, with its tag and words.
ELEMENTS: dict[str, tuple[str, Text]] = {
    "ok": ("b", message("press-ok")),
    "next": ("b", message("press-next")),
    "space": ("kbd", message("key-space")),
    "first": ("kbd", "1"),
    "last": ("kbd", "6"),
    "add": ("code", "referee import FILE"),
}
# Slots that stay in the text. The page's script fills them.
SCRIPT_SLOTS = ("seat", "chance", "what")


@cache
def page_html(
    package: str, name: str, language: Language, languages: tuple[tuple[str, str, str], ...]
) -> str:
    """Return a page's HTML. Raises KeyError if a text has an unknown slot.

    package, name: of the HTML file. languages: those to choose from, each with its catalog's name,
    its code and its own name.
    """
    html = (resources.files(package) / name).read_text("utf-8").replace(LANGUAGE, language.code)
    html = html.replace(CHOOSER, _chooser(language, languages))
    slots = {
        **{slot: f"{{{slot}}}" for slot in SCRIPT_SLOTS},
        **{slot: _mark(slot) for slot in ELEMENTS},
    }
    parts = TEXT_SLOT.split(html)  # every second part is the id of a text
    for index in range(1, len(parts), 2):
        text = escape(language.say(Message(parts[index], tuple(slots.items())), "page"))
        for slot, (tag, words) in ELEMENTS.items():
            element = f"<{tag}>{escape(language.say(words, 'page'))}</{tag}>"
            text = text.replace(_mark(slot), element)
        parts[index] = text
    return "".join(parts)


def _chooser(language: Language, languages: tuple[tuple[str, str, str], ...]) -> str:
    """Return the element by which readers choose the page's language, "" if there is one only."""
    if len(languages) < 2:
        return ""
    label = escape(language.say(message("menu-language"), "page"))
    options = "".join(
        f'<option value="{name}" lang="{code}"{" selected" * (code == language.code)}>'
        f"{escape(own_name)}</option>"
        for name, code, own_name in languages
    )
    return f'<select id="language" aria-label="{label}" autocomplete="off">{options}</select>'


def _mark(slot: str) -> str:
    """Return a placeholder for an element until the text is escaped. Texts contain no NUL."""
    return f"\0{slot}\0"
