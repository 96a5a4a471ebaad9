"""Every kind of screen is a picture in tests/screens, compared pixel by pixel.

`pytest tests/pi_app/display/test_view.py --redraw` draws them anew: look at each one then.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.display.lettering import NOTES, WORDS, Font
from pi_app.display.view import Overflow, draw
from pi_app.table.screen import BoardMap, Die, Increment, Page, Screen, SeatMark, Table
from rules.board import HOME, NEST, ROW
from rules.position import Position
from tests.pi_app.kept import SCREENS, check_picture

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
OPENING: Position = ((NEST,) * 4, (), (NEST,) * 4, ())


def board_map(
    seat: int = 0,
    position: Position = MIDGAME,
    origin: tuple[int, int] | None = None,
    target: tuple[int, int] | None = None,
    lit: bool = False,
    **board: str,
) -> BoardMap:
    """Return a board as `seat` sees it, standard where `board` does not say otherwise."""
    layout = board.get("layout", "standard")
    travel = board.get("travel", "counterclockwise")
    seats = tuple(seat for seat in range(4) if position[seat])
    safety = board.get("safety", "twelve")
    return BoardMap(layout, travel, safety, seat, position, seats, origin, target, lit)


def increments(*texts: str) -> tuple[Increment, ...]:
    """Return increments: "5" open, "-5" spent, "*5" chosen."""
    return tuple(
        Increment(text[1:], "spent")
        if text[0] == "-"
        else Increment(text[1:], "chosen")
        if text[0] == "*"
        else Increment(text, "open")
        for text in texts
    )


A_MOVES = Table(
    board=board_map(),
    seat=0,
    heading="A moves",
    dice=(Die(5), Die(3)),
    increments=increments("5", "3"),
    words=("5 to", "2 past", "B's entry"),
)
EXAMPLES: dict[str, Screen] = {
    "table-choose": replace(
        A_MOVES,
        board=board_map(origin=(0, 12), target=(0, 17)),
        increments=increments("*5", "3"),
        words=("5 to", "B's entry"),
        keys="OK/NEXT",
        place="1/5",
    ),
    "table-choose-lit": replace(
        A_MOVES,
        board=board_map(origin=(0, 12), target=(0, 17), lit=True),
        increments=increments("*5", "3"),
        words=("5 to", "B's entry"),
        keys="OK/NEXT",
        place="1/5",
    ),
    "table-choose-capture": replace(
        A_MOVES,
        board=board_map(origin=(0, 12), target=(0, 24), lit=True),
        increments=increments("5", "3", "*+20"),
        words=("+20 to", "7 past B", "captures B"),
        note="from 12 past A",
        keys="OK/NEXT",
        place="2/5",
    ),
    "table-choose-capture-far": replace(
        A_MOVES,
        board=board_map(origin=(0, 12), target=(0, 24), lit=True),
        words=("captures B", "12 further"),
        note="take back 7 past B's entry",
        keys="OK/NEXT",
        place="2/5",
    ),
    "table-choose-home": replace(
        A_MOVES,
        board=board_map(origin=(0, ROW + 3), target=(0, HOME), lit=True),
        increments=increments("*5", "-3"),
        words=("5 home,", "+10"),
        keys="OK/NEXT",
        place="1/2",
    ),
    "table-choose-enter": Table(
        board_map(3, origin=(3, NEST), target=(3, 0), lit=True),
        seat=3,
        heading="D moves",
        dice=(Die(4), Die(1)),
        increments=increments("*4", "*1"),
        words=("4+1 enter",),
        keys="OK",
    ),
    "table-choose-home-row": Table(
        board_map(2, position=ENDGAME, origin=(2, 60), target=(2, ROW + 1), lit=True),
        seat=2,
        heading="C moves",
        dice=(Die(4), Die(2)),
        increments=increments("*4", "2", "+20"),
        words=("4 to", "home row 1"),
        keys="OK/NEXT",
        place="1/14",
    ),
    "table-done": replace(
        A_MOVES,
        increments=increments("-5", "3", "+10"),
        words=("DONE",),
        note="10 and 3 will lapse",
        keys="OK/NEXT",
        place="5/5",
    ),
    "table-four-increments": Table(
        board_map(1, position=ENDGAME, origin=(1, ROW + 6), target=(1, HOME)),
        seat=1,
        heading="B moves",
        dice=(Die(2), Die(2)),
        increments=increments("-2", "*2", "5", "5", "+20", "+10"),
        words=("2 home,", "+10"),
        keys="OK/NEXT",
        place="12/14",
        note="B throws again",
    ),
    "table-fourteen": Table(
        board_map(1, origin=(1, 7), target=(1, 13), lit=True, travel="clockwise"),
        seat=1,
        heading="B moves",
        dice=(Die(4), Die(4)),
        increments=increments("*14 left"),
        words=("6 to", "13 past B"),
        keys="OK/NEXT",
        place="6/11",
        note="",
    ),
    "table-pass": replace(
        A_MOVES,
        words=("no move",),
        note="5: B's blockade at 12 past C's entry",
        keys="OK: go on, NEXT",
        place="1/2",
    ),
    "table-penalty": replace(
        A_MOVES,
        board=board_map(origin=(0, ROW + 3), target=(0, NEST), lit=True),
        heading="A penalty",
        dice=(Die(4), Die(4)),
        increments=(),
        words=("take back", "home row 3"),
        note="third doublet: to A's nest",
        keys="OK: done",
    ),
    "table-throw": replace(
        A_MOVES,
        board=board_map(position=OPENING),
        heading="A throws",
        dice=(),
        increments=(),
        words=("press", "the dome"),
    ),
    "table-tumbling": replace(
        A_MOVES,
        heading="A throws",
        dice=(Die(5, tumbling=True), Die(6, tumbling=True)),
        increments=(),
        words=(),
    ),
    "table-thrown": replace(A_MOVES, heading="A threw", increments=(), words=("8 in all",)),
    "table-one-die": replace(
        A_MOVES, heading="A throws", dice=(Die(3, tumbling=True),), increments=(), words=()
    ),
    "table-one-die-choose": replace(
        A_MOVES, dice=(Die(6),), increments=increments("6", "*1"), words=("1 to", "C's entry")
    ),
    "table-notice": replace(A_MOVES, notice="B's turn"),
    "table-notice-missing": replace(A_MOVES, notice="dice chamber missing"),
    "table-hold": replace(A_MOVES, hold=0.6),
    "table-corner-64": replace(
        A_MOVES,
        board=board_map(position=((11, 10, 3, 0), (27, 27, 11, NEST), (), ()), layout="corner-64"),
    ),
    "table-clockwise": replace(A_MOVES, board=board_map(travel="clockwise")),
    "table-tips-only": replace(
        A_MOVES, board=board_map(position=OPENING, layout="tip-entry", safety="tips")
    ),
    "table-end-of-game": replace(A_MOVES, board=board_map(position=ENDGAME, lit=True)),
    "page-join": Page(
        "Who plays?",
        ("Royal 2023",),
        "first to join: hold OK",
        (SeatMark(0, "joined"), SeatMark(2, "joined")),
    ),
    "page-join-none": Page("Who plays?", ("Press OK on", "your own panel"), "NEXT: rule set"),
    "page-join-neighbours": Page(
        "Who plays?",
        ("opposite seats are usual",),
        "A: hold OK again to begin",
        (SeatMark(0, "joined"), SeatMark(1, "joined")),
    ),
    "page-rule-set": Page(
        "Rule set",
        ("Selchow & Righter 1942 and 1989",),
        "NEXT: another, OK: take it",
    ),
    "page-who-begins": Page(
        "Who begins?",
        ("B and C throw again",),
        "B: press the dome",
        (SeatMark(0, "7"), SeatMark(1, "11"), SeatMark(2, "11"), SeatMark(3, "10 (6+4)")),
    ),
    "page-starter": Page(
        "Who begins?", ("A begins", "C begins"), "NEXT: other, OK: so be it", chosen=1
    ),
    "page-menu": Page("Menu: A", ("Undo", "End game", "Back"), "NEXT: other, OK: do", chosen=0),
    "page-menu-long": Page(
        "Menu: A",
        ("Undo", "Correct pawns", "Walk pawns", "Why can't I", "Type dice", "Sound", "Back"),
        "NEXT: other, OK: do",
        chosen=4,
    ),
    "page-menu-wide": Page(
        "Rule set",
        (
            "Royal Parcheesi, Winning Moves 2023",
            "Milton Bradley, both dice one increment",
            "SCA Parchisi",
            "Transogram 1938",
        ),
        "NEXT: other, OK: do",
        chosen=1,
    ),
    "page-menu-other": Page("Menu", ("A has the menu",), notice="A has the menu"),
    "page-undo": Page(
        "Undo: by hand",
        (
            "A: pawn at 2 past B's entry back to 3 before B's entry",
            "B: pawn from the nest back to 2 past B's entry",
        ),
        "OK: done",
    ),
    "page-confirm-end": Page(
        "End the game?", ("Hold OK to end it", "NEXT: play on"), hint="hold OK", hold=0.45
    ),
    "page-reasons": Page(
        "A: no step",
        (
            "2: blockade of B at C's entry",
            "2: blockade of B at C's entry",
            "5: entry blocked by B",
            "5: more than to home",
        ),
        "OK: pass on",
    ),
    "page-over": Page(
        "C has won",
        ("48 turns, 131 throws", "1 h 12 min"),
        "OK: new game",
        (SeatMark(2, "1st"), SeatMark(0, "2 home")),
    ),
    "page-over-places": Page(
        "Game over",
        ("212 throws, 1 h 48 min",),
        "OK: new game",
        (SeatMark(2, "1st"), SeatMark(0, "2nd"), SeatMark(3, "3rd"), SeatMark(1, "4th")),
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_screen_is_its_picture(name: str, redraw: bool, tmp_path: Path) -> None:
    check_picture(name, EXAMPLES[name], redraw, tmp_path)


def test_every_picture_has_its_screen() -> None:
    pictures = {path.stem for kind in ("table", "page") for path in SCREENS.glob(f"{kind}-*.png")}
    assert pictures == set(EXAMPLES)


def test_a_screen_is_always_drawn_alike() -> None:
    first = {name: draw(screen).tobytes() for name, screen in EXAMPLES.items()}
    for name in reversed(EXAMPLES):
        image = draw(EXAMPLES[name])
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


# The map: a cell's 3x3 pixels as rows of '#' and '.'


def cell(board: BoardMap, column: int, row: int) -> str:
    x, y = 3 * column, 3 * row
    image = draw(replace(A_MOVES, board=board))
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
    dark = board_map(seat, position=(a, b, c, d))
    lit = replace(dark, lit=True)
    assert cell(dark, 10, 12) == cell(lit, 10, 12) == single  # 2 past the own entry
    assert cell(dark, 11, 8) == single  # 3 past the next entry
    assert cell(lit, 11, 8) == inverse


def test_an_empty_safety_space_has_a_dot_and_other_empty_spaces_have_none() -> None:
    assert cell(board_map(), 10, 14) == ".../.#./..."
    assert cell(board_map(), 10, 13) == ".../.../..."
    assert cell(board_map(safety="tips"), 10, 14) == ".../.../..."


def test_origin_and_target_blink() -> None:
    dark = board_map(origin=(0, 12), target=(0, 15))
    lit = replace(dark, lit=True)
    assert (cell(dark, 18, 9), cell(lit, 18, 9)) == ("###/###/###", ".../.#./...")
    assert (cell(dark, 16, 8), cell(lit, 16, 8)) == (".../.../...", "###/###/###")


def test_a_pawn_whose_partner_is_lifted_stands_alone() -> None:
    pair = board_map(position=((20, 20, 2, NEST), (), (), ()), lit=True)
    assert cell(pair, 11, 8) == ".../.../..."
    assert cell(replace(pair, origin=(0, 20), target=(0, 23)), 11, 8) == "###/###/###"


@pytest.mark.parametrize("left", range(5))
def test_the_nest_shows_as_many_pawns_as_it_holds(left: int) -> None:
    def pixels(count: int) -> int:
        pawns = (NEST,) * count
        away = (HOME,) * (4 - count)
        image = draw(replace(A_MOVES, board=board_map(position=(away + pawns, (), (), ()))))
        return image.crop((33, 33, 57, 57)).histogram()[255]

    assert pixels(left) - pixels(0) == 9 * left


def test_every_pawn_that_is_home_is_a_point_on_the_edge_of_the_centre() -> None:
    def pixels(position: Position) -> int:
        return (
            draw(replace(A_MOVES, board=board_map(position=position)))
            .crop((24, 24, 33, 33))
            .histogram()[255]
        )

    nobody = pixels(((NEST,) * 4,) * 4)
    everybody = pixels(((HOME,) * 4,) * 4)
    assert everybody - nobody == 16
    assert pixels(ENDGAME) - nobody == 10


# What does not fit is refused

TOO_LONG = "take back the pawn that stands at 12 past C's entry and then go on"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda: replace(A_MOVES, heading="A " + TOO_LONG), TOO_LONG),
        (lambda: replace(A_MOVES, words=("5 to 12 past C's",)), "5 to 12 past C's"),
        (lambda: replace(A_MOVES, words=("one", "two", "three", "four")), "four"),
        (lambda: replace(A_MOVES, note=TOO_LONG), TOO_LONG),
        (lambda: replace(A_MOVES, increments=increments(*["+20"] * 5)), "+20"),
        (lambda: replace(A_MOVES, keys="OK/NEXT to go on with"), "OK/NEXT to go on with"),
        (lambda: replace(A_MOVES, keys="OK/NEXT", place="1/" + "2" * 9), "1/" + "2" * 9),
        (lambda: replace(A_MOVES, place="1/" + "2" * 20), "1/" + "2" * 20),
        (lambda: replace(A_MOVES, notice=TOO_LONG), TOO_LONG),
        (lambda: Page(TOO_LONG, ()), TOO_LONG),
        (lambda: Page("Menu", (), hint=TOO_LONG), TOO_LONG),
        (lambda: Page("Menu", tuple("abcdefg")), "g"),
        (lambda: Page("Menu", ("x" * 60,)), "x" * 60),
        (lambda: Page("Menu", (), seats=(SeatMark(0, "joined at last"),)), "joined at last"),
        (lambda: Page("Menü", ()), "Menü"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence_that_names_it(
    change: Callable[[], Screen], text: str
) -> None:
    with pytest.raises(Overflow) as refused:
        draw(change())
    assert refused.value.text == text
    assert str(refused.value) == f"{text!r} does not fit into {refused.value.room}: shorten it"


def test_the_longest_words_of_a_turn_fit() -> None:
    for text in (
        "4+3: 16 past",
        "5 to 16 past",
        "16 past D's",
        "C's entry",
        "captures B",
        "home row 7",
    ):
        draw(replace(A_MOVES, words=(text, text, text), note="from 16 past D", keys="OK/NEXT"))


def test_a_chosen_line_is_shown_however_many_there_are() -> None:
    lines = tuple(f"choice {n}" for n in range(11))
    for chosen in range(11):
        page = Page("Menu: A", lines, chosen=chosen)
        image = draw(page)
        assert any(
            image.crop((0, top - 1, 128, top + 12)).histogram()[255] > 128 * 13 // 2
            for top in (15, 28, 41)
        )
