"""Fills the texts of a language into the HTML file of a page."""

import re
from functools import cache
from html import escape
from importlib import resources

from pi_app.model.screens import Message, Text, message
from pi_app.texts.language import COWRIES, Language

STATIC = "pi_app.web.static"  # the package of the files that all pages share
LANGUAGE = "{{language}}"  # in an HTML file: the code of the language
CHOOSER = "{{chooser}}"  # in an HTML file: the list of languages
TEXT_SLOT = re.compile(r"\{\{([a-z0-9-]+)(?: ([a-z]+))?\}\}")  # a text's id, and its idiom if any

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
SCRIPT_SLOTS = ("seat", "chance", "what", "minutes", "hours")


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
    return TEXT_SLOT.sub(lambda found: _text_html(language, found[1], found[2] or ""), html)


def _text_html(language: Language, text: str, idiom: str) -> str:
    """Return a text by its id, in an idiom, with an HTML element for each of its ELEMENTS."""
    slots = {
        **{slot: f"{{{slot}}}" for slot in SCRIPT_SLOTS},
        **{slot: _mark(slot) for slot in ELEMENTS},
    }
    language = language.in_idioms(idiom)
    html = escape(language.say(Message(text, tuple(slots.items())), "page"))
    elements = {**ELEMENTS, "first": ("kbd", "0")} if idiom == COWRIES else ELEMENTS
    for slot, (tag, words) in elements.items():
        element = f"<{tag}>{escape(language.say(words, 'page'))}</{tag}>"
        html = html.replace(_mark(slot), element)
    return html


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
