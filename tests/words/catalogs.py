"""The catalogs of texts: what one must have, and its file written anew from English's.

English defines the messages: their ids, notes and slots. A catalog of another language has a text
for each of them, on the panel and on pages where English has one. For the voice each catalog has
only what sounds wrong there. The catalog of a country, such as `en_GB`, has only what differs from
its language.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from itertools import product
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from babel.messages.catalog import Catalog as Source
from babel.messages.catalog import Message as Entry
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pi_app.settings.offers import FAMILIES, has_printed_numbers, idioms_of
from pi_app.texts.language import (
    BENCHES,
    COUNT,
    COWRIES,
    ELISION,
    ENGLISH_CODE,
    GOAL,
    LADDER,
    NUMBERS,
    PLACES,
    SIXES,
    STARS,
    Catalog,
    Language,
    Place,
    base_code,
)
from rules.ruleset import PRESETS

FOLDER = Path(__file__).parents[2] / "pi_app" / "texts"
IDIOMS = (*FAMILIES, GOAL, LADDER, NUMBERS, COWRIES, BENCHES, SIXES, STARS)
IN_ENGLISH = "English: "  # begins the comment that has the English text
UNBROKEN = 10_000  # letters of a line: neither notes nor texts are broken
HEADER = r"""msgid ""
msgstr ""
"Language: {locale}\n"
"Plural-Forms: {plural_forms};\n"
"POT-Creation-Date: 2026-11-23 00:00+0000\n"
"PO-Revision-Date: 2026-11-23 00:00+0000\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"""
IdsByIdiom = Mapping[str, frozenset[str]]
FUZZY = "fuzzy"  # gettext's flag for a text that must be read again


class Context(NamedTuple):
    """Where a text is used: `panel ludo from`."""

    place: Place
    idiom: str
    form: str


def parse_context(text: str) -> Context:
    """Return a context of a catalog. Raises ValueError if it has no place or too many words."""
    place, *rest = text.split(" ")
    idiom = rest.pop(0) if rest and rest[0] in IDIOMS else ""
    form = rest.pop(0) if rest else ""
    if place not in PLACES or rest:
        raise ValueError(f"context {text!r} is not a place, an idiom and a form")
    return Context(PLACES[PLACES.index(place)], idiom, form)


def id_of(entry: Entry) -> str:
    """Return the id of an entry, "" for the header."""
    return str(entry.id[0] if isinstance(entry.id, tuple | list) else entry.id)


def texts_of(entry: Entry) -> tuple[str, ...]:
    """Return an entry's text in each form of the plural; empty ones if it is not translated."""
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ("",))


def path_of(code: str) -> Path:
    """Return the file of a catalog."""
    return FOLDER / f"{code}.po"


def source_codes() -> tuple[str, ...]:
    """Return the names of the catalogs, English first."""
    others = sorted({path.stem for path in FOLDER.glob("*.po")} - {ENGLISH_CODE})
    return (ENGLISH_CODE, *others)


def read_source(text: bytes, code: str) -> Source:
    """Return a catalog that was read from the text of its file."""
    return read_po(BytesIO(text), locale=code)


def entries(source: Source) -> Iterator[Entry]:
    """Yield the entries of a catalog without its header."""
    return (entry for entry in source if entry.id)


def is_of_country(code: str) -> bool:
    """Whether a catalog is that of a country, which has only what differs from its language."""
    return "_" in code


def language_entries(code: str) -> tuple[Entry, ...]:
    """Return the entries of the language of a country's catalog; none for another catalog."""
    base = base_code(code)
    if not is_of_country(code) or base is None or not path_of(base).exists():
        return ()
    return tuple(entries(read_source(path_of(base).read_bytes(), base)))


@cache
def english() -> Source:
    """Return the English catalog."""
    return read_source(path_of(ENGLISH_CODE).read_bytes(), ENGLISH_CODE)


@cache
def english_slots() -> dict[str, set[str]]:
    """Return the slots of each id, without the count of a plural."""
    slots = defaultdict[str, set[str]](set)
    for entry in entries(english()):
        slots[id_of(entry)] |= slots_in(entry)
    return slots


@cache
def slots_by_context() -> dict[tuple[str, str, str], set[str]]:
    """Return the slots of English's texts by id, place and idiom, without the count of a plural."""
    slots = defaultdict[tuple[str, str, str], set[str]](set)
    for entry in entries(english()):
        place, idiom, _ = parse_context(entry.context or "")
        slots[id_of(entry), place, idiom] |= slots_in(entry)
    return dict(slots)


def needed_slots(name: str, context: Context) -> set[str]:
    """Return the slots of the English text that is found in a context."""
    by_context = slots_by_context()
    nearest = PLACES[PLACES.index(context.place) :: -1]
    keys = product([name], [*nearest, *PLACES], [context.idiom, ""])
    return next(by_context[key] for key in keys if key in by_context)


def slots_in(entry: Entry) -> set[str]:
    """Return the slots of an entry's texts, without the count of a plural."""
    return {slot for text in texts_of(entry) for slot, _ in slots_of(text)} - {COUNT}


@cache
def plurals() -> frozenset[str]:
    """Return the ids of the messages whose text depends on a count."""
    return frozenset(id_of(entry) for entry in entries(english()) if len(texts_of(entry)) > 1)


def slots_of(text: str) -> list[tuple[str, str]]:
    """Return each slot of a text with the form that the text asks for; none if braces are wrong."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return []
    return [(slot, form or "") for _, slot, form, _ in parts if slot is not None]


def problems(source: Source, code: str) -> list[str]:
    """Return what must be mended in a catalog, a line each, with the context and id of the text."""
    found: list[str] = []
    present = defaultdict[str, set[Context]](set)
    hidden = language_entries(code)
    asked = {
        form
        for entry in (*entries(source), *hidden)
        for text in texts_of(entry)
        for _, form in slots_of(text)
        if form and ELISION not in form
    }
    for entry in entries(source):
        name = f"{entry.context} | {id_of(entry)}"
        if id_of(entry) not in english_slots():
            found.append(f"{name}: stale, no message has this id")
            continue
        try:
            context = parse_context(entry.context or "")
        except ValueError as error:
            found.append(f"{name}: {error}")
            continue
        if entry.fuzzy:
            found.append(
                f"{name}: stale, the English text has changed; remove `fuzzy` when it fits"
            )
        if all(texts_of(entry)):
            present[id_of(entry)].add(context)
            found += (f"{name}: {why}" for why in wrong_slots(entry, context))
        if context.form and context.form not in asked:
            found.append(f"{name}: no text asks for the form {context.form!r}")
    if not is_of_country(code):
        found += missing(present)
    return [*found, *incomplete(present, hidden)]


def wrong_slots(entry: Entry, context: Context) -> Iterator[str]:
    """Yield each text's difference from the slots of its message."""
    name = id_of(entry)
    known, needed = english_slots()[name], needed_slots(name, context)
    for text in texts_of(entry):
        slots = {slot for slot, _ in slots_of(text)}
        if not slots and ("{" in text or "}" in text):
            yield f"has a slot that can't be read: {text}"
        if strange := slots - known - {COUNT}:
            yield f"has {strange}, which the message has not: {text}"
    if lost := needed - slots_in(entry):
        yield f"lacks the slot {lost}: {texts_of(entry)[0]}"


def missing(present: dict[str, set[Context]]) -> Iterator[str]:
    """Yield each text that English has and a catalog lacks."""
    for entry in needed_entries():
        if parse_context(entry.context or "") not in present.get(id_of(entry), ()):
            yield f"{entry.context} | {id_of(entry)}: missing"


def needed_entries() -> Iterator[Entry]:
    """Yield the entries of English that each language needs: not in a form, not for the voice."""
    for entry in entries(english()):
        place, _, form = parse_context(entry.context or "")
        if place != "voice" and not form:
            yield entry


def incomplete(present: dict[str, set[Context]], hidden: Iterable[Entry]) -> Iterator[str]:
    """Yield each text that is lacking beside others of its id.

    An id that has a text for an idiom, or in a form, has it for each place, idiom and form that
    it has: a lookup would find a text of another place, idiom or form instead. So a country's texts
    hide all texts of an id in its language, but for the one that is for no idiom.

    hidden: the entries of the language of a country's catalog.
    """
    english_contexts = contexts_by_id(needed_entries())
    hidden_contexts = contexts_by_id(hidden)
    for name, contexts in present.items():
        others = hidden_contexts.get(name, set())
        known = {*contexts, *others}
        places = {context.place for context in {*known, *english_contexts[name]}}
        idioms = {one.idiom for one in contexts} | {one.idiom for one in others if one.idiom}
        forms = {context.form for context in known}
        for parts in product(sorted(places), sorted(idioms), sorted(forms)):
            if Context(*parts) not in contexts:
                yield f"{' '.join(filter(None, parts))} | {name}: missing beside the others"


def contexts_by_id(found: Iterable[Entry]) -> dict[str, set[Context]]:
    """Return the contexts of entries by their id."""
    contexts = defaultdict[str, set[Context]](set)
    for entry in found:
        contexts[id_of(entry)].add(parse_context(entry.context or ""))
    return contexts


@cache
def idioms_at_tables() -> frozenset[tuple[str, ...]]:
    """Return the idioms of each edition, in their order, also with the numbers of its board."""
    idioms = {idioms_of(rules) for rules in PRESETS.values()}
    numbered = {idioms_of(rules) for rules in PRESETS.values() if has_printed_numbers(rules)}
    return frozenset({*idioms, *((NUMBERS, *others) for others in numbered)})


def ids_by_idiom(source: Source) -> dict[str, frozenset[str]]:
    """Return the ids of the texts that a catalog or its language has for an idiom, by idiom."""
    hidden = language_entries(source.locale_identifier or "")
    found = defaultdict[str, set[str]](set)
    for entry in (*entries(source), *hidden):
        found[parse_context(entry.context or "").idiom].add(id_of(entry))
    return {idiom: frozenset(names) for idiom, names in found.items() if idiom}


def idioms_for(names: Iterable[str], ids_by_idiom: IdsByIdiom) -> list[tuple[str, ...]]:
    """Return in which idioms messages are said at tables: in none, and where one has another text.

    names: the ids of the messages.
    """
    known = frozenset(names)
    own = {
        tuple(one for one in idioms if not known.isdisjoint(ids_by_idiom.get(one, ())))
        for idioms in idioms_at_tables()
    }
    return sorted({(), *own})


def language_of(source: Source) -> Language:
    """Return the language of a catalog as the source is now, compiled or not."""
    base = base_code(source.locale_identifier or "")
    below = base and language_of(read_source(path_of(base).read_bytes(), base))
    return Language(Catalog(BytesIO(compiled(source))), below or None)


def compiled(source: Source) -> bytes:
    """Return a catalog as the table reads it."""
    file = BytesIO()
    write_mo(file, source)
    return file.getvalue()


def synchronized(source: Source, code: str) -> Source:
    """Return a catalog with English's messages, in their order, each with its English text.

    Texts stay as they are. A new message has an empty one. A text is marked as fuzzy if the English
    text was another when it was made. Messages that English has no more are left out.
    """
    old = {(entry.context, id_of(entry)): entry for entry in entries(source)}
    usual = {(entry.context, id_of(entry)) for entry in entries(english())}
    special = defaultdict[str, list[Entry]](list)  # for an idiom or in a form, by id
    for key, entry in old.items():
        if key not in usual:
            special[id_of(entry)].append(entry)
    needed = {(entry.context, id_of(entry)) for entry in needed_entries()}
    result = Source(locale=code, header_comment=source.header_comment, fuzzy=False)
    for theirs in entries(english()):
        key = theirs.context, id_of(theirs)
        own = old.get(key)
        if own is None and key in needed and not is_of_country(code):
            own = Entry(theirs.id, context=theirs.context)
        for entry in filter(None, (own, *special.pop(id_of(theirs), ()))):
            add_entry(result, entry, theirs)
    return result


def add_entry(result: Source, entry: Entry, theirs: Entry) -> None:
    """Add an entry with the text of English's. English's note is in `en.po` alone."""
    text = IN_ENGLISH + " | ".join(texts_of(theirs)).replace("\n", "\\n").strip()
    before = [note for note in entry.auto_comments if note.startswith(IN_ENGLISH)]
    is_changed = bool(before) and before != [text] and any(texts_of(entry))
    flags = set(entry.flags) | ({FUZZY} if is_changed else set())
    has_forms = len(texts_of(theirs)) > 1
    is_text_for_all = has_forms and isinstance(entry.string, str)
    string = texts_of(entry) * result.num_plurals if is_text_for_all else entry.string
    result.add(
        theirs.id, string, flags=flags, context=entry.context,
        auto_comments=[text], user_comments=entry.user_comments,
    )  # fmt: skip


def written(source: Source) -> bytes:
    """Return the text of a catalog's file."""
    file = BytesIO()
    write_po(file, source, width=UNBROKEN, no_location=True, omit_header=True)
    header = HEADER.format(
        locale=source.locale_identifier, plural_forms=source.plural_forms.rstrip(";")
    )
    comment = f"{source.header_comment}\n" if source.header_comment else ""
    return f"{comment}{header}\n".encode() + file.getvalue()
