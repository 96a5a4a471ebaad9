"""Rollouts: chances that can be computed by hand, common dice, and clear losers dropped early."""

from __future__ import annotations

from math import sqrt

import pytest

from pi_app.players.play_ends import play_ends
from pi_app.players.rollouts import (
    ROUND,
    Candidate,
    compare,
    estimate_chance,
    estimate_difference,
    next_candidate,
    numbered_dice,
    roll_out,
    roll_out_all,
)
from pi_app.players.tables import load_judge
from pi_app.players.value import Judge
from rules import PRESETS, RuleSet, Throw, at, parse_position, parse_ruleset, place_text, play

FINDLER = PRESETS["findler"]
# One die, and nobody throws again: with one space to go, each throw wins by a 1.
ONE_DIE: RuleSet = parse_ruleset({"preset": "one-die", "again": "never"})
# B's pawns have the whole ring to go, so the chances are not exact, and rollouts go on to the end.
BOTH_NEED_A_1 = "H,H,H,r7/N,N,N,N/H,H,H,r7/-"
FIRST_TO_THROW = 6 / 11  # 1/6 + 25/36 of the same again


def judge(ruleset: RuleSet = FINDLER) -> Judge:
    return load_judge(ruleset)


def candidate(text: str, first: int = 0, ruleset: RuleSet = FINDLER) -> Candidate:
    return Candidate(parse_position(text, ruleset), first)


def test_where_two_need_a_1_the_first_to_throw_has_6_chances_of_11() -> None:
    race = candidate(BOTH_NEED_A_1, ruleset=ONE_DIE)
    (found,) = roll_out_all(judge(ONE_DIE), [race], 0, 300).values()
    assert found.rolls == 300
    assert found.chance.margin == pytest.approx(0.056, abs=0.001)  # 1.96 sqrt(0.545 0.455 / 304)
    assert abs(found.chance.mean - FIRST_TO_THROW) < found.chance.margin


def test_a_rollout_ends_at_the_throw_that_its_dice_decide() -> None:
    race = candidate(BOTH_NEED_A_1, ruleset=ONE_DIE)
    throws = {0: [6, 2, 1], 1: [3, 3], 2: [4, 3]}
    found = roll_out(judge(ONE_DIE), race, lambda seat, throw: (throws[seat][throw],))
    assert found == {0: 1, 1: 0, 2: 0}
    throws = {0: [6, 2], 1: [3, 3], 2: [4, 1]}
    found = roll_out(judge(ONE_DIE), race, lambda seat, throw: (throws[seat][throw],))
    assert found == {0: 0, 1: 0, 2: 1}


def test_a_third_doublet_is_a_penalty_in_a_rollout_too() -> None:
    """A throws 2-2 twice and moves; with the third, its pawn goes to the nest, and C comes home."""
    throws = {0: [(2, 2), (2, 2), (2, 2)], 2: [(1, 3)]}
    race = candidate("H,H,H,10/N,N,N,N/H,H,H,r7/-")
    assert roll_out(judge(), race, lambda seat, throw: throws[seat][throw]) == {0: 0, 1: 0, 2: 1}


def test_doublets_that_a_seat_has_thrown_before_count() -> None:
    throws = {0: [(2, 2)], 2: [(1, 3)]}
    race = candidate("H,H,H,10/-/H,H,H,r7/-")._replace(doublets=2)
    assert roll_out(judge(), race, lambda seat, throw: throws[seat][throw]) == {0: 0, 2: 1}


def test_a_game_that_is_won_needs_no_dice() -> None:
    won = candidate("H,H,H,H/-/H,H,H,r7/-")
    assert roll_out(judge(), won, lambda seat, throw: ()) == {0: 1.0, 2: 0.0}


def test_a_rollout_ends_when_no_two_seats_can_meet() -> None:
    race = candidate("H,H,H,r7/-/H,H,H,r7/-")
    found = roll_out(judge(), race, lambda seat, throw: ())
    assert found == judge().exact_chances(*race[:2])


def test_a_number_always_has_the_same_dice_and_all_faces_fall_equally_often() -> None:
    assert [numbered_dice(7, FINDLER, "x")(1, throw) for throw in range(4)] == [
        *((1, 1), (2, 6), (4, 2), (4, 2))
    ]
    drawn = [face for n in range(3000) for face in numbered_dice(n, FINDLER)(0, 0)]
    counts = [drawn.count(face) for face in range(1, 7)]
    assert sum(counts) == 6000
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 11.07  # 95 % of fair dice


def test_common_dice_make_the_interval_of_a_difference_narrower() -> None:
    """A's last pawn has 14 or 20 spaces to go, C's 17."""
    near, far = (candidate(f"H,H,H,{place}/N,N,N,N/H,H,H,55/-", 2) for place in (57, 52))

    def margin_with(name_of_far: str) -> float:
        pairs = [
            [
                roll_out(judge(), race, numbered_dice(number, FINDLER, name))[0]
                for race, name in ((near, "common"), (far, name_of_far))
            ]
            for number in range(100)
        ]
        return estimate_difference([more - less for more, less in pairs]).margin

    assert margin_with("common") < 0.8 * margin_with("other")


def test_coming_home_is_better_than_running_and_what_is_clearly_worse_is_dropped() -> None:
    """D comes home with 4 and 4 and their undersides; the network prefers to run to 62."""
    position = parse_position("H,H,H,8/H,H,H,N/H,H,H,r3/H,r6,63,48", FINDLER)
    ends = play_ends(play(at(FINDLER, position, 3), Throw((4, 4)))[0])
    races = [Candidate(end.position, end.first, 1) for end in ends]
    compared = roll_out_all(judge(), races, 3, 100)
    found = {place_text(race.position[3][-1]): result for race, result in compared.items()}
    assert found["r1"].behind == (0, 0)
    assert found["r1"].rolls == 100
    assert found["62"].behind.mean > found["62"].behind.margin
    assert found["62"].rolls < 100


def test_the_interval_of_a_chance_is_that_of_agresti_and_coull() -> None:
    """Of 100 rollouts 50 are won: 52 of 104, so 1.96 sqrt(1/4/104)."""
    assert estimate_chance([1.0] * 50 + [0.0] * 50) == pytest.approx((0.5, 0.0961), abs=1e-4)
    assert estimate_chance([1.0] * 100) == pytest.approx((1.0, 0.0264), abs=1e-4)


def test_the_interval_of_a_difference_is_that_of_bonett_and_price() -> None:
    """Of 98 pairs, 10 are won by the first alone and 2 by the second: 11 and 3 of 100."""
    pairs = [1.0] * 10 + [-1.0] * 2 + [0.0] * 86
    margin = 1.96 * sqrt((0.14 - 0.08**2) / 100)
    assert estimate_difference(pairs) == pytest.approx((8 / 98, margin))


def test_candidates_take_turns_and_the_first_is_never_dropped() -> None:
    lost, won = [0.0] * ROUND, [1.0] * ROUND
    assert next_candidate({"a": [], "b": []}, 100) == "a"
    assert next_candidate({"a": lost, "b": []}, 100) == "b"
    assert next_candidate({"a": lost, "b": won}, 100) == "a"
    assert next_candidate({"a": lost * 2, "b": won}, 100) == "b"
    assert next_candidate({"a": won, "b": lost}, 100) == "a"
    assert next_candidate({"a": won * 2, "b": lost}, 100) == "a"  # b is dropped
    assert next_candidate({"a": won * 2, "b": lost}, 2 * ROUND) is None


def test_a_dropped_candidate_is_compared_by_the_rollouts_that_it_has() -> None:
    found = {"a": [1.0] * 30, "b": [0.0] * 10, "c": [1.0, 0.0] * 15}
    compared = compare(found)
    assert compared["a"].behind == (0, 0)
    assert (compared["b"].behind.mean, compared["b"].rolls) == (1.0, 10)
    assert (compared["c"].behind.mean, compared["c"].rolls) == (0.5, 30)


def test_the_best_is_found_by_the_rounds_that_all_have() -> None:
    """The first is one round ahead: its wins there do not count against the second."""
    compared = compare({"a": [0.5] * 10 + [1.0] * 10, "b": [0.6] * 10})
    assert compared["b"].behind == (0, 0)
    assert compared["a"].behind.mean == pytest.approx(0.1)
