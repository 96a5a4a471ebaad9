"""The fonts: the letters of all languages, no part of one cut where it is drawn, whole words."""

from unicodedata import decomposition

import pytest
from PIL import Image, ImageOps

from pi_app.display import large
from pi_app.display.lettering import NOTES, WORDS, Font, draw_text, wrap
from pi_app.display.view import draw
from pi_app.model.screens import KeyHint, TextScreen, message
from pi_app.table.modes.menu.naming import DELETE, DONE, GROUPS, MENU, NONE, OTHERS, SHOWN
from pi_app.texts.language import Language, all_languages

FONTS = pytest.mark.parametrize("font", [WORDS, NOTES], ids=lambda font: font.name)
SPANISH, GERMAN, FRENCH, PORTUGUESE = "áéíóúüñ", "äöüß", "àâæçéèêëîïôœùûüÿ", "áâãàçéêíóôõú"
SMALL = sorted(set(SPANISH + GERMAN + FRENCH + PORTUGUESE))
CAPITALS = [char.upper() for char in SMALL if len(char.upper()) == 1]
MARKS = "¿¡«»–…’„“”ºª°"
BELOW = "çÇ"  # the only letters of these whose mark is below the line


def rows(font: Font, char: str) -> list[bool]:
    """Return which rows of a character have a lit pixel."""
    glyph = font.glyph(char)
    return [
        glyph.crop((0, row, glyph.width, row + 1)).getbbox() is not None
        for row in range(glyph.height)
    ]


@FONTS
def test_a_font_has_the_letters_of_all_languages_each_different(font: Font) -> None:
    letters = [*SMALL, *CAPITALS, *MARKS]
    assert [char for char in letters if char not in font.glyphs] == []
    drawn = [(font.glyph(char).size, font.glyph(char).tobytes()) for char in letters]
    assert len(set(drawn)) == len(drawn)


@FONTS
def test_a_line_never_ends_between_a_word_and_the_narrow_space_before_its_mark(font: Font) -> None:
    room = font.width("à qui le tour")
    assert wrap(font, "à qui le tour ?", room) == ["à qui le tour", "?"]
    assert wrap(font, "à qui le tour\u202f?", room) == ["à qui le", "tour\u202f?"]
    assert font.width("tour?") < font.width("tour\u202f?") < font.width("tour ?")


@FONTS
def test_all_glyphs_have_the_height_of_a_line(font: Font) -> None:
    assert {glyph.height for glyph in font.glyphs.values()} == {font.height}


@FONTS
def test_a_letter_with_a_mark_is_as_high_as_a_capital_and_as_wide_as_without(font: Font) -> None:
    for char in (*SMALL, *CAPITALS):
        base = "".join(chr(int(code, 16)) for code in decomposition(char).split()[:1])
        lit = rows(font, char)
        assert lit[: font.cap].count(True) >= font.cap - 3, char
        assert any(lit[font.cap :]) == (char in BELOW or base == "y"), char
        if base and char not in "íìïîÍÎ":  # an accent is wider than an i
            assert font.glyph(char).width == font.glyph(base).width, char


@pytest.mark.parametrize("text", ["ÁÉÍÑÜÇ gç¿¡", "áàâäãñçß yg"])
def test_neither_accents_nor_descenders_are_cut(text: str) -> None:
    page = draw(TextScreen(text, (text,) * 3, (KeyHint(text, text),)))
    one = draw(TextScreen(text, (text,) * 2, chosen=0))
    line = large.draw_line(large.LargeLine("", text[:6], key=KeyHint(text[-4:], "ç")))
    title, words, key = draw_text(WORDS, text), draw_text(WORDS, text), draw_text(NOTES, text)
    assert is_inside(title, page)
    assert is_inside(words, page.crop((0, 16, 128, 64)))
    assert is_inside(key, page.crop((0, 56, 128, 64)))
    assert is_inside(words, one.crop((0, 16, 128, 64)))
    first = draw_text(WORDS, text[:6])
    assert is_inside(first.resize((2 * first.width, 2 * first.height)), line)
    assert is_inside(draw_text(WORDS, text[-4:]), line.crop((0, 50, 128, 64)))


LANGUAGES = pytest.mark.parametrize("spoken", all_languages().values(), ids=all_languages())


def extra_letters(spoken: Language) -> str:
    """Return the letters of a language that names have beside A to Z."""
    return spoken.say(message("extra-letters")).strip("-")


@LANGUAGES
def test_each_letter_for_a_name_differs_from_all_others(spoken: Language) -> None:
    letters = [*"".join(GROUPS), *extra_letters(spoken)]
    drawn = {draw(TextScreen("", (), large=letter)).tobytes() for letter in letters}
    assert len(drawn) == len(letters)


@LANGUAGES
def test_what_naming_shows_three_times_as_large_is_not_cut(spoken: Language) -> None:
    ends = (spoken.say(choice.shown) for choice in (DONE, DELETE, NONE, OTHERS, MENU))
    digits = spoken.say(message("digits"))
    groups = filter(None, (*GROUPS[:-1], digits, extra_letters(spoken)[:SHOWN]))
    for text in (*groups, *ends, "gjpqy", "Ç,;Q"):
        page = draw(TextScreen("gy", (), (KeyHint("OK", "Ç"),), large=text))
        enlarged = ImageOps.scale(draw_text(WORDS, text), 3, Image.Resampling.NEAREST)
        assert is_inside(enlarged, page), text


def is_inside(part: Image.Image, whole: Image.Image) -> bool:
    """Return whether a picture is somewhere in another, as it is or inverted."""
    places = (
        (x, y)
        for y in range(whole.height - part.height + 1)
        for x in range(whole.width - part.width + 1)
    )
    shown, inverted = part.tobytes(), part.point(lambda pixel: 255 - pixel).tobytes()
    return any(
        whole.crop((x, y, x + part.width, y + part.height)).tobytes() in (shown, inverted)
        for x, y in places
    )
