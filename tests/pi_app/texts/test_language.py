"""Messages in words: slots, rows of things, the long form, and catalogs that are as compiled."""

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from pi_app.model.events import LanguageName
from pi_app.model.screens import NOTHING, KeyHint, Seat, SeatMark, TextScreen, message
from pi_app.texts.language import (
    ENGLISH,
    GOAL,
    PLACES,
    Catalog,
    Language,
    base_code,
    codes,
    find_language,
    language_names,
    preferred_code,
)
from pi_app.texts.wording import word_screen

# A language as small as the tests need. Its texts say where they come from.
FRENCH = r"""
msgid ""
msgstr ""
"Language: fr_CA\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

msgctxt "panel"
msgid "elides-before"
msgstr "a e i o u h é"

msgctxt "panel"
msgid "place-entry"
msgstr "entrée {seat:de |d'}"

msgctxt "panel from"
msgid "place-entry"
msgstr "de l'entrée {seat:de |d'}"

msgctxt "panel"
msgid "place-nest"
msgstr "enclos"

msgctxt "panel ludo"
msgid "place-nest"
msgstr "écurie"

msgctxt "panel from"
msgid "place-nest"
msgstr "de l'enclos"

msgctxt "panel ludo from"
msgid "place-nest"
msgstr "de l'écurie"

msgctxt "page"
msgid "place-nest"
msgstr "l'enclos"

msgctxt "panel"
msgid "way"
msgstr "{origin:from} à {target}"

msgctxt "panel"
msgid "menu"
msgstr "menu"

msgctxt "panel"
msgid "turns"
msgid_plural "turns"
msgstr[0] "{count} tour"
msgstr[1] "{count} tours"
"""
CATALOGS = sorted((Path(__file__).parents[3] / "pi_app" / "texts").glob("*.po"))


def made(texts: str, base: Language | None) -> Language:
    """Return the language of a catalog's source."""
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(texts.encode())))
    compiled.seek(0)
    return Language(Catalog(compiled), base)


@pytest.fixture(name="french")
def _french() -> Language:
    return made(FRENCH, ENGLISH)


def test_a_text_has_the_form_that_another_text_asks_for(french: Language) -> None:
    way = message("way", origin=message("place-entry", seat=Seat(0)), target=message("place-nest"))
    assert french.say(way) == "de l'entrée d'A à enclos"


def test_a_slot_is_elided_before_the_beginnings_that_the_language_names(french: Language) -> None:
    names = (Seat(0), Seat(1), "HANS", "ÉVE", "LUC")
    assert [french.say(message("place-entry", seat=name), "page") for name in names] == [
        "entrée d'A",
        "entrée de B",
        "entrée d'HANS",
        "entrée d'ÉVE",
        "entrée de LUC",
    ]


def test_an_idiom_has_words_of_its_own(french: Language) -> None:
    nest, ludo = message("place-nest"), french.in_idioms("ludo")
    assert (french.say(nest), ludo.say(nest)) == ("enclos", "écurie")
    assert (french.say(nest, form="from"), ludo.say(nest, form="from")) == (
        "de l'enclos",
        "de l'écurie",
    )
    assert french.in_idioms("parchis").say(nest) == "enclos"
    assert ludo.in_idioms().say(nest) == "enclos"


def test_the_text_of_the_own_place_comes_before_that_of_an_idiom(french: Language) -> None:
    assert french.in_idioms("ludo").say(message("place-nest"), "page") == "l'enclos"


def test_a_text_that_a_catalog_lacks_comes_from_its_base(french: Language) -> None:
    assert french.say(message("menu")) == "menu"
    assert french.say(message("do-yes")) == "yes"
    regional = made(FRENCH.replace("enclos", "box"), french)
    assert regional.say(message("place-nest")) == "box"
    assert made('msgid ""\nmsgstr ""\n', french).say(message("place-nest")) == "enclos"


def test_a_base_speaks_the_same_idiom(french: Language) -> None:
    regional = made('msgid ""\nmsgstr ""\n', french)
    assert regional.in_idioms("ludo").say(message("place-nest")) == "écurie"


def test_the_base_of_a_language_is_that_without_its_country_and_english_in_the_end() -> None:
    assert [base_code(code) for code in ("en", "fr", "fr_CA", "en_GB")] == [None, "en", "fr", "en"]


def test_british_english_has_words_of_its_own_for_ludo_only() -> None:
    british = find_language("en_GB")
    ludo, on_40 = british.in_idioms("ludo"), british.in_idioms(GOAL, "ludo")
    places = {"origin": message("place-nest"), "target": message("place-entry", seat=Seat(0))}
    way = message("way", **places)
    assert (british.code, british.name) == ("en-GB", "English (UK)")
    assert [
        one.say(way) for one in (ENGLISH.in_idioms("ludo"), british.in_idioms("parcheesi"))
    ] == ["from the nest to A's entry"] * 2
    assert ludo.say(way) == on_40.say(way, "page") == "from base to A's start"
    assert ludo.say(message("pawns", count=2)) == "2 counters"
    assert ludo.say(message("reason-own-blockade")) == "your own block"
    assert (ludo.say(message("home-row")), on_40.say(message("home-row"))) == (
        "home column",
        "goal",
    )
    assert british.say(message("option-travel-counterclockwise")) == "anticlockwise"
    value = message("option-doublet-spaces-four-when-entered")  # a six gives: ...
    assert ENGLISH.in_idioms("parchis", "sixes").say(value) == "7 if all are out"
    assert ENGLISH.in_idioms("parchis").say(value) == "4 if nest is empty"


def test_the_others_play_on_for_a_place_in_german_too() -> None:
    german = find_language("de")
    on = message("play-on-for", ordinal=message("ordinal-2nd"))
    assert german.say(on) == "weiter um den 2. Platz"
    assert german.say(on, "page") == german.say(on, "voice") == "weiter: Wer wird Zweiter?"


def test_a_plural_is_as_the_language_says(french: Language) -> None:
    words = [french.say(message("turns", count=count)) for count in (0, 1, 2)]
    assert words == ["0 tour", "1 tour", "2 tours"]
    asked = [ENGLISH.say(message("wrong-dice", count=n, thrown=3 - n)) for n in (1, 2)]
    assert asked == ["throw 1 die, not 2", "throw 2 dice, not 1"]


def test_the_code_is_as_in_html(french: Language) -> None:
    assert (ENGLISH.code, french.code) == ("en", "fr-CA")


def test_a_number_has_its_article_in_english() -> None:
    articles = [ENGLISH.say(message("reason-only-enters", number=n)) for n in range(1, 13)]
    assert [words.split()[1] for words in articles] == [*["a"] * 7, "an", *["a"] * 2, "an", "a"]


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_compiled_catalog_is_what_babel_makes_of_its_texts(path: Path) -> None:
    compiled = BytesIO()
    with path.open("rb") as texts:
        write_mo(compiled, read_po(texts, locale=path.stem))
    assert path.with_suffix(".mo").read_bytes() == compiled.getvalue(), "make words"


def test_seats_numbers_and_texts_go_into_their_slots_as_they_are() -> None:
    assert ENGLISH.say((Seat(2),)) == "C"
    assert ENGLISH.say((6, "LUC")) == "6 and LUC"


def test_several_things_are_said_in_a_row() -> None:
    assert ENGLISH.say(("6", "1", "20")) == "6, 1 and 20"


def test_nothing_is_no_words_and_no_truth() -> None:
    assert ENGLISH.say(NOTHING) == ""
    assert not NOTHING
    assert message("list-last", before=1, word=2)


def test_the_voice_has_the_words_of_the_page_or_else_of_the_panel(french: Language) -> None:
    assert french.say(message("place-nest"), "voice") == "l'enclos"
    assert french.say(message("menu"), "voice") == "menu"
    minus = message("minus", number=3)
    said = [ENGLISH.say(minus, place) for place in PLACES]
    assert said == ["-3", "−3", "minus 3"]


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


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.5", "en_GB"),
        ("en-AU,de;q=0.5", "en"),
        ("fr;q=0.4, DE ; q=0.9", "de"),
        ("fr,de;q=0", "en"),
        ("ja, *;q=0.1", "en"),
        ("", "en"),
        ("de;q=huge, ../../etc", "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_likes_best(accepted: str, code: str) -> None:
    assert preferred_code(accepted, ("en", "de", "en_GB")) == code


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt_BR"),
        ("pt-PT,pt;q=0.9", "pt"),
        ("es-MX", "es"),
        ("fr-CA", "fr"),
    ],
)
def test_a_country_has_its_own_catalog_or_that_of_its_language(accepted: str, code: str) -> None:
    assert preferred_code(accepted, codes()) == code


def test_english_is_the_first_and_stands_in_for_a_language_without_a_catalog() -> None:
    assert find_language("xx") is find_language("") is ENGLISH
    assert language_names()[:2] == (
        LanguageName("en", "English", edition="royal-2023"),
        LanguageName("en_GB", "English (UK)", edition="ludo-uk"),
    )
