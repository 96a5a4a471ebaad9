"""What is inverted, a key or what is chosen, has lit ground on all sides of its letters.

Each is compared pixel by pixel with its drawing in a frame of its own.
"""

from dataclasses import replace

import pytest
from PIL import Image

from pi_app.display import large
from pi_app.display.lettering import NOTES, WORDS, Font, draw_text
from pi_app.display.view import BEAT_S, draw, frame
from pi_app.model.screens import STILL, BoardScreen, QrScreen, Screen, TextScreen
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from tests.pi_app.display.test_view import A_MOVES, EXAMPLES, increments
from tests.pi_app.keyed import key, keyed

KEYS = {
    "OK": """
        ############
        ##...##.##.#
        #.###.#.##.#
        #.###.#.#.##
        #.###.#..###
        #.###.#.#.##
        #.###.#.##.#
        ##...##.##.#
        ############
    """,
    "NEXT": """
        #######################
        #.##.#....#.###.#.....#
        #..#.#.####.###.###.###
        #..#.#.#####.#.####.###
        #.#..#...####.#####.###
        #.#..#.#####.#.####.###
        #.##.#.####.###.###.###
        #.##.#....#.###.###.###
        #######################
    """,
    "tap": """
        ###############
        ##.############
        ##.############
        #...##..##...##
        ##.#####.#.##.#
        ##.###...#.##.#
        ##.##.##.#...##
        ###.##...#.####
        ##########.####
    """,
    "hold": """
        ###################
        #.#########.#####.#
        #.#########.#####.#
        #...###..##.###...#
        #.##.#.##.#.##.##.#
        #.##.#.##.#.##.##.#
        #.##.#.##.#.##.##.#
        #.##.##..###.##...#
        ###################
    """,
}


def rows(image: Image.Image) -> list[str]:
    return [
        "".join("#" if image.getpixel((x, y)) else "." for x in range(image.width))
        for y in range(image.height)
    ]


def framed(font: Font, text: str) -> list[str]:
    """Return a text in a frame of its own: dark on lit ground, which is a pixel wide round it."""
    turned = ["".join(".#"[dot == "."] for dot in row) for row in rows(draw_text(font, text))]
    bottom = turned[font.cap :]  # what hangs below the line stands on the last row of ground
    ground = "#" * font.width(text)
    return [f"#{row}#" for row in (ground, *turned[: font.cap], *bottom)]


def is_in(drawing: list[str], seen: list[str]) -> bool:
    """Whether a drawing is found in a picture of the same height, somewhere along it."""
    places = range(len(seen[0]) - len(drawing[0]) + 1)
    return any(
        all(row.startswith(part, x) for row, part in zip(seen, drawing, strict=True))
        for x in places
    )


def bottom(screen: Screen, height: int) -> list[str]:
    return bottom_of(draw(screen), height)


def bottom_of(image: Image.Image, height: int) -> list[str]:
    return rows(image.crop((0, 64 - height, 128, 64)))


def tables_and_keys() -> list[tuple[BoardScreen[str], str]]:
    """Return every table of the examples with each of its keys."""
    worded_examples = (word_screen(screen, ENGLISH) for screen in EXAMPLES.values())
    tables = (screen for screen in worded_examples if isinstance(screen, BoardScreen))
    return [(table, key.press) for table in tables for key in table.keys]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_as_it_is_drawn_here(key: str) -> None:
    drawing = KEYS[key].split()
    assert framed(NOTES, key) == drawing
    assert is_in(drawing, bottom(replace(A_MOVES, keys=keyed(f"{key}: go on")), len(drawing)))


def test_every_key_of_a_table_is_as_in_a_frame_of_its_own() -> None:
    for screen, named in tables_and_keys():
        drawing = framed(NOTES, named)
        turns = [frame(screen, STILL, beat * BEAT_S).image for beat in range(8)]
        assert any(is_in(drawing, bottom_of(image, len(drawing))) for image in turns), named


def test_a_key_under_letters_with_descenders_is_as_in_a_frame_of_its_own() -> None:
    table = replace(A_MOVES, note="one two three\ngrey pay gypsy", keys=keyed("OK: go on"))
    drawing = KEYS["OK"].split()
    assert is_in(drawing, bottom(table, len(drawing)))


def test_the_key_beside_a_code_is_as_in_a_frame_of_its_own() -> None:
    code = QrScreen("HTTP://PACHISI.LOCAL", "watch:", "pachisi.local", key("NEXT: back"))
    drawing = KEYS["NEXT"].split()
    assert is_in(drawing, bottom(code, len(drawing)))


@pytest.mark.parametrize(
    ("key", "font"), [("OK: go on", WORDS), ("hold NEXT: the menu of all", NOTES)]
)
def test_a_child_s_key_is_as_in_a_frame_of_its_own(key: str, font: Font) -> None:
    drawing = framed(font, key.partition(":")[0])
    image = large.draw_line(large.LargeLine("A moves", "home", key=keyed(key)[0]))
    assert is_in(drawing, rows(image.crop((0, 64 - len(drawing), 128, 64))))


@pytest.mark.parametrize("text", ["5", "+20", "6 of 14", "10"])
def test_the_chosen_increment_is_as_in_a_frame_of_its_own(text: str) -> None:
    drawing = framed(NOTES, text)
    table = replace(A_MOVES, increments=increments("3", f"*{text}"))
    assert is_in(drawing, rows(draw(table).crop((61, 11, 128, 11 + len(drawing)))))


def test_the_chosen_increment_touches_neither_the_heading_nor_the_lead() -> None:
    image = draw(A_MOVES)
    for row in (10, 20):
        assert image.crop((61, row, 128, row + 1)).getbbox() is None


def test_a_chosen_small_line_is_as_in_a_frame_of_its_own() -> None:
    wide = "OKs_and_tops_and_NEXT"  # too wide for large letters, so all lines are small
    page = TextScreen(
        "A: menu", ("gypsy", wide, "TOPS"), keyed("NEXT: other", "OK: this one"), chosen=1
    )
    drawing, seen = framed(NOTES, wide), rows(draw(page))
    tops = range(len(seen) - len(drawing) + 1)
    assert any(is_in(drawing, seen[top : top + len(drawing)]) for top in tops)
