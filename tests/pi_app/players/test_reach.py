"""The throws that carry one pawn to another are those by which the rules let it capture."""

from __future__ import annotations

import pytest

from pi_app.players.features import feature_extractor
from rules import PRESETS, RuleSet, Throw, at, complete_plays, parse_position, play
from rules.position import Position
from tests.rules.editions import QUICK

# Which other pawns seat 0 has besides the one on its step 13. A part of a 14-space grant may be of
# any size only where another pawn takes the rest.
OTHERS = {"alone": "H,H,H,13", "with two to enter": "H,13,N,N", "with another": "H,H,40,13"}
CASES = [
    pytest.param(preset, others, marks=[] if preset in QUICK else [pytest.mark.slow])
    for preset in PRESETS
    for others in OTHERS
    if others == "with another" or not PRESETS[preset].fourteen
]


def hunted(ruleset: RuleSet, position: Position) -> int:
    """How many throws of seat 0 capture a pawn, as the players see it."""
    eyes = feature_extractor(ruleset)
    order = eyes.turn_order(position, 0)
    sides = [eyes.seat_features(seat, position[seat]) for seat in order]
    throws = 0
    for hunter, _, found in eyes.find_contacts(sides):
        throws |= found.throws if order[hunter] == 0 else 0
    return throws.bit_count()


def captured(ruleset: RuleSet, position: Position) -> int:
    """How many throws of seat 0 capture a pawn, as the rules have it."""
    faces = range(1, 7)
    throws = [(a,) for a in faces] if ruleset.dice == 1 else [(a, b) for a in faces for b in faces]
    return sum(
        any(
            after.position[1:] != position[1:]
            for _, after in complete_plays(play(at(ruleset, position, 0), Throw(throw))[0])
        )
        for throw in throws
    )


def seen(text: str, preset: str = "pb") -> int:
    return hunted(PRESETS[preset], parse_position(text, PRESETS[preset]))


@pytest.mark.parametrize(("preset", "others"), CASES)
def test_a_pawn_in_the_open_is_captured_by_the_throws_that_the_rules_allow(
    preset: str, others: str
) -> None:
    ruleset, found = PRESETS[preset], {}
    for spaces in range(1, 15):
        position = parse_position(f"{OTHERS[others]}/-/{spaces + 47},N,N,N/-", ruleset)
        found[spaces] = hunted(ruleset, position), captured(ruleset, position)
    assert {spaces: ours for spaces, (ours, _) in found.items()} == {
        spaces: true for spaces, (_, true) in found.items()
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_a_pawn_on_another_s_entry_is_captured_by_the_throws_that_enter(preset: str) -> None:
    ruleset = PRESETS[preset]
    position = parse_position("H,H,N,N/-/34,N,N,N/-", ruleset)
    assert hunted(ruleset, position) == captured(ruleset, position) > 0


def test_five_spaces_are_a_five_or_two_dice_that_add_up_to_it() -> None:
    assert seen("H,H,H,13/-/52,N,N,N/-") == 11 + 4


def test_four_increments_of_a_doublet_reach_farther() -> None:
    """Seven are a six and a one, 5-2, 4-3 in both orders; under findler all six doublets too."""
    assert seen("H,H,H,13/-/54,N,N,N/-") == 6
    assert seen("H,H,H,13/-/54,N,N,N/-", "findler") == 6 + 6


def test_behind_a_blockade_nothing_is_reached() -> None:
    assert seen("H,H,H,13/2,2,N,N/54,N,N,N/-", "findler") == 0  # it stands on 19, the pawn on 20


def test_a_die_may_not_end_on_a_safety_space_that_another_holds() -> None:
    """From 13 with 17 held, 8 spaces are 6-2 and 5-3, but no two fours, nor 3-3 by way of it."""
    assert seen("H,H,H,13/-/55,N,N,N/-", "findler") == 8
    assert seen("H,H,H,13/0,N,N,N/55,N,N,N/-", "findler") == 6
