"""What rows of changes say: who sat where, corrected; rounds, their results, ratings."""

from typing import Any

import pytest

from pi_app.club.people import (
    Club,
    PlayedGame,
    fold_changes,
    rated_games,
    round_results,
    seat_next_round,
    tournament_standings,
)
from pi_app.club.standings import TableResult

PEOPLE = ["ann", "ben", "cat", "dan", "eve", "fay"]
TOURNAMENT = {
    "kind": "tournament",
    "tournament": "t",
    "name": "Winter",
    "people": PEOPLE,
    "rounds": 3,
    "scheme": "places",
    "seed": 5,
}
ROUND = {
    "kind": "round",
    "tournament": "t",
    "tables": [["ann", "ben", "cat"], ["dan", "eve", "fay"]],
    "at": ["kitchen", None],
}


def seating(table: str, since: float, *people: str) -> dict[str, Any]:
    sat = {str(seat): person for seat, person in enumerate(people) if person}
    return {"kind": "seating", "table": table, "since": since, "people": sat}


def result(*tiers: list[str]) -> dict[str, Any]:
    return {"kind": "result", "tournament": "t", "round": 1, "table": 1, "tiers": list(tiers)}


def game(id: str, ended: float, *tiers: list[int], table: str = "kitchen") -> PlayedGame:
    return PlayedGame(id, table, ended, tiers, [4, 2, 1, 0])


def said(*rows: dict[str, Any]) -> Club:
    """Return what some rows say, made at 100, 110, 120 ..."""
    return fold_changes((100 + 10 * n, row) for n, row in enumerate(rows))


def test_a_person_can_get_another_name() -> None:
    first = {"kind": "person", "person": "p1", "name": "Anna"}
    assert said(first, first | {"name": "Anne"}).names == {"p1": "Anne"}


def test_who_sits_at_a_table_counts_from_then_on_and_a_row_of_the_same_time_corrects_it() -> None:
    club = said(
        seating("kitchen", 50, "ann", "ben"),
        seating("kitchen", 90, "cat", "", "dan"),
        seating("kitchen", 50, "ann", "eve"),
    )
    assert club.who_sat("kitchen", 49) == {}
    assert club.who_sat("kitchen", 60) == {0: "ann", 1: "eve"}
    assert club.who_sat("kitchen", 90) == {0: "cat", 2: "dan"}
    assert club.who_sat("hall", 90) == {}


def test_a_round_takes_the_first_game_of_just_its_people_after_it_was_seated() -> None:
    club = said(TOURNAMENT, seating("kitchen", 0, "ann", "ben", "cat"), ROUND)
    games = [
        game("g3", 140, [2], [0], [1]),
        game("g2", 130, [1], [0, 2]),
        game("g1", 119, [0], [1], [2]),  # before the round
        game("g4", 125, [0], [1]),  # of two of them
    ]
    kitchen, other = round_results(club, club.tournaments["t"], 1, games)
    assert kitchen == TableResult([["ben"], ["ann", "cat"]], {"ann": 4, "ben": 2, "cat": 1})
    assert other is None


def test_a_result_by_hand_counts_before_that_of_a_table_and_the_last_one_counts() -> None:
    by_hand = (result(["dan"], ["eve"], ["fay"]), result(["fay"], ["eve"], ["dan"]))
    club = said(TOURNAMENT, seating("hall", 0, "dan", "eve", "fay"), ROUND, *by_hand)
    games = [game("g", 130, [0], [1], [2], table="hall")]
    assert round_results(club, club.tournaments["t"], 1, games)[1] == TableResult(
        [["fay"], ["eve"], ["dan"]]
    )


def test_a_game_that_ends_after_the_next_round_was_seated_is_not_of_this_round() -> None:
    club = said(TOURNAMENT, seating("kitchen", 0, "ann", "ben", "cat"), ROUND, ROUND)
    games = [game("g", 135, [0], [1], [2])]
    tournament = club.tournaments["t"]
    assert round_results(club, tournament, 1, games) == [None, None]
    assert round_results(club, tournament, 2, games)[0] is not None


def test_standings_have_who_plays_and_who_has_left() -> None:
    fewer = TOURNAMENT | {"people": ["ann", "ben", "cat", "dan"]}
    club = said(TOURNAMENT, ROUND, result(["fay"], ["eve"], ["dan"]), fewer)
    standings = tournament_standings(club, club.tournaments["t"], [])
    assert [(one.person, one.points) for one in standings[:3]] == [
        ("fay", 7),
        ("eve", 4),
        ("dan", 1),
    ]
    assert {one.person for one in standings} == {*PEOPLE}
    assert sorted(map(sorted, seat_next_round(club, club.tournaments["t"], []))) == [
        ["ann", "ben", "cat", "dan"]
    ]


def test_the_next_round_is_the_same_each_time_it_is_asked_for() -> None:
    club = said(TOURNAMENT, ROUND, result(["fay"], ["eve"], ["dan"]))
    tables = seat_next_round(club, club.tournaments["t"], [])
    assert tables == seat_next_round(club, club.tournaments["t"], [])
    assert sorted(map(len, tables)) == [3, 3]


@pytest.mark.parametrize(
    ("played_on", "is_of_sides", "sides", "ranks"),
    [
        (False, False, [["ann"], ["cat"], ["ben"]], [1, 2, 2]),
        (True, False, [["ann"], ["cat"], ["ben"]], [1, 2, 3]),
        (False, True, [["ann"], ["cat", "ben"]], [1, 2]),
    ],
)
def test_a_game_is_rated_for_what_it_says(
    played_on: bool, is_of_sides: bool, sides: list[list[str]], ranks: list[int]
) -> None:
    club = said(seating("kitchen", 0, "ann", "ben", "cat"))
    tiers = [[0], [2, 1]] if is_of_sides else [[0], [2], [1]]
    played = PlayedGame("g", "kitchen", 10, tiers, [4, 0, 1], played_on, is_of_sides)
    [rated] = rated_games(club, [played, game("of strangers", 10, [0], [3])])
    assert (rated.sides, [*rated.ranks]) == (sides, ranks)
