"""The English catalog has each message that the table can say, with its slots, and no other.

`tests/words` compares the other catalogs with it.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from pi_app.model.events import Result
from pi_app.model.hint_reasons import KINDS, HintReason
from pi_app.model.screens import Message, Text, message
from pi_app.settings.offers import FAMILIES, OWN, edition_title
from pi_app.table.modes.menu.menu import Line, MenuSection
from pi_app.table.modes.whole_menu import MENU
from pi_app.texts.language import COUNT
from pi_app.texts.reasons import hint_words
from pi_app.texts.rule_words import DIFFERENCE_WORDS, GROUPS, REFUSALS, WORDS
from pi_app.texts.words import FAULTS, LEVEL_NAMES, PATTERNS, PAWN_NAMES
from pi_app.web.pages import CHOOSER, ELEMENTS, LANGUAGE, SCRIPT_SLOTS, TEXT_SLOT

ROOT = Path(__file__).parents[3]
ENGLISH_TEXTS = ROOT / "pi_app" / "texts" / "en.po"
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def made_of_names() -> Iterator[Text]:
    """Yield the texts whose ids are made of names: of the rules' options, editions and so on."""
    for option in WORDS.values():
        yield from (option.name, *option.values.values())
    for family, editions in FAMILIES.items():
        yield from (message(f"family-{family}{what}") for what in ("", "-board", "-entry"))
        yield from map(edition_title, editions)
    yield message(f"family-{OWN}")
    yield from (line.words for section in MENU for line in (section, *lines_in(section)))
    yield from (message(f"answer-{result}") for result in get_args(Result) if result != "done")
    for words in DIFFERENCE_WORDS.values():
        yield from words.values()
    for kind in KINDS:
        yield hint_words(HintReason(kind))
    for table in (GROUPS, REFUSALS, FAULTS, LEVEL_NAMES, PATTERNS, PAWN_NAMES):
        yield from table.values()


def lines_in(line: Line) -> tuple[Line, ...]:
    entries = line.entries if isinstance(line, MenuSection) else ()
    return () if callable(entries) else entries


MADE_OF_NAMES = [text for text in made_of_names() if isinstance(text, Message)]


def calls() -> Iterator[ast.Call]:
    """Yield each call of `message` in the code."""
    folders = (ROOT / "pi_app", ROOT / "hardware", ROOT / "systemd" / "release")
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "message(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
                yield node


def ids(call: ast.Call) -> set[str]:
    """Return the ids that a call may have: one, one of two, or those that are made of names."""
    name = call.args[0]
    if isinstance(name, ast.JoinedStr):
        shape = "".join(one.value if isinstance(one, ast.Constant) else "*" for one in name.values)  # type: ignore[misc]
        return {made.id for made in MADE_OF_NAMES if fnmatchcase(made.id, shape)}
    choices = (name.body, name.orelse) if isinstance(name, ast.IfExp) else (name,)
    return {one.value for one in choices if isinstance(one, ast.Constant)}  # type: ignore[misc]


PAGES = sorted((ROOT / "pi_app").rglob("*.html"))
OF_PAGES = {  # the ids of texts that the pages' files name
    found[1]
    for path in PAGES
    for found in TEXT_SLOT.finditer(
        path.read_text("utf-8").replace(LANGUAGE, "").replace(CHOOSER, "")
    )
}


@cache
def used() -> dict[str, list[set[str] | None]]:
    """Return the slots of each message wherever it is made; None: they are not known."""
    found: dict[str, list[set[str] | None]] = defaultdict(list)
    for text in MADE_OF_NAMES:  # the slots of a reason for a hint depend on what it counts
        named = {slot for slot, _ in text.slots}
        found[text.id].append(None if text.id.startswith("why-") else named)
    for made in calls():
        known = {one.arg for one in made.keywords if one.arg is not None}
        for one in () if isinstance(made.args[0], ast.JoinedStr) else ids(made):
            found[one].append(known if all(k.arg for k in made.keywords) else None)
    for one in OF_PAGES:
        found[one].append(None)
    return found


def catalog() -> Catalog:
    with ENGLISH_TEXTS.open("rb") as file:
        return read_po(file, locale="en")


def texts(found: Catalog) -> Iterator[tuple[str, str]]:
    """Yield each id and each of its texts."""
    for entry in found:
        name = entry.id[0] if isinstance(entry.id, tuple) else entry.id
        for text in (entry.string,) if isinstance(entry.string, str) else entry.string or ():
            if name:
                yield str(name), str(text)


def test_each_message_is_made_with_an_id_that_can_be_read_off_the_code() -> None:
    for call in calls():
        assert ids(call), ast.unparse(call)
        assert all(ID.fullmatch(name) for name in ids(call)), ast.unparse(call)


def test_the_catalog_has_what_is_said_and_nothing_else() -> None:
    assert {name for name, _ in texts(catalog())} == set(used())


def test_the_slots_of_a_text_are_those_of_its_message() -> None:
    slots = defaultdict[str, set[str]](set)
    for name, text in texts(catalog()):
        assert text, name
        slots[name] |= {slot for _, slot, _, _ in Formatter().parse(text) if slot is not None}
    for name, made in used().items():
        for known in made:  # how many there are may be left unsaid
            assert known is None or known in (slots[name], {*slots[name], COUNT}), name


def test_the_slots_of_a_pages_text_are_those_that_a_page_fills() -> None:
    assert OF_PAGES
    for name, text in texts(catalog()):
        if name in OF_PAGES:
            found = {slot for _, slot, _, _ in Formatter().parse(text) if slot is not None}
            assert found <= {*ELEMENTS, *SCRIPT_SLOTS}, name


def test_each_text_has_a_note_for_who_translates_it() -> None:
    assert [entry.id for entry in catalog() if entry.id and not entry.auto_comments] == []
