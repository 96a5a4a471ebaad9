"""The throws that carry one pawn to another are those by which the rules let it capture."""

import pytest

from pi_app.players.features import RingPawns, feature_extractor, finished_pawns
from rules import (
    NEST,
    PRESETS,
    RuleSet,
    Throw,
    at,
    complete_plays,
    parse_position,
    play,
    terrain,
    throws,
)
from rules.position import PAWNS, Pawns, Position
from tests.rules.editions import QUICK

# Which other pawns seat 0 has besides its hunter. A part of a 14-space grant may be of any size
# only where another pawn takes the rest.
OTHERS = ("alone", "with two to enter", "with another")
CASES = [
    pytest.param(preset, others, marks=[] if preset in QUICK else [pytest.mark.slow])
    for preset in PRESETS
    for others in OTHERS
    if others == "with another" or not PRESETS[preset].fourteen
    if not PRESETS[preset].partners
]


def hunted(ruleset: RuleSet, position: Position) -> int:
    """How many throws of seat 0 capture a pawn, as the players see it."""
    eyes = feature_extractor(ruleset)
    order = eyes.turn_order(position, 0)
    sides = [eyes.seat_features(seat, position[seat]) for seat in order]
    capturing = 0
    for hunter, _, found in eyes.find_contacts(RingPawns(sides)):
        capturing |= found.throws if order[hunter] == 0 else 0
    return capturing.bit_count()


def captured(ruleset: RuleSet, position: Position) -> int:
    """How many throws of seat 0 capture a pawn, as the rules have it."""
    return sum(
        one.weight
        for one in throws(ruleset)
        if any(
            after.position[1:] != position[1:]
            for _, after in complete_plays(play(at(ruleset, position, 0), Throw(one.faces))[0])
        )
    )


def with_the_rest_home(ruleset: RuleSet, *places: int) -> Pawns:
    """Return a seat's pawns: at these places, and at home as far as the seat has not won."""
    home = finished_pawns(ruleset)[: min(ruleset.to_win - 1, PAWNS - len(places))]
    return (*home, *places, *[NEST] * (PAWNS - len(places) - len(home)))


def seen(text: str, preset: str = "pb") -> int:
    return hunted(PRESETS[preset], parse_position(text, PRESETS[preset]))


@pytest.mark.parametrize(("preset", "others"), CASES)
def test_a_pawn_in_the_open_is_captured_by_the_throws_that_the_rules_allow(
    preset: str, others: str
) -> None:
    ruleset, found = PRESETS[preset], {}
    this = terrain(ruleset).board
    hunter, further = (13, 40) if this.ring > 60 else (3, 20)
    own = {
        "alone": with_the_rest_home(ruleset, hunter),
        "with two to enter": with_the_rest_home(ruleset, hunter, NEST, NEST),
        "with another": with_the_rest_home(ruleset, further, hunter),
    }
    for spaces in range(1, 15):
        hunted_pawn = this.seen_from(2, hunter + spaces)
        position = (own[others], (), (hunted_pawn, NEST, NEST, NEST), ())
        found[spaces] = hunted(ruleset, position), captured(ruleset, position)
    assert {spaces: ours for spaces, (ours, _) in found.items()} == {
        spaces: true for spaces, (_, true) in found.items()
    }


@pytest.mark.parametrize("preset", ["pachisi-mitra", "pachisi-modern"])
@pytest.mark.parametrize("own", ["H,N,N,N", "H,o7,N,N", "H,o7,o1,N"])
def test_cowries_capture_from_the_centre_and_from_the_way_out(preset: str, own: str) -> None:
    ruleset, found = PRESETS[preset], {}
    for step in range(31):
        other = (step - 17) % 68
        position = parse_position(f"{own}/{other},N,N,N/N,N,N,N/N,N,N,N", ruleset)
        found[step] = hunted(ruleset, position), captured(ruleset, position)
    assert {step: ours for step, (ours, _) in found.items()} == {
        step: true for step, (_, true) in found.items()
    }
    assert any(ours for ours, _ in found.values())


def test_a_partner_s_pawn_is_no_target() -> None:
    assert seen("4,N,N,N/54,N,N,N/N,N,N,N/N,N,N,N", "pachisi-modern") > 0
    assert (
        seen("4,N,N,N/N,N,N,N/37,N,N,N/N,N,N,N", "pachisi-modern") == 0
    )  # two spaces before it, too


@pytest.mark.parametrize("preset", [name for name in PRESETS if not PRESETS[name].partners])
def test_a_pawn_on_another_s_entry_is_captured_by_the_throws_that_enter(preset: str) -> None:
    ruleset = PRESETS[preset]
    on_the_entry = terrain(ruleset).board.ring // 2
    position = (with_the_rest_home(ruleset, NEST), (), (on_the_entry, NEST, NEST, NEST), ())
    stays = ruleset.entry_captures != "lone"
    found = hunted(ruleset, position), captured(ruleset, position)
    assert found[0] == found[1]
    assert (found[1] == 0) == stays


@pytest.mark.parametrize("preset", ["parchis", "parchis-two"])
def test_of_two_guests_on_an_entry_one_is_captured_by_the_throws_that_enter(preset: str) -> None:
    ruleset = PRESETS[preset]
    position = parse_position("N,N,N,N/51,N,N,N/34,N,N,N/-", ruleset)
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
