"""What the players see in a position, pawn by pawn."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.players.features import (
    CONTACT_FEATURES,
    FAR_FEATURES,
    FEATURE_NAMES,
    STANDOFF_FEATURES,
    feature_extractor,
    number_inputs,
)
from rules import NEST, PRESETS, RuleSet, parse_position, parse_ruleset
from rules.board import HOME, board
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


def test_each_place_has_an_input_for_the_first_pawn_there_and_one_for_others() -> None:
    numbers, count = number_inputs(board("standard"))
    assert numbers[NEST] == (0, 1, 2, 3)
    assert numbers[HOME] == (4, 5, 6, 7)
    assert numbers[107] == (8, 9, 9, 9)
    assert numbers[63] == number_inputs(board("corner-64"))[0][59]  # both 8 spaces from home
    assert {n for each in numbers.values() for n in each} == set(range(count))


def test_the_inputs_of_a_seat_are_the_places_of_its_pawns() -> None:
    numbers, _ = number_inputs(board(PRESETS["findler"].layout))
    found = feature_extractor(PRESETS["findler"]).seat_features(2, (HOME, 7, 7, NEST))
    assert set(found.inputs) == {numbers[HOME][0], *numbers[7][:2], numbers[NEST][0]}


def test_the_throws_that_bring_a_pawn_home_are_counted() -> None:
    """A five or a sum of five goes home from r3: 15 throws."""
    [mine, _] = seen("H,r3,20,N/-/7,7,N,N/-")
    assert round(mine["finish"], 3) == 0.417


def test_a_pawn_five_before_a_lone_one_may_capture_it_before_it_throws() -> None:
    """A at 13 throws next, C's pawn on 18 has come 52 spaces: 16 throws of 36 capture it."""
    [mine, theirs] = seen("H,H,H,13/-/52,N,N,N/-")
    assert something(mine, CONTACT_FEATURES) == {"hunt_soon": 0.444}
    assert something(theirs, CONTACT_FEATURES) == {
        "risk_soon": 0.444,
        "stake_soon": 0.231,
    }


def test_who_throws_first_may_run_before_it_is_captured() -> None:
    [theirs, mine] = seen("H,H,H,13/-/52,N,N,N/-", first=2)
    assert something(mine, CONTACT_FEATURES) == {"hunt_later": 0.444}
    assert something(theirs, CONTACT_FEATURES) == {
        "risk_later": 0.444,
        "stake_later": 0.231,
    }


def test_a_pawn_behind_a_blockade_is_stuck_and_the_blockade_holds_it() -> None:
    """C's blockade on its 52 stands on 18, five before A's pawn, which has 58 spaces to go."""
    [mine, theirs] = seen("H,H,H,13/-/52,52,N,N/-")
    assert something(mine, STANDOFF_FEATURES) == {
        "tempo": 0.04,
        "tempo_all": 0.04,
        "stuck": 0.25,
        "all_stuck": 1,
        "stuck_to_go": 1,
        "on_board": 0.25,
        "any_stuck": 1,
    }
    assert something(theirs, STANDOFF_FEATURES) == {
        "tempo_all": 0.38,
        "held": 0.25,
        "leader_held": 0.5,
        "least_tempo": 3,
        "on_board": 0.25,
        "any_stuck": 1,
    }


def test_of_two_blockades_behind_each_other_the_seat_with_less_tempo_gives_way() -> None:
    """A's pair waits for C's, four ahead, and C's last pawn for A's pair, six ahead."""
    [mine, theirs] = seen("H,40,40,20/-/H,10,10,0/-")
    names = ("tempo", "locked", "least_tempo", "less_tempo")
    assert something(mine, names) == {"tempo": 0.23, "locked": 0.5, "least_tempo": 0.05}
    assert something(theirs, names) == {
        "tempo": 0.05,
        "least_tempo": 0.23,
        "less_tempo": 1,
    }


def test_pawns_behind_and_ahead_are_counted_by_their_distance() -> None:
    """A's pawns are on ring spaces 40 and 20, C's on 44, and two on 34."""
    [mine, theirs] = seen("H,40,40,20/-/H,10,10,0/-")
    counted = FAR_FEATURES[:8]
    assert something(mine, counted) == {"behind_14": 0.25, "behind_far": 0.5, "ahead_14": 0.75}
    assert something(theirs, counted) == {"behind_14": 0.75, "ahead_14": 0.25, "ahead_far": 0.5}


def test_who_has_nobody_behind_and_no_blockade_ahead_is_in_a_race() -> None:
    """C's pawn is past A's, and of C's nest three pawns can come behind it."""
    [mine, theirs] = seen("10,N,N,N/-/46,N,N,N/-")
    races = ("race_none_behind", "race_none_to_come", "race_not_stuck", "race_free", "race_few")
    assert something(mine, races) == dict.fromkeys(races[0:3:2], round(mine["race"], 3))
    assert something(theirs, races) == {"race_not_stuck": round(theirs["race"], 3)}


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
    assert shares(own_wall, "ludo-uk", "hunt_soon", "stuck") == [0.333, 0]  # a six, a one
    assert shares("10,N,N,N/2,2,N,N/42,N,N,N/-", "ludo-uk", "hunt_soon", "stuck") == [0, 1]


def test_an_immune_pair_can_be_passed_but_not_captured() -> None:
    """C has a pair on ring space 12 and a lone pawn on 14: only a four captures from 10."""
    immune = "10,N,N,N/-/40,38,38,N/-"
    assert shares(immune, "ludo-india", "hunt_soon", "stuck") == [0.167, 0]


def test_who_enters_captures_a_lone_pawn_unless_the_entry_is_shared() -> None:
    on_entry = "N,N,N,N/-/26,N,N,N/-"
    assert shares(on_entry, "ludo-uk", "hunt_soon") == [0.167]
    assert shares(on_entry, "ludo-india", "hunt_soon") == [0]


def test_on_a_full_entry_of_parchis_one_of_two_guests_is_lost() -> None:
    assert shares("N,N,N,N/N,N,N,N/34,N,N,N/-", "parchis", "hunt_soon") == [0]
    assert shares("N,N,N,N/51,N,N,N/34,N,N,N/-", "parchis", "hunt_soon") == [0.167]


def test_on_40_spaces_a_pawn_comes_home_to_any_free_space_of_the_goal() -> None:
    """From 38 a two, a three and a four lead to r1, r2 and r3; r4 is taken."""
    assert shares("r4,38,N,N/-/N,N,N,N/-", "ludo-de", "finish") == [0.5]


def test_a_star_carries_a_pawn_to_another_s_on_the_next_star_and_from_the_last_one_home() -> None:
    """C's pawns are on ring spaces 11 and 17: from 9 a two captures both."""
    assert shares("9,N,N,N/-/43,37,N,N/-", "ludo-dk", "hunt_soon", "finish") == [0.167, 0]
    assert shares("10,N,N,N/-/43,N,N,N/-", "ludo-dk", "hunt_soon") == [0.167]  # a one
    assert shares("10,N,N,N/-/43,37,37,N/-", "ludo-dk", "hunt_soon") == [0]  # the two are not moved
    assert shares("47,N,N,N/-/N,N,N,N/-", "ludo-dk", "finish") == [0.167]


def test_where_nobody_is_passed_only_the_next_pawn_can_be_captured() -> None:
    """C's pawns are on ring spaces 12 and 14."""
    names = ("hunt_soon", "tempo")
    assert shares("10,N,N,N/-/42,40,N,N/-", "petits-chevaux", *names) == [0.167, 0.01]
    assert shares("11,10,N,N/-/40,N,N,N/-", "petits-chevaux", *names) == [0.167, 0.01]
    assert shares("N,N,N,N/-/28,N,N,N/-", "petits-chevaux", *names) == [0.167, 0]


def test_a_step_on_the_ladder_counts_as_the_spaces_of_six_throws() -> None:
    """Only the first horse counts, which a six brings home from r6."""
    extractor = feature_extractor(PRESETS["petits-chevaux"])
    rungs = [extractor.seat_features(0, (place, 30, NEST, NEST)) for place in (106, 105, 50)]
    assert [round(one.to_go, 3) for one in rungs] == [21, 42, 7 * 21 + 5]
    assert [round(one.finish, 3) for one in rungs] == [0.167, 0, 0]


def test_whom_a_number_passes_it_captures_but_on_a_bench_two_stop_it() -> None:
    """C's pawns are two spaces ahead, then also on the bench at ring space 12, and past it."""
    names = ("hunt_soon", "stuck")
    assert shares("8,N,N,N/-/44,N,N,N/-", "ludo-ch", *names) == [0.667, 0]  # 3, 4, 5 and the six
    assert shares("8,N,N,N/-/46,46,44,N/-", "ludo-ch", *names) == [0.333, 1]  # a three and a four
    assert shares("8,N,N,N/-/47,46,46,N/-", "ludo-ch", *names) == [0, 1]
    assert shares("8,N,N,N/-/47,46,N,N/-", "ludo-ch", *names) == [0.167, 0]  # the six goes twelve


def test_no_other_pawn_hunts_while_the_entry_must_be_cleared() -> None:
    """C's pawn is on ring space 12, two past A's."""
    assert shares("10,0,N,N/-/32,N,N,N/-", "ludo-de", "hunt_soon") == [0]
    assert shares("r4,r3,10,0/-/32,N,N,N/-", "ludo-de", "hunt_soon") == [0.167]
