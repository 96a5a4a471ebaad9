"""The brute force of the texts against the examples that the texts give, as steps or in words."""

from __future__ import annotations

import pytest

from tests.rules.from_the_texts import Request, answer, is_refused, options_of
from tests.rules.game_from_the_texts import Game

# What is set, the position, the throw, the steps; then the results, and what else is told.
# `..` stands for the other seats, as they are in the position.
EXAMPLES = """
ludo-india to_win=1 | r5,30,0,N/-/N,N,N,N/- | 1 | 0-1(1) 30-31(1) r5-H(1) |
    H,30,0,N/-/.. r5,30,1,N/-/.. r5,31,0,N/-/..
ludo-de to_win=2 | r2,39,7,N/-/N,N,N,N/- | 4 | 39-r4(4) 7-11(4) | r2,39,11,N/-/.. r4,r2,7,N/-/..
ludo-uk to_win=1 play_on=yes | r5,20,N,N/N,N,N,N/N,N,N,N/- | 1 | 20-21(1) r5-H(1) |
    H,N,N,N/.. r5,21,N,N/..
ludo-india dice=2 | N,N,N,N/-/N,N,N,N/- | 6 2 | N-0(6) | 2,N,N,N/-/..
ludo-de dice=2 start_out=0 | r1,39,N,N/-/N,N,N,N/- | 2 2 | 39-r2(2) r1-r3(2) |
    r3,r2,N,N/-/.. r4,r1,N,N/-/.. again
ludo-de dice=2 entry_also=1 | 7,N,N,N/-/N,N,N,N/- | 1 6 | 7-13(6) 7-8(1) N-0(1) N-0(6) |
    13,0,N,N/-/.. 7,1,N,N/-/.. 7,6,N,N/-/.. 8,0,N,N/-/..
ludo-uk third_doublet=undo-turn doublets=2 began=6,N,N,N/-/38,N,N,N/- | 18,N,N,N/-/N,N,N,N/- | 6 | |
    6,N,N,N/-/38,N,N,N/- penalty=undo-turn
parchis third_doublet=undo-turn doublets=1 began=0,N,N,N/-/N,N,N,N/- | 18,N,N,N/-/N,N,N,N/- | 6 |
    18-24(6) | 24,N,N,N/-/.. again
parchis partners=yes | 40,36,N,N/20,N,N,N/6,N,N,N/N,N,N,N | 4 | 40-44(4)
parchis partners=yes seat=1 | 40,36,N,N/20,N,N,N/6,N,N,N/N,N,N,N | 4 |
parchis partners=yes | 30,27,N,N/N,N,N,N/63,N,N,N/N,N,N,N | 3 | 27-30(3) 30-33(3)
ludo-de partners=yes | 30,N,N,N/N,N,N,N/13,N,N,N/N,N,N,N | 3 |
ludo-india must_capture=yes | 20,9,N,N/-/37,N,N,N/- | 2 | 9-11(2)x
ludo-india must_capture=yes | 20,9,N,N/-/36,N,N,N/- | 2 | 20-22(2) 9-11(2)
parchis must_capture=yes | 20,9,N,N/-/48,N,N,N/- | 5 | N-0(5)
parchis pairs_on=safety | 5,N,N,N/-/44,44,N,N/- | 6 | 5-11(6)
parchis pairs_on=own-entry | 5,N,N,N/-/41,41,N,N/- | 4 | 5-9(4)
parchis pairs_on=own-entry | 30,N,N,N/-/0,0,N,N/- | 6 |
ludo-uk overshoot=back | r4,N,N,N/-/N,N,N,N/- | 4 | r4-r4(4) | r4,N,N,N/-/..
ludo-uk overshoot=back | r4,N,N,N/-/N,N,N,N/- | 5 | r4-r3(5)
parchis overshoot=over | r4,20,N,N/-/N,N,N,N/- | 6 | 20-26(6) r4-H(6) |
    H,30,N,N/-/.. r4,26,N,N/-/.. again
ludo-de overshoot=over | r4,r3,37,N/-/N,N,N,N/- | 5 | 37-r2(5)
parchis doublet_spaces=twelve-when-entered | H,r2,61,8/-/N,N,N,N/- | 6 | 8-20(12)
parchis doublet_spaces=twelve-when-entered | H,61,8,N/-/N,N,N,N/- | 6 | 61-r4(6) 8-14(6)
royal-2023 entry_pairs=give-way | H,H,N,N/-/34,34,N,N/- | 5 4 | N-0(5)x | H,H,44,N/-/N,N,N,N/-
parchis-two entry_pairs=give-way | N,N,N,N/-/34,34,N,N/- | 4 1 | N-0(4+1)x |
    20,N,N,N/-/34,N,N,N/-
"""
# Ladders, stars, benches and pawns that nobody passes: each example of a step and of a turn.
RELATIVES = """
petits-chevaux | 50,N,N,N/-/N,N,N,N/- | 6 | 50-54(6) N-0(6) | 54,N,N,N/-/.. 50,0,N,N/-/.. again
petits-chevaux | 54,N,N,N/-/N,N,N,N/- | 2 | 54-54(2) | 54,N,N,N/-/..
petits-chevaux | 52,N,N,N/-/26,N,N,N/- | 4 | 52-53(4) | 53,N,N,N/-/..
petits-chevaux | 54,52,N,N/-/N,N,N,N/- | 4 | 52-53(4) 54-53(4) | 54,53,N,N/-/.. 53,52,N,N/-/..
petits-chevaux | 52,N,N,N/-/26,N,N,N/- | 2 | 52-54(2)x | 54,N,N,N/-/N,N,N,N/-
petits-chevaux | 52,N,N,N/-/25,N,N,N/- | 5 |
petits-chevaux | 53,N,N,N/-/24,N,N,N/- | 5 | 53-52(5)x | 52,N,N,N/-/N,N,N,N/-
petits-chevaux | 20,17,N,N/-/N,N,N,N/- | 5 | 17-19(5) 20-25(5)
petits-chevaux | 20,17,N,N/-/N,N,N,N/- | 3 | 17-19(3) 20-23(3)
petits-chevaux | 20,19,N,N/-/N,N,N,N/- | 3 | 20-23(3)
petits-chevaux | 10,0,N,N/-/N,N,N,N/- | 6 | 0-6(6) 10-16(6)
petits-chevaux | N,N,N,N/-/28,N,N,N/- | 6 | N-0(6)x
petits-chevaux | 54,N,N,N/-/27,N,N,N/- | 2 |
petits-chevaux | 55,N,N,N/-/N,N,N,N/- | 1 | 55-r1(1)
petits-chevaux | 55,N,N,N/-/N,N,N,N/- | 3 |
petits-chevaux | r1,55,N,N/-/N,N,N,N/- | 1 |
petits-chevaux | r5,N,N,N/-/N,N,N,N/- | 6 | N-0(6) r5-r6(6)
petits-chevaux | r6,55,N,N/-/N,N,N,N/- | 6 | N-0(6) r6-H(6)
petits-chevaux passing=free stop_behind_blockade=no | 20,17,N,N/-/N,N,N,N/- | 5 | 17-22(5) 20-25(5)
petits-chevaux overshoot=stop | 53,N,N,N/-/N,N,N,N/- | 3 |
petits-chevaux to_win=2 play_on=yes | r6,20,N,N/-/N,N,N,N/- | 6 | 20-26(6) N-0(6) r6-H(6)
ludo-dk | 2,N,N,N/-/N,N,N,N/- | 2 | 2-11(2)
ludo-dk | 2,N,N,N/-/N,N,N,N/- | 4 | 2-6(4)
ludo-dk | 44,N,N,N/-/24,N,N,N/- | 6 | 44-H(6)x N-0(6) | H,N,N,N/-/N,N,N,N/- 44,0,N,N/-/.. again
ludo-dk | 2,N,N,N/-/37,30,N,N/- | 2 | 2-11(2)x | 11,N,N,N/-/N,N,N,N/-
ludo-dk | 10,N,N,N/-/39,N,N,N/- | 3 | 10-N(3) | N,N,N,N/-/..
ludo-dk | 10,N,N,N/-/41,41,N,N/- | 5 | 10-N(5)
ludo-dk | 10,N,N,N/-/41,41,N,N/- | 6 | 10-16(6) N-0(6)
ludo-dk | 2,N,N,N/-/37,37,30,N/- | 2 | 2-N(2)x | N,N,N,N/-/37,37,N,N/-
ludo-dk | 2,N,N,N/-/30,30,N,N/- | 2 | 2-N(2)
ludo-dk | N,N,N,N/-/26,N,N,N/- | 6 | N-0(6)x
ludo-dk | N,N,N,N/-/26,26,N,N/- | 6 | | N,N,N,N/-/.. again
ludo-dk | N,N,N,N/-/N,N,N,N/- | 4 | | N,N,N,N/-/.. again
ludo-dk | r4,N,N,N/-/N,N,N,N/- | 4 | r4-r4(4) | r4,N,N,N/-/..
ludo-dk | r2,N,N,N/-/N,N,N,N/- | 6 | N-0(6) r2-r4(6)
ludo-ch | 40,N,N,N/-/11,N,N,N/- | 6 | 40-52(12)x | 52,N,N,N/-/N,N,N,N/- again
ludo-ch | 40,N,N,N/-/10,9,9,7/62,N,N,N | 6 | 40-52(12)x |
    52,N,N,N/-/7,N,N,N/N,N,N,N again
ludo-ch | 40,N,N,N/-/9,N,N,N/- | 3 | 40-43(3)
ludo-ch | 40,N,N,N/-/12,12,N,N/- | 5 | 40-45(5) N-0(5)
ludo-ch | 40,N,N,N/-/12,12,N,N/- | 6 |
ludo-ch | 40,N,N,N/-/12,N,N,N/N,N,N,N | 6 | 40-52(12)
ludo-ch | 34,N,N,N/-/12,12,N,N/- | 6 | 34-46(12)
ludo-ch | 46,N,N,N/-/12,12,N,N/- | 6 | 46-58(12)
ludo-ch | 46,46,N,N/-/N,N,N,N/- | 6 | 46-58(12)
ludo-ch | N,N,N,N/-/34,34,34,34/- | 5 | N-0(5) | 0,N,N,N/-/..
ludo-ch | r6,N,N,N/-/N,N,N,N/- | 6 | r6-61(12)
ludo-ch | r6,N,N,N/-/28,N,N,N/- | 6 | r6-61(12)x
ludo-ch | r6,N,N,N/-/29,29,N,N/- | 6 |
ludo-ch | r6,N,N,N/-/29,29,N,N/- | 5 | N-0(5) r6-r5(5)
ludo-ch doublets=2 | r3,46,40,0/-/N,N,N,N/- | 6 | | r3,46,0,N/-/.. penalty=all-open
ludo-ch doublets=2 | r3,46,N,N/-/N,N,N,N/- | 6 | | r3,46,N,N/-/.. penalty=all-open
pop-28 | 12,N,N,N/-/N,N,N,N/- | 6 | 12-18(6) N-0(6)
"""
ROWS = [
    [part.strip() for part in line.split("|")]
    for line in (EXAMPLES + RELATIVES.lstrip()).strip().replace("\n    ", " ").split("\n")
]


def request_of(told: str, position: str, throw: str) -> Request:
    name, *pairs = told.split()
    known = {
        key: int(word) if word.isdigit() else word for key, word in (p.split("=") for p in pairs)
    }
    asked: Request = {key: known.pop(key) for key in ("doublets", "began", "seat") if key in known}
    options = {key: word == "yes" if word in ("yes", "no") else word for key, word in known.items()}
    dice = [int(die) for die in throw.split()]
    ruleset = {"preset": name, **options}
    return {"ruleset": ruleset, "position": position, "seat": 0, "throw": dice, **asked}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[2]}")
def test_an_example_of_the_text_is_answered_as_told(row: list[str]) -> None:
    told, position, throw, steps, *rest = row
    found = answer(request_of(told, position, throw))
    assert not is_refused(options_of(request_of(told, position, throw)["ruleset"]))
    assert sorted(found["steps"]) == sorted(steps.split())
    if rest:
        results = [word for word in rest[0].split() if "/" in word]
        others = position.split("/")
        whole = [
            "/".join(
                [
                    *(parts := result.removesuffix("..").rstrip("/").split("/")),
                    *others[len(parts) :],
                ]
            )
            for result in results
        ]
        assert found["results"] == sorted(whole)
        assert found["again"] == ("again" in rest[0].split())
        assert f"penalty={found['penalty']}" in rest[0] or found["penalty"] is None


# Whole turns -----------------------------------------------------------------------------------


def after(game: Game, *actions: str) -> Game:
    """Play throws and steps; a throw that allows no step ends by itself."""
    for action in actions:
        if "-" in action:
            game.step(action)
        else:
            game.throw([int(die) for die in action.split()])
            if game.offered() == ([], True):
                game.stop()
    return game


def test_undo_turn_puts_a_captured_pawn_back_on_the_track() -> None:
    ruleset = {"preset": "ludo-india", "third_doublet": "undo-turn"}
    game = after(Game(ruleset, "N,N,N,N/-/32,N,N,N/-", 0), "6", "N-0(6)", "6", "0-6(6)x")
    assert game.position == "6,N,N,N/-/N,N,N,N/-"
    after(game, "6")
    assert (game.position, game.seat) == ("N,N,N,N/-/32,N,N,N/-", 2)


def test_the_others_play_on_for_the_places() -> None:
    game = Game("ludo-uk", "H,H,H,r5/H,H,H,r5/H,H,H,r4/N,N,N,N", 0)
    after(game, "1", "r5-H(1)")
    assert (game.over, game.places) == (True, [0])
    game.play_on()
    assert (game.over, game.seat) == (False, 1)
    after(game, "1", "r5-H(1)", "2", "r4-H(2)")
    assert (game.over, game.places) == (True, [0, 1, 2, 3])


def test_two_seats_do_not_play_on() -> None:
    game = after(Game("ludo-uk", "H,H,H,r5/-/N,N,N,N/-", 0), "1", "r5-H(1)")
    assert game.over
    assert not game.may_play_on()


def test_a_winner_of_fewer_pawns_leaves_the_track_when_the_others_play_on() -> None:
    ruleset = {"preset": "ludo-uk", "to_win": 1}
    game = after(Game(ruleset, "r5,20,N,N/N,N,N,N/N,N,N,N/-", 0), "1", "r5-H(1)")
    assert game.position == "H,20,N,N/N,N,N,N/N,N,N,N/-"
    game.play_on()
    assert game.position == "H,N,N,N/N,N,N,N/N,N,N,N/-"


def test_the_last_turn_has_all_its_throws() -> None:
    game = Game("ludo-uk", "10,N,N,N/-/20,N,N,N/-", 0)
    game.end_after(2)
    after(game, "4", "10-14(4)", "6", "20-26(6)")
    assert not game.over
    after(game, "4", "26-30(4)")
    assert (game.over, game.places) == (True, [2, 0])


@pytest.mark.parametrize(
    ("a", "c", "places", "ties"),
    [
        ("20,N,N,N", "30,N,N,N", [2, 0], []),
        ("H,N,N,N", "30,30,30,30", [0, 2], []),
        ("23,N,N,N", "23,N,N,N", [0, 2], [[0, 2]]),
        ("30,10,N,N", "20,20,N,N", [0, 2], []),
    ],
)
def test_places_are_counted_after_the_last_turn(
    a: str, c: str, places: list[int], ties: list[list[int]]
) -> None:
    game = Game("ludo-uk", f"{a}/-/{c}/-", 0)
    game.end_after(2)
    game.seat, game.places = 2, []
    game.pass_on()
    assert (game.over, game.places, game.ties) == (True, places, ties)


@pytest.mark.parametrize(
    ("position", "places", "ties"),
    [
        ("20,N,N,N/N,N,N,N/N,N,N,N/30,N,N,N", [3, 1, 0, 2], []),
        ("20,N,N,N/N,N,N,N/N,N,N,N/20,N,N,N", [0, 2, 3, 1], [[0, 1, 2, 3]]),
        ("H,H,H,H/N,N,N,N/N,N,N,N/H,H,H,r5", [0, 2, 3, 1], []),
    ],
)
def test_sides_are_compared_after_the_last_turn(
    position: str, places: list[int], ties: list[list[int]]
) -> None:
    game = Game({"preset": "ludo-uk", "partners": True}, position, 3)
    game.end_after(3)
    game.pass_on()
    assert (game.over, game.places, game.ties) == (True, places, ties)
