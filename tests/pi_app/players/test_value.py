"""Chances to win: they sum to 1, favour nobody by letter, and say what anybody can see."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.model.tables import TABLES_BY_PRESET, has_table, is_learned, table_name
from pi_app.players.tables import (
    find_judge,
    load_judge,
    load_table,
    parse_table,
    table_data,
)
from pi_app.players.value import Judge
from rules import PRESETS, parse_position, parse_ruleset
from tests.asked import extent
from tests.rules import draw
from tests.rules.from_the_texts import options_of

seeds = st.integers(0, 2**32)
TABLES = sorted(set(TABLES_BY_PRESET.values()))
MOST_BYTES = 1_000_000  # of all tables


def chances(text: str, first: int = 0, preset: str = "findler") -> dict[int, float]:
    return load_judge(PRESETS[preset]).chances(parse_position(text, PRESETS[preset]), first)


def test_at_the_start_chances_are_about_equal_and_better_for_who_throws() -> None:
    start = chances("N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N")
    assert all(0.2 < chance < 0.3 for chance in start.values())
    assert max(start, key=lambda seat: start[seat]) == 0


def test_who_needs_one_space_more_is_nearly_sure_to_win() -> None:
    ahead = chances("H,H,H,r7/10,N,N,N/10,N,N,N/10,N,N,N")
    assert ahead[0] > 0.9


def test_who_has_won_has_won() -> None:
    won = chances("H,H,H,H/H,H,H,r7/10,N,N,N/10,N,N,N", first=1)
    assert won == {0: 1.0, 1: 0.0, 2: 0.0, 3: 0.0}


def test_the_first_horse_home_has_won_whatever_is_left_on_the_board() -> None:
    won = chances("H,40,N,N/r6,r5,N,N/10,N,N,N/-", first=1, preset="petits-chevaux")
    assert won == {0: 1.0, 1: 0.0, 2: 0.0}


def test_who_is_higher_on_the_ladder_is_nearer_to_win() -> None:
    rungs = [f"{place},N,N,N/r3,N,N,N/-/-" for place in ("50", "r1", "r3", "r6")]
    found = [chances(text, preset="petits-chevaux")[0] for text in rungs]
    assert found == sorted(found)
    assert found[0] < 0.5 < found[-1]


def test_a_pawn_is_worth_less_where_others_stand_close_behind_it() -> None:
    """C's pawn has come 52 spaces; five behind it, or five past it, is A's."""
    behind = chances("13,N,N,N/N,N,N,N/52,N,N,N/N,N,N,N")
    past = chances("23,N,N,N/N,N,N,N/52,N,N,N/N,N,N,N")
    assert behind[2] < past[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=extent(8, soak=30), deadline=None)
@given(seed=seeds)
def test_chances_sum_to_one_under_any_rules(name: str, seed: int) -> None:
    rng = random.Random(seed)
    house = draw.house_rules(rng)
    text, seat = draw.position(rng, options_of(house))
    ruleset = parse_ruleset(house)
    found = Judge(load_table(name), ruleset).chances(parse_position(text, ruleset), seat)
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in found.values())
    assert set(found) == {s for s, part in enumerate(text.split("/")) if part != "-"}


def test_all_tables_are_small_and_say_how_they_were_made() -> None:
    tables = [table_data(name) for name in TABLES]
    assert sum(map(len, tables)) < MOST_BYTES
    assert all(b'"made": "make train: ' in table for table in tables)


def test_a_table_of_other_features_is_refused() -> None:
    data = table_data(TABLES[0]).replace(b'"finish"', b'"gone"')
    with pytest.raises(ValueError, match="has other features: make a new one with make train"):
        parse_table(data)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("parchis", {"entry_captures": "lone"}),
        ("ludo-uk", {"pairs": "immune"}),
        ("ludo-uk", {"entry_also": 1}),
        ("ludo-india", {"entry_captures": "lone"}),
        ("ludo-uk", {"to_win": 2}),
        ("ludo-uk", {"dice": 2}),
        ("ludo-uk", {"partners": True}),
        ("ludo-uk", {"pairs_on": "own-entry"}),
        ("ludo-uk", {"overshoot": "over"}),
        ("ludo-dk", {"stars": "none"}),
        ("ludo-ch", {"doublet_spaces": "top"}),
        ("petits-chevaux", {"passing": "free", "stop_behind_blockade": False}),
        ("petits-chevaux", {"to_win": 4}),
    ],
)
def test_no_game_is_judged_by_a_table_that_was_trained_for_another_one(
    preset: str, options: dict[str, object]
) -> None:
    house = parse_ruleset({"preset": preset, **options})
    assert not has_table(house)
    assert find_judge(house) is None
    with pytest.raises(LookupError, match="no table of weights was trained for"):
        load_judge(house)


def test_house_rules_that_leave_the_game_as_it_is_have_its_table() -> None:
    assert has_table(parse_ruleset({"preset": "one-die", "tries": 3, "again_capture": True}))
    assert not has_table(parse_ruleset({"preset": "one-die", "safety_shared": "two"}))


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("ludo-uk", {"must_capture": True}),
        ("ludo-india", {"third_doublet": "undo-turn"}),
        ("parchis", {"doublet_spaces": "twelve-when-entered"}),
        ("royal-2023", {"entry_pairs": "give-way"}),
        ("parchis", {"third_doublet": "all-open"}),
    ],
)
def test_a_table_serves_rules_that_it_has_not_learned_below_the_level_strong(
    preset: str, options: dict[str, object]
) -> None:
    house = parse_ruleset({"preset": preset, **options})
    assert table_name(house) == table_name(PRESETS[preset])
    assert is_learned(PRESETS[preset])
    assert not is_learned(house)


def test_house_rules_play_by_the_nearest_preset_s_table() -> None:
    house = parse_ruleset({"preset": "findler", "blockade_limit": 3})
    assert table_name(house) == "findler-4"
    assert load_judge(house).ruleset == house
    forfeit = parse_ruleset({"preset": "ludo-uk", "third_doublet": "forfeit"})
    assert table_name(forfeit) == "ludo-uk-4"
