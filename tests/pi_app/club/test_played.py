"""What a club counts of a record: places by pawns at home, then spaces to go; sides; its end."""

import json
from collections.abc import Sequence

import pytest

from pi_app.club.people import PlayedGame
from pi_app.club.played import played_game
from rules.lines.jsonl import FORMAT, VERSION


def record(position: str, ruleset: object = "royal-2023", **last: str) -> str:
    seats = [seat for seat, pawns in enumerate(position.split("/")) if pawns != "-"]
    lines = [{"ruleset": ruleset, "seats": seats}, {"action": "end", "position": position, **last}]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def played(text: str, *places: int) -> PlayedGame:
    game = played_game("id", "kitchen", text, places, 99.0)
    assert game is not None
    return game


@pytest.mark.parametrize(
    ("position", "tiers"),
    [
        ("H,H,H,H/r5,28,16,10/H,57,N,N/57,10,9,0", [[0], [2], [1], [3]]),
        ("H,H,H,H/N,N,N,N/H,N,N,N/N,N,N,N", [[0], [2], [1, 3]]),
        ("H,H,H,H/-/H,57,N,N/-", [[0], [2]]),
    ],
)
def test_places_after_the_winner_are_by_pawns_at_home_then_by_spaces_to_go(
    position: str, tiers: Sequence[Sequence[int]]
) -> None:
    game = played(record(position), 0)
    assert game.tiers == tiers
    assert (game.home[0], game.home[2], game.played_on, game.is_of_sides) == (4, 1, False, False)


def test_places_that_were_played_for_count_as_they_are() -> None:
    rules = {"preset": "royal-2023", "play_on": True}
    game = played(record("H,H,H,H/H,H,H,H/H,57,N,N/H,H,H,H", rules), 3, 1, 0)
    assert (game.tiers, game.played_on) == ([[3], [1], [0], [2]], True)


def test_of_partners_both_win() -> None:
    text = record("H,H,H,H/r5,28,16,10/H,H,H,H/57,10,9,0", "pachisi-modern")
    game = played(text, 2, 0)
    assert ([sorted(tier) for tier in game.tiers], game.is_of_sides) == ([[0, 2], [1, 3]], True)


def last_round(ruleset: object, *seats: int) -> str:
    """Return the record of a game in which nobody could move until its last turn."""
    start = {"format": FORMAT, "version": VERSION, "ruleset": ruleset, "seats": sorted(seats)}
    position = "/".join("N,N,N,N" if seat in seats else "-" for seat in range(4))
    last = f"last-turn {'ABCD'[seats[-1]]}"
    actions = ["choose 0", last, *["throw 2 1", "stop"] * len(seats)]
    rows = [{"action": action, "position": position} for action in actions]
    return "".join(f"{json.dumps(line)}\n" for line in (start, *rows))


def test_seats_that_are_equal_after_a_last_round_share_their_place() -> None:
    assert played(last_round("findler", 0, 2), 0, 2).tiers == [[0, 2]]


def test_equal_sides_are_four_winners() -> None:
    rules = {"preset": "findler", "partners": True}
    game = played(last_round(rules, 0, 3, 2, 1), 0, 1, 2, 3)
    assert (game.tiers, game.is_of_sides) == ([[0, 1, 2, 3]], False)


def test_a_game_played_on_after_its_win_counts_all_its_places() -> None:
    game = played(record("H,H,H,H/12,N,N,N/H,H,H,H/-"), 2, 0, 1)
    assert (game.tiers, game.played_on) == ([[2], [0], [1]], True)


def test_a_game_without_a_winner_counts_for_nothing() -> None:
    text = record("H,H,H,16/r5,28,16,10/H,57,N,N/57,10,9,0")
    assert played_game("id", "kitchen", text, (), 99.0) is None


def test_a_game_has_ended_when_its_record_says_so_else_when_it_came() -> None:
    position = "H,H,H,H/-/H,57,N,N/-"
    assert played(record(position, at="2026-11-27T20:00:01Z"), 0).ended == 1795809601.0
    assert played(record(position), 0).ended == 99.0
    assert played(record(position, at="soon"), 0).ended == 99.0
