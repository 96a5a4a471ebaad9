"""The state of the table as anybody is told it."""

from pi_app.public.state import places, say_all
from pi_app.texts.language import ENGLISH
from rules.board import HOME, NEST, ROW


def test_each_pawns_place_is_told_in_words() -> None:
    position = ((NEST, 3, ROW + 2, HOME), (), (0, 1, 17, 20), ())
    assert say_all(places("standard", position), ENGLISH) == [
        ["A", "nest", "3 past A", "home row 2", "home"],
        ["C", "C's entry", "1 past C", "D's entry", "3 past D"],
    ]
