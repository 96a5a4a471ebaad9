"""A table's tile on the club's page: what it shows of a state, and who may not break it."""

from itertools import product
from typing import Any

import pytest

from pi_app.club.people import Club, fold_changes
from pi_app.club.tables import NO_TABLES, Tables
from pi_app.club.tiles import WINNER_S, Tiles, make_tile
from pi_app.model.screens import Seat, message
from pi_app.texts.words import side_words
from rules.board import BOARDS, HOME, NEST, board, place_text
from rules.ruleset import OPTIONS
from tests.pi_app.club.test_tables import JOINING, PLAYING, bytes_of, heard

WON = PLAYING | {"phase": "over", "winners": [2], "places": [2], "running": False}


def kitchen(state: dict[str, Any], *more: tuple[str, bytes]) -> Tables:
    messages = (("availability", b"online"), ("state", bytes_of(state)), *more)
    return heard(*(("kitchen", what, payload) for what, payload in messages))


ALL_BUT_D = (Seat(0), Seat(1), Seat(2))


def told(state: dict[str, Any], *more: tuple[str, bytes], **names: str) -> dict[str, Any]:
    people = {"abcd".index(letter): name for letter, name in names.items()}
    return make_tile(kitchen(state, *more)["kitchen"], people)


def test_a_tile_has_the_edition_the_turn_and_each_seat_from_the_first_to_the_last() -> None:
    tile = told(PLAYING | {"names": {"b": "BEN", "d": "DAN"}}, a="Ann", b="Benjamin")
    assert (tile["name"], tile["trouble"]) == ("kitchen", "")
    assert tile["board"] == "standard/counterclockwise/twelve"
    assert tile["rules"] == message("edition-royal-2023")
    assert (tile["doing"], tile["its"]) == (message("is-to-move", who="DAN"), [3])
    assert tile["standings"] == [[0, "Ann", 61], [2, "", 48], [1, "Benjamin", 40], [3, "DAN", 33]]
    assert [pawn[:2] for pawn in tile["pawns"][:4]] == [[0, 54], [0, 24], [0, 18], [0, 0]]


@pytest.mark.parametrize(
    ("changed", "doing", "its"),
    [
        ({"phase": "throw"}, message("is-to-throw", who=Seat(3)), [3]),
        ({"phase": "order"}, message("throws-for-who-begins", who=Seat(3)), [3]),
        ({"phase": "penalty"}, message("takes-a-pawn-back", who=Seat(3)), [3]),
        ({"phase": "over"}, message("game-has-ended"), []),
        ({"phase": "<b>"}, message("game-has-ended"), []),
        (WON, message("has-won", who=Seat(2)), [2]),
        (WON | {"winners": [0, 2]}, message("side-has-won", side=side_words([0, 2])), [0, 2]),
        (WON | {"winners": [0, 1, 2]}, message("have-won", seats=ALL_BUT_D), [0, 1, 2]),
        (JOINING, message("players-join"), []),
    ],
)
def test_a_tile_says_what_is_done(changed: dict[str, Any], doing: object, its: list[int]) -> None:
    tile = told(PLAYING | changed)
    assert (tile["doing"], tile["its"]) == (doing, its)


def test_who_has_won_comes_first_whatever_the_way_so_far() -> None:
    assert [seat for seat, _, _ in told(WON)["standings"]] == [2, 0, 1, 3]


def test_house_rules_have_the_words_that_the_table_sends() -> None:
    assert told(PLAYING | {"edition": None})["rules"] == "Royal Parcheesi"
    assert told(PLAYING | {"edition": "<script>", "words": {}})["rules"] == ""


@pytest.mark.parametrize(
    ("more", "trouble", "since"),
    [
        ((), "", 0.0),
        ((("availability", b"offline"),), "away", 2.0),
        ((("availability", b"?"),), "unknown", 0.0),
        ((("state", b"[]"),), "unreadable", 0.0),
        ((("state", b"[]"), ("availability", b"offline")), "unreadable", 0.0),
    ],
)
def test_a_tile_says_what_is_wrong(
    more: tuple[tuple[str, bytes], ...], trouble: str, since: float
) -> None:
    tile = told(PLAYING, *more)
    assert (tile["trouble"], tile["since"]) == (trouble, since)


def test_a_table_that_has_sent_no_state_has_a_tile_without_a_board() -> None:
    tile = make_tile(heard(("attic", "availability", b"online"))["attic"], {})
    assert (tile["board"], tile["standings"], tile["doing"]) == ("", [], "")


def test_every_place_of_every_board_can_be_drawn() -> None:
    for layout, travel in product(BOARDS, OPTIONS["travel"].values):
        safety = min(BOARDS[layout].safety)
        for place in {*board(layout).to_go, NEST, HOME}:
            where = "/".join([",".join([place_text(place)] * 4)] * 4)
            state = PLAYING | {"board": [layout, travel, safety], "position": where}
            tables = kitchen(state)
            if tables["kitchen"].state is not None:
                assert len(make_tile(tables["kitchen"], {})["pawns"]) == 16


# --- all tiles -----------------------------------------------------------------------------------

NOBODY = Club()


def test_only_the_tile_of_a_table_that_changes_is_new() -> None:
    tiles = Tiles()
    first = heard(("a", "state", bytes_of(PLAYING)), ("b", "state", bytes_of(PLAYING)))
    tiles.update(first, NOBODY, 10.0, 1000.0)
    a, b = tiles.all["a"], tiles.all["b"]
    second = {**first, **heard(("a", "state", bytes_of(PLAYING | {"seat": 1})))}
    tiles.update(second, NOBODY, 11.0, 1001.0)
    assert tiles.all["a"] is not a
    assert tiles.all["b"] is b
    heard_again = {**second, "b": second["b"]._replace()}
    tiles.update(heard_again, NOBODY, 12.0, 1002.0)
    assert tiles.all["b"] is b
    tiles.update({"b": heard_again["b"]}, NOBODY, 13.0, 1003.0)
    assert [*tiles.all] == ["b"]


def test_who_sits_there_is_from_what_the_organiser_has_said_last() -> None:
    tiles, tables = Tiles(), kitchen(PLAYING)
    tiles.update(tables, NOBODY, 10.0, 1000.0)
    said: list[tuple[float, dict[str, Any]]] = [
        (1.0, {"kind": "person", "person": "p", "name": "Ann"}),
        (2.0, {"kind": "seating", "table": "kitchen", "since": 900.0, "people": {"3": "p"}}),
    ]
    tiles.update(tables, fold_changes(said), 11.0, 1001.0)
    assert tiles.all["kitchen"].told["doing"] == message("is-to-move", who="Ann")


def test_a_winner_stays_for_ten_minutes_or_until_another_game_begins() -> None:
    tiles = Tiles()

    def doing(state: dict[str, Any], now: float) -> object:
        tiles.update(kitchen(state), NOBODY, now, now)
        return tiles.all["kitchen"].told["doing"]

    won, join = message("has-won", who=Seat(2)), message("players-join")
    assert doing(WON, 0.0) == won
    assert doing(JOINING, 60.0) == won
    assert doing(JOINING, WINNER_S) == won
    assert doing(JOINING, WINNER_S + 1) == join
    assert doing(WON, 2000.0) == won
    assert doing(PLAYING, 2010.0) == message("is-to-move", who=Seat(3))
    assert doing(JOINING, 2020.0) == join
    tiles.update(NO_TABLES, NOBODY, 3000.0, 3000.0)
    assert tiles.all == {}
