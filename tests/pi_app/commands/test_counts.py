"""How many of something there are, as the commands print it."""

import pytest

from pi_app.commands import format_count


@pytest.mark.parametrize(("count", "words"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice")])
def test_one_die_is_no_dice(count: int, words: str) -> None:
    assert format_count(count, "die", "dice") == words


@pytest.mark.parametrize(("count", "words"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_one_of_them_has_no_s(count: int, words: str) -> None:
    assert format_count(count, "row") == words
