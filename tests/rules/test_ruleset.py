"""Rule sets: presets, house rules, and what can't be."""

import json
import random
import re
from collections import Counter
from dataclasses import fields, replace

import pytest

from rules.ruleset import (
    DEFAULT_PRESET,
    DERIVED,
    IMPOSSIBLE,
    OPTIONS,
    PRESETS,
    RuleSet,
    RuleSetError,
    parse_ruleset,
    ruleset_text,
    written_options,
)
from tests.rules import brute_force
from tests.rules.relatives_brute_force import RELATIVES


def test_every_field_is_an_option_and_its_default_comes_first() -> None:
    assert [field.name for field in fields(RuleSet)] == list(OPTIONS)
    for name, option in OPTIONS.items():
        assert getattr(RuleSet(), name) == option.values[0], name


def test_every_option_has_a_meaning_and_a_source() -> None:
    for name, option in OPTIONS.items():
        assert option.meaning, name
        assert re.search(r"\bS([0-9]|1[01])\b", option.source), name


def test_each_preset_is_read_from_its_source_once_more_by_the_brute_force() -> None:
    assert [*brute_force.PRESETS, *RELATIVES] == list(PRESETS)
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


# How often each combination is the first that is refused, in the order of `IMPOSSIBLE`.
REFUSED = """
    safety+layout 193 dice+entry_by 225 dice+total_move 111 dice+touch_down 69
    dice+doublet_spaces 51 entry_number+entry_by 227 entry_number+entry_by+total_move 1
    entry_number+total_move 0 dice+entry_number+doublet_spaces 14 entry_number+doublet_spaces 29
    total_move+entry_by 1 total_move+doublet_spaces 75 total_move+touch_down 19
    total_move+entry_number_reserved 16 doublet_home_whole+doublet_spaces 218
    second_circuit+layout 31 usage+entry_required 103 usage+bonus_optional 44 usage+bonus_timing
    10 lots+layout 324 lots+entry_by 80 lots+dice 14 lots+capture_bonus 18 lots+finish_bonus 28
    lots+grace 230 lots+free_entry 173 lots+doublet_spaces 16 lots+entry_captures 19
    lots+stacking 21 lots+overtaking_captures 20 lots+undersides_enter 20 lots+entry_also 25
    lots+entry_number_reserved 23 lots+usage 5 layout+dice 8 layout+stacking 13 layout+safety 7
    layout+capture_bonus 11 layout+finish_bonus 15 layout+again_home 8 layout+third_doublet 1
    row_jump+layout 186 stacking+pairs 229 pairs+pair_rule 258 pairs+stop_behind_blockade 48
    pairs+blockade_limit 0 pairs+open_blockade 51 pairs+touch_down 0 pairs+doublet_spaces 0
    safety_shared+safety 42 safety_shared+overtaking_captures 32 safety_shared+touch_down 26
    safety_shared+stacking 112 entry_captures+safety_shared 90 entry_captures+layout+safety 12
    partners+stacking 142 partners+play_on 9 usage+entry_number_reserved 3 usage+clear_entry 20
    usage+open_blockade 5 usage+doublet_whole 10 entry_also+entry_number_reserved 44
    entry_also+entry_number 27 dice+tries 112 dice+entry_also 133 dice+clear_entry 111
    start_out+layout 22 start_out+stacking 6
"""


def test_two_options_of_an_edition_changed_are_refused_as_ever() -> None:
    rng, refused = random.Random(1), Counter[str]()
    options = [name for name in OPTIONS if name != DERIVED]
    for _ in range(10_000):
        edition, two = rng.choice(list(PRESETS.values())), rng.sample(options, 2)
        try:
            replace(edition, **{name: rng.choice(OPTIONS[name].values) for name in two})  # type: ignore[arg-type]
        except RuleSetError as error:
            refused[error.together] += 1
    counted = " ".join(f"{names} {refused[names]}" for names in IMPOSSIBLE)
    assert counted == " ".join(REFUSED.split())


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
