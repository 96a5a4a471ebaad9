"""House rules as values and text, and by which rules a game can be begun."""

import json
import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.display.lettering import WORDS
from pi_app.model.editions import EDITION_TABLE
from pi_app.model.events import Setup
from pi_app.model.screens import message
from pi_app.settings.houses import (
    MAX_NAME_LENGTH,
    House,
    carried_changes,
    change_rules,
    free_name,
    house,
    is_edition_name,
    is_name,
    offered_values,
    parse_house,
    refusal,
)
from pi_app.settings.offers import (
    EDITIONS,
    FAMILIES,
    all_rules,
    edition_title,
    houses,
    offered_first,
    rules_lines,
    rules_name,
)
from pi_app.settings.settings import Settings
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import reset_words
from rules.ruleset import PRESET_TABLE, PRESETS, Preset, RuleSet, RuleSetError, Value, parse_ruleset
from tests.rules.draw import house_rules

OURS = '{"base":"pb","play_on":true}'


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_house_rules_are_text_that_reads_back(seed: int) -> None:
    drawn = house_rules(random.Random(seed))
    made = House(drawn["preset"], parse_ruleset(drawn))
    assert parse_house(str(made)) == made
    assert house(made.changes) == made


def test_the_text_is_the_base_and_what_differs_from_it() -> None:
    assert str(parse_house('{"again": "always", "play_on": true, "base": "pb"}')) == (
        '{"base":"pb","again":"always","play_on":true}'
    )


DAMAGED = [
    "",
    "{",
    "[]",
    '"pb"',
    "null",
    "{}",
    '{"base":"chess"}',
    '{"base":["pb"]}',
    '{"preset":"pb"}',
    '{"base":"pb","preset":"sca"}',
    '{"base":"pb","dize":1}',
    '{"base":"pb","dice":3}',
    '{"base":"pb","dice":1}',
    '{"base":"pb","play_on":1}',
    '{"base":"pb","play_on":NaN}',
    "[" * 100_000,
]


@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:30])
def test_a_damaged_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_house(text)


@settings(max_examples=30)
@given(st.text() | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(json.dumps))
def test_any_text_is_house_rules_or_a_value_error(text: str) -> None:
    try:
        parse_house(text)
    except ValueError:
        return
    raise AssertionError(text)


@pytest.mark.parametrize("name", ["a", "LUC", "our rules", "M&M's", "house 12", "x-y"])
def test_a_name_that_can_be(name: str) -> None:
    assert is_name(name)
    assert not is_edition_name(name)


@pytest.mark.parametrize(
    "name",
    ["", " a", "a ", "-", "a.b", 'a"b', "a\nb", "Großmutter", "A" * 13],
)
def test_a_name_that_can_not_be(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize("name", ["pb", "PB", "one die"])
def test_a_name_that_an_edition_has(name: str) -> None:
    assert is_edition_name(name)


def test_the_longest_name_stands_large_beside_a_count() -> None:
    assert WORDS.width("W" * MAX_NAME_LENGTH) <= 124


def test_new_house_rules_have_a_name_that_none_have() -> None:
    assert free_name(()) == "1"
    assert free_name(("1", "3")) == "2"


def test_a_family_finds_its_own_rules_before_the_editions() -> None:
    settings = Settings({"house.ours": OURS})
    assert list(all_rules(settings)) == ["ours", *EDITIONS]
    assert next(iter(EDITIONS)) == "royal-2023"
    assert (edition_title("ours"), edition_title("pb")) == ("ours", message("edition-pb"))
    assert rules_name(settings, parse_house(OURS).ruleset) == "ours"


def test_rules_that_are_not_offered_are_house_rules() -> None:
    unnamed = rules_name(Settings(), parse_house(OURS).ruleset)
    assert (unnamed, ENGLISH.say(edition_title(unnamed))) == (None, "house rules")


def test_every_edition_is_offered_once_and_its_name_tells_all_that_have_its_rules() -> None:
    assert set(EDITION_TABLE) == set(PRESETS)
    assert set(EDITIONS.values()) == set(PRESETS.values())
    assert len(set(EDITIONS.values())) == len(EDITIONS)
    titles = [ENGLISH.say(edition_title(name)) for name in EDITIONS]
    assert len(set(titles)) == len(titles)
    for name in FAMILIES["parcheesi"]:
        preset = PRESET_TABLE[name]
        first, *others = (one.title for one in PRESET_TABLE.values() if same(one, preset))
        years = [other.rpartition(" ")[2] for other in others]
        assert ENGLISH.say(edition_title(name)) == ", ".join([first, *years])
    assert edition_title("sr-1989") == edition_title("sr-1942")


def same(one: Preset, other: Preset) -> bool:
    return one.ruleset == other.ruleset


def test_what_can_not_be_read_is_as_in_the_configuration_or_not_offered() -> None:
    settings = Settings(
        {"house.ours": "{", "house.pb": OURS, "house.x.y": OURS, "house.b": "?"},
        {"house.ours": OURS},
    )
    assert houses(settings) == {"ours": parse_house(OURS)}
    assert settings.unreadable() == ("house.b", "house.ours")
    assert ENGLISH.say(reset_words("house.b")) == "can't read b"


def test_rules_that_are_no_longer_there_are_not_offered_first() -> None:
    setup = Setup(ruleset="pb")
    assert offered_first(Settings({"ruleset": "findler"}), setup) == "findler"
    assert offered_first(Settings({"ruleset": "gone"}), setup) == "pb"
    assert offered_first(Settings({"ruleset": "gone"}), setup, "sca") == "sca"
    assert offered_first(Settings(), Setup(ruleset="gone")) == "royal-2023"


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_house_rules_are_a_line_to_type_that_reads_back_in_capitals_too(seed: int) -> None:
    drawn = house_rules(random.Random(seed))
    made = House(drawn["preset"], parse_ruleset(drawn))
    assert parse_house(made.line) == parse_house(made.line.upper()) == made


def test_a_line_names_the_edition_and_what_differs_from_it() -> None:
    ours = parse_house('{"base":"ludo-uk","to_win":1,"must_capture":true,"dice":2}')
    assert ours.line == "ludo-uk dice:2 to-win:1 must-capture:yes"
    assert parse_house("  Ludo-UK  to-win:1 ") == House(
        "ludo-uk", replace(PRESETS["ludo-uk"], to_win=1)
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("chess", "there is no preset 'chess'"),
        ("pb dize:1", "ruleset has no field 'dize'"),
        ("pb dice:7", "dice can't be 7"),
        ("pb dice", "dice can't be ''"),
        ("pb play-on:maybe", "play_on can't be 'maybe'"),
    ],
)
def test_a_line_that_is_no_house_rules_says_why(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_house(line)


def test_house_rules_are_told_in_a_few_lines() -> None:
    ours = parse_house("ludo-uk dice:2 to-win:1 must-capture:yes play-on:yes")
    assert [ENGLISH.say(line) for line in rules_lines(ours, 3)] == [
        "Ludo",
        "the first pawn home wins",
        "and 3 more",
    ]
    assert [ENGLISH.say(line) for line in rules_lines(ours, 5)] == [
        "Ludo",
        "the first pawn home wins",
        "two dice are thrown",
        "you must capture",
        "play on for second place",
    ]


# --- what a change carries along -----------------------------------------------------------------

# A pawn that comes may not land, so none jumps from star to star.
BARS: dict[str, Value] = {"held_target": "bars", "stars": "none"}
# OPTIONS.md, section 3: "Change carried along".
FROM_THE_TEXT: dict[tuple[str, Value], dict[str, Value]] = {
    ("dice", 1): {
        "entry_by": "die",
        "total_move": "never",
        "touch_down": False,
        "doublet_spaces": "four-when-entered",
        "doublet_home_whole": False,
    },
    ("dice", 2): {"doublet_spaces": "four-when-entered", "overshoot": "stop", **BARS},
    ("partners", True): {"play_on": False, **BARS},
    ("held_target", "bars"): {"stars": "none"},
    ("stars", "jump"): {
        "held_target": "sends-back",
        "stacking": "any",
        "pairs": "immune",
        "safety_shared": "no",
    },
    ("overshoot", "back"): {"stop_behind_blockade": False},
    ("overshoot", "over"): {"stop_behind_blockade": False},
    ("passing", "free"): {"stop_behind_blockade": False},
    ("captures", "landing"): {"pairs": "none"},
    ("captures", "passing"): {
        "pair_rule": "off",
        "stop_behind_blockade": False,
        "blockade_limit": 0,
        "pairs": "none",
        "stacking": "any",
        "safety_shared": "any",
        "entry_captures": "landing",
    },
}


def possible(ruleset: RuleSet, changes: dict[str, Value]) -> bool:
    """Whether these options can have these values together."""
    try:
        replace(ruleset, **changes)  # type: ignore[arg-type]
    except RuleSetError:
        return False
    return True


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000))
@pytest.mark.parametrize(("option", "value"), FROM_THE_TEXT)
def test_a_change_carries_along_what_the_text_says_and_no_more_than_it_needs(
    option: str, value: Value, seed: int
) -> None:
    ruleset = parse_ruleset(house_rules(random.Random(seed)))
    known = FROM_THE_TEXT[option, value]
    ways = [
        {name: known[name] for name in names}
        for size in range(len(known) + 1)
        for names in combinations(known, size)
        if possible(ruleset, {option: value, **{name: known[name] for name in names}})
    ]
    if getattr(ruleset, option) == value:
        assert change_rules(ruleset, option, value) == ruleset
    elif not ways:
        assert refusal(ruleset, option, value) is not None
    else:
        assert carried_changes(ruleset, option, value) == ways[0]


@pytest.mark.parametrize(
    ("rules", "option", "value", "why"),
    [
        ("ludo-uk dice:2", "doublet_spaces", "twelve-when-entered", "refusal-twelve"),
        ("ludo-india", "pairs_on", "own-entry", "refusal-pairs-stop-nobody"),
        ("ludo-uk", "pairs_on", "safety", "refusal-no-safety"),
        ("tr-1938", "overshoot", "over", "refusal-exact-count"),
        ("mb-total", "overshoot", "over", "refusal-exact-count"),
        ("pachisi-mitra", "overshoot", "over", "refusal-exact-count"),
        ("royal-2023", "overshoot", "back", "refusal-there-and-back"),
        ("ludo-de", "overshoot", "back", "refusal-there-and-back"),
        ("pachisi-modern", "entry_pairs", "give-way", "refusal-nobody-kept-in"),
        ("mb-total", "entry_also", 6, "refusal-one-number"),
        ("sr-1942 doublet-spaces:fourteen-any", "entry_also", 6, "refusal-one-number"),
        ("ludo-de dice:2 entry-by:die-or-sum", "total_move", "only", "refusal-each-die"),
        ("pachisi-modern", "play_on", True, "refusal-sides-end-together"),
        ("petits-chevaux", "overshoot", "over", "refusal-own-numbers"),
        ("petits-chevaux", "dice", 2, "refusal-ladder"),
        ("petits-chevaux", "layout", "ludo-52", "refusal-ladder"),
        ("petits-chevaux", "pairs", "blockade", "refusal-nobody-passed"),
        ("petits-chevaux", "stacking", "any", "refusal-nobody-passed"),
        ("ludo-ch", "dice", 2, "refusal-passing-captures"),
        ("ludo-ch", "partners", True, "refusal-passing-captures"),
        ("ludo-ch overshoot:stop", "capture_bonus", 20, "refusal-passing-captures"),
        ("ludo-ch", "capture_bonus", 20, "refusal-there-and-back"),
        ("ludo-ch", "entry_pairs", "give-way", "refusal-nobody-kept-in"),
        ("ludo-ch", "entry_number", 6, "refusal-entry-number-doublet-spaces"),
    ],
)
def test_a_combination_that_stays_impossible_has_its_line(
    rules: str, option: str, value: Value, why: str
) -> None:
    assert refusal(parse_house(rules).ruleset, option, value) == message(why)


def test_an_option_of_which_every_value_is_refused_is_not_offered() -> None:
    assert offered_values(PRESETS["tr-1938"], "overshoot") == ("stop",)
    assert offered_values(PRESETS["royal-2023"], "overshoot") == ("stop", "back", "over")
