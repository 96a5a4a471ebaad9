"""A pseudo-language for tests: English in brackets, accented, a third longer. No test is in here.

What a reader sees outside brackets was not said by a message: `stray_words` finds it.
"""

import re
from collections.abc import Callable, Collection
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from pi_app.texts.language import Catalog, Language

ENGLISH_TEXTS = Path(__file__).parents[3] / "pi_app" / "texts" / "en.po"
CODE = "en-x-pseudo"
ACCENTED = str.maketrans("aceginosuyACEGINOSUYrtlkzdhRTLKZDH", "áçéğíñóšúýÁÇÉĞÍÑÓŠÚÝřťľķžďħŘŤĽĶŽĎĦ")
WORD = re.compile(r"[^\W\d_]{2,}")


def pseudo() -> Language:
    """Return the pseudo-language, made of the English catalog."""
    return _made(pseudo_text)


def longer() -> Language:
    """Return English whose texts are a third longer, with nothing else changed."""
    return _made(longer_text)


@cache
def _made(change: Callable[[str], str]) -> Language:
    """Return the language whose texts are English's changed."""
    with ENGLISH_TEXTS.open("rb") as file:
        catalog = read_po(file)
    for entry in catalog:
        if not entry.id:
            continue
        if isinstance(entry.string, tuple):
            entry.string = tuple(map(change, entry.string))
        else:
            entry.string = change(str(entry.string))
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Pseudo(Catalog(compiled))


class Pseudo(Language):
    """The pseudo-language, whose catalog has English's header."""

    @property
    def code(self) -> str:
        return CODE


def pseudo_text(text: str) -> str:
    """Return a text with accents, every third letter twice, in brackets; its slots as they are."""
    return f"[{_changed(text, lambda literal: _longer(literal).translate(ACCENTED))}]"


def longer_text(text: str) -> str:
    """Return a text with every third letter twice; its slots as they are."""
    return _changed(text, _longer)


def _longer(text: str) -> str:
    return "".join(
        letter * (1 + (letter.isalpha() and n % 3 == 2)) for n, letter in enumerate(text)
    )


def _changed(text: str, change: Callable[[str], str]) -> str:
    """Return a text changed all but its slots."""
    parts: list[str] = []
    for literal, slot, form, _ in Formatter().parse(text):
        parts.append(change(literal).replace("{", "{{").replace("}", "}}"))
        if slot is not None:
            parts.append(f"{{{slot}:{form}}}" if form else f"{{{slot}}}")
    return "".join(parts)


def stray_words(text: str, allowed: Collection[str] = ()) -> list[str]:
    """Return the words of two and more letters outside all brackets that are not allowed there."""
    depth, outside = 0, []
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        outside.append(" " if depth or letter == "]" else letter)
    left = "".join(outside)
    for one in sorted(allowed, key=len, reverse=True):
        left = left.replace(one, " ")
    return WORD.findall(left)
