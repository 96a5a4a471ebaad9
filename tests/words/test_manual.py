"""The manual of each language has the chapters of the English one, in the words of its panels."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from pi_app.model.screens import Message
from pi_app.table.modes.menu.menu import Line, MenuSection
from pi_app.table.modes.whole_menu import MENU
from pi_app.texts.language import ENGLISH_CODE, codes
from tests.pi_app.kept import SCREENS, check_picture
from tests.pi_app.texts.shown import messages_of
from tests.words.catalogs import entries, id_of, language_entries, path_of, read_source, texts_of
from tests.words.evening import evening

FOLDER = Path(__file__).parents[2] / "pi_app" / "manual"
EACH = pytest.mark.parametrize("code", codes())
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
PICTURE = re.compile(
    r'<img src="\.\./\.\./tests/screens/(evening/\w+)/(.+?)\.png" width="256" alt="(.*?)">'
)
LINK = re.compile(r"\]\((.*?)\)")
QUOTED = re.compile('["„«]([^"“»]+)["“»]')
LIST_OR_ROW = re.compile(r"^( *[-|]|\d\.)", re.MULTILINE)
# What an evening has: a penalty, an undo, a correction, house rules, an end, luck, switching off.
WHOLE = {
    *("oh-no", "put-back", "is-corrected", "house-rules"),
    *("has-won", "luck-and-skill", "switching-off"),
}
SLOT = re.compile(r"\\\{.*?\\\}")


def manual(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def without_pictures(code: str) -> str:
    return PICTURE.sub("", manual(code))


def in_order(code: str) -> list[tuple[str, ...]]:
    """Return what each chapter has: its level, its lists and rows, its pictures and links."""
    return [
        (
            level,
            "".join(LIST_OR_ROW.findall(text)),
            *(name for _, name, _ in PICTURE.findall(text)),
            str(len(LINK.findall(text))),
        )
        for level, text in chapters(manual(code))
    ]


def chapters(text: str) -> list[tuple[str, str]]:
    """Return each chapter with the signs before its heading, which are its level."""
    found = [*HEADING.finditer(text), None]
    return [
        (here[1], text[here.end() : there.start() if there else len(text)])
        for here, there in pairwise(found)
        if here
    ]


class Said(NamedTuple):
    """A text of a panel. pattern: matches it with any values in its slots; None if it has none."""

    id: str
    text: str
    pattern: re.Pattern[str] | None


@cache
def texts_of_panel(code: str) -> tuple[Said, ...]:
    source = (*entries(read_source(path_of(code).read_bytes(), code)), *language_entries(code))
    found = ((id_of(one), plain(text)) for one in source for text in texts_of(one) if text)
    return tuple(
        Said(name, text, re.compile(SLOT.sub(".+", re.escape(text))) if "{" in text else None)
        for name, text in found
    )


def plain(text: str) -> str:
    """Return a text with all spaces alike and in small letters."""
    return " ".join(text.split()).lower()


@cache
def ids_saying(code: str, quoted: str) -> frozenset[str]:
    """Return the ids of the texts that equal a quotation or, if none does, that contain it."""
    texts = texts_of_panel(code)
    whole = {one.id for one in texts if one.text == quoted}
    filled = {one.id for one in texts if one.pattern and one.pattern.fullmatch(quoted)}
    return frozenset(whole | filled or {one.id for one in texts if quoted in one.text})


def quotations(code: str) -> list[list[frozenset[str]]]:
    """Return the ids that each quotation of each chapter can be."""
    return [
        [ids_saying(code, plain(quoted)) for quoted in QUOTED.findall(text)]
        for _, text in chapters(without_pictures(code))
    ]


def anchor(heading: str) -> str:
    """Return the name by which links know a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@EACH
def test_each_language_has_the_manual_with_the_same_parts(code: str) -> None:
    assert in_order(code) == in_order(ENGLISH_CODE)


@EACH
def test_what_it_quotes_is_what_the_panel_says(code: str) -> None:
    english = quotations(ENGLISH_CODE)
    for own, wanted, (_, text) in zip(
        quotations(code), english, chapters(manual(code)), strict=True
    ):
        missing = [ids for ids in wanted if not any(ids & one for one in own)]
        assert (missing, all(own)) == ([], True), text


def test_it_explains_each_line_of_the_menu() -> None:
    quoted = frozenset[str]().union(*(ids for part in quotations(ENGLISH_CODE) for ids in part))
    lines = {line.words.id for line in lines_of(MENU) if isinstance(line.words, Message)}
    assert len(lines) > 30
    assert lines - quoted == set()


def lines_of(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        if isinstance(line, MenuSection) and isinstance(line.entries, tuple):
            yield from lines_of(line.entries)


@EACH
def test_each_link_leads_to_a_chapter(code: str) -> None:
    anchors = {f"#{anchor(heading)}" for _, heading in HEADING.findall(manual(code))}
    assert set(LINK.findall(manual(code))) - anchors == set()


@EACH
def test_its_pictures_are_of_a_whole_evening_in_its_language(
    code: str, redraw: bool, tmp_path: Path
) -> None:
    shown_ids = {name for moment in evening(code).moments for name in messages_of(moment.shown)}
    assert WHOLE - shown_ids == set()
    pictures = evening(code).pictures
    if redraw:
        (SCREENS / "evening").mkdir(exist_ok=True)
        (FOLDER / f"{code}.md").write_text(with_words(code), encoding="utf-8")
    shown = [(folder, name) for folder, name, _ in PICTURE.findall(manual(code))]
    assert shown == [(f"evening/{code}", name) for _, name in shown]
    assert {name for _, name in shown} == set(pictures)
    for folder, name in shown:
        check_picture(f"{folder}/{name}", pictures[name].image, redraw, tmp_path)
    assert manual(code) == with_words(code)


def with_words(code: str) -> str:
    """Return the manual with the words that the voice reads on each picture."""
    pictures = evening(code).pictures
    return PICTURE.sub(
        lambda found: f'{found[0][: found.start(3) - found.start()]}{pictures[found[2]].words}">',
        manual(code),
    )
