"""The evening's results and the ratings, as the page asks for them."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pi_app.club.page import ClubPage
from pi_app.club.people import PlayedGame
from pi_app.club.results import evening_games
from pi_app.texts.language import all_languages
from tests.pi_app.club.evening import NINE, keep_evening
from tests.pi_app.club.test_page import get


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    return list(keep_evening(tmp_path / "club.sqlite"))


@pytest.fixture
def page(tmp_path: Path, ids: list[str]) -> ClubPage:
    return ClubPage(tmp_path / "club.sqlite", all_languages(), None, lambda: NINE + 3600.0)


def told(page: ClubPage, path: str, language: str = "en") -> Any:
    status, text = get(page, path, language)
    assert status == 200, text
    return json.loads(text)


def test_the_evening_s_games_are_there_the_newest_first(page: ClubPage, ids: list[str]) -> None:
    newest, older = told(page, "/evening")
    assert (newest["game"], newest["table"], newest["ended"]) == (ids[2], "elm", NINE + 600)
    assert (older["game"], older["table"], older["turns"]) == (ids[1], "oak", "109 turns")
    assert sorted(one for tier in older["tiers"] for one in tier) == [
        [0, "Ann"],
        [1, "Bartholomew"],
        [2, "Cécile"],
    ]
    assert {name for tier in newest["tiers"] for _, name in tier} == {""}


@pytest.mark.parametrize(
    ("day", "hour", "is_shown"), [(27, 12, True), (27, 23, True), (28, 2, True), (28, 12, False)]
)
def test_an_evening_goes_on_after_midnight_until_noon(day: int, hour: int, is_shown: bool) -> None:
    noon, now = (datetime(2026, 11, *at).timestamp() for at in ((27, 12), (day, hour)))
    games = [PlayedGame("id", "oak", ended, [[0], [1]], [4, 0, 0, 0]) for ended in (noon - 1, noon)]
    assert evening_games(games, now) == games[1:] * is_shown


def test_people_have_ratings_with_games_wins_and_uncertainty(page: ClubPage) -> None:
    state = told(page, "/players", "de")
    [plot] = state["plots"]
    assert plot["head"] == ["Spieler", "Spiele", "Siege", "Wertung", "±"]
    assert {name for _, name in state["people"]} == {"Ann", "Bartholomew", "Cécile"}
    assert [row["cells"][:1] for row in plot["rows"]] == [[2]] * 3
    assert sum(row["cells"][1] for row in plot["rows"]) == 2
    assert all(" ± " in row["value"] and "," in row["value"] for row in plot["rows"])
    low, high = plot["rows"][0]["band"]
    assert low < plot["rows"][0]["marks"]["tick"] < high


def test_a_person_s_rating_is_told_after_each_game_the_newest_first(page: ClubPage) -> None:
    [plot] = told(page, "/players/b")["plots"]
    assert plot["title"] == "Bartholomew"
    assert [row["label"] for row in plot["rows"]] == [NINE, NINE - 86_400]
    nobody = told(page, "/players/nobody")
    assert (nobody["plots"], len(nobody["people"])) == ([], 3)


def test_a_game_opens_with_the_names_of_those_who_sat_there(page: ClubPage, ids: list[str]) -> None:
    story = told(page, f"/games/{ids[1]}")
    assert story["seats"] == [[0, "Ann"], [1, "Bartholomew"], [2, "Cécile"]]
    assert story["home"] == "the tables"
    assert len(story["frames"]) > 50
    assert told(page, f"/games/{ids[2]}")["seats"] == [[0, ""], [1, ""], [2, ""]]
    review = told(page, f"/games/{ids[1]}/review")
    assert review["of"] > 20
    page.close()


def test_a_game_that_is_not_kept_is_refused(page: ClubPage) -> None:
    assert get(page, "/games/123")[0] == 404
    assert get(page, "/games/123/review")[0] == 404
