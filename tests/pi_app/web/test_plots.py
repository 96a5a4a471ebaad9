"""Statistics of kept games: what each plot counts, and what it draws."""

from typing import Any

from pi_app.record.stats import GameCounts
from pi_app.record.summaries import Summary
from pi_app.web.plots import statistics
from pi_app.web.state import say_all
from tests.pi_app.sitting import IDS

FIRST = Summary("1", "findler", (0, 2), {"A": "LUC", "C": "EVA"}, True, (2,), None, 1800.0, 90)
SECOND = Summary("2", "findler", (0, 1, 3), {"A": "LUC", "D": "LUC"}, True, (3,), None, 3000.0, 99)
BROKEN_OFF = Summary("3", "royal-2023", (0, 1), {}, True, (), None, 60.0, 3)
DAMAGED = Summary("4", "findler", (0, 2), {}, False, (), None, None, 0, is_damaged=True)
FAIR = GameCounts([("kernel", False, [90, 110, 100, 100, 100, 100])], [(0, 2, 3)], ())
REVIEWED = FAIR._replace(luck=[(0, 5.0, 2.0), (1, -5.0, 12.0)], captures=[(3, 0, 1), (1, 3, 2)])
TYPED = GameCounts([("typed", False, [1, 0, 0, 0, 0, 0])], (), ())
GAMES = (FIRST, SECOND, BROKEN_OFF, DAMAGED)
COUNTS = dict(zip("1234", (FAIR, REVIEWED, TYPED, FAIR), strict=True))


def told() -> dict[str, Any]:
    """Return what is said of each plot by the id of its title."""
    said = say_all(statistics(GAMES, COUNTS, len(COUNTS)), IDS)
    assert (said["over"], said["progress"]) == (True, "")
    return {plot["title"]: plot for plot in said["plots"]}


def cells(title: str) -> list[list[Any]]:
    return [[row["label"], *row["cells"]] for row in told()[title]["rows"]]


def test_a_player_counts_once_a_game_and_a_seat_without_a_name_by_its_letter() -> None:
    assert cells("wins-by-player") == [["LUC", 2, 1], ["EVA", 1, 1], ["B", 1, 0]]
    assert told()["wins-by-player"]["rows"][0]["band"] == [0, 2]


def test_luck_is_an_average_of_the_games_that_were_reviewed() -> None:
    plot = told()["luck-and-skill"]
    assert plot["note"] == "luck-note(count=3, ready=1)"
    assert [row["marks"] for row in plot["rows"]] == [
        {"diamond": 5.0, "ring": 2.0},
        {"diamond": -5.0, "ring": 12.0},
    ]


def test_each_face_has_its_band_and_too_few_dice_have_none() -> None:
    assert cells("fell-dice")[0] == ["1", 180, 165, 235]
    assert [row["bar"] for row in told()["fell-dice"]["rows"]] == [180, 220, 200, 200, 200, 200]
    assert cells("fell-real-dice")[0] == ["1", 1, "-", "-"]


def test_captures_are_of_players_wherever_they_sat() -> None:
    assert cells("captures-by-player") == [
        ["has-captured(who=LUC, whom=EVA)", 3],
        ["has-captured(who=B, whom=LUC)", 2],
        ["has-captured(who=LUC, whom=LUC)", 1],
    ]


def test_lengths_are_of_games_that_somebody_has_won() -> None:
    [row] = told()["lengths-by-edition"]["rows"]
    assert row["cells"] == [2, 30, 40, 50]
    assert (row["band"], row["marks"]) == ([30.0, 50.0], {"tick": 40.0})


def test_a_journal_without_a_game_says_so_and_one_half_counted_how_far_it_is() -> None:
    empty = say_all(statistics((), {}, 0), IDS)
    assert (empty["over"], empty["progress"], empty["plots"]) == (True, "no-statistics", [])
    half = say_all(statistics([FIRST], {"1": FAIR}, 2), IDS)
    assert (half["over"], half["progress"]) == (False, "statistics-go-on(count=2, ready=1)")
