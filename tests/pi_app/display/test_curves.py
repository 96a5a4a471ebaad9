"""The lines of the chances: a column a dot, each seat's told apart, what is not known left dark."""

from __future__ import annotations

from pi_app.display.curves import HEIGHT, WIDTH, drawn
from pi_app.display.lettering import NOTES, line

HALF = (0.5, None, 0.5, None)
WON = (1.0, None, 0.0, None)


def rows(chances: list[tuple[float | None, ...]], turns: int) -> list[str]:
    """The picture as rows of '#' and '.'."""
    image = drawn(chances, turns)
    assert image.size == (WIDTH, HEIGHT)
    return [
        "".join("#" if image.getpixel((x, y)) else "." for x in range(WIDTH)) for y in range(HEIGHT)
    ]


def test_who_is_sure_to_win_is_on_top_and_who_can_not_at_the_bottom() -> None:
    shown = rows([WON], 1)
    assert shown[0] == "#" * WIDTH
    assert shown[-1].startswith("#...#...")


def test_each_seats_line_has_its_own_dashes() -> None:
    shown = rows([(1.0, 0.7, 0.3, 0.0)], 1)
    lines = [shown[round((HEIGHT - 1) * (1 - one))][:14] for one in (1.0, 0.7, 0.3, 0.0)]
    assert lines == ["##############", "#####..#####..", "#...#...#...#.", "####..#..####."]


def test_where_it_jumps_the_line_is_joined_whatever_its_dashes() -> None:
    shown = rows([HALF, WON], 2)
    column = "".join(row[WIDTH // 2 + 1] for row in shown)  # the first of the second turn
    assert column.count("#") == HEIGHT - 1  # all but the row in which it stood before


def test_what_is_not_known_yet_is_dark() -> None:
    shown = rows([HALF] * 3, 12)
    assert {row[WIDTH // 4 :] for row in shown} == {"." * (WIDTH - WIDTH // 4)}
    assert any("#" in row for row in shown)
    assert not any("#" in row for row in rows([], 12))


def test_each_line_has_its_letter_beside_it_on_no_line() -> None:
    stand = (1.0, 0.7, 0.3, 0.0)
    shown = rows([stand], 1)
    lines = {round((HEIGHT - 1) * (1 - one)) for one in stand}
    beside = "".join(row for n, row in enumerate(shown) if n not in lines)
    assert beside.count("#") == sum(line(NOTES, one).histogram()[-1] for one in "ABCD")


def test_who_has_left_or_won_before_has_no_line() -> None:
    assert rows([(None, None, 1.0, None)], 1)[0].startswith("#...#...")
    assert rows([(None,) * 4], 1) == ["." * WIDTH] * HEIGHT
