"""Messages in words: slots, rows of things, the long form, and catalogs that are as compiled."""

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from pi_app.screens.screen import NOTHING, KeyHint, Seat, SeatMark, TextScreen, message
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen

CATALOGS = sorted((Path(__file__).parents[3] / "pi_app" / "texts").glob("*.po"))


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_compiled_catalog_is_what_babel_makes_of_its_texts(path: Path) -> None:
    compiled = BytesIO()
    with path.open("rb") as texts:
        write_mo(compiled, read_po(texts, locale=path.stem))
    assert path.with_suffix(".mo").read_bytes() == compiled.getvalue(), "make catalogs"


def test_seats_numbers_and_texts_go_into_their_slots_as_they_are() -> None:
    assert ENGLISH.say((Seat(2),)) == "C"
    assert ENGLISH.say((6, "LUC")) == "6 and LUC"


def test_several_things_are_said_in_a_row() -> None:
    assert ENGLISH.say(("6", "1", "20")) == "6, 1 and 20"


def test_nothing_is_no_words_and_no_truth() -> None:
    assert ENGLISH.say(NOTHING) == ""
    assert not NOTHING
    assert message("list-last", before=1, word=2)


def test_a_page_has_the_panels_words_where_it_has_none_of_its_own() -> None:
    text = message("list-last", before="tea", word="milk")
    assert ENGLISH.say(text, "page") == ENGLISH.say(text) == "tea and milk"


def test_a_screen_is_worded_however_deep_its_messages_are() -> None:
    two = message("list-last", before=Seat(0), word=Seat(1))
    page = TextScreen(two, (two, "as it is"), (KeyHint(two, "go on"),), seats=(SeatMark(0, two),))
    words = "A and B"
    expected = TextScreen(
        words, (words, "as it is"), (KeyHint(words, "go on"),), seats=(SeatMark(0, words),)
    )
    assert word_screen(page, ENGLISH) == expected
