"""hardware/sheets/: what is printed on paper is what the lists, the shapes and the screens say."""

import re
from base64 import b64decode
from collections.abc import Sequence
from functools import cache
from html import unescape
from io import BytesIO
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hardware import cloth, shapes
from hardware import measures as m
from hardware.lists import HERE, LISTED, write
from hardware.ludo_board import BENCH, MIDDLE_GREY, STAR, WIDTH
from hardware.ludo_board import BOARDS as LUDO_BOARDS
from hardware.paper import SIZES, Lines, Paper, as_pdf, unpacked_pdf, wrap_text
from hardware.quarters import GREY
from hardware.rules_cards import GAMES, rules_text
from hardware.sheets import (
    BOARDS,
    STEPS,
    TEMPLATES,
    Sheet,
    all_sheets,
    files,
    screen_file,
    untranslated,
)
from pi_app.display.pictures import GLYPHS
from pi_app.model.cells import PLANS
from pi_app.model.editions import EDITION_TABLE
from pi_app.proof.pictures import proof_pictures
from pi_app.texts.language import codes, language
from rules.board import SEAT_LETTERS, SEATS, Board, board
from rules.ruleset import LOTS, PRESETS
from tests.asked import extent

FOLDER = HERE / "sheets"
BOARD = Path(__file__).parents[2] / "pi_app" / "web" / "static" / "board.js"
STALE = "stale: run pytest --redraw tests/hardware/test_sheets.py"
LANGUAGES = [code for code in codes() if "_" not in code]  # a country's catalog may have no sheet
PLAYERS = {"letters", "cards", "cowries", *BOARDS, *(f"rules-{game}" for game in GAMES)}


@cache
def made() -> list[Sheet]:
    return list(all_sheets())


def pages() -> list[tuple[Sheet, Paper]]:
    return [(sheet, paper) for sheet in made() for paper in sheet.pages]


def test_the_folder_has_these_sheets_and_no_other(redraw: bool) -> None:
    if redraw:
        for file in FOLDER.rglob("*.*"):
            file.unlink()
        write(HERE, files())
    pdfs = {sheet.path(".pdf") for sheet in made()}
    templates = {sheet.path(".svg") for sheet in made() if sheet.name in TEMPLATES}
    kept = {file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*.*")}
    assert kept == pdfs | templates, STALE


def kept_pdf(sheet: Sheet) -> bytes:
    return (FOLDER / sheet.path(".pdf")).read_bytes()


@pytest.mark.soak
def test_each_sheet_is_what_the_lists_say() -> None:
    """In `make test` every fifth, which has each player's sheet, each language and both papers."""
    some = made()[:: extent(5, soak=1)]
    drawn = ((sheet, unpacked_pdf(as_pdf(sheet.pages))) for sheet in some)
    stale = [sheet.path("") for sheet, pdf in drawn if unpacked_pdf(kept_pdf(sheet)) != pdf]
    assert stale == [], STALE


def test_each_template_is_what_the_lists_say() -> None:
    for sheet in made():
        if sheet.name in TEMPLATES:
            [paper] = sheet.pages
            kept = (FOLDER / sheet.path(".svg")).read_text(encoding="utf-8")
            assert kept == paper.as_svg(), STALE
            assert f'width="{SIZES[sheet.size][0]}mm"' in kept


def test_each_language_has_every_player_s_sheet_on_a4() -> None:
    names = {sheet.name for sheet in made() if sheet.size == "a4"}
    assert {f"{code}/{name}" for code in LANGUAGES for name in PLAYERS} <= names


def test_each_language_has_its_own_rules_and_screens() -> None:
    assert [lacking for code in LANGUAGES for lacking in untranslated(code)] == []


def test_the_rules_and_screens_that_a_language_lacks_are_named() -> None:
    assert untranslated("xx")[len(GAMES) - 1 : len(GAMES) + 1] == [
        f"hardware/rules/{GAMES[-1]}.xx.md",
        "tests/screens/xx/play-joined.png",
    ]
    assert rules_text("ludo", "xx") == rules_text("ludo", "en")
    assert screen_file("play-menu", "xx") == screen_file("play-menu", "en")


def test_all_words_of_each_sheet_fit_their_room() -> None:
    assert [(sheet.path(""), text) for sheet, paper in pages() for text in paper.too_long] == []


def test_each_sheet_says_its_language_to_screen_readers() -> None:
    for sheet in made():
        code = sheet.name.partition("/")[0] if "/" in sheet.name else "en"
        assert b"/Lang (%s)" % language(code).code.encode() in kept_pdf(sheet), sheet.path("")


def test_a_text_that_needs_more_room_than_it_has_is_named() -> None:
    paper = Paper(SIZES["a4"])
    paper.text((10, 10), "Pulsa la cúpula", 4, 25)
    paper.text((10, 20), "Spielanleitung", 4, 10)
    paper.text((10, 30), "Pulsa la cúpula", 4, 25, most=2)
    assert paper.too_long == ["Pulsa la cúpula", "Spielanleitung"]


def test_a_letter_that_the_type_does_not_have_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        Paper(SIZES["a4"]).words((10, 10), "Жук", 4)


def test_a_line_of_french_does_not_begin_with_a_colon() -> None:
    assert wrap_text("« tour » du : pion", 10, 25) == ["« tour »", "du :", "pion"]


def test_nothing_is_drawn_where_printers_leave_white() -> None:
    for sheet, paper in pages():
        name = sheet.path("")
        if "cards" not in name:  # whose lines to cut along end at the edges
            width, height = paper.size
            paths = re.findall(r' (?:d|points)="([^"]+)"', paper.as_svg())
            corners = [
                f"{x + dx * across:.2f} {y + dy * down:.2f}"
                for x, y, across, down in _boxes(paper)
                for dx, dy in ((0, 0), (1, 1))
            ]
            for x, y in re.findall(r"([\d.]+)[ ,]([\d.]+)", " ".join([*paths, *corners])):
                assert 5 <= float(x) <= width - 5, name
                assert 5 <= float(y) <= height - 5, name


def test_the_ruler_of_the_template_is_100_mm_long() -> None:
    for sheet, paper in pages():
        if sheet.name in TEMPLATES:
            assert re.search(r'points="10\.00,(\S+) 110\.00,\1"', paper.as_svg())


@pytest.mark.parametrize("size", SIZES)
def test_the_templates_have_the_holes_of_both_kinds_of_jacks(size: str) -> None:
    [panel], [console] = pages_of("drilling", size), pages_of("drilling-console", size)
    radius = LISTED["switch jack"].opening[0] / 2
    assert panel.as_svg().count(f'r="{radius:.2f}"') == 2
    lines = re.findall(r'points="([^"]+)"', console.as_svg())
    corners = [[[*map(float, at.split(","))] for at in line.split()] for line in lines]
    sizes = [tuple(np.ptp(line, axis=0).round(1)) for line in corners]
    assert sizes.count((14.4, 14.0)) == len(m.CORD_JACKS)


def test_each_pdf_is_as_large_as_its_paper_and_each_ruler_is_100_mm_long() -> None:
    inch = 72.0
    for sheet in made():
        name, text = sheet.path(""), unpacked_pdf(kept_pdf(sheet)).decode("latin-1")
        boxes = re.findall(r"/MediaBox \[ 0 0 (\S+) (\S+) \]", text)
        paper = [mm / 25.4 * inch for mm in SIZES[sheet.size]]
        assert len(boxes) == len(sheet.pages), name
        for box in boxes:
            assert [float(points) for points in box] == pytest.approx(paper, abs=0.01), name
        scales = [one for one in re.findall(r"^(\S+) 0 0 -\1 0 \S+ cm$", text, re.M) if one != "1"]
        assert [float(one) for one in scales] == pytest.approx([inch / 25.4] * len(boxes)), name
        rulers = re.findall(r"^n (\d\S*) (\S+) m (\S+) \2 l$", text, re.M)
        measured = sum(float(right) - float(left) == 100 for left, _, right in rulers)
        has_none = sheet.name.startswith("proof") or bool(
            re.search("/(cards|rules|cowries)", sheet.name)
        )
        assert measured == (0 if has_none else len(boxes)), name


def pages_of(name: str, size: str) -> list[Paper]:
    return [paper for sheet, paper in pages() if (sheet.name, sheet.size) == (name, size)]


def shape_of(name: str) -> Board:
    """Return the board of a sheet."""
    rules = LUDO_BOARDS[name].edition if name in LUDO_BOARDS else "pachisi-mitra"
    return board(PRESETS[rules].layout)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BOARDS)
def test_the_four_parts_of_a_board_have_each_space_and_each_letter_once(
    size: str, name: str
) -> None:
    shape, parts = shape_of(name), pages_of(f"en/{name}", size)
    square = cloth.SQUARE if name == "cloth" else WIDTH / PLANS[shape.name].size
    grey = (box for paper in parts for box in _boxes(paper, GREY))
    area = sum(width * height for _, _, width, height in grey) - len(parts) * 9 * 9  # its number
    assert area / square**2 == pytest.approx(shape.ring + SEATS * shape.row, abs=0.02)
    letters = re.findall(r">([A-D])</text>", "".join(paper.as_svg() for paper in parts))
    assert sorted(letters) == list(SEAT_LETTERS)


def _boxes(paper: Paper, fill: str = '[^"]+') -> list[tuple[float, float, float, float]]:
    """Return left, top, width and height of each rectangle with this fill, in mm."""
    sides = r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    found = re.findall(rf'<rect {sides} fill="{fill}"', paper.as_svg())
    return [(float(x), float(y), float(width), float(height)) for x, y, width, height in found]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", LUDO_BOARDS)
def test_the_four_parts_of_a_ludo_board_have_a_round_place_for_each_pawn(
    size: str, name: str
) -> None:
    drawn = "".join(paper.as_svg() for paper in pages_of(f"en/{name}", size))
    radii = [float(radius) for radius in re.findall(r'r="(\S+)" fill="#ffffff"', drawn)]
    assert radii.count(min(radii)) == 4 * 4


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "sign", "count"), [("ludo-board-stars", STAR, 8), ("ludo-board-benches", BENCH, 8)]
)
def test_the_parts_of_a_sign_that_two_sheets_share_make_a_whole_one(
    size: str, name: str, sign: Lines, count: int
) -> None:
    drawn = "".join(paper.as_svg() for paper in pages_of(f"en/{name}", size))
    outlines = re.findall(rf'd="M([^M]+)Z" fill="{MIDDLE_GREY}"', drawn)  # a globe has holes
    assert len(outlines) == count + 4  # four are on the tips
    square = WIDTH / PLANS[shape_of(name).name].size * 0.95
    corners = [[tuple(map(float, at.split())) for at in one.split("L")] for one in outlines]
    assert sum(map(area, corners)) == pytest.approx(count * area(*sign) * square**2, rel=0.01)


def area(corners: Sequence[Sequence[float]]) -> float:
    """Return the area inside a closed line."""
    around = zip(corners, [*corners[1:], corners[0]], strict=True)
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in around)) / 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("ludo-board-stars", []),
        ("ludo-board-ladder", [*range(1, 7)] * 4),
        ("ludo-board-benches", [*range(1, 69), *[*range(1, 8)] * 4]),
    ],
)
def test_the_spaces_of_a_ladder_and_of_a_numbered_board_have_their_numbers(
    size: str, name: str, numbers: list[int]
) -> None:
    drawn = "".join(paper.as_svg() for paper in pages_of(f"en/{name}", size))
    assert sorted(map(int, re.findall(r">(\d+)</text>", drawn))) == sorted(numbers)


@pytest.mark.parametrize("size", SIZES)
def test_the_cloth_has_twelve_forts_of_four_arms(size: str) -> None:
    parts = pages_of("en/cloth", size)
    assert sum(paper.as_svg().count(f'fill="{cloth.FORT}"') for paper in parts) == 12 * 4


def test_each_card_of_throws_has_each_throw_of_each_table() -> None:
    tables = [LOTS["cowries-mitra"], LOTS["cowries-modern"]]
    for code in LANGUAGES:
        [paper] = pages_of(f"{code}/cowries", "a4")
        numbers = [int(text) for text in re.findall(r">(\d+)</text>", paper.as_svg())]
        assert numbers == [n for lots in tables for up in lots for n in (up, lots[up].value)], code


def test_the_card_of_throws_says_which_throws_bring_a_pawn_in() -> None:
    [paper] = pages_of("en/cowries", "a4")
    said = re.findall("throw again(?: and ([^<]*))?<", paper.as_svg())
    mitra, modern = "bring a pawn in", "get 1 to bring a pawn in"
    assert said == ["", mitra, mitra, "", modern, modern, modern]


def test_each_rules_card_has_all_of_its_text_on_one_page() -> None:
    for sheet in (one for one in made() if "/rules-" in one.name):
        [paper] = sheet.pages
        code, _, game = sheet.name.partition("/rules-")
        source = rules_text(game, code)
        lines = re.findall(r'y="([\d.]+)"[^>]*>([^<]*)</text>', paper.as_svg())
        written = unescape(" ".join(text for _, text in lines)).split()
        words = [word for word in source.split() if word not in ("#", "##", "-")]
        assert written == words, sheet.path("")
        assert max(float(y) for y, _ in lines) <= paper.size[1] - 10, sheet.path("")


def test_every_edition_but_those_of_parcheesi_has_a_card_of_its_rules() -> None:
    others = {name: row.family for name, row in EDITION_TABLE.items() if row.family != "parcheesi"}
    assert {name if name in GAMES else family for name, family in others.items()} >= set(GAMES)
    assert set(others.values()) <= set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_each_language_have_the_same_points(game: str) -> None:
    points = {code: re.findall("^(?:#+|-) ", rules_text(game, code), re.M) for code in LANGUAGES}
    assert points == dict.fromkeys(LANGUAGES, points["en"])


def test_a_card_shows_real_screens_dot_by_dot() -> None:
    for code, screen in product(LANGUAGES, STEPS):
        with Image.open(screen_file(screen, code)) as image:
            assert image.size == (128, 64), (code, screen)
            assert set(image.convert("L").getextrema()) == {0, 255}, (code, screen)


@pytest.mark.parametrize("size", SIZES)
def test_the_sheet_for_a_proof_has_each_picture_dot_by_dot(size: str) -> None:
    [paper] = pages_of("proof", size)
    shown = re.findall(r'href="data:image/png;base64,([^"]+)"', paper.as_svg())
    assert len(shown) == 6
    for data, picture in zip(shown, proof_pictures(), strict=True):
        with Image.open(BytesIO(b64decode(data))) as image:
            assert image.tobytes() == picture.tobytes()


def test_the_shapes_are_those_of_the_page() -> None:
    drawn = re.findall(r'^  "(M[^"]+)",$', BOARD.read_text(encoding="utf-8"), re.MULTILINE)
    for letter, path in zip(SEAT_LETTERS, drawn, strict=True):
        lines = tuple(tuple(_points(line)) for line in re.findall(r"M[^Z]+", path))
        assert lines == shapes.OUTLINES[letter]


def _points(path: str) -> list[tuple[float, float]]:
    """Return the corners of a path of M, L, H and V, absolute, as board.js has it."""
    points: list[tuple[float, float]] = []
    for kind, rest in re.findall(r"([MLHV])([^MLHV]+)", path.replace("L", "M")):
        numbers = [float(number) for number in re.findall(r"-?\.?\d+", rest)]
        if kind == "H":
            points.append((numbers[0], points[-1][1]))
        elif kind == "V":
            points.append((points[-1][0], numbers[0]))
        else:
            points += zip(numbers[::2], numbers[1::2], strict=True)
    return points


def test_the_shapes_are_those_of_the_panel() -> None:
    for letter, glyph in zip(SEAT_LETTERS, GLYPHS, strict=True):
        outline, *holes = shapes.OUTLINES[letter]
        corner = any(x < -0.4 and y < -0.4 for x, y in outline)
        assert bool(glyph.getpixel((0, 0))) == corner
        assert bool(glyph.getpixel((1, 1))) == (not holes)


def test_letters_cut_into_plastic_are_the_seats() -> None:
    assert shapes.LETTERS == SEAT_LETTERS == "".join(shapes.DOTS)
    assert all(
        len(rows) == 7 and {len(row) for row in rows} == {5} for rows in shapes.DOTS.values()
    )
