"""What the players see in a position, pawn by pawn."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.players.features import CONTACT_FEATURES, FEATURE_NAMES, OWN_FEATURES, feature_extractor
from rules import PRESETS, RuleSet, parse_position, parse_ruleset
from rules.position import Position
from tests.asked import extent
from tests.rules import draw
from tests.rules.editions import every_edition
from tests.rules.from_the_texts import Options, options_of

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
@settings(max_examples=extent(4, soak=8), deadline=None)
@given(seed=seeds, turned=st.integers(1, 3))
def test_the_same_position_one_seat_on_is_seen_the_same(
    preset: str, seed: int, turned: int
) -> None:
    check_turned(PRESETS[preset], *drawn(seed, preset), turned)


@settings(max_examples=extent(15, soak=30), deadline=None)
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


# --- Parchís and Ludo -----------------------------------------------------------------------------


def shares(text: str, preset: str, *names: str) -> list[float]:
    """What seat A is seen to have if it throws next; a throw of one die is a sixth."""
    mine, *_ = seen(text, preset)
    return [round(mine[name], 3) for name in names]


def test_a_pawn_passes_its_own_wall_but_waits_for_another_s() -> None:
    """C's pawn is on ring space 16, one past A's wall; B's wall is on ring space 15."""
    own_wall = "15,15,10,N/-/42,N,N,N/-"
    assert shares(own_wall, "ludo-uk", "hunt_soon", "waits") == [0.333, 0]  # a six, a one
    assert shares("10,N,N,N/2,2,N,N/42,N,N,N/-", "ludo-uk", "hunt_soon", "waits") == [0, 1]


def test_an_immune_pair_can_be_passed_but_not_captured() -> None:
    """C has a pair on ring space 12 and a lone pawn on 14: only a four captures from 10."""
    immune = "10,N,N,N/-/40,38,38,N/-"
    assert shares(immune, "ludo-india", "hunt_soon", "waits") == [0.167, 0]


def test_who_enters_captures_a_lone_pawn_unless_the_entry_is_shared() -> None:
    on_entry = "N,N,N,N/-/26,N,N,N/-"
    assert shares(on_entry, "ludo-uk", "hunt_soon") == [0.167]
    assert shares(on_entry, "ludo-india", "hunt_soon") == [0]


def test_on_a_full_entry_of_parchis_one_of_two_guests_is_lost() -> None:
    assert shares("N,N,N,N/N,N,N,N/34,N,N,N/-", "parchis", "hunt_soon") == [0]
    assert shares("N,N,N,N/51,N,N,N/34,N,N,N/-", "parchis", "hunt_soon") == [0.167]


def test_on_40_spaces_a_pawn_comes_home_to_any_free_space_of_the_goal() -> None:
    """From 38 a two, a three and a four lead to r1, r2 and r3; r4 is taken."""
    names = ("home_1", "home_2", "row", "finish")
    assert shares("r4,38,N,N/-/N,N,N,N/-", "ludo-de", *names) == [1, 0, 0, 0.5]


def test_a_star_carries_a_pawn_to_another_s_on_the_next_star_and_from_the_last_one_home() -> None:
    """C's pawns are on ring spaces 11 and 17: from 9 a two captures both."""
    assert shares("9,N,N,N/-/43,37,N,N/-", "ludo-dk", "hunt_soon", "finish") == [0.167, 0]
    assert shares("10,N,N,N/-/43,N,N,N/-", "ludo-dk", "hunt_soon") == [0.167]  # a one
    assert shares("10,N,N,N/-/43,37,37,N/-", "ludo-dk", "hunt_soon") == [0]  # the two are not moved
    assert shares("47,N,N,N/-/N,N,N,N/-", "ludo-dk", "finish") == [0.167]


def test_where_nobody_is_passed_only_the_next_pawn_can_be_captured() -> None:
    """C's pawns are on ring spaces 12 and 14."""
    names = ("hunt_soon", "waits", "shut_out")
    assert shares("10,N,N,N/-/42,40,N,N/-", "petits-chevaux", *names) == [0.167, 1, 0]
    assert shares("11,10,N,N/-/40,N,N,N/-", "petits-chevaux", *names) == [0.167, 2, 0]
    assert shares("N,N,N,N/-/28,N,N,N/-", "petits-chevaux", *names) == [0.167, 0, 0]


def test_a_step_on_the_ladder_counts_as_the_spaces_of_six_throws() -> None:
    """Only the first horse counts, which a six brings home from r6."""
    names = ("to_go", "finish")
    assert shares("r6,30,N,N/-/N,N,N,N/-", "petits-chevaux", *names) == [0.21, 0.167]
    assert shares("r5,30,N,N/-/N,N,N,N/-", "petits-chevaux", *names) == [0.42, 0]
    assert shares("50,30,N,N/-/N,N,N,N/-", "petits-chevaux", *names) == [7 * 0.21 + 0.05, 0]


def test_whom_a_number_passes_it_captures_but_on_a_bench_two_stop_it() -> None:
    """C's pawns are two spaces ahead, then also on the bench at ring space 12, and past it."""
    names = ("hunt_soon", "waits")
    assert shares("8,N,N,N/-/44,N,N,N/-", "ludo-ch", *names) == [0.667, 0]  # 3, 4, 5 and the six
    assert shares("8,N,N,N/-/46,46,44,N/-", "ludo-ch", *names) == [0.333, 1]  # a three and a four
    assert shares("8,N,N,N/-/47,46,46,N/-", "ludo-ch", *names) == [0, 1]
    assert shares("8,N,N,N/-/47,46,N,N/-", "ludo-ch", *names) == [0.167, 0]  # the six goes twelve


def test_no_other_pawn_hunts_while_the_entry_must_be_cleared() -> None:
    """C's pawn is on ring space 12, two past A's."""
    assert shares("10,0,N,N/-/32,N,N,N/-", "ludo-de", "hunt_soon", "own_entry") == [0, 1]
    assert shares("r4,r3,10,0/-/32,N,N,N/-", "ludo-de", "hunt_soon", "own_entry") == [0.167, 0]
