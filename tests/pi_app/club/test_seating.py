"""Who sits with whom: sizes of tables, repeated opponents, short tables, the same seats again."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.club.seating import Table, seat_round, table_sizes
from pi_app.club.standings import BY_PLACE, table_points


def play_tournament(people: int, rounds: int, seed: int) -> list[list[Table]]:
    """Return the tables of each round. At each table the dice decide who comes first."""
    names = [f"p{n:02}" for n in range(people)]
    points: Counter[str] = Counter()
    seated: list[list[Table]] = []
    for number in range(rounds):
        earlier = [table for tables in seated for table in tables]
        seated.append(seat_round(names, points, earlier, Random(f"{seed}/{number}")))
        dice = Random(f"dice {seed}/{number}")
        for table in seated[-1]:
            tiers = [[one] for one in dice.sample(table, len(table))]
            points.update(table_points(tiers, BY_PLACE))
    return seated


def repeats(seated: Sequence[Sequence[Table]]) -> int:
    pairs = Counter(
        frozenset(pair) for tables in seated for table in tables for pair in combinations(table, 2)
    )
    return sum(count - 1 for count in pairs.values())


@pytest.mark.parametrize(
    ("people", "sizes"),
    [
        (2, "2"),
        (3, "3"),
        (4, "4"),
        (5, "32"),
        (6, "33"),
        (7, "43"),
        (8, "44"),
        (9, "333"),
        (10, "433"),
        (11, "443"),
        (13, "4333"),
        (40, "4444444444"),
    ],
)
def test_tables_are_fours_as_far_as_possible_then_threes(people: int, sizes: str) -> None:
    assert "".join(map(str, table_sizes(people))) == sizes


def test_one_person_has_nobody_to_play_with() -> None:
    with pytest.raises(ValueError, match="1 people can't play a round: at least two can"):
        table_sizes(1)


@given(people=st.integers(2, 24), rounds=st.integers(1, 4), seed=st.integers(0, 99))
def test_in_each_round_everybody_sits_once_and_the_same_lot_seats_them_again(
    people: int, rounds: int, seed: int
) -> None:
    seated = play_tournament(people, rounds, seed)
    for tables in seated:
        assert sorted(one for table in tables for one in table) == [
            f"p{n:02}" for n in range(people)
        ]
        assert sorted(map(len, tables)) == sorted(table_sizes(people))
    assert seated == play_tournament(people, rounds, seed)


@pytest.mark.parametrize(("people", "rounds"), [(18, 3), (20, 3), (27, 4), (40, 4)])
def test_enough_people_meet_nobody_twice(people: int, rounds: int) -> None:
    assert [repeats(play_tournament(people, rounds, seed)) for seed in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("people", [6, 7, 9, 10, 11, 13, 14])
def test_short_tables_are_spread_evenly(people: int) -> None:
    for seed in range(3):
        short = Counter({f"p{n:02}": 0 for n in range(people)})
        for tables in play_tournament(people, 4, seed):
            short.update(one for table in tables for one in table if len(table) < 4)
        assert max(short.values()) - min(short.values()) <= 1


def test_after_a_round_without_repeats_the_best_sit_together() -> None:
    points = {"a": 7, "b": 7, "c": 5, "d": 5, "e": 3, "f": 3, "g": 1, "h": 1.0}
    strangers = seat_round(sorted(points), points, [], Random(1))
    assert [set(table) for table in strangers] == [{*"abcd"}, {*"efgh"}]
    met = seat_round(sorted(points), points, [tuple("aceg"), tuple("bdfh")], Random(1))
    assert [len({*table} & {*"aceg"}) for table in met] == [2, 2]
