"""Ratings after games: figures of the library's own model, any order of arrival, partners."""

from itertools import permutations

import pytest

from pi_app.club.ratings import RatedGame, rate

ALONE = [["ann"], ["ben"], ["cat"], ["dan"]]


def test_four_new_players_move_by_their_places() -> None:
    found = rate([RatedGame("g1", 10.0, ALONE, [1, 2, 3, 4])])
    assert [round(found[one][-1].mu, 2) for [one] in ALONE] == [27.8, 26.55, 24.69, 20.96]


def test_a_game_that_ended_with_its_winner_says_nothing_of_the_others() -> None:
    found = rate([RatedGame("g1", 10.0, ALONE, [1, 2, 2, 2])])
    assert [round(found[one][-1].mu, 2) for [one] in ALONE] == [27.8, 24.07, 24.07, 24.07]


def test_the_order_of_arrival_does_not_matter() -> None:
    games = [
        RatedGame("g1", 10.0, ALONE, [1, 2, 2, 2]),
        RatedGame("g3", 20.0, [["ben"], ["ann"]], [1, 2]),
        RatedGame("g2", 20.0, [["cat"], ["ann"]], [1, 2]),
    ]
    first = rate(games)
    assert all(rate(order) == first for order in permutations(games))
    assert [rating.game for rating in first["ann"]] == ["g1", "g2", "g3"]


def test_partners_rise_together_and_more_games_say_more() -> None:
    sides = [["ann", "cat"], ["ben", "dan"]]
    found = rate([RatedGame(f"g{n}", n, sides, [1, 2]) for n in range(5)])
    assert found["ann"] == found["cat"]
    assert found["ann"][-1].mu > 25 > found["ben"][-1].mu
    sigmas = [rating.sigma for rating in found["ann"]]
    assert sigmas == sorted(sigmas, reverse=True)
    assert found["ann"][-1].ordinal == pytest.approx(
        found["ann"][-1].mu - 3 * found["ann"][-1].sigma
    )
