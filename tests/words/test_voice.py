"""No voice is given a sign: it would spell it, drop it, or read it as another word."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from pi_app.model.screens import Value, message
from pi_app.table.core.speech import screen_words
from pi_app.texts.language import COUNT, language
from tests.pi_app.texts.shown import kept_screens
from tests.words.catalogs import (
    english_slots,
    entries,
    id_of,
    language_entries,
    needed_entries,
    parse_context,
    path_of,
    plurals,
    read_source,
    source_codes,
)

CODES = pytest.mark.parametrize("code", source_codes())
SIGN = re.compile(r"[ºª°/+−±→]|-(?=\d)")
ORDINAL = re.compile(r"\d(\.(?!\d)|(st|nd|rd|th|er|re|e|ème|o|a)\b)")
UNHEARD = {"from", "own-edition"}  # a shorter line than the one that is heard; a name in code


@cache
def heard() -> set[str]:
    """Return the ids of the texts that a voice speaks."""
    panel = (one for one in needed_entries() if (one.context or "").startswith("panel"))
    return {id_of(one) for one in panel} - UNHEARD


def faults(words: str) -> list[str]:
    """Return the signs in a text; the full stop at its end is none."""
    said = words.rstrip(".")
    return [found[0] for sign in (SIGN, ORDINAL) for found in sign.finditer(said)]


def spoken_texts(code: str) -> Iterator[tuple[str, str, str]]:
    """Yield each text that a display of a language may show, as it is heard: context, id, words."""
    source = read_source(path_of(code).read_bytes(), code)
    for entry in (*entries(source), *language_entries(code)):
        name, context = id_of(entry), parse_context(entry.context or "")
        if name not in heard():
            continue  # of pages and paper
        spoken = language(code).in_idioms(*filter(None, [context.idiom]))
        slots: dict[str, Value] = dict.fromkeys(english_slots()[name], "7")
        for counted in ({COUNT: 1}, {COUNT: 2}) if name in plurals() else ({},):
            text = message(name, **slots, **counted)
            yield f"{entry.context}", name, spoken.say(text, "voice", context.form)


@CODES
def test_no_text_that_is_heard_has_a_sign(code: str) -> None:
    assert [text for text in spoken_texts(code) if faults(text[-1])] == []


@CODES
def test_no_sentence_that_is_heard_begins_with_a_word_that_is_taken_for_seat_a(code: str) -> None:
    assert [text for text in spoken_texts(code) if re.match(r"A \w", text[-1])] == []


@CODES
def test_no_screen_that_is_heard_has_a_sign(code: str) -> None:
    heard = {screen_words(shown.screen, language(code)) for shown in kept_screens()}
    assert [words for words in sorted(heard) if faults(words)] == []
