"""The rules' options in words: each has some, and all of them fit the panel."""

from dataclasses import replace
from itertools import chain

from pi_app.display.lettering import NOTES, WORDS, wrap
from pi_app.display.view import draw
from pi_app.model.screens import TextScreen
from pi_app.texts.language import ENGLISH
from pi_app.texts.rule_words import (
    DIFFERENCE_WORDS,
    OPTION_WORDS,
    REFUSALS,
    distinctions,
    option_values,
    value_words,
)
from pi_app.texts.rule_words import WORDS as NAMES
from rules.ruleset import DEFAULT_PRESET, IMPOSSIBLE, OPTIONS, PRESETS, Value
from tests.pi_app.keyed import keyed

LINE = 124  # pixels of a page
VALUES = {option: option_values(option, OPTIONS[option].values[0]) for option in NAMES}
EACH_VALUE = [(option, value) for option, values in VALUES.items() for value in values]


def name(option: str) -> str:
    return ENGLISH.say(NAMES[option].name)


def value_name(option: str, value: Value) -> str:
    return ENGLISH.say(value_words(option, value))


def test_every_option_is_in_one_group() -> None:
    assert sorted(chain.from_iterable(OPTION_WORDS.values())) == sorted(OPTIONS)
    assert all(len(group) <= 8 for group in OPTION_WORDS.values())


def test_every_value_has_its_own_words_that_fit_a_large_line() -> None:
    for option, values in VALUES.items():
        words = [value_name(option, value) for value in values]
        assert len(set(words)) == len(words), option
        assert [word for word in words if WORDS.width(word) > LINE] == []
        assert WORDS.width(f"A: {name(option)}") <= LINE, option


def test_an_option_with_its_value_is_two_large_lines_at_most() -> None:
    for option, value in EACH_VALUE:
        line = f"{name(option)}: {value_name(option, value)}"
        draw(TextScreen("A: rules", (line,) * 3, keyed("NEXT: other", "OK: do it"), chosen=1))
        assert WORDS.width(line) <= 2 * LINE, line


def test_what_sets_each_value_apart_fits_a_line_of_its_own() -> None:
    for option, values in VALUES.items():
        words = [ENGLISH.say(DIFFERENCE_WORDS[option][value]) for value in values]
        assert len(set(words)) == len(words), option
        assert [word for word in words if NOTES.width(word) > LINE] == []


def test_the_usual_edition_is_not_apart_and_house_rules_are_as_editions_are() -> None:
    usual = PRESETS[DEFAULT_PRESET]
    assert distinctions(usual, usual) == ()
    house = replace(usual, entry_number=7, entry_by="sum", play_on=True)
    assert [ENGLISH.say(line) for line in distinctions(house, usual)] == [
        "enter with 7",
        "enter by both dice",
    ]


def test_values_are_gone_round_from_the_one_that_is_set() -> None:
    assert option_values("usage", "exhaust") == (
        "exhaust",
        "maximal-higher",
        "whole-throw",
        "free",
        "maximal",
    )
    assert option_values("entry_number", 11) == (11, 12, *range(1, 11))
    assert option_values("blockade_limit", 37) == (37, *range(6))


def test_every_refusal_has_words_that_fit_the_panel() -> None:
    assert set(REFUSALS) <= set(IMPOSSIBLE)
    for words in REFUSALS.values():
        reason = ENGLISH.say(words)
        draw(TextScreen("A: can't", (reason,), keyed("NEXT: back")))
        assert len(wrap(NOTES, reason, LINE)) <= 3


def test_what_is_refused_stands_beside_the_title() -> None:
    for option, value in EACH_VALUE:
        draw(TextScreen("A: can't", (), keyed("NEXT: back"), corner=value_name(option, value)))


def test_a_blockade_may_stand_as_long_as_a_configuration_lets_it() -> None:
    assert value_name("blockade_limit", 1) == "after 1 turn"
    assert value_name("blockade_limit", 99) == "after 99 turns"


def test_the_panel_has_the_letters_of_all_words() -> None:
    said = "".join([*map(ENGLISH.say, REFUSALS.values()), *map(name, NAMES)])
    assert set(said) <= set(NOTES.glyphs)
