"""The rule of thumb: captures, comes home, enters, is safe, and advances, in this order."""

import random

import pytest

from pi_app.model.tables import has_table
from pi_app.players.choosing import LEVELS, choose
from rules import Move, Throw, at, parse_position, parse_ruleset, play

# House rules for which no table was trained: a pawn enters by a one, too.
HOUSES = {
    name: parse_ruleset({"preset": name, "entry_also": 1})
    for name in ("parchis", "ludo-uk", "ludo-india", "ludo-de")
}


@pytest.mark.parametrize(
    ("preset", "position", "face", "step"),
    [
        ("ludo-uk", "r3,7,N,N/49,N,N,N/-/-", 3, "7-10(3)x"),  # captures, not home
        ("ludo-uk", "r3,10,N,N/30,N,N,N/-/-", 3, "r3-H(3)"),  # home, not on
        ("ludo-uk", "10,N,N,N/13,N,N,N/-/-", 6, "N-0(6)"),  # enters, not on
        ("ludo-india", "18,5,N,N/1,N,N,N/-/-", 3, "18-21(3)"),  # onto a safe space
        ("ludo-de", "20,2,N,N/5,N,N,N/-/-", 2, "20-22(2)"),  # away from a hunter
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


@pytest.mark.parametrize("preset", HOUSES)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_on_in_every_game_without_a_table(preset: str, level: str) -> None:
    rules, rng = HOUSES[preset], random.Random(f"{preset} {level}")
    assert not has_table(rules)
    seats = "N,N,N,N/N,N,N,N/-/-"
    game = at(rules, parse_position(seats, rules), 0)
    for _ in range(60):
        game, _ = play(game, Throw(tuple(rng.randint(1, 6) for _ in range(rules.dice))))
        for action in choose(game, None, level, rng.random()):
            game, _ = play(game, action)
    assert game.position[0] != parse_position(seats, rules)[0]
