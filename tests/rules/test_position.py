"""Positions: the text form both ways, and what it refuses."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import NEST, board
from rules.position import PositionError, format_position, parse_position
from rules.ruleset import PRESETS, RuleSet, parse_ruleset
from tests.rules import draw
from tests.rules.editions import PARCHEESI
from tests.rules.from_the_texts import options_of

SECOND = RuleSet(second_circuit=True)
TIP = RuleSet(layout="tip-entry")


@given(st.integers(0, 2**32), st.sampled_from(list(PARCHEESI)))
def test_every_position_reads_back(seed: int, preset: str) -> None:
    text, _ = draw.position(random.Random(seed), options_of(preset))
    assert format_position(parse_position(text, PRESETS[preset])) == text


@given(st.integers(0, 2**32))
def test_every_position_of_house_rules_reads_back(seed: int) -> None:
    rng = random.Random(seed)
    house = draw.house_rules(rng)
    text, _ = draw.position(rng, options_of(house))
    assert format_position(parse_position(text, parse_ruleset(house))) == text


def test_on_a_second_circuit_spaces_to_go_decide_the_order() -> None:
    text = "H,r2,0,67/N,N,N,N/-/-"
    assert format_position(parse_position(text, SECOND)) == text
    with pytest.raises(PositionError, match="write H,r2,0,67"):
        parse_position("H,r2,67,0/N,N,N,N/-/-", SECOND)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("N,N,N,N/-/-", "has 3 seats"),
        ("N,N,N,N/-/-/-/-", "has 5 seats"),
        ("N,N,N/-/-/-", "seat 0 has 3 pawns"),
        ("-/N,N,N,N,N/-/-", "seat 1 has 5 pawns"),
        ("-/-/N,N,12,N/-", "seat 2 is not from most to least advanced: write 12,N,N,N"),
        ("012,N,N,N/-/-/-", "'012' is not a place"),
        ("64,N,N,N/-/-/-", "ring step 64 is not on this board, whose steps are 0 to 63"),
        ("17,N,N,N/0,N,N,N/-/-", "pawns of seats 0 and 1 on ring space 17"),
        ("5,5,5,N/-/-/-", "3 pawns on ring space 5"),
        ("r3,r3,r3,N/-/-/-", "3 pawns on r3 of seat 0"),
        ("", "has 1 seats"),
        ("///", "'' is not a place"),
        (" N,N,N,N/-/-/-", "' N' is not a place"),
    ],
)
def test_a_position_that_can_not_be_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(PositionError) as refused:
        parse_position(text, RuleSet())
    assert said in str(refused.value)


def test_on_tip_entry_a_pair_on_the_tip_and_one_on_the_entry_are_three() -> None:
    assert parse_position("68,0,N,N/-/-/-", TIP)[0] == (68, 0, NEST, NEST)
    with pytest.raises(PositionError, match="3 pawns on ring space 0"):
        parse_position("68,68,0,N/-/-/-", TIP)


def test_where_pawns_capture_by_passing_any_number_of_any_seats_share_a_ring_space() -> None:
    rules = PRESETS["ludo-ch"]
    text = "54,54,54,54/37,37,37,37/20,20,20,20/3,3,3,3"  # all sixteen on the space 54, no bench
    position = parse_position(text, rules)
    assert format_position(position) == text
    assert {board("standard").space(seat, pawns[0]) for seat, pawns in enumerate(position)} == {54}
