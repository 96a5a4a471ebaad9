"""Rollouts: games that numbered dice decide, and their dice."""

import pytest

from pi_app.players.tables import load_judge
from pi_app.players.value import Judge
from rules import PRESETS, RuleSet, parse_position, parse_ruleset
from tests.strength.rollouts import Candidate, numbered_dice, roll_out

FINDLER = PRESETS["findler"]
MITRA, MODERN = PRESETS["pachisi-mitra"], PRESETS["pachisi-modern"]
# One die, and nobody throws again: with one space to go, each throw wins by a 1.
ONE_DIE: RuleSet = parse_ruleset({"preset": "one-die", "again": "never"})
# B's pawns have the whole ring to go, so the chances are not exact, and rollouts go on to the end.
BOTH_NEED_A_1 = "H,H,H,r7/N,N,N,N/H,H,H,r7/-"


def judge(ruleset: RuleSet = FINDLER) -> Judge:
    return load_judge(ruleset)


def candidate(text: str, first: int = 0, ruleset: RuleSet = FINDLER) -> Candidate:
    return Candidate(parse_position(text, ruleset), first)


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


@pytest.mark.parametrize("ruleset", [MITRA, MODERN], ids=["mitra", "modern"])
def test_a_rollout_ends_with_a_side_or_a_seat_that_has_won(ruleset: RuleSet) -> None:
    late = parse_position("H,H,H,r6/H,H,H,r6/H,H,H,r4/H,H,H,r4", ruleset)
    found = roll_out(load_judge(ruleset), Candidate(late, 1), numbered_dice(3, ruleset))
    assert sum(found.values()) == pytest.approx(1)
    if ruleset.partners:
        assert sorted(found.values()) == [0, 0, 0.5, 0.5]


def test_numbered_shells_fall_as_shells_do() -> None:
    drawn = [numbered_dice(number, MITRA)(0, 0)[0] for number in range(6400)]
    counts = [drawn.count(up) for up in range(7)]
    assert counts == pytest.approx([100, 600, 1500, 2000, 1500, 600, 100], rel=0.3)
