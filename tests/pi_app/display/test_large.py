"""Large lines for children, in each language: a place is one word, with its arrow, and fits."""

from functools import cache
from itertools import count, product, takewhile

import pytest

from pi_app.display.large import LINE_S, LargeLine, draw_line, visible_part
from pi_app.display.lettering import Overflow
from pi_app.display.moment import FrameTime
from pi_app.model.screens import BoardScreen, Die, KeyHint, Message, Seat, message
from pi_app.texts.language import COUNT, ENGLISH, Language, base_code, language
from pi_app.texts.wording import word_screen
from pi_app.texts.words import place_words
from rules.board import BOARDS, SEATS
from rules.ruleset import PRESETS
from tests.pi_app.texts.shown import EMPTY_MAP
from tests.words.catalogs import (
    IDIOMS,
    english_slots,
    entries,
    id_of,
    parse_context,
    path_of,
    plurals,
    read_source,
    slots_of,
    source_codes,
    texts_of,
)
from tests.words.fitting import EXAMPLES

CODES = pytest.mark.parametrize("code", source_codes())
PLACES = {"origin", "target", "place"}  # the slots for a place
ARROW = "→"
KEYS = (KeyHint(message("press-ok"), message("do-moved")),)


@cache
def all_places() -> tuple[Message, ...]:
    """Return each place of each board, seen from each seat."""
    found = (
        place_words(rules, seat, place)
        for rules in PRESETS.values()
        for seat in range(SEATS)
        for place in BOARDS[rules.layout].places
    )
    return tuple(dict.fromkeys(found))


def worded_places(code: str) -> dict[str, tuple[Language, Message]]:
    """Return each place by its words, in any idiom of a language."""
    spoken = language(code), *(language(code).in_idioms(idiom) for idiom in IDIOMS)
    return {one.say(place): (one, place) for one, place in product(spoken, all_places())}


def texts_with_places(code: str) -> dict[str, int]:
    """Return the messages of a catalog's display that name places, and how many each names.

    A place in a form ("from the nest") is a part of a sentence, which may be broken.
    """
    found = {}
    for entry in entries(read_source(path_of(code).read_bytes(), code)):
        if parse_context(entry.context or "").place == "panel":
            slots = slots_of(texts_of(entry)[0])
            if number := sum(slot in PLACES and not form for slot, form in slots):
                found[id_of(entry)] = number
    return found


def child_lines(text: Message, spoken: Language) -> list[LargeLine]:
    """Return the lines in which a child reads a text beside a map."""
    screen = word_screen(BoardScreen(EMPTY_MAP, seat=0, heading="", lead=text), spoken)
    assert isinstance(screen, BoardScreen)
    turns = (visible_part(screen, FrameTime(n * LINE_S, 0.0), 0.0) for n in count(1))
    return list(takewhile(lambda shown: isinstance(shown, LargeLine), turns))  # type: ignore[arg-type]


def test_a_line_that_is_too_wide_even_as_other_words_is_named() -> None:
    text = "www.example.com/pachisi"
    with pytest.warns(Overflow, match="'www.example.com/pachisi' does not fit into a large line"):
        draw_line(LargeLine("", text))


def with_places(name: str, place: Message) -> Message:
    """Return a message that names this place in each of its slots for one."""
    slots = english_slots()[name] | ({COUNT} if name in plurals() else set())
    values = {slot: place if slot in PLACES else EXAMPLES.get(slot, "6") for slot in slots}
    return message(name, **values)


@CODES
def test_no_place_is_broken_over_two_lines_and_each_arrow_is_beside_its_place(code: str) -> None:
    names = texts_with_places(base_code(code) or code if "_" in code else code)
    assert {"uses-from", "pawn-from", "done", "seats-stand-there"} <= set(names)
    broken = set()
    for words, (spoken, place) in worded_places(code).items():
        for name, number in names.items():
            text = with_places(name, place)
            lines = [line.text for line in child_lines(text, spoken) if words in line.text]
            arrows = spoken.say(text).count(ARROW)
            if len(lines) < number or sum(ARROW in line for line in lines) < arrows:
                broken.add(spoken.say(text))
    assert sorted(broken) == []


def test_beside_the_dice_a_child_sees_what_one_line_holds_of_a_phrase_that_is_too_wide() -> None:
    words = (message("back-to-the-pawns"),)
    screen = word_screen(BoardScreen(EMPTY_MAP, 0, "A", (Die(6), Die(6)), words=words), ENGLISH)
    assert isinstance(screen, BoardScreen)
    shown = visible_part(screen, FrameTime(0.0, 0.0), 0.0)
    assert isinstance(shown, BoardScreen)
    assert shown.words == ("back to",)


def test_beside_the_dice_a_child_sees_the_first_line_of_a_phrase_and_reads_all_of_it() -> None:
    place = message("place-past", spaces=2, seat=Seat(1), number=7)
    words = (message("goes-to-the-nest", place=place),)
    dice = (Die(6), Die(6))
    penalty = BoardScreen(EMPTY_MAP, 0, "A", dice, words=words, lead="why", keys=KEYS)
    screen = word_screen(penalty, ENGLISH)
    assert isinstance(screen, BoardScreen)
    shown = [visible_part(screen, FrameTime(n * LINE_S, 0.0), 0.0) for n in range(5)]
    assert isinstance(shown[0], BoardScreen)
    assert shown[0].words == ("2\u202fpast\u202fB",)
    assert [line.text for line in shown[1:] if isinstance(line, LargeLine)] == [
        "why",
        "2\u202fpast\u202fB",
        "to the",
        "nest",
    ]
