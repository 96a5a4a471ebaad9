"""The landmarks near which players correct a pawn, on every board."""

import pytest

from pi_app.table.modes.care.correcting import landmarks
from rules.board import HOME, NEST, ROW
from rules.game import at
from rules.position import starting_position
from rules.ruleset import PRESETS


@pytest.mark.parametrize(
    ("name", "safe_spaces", "home"),
    [
        ("royal-2023", (0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63), (HOME,)),
        ("ludo-uk", (0, 8, 13, 21, 26, 34, 39, 47), (HOME,)),
        ("ludo-de", (0, 10, 20, 30), ()),
    ],
)
def test_landmarks_are_the_printed_safe_spaces_and_home_if_the_board_has_one(
    name: str, safe_spaces: tuple[int, ...], home: tuple[int, ...]
) -> None:
    game = at(PRESETS[name], starting_position((0, 2)), 0)
    assert landmarks(game, 0) == (NEST, *safe_spaces, ROW + 1, *home)
