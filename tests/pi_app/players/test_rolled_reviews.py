"""Reviews by rollouts, of a decision whose chances can be computed by hand.

With one die, A throws a 1. It can come home, and then needs a 2; or it can move the other pawn, and
then needs two throws of 1. C throws next, and needs a 1. So A wins 5/11 or 25/121 of the games. B
is too far from home to win. But its pawns can still meet others, so the chances are not exact.
"""

from __future__ import annotations

import json

import pytest

from pi_app.advice.reviews import ReviewRequest, ThrowReview, review_requests
from pi_app.advice.rollouts import RolledGame, RolledThrow, RolloutRequest, throw_key
from pi_app.players.review import review_throw
from pi_app.players.rolled_reviews import (
    RolledReview,
    network_name,
    plays_to_roll,
    replace_estimates,
    review_rolled_game,
    review_rollouts,
    roll_out_play,
    sum_margins,
)
from pi_app.players.rollouts import Estimate
from rules import PRESETS
from tests.pi_app.players.test_review import played

ONE_DIE = json.dumps({"preset": "one-die", "again": "never"})
TWO_LEFT = "H,H,r7,r6/N,N,N,N/H,H,H,r7/-"
BEST, MADE = 5 / 11, 25 / 121


def request(*entries: str, text: str = TWO_LEFT, preset: str = ONE_DIE) -> ReviewRequest:
    return review_requests(played(text, *entries, preset=preset))[0]


def rolled(asked: ReviewRequest, rolls: int) -> RolledThrow:
    plays = plays_to_roll(asked)
    requests = [RolloutRequest(ONE_DIE, play, "dice", 0, rolls) for play in plays]
    return RolledThrow(plays, tuple(map(roll_out_play, requests)))


def test_the_play_that_was_made_is_rolled_out_beside_those_that_are_as_good() -> None:
    made, best = plays_to_roll(request("throw 1", "move r6-r7(1)"))
    assert made[:4] == (("r6-r7(1)",), "H,H,r7,r7/N,N,N,N/H,H,H,r7/-", 2, 0)
    assert best[:4] == (("r7-H(1)",), "H,H,H,r6/N,N,N,N/H,H,H,r7/-", 2, 0)
    assert not made.is_exact
    assert plays_to_roll(request("throw 1", "move r7-H(1)"))[0] == best


def test_a_play_that_wins_needs_no_rollouts() -> None:
    won, *others = plays_to_roll(request("throw 2", "move r6-H(2)", text="H,H,H,r6/-/H,H,H,r7/-"))
    assert (won.is_exact, won.length, others) == (True, 0, [])


def test_doublets_count_until_the_penalty_which_leaves_nothing_to_choose() -> None:
    """A's last pawn needs a 1. With the third doublet it goes to its nest."""
    throws = ("throw 3 3", "stop", "throw 2 2", "stop", "throw 4 4", "stop")
    asked = review_requests(played("H,H,H,r7/N,N,N,N/H,H,H,r7/-", *throws))
    assert [[play[1:4] for play in plays_to_roll(one)] for one in asked] == [
        [("H,H,H,r7/N,N,N,N/H,H,H,r7/-", 0, 1)],
        [("H,H,H,r7/N,N,N,N/H,H,H,r7/-", 0, 2)],
        [("H,H,H,N/N,N,N,N/H,H,H,r7/-", 2, 0)],
    ]


def test_a_throw_whose_play_was_broken_off_is_not_rolled_out() -> None:
    assert plays_to_roll(request("throw 1")) == ()


def test_a_mistake_costs_what_can_be_computed_by_hand() -> None:
    review = review_rollouts(rolled(request("throw 1", "move r6-r7(1)"), 100), 0)
    assert review is not None
    assert review.is_mistake
    assert (review.best, review.rolls) == (("r7-H(1)",), 100)
    assert abs(review.behind.mean - 100 * (BEST - MADE)) < review.behind.margin < 12
    chance, *others = review.chances
    assert chance is not None
    assert abs(chance.mean - MADE) < chance.margin < 0.1
    assert others[1] == pytest.approx((1 - chance.mean, chance.margin))
    assert others[0] is not None
    assert others[0].mean == 0
    assert others[2] is None


def test_a_loss_within_its_interval_is_no_mistake_whatever_the_network_says() -> None:
    asked = request("throw 1", "move r6-r7(1)")
    review = review_rollouts(rolled(asked, 10), 0)
    assert review is not None
    assert 0 < review.behind.mean < review.behind.margin
    assert not review.is_mistake
    by_network = review_throw(asked)
    assert by_network.given_away > 5
    [replaced] = replace_estimates([by_network], {0: review})
    assert replaced == by_network._replace(given_away=0.0, best=())
    assert sum_margins([asked], {0: review}) == {}


def test_a_throw_is_reviewed_when_each_play_has_its_first_rollouts() -> None:
    plays, (made, best) = rolled(request("throw 1", "move r6-r7(1)"), 10)
    assert review_rollouts(RolledThrow(plays, (made, best[:9])), 0) is None
    assert review_rollouts(RolledThrow(plays, (made, best)), 0) is not None


def test_a_won_game_is_certain() -> None:
    asked = request("throw 2", "move r6-H(2)", text="H,H,H,r6/-/H,H,H,r7/-")
    review = review_rollouts(rolled(asked, 10), 0)
    assert review is not None
    assert review.chances == (Estimate(1.0, 0.0), None, Estimate(0.0, 0.0), None)
    assert review.behind == Estimate(0.0, 0.0)


def test_the_throws_of_a_game_are_found_by_what_they_are() -> None:
    asked = request("throw 1", "move r6-r7(1)")
    other = request("throw 1", "move r7-H(1)")
    game = RolledGame("", {throw_key(asked): rolled(asked, 10)})
    assert list(review_rolled_game([other, asked], game)) == [1]


def test_rollouts_replace_the_loss_alone_and_the_margins_of_a_sum_add_up_as_squares() -> None:
    asked = request("throw 1", "move r6-r7(1)")
    dear = RolledReview((), Estimate(20.0, 3.0), ("r7-H(1)",), 100)
    dearer = dear._replace(behind=Estimate(30.0, 4.0))
    spared = dear._replace(behind=Estimate(2.0, 9.0), best=())
    by_network = ThrowReview(-1.5, 7.0, ("r7-H(1)",), (0.2, None, 0.8, None))
    found = replace_estimates([by_network, None, by_network], {0: dear, 1: dear, 2: spared})
    assert found == [
        by_network._replace(given_away=20.0),
        None,
        by_network._replace(given_away=0.0, best=()),
    ]
    assert sum_margins([asked] * 3, {0: dear, 1: dearer, 2: spared}) == {0: 5.0}


def test_a_network_is_named_by_its_table_and_its_weights() -> None:
    name = network_name(PRESETS["findler"])
    assert name.startswith("findler-4 ")
    assert network_name(PRESETS["pb"]) == name
    assert network_name(PRESETS["royal-2023"])[-8:] != name[-8:]
