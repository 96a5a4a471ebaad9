"""How evenly dice fell: the figures are those of tables, the words are modest."""

from collections import Counter
from random import Random

import pytest

from pi_app.record.fairness import (
    chance_band,
    chi_square_p,
    count_runs,
    judge_dice,
    judge_shells,
    merge_classes,
    p_in_words,
)

# The tables' values: chi-square's 5 % points, and a worked example of the runs test.


@pytest.mark.parametrize(
    ("x", "freedom"),
    [(3.841, 1), (5.991, 2), (7.815, 3), (9.488, 4), (11.070, 5), (12.592, 6), (49.802, 35)],
)
def test_chi_square_s_five_percent_points_are_those_of_the_tables(x: float, freedom: int) -> None:
    assert chi_square_p(x, freedom) == pytest.approx(0.05, abs=5e-5)


def test_runs_are_counted_and_compared_with_chance() -> None:
    """11 low and 11 high: 12 runs are what chance gives, 2 are far too few."""
    runs, z = count_runs([1, 6] * 11)
    assert runs == 22
    assert z == pytest.approx(10 / (2 * 121 * 220 / (484 * 21)) ** 0.5)
    assert count_runs([1] * 11 + [6] * 11)[0] == 2
    assert count_runs([6, 6, 6]) == (1, 0.0)
    assert count_runs([6]) == (1, 0.0)


def test_a_report_has_counts_chi_square_and_runs() -> None:
    assert list(judge_dice([(1, 2), (3, 4), (5, 6)] * 100)) == [
        "face              1      2      3      4      5      6",
        "how often       100    100    100    100    100    100",
        "chi-square  0.00 with 5 degrees of freedom, p = 1.0000",
        "            as uneven as nearly every fair game",
        "runs        200 above and below 3.5, z = -8.25, p = 0.0000",
        "            as odd as less than 1 fair game in a million",
    ]


def test_a_report_says_how_likely_uneven_dice_are() -> None:
    """60 dice; the p of 13.4 by integrating the density, that of z by the normal distribution."""
    low = [1] * 5 + [2] * 8 + [3] * 9
    high = [4] * 8 + [5] * 10 + [6] * 20
    mixed = [face for both in zip(low[:16], high, strict=False) for face in both]
    assert list(judge_dice([(face,) for face in mixed + low[16:] + high[16:]])) == [
        "face              1      2      3      4      5      6",
        "how often         5      8      9      8     10     20",
        "chi-square  13.40 with 5 degrees of freedom, p = 0.0199",
        "            as uneven as 1 fair game in 50",
        "runs        34 above and below 3.5, z = 1.44, p = 0.1496",
        "            as odd as 1 fair game in 7",
    ]


def test_a_few_dice_are_not_judged() -> None:
    assert list(judge_dice([(5, 3), (5, 5)])) == [
        "face              1      2      3      4      5      6",
        "how often         0      0      1      0      3      0",
        "fewer than 30 dice say nothing of whether they are fair",
    ]


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (1.0, "nearly every fair game"),
        (0.94, "9 fair games in 10"),
        (0.55, "6 fair games in 10"),
        (0.54, "1 fair game in 2"),
        (0.25, "1 fair game in 4"),
        (0.003, "1 fair game in 333"),
        (1e-9, "less than 1 fair game in a million"),
    ],
)
def test_a_chance_is_told_by_how_many_fair_games_are_so(p: float, words: str) -> None:
    assert p_in_words(p) == words


BINOMIAL = [(up,) for up, often in enumerate((1, 6, 15, 20, 15, 6, 1)) for _ in range(often)]


def test_cowries_are_compared_with_six_coins_and_rare_classes_are_merged() -> None:
    assert list(judge_shells(BINOMIAL, are_real=False)) == [
        "mouths up         0      1      2      3      4      5      6",
        "how often         1      6     15     20     15      6      1",
        "on average      1.0    6.0   15.0   20.0   15.0    6.0    1.0",
        "chi-square  0.00 with 4 degrees of freedom, p = 1.0000",
        "            as uneven as nearly every fair game",
    ]
    assert merge_classes([9, 1, 4, 0], [2.0, 4.0, 5.0, 1.0]) == [(10, 6.0), (4, 6.0)]
    assert merge_classes([1, 2], [1.0, 2.0]) == [(3, 3.0)]


def test_real_cowries_are_not_tested_because_they_are_not_even() -> None:
    *_, last = judge_shells(BINOMIAL, are_real=True)
    assert last == "real shells are not even: their mouths need not be up half of the time"
    *_, last = judge_shells(BINOMIAL[:29], are_real=False)
    assert last == "fewer than 30 throws say nothing of whether the shells are fair"


def test_all_faces_of_fair_dice_are_in_their_bands_in_95_of_100_series() -> None:
    assert chance_band(1200, 1 / 6, 6) == (165, 235)
    dice, inside = Random(1), 0
    for _ in range(400):
        counts = Counter(dice.choices(range(6), k=600))
        low, high = chance_band(600, 1 / 6, 6) or (0, 0)
        inside += all(low <= counts[face] <= high for face in range(6))
    assert 0.92 < inside / 400 < 0.99


def test_a_class_that_is_too_rare_has_no_band() -> None:
    assert chance_band(29, 1 / 6, 6) is None
    assert chance_band(30, 1 / 6, 6) is not None
