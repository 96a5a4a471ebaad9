"""The rule of thumb: captures, comes home, enters, is safe, and advances, in this order."""

import random

import pytest

from pi_app.model.tables import has_table
from pi_app.players.choosing import LEVELS, choose
from pi_app.players.thumb import thumb_value
from rules import Move, Phase, Throw, at, parse_position, parse_ruleset, play

# House rules for which no table was trained.
HOUSES = {
    name: parse_ruleset({"preset": name, "entry_also": 1})
    for name in ("parchis", "ludo-uk", "ludo-india", "ludo-de")
} | {
    f"{preset} {option}": parse_ruleset({"preset": preset, option: value})
    for preset, option, value in (
        ("ludo-uk", "dice", 2),
        ("ludo-de", "dice", 2),
        ("ludo-uk", "to_win", 1),
        ("ludo-uk", "overshoot", "back"),
        ("ludo-de", "overshoot", "over"),
        ("parchis", "pairs_on", "safety"),
        ("ludo-dk", "overshoot", "stop"),
        ("ludo-ch", "overshoot", "stop"),
        ("petits-chevaux", "to_win", 2),
    )
}


@pytest.mark.parametrize(
    ("preset", "position", "face", "step"),
    [
        ("ludo-uk", "r3,7,N,N/49,N,N,N/-/-", 3, "7-10(3)x"),  # captures, not home
        ("ludo-uk", "r3,10,N,N/30,N,N,N/-/-", 3, "r3-H(3)"),  # home, not on
        ("ludo-uk", "10,N,N,N/13,N,N,N/-/-", 6, "N-0(6)"),  # enters, not on
        ("ludo-india", "18,5,N,N/1,N,N,N/-/-", 3, "18-21(3)"),  # onto a safe space
        ("ludo-de", "20,2,N,N/5,N,N,N/-/-", 2, "20-22(2)"),  # away from a hunter
        ("ludo-dk overshoot", "9,2,N,N/-/43,N,N,N/-", 2, "9-17(2)x"),  # by a star; C's is on 17
        ("ludo-dk overshoot", "20,6,N,N/-/36,34,34,N/-", 2, "20-22(2)"),  # the other way is 6-N
        ("ludo-ch overshoot", "20,10,N,N/-/57,47,47,N/-", 4, "10-14(4)x"),  # passes two, not one
        ("ludo-ch overshoot", "36,30,N,N/-/1,N,N,N/-", 2, "36-38(2)"),  # fewer faces pass it there
        ("petits-chevaux to_win", "r2,20,N,N/-/N,N,N,N/-", 3, "r2-r3(3)"),  # six throws of a way
        ("petits-chevaux to_win", "r2,20,N,N/-/51,N,N,N/-", 3, "20-23(3)x"),
    ],
)
def test_the_first_of_its_aims_that_a_throw_allows_decides(
    preset: str, position: str, face: int, step: str
) -> None:
    rules = HOUSES[preset]
    game, _ = play(at(rules, parse_position(position, rules), 0), Throw((face,)))
    first = choose(game, None)[0]
    assert isinstance(first, Move)
    assert str(first.step) == step


@pytest.mark.parametrize(
    ("to_win", "position", "face", "step"),
    [
        (1, "20,5,N,N/-/N,N,N,N/-", 3, "20-23(3)"),  # one pawn runs
        (1, "30,N,N,N/-/N,N,N,N/-", 6, "30-36(6)"),  # and no other comes out meanwhile
        (1, "N,N,N,N/-/N,N,N,N/-", 6, "N-0(6)"),
        (1, "r3,20,N,N/-/49,N,N,N/-", 3, "r3-H(3)"),  # wins, not captures
        (2, "H,31,5,N/-/N,N,N,N/-", 3, "31-34(3)"),
        (4, "H,H,H,r3/-/49,N,N,N/-", 3, "r3-H(3)"),
    ],
)
def test_only_so_many_pawns_run_as_must_come_home(
    to_win: int, position: str, face: int, step: str
) -> None:
    rules = parse_ruleset({"preset": "ludo-uk", "to_win": to_win, "entry_also": 1})
    game, _ = play(at(rules, parse_position(position, rules), 0), Throw((face,)))
    assert str(choose(game, None)[0]) == f"move {step}"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("position", "face", "step"),
    [
        ("r4,20,N,N/-/30,N,N,N/-", 4, "20-24(4)"),  # the other way is r4-r4
        ("r4,20,N,N/-/48,N,N,N/-", 5, "20-25(5)"),  # even before a hunter, not r4-r3
        ("r4,N,N,N/-/N,N,N,N/-", 5, "r4-r3(5)"),  # where there is nothing else
    ],
)
def test_no_level_goes_there_and_back_if_a_pawn_can_go_on(
    level: str, position: str, face: int, step: str
) -> None:
    rules = parse_ruleset({"preset": "ludo-uk", "overshoot": "back"})
    game, _ = play(at(rules, parse_position(position, rules), 0), Throw((face,)))
    assert str(choose(game, None, level)[0]) == f"move {step}"


def value_of_side(position: str, **options: object) -> float:
    """Return the value of a position of the Spanish board to the side of A and C."""
    rules = parse_ruleset({"preset": "parchis", "partners": True, **options})
    return thumb_value(rules, parse_position(position, rules), 0)


def test_a_side_counts_the_pawns_of_both_its_seats() -> None:
    base = "30,N,N,N/N,N,N,N/20,N,N,N/N,N,N,N"
    assert value_of_side(base.replace("20,", "25,")) == value_of_side(base) + 5
    assert value_of_side(base.replace("30,", "35,")) == value_of_side(base) + 5
    assert value_of_side("30,N,N,N/20,N,N,N/N,N,N,N/N,N,N,N") < value_of_side(base)


def test_a_side_wins_with_its_second_seat() -> None:
    nobody, one, both = (
        value_of_side(f"H,H,H,{a}/N,N,N,N/H,H,H,{c}/N,N,N,N")
        for a, c in (("r7", "r7"), ("H", "r7"), ("H", "H"))
    )
    assert one - nobody < 20 < 900 < both - one


def test_a_partner_s_pawn_is_no_danger_and_one_beside_makes_a_pair() -> None:
    """C's 6 is A's 40, and so is D's 57."""
    behind, ahead = (value_of_side(f"43,N,N,N/N,N,N,N/{c},N,N,N/N,N,N,N") for c in (6, 10))
    assert ahead - behind == 4
    together, apart = (value_of_side(f"{a},N,N,N/N,N,N,N/6,N,N,N/55,N,N,N") for a in (40, 42))
    assert together > apart + 10


@pytest.mark.parametrize("preset", HOUSES)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_on_in_every_game_without_a_table(preset: str, level: str) -> None:
    rules, rng = HOUSES[preset], random.Random(f"{preset} {level}")
    assert not has_table(rules)
    seats = "N,N,N,N/N,N,N,N/-/-"
    game = at(rules, parse_position(seats, rules), 0)
    for _ in range(60):
        if game.phase is Phase.OVER:
            break
        game, _ = play(game, Throw(tuple(rng.randint(1, 6) for _ in range(rules.dice))))
        for action in choose(game, None, level, rng.random()):
            game, _ = play(game, action)
    assert game.position[0] != parse_position(seats, rules)[0]
