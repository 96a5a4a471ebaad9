"""Rule sets: presets, house rules, and what can't be."""

import json
import re
from dataclasses import replace

import pytest

from rules.ruleset import (
    COWRIES,
    DEFAULT_PRESET,
    IMPOSSIBLE,
    LOTS,
    OPTIONS,
    PRESETS,
    RuleSetError,
    parse_ruleset,
    ruleset_text,
    written_options,
)


def test_every_option_has_a_meaning_and_a_source() -> None:
    for name, option in OPTIONS.items():
        assert option.meaning, name
        assert re.search(r"\b(S([0-9]|1[0-5])|house rule)\b", option.source), name


def test_the_default_is_one_of_the_presets() -> None:
    assert DEFAULT_PRESET in PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_reads_back_from_its_text(name: str) -> None:
    assert parse_ruleset(json.loads(ruleset_text(PRESETS[name]))) == PRESETS[name]


def test_a_house_rule_is_a_preset_with_fields_replaced() -> None:
    house = parse_ruleset({"preset": "sr-1942", "again": "never", "play_on": True})
    assert house == replace(PRESETS["sr-1942"], again="never", play_on=True)
    assert json.loads(ruleset_text(house)) == {
        "preset": "sr-1942",
        "again": "never",
        "play_on": True,
    }


@pytest.mark.parametrize(
    ("house", "doublet"),
    [
        ({"preset": "one-die", "dice": 2}, "any"),
        ({"preset": "ludo-uk", "dice": 2}, "any"),
        ({"preset": "royal-2023", "dice": 1, "entry_by": "die"}, 6),
        ({"preset": "royal-2023", "dice": 1, "entry_by": "die", "doublet_number": 6}, 6),
        ({"dice": 2, "doublet_number": "any"}, "any"),
    ],
)
def test_which_throw_is_a_doublet_follows_from_the_dice(
    house: dict[str, object], doublet: str | int
) -> None:
    ruleset = parse_ruleset(house)
    assert ruleset.doublet_number == doublet
    assert parse_ruleset(json.loads(ruleset_text(ruleset))) == ruleset
    assert parse_ruleset(written_options(ruleset)) == ruleset
    other = 3 - ruleset.dice
    changed = replace(ruleset, dice=other, entry_by="die", total_move="never")
    assert changed.doublet_number == {1: 6, 2: "any"}[other]


@pytest.mark.parametrize(
    ("house", "named"),
    [
        ({"preset": "one-die", "entry_by": "sum"}, "dice 1, entry_by sum"),
        ({"preset": "one-die", "doublet_number": "any"}, "dice 1, doublet_number any"),
        ({"preset": "one-die", "doublet_spaces": "fourteen-any"}, "dice 1, doublet_spaces"),
        ({"doublet_number": 6}, "dice 2, doublet_number 6"),
        ({"preset": "ludo-uk", "dice": 2, "doublet_number": 6}, "dice 2, doublet_number 6"),
        ({"entry_number": 7}, "entry_number 7, entry_by die-or-sum"),
        ({"entry_number": 1, "entry_by": "sum"}, "entry_number 1, entry_by sum"),
        ({"entry_number": 2, "entry_by": "sum"}, "entry_number 2, entry_by sum, total_move never"),
        (
            {"entry_number": 12, "entry_by": "sum", "total_move": "allowed"},
            "entry_number 12, entry_by sum, total_move allowed",
        ),
        ({"entry_number": 1, "total_move": "only"}, "entry_number 1, total_move only"),
        (
            {"preset": "one-die", "entry_number": 6, "doublet_spaces": "four"},
            "dice 1, entry_number 6, doublet_spaces four",
        ),
        ({"preset": "tr-1938", "entry_number": 6}, "entry_number 6, doublet_spaces fourteen-any"),
        ({"total_move": "only", "entry_by": "die"}, "total_move only, entry_by die"),
        ({"doublet_home_whole": True}, "doublet_home_whole true, doublet_spaces top"),
        ({"second_circuit": True, "layout": "tip-entry"}, "second_circuit true, layout tip-entry"),
        ({"preset": "findler", "bonus_timing": "after-dice"}, "usage exhaust, bonus_timing"),
        (
            {"preset": "ludo-de", "third_doublet": "nearest-home"},
            "layout ring-40, third_doublet nearest-home",
        ),
    ],
)
def test_an_impossible_combination_is_refused_by_its_fields(
    house: dict[str, object], named: str
) -> None:
    with pytest.raises(RuleSetError, match="impossible together") as refused:
        parse_ruleset(house)
    assert named in str(refused.value)


def test_each_impossible_combination_is_named_by_fields_that_exist() -> None:
    assert {name for names in IMPOSSIBLE for name in names.split("+")} <= set(OPTIONS)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("sr-1943", "there is no preset 'sr-1943'"),
        ({"preset": None}, "there is no preset None"),
        ({"colour": "red"}, "ruleset has no field 'colour'"),
        ({"dice": True}, "dice can't be True: it is one of 2, 1"),
        ({"dice": 2.0}, "dice can't be 2.0"),
        ({"doublet_number": None}, "doublet_number can't be None: it is one of any, 6"),
        ({"preset": "one-die", "doublet_number": 6.0}, "doublet_number can't be 6.0"),
        ({"play_on": 1}, "play_on can't be 1: it is one of false, true"),
        ({"layout": []}, r"layout can't be \[\]"),
        ({"blockade_limit": -1}, "blockade_limit can't be -1: it is one of 0 to 99"),
        ({"blockade_limit": True}, "blockade_limit can't be True"),
        (None, "ruleset None is neither a preset's name nor an object"),
        ([], "neither a preset's name nor an object"),
    ],
)
def test_a_rule_set_that_can_not_be_is_refused_in_one_sentence(value: object, said: str) -> None:
    with pytest.raises(RuleSetError, match=said):
        parse_ruleset(value)


def test_so_many_mouths_of_six_cowries_come_up_in_so_many_of_64_cases() -> None:
    for lots in COWRIES:
        weights = {mouths: lot.weight for mouths, lot in LOTS[lots].items()}
        assert weights == {0: 1, 1: 6, 2: 15, 3: 20, 4: 15, 5: 6, 6: 1}, lots


@pytest.mark.parametrize("late", [{}, {"entry_captures": "lone", "entry_pairs": "give-way"}])
def test_where_a_turn_began_is_remembered_with_who_came_last(late: dict[str, str]) -> None:
    ruleset = parse_ruleset({"preset": "parchis", "third_doublet": "undo-turn", **late})
    assert ruleset.remembers == ("late", "began", "began_late")
