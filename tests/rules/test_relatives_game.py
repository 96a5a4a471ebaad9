"""Turns worked out by hand, which hold the relatives' slow game itself to the rules."""

import random
from typing import Any

import pytest

from tests.rules import relatives_draw
from tests.rules.relatives_brute_force import RELATIVES, is_valid, options_of
from tests.rules.relatives_game import SlowGame, first_seat, in_order, line, opening


def played(preset: str, position: str, actions: str, seat: int = 0) -> dict[str, Any]:
    """The line of a game after actions such as `5 N-0(5)`: throws, steps and `stop`."""
    game = SlowGame(preset, position, seat)
    for action in actions.split():
        if action == "stop":
            assert game.may_stop()
            game.stop()
        elif "(" in action:
            assert action in game.steps()
            game.step(action)
        else:
            game.throw([int(face) for face in action.split(",")])
    return line(game)


# preset, position, what seat 0 and those after it do, and the keys of the line that count
TURNS: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "a six throws again": (
        "ludo-uk",
        "N,N,N,N/-/N,N,N,N/-",
        "6 N-0(6)",
        {"seat": 0, "doublets": 1, "position": "0,N,N,N/-/N,N,N,N/-"},
    ),
    "another number ends the turn": (
        "ludo-uk",
        "N,N,N,N/-/N,N,N,N/-",
        "6 N-0(6) 3 0-3(3)",
        {"seat": 2, "doublets": 0},
    ),
    "three tries end the turn": (
        "ludo-de",
        "N,N,N,N/-/N,N,N,N/-",
        "3 stop 4 stop 5 stop",
        {"seat": 2, "tries": 0},
    ),
    "two do not": (
        "ludo-de",
        "N,N,N,N/-/N,N,N,N/-",
        "3 stop 4 stop",
        {"seat": 0, "tries": 2, "doublets": 0},
    ),
    "a step begins the count of tries anew": (
        "ludo-de",
        "r1,N,N,N/-/9,N,N,N/-",
        "4 stop 6 N-0(6) 1 0-1(1) 4 9-13(4) 4 1-5(4)",
        {"seat": 2, "tries": 0},
    ),
    "the third six costs the pawn that moved last": (
        "parchis",
        "30,12,N,N/-/N,N,N,N/-",
        "6 30-36(6) 6 12-18(6) 6 stop",
        {"seat": 2, "doublets": 0, "position": "36,N,N,N/-/N,N,N,N/-", "last": None},
    ),
    "a bonus step is a last move": (
        "parchis",
        "30,12,N,N/-/52,N,N,N/-",
        "6 12-18(6)x 30-50(20) 6 18-24(6) 6 stop",
        {"position": "50,N,N,N/-/N,N,N,N/-"},
    ),
    "the last move is the turn's: the turn before does not count": (
        "parchis",
        "30,12,N,N/-/N,N,N,N/-",
        "3 30-33(3) 2 stop 6 12-18(6)",
        {"seat": 0, "last": "18", "doublets": 1},
    ),
    "a capture throws again and breaks the row of sixes": (
        "ludo-india",
        "20,3,N,N/-/31,N,N,N/-",
        "6 20-26(6) 2 3-5(2)x",
        {"seat": 0, "doublets": 0},
    ),
    "who came last to a shared start is known": (
        "parchis",
        "10,N,N,N/49,N,N,N/34,N,N,N/-",
        "4 10-14(4) 2 49-51(2)",
        {"seat": 2, "late": [[0, 1]]},
    ),
    "and forgotten when one leaves": (
        "parchis",
        "10,N,N,N/49,N,N,N/34,N,N,N/-",
        "4 10-14(4) 2 49-51(2) 3 34-37(3)",
        {"seat": 0, "late": []},
    ),
    "one who has finished is passed over": (
        "pachisi-modern",
        "H,H,H,r1/H,H,H,H/N,N,N,N/N,N,N,N",
        "2 r1-r3(2)",
        {"seat": 2, "over": False},
    ),
    "one who finishes throws no more": (
        "pachisi-modern",
        "H,H,H,r7/N,N,N,N/N,N,N,N/N,N,N,N",
        "6 r7-H(1)",
        {"seat": 1, "over": False, "places": [0]},
    ),
    "the first to finish wins where there are no partners": (
        "pachisi-mitra",
        "H,H,H,r7/-/N,N,N,N/-",
        "1 r7-H(10)",
        {"over": True, "places": [0]},
    ),
    "a full goal wins": (
        "ludo-de",
        "r4,r3,r2,39/-/N,N,N,N/-",
        "1 39-r1(1)",
        {"over": True, "places": [0]},
    ),
}


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_goes_on_as_worked_out_by_hand(name: str) -> None:
    preset, position, actions, expected = TURNS[name]
    found = played(preset, position, actions)
    assert {key: found[key] for key in expected} == expected


def test_a_side_has_won_when_both_its_seats_have_finished() -> None:
    game = SlowGame("pachisi-modern", "H,H,H,H/N,N,N,N/H,H,H,r7/N,N,N,N", 2)
    game.places = [0]
    game.throw([6])
    game.step("r7-H(1)")
    assert (game.over, game.places) == (True, [0, 2])


@pytest.mark.parametrize(
    ("preset", "order"),
    [
        ("parchis", [0, 1, 2, 3]),  # right of a counterclockwise board: with the pawns
        ("ludo-uk", [0, 1, 2, 3]),  # left of a clockwise board: with the pawns
        ("pachisi-mitra", [0, 1, 2, 3]),
        ("royal-2023", [0, 3, 2, 1]),  # left of a counterclockwise board: against them
    ],
)
def test_turns_pass_to_the_left_or_right_of_the_board(preset: str, order: list[int]) -> None:
    assert in_order(options_of(preset), 0, [0, 1, 2, 3]) == order


@pytest.mark.parametrize(
    ("preset", "throws", "first"),
    [
        ("parchis", [[3], [6], [4], [1]], 1),
        ("parchis", [[3], [6], [6], [1]], None),
        ("parchis", [[3], [6], [6], [1], [2], [5]], 2),
        ("pachisi-mitra", [[6], [5], [0], [1]], 1),  # the values are 12, 25, 6 and 10
    ],
)
def test_the_greatest_throw_begins(preset: str, throws: list[list[int]], first: int | None) -> None:
    assert first_seat(options_of(preset), [0, 1, 2, 3], throws) == first


def test_one_pawn_of_each_seat_begins_on_the_start_of_forty_spaces() -> None:
    assert opening(options_of("ludo-de"), [0, 2]) == "0,N,N,N/-/0,N,N,N/-"


@pytest.mark.parametrize("preset", RELATIVES)
def test_a_random_game_keeps_to_valid_positions_and_ends(preset: str) -> None:
    rng, options = random.Random(f"whole {preset}"), options_of(preset)
    game = SlowGame(preset, opening(options, [0, 1, 2, 3]), 0)
    while not game.over:
        game.throw(relatives_draw.throw_by_chance(rng, options))
        thrown = game.thrown
        while game.thrown is thrown:
            steps = game.steps()
            if steps and not (game.may_stop() and rng.random() < 0.05):
                game.step(rng.choice(steps))
            else:
                game.stop()
        assert is_valid(options, game.position)
    assert game.places
