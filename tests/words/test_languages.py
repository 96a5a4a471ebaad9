"""Every language has all texts, and each of them fits wherever it is shown."""

import pytest
from babel.messages.catalog import Catalog as Source

from pi_app.texts.language import codes, language, language_names
from tests.pi_app.texts.pseudo import longer
from tests.pi_app.texts.shown import kept_screens, messages_of
from tests.words.catalogs import (
    Context,
    id_of,
    idioms_for,
    ids_by_idiom,
    language_of,
    parse_context,
    path_of,
    problems,
    read_source,
    source_codes,
    synchronized,
    texts_of,
    written,
)
from tests.words.fitting import too_long, too_long_letters
from tests.words.menus import changes_of_rules
from tests.words.page import words_page

CODES = pytest.mark.parametrize("code", source_codes())
OF_NO_LANGUAGE = "oc_FR"  # a country's catalog whose language has none: nothing is missing in it
HEADER = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n\n'


def source(code: str) -> Source:
    return read_source(path_of(code).read_bytes(), code)


def faults_of(*blocks: str, code: str = "fr_CA") -> list[str]:
    """Return what is wrong with a catalog of these entries."""
    return problems(read_source((HEADER + "\n\n".join(blocks)).encode(), code), code)


def entry(context: str, name: str, text: str, flag: str = "") -> str:
    return f'{flag}msgctxt "{context}"\nmsgid "{name}"\nmsgstr "{text}"'


@CODES
def test_a_catalog_has_every_text_and_nothing_to_mend(code: str) -> None:
    assert problems(source(code), code) == []


@CODES
def test_every_text_fits_wherever_it_is_shown(code: str) -> None:
    own = frozenset(id_of(one) for one in source(code) if one.id) if "_" in code else None
    found = too_long(language_of(source(code)), ids_by_idiom(source(code)), own)
    assert list(map(str, found)) == []  # a country's other texts are those of its language


def test_the_house_rules_of_each_edition_refuse_more_than_a_hundred_changes() -> None:
    assert len(changes_of_rules()) > 100


@CODES
def test_a_catalog_is_in_the_order_of_english_with_its_texts(code: str) -> None:
    if code != "en":
        assert path_of(code).read_bytes() == written(synchronized(source(code), code)), "make words"


def test_each_catalog_is_compiled() -> None:
    assert set(codes()) == set(source_codes())


def test_each_language_has_a_name_of_its_own() -> None:
    names = [one.name for one in language_names()]
    assert sorted(names) == sorted(set(names)), "translate language-name"


def with_text(code: str, context: str, name: str, text: str) -> Source:
    """Return a catalog with another text, which is not compiled."""
    changed = source(code)
    next(one for one in changed if (one.context, id_of(one)) == (context, name)).string = text
    return changed


@pytest.mark.parametrize(
    ("code", "context", "name", "text", "fault"),
    [
        # On a panel with one button, alone and in a line with another key.
        ("es", "panel", "do-this-pawn", "esta ficha", "do-this-pawn"),
        ("pt", "panel", "do-yes-go-on", "sim, seguir", "do-yes-go-on"),
        ("en_GB", "panel ludo", "do-this-pawn", "this counter", "do-this-pawn"),
        ("fr", "panel", "do-open", "une lettre", "two-keys"),
        # Under three players who have joined.
        ("es", "panel", "edition-mb-total", "Milton Bradley, dados sumados", "edition-mb-total"),
        # Beside the title "D: nein".
        ("de", "panel", "option-third-doublet-nearest-home", "erste zurück ins Haus", "of-seat"),
        # With cowries only.
        ("fr", "panel cowries", "type-in-real-dice", "note tous\ntes cauris", "type-in-real-dice"),
    ],
)
def test_a_text_is_too_long_on_one_of_the_screens_that_can_have_it(
    code: str, context: str, name: str, text: str, fault: str
) -> None:
    changed = with_text(code, context, name, text)
    found = too_long(language_of(changed), ids_by_idiom(changed), frozenset({name}))
    assert fault in {one.id for one in found}


@pytest.mark.parametrize(
    ("letters", "fault"),
    [
        ("ÃÇÉÁÕÓÂÀÊÍÔÚ", "extra-letters: too long for the enlarged text, 41 pixels: 'ÃÇÉÁÕÓ'"),
        ("ŽÁ", "extra-letters: too long for font 'words', which has no 'Ž': 'Ž'"),
    ],
)
def test_a_language_has_its_own_letters_where_a_name_is_entered(letters: str, fault: str) -> None:
    changed = language_of(with_text("pt", "panel", "extra-letters", letters))
    assert fault in map(str, too_long_letters(changed))


def test_texts_for_idioms_are_drawn_as_tables_speak_them() -> None:
    special = {"cowries": frozenset({"dice"}), "sixes": frozenset({"dice", "doubles"})}
    assert idioms_for({"dice"}, special) == [(), ("cowries", "sixes"), ("sixes",)]
    assert idioms_for({"doubles"}, special) == [(), ("sixes",)]
    assert idioms_for({"pawns"}, special) == [()]


def test_a_text_that_is_too_long_is_named_with_its_message_and_its_room() -> None:
    faults = too_long(longer(), {}, frozenset({"do-throw"}))
    assert "do-throw" in {fault.id for fault in faults}
    lines = [str(fault) for fault in faults if fault.id == "do-throw"]
    assert lines[0] == "do-throw: too long for what a key does, 24 pixels: 'thrrow'"


def test_a_new_catalog_has_each_message_with_its_english_text_and_lacks_all_texts() -> None:
    new = synchronized(Source(locale="pt", header_comment=""), "pt")
    text = written(new).decode()
    assert '"Language: pt\\n"' in text
    assert '\n\n#. English: back\nmsgctxt "panel"\nmsgid "do-back"\nmsgstr ""\n' in text
    assert "panel | do-back: missing" in problems(new, "pt")
    assert written(synchronized(read_source(text.encode(), "pt"), "pt")).decode() == text


def test_a_text_is_stale_when_the_english_text_is_another() -> None:
    old = f"#. English: backwards\n{entry('panel', 'do-back', 'retour')}"
    changed = synchronized(read_source((HEADER + old).encode(), "fr_CA"), "fr_CA")
    (stale,) = (one for one in changed if one.id)
    assert (stale.fuzzy, texts_of(stale)) == (True, ("retour",))
    assert "panel | do-back: stale, the English text has changed" in problems(changed, "fr_CA")[0]


def test_a_text_stands_for_each_form_when_its_message_gets_a_plural() -> None:
    old = f"#. English: {{count}} spaces\n{entry('panel', 'turns', '{count} tours')}"
    changed = synchronized(read_source((HEADER + old).encode(), "fr_CA"), "fr_CA")
    (stale,) = (one for one in changed if one.id)
    assert (stale.fuzzy, texts_of(stale)) == (True, ("{count} tours", "{count} tours"))
    assert 'msgstr[1] "{count} tours"' in written(changed).decode()


def test_a_message_that_english_has_no_more_is_stale_and_left_out() -> None:
    gone = entry("panel", "no-such-message", "rien")
    assert faults_of(gone) == ["panel | no-such-message: stale, no message has this id"]
    made = synchronized(read_source((HEADER + gone).encode(), "fr_CA"), "fr_CA")
    assert [id_of(one) for one in made if one.id] == []


def test_texts_for_an_idiom_and_in_a_form_are_kept_and_must_be_complete() -> None:
    asking = entry("panel", "way", "{origin:from} à {target}")
    nest = entry("panel", "place-nest", "enclos"), entry("panel from", "place-nest", "de l'enclos")
    ludo = entry("panel ludo", "place-nest", "écurie")
    assert faults_of(asking, *nest, code=OF_NO_LANGUAGE) == []
    assert faults_of(asking, *nest, ludo, code=OF_NO_LANGUAGE) == [
        "panel ludo from | place-nest: missing beside the others"
    ]
    assert faults_of(*nest, code=OF_NO_LANGUAGE) == [
        "panel from | place-nest: no text asks for the form 'from'"
    ]
    whole = read_source((HEADER + "\n\n".join((asking, *nest))).encode(), "fr_CA")
    contexts = [one.context for one in synchronized(whole, "fr_CA") if id_of(one) == "place-nest"]
    assert contexts == ["panel", "panel from"]


def test_a_text_of_the_page_must_not_hide_one_of_the_panel_in_a_form() -> None:
    asking = entry("panel", "way", "{origin:from} à {target}")
    nest = entry("panel", "place-nest", "enclos"), entry("panel from", "place-nest", "de l'enclos")
    page = entry("page", "place-nest", "l'enclos")
    assert faults_of(asking, *nest, page, code=OF_NO_LANGUAGE) == [
        "page from | place-nest: missing beside the others"
    ]


def test_a_text_for_the_voice_is_needed_only_beside_one_of_the_same_language() -> None:
    asking = entry("panel", "way", "{origin:from} à {target}")
    nest = entry("panel", "place-nest", "enclos"), entry("panel from", "place-nest", "de l'enclos")
    voice = entry("voice", "place-nest", "l'enclos")
    assert faults_of(asking, *nest, voice, code=OF_NO_LANGUAGE) == [
        "voice from | place-nest: missing beside the others"
    ]
    ordinal = entry("panel", "ordinal-1st", "1er")  # for which English has a text for the voice
    assert faults_of(ordinal, code=OF_NO_LANGUAGE) == []


def test_a_text_of_a_country_must_not_hide_one_of_its_language_in_a_form_or_for_an_idiom() -> None:
    base = entry("panel ludo", "place-nest", "base")
    assert faults_of(base, code="en_GB") == [
        "panel ludo the | place-nest: missing beside the others"
    ]
    assert faults_of(base, entry("panel ludo the", "place-nest", "base"), code="en_GB") == []
    assert faults_of(entry("panel", "is-home", "{seat} is in: whose turn?"), code="en_GB") == [
        "panel goal | is-home: missing beside the others"
    ]


def test_a_text_of_the_panel_has_one_of_the_page_beside_it_where_english_has() -> None:
    assert faults_of(entry("panel ludo", "uses-from", "{uses}: {origin}"), code=OF_NO_LANGUAGE) == [
        "page ludo | uses-from: missing beside the others"
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("entrée", "lacks the slot {'seat'}: entrée"),
        ("{seat} {place}", "has {'place'}, which the message has not: {seat} {place}"),
        ("{seat", "has a slot that can't be read: {seat"),
    ],
)
def test_a_text_has_the_slots_of_its_message(text: str, fault: str) -> None:
    assert f"panel | place-entry: {fault}" in faults_of(entry("panel", "place-entry", text))


def test_a_context_is_a_place_an_idiom_and_a_form() -> None:
    assert parse_context("panel") == Context("panel", "", "")
    assert parse_context("page ludo") == Context("page", "ludo", "")
    assert parse_context("panel ludo from") == Context("panel", "ludo", "from")
    assert parse_context("panel from") == Context("panel", "", "from")
    for wrong in ("Panel", "panel from ludo", "panel ludo from it"):
        with pytest.raises(ValueError, match="is not a place, an idiom"):
            parse_context(wrong)


def test_the_kept_screens_have_only_messages_that_there_are() -> None:
    english = {id_of(one) for one in source("en") if one.id}
    shown = {name for screen in kept_screens() for name in messages_of(screen)}
    assert shown - english == set()


def test_a_page_has_screens_with_their_texts_and_what_is_too_long() -> None:
    screens = [shown for shown in kept_screens() if "do-throw" in messages_of(shown)]
    page = words_page(longer(), screens, {})
    assert page.count("<section") == len(screens) > 1
    assert page.count('<section class="long">') > 0
    assert "<dt>do-throw<dd>thrrow" in page


def test_a_page_has_the_screens_with_words_of_an_idiom_once_more() -> None:
    screens = [shown for shown in kept_screens() if "menu-walk" in messages_of(shown)]
    british = language("en_GB")
    page = words_page(british, screens, {"ludo": frozenset({"menu-walk"})})
    assert page.count("<section") == 2 * len(screens) > 1
    plain, ludo = page.split("<h2>ludo</h2>")
    assert "<dt>menu-walk<dd>check the pawns" in plain
    assert "<dt>menu-walk<dd>check counters" in ludo
