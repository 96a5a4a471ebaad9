"""Every kind of screen is a picture in tests/screens, compared pixel by pixel.

`pytest tests/pi_app/display/test_view.py --redraw` draws them anew: look at each one then.
"""

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from pi_app.display import view
from pi_app.display.board_map import FRAME, MAP
from pi_app.display.lettering import NOTES, WORDS, Font, Overflow
from pi_app.display.view import draw, frame, lower_panes
from pi_app.model.screens import (
    STILL,
    Bar,
    BoardMap,
    BoardScreen,
    Curve,
    Die,
    Increment,
    Motion,
    Podium,
    Screen,
    Seat,
    SeatMark,
    Text,
    TextScreen,
    message,
)
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from rules.board import HOME, NEST, ROW
from rules.position import Position
from tests.pi_app.kept import SCREENS, check_picture
from tests.pi_app.keyed import keyed

MIDGAME: Position = (
    (HOME, ROW + 3, 12, NEST),
    (45, 45, 7, NEST),
    (20, 3, NEST, NEST),
    (NEST, NEST, NEST, NEST),
)
ENDGAME: Position = (
    (HOME, HOME, HOME, HOME),
    (HOME, HOME, HOME, ROW + 6),
    (HOME, HOME, 60, 60),
    (HOME, 33, 33, 7),
)
LUDO: Position = (
    (0, ROW + 3, 47, NEST),
    (34, 34, 30, HOME),  # two of them on A's 47, a star
    (8, 8, 8, 34),
    (NEST, NEST, 21, 0),
)
RACE: Position = (
    (ROW + 4, 37, 0, NEST),
    (5, 25, ROW + 2, NEST),
    (ROW + 1, ROW + 2, ROW + 3, ROW + 4),
    (0, 39, NEST, NEST),
)
SHORT_RACE: Position = (
    (ROW + 1, 26, 0, NEST),
    (5, ROW + 2, NEST, NEST),
    (ROW + 1, ROW + 2, ROW + 3, ROW + 4),
    (0, NEST, NEST, NEST),
)
LADDERS: Position = (  # A's leading pawn, and home: two seats share it
    (ROW + 3, 20, 0, NEST),
    (HOME, 55, NEST, NEST),
    (HOME, ROW + 6, ROW + 5, 30),
    (ROW + 1, 13, NEST, NEST),
)
STARS: Position = ((30, 21, 0, NEST), (11, 11, 50, NEST), (4, 34, 34, NEST), (8, 8, 8, 43))
OPENING: Position = ((NEST,) * 4, (), (NEST,) * 4, ())


def board_map(
    seat: int = 0,
    position: Position = MIDGAME,
    origin: tuple[int, int] | None = None,
    target: tuple[int, int] | None = None,
    **board: str,
) -> BoardMap:
    """Return a board as `seat` sees it, standard where `board` does not say otherwise."""
    layout = board.get("layout", "standard")
    travel = board.get("travel", "counterclockwise")
    seats = tuple(seat for seat in range(4) if position[seat])
    safety, stars = board.get("safety", "twelve"), board.get("stars", "none")
    return BoardMap(layout, travel, safety, seat, position, seats, origin, target, stars=stars)


def increments(*texts: str) -> tuple[Increment[str], ...]:
    """Return increments: "5" open, "-5" spent, "*5" chosen."""
    return tuple(
        Increment(text[1:], "spent")
        if text[0] == "-"
        else Increment(text[1:], "chosen")
        if text[0] == "*"
        else Increment(text, "open")
        for text in texts
    )


A_MOVES: BoardScreen[Text] = BoardScreen(
    board=board_map(),
    seat=0,
    heading=message("moves", seat=Seat(0)),
    dice=(Die(5), Die(3)),
    increments=increments("*5", "3"),
    words=("B's entry",),
    lead="5: 12 past A →",
)
KEYS = keyed("NEXT: 2 of 14", "OK: I moved it")
EXAMPLES: dict[str, Screen] = {
    "table-home-row": BoardScreen(
        board_map(2, position=ENDGAME, origin=(2, 60), target=(2, ROW + 1)),
        seat=2,
        heading=message("moves", seat=Seat(2)),
        dice=(Die(4), Die(2)),
        increments=increments("*4", "2", "+20"),
        words=("home row 1",),
        lead="4: 9 past B →",
        keys=KEYS,
    ),
    "table-hold": replace(A_MOVES, keys=keyed("tap: 2 of 4", "hold: I moved it")),
    "table-corner-64": replace(
        A_MOVES,
        board=board_map(position=((11, 10, 3, 0), (27, 27, 11, NEST), (), ()), layout="corner-64"),
    ),
    "table-clockwise": replace(A_MOVES, board=board_map(travel="clockwise")),
    "table-tips-only": replace(
        A_MOVES, board=board_map(position=OPENING, layout="tip-entry", safety="tips")
    ),
    "table-end-of-game": replace(A_MOVES, board=board_map(position=ENDGAME)),
    "table-ludo": replace(
        A_MOVES,
        board=board_map(
            position=LUDO,
            origin=(0, 0),
            target=(0, 5),
            layout="ludo-52",
            travel="clockwise",
            safety="entries-stars",
        ),
    ),
    "table-stars": replace(
        A_MOVES,
        board=board_map(
            position=STARS,
            origin=(0, 0),
            target=(0, 11),
            layout="ludo-52",
            travel="clockwise",
            safety="entries-stars",
            stars="jump",
        ),
    ),
    "table-ring-40": replace(
        A_MOVES,
        board=board_map(
            position=RACE,
            origin=(0, 37),
            target=(0, ROW + 3),
            layout="ring-40",
            travel="clockwise",
            safety="none",
        ),
    ),
    "table-ring-28": replace(
        A_MOVES,
        board=board_map(
            position=SHORT_RACE,
            origin=(0, 26),
            target=(0, ROW + 3),
            layout="ring-28",
            travel="clockwise",
            safety="none",
        ),
    ),
    "table-ring-56": replace(
        A_MOVES,
        board=board_map(
            position=LADDERS,
            origin=(0, ROW + 3),
            target=(0, ROW + 4),
            layout="ring-56",
            travel="clockwise",
            safety="none",
        ),
    ),
    "page-confirm-end": TextScreen(
        "A: end game?", ("The game ends now.",), keyed("NEXT: no", "hold OK: end")
    ),
    "podium-side": Podium(
        (0, 2),
        "A+C have won!",
        (SeatMark(0, "1st"), SeatMark(2, "1st"), SeatMark(3, "3 home"), SeatMark(1, "0 home")),
        "248 turns, 831 throws",
        keyed("hold OK: rematch", "NEXT: more"),
    ),
    "podium-nobody": Podium(
        (),
        "Game ended",
        tuple(SeatMark(seat, f"{seat} home") for seat in (3, 2, 1, 0)),
        "1 turn, 1 throw",
        keyed("hold OK: rematch", "NEXT: more"),
    ),
}

CELL = 3  # pixels of a cell on a board of 19x19
LIT, DARK = 0.0, view.BLINK_S  # times at which what blinks is seen, and is not
SECOND = view.BEAT_S  # what comes in turn after it
TIMES = {
    "table-home-row": LIT,
    "table-hold": SECOND + DARK,
    "table-end-of-game": LIT,
    "table-ludo": LIT,
    "table-ring-40": LIT,
    "table-ring-28": LIT,
    "table-ring-56": LIT,
}


def held(part: float, t: float = DARK) -> Motion:
    """Return the motion of a hold of which this part is over at `t`."""
    return Motion(bar=Bar(t - part, t - part + 1.0))


MOTIONS = {
    "table-hold": held(0.6, SECOND + DARK),
    "page-confirm-end": held(0.45),
    "podium-nobody": held(0.3),
}


def drawn(name: str) -> Image.Image:
    """Return the image of an example."""
    return frame(EXAMPLES[name], MOTIONS.get(name, STILL), TIMES.get(name, DARK)).image


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_screen_is_its_picture(name: str, redraw: bool, tmp_path: Path) -> None:
    check_picture(name, drawn(name), redraw, tmp_path)


def test_every_picture_has_its_screen() -> None:
    pictures = {
        path.stem for kind in ("table", "page", "podium") for path in SCREENS.glob(f"{kind}-*.png")
    }
    assert pictures == set(EXAMPLES)


def test_a_screen_is_always_drawn_alike() -> None:
    first = {name: drawn(name).tobytes() for name in EXAMPLES}
    for name in reversed(EXAMPLES):
        image = drawn(name)
        assert (image.mode, image.size) == ("1", (128, 64))
        assert image.tobytes() == first[name]


# The fonts


@pytest.mark.parametrize("font", [WORDS, NOTES], ids=lambda font: font.name)
def test_a_font_has_all_printable_characters_and_no_two_alike(font: Font) -> None:
    characters = [chr(code) for code in range(ord(" "), ord("~") + 1)] + list("→←↑↓✓")
    looks = {(font.glyphs[char].size, font.glyphs[char].tobytes()) for char in characters}
    assert len(looks) == len(characters)
    assert {font.glyphs[char].height for char in characters} == {font.height}


def test_what_decides_is_at_least_ten_pixels_high() -> None:
    boxes = [WORDS.glyphs[char].getbbox() for char in "ABCD0123456789H"]
    assert all(box is not None and box[3] - box[1] >= 10 for box in boxes)


@pytest.mark.parametrize("font", [WORDS, NOTES], ids=lambda font: font.name)
def test_letters_with_descenders_reach_below_the_line_and_others_do_not(font: Font) -> None:
    def bottom(char: str) -> int:
        box = font.glyphs[char].getbbox()
        assert box is not None
        return box[3]

    assert {bottom(char) for char in "ABCDHOKNEXT0123456789acehimnorstuvwxz"} == {font.cap}
    assert all(font.cap < bottom(char) <= font.height for char in "gpqyj")


def test_g_and_9_differ_in_more_than_where_they_stand() -> None:
    for font in (WORDS, NOTES):
        g, nine = (font.glyphs[char] for char in "g9")
        assert g.crop(g.getbbox()).tobytes() != nine.crop(nine.getbbox()).tobytes()


# What is below the words


def bottom(screen: Screen, t: float = 0.0) -> bytes:
    """Return the pixels of the bottom line beside the map."""
    return frame(screen, STILL, t).image.crop((MAP, 56, 128, 64)).tobytes()


def below(table: BoardScreen[Text]) -> list[tuple[list[str], str]]:
    """Return what is shown below one line of words with a lead, in turn: small lines and a key."""
    words = word_screen(table, ENGLISH)
    assert isinstance(words, BoardScreen)
    shown = lower_panes(words, 3)
    return [(lines, f"{key.press}: {key.does}" if key else "") for lines, key in shown]


def test_keys_take_turns_in_the_bottom_line() -> None:
    table = replace(A_MOVES, keys=KEYS)
    first, second, third = (bottom(table, beat * view.BEAT_S) for beat in range(3))
    assert first == bottom(replace(A_MOVES, keys=KEYS[:1]))
    assert second == bottom(replace(A_MOVES, keys=KEYS[1:]))
    assert third == first


def test_what_was_last_stays_beside_the_keys_if_there_is_room() -> None:
    table = replace(A_MOVES, last="A: 3 past B →\n6 past B", keys=keyed("NEXT: 1 of 2", "OK: done"))
    assert below(table) == [
        (["A: 3 past B →", "6 past B"], "NEXT: 1 of 2"),
        (["A: 3 past B →", "6 past B"], "OK: done"),
    ]


def test_what_was_last_comes_in_turn_with_the_keys_where_the_note_takes_its_room() -> None:
    table = replace(
        A_MOVES,
        note="B to nest",
        last="A: 3 past B →\n6 past B",
        keys=keyed("NEXT: 1 of 2", "OK: done"),
    )
    assert below(table) == [
        (["B to nest", "A: 3 past B →", "6 past B"], ""),
        (["B to nest"], "NEXT: 1 of 2"),
        (["B to nest"], "OK: done"),
    ]


def test_a_note_that_is_longer_than_its_room_is_shown_page_by_page() -> None:
    table = replace(A_MOVES, note="one two three four five six seven eight nine ten", keys=KEYS[1:])
    assert below(table) == [
        (["one two three", "four five six", "seven eight"], ""),
        (["nine ten"], ""),
        ([], "OK: I moved it"),
    ]


def test_a_notice_has_no_lit_row_above_its_bar() -> None:
    for name, screen in EXAMPLES.items():
        image = frame(screen, Motion(notice="B's turn"), DARK).image
        assert image.crop((0, 55, 128, 56)).getbbox() is None, name
        assert image.crop((0, 56, 10, 64)).histogram()[255] == 80, name


# The map: a cell's 3x3 pixels as rows of '#' and '.'


def cell(board: BoardMap, column: int, row: int, t: float = DARK) -> str:
    x, y = FRAME + CELL * column, FRAME + CELL * row
    image = frame(replace(A_MOVES, board=board), STILL, t).image
    pixels = [[image.getpixel((x + dx, y + dy)) for dx in range(3)] for dy in range(3)]
    return "/".join("".join("#" if pixel else "." for pixel in line) for line in pixels)


@pytest.mark.parametrize(
    ("seat", "single", "inverse"),
    [
        pytest.param(0, "###/###/###", ".../.../...", id="A solid"),
        pytest.param(1, "###/#.#/###", ".../.#./...", id="B hollow"),
        pytest.param(2, ".#./###/.#.", "#.#/.../#.#", id="C plus"),
        pytest.param(3, "..#/.#./#..", "##./#.#/.##", id="D diagonal"),
    ],
)
def test_a_blockade_alternates_with_its_inverse_and_a_single_pawn_does_not(
    seat: int, single: str, inverse: str
) -> None:
    pawns: list[tuple[int, ...]] = [(), (), (), ()]
    pawns[seat] = (20, 20, 2, NEST)
    a, b, c, d = pawns
    board = board_map(seat, position=(a, b, c, d))
    assert cell(board, 10, 12, DARK) == cell(board, 10, 12, LIT) == single  # 2 past the own entry
    assert cell(board, 11, 8, DARK) == single  # 3 past the next entry
    assert cell(board, 11, 8, LIT) == inverse


def test_an_empty_safety_space_has_a_dot_and_other_empty_spaces_have_none() -> None:
    assert cell(board_map(), 10, 14) == ".../.#./..."
    assert cell(board_map(), 10, 13) == ".../.../..."
    assert cell(board_map(safety="tips"), 10, 14) == ".../.../..."


def test_origin_and_target_blink() -> None:
    board = board_map(origin=(0, 12), target=(0, 15))
    origin, target = (18, 9), (16, 8)
    assert [cell(board, *origin, t) for t in (DARK, LIT)] == ["###/###/###", ".../.#./..."]
    assert [cell(board, *target, t) for t in (DARK, LIT)] == [".../.../...", "###/###/###"]


def test_a_still_board_does_not_blink() -> None:
    board = replace(board_map(origin=(0, 12), target=(0, 15)), still=True)
    assert frame(replace(A_MOVES, board=board), STILL, LIT).until is None
    assert cell(board, 18, 9, LIT) == cell(board, 18, 9, DARK)


SHOWN = {  # 3x5 pixels of a space on the Ludo board, with a pixel of the gaps above and below
    ".../###/###/###/...": "A",
    ".../###/#.#/###/...": "B",
    ".../.#./###/.#./...": "C",
    "##./..#/.#./#../###": "2",
    "##./..#/.#./..#/##.": "3",
}
D_STAR, C_STAR = (33, 47), (48, 24)  # the top left of those pixels, as A sees the board
STAR_OF_D = {seat: (8 + 13 * (3 - seat)) % 52 for seat in range(4)}  # as each seat counts it


LUDO_MAP = board_map(position=LUDO, layout="ludo-52", travel="clockwise", safety="none")


def beats(corner: tuple[int, int], board: BoardMap = LUDO_MAP) -> str:
    """Return what a space of the Ludo board shows at six beats; "?" is something else."""
    table, (x, y), seen = replace(A_MOVES, board=board), corner, ""
    for beat in range(6):
        image = frame(table, STILL, beat * view.BLINK_S).image
        rows = [[image.getpixel((x + dx, y + dy)) for dx in range(3)] for dy in range(5)]
        look = "/".join("".join("#" if pixel else "." for pixel in row) for row in rows)
        seen += SHOWN.get(look, "?")
    return seen


def test_seats_that_share_a_space_show_their_glyph_and_number_in_turn() -> None:
    assert beats(D_STAR) == "AB2AB2"


def test_three_pawns_of_a_seat_show_their_number_too() -> None:
    assert beats(C_STAR) == "C3C3C3"


def test_pawns_that_share_a_space_take_turns_on_a_still_map_too() -> None:
    assert beats(D_STAR, replace(LUDO_MAP, still=True)) == "AB2AB2"


def test_a_target_that_seats_share_shows_who_comes_and_between_who_is_there() -> None:
    a, b, c = (STAR_OF_D[seat] for seat in range(3))
    there: Position = ((a - 5,), (b,), (c,), ())
    board = replace(LUDO_MAP, position=there, origin=(0, a - 5), target=(0, a))
    assert beats(D_STAR, board) == "ABACAB"


def test_no_pawn_of_the_ludo_board_touches_a_neighbour_or_a_nest() -> None:
    everywhere = board_map(
        position=((*range(51), *range(ROW + 1, ROW + 6)), (51 - 13,), (), ()),
        layout="ludo-52",
        safety="none",
    )
    image = draw(replace(A_MOVES, board=replace(everywhere, seat=0)))
    alone = sum(1 for x in range(1, MAP) for y in range(1, MAP - 1) if is_lone_square(image, x, y))
    assert alone == 51 + 5


def is_lone_square(image: Image.Image, x: int, y: int) -> bool:
    """Whether 3x3 lit pixels from (x, y) have dark ones at their four sides."""
    inside = image.crop((x, y, x + 3, y + 3)).getextrema() == (255, 255)
    sides = (
        (x - 1, y, x, y + 3),
        (x + 3, y, x + 4, y + 3),
        (x, y - 1, x + 3, y),
        (x, y + 3, x + 3, y + 4),
    )
    return inside and all(image.crop(side).getextrema() == (0, 0) for side in sides)


RING = ("#######", "#.....#", *["#.###.#"] * 3, "#.....#", "#######")


@pytest.mark.parametrize(
    ("place", "column", "row"),
    [
        pytest.param(29, 9, 0, id="top"),
        pytest.param(46, 0, 9, id="left"),
        pytest.param(63, 9, 18, id="bottom"),
        pytest.param(12, 18, 9, id="right"),
    ],
)
def test_a_ring_at_the_edge_of_the_map_is_whole(place: int, column: int, row: int) -> None:
    board = board_map(position=((), (), (), ()), target=(0, place))
    board = replace(board, seats=(0,))
    x, y = FRAME + CELL * column - 2, FRAME + CELL * row - 2
    image = draw(replace(A_MOVES, board=board, keys=KEYS)).crop((x, y, x + 7, y + 7))
    rows = ["".join("#" if image.getpixel((i, j)) else "." for i in range(7)) for j in range(7)]
    assert tuple(rows) == RING


def test_a_pawn_at_the_bottom_tip_is_seen_beside_the_keys() -> None:
    for key in (*KEYS, *keyed("hold NEXT: menu")):
        table = replace(A_MOVES, keys=(key,), board=board_map(position=((63,), (), (), ())))
        x, y = FRAME + CELL * 9, FRAME + CELL * 18
        assert draw(table).crop((x, y, x + 3, y + 3)).histogram()[255] == 9


def test_a_pawn_whose_partner_is_lifted_stands_alone() -> None:
    pair = board_map(position=((20, 20, 2, NEST), (), (), ()))
    assert cell(pair, 11, 8, LIT) == ".../.../..."
    assert cell(replace(pair, origin=(0, 20), target=(0, 23)), 11, 8, LIT) == "###/###/###"


@pytest.mark.parametrize("left", range(5))
def test_the_nest_shows_as_many_pawns_as_it_holds(left: int) -> None:
    def pixels(count: int) -> int:
        pawns = (NEST,) * count
        away = (HOME,) * (4 - count)
        image = draw(replace(A_MOVES, board=board_map(position=(away + pawns, (), (), ()))))
        return image.crop((35, 35, 61, 61)).histogram()[255]

    assert pixels(left) - pixels(0) == 9 * left


def test_every_pawn_that_is_home_is_a_point_on_the_edge_of_the_centre() -> None:
    def pixels(position: Position) -> int:
        return (
            draw(replace(A_MOVES, board=board_map(position=position)))
            .crop((26, 26, 35, 35))
            .histogram()[255]
        )

    nobody = pixels(((NEST,) * 4,) * 4)
    everybody = pixels(((HOME,) * 4,) * 4)
    assert everybody - nobody == 16
    assert pixels(ENDGAME) - nobody == 10


# What does not fit is cut, which is an error of ours

TOO_LONG = "take back the pawn that stands at 12 past C's entry and then go on"

too_much = pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda: replace(A_MOVES, heading=TOO_LONG), TOO_LONG),
        (lambda: replace(A_MOVES, words=("one", "5 to 12 past C's")), "5 to 12 past C's"),
        (lambda: replace(A_MOVES, words=("one", "two", "three")), "three"),
        (lambda: replace(A_MOVES, lead=TOO_LONG), TOO_LONG),
        (lambda: replace(A_MOVES, note=3 * TOO_LONG), 3 * TOO_LONG),
        (lambda: replace(A_MOVES, increments=increments(*["+20"] * 5)), "+20"),
        (lambda: replace(A_MOVES, last="x" * 20), "x" * 20),
        (lambda: replace(A_MOVES, keys=keyed("OK: I have moved it")), "I have moved it"),
        (lambda: TextScreen(TOO_LONG, ()), TOO_LONG),
        (lambda: TextScreen("Menu", (), hint=TOO_LONG), TOO_LONG),
        (lambda: TextScreen("Menu", tuple("abcdefg")), "g"),
        (lambda: TextScreen("Menu", ("x" * 60,)), "x" * 60),
        (lambda: TextScreen("Menu", (), seats=(SeatMark(0, "joined at last"),)), "joined at last"),
        (lambda: TextScreen("Menu", ("x" * 20 + " " + "y " * 200,), chosen=0), "y" + " y" * 15),
        (lambda: TextScreen("Menų", ()), "Menų"),
        (lambda: Podium((0,), TOO_LONG, (), "", ()), TOO_LONG),
        (lambda: Podium((0,), "", (), TOO_LONG, ()), TOO_LONG),
        (lambda: Curve("Chances de gagner", ((0.5, None, 0.5, None),), 1, ()), "Chances de gagner"),
    ],
)


@too_much
def test_what_does_not_fit_is_an_error_in_the_tests_that_names_it(
    change: Callable[[], Screen], text: str
) -> None:
    with pytest.raises(Overflow) as refused:
        draw(change())
    assert refused.value.text == text
    assert str(refused.value) == f"{text!r} does not fit into {refused.value.room}: shorten it"


@too_much
def test_at_the_table_what_does_not_fit_is_told_and_all_else_is_drawn(
    change: Callable[[], Screen], text: str
) -> None:
    screen = change()
    with pytest.warns(Overflow) as told:
        image = draw(screen)
    assert [fault.message.text for fault in told if isinstance(fault.message, Overflow)] == [text]
    assert image.size == (128, 64)
    if isinstance(screen, BoardScreen):
        everything = (0, 0, MAP, 55)
        assert image.crop(everything).tobytes() == draw(A_MOVES).crop(everything).tobytes()


@pytest.mark.parametrize(
    ("screen", "top"),
    [
        (lambda text: replace(A_MOVES, lead=text), 13),
        (lambda text: replace(A_MOVES, keys=keyed(f"OK: {text}")), 56),
    ],
)
def test_a_text_that_is_cut_begins_as_it_should(screen: Callable[[str], Screen], top: int) -> None:
    line = (MAP, top, 100, top + 8)
    with pytest.warns(Overflow):
        cut = draw(screen("wwwwwwwwwwwwwwwwww"))
    assert cut.crop(line).tobytes() == draw(screen("wwwwwww")).crop(line).tobytes()


def test_a_fault_is_told_once_however_often_it_is_drawn() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for _ in range(3):
            draw(TextScreen(TOO_LONG, ()))
            draw(TextScreen("Menų", ()))
    assert len(told) == 2


def test_the_longest_words_of_a_turn_fit() -> None:
    for text in ("16 past D", "C's entry", "CD to nest", "home row 7", "home, +10", "to the nest"):
        draw(replace(A_MOVES, words=(text, text), lead="12: 16 past D →", keys=KEYS))


def test_a_chosen_line_is_shown_however_many_there_are() -> None:
    lines = tuple(f"choice {n}" for n in range(11))
    for chosen in range(11):
        page = TextScreen("Menu: A", lines, chosen=chosen)
        image = draw(page)
        assert any(
            image.crop((0, top - 1, 128, top + 12)).histogram()[255] > 128 * 13 // 2
            for top in (15, 28, 41)
        )


def rows_of_a_menu(chosen: int, count: int = 5, title: str = "A: menu") -> Image.Image:
    """Return the picture of a page with so many lines, of which one is chosen."""
    return draw(TextScreen(title, tuple("abcdefg"[:count]), keyed("NEXT: other"), chosen=chosen))


def right_edge(image: Image.Image) -> tuple[bool, bool]:
    """Return whether there is an arrow up, and one down, beside the first and the last line."""
    first, last = image.crop((116, 17, 128, 26)), image.crop((116, 44, 128, 52))
    return first.getextrema() == (0, 255), last.getextrema() == (0, 255)


@pytest.mark.parametrize(
    ("chosen", "arrows"), [(0, (False, True)), (2, (True, True)), (4, (True, False))]
)
def test_of_more_lines_than_three_an_arrow_says_where_there_are_more(
    chosen: int, arrows: tuple[bool, bool]
) -> None:
    assert right_edge(rows_of_a_menu(chosen)) == arrows


def test_of_more_lines_than_three_the_corner_says_which_is_chosen() -> None:
    def with_corner(corner: str) -> bytes:
        page = TextScreen("A: menu", ("c",), keyed("NEXT: other"), corner=corner)
        return draw(page).crop((60, 0, 128, 13)).tobytes()

    assert rows_of_a_menu(2).crop((60, 0, 128, 13)).tobytes() == with_corner("3 of 5")
    assert rows_of_a_menu(2, count=3).crop((60, 0, 128, 13)).tobytes() == with_corner("")
    assert right_edge(rows_of_a_menu(1, count=3)) == (False, False)
