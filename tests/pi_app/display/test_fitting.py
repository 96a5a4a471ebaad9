"""Words beside the map: in large lines where they fit, else small at the head of the note."""

from dataclasses import replace

import pytest

from pi_app.display.fitting import fit_words
from pi_app.model.screens import BoardScreen, Increment
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from tests.pi_app.display.test_view import A_MOVES

ROOM = 66


def table(*words: str, note: str = "", lead: str = "") -> BoardScreen[str]:
    screen = replace(A_MOVES, words=words, note=note, lead=lead, increments=())
    shown = word_screen(screen, ENGLISH)
    assert isinstance(shown, BoardScreen)
    return shown


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("C's entry", ("C's entry",)),
        ("safer by 10 of 36 throws", ("safer by", "10 of 36", "throws")),
        ("another choice uses more", ("another", "choice", "uses more")),
        ("blocked by C", ("blocked", "by C")),
        ("home\nto nest", ("home", "to nest")),
    ],
)
def test_one_text_is_in_as_many_large_lines_as_it_takes(text: str, lines: tuple[str, ...]) -> None:
    assert fit_words(table(text), ROOM) == table(*lines)


def test_what_takes_more_lines_is_small_above_the_note() -> None:
    many = "12 more throws could bring one home"
    assert fit_words(table(many), ROOM) == table(note=many)
    assert fit_words(table(many, note="on 13 past A"), ROOM) == table(note=f"{many}\non 13 past A")


def test_a_word_that_is_too_wide_is_small() -> None:
    assert fit_words(table("Zugverpflichtung"), ROOM) == table(note="Zugverpflichtung")


def test_beside_increments_and_a_lead_there_are_two_lines() -> None:
    full = replace(table("blocked by C", lead="5:"), increments=(Increment("5", "open"),))
    assert fit_words(full, ROOM).words == ("blocked", "by C")
    assert fit_words(replace(full, words=("another choice uses more",)), ROOM).words == ()


def test_lines_that_were_parted_already_stay_as_they_are() -> None:
    parted = table("you can:", "a very long place indeed")
    assert fit_words(parted, ROOM) == parted
