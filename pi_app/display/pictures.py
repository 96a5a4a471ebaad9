"""The pictures of seats, dice, the cup and the board's map, as one-bit images.

Do not change the images of cached functions.
"""

from collections import Counter
from functools import cache

from PIL import Image, ImageChops

from pi_app.display.lettering import DARK, LIT, WORDS, draw_text, parse_picture
from pi_app.screens.cells import GRID, Cell, Cells, board_cells
from pi_app.screens.screen import BoardMap, Die, PatternName, Pawn
from rules.board import HOME, NEST, SEAT_LETTERS, SEATS, safety_spaces

CELL = 3  # pixels
FRAME = 2  # around the board: room for the ring about a pawn at its edge
MAP = FRAME + GRID * CELL + FRAME

GLYPHS = tuple(
    parse_picture(rows)
    for rows in (
        ("###", "###", "###"),  # A solid
        ("###", "#.#", "###"),  # B hollow
        (".#.", "###", ".#."),  # C plus
        ("..#", ".#.", "#.."),  # D diagonal
    )
)
INVERSES = tuple(ImageChops.invert(glyph) for glyph in GLYPHS)
NEST_BOX = parse_picture(
    (
        "........................",
        "......############......",
        "....##............##....",
        "...#................#...",
        "..#..................#..",
        "..#..................#..",
        *[".#....................#."] * 13,
        "..#..................#..",
        "...#................#...",
        "....##............##....",
        "......############......",
        "........................",
    )
)
HOME_MARK = parse_picture(("..#..", ".#.#.", "#...#", ".#.#.", "..#.."))
DOT = parse_picture(("...", ".#.", "..."))

STAR = parse_picture(
    (
        "....#....",
        "....#....",
        "...###...",
        "#########",
        ".#######.",
        "..#####..",
        "..#####..",
        ".###.###.",
        ".#.....#.",
    )
)

CUP = parse_picture(
    (
        "#######################",
        "#..#...............#..#",
        "#..#...............#..#",
        "#..#...............####",
        "#..#...............#..#",
        "#..#...............#..#",
        "#..#...............#..#",
        "#..#...............#..#",
        "#..#...............#..#",
        ".#.#...............#.#.",
        ".#.#...............#.#.",
        "..##...............##..",
        "...#...............#...",
        "...##.............##...",
        "....#.............#....",
        "....##...........##....",
        ".....##.........##.....",
        "......###.....###......",
        "........#######........",
        ".........#####.........",
        "..........###..........",
        "..........###..........",
        "..........###..........",
        "........#######........",
        "......###########......",
        "......###########......",
    )
)

CUP_SHAPE_POSITION = (7, 4)  # the corner of a seat's glyph on the cup, at scale 3

# The pips of each face, in 3 rows.
PIPS = {
    1: ("...", ".#.", "..."),
    2: ("..#", "...", "#.."),
    3: ("..#", ".#.", "#.."),
    4: ("#.#", "...", "#.#"),
    5: ("#.#", ".#.", "#.#"),
    6: ("#.#", "#.#", "#.#"),
}
# A die's size in pixels: the width of a pip, and the gap before, between and after the three pips.
SMALL, BIG = (2, 1), (5, 3)
TUMBLING_SIZES = {SMALL: (1, 1), BIG: (4, 2)}  # smaller, because the die is tilted
TILT_DEGREES = 25  # for each pip of the face


@cache
def glyph(seat: int, scale: int) -> Image.Image:
    """Return a seat's glyph, each pixel enlarged to `scale` pixels."""
    return GLYPHS[seat].resize((CELL * scale, CELL * scale))


def die_width(size: tuple[int, int]) -> int:
    """Return the width of a die in pixels."""
    pip, gap = size
    return 3 * pip + 4 * gap


@cache
def draw_die(this: Die, size: tuple[int, int]) -> Image.Image:
    """Return a die from above, tilted if it tumbles. size: `SMALL` or `BIG`."""
    image = Image.new("1", (die_width(size), die_width(size)))
    if not this.tumbling:
        _draw_face(image, this.face, size)
        return image
    _draw_face(image, this.face, TUMBLING_SIZES[size])
    margin = (die_width(size) - die_width(TUMBLING_SIZES[size])) // 2
    return ImageChops.offset(image, margin).rotate(this.face * TILT_DEGREES)


def _draw_face(image: Image.Image, face: int, size: tuple[int, int]) -> None:
    pip, gap = size
    edge = die_width(size) - 1
    image.paste(LIT, (0, 0, edge + 1, edge + 1))
    if size == BIG:
        for corner in ((0, 0), (0, edge), (edge, 0), (edge, edge)):
            image.putpixel(corner, DARK)
    for row, marks in enumerate(PIPS[face]):
        for column, mark in enumerate(marks):
            x, y = (gap + n * (pip + gap) for n in (column, row))
            if mark == "#":
                image.paste(DARK, (x, y, x + pip, y + pip))


def draw_board(board: BoardMap, lit: bool) -> Image.Image:
    """Return the 57x57 pixels of the board with its pawns, and the frame around them.

    lit: whether blinking parts are lit now: the rings about the place that the pawn leaves and the
    one to which it goes.
    """
    cells = board_cells(board.layout, board.travel, board.seat)
    image = _draw_empty_board(
        board.layout, board.travel, board.safety, board.seat, board.seats
    ).copy()
    moving = board.origin if lit else None
    pawns = Counter((seat, place) for seat in board.seats for place in board.position[seat])
    for pawn, count in pawns.items():
        _draw_pawns(image, cells, board, pawn, count - (pawn == moving), lit)
    if lit and board.origin:
        seat, _ = board.origin
        _draw_ring(image, _place_corner(cells, board.origin, board.position[seat].count(NEST) - 1))
    if lit and board.target:
        seat, _ = board.target
        corner = _place_corner(cells, board.target, board.position[seat].count(NEST))
        _draw_ring(image, corner)
        image.paste(GLYPHS[seat], corner)
    return image


def _draw_pawns(
    image: Image.Image, cells: Cells, board: BoardMap, pawn: Pawn, count: int, lit: bool
) -> None:
    """Draw the `count` pawns of one place: each one in nest and home, otherwise one or a blockade.

    lit: whether a blockade, which blinks, is drawn inverted.
    """
    seat, place = pawn
    if place == NEST:
        for corner in _nest_places(cells.nests[seat])[:count]:
            image.paste(GLYPHS[seat], corner)
    elif place == HOME:
        for along in (-4, -2, 0, 2)[:count]:  # on the seat's side of the centre
            x, y = along, 4
            for _ in range((seat - board.seat) % SEATS):  # quarter turns away from the viewer
                x, y = y, -x
            x = -x if board.travel == "clockwise" else x
            image.putpixel((MAP // 2 + x, MAP // 2 + y), LIT)
    elif count:
        glyphs = INVERSES if count > 1 and lit else GLYPHS
        image.paste(glyphs[seat], _place_corner(cells, pawn, 0))


def _draw_ring(image: Image.Image, corner: Cell) -> None:
    """Draw a ring with a dark gap around the 3x3 pixels at `corner`."""
    x, y = corner
    inside = image.crop((x, y, x + CELL, y + CELL))
    image.paste(LIT, (x - 2, y - 2, x + CELL + 2, y + CELL + 2))
    image.paste(DARK, (x - 1, y - 1, x + CELL + 1, y + CELL + 1))
    image.paste(inside, corner)


def _place_corner(cells: Cells, pawn: Pawn, nest_index: int) -> Cell:
    """Return the top left pixel of a pawn's place. nest_index: which of the four, if in a nest."""
    cell = cells.cell(*pawn)
    if cell:
        return _corner(cell)
    return _nest_places(cells.nests[pawn[0]])[min(max(nest_index, 0), 3)]


def _corner(cell: Cell) -> Cell:
    return FRAME + cell[0] * CELL, FRAME + cell[1] * CELL


def _nest_places(nest: Cell) -> list[Cell]:
    x, y = _corner(nest)
    return [(x + 3 + 5 * n, y + 15) for n in range(4)]


@cache
def _draw_empty_board(
    layout: str, travel: str, safety: str, viewer: int, seats: tuple[int, ...]
) -> Image.Image:
    """Return the board without pawns, as the seat `viewer` sees it, with the letters of `seats`."""
    cells = board_cells(layout, travel, viewer)
    image = Image.new("1", (MAP, MAP))
    for space in safety_spaces(layout, safety):
        image.paste(DOT, _corner(cells.ring[space]))
    image.paste(HOME_MARK, (MAP // 2 - 2, MAP // 2 - 2))
    for nest in cells.nests:
        image.paste(NEST_BOX, _corner(nest))
    for seat in seats:
        x, y = _corner(cells.nests[seat])
        image.paste(draw_text(WORDS, SEAT_LETTERS[seat]), (x + 9, y + 3))
    return image


CHECK_SIZE = 8  # pixels: visible as squares from where people read the display


def draw_pattern(what: PatternName, size: tuple[int, int]) -> Image.Image:
    """Return a picture of the display's size that shows missing dots, or a shift."""
    width, height = size
    image = Image.new("1", size, LIT)
    if what == "the-edge":
        image.paste(DARK, (1, 1, width - 1, height - 1))
    elif what == "checks":
        for x in range(0, width, CHECK_SIZE):
            for y in range(x % (2 * CHECK_SIZE), height, 2 * CHECK_SIZE):
                image.paste(DARK, (x, y, x + CHECK_SIZE, y + CHECK_SIZE))
    return image
