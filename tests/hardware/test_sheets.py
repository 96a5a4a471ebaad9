"""hardware/sheets/: what is printed on paper is what the lists, the shapes and the screens say."""

import re
from html import unescape
from pathlib import Path

import pytest
from PIL import Image

from hardware import cloth, ludo_board, shapes
from hardware.lists import HERE
from hardware.paper import SIZES, Paper
from hardware.quarters import GREY
from hardware.rules_cards import GAMES
from hardware.sheets import PDF_ONLY, SCREENS, STEPS, pages
from pi_app.display.pictures import GLYPHS
from rules.board import SEAT_LETTERS
from rules.ruleset import LOTS

FOLDER = HERE / "sheets"
BOARD = Path(__file__).parents[2] / "pi_app" / "web" / "board.js"
STALE = "stale: run make hardware"
MADE = [(size, name, paper) for size in SIZES for name, paper in pages(size)]


@pytest.mark.parametrize(("size", "name", "paper"), MADE, ids=[name for _, name, _ in MADE])
def test_a_sheet_is_what_the_lists_say(size: str, name: str, paper: Paper) -> None:
    svg = FOLDER / f"{name}.svg"
    kept = svg.read_text(encoding="utf-8") if svg.exists() else None
    assert kept == (None if name.startswith(PDF_ONLY) else paper.as_svg()), STALE
    assert (FOLDER / f"{name}.pdf").read_bytes() == paper.as_pdf(), STALE
    assert f'width="{SIZES[size][0]}mm"' in paper.as_svg()


def test_the_pdf_s_table_says_where_each_object_begins() -> None:
    data = MADE[0][2].as_pdf()
    [start] = re.findall(rb"startxref\n(\d+)\n", data)
    assert data[int(start) :].startswith(b"xref\n")
    for n, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data), 1):
        assert data[int(place) :].startswith(b"%d 0 obj\n" % n)


def test_nothing_is_drawn_where_printers_leave_white() -> None:
    for _, name, paper in MADE:
        if not name.startswith("cards"):  # whose lines to cut along end at the edges
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
    for _, name, paper in MADE:
        if name.startswith("drilling"):
            assert re.search(r'points="10\.00,(\S+) 110\.00,\1"', paper.as_svg())


@pytest.mark.parametrize(("size", "name", "paper"), MADE, ids=[name for _, name, _ in MADE])
def test_a_pdf_is_as_large_as_its_paper_and_its_ruler_is_100_mm_long(
    size: str, name: str, paper: Paper
) -> None:
    inch, text = 72.0, paper.as_pdf().decode("latin-1")
    [box] = re.findall(r"/MediaBox \[0 0 (\S+) (\S+)\]", text)
    for points, mm in zip(box, SIZES[size], strict=True):
        assert float(points) == pytest.approx(mm / 25.4 * inch, abs=0.01)
    rulers = re.findall(r"(\d\S+) (\S+) m (\S+) \2 l S", text)
    lengths = [(float(right) - float(left)) / inch * 25.4 for left, _, right in rulers]
    assert any(abs(length - 100) < 0.02 for length in lengths) != name.startswith(
        ("cards", "rules", "cowries")
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "square", "spaces"),
    [("ludo-board", ludo_board.SQUARE, 52 + 4 * 5), ("cloth", cloth.SQUARE, 68 + 4 * 7)],
)
def test_the_four_parts_of_a_board_have_each_space_and_each_letter_once(
    size: str, name: str, square: float, spaces: int
) -> None:
    parts = [paper for at, sheet, paper in MADE if at == size and sheet.startswith(name)]
    grey = (box for paper in parts for box in _boxes(paper, GREY))
    area = sum(width * height for _, _, width, height in grey) - len(parts) * 9 * 9  # its number
    assert area / square**2 == pytest.approx(spaces, abs=0.02)
    letters = re.findall(r">([A-D])</text>", "".join(paper.as_svg() for paper in parts))
    assert sorted(letters) == list(SEAT_LETTERS)


def _boxes(paper: Paper, fill: str = '[^"]+') -> list[tuple[float, float, float, float]]:
    """Return left, top, width and height of each rectangle with this fill, in mm."""
    sides = r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    found = re.findall(rf'<rect {sides} fill="{fill}"', paper.as_svg())
    return [(float(x), float(y), float(width), float(height)) for x, y, width, height in found]


@pytest.mark.parametrize("size", SIZES)
def test_the_cloth_has_twelve_forts_of_four_arms(size: str) -> None:
    parts = [paper for at, sheet, paper in MADE if at == size and sheet.startswith("cloth")]
    assert sum(paper.as_svg().count(f'fill="{cloth.FORT}"') for paper in parts) == 12 * 4


def test_the_card_of_throws_has_each_throw_of_each_table() -> None:
    for _, name, paper in MADE:
        if name.startswith("cowries"):
            numbers = [int(text) for text in re.findall(r">(\d+)</text>", paper.as_svg())]
            tables = [LOTS["cowries-mitra"], LOTS["cowries-modern"]]
            assert numbers == [n for lots in tables for up in lots for n in (up, lots[up].value)]
            assert (
                len(re.findall(", (?:and 1 to bring|brings) a pawn in<", paper.as_svg())) == 2 + 3
            )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES)
def test_a_rules_card_has_all_of_its_text_on_one_page(size: str, game: str) -> None:
    [paper] = [paper for _, name, paper in MADE if name == f"rules-{game}-{size}"]
    source = (HERE / f"rules-{game}.md").read_text(encoding="utf-8")
    lines = re.findall(r'y="([\d.]+)"[^>]*>([^<]*)</text>', paper.as_svg())
    written = unescape(" ".join(text for _, text in lines)).split()
    assert written == [word for word in source.split() if word not in ("#", "##", "-")]
    assert max(float(y) for y, _ in lines) <= paper.size[1] - 10


@pytest.mark.parametrize("name", [name for name, _, _ in STEPS])
def test_a_card_shows_real_screens_dot_by_dot(name: str) -> None:
    with Image.open(SCREENS / f"{name}.png") as image:
        assert image.size == (128, 64)
        assert set(image.convert("L").getextrema()) == {0, 255}


def test_the_shapes_are_those_of_the_page() -> None:
    drawn = re.findall(r'^  "(M[^"]+)",$', BOARD.read_text(encoding="utf-8"), re.MULTILINE)
    for letter, path in zip(SEAT_LETTERS, drawn, strict=True):
        lines = [tuple(_points(line)) for line in re.findall(r"M[^Z]+", path)]
        assert lines[0] == shapes.OUTLINES[letter]
        assert lines[1:] == [shapes.HOLES[name] for name in shapes.HOLES if name == letter]


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
        ends = shapes.OUTLINES[letter]
        corner = any(x < -0.4 and y < -0.4 for x, y in ends)
        assert bool(glyph.getpixel((0, 0))) == corner
        assert bool(glyph.getpixel((1, 1))) == (letter not in shapes.HOLES)


def test_letters_cut_into_plastic_are_the_seats() -> None:
    assert shapes.LETTERS == SEAT_LETTERS == "".join(shapes.DOTS)
    assert all(
        len(rows) == 7 and {len(row) for row in rows} == {5} for rows in shapes.DOTS.values()
    )
