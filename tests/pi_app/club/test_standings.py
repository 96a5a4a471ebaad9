"""The points of places, and what decides between equal points."""

import pytest

from pi_app.club.standings import (
    BY_PLACE,
    WINNER_ONLY,
    TableResult,
    Tiers,
    find_standings,
    table_points,
)

LOTS = {"ann": 0.4, "ben": 0.3, "cat": 0.2, "dan": 0.1}


@pytest.mark.parametrize(
    ("tiers", "points"),
    [
        (["a", "b", "c", "d"], {"a": 7, "b": 5, "c": 3, "d": 1}),
        (["a", "b", "c"], {"a": 7, "b": 4, "c": 1}),
        (["a", "b"], {"a": 7, "b": 1}),
        (["a", "bcd"], {"a": 7, "b": 3, "c": 3, "d": 3}),
        (["ac", "bd"], {"a": 6, "c": 6, "b": 2, "d": 2}),
    ],
)
def test_places_give_points_and_equal_places_share_them(
    tiers: Tiers, points: dict[str, float]
) -> None:
    assert table_points(tiers, BY_PLACE) == points


def test_an_organiser_may_count_winners_only() -> None:
    assert table_points(["b", "a", "c", "d"], WINNER_ONLY) == {"b": 1, "a": 0, "c": 0, "d": 0}


def order(*results: TableResult) -> list[tuple[int, str]]:
    return [(one.place, one.person) for one in find_standings(results, BY_PLACE, LOTS)]


def test_points_come_first_and_who_has_not_played_has_none() -> None:
    result = TableResult([["ben"], ["ann"], ["cat"]])
    assert order(result) == [(1, "ben"), (2, "ann"), (3, "cat"), (4, "dan")]


def test_of_equal_points_more_wins_are_better() -> None:
    first = TableResult([["ann"], ["ben"], ["cat"], ["dan"]])
    second = TableResult([["cat"], ["ben"], ["dan"], ["ann"]])
    third = find_standings([first, second], BY_PLACE, LOTS)
    assert [(one.person, one.points, one.wins) for one in third] == [
        ("cat", 10, 1),
        ("ben", 10, 0),
        ("ann", 8, 1),
        ("dan", 4, 0),
    ]


def test_then_stronger_opponents_are_better() -> None:
    results = [
        TableResult([["ann"], ["cat"]]),
        TableResult([["ben"], ["dan"]]),
        TableResult([["cat"], ["dan"]]),
    ]
    best, second = find_standings(results, BY_PLACE, LOTS)[1:3]
    assert (best.person, best.points, best.met) == ("ann", 7, 8)
    assert (second.person, second.points, second.met) == ("ben", 7, 2)


def test_then_who_was_ahead_of_the_other_then_pawns_at_home_then_the_lot() -> None:
    once = TableResult([["ann"], ["ben"], ["cat", "dan"]], {"cat": 1, "dan": 3})
    assert order(once) == [(1, "ann"), (2, "ben"), (3, "dan"), (4, "cat")]
    equal = TableResult([["ann"], ["ben"], ["cat", "dan"]])
    assert order(equal) == [(1, "ann"), (2, "ben"), (3, "dan"), (3, "cat")]
    again = TableResult([["dan"], ["cat"]]), TableResult([["cat"], ["dan"]])
    assert [one for one in order(*again) if one[1] in ("cat", "dan")] == [(1, "dan"), (1, "cat")]
