"""The line of one seat's chances: a column a dot, half dotted, what is not known left dark."""

from pi_app.display.curves import HALF_STEP, HEIGHT, WIDTH, draw_curve, seats_with_chances
from pi_app.display.lettering import WORDS, draw_text
from pi_app.display.pictures import glyph
from pi_app.display.view import SEAT_S, frame
from pi_app.model.screens import STILL, Curve
from pi_app.table.core.speech import screen_words
from tests.pi_app.keyed import keyed

HALF = (0.5, None, 0.5, None)
WON = (1.0, None, 0.0, None)
MIDDLE = HEIGHT // 2


def rows(chances: list[tuple[float | None, ...]], turns: int, seat: int = 0) -> list[str]:
    """The picture as rows of '#' and '.', without the dots at half."""
    image = draw_curve(chances, turns, seat)
    assert image.size == (WIDTH, HEIGHT)
    for x in range(0, WIDTH, HALF_STEP):
        assert image.getpixel((x, MIDDLE))
        image.putpixel((x, MIDDLE), 0)
    return [
        "".join("#" if image.getpixel((x, y)) else "." for x in range(WIDTH)) for y in range(HEIGHT)
    ]


def test_who_is_sure_to_win_is_on_top_and_who_can_not_at_the_bottom() -> None:
    assert rows([WON], 1)[0] == "#" * WIDTH
    assert rows([WON], 1, seat=2)[-1] == "#" * WIDTH


def test_a_picture_has_the_line_of_one_seat_alone() -> None:
    shown = rows([(1.0, 0.7, 0.3, 0.0)], 1, seat=1)
    assert [n for n, row in enumerate(shown) if "#" in row] == [round((HEIGHT - 1) * 0.3)]


def test_where_it_jumps_the_line_is_joined() -> None:
    shown = rows([HALF, WON], 2)
    column = "".join(row[WIDTH // 2 + 1] for row in shown)  # the first of the second turn
    assert column[: round((HEIGHT - 1) / 2)] == "#" * round((HEIGHT - 1) / 2)


def test_what_is_not_known_yet_is_dark() -> None:
    shown = rows([(0.7, None, 0.3, None)] * 3, 12)
    assert {row[WIDTH // 4 :] for row in shown} == {"." * (WIDTH - WIDTH // 4)}
    assert any("#" in row for row in shown)
    assert not any("#" in row for row in rows([], 12))


def test_who_has_left_or_won_before_has_no_line() -> None:
    assert seats_with_chances([(None, None, 1.0, None)], False) == (2,)
    assert rows([(None,) * 4], 1) == ["." * WIDTH] * HEIGHT


def test_the_seats_take_turns_and_the_bar_on_top_says_whose_line_it_is() -> None:
    curve = Curve("Chances to win", (WON, HALF), 2, keyed("NEXT: go on"))
    turns = [frame(curve, STILL, turn * SEAT_S).image for turn in range(3)]
    assert turns[0].tobytes() == turns[2].tobytes()
    assert turns[0].tobytes() != turns[1].tobytes()
    for turn, seat, letter in zip(turns, (0, 2), "AC", strict=False):
        shape, name = glyph(seat, 3), draw_text(WORDS, letter)
        bar = turn.point(lambda dot: 255 - dot)
        assert bar.crop((106, 2, 115, 11)).tobytes() == shape.tobytes()
        assert (
            bar.crop((118, 1, 118 + name.width, 11)).tobytes()
            == name.crop((0, 0, name.width, 10)).tobytes()
        )


def test_a_side_has_one_line_and_both_its_letters() -> None:
    sides = Curve("Chances to win", ((0.6, 0.4, 0.6, 0.4),), 1, (), partners=True)
    first, second, again = (frame(sides, STILL, turn * SEAT_S).image for turn in range(3))
    assert first.tobytes() == again.tobytes() != second.tobytes()
    name = draw_text(WORDS, "A+C")
    bar = first.point(lambda dot: 255 - dot)
    written = bar.crop((126 - name.width, 1, 126, 11))
    assert written.tobytes() == name.crop((0, 0, name.width, 10)).tobytes()
    assert screen_words(sides) == (
        "Chances to win, A and C's best chance: 60 of 100, after turn 1, "
        "B and D's best chance: 40 of 100, after turn 1"
    )
