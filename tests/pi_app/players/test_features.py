"""What the players see in a position, pawn by pawn."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.players.features import CONTACT_FEATURES, FEATURE_NAMES, OWN_FEATURES, feature_extractor
from rules import PRESETS, RuleSet, parse_position, parse_ruleset
from rules.position import Position
from tests.rules import draw
from tests.rules.brute_force import Options, options_of
from tests.rules.editions import every_edition

seeds = st.integers(0, 2**32)


def seen(text: str, preset: str = "findler", first: int = 0) -> list[dict[str, float]]:
    """What each playing seat is seen to have, by the features' names, from who throws next."""
    ruleset = PRESETS[preset]
    position = parse_position(text, ruleset)
    eyes = feature_extractor(ruleset)
    order = eyes.turn_order(position, first)
    return [
        dict(zip(FEATURE_NAMES, one, strict=True)) for one in eyes.compute_features(position, order)
    ]


def something(features: dict[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Those of the named features that are not 0, as shares of 36 throws or as counts."""
    return {name: round(features[name], 3) for name in names if features[name]}


def test_a_seat_s_own_pawns_are_counted_by_where_they_stand() -> None:
    """The journey is 71 spaces; 20 is in the second quarter of it, 7 a safety space."""
    [mine, _] = seen("H,r3,20,N/-/7,7,N,N/-")
    assert something(mine, OWN_FEATURES) == {
        "to_go": 1.27,  # 0 + 5 + 51 + 71, in hundreds
        "nest_1": 1,
        "home_1": 1,
        "row": 1,
        "finish": 0.417,  # a five or a sum of five, to go home from r3: 15 throws
        "arm_2": 1,
        "lone": 1,
        "within_4": 0.0,  # rounded: to finish in four turns is next to impossible
    }


def test_a_blockade_on_the_own_entry_keeps_the_nest_in() -> None:
    [mine, _] = seen("0,0,N,N/-/N,N,N,N/-")
    assert something(mine, ("blockades", "own_entry", "safe", "lone")) == {
        "blockades": 1,
        "own_entry": 1,
    }


def test_a_pawn_five_before_a_lone_one_may_capture_it_before_it_throws() -> None:
    """A at 13 throws next, C's pawn on 18 has come 52 spaces: 16 throws of 36 capture it."""
    [mine, theirs] = seen("H,H,H,13/-/52,N,N,N/-")
    assert something(mine, CONTACT_FEATURES) == {"hunt_soon": 0.444}
    assert something(theirs, CONTACT_FEATURES) == {
        "risk_soon": 0.444,
        "stake_soon": 0.231,
        "hunters": 1,
    }


def test_who_throws_first_may_run_before_it_is_captured() -> None:
    [theirs, mine] = seen("H,H,H,13/-/52,N,N,N/-", first=2)
    assert something(mine, CONTACT_FEATURES) == {"hunt_later": 0.444}
    assert something(theirs, CONTACT_FEATURES) == {
        "risk_later": 0.444,
        "stake_later": 0.231,
        "hunters": 1,
    }


def test_a_pawn_within_a_die_behind_a_blockade_waits() -> None:
    """C's blockade on its 52 stands on 18, five before A's pawn."""
    [mine, theirs] = seen("H,H,H,13/-/52,52,N,N/-")
    assert something(mine, CONTACT_FEATURES) == {"waits": 1, "waits_far": 1}
    assert something(theirs, CONTACT_FEATURES) == {"holds": 1, "holds_far": 1}


def test_a_blockade_on_another_s_entry_shuts_its_nest() -> None:
    """C's 34 is A's entry; only C's blockade keeps A's three in."""
    [mine, theirs] = seen("10,N,N,N/-/34,34,N,N/-")
    assert something(mine, ("shut_out", "shuts_out")) == {"shut_out": 3}
    assert something(theirs, ("shut_out", "shuts_out")) == {"shuts_out": 3}


@every_edition
@settings(max_examples=8, deadline=None)
@given(seed=seeds, turned=st.integers(1, 3))
def test_the_same_position_one_seat_on_is_seen_the_same(
    preset: str, seed: int, turned: int
) -> None:
    check_turned(PRESETS[preset], *drawn(seed, preset), turned)


@settings(max_examples=30, deadline=None)
@given(seed=seeds, turned=st.integers(1, 3))
def test_house_rules_see_the_same_position_one_seat_on_the_same(seed: int, turned: int) -> None:
    house = draw.house_rules(random.Random(seed))
    check_turned(parse_ruleset(house), *drawn(seed, house), turned)


def drawn(seed: int, named: str | Options) -> tuple[Position, int]:
    text, seat = draw.position(random.Random(seed), options_of(named))
    return parse_position(text, parse_ruleset(named)), seat


def check_turned(ruleset: RuleSet, position: Position, seat: int, turned: int) -> None:
    eyes = feature_extractor(ruleset)
    a, b, c, d = (position[(other - turned) % 4] for other in range(4))
    around: Position = (a, b, c, d)
    here = eyes.compute_features(position, eyes.turn_order(position, seat))
    there = eyes.compute_features(around, eyes.turn_order(around, (seat + turned) % 4))
    assert here == there
