"""The map of a board with its pawns, as a one-bit image.

Each layout fills the same 57x57 pixels:

    cells    pixels   a pawn's glyph
    19x19    3        3x3
    15x15    4        3x3, a pixel apart; a pixel less on both sides of the middle columns
    11x11    5        5x5; a pixel more on both sides of the middle columns
    8x8      7        5x5

No space has a neighbour beyond these two pixels, so the steps of a pawn look alike. Do not change
the images of cached functions.
"""

from collections import Counter, defaultdict
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageChops

from pi_app.display.lettering import DARK, LIT, PICTURES, WORDS, draw_text
from pi_app.display.pictures import GLYPHS
from pi_app.model.cells import Cell, Cells, board_cells
from pi_app.model.screens import BoardMap, Pawn
from rules.board import HOME, NEST, ROW, SEAT_LETTERS, SEATS, safety_spaces, star_spaces
from rules.board import board as board_of
from rules.position import PAWNS

BOARD = 57  # pixels along an edge
FRAME = 2  # around the board: room for the ring about a pawn at its edge
MAP = FRAME + BOARD + FRAME

LARGE_GLYPHS = tuple(PICTURES[f"large-{letter}"] for letter in SEAT_LETTERS)
SMALL_LETTERS = tuple(PICTURES[f"letter-{letter}"] for letter in SEAT_LETTERS)
# On the row of a cloth pawns of only one seat can be, on their way out or on their way home.
HOLLOW, FILLED = 1, 0
# How many pawns a seat has on a space.
COUNTS = {count: PICTURES[f"count-{count}"] for count in (2, 3, 4)}


class Scale(NamedTuple):
    """How a board's cells become pixels."""

    pitch: int  # pixels from one cell to the next
    gap: int  # more pixels on both sides of the middle columns and rows
    glyphs: tuple[Image.Image, ...] = GLYPHS
    inset: int = 0  # of the nests from the board's edges
    nest: Image.Image | None = PICTURES["nest"]  # its outline; None if pawns stand in a line
    letter: Cell = (8, 2)  # where the seat's letter is in it
    pawns: tuple[Cell, ...] = ((2, 14), (7, 14), (12, 14), (17, 14))  # where its pawns are

    def corner(self, cell: Cell, size: int) -> Cell:
        """Return the top left pixel of a cell on a board of `size` cells along an edge."""
        inner = size // 2 - 1
        length = (size - 1) * self.pitch + 2 * self.gap + self.glyphs[0].width
        near = FRAME + (BOARD - length) // 2
        x, y = (near + n * self.pitch + self.gap * ((n >= inner) + (n > inner + 2)) for n in cell)
        return x, y


SCALES = {  # by the cells along an edge of the board
    19: Scale(3, 0, inset=1),
    15: Scale(4, -1),
    11: Scale(
        *(5, 1, LARGE_GLYPHS, 0),
        PICTURES["small-nest"],
        letter=(7, 2),
        pawns=((3, 13), (7, 13), (11, 13), (15, 13)),
    ),
    8: Scale(
        7, 0, LARGE_GLYPHS, nest=None, letter=(0, 0), pawns=((7, 1), (12, 1), (17, 1), (22, 1))
    ),
}


def pawns_take_turns(board: BoardMap) -> bool:
    """Whether a space has more pawns than one glyph shows. They take turns on a still map, too."""
    return any(len(_faces(pawns)) > 1 for pawns in _pawns_by_cell(board, None).values())


def draw_board(board: BoardMap, beat: int) -> Image.Image:
    """Return the 57x57 pixels of the board with its pawns, and the frame around them.

    beat: counts up. At even beats, what blinks is lit: the rings about the place that the pawn
    leaves and the one to which it goes, and the inverse of a pair. Where seats share a space, or
    one has more than two pawns there, each beat shows one seat's glyph or its number of pawns.
    """
    lit = beat % 2 == 0 and not board.still
    cells, moving = _cells(board), board.origin if lit else None
    glyphs = SCALES[cells.size].glyphs
    image = _draw_empty_board(
        board.layout, board.travel, board.safety, board.stars, board.seat, board.seats
    ).copy()
    for seat in board.seats:
        _draw_nest_and_home(image, board, seat, moving)
    ends = [cells.cell(*pawn) for pawn in (board.origin, board.target) if pawn]
    for cell, pawns in _pawns_by_cell(board, moving).items():
        faces = _faces(pawns)
        seat, count = faces[(beat // 2 if cell in ends else beat) % len(faces)]
        is_pair = lit and list(pawns.values()) == [2]
        glyph = ImageChops.invert(glyphs[seat]) if is_pair else glyphs[seat]
        x, y = SCALES[cells.size].corner(cell, cells.size)
        image.paste(COUNTS[count] if count else glyph, (x, y - 1 if count else y))
    if lit and board.origin:
        seat, _ = board.origin
        corner = _corner(board, board.origin, board.position[seat].count(board.origin[1]) - 1)
        _draw_ring(image, corner, _glyph(board, board.origin).width)
    if lit and board.target:
        seat, _ = board.target
        corner = _corner(board, board.target, board.position[seat].count(board.target[1]))
        _draw_ring(image, corner, _glyph(board, board.target).width)
        image.paste(_glyph(board, board.target), corner)
    return image


def _cells(board: BoardMap) -> Cells:
    return board_cells(board.layout, board.travel, board.seat)


def _pawns_by_cell(board: BoardMap, moving: Pawn | None) -> dict[Cell, dict[int, int]]:
    """Return how many pawns are on each cell by their glyph's number, without one that moves."""
    pawns = Counter((seat, place) for seat in board.seats for place in board.position[seat])
    by_cell = defaultdict[Cell, dict[int, int]](dict)
    for (seat, place), count in pawns.items():
        is_on_cell = place != HOME or _cells(board).home_is_cell
        cell = _cells(board).cell(seat, place) if is_on_cell else None
        left = count - ((seat, place) == moving)
        if cell and left:
            shape = _shape(board, (seat, place))
            by_cell[cell][shape] = by_cell[cell].get(shape, 0) + left
    return by_cell


def _shape(board: BoardMap, pawn: Pawn) -> int:
    """Return the number of a pawn's glyph: its seat, but on the row of a cloth its way."""
    seat, place = pawn
    if not _cells(board).is_cloth or place in (NEST, HOME) or 0 <= place < ROW:
        return seat
    return FILLED if place > ROW else HOLLOW


def _faces(pawns: dict[int, int]) -> list[tuple[int, int]]:
    """Return what a space shows in turn: a seat and 0 for its glyph, or its number of pawns.

    pawns: how many each seat has there. A pair that is alone blinks, so it needs no number.
    """
    if list(pawns.values()) == [2]:
        return [(min(pawns), 0)]
    return [(seat, n) for seat, count in pawns.items() for n in ((0, count) if count > 1 else (0,))]


def _draw_nest_and_home(
    image: Image.Image, board: BoardMap, seat: int, moving: Pawn | None
) -> None:
    """Draw each pawn that waits in the nest, and a point for each that is home beside the centre.

    On a cloth, draw each pawn that is home beside its seat's letter.
    """
    places, corner = board.position[seat], _cells(board).corner_place
    for index in range(places.count(corner) - (moving == (seat, corner))):
        image.paste(GLYPHS[seat], _corner(board, (seat, corner), index))
    if corner == HOME or _cells(board).home_is_cell:
        return
    for along in (-4, -2, 0, 2)[: places.count(HOME) - (moving == (seat, HOME))]:
        x, y = along, 4  # on the seat's side of the centre
        for _ in range((seat - board.seat) % SEATS):  # quarter turns away from the viewer
            x, y = y, -x
        x = -x if board.travel == "clockwise" else x
        image.putpixel((MAP // 2 + x, MAP // 2 + y), LIT)


def _draw_ring(image: Image.Image, corner: Cell, size: int) -> None:
    """Draw a ring with a dark gap around the pixels of a glyph at `corner`."""
    x, y = corner
    inside = image.crop((x, y, x + size, y + size))
    image.paste(LIT, (x - 2, y - 2, x + size + 2, y + size + 2))
    image.paste(DARK, (x - 1, y - 1, x + size + 1, y + size + 1))
    image.paste(inside, corner)


def _glyph(board: BoardMap, pawn: Pawn) -> Image.Image:
    """Return a pawn's glyph, which in a corner is small on every board."""
    cells = _cells(board)
    is_small = pawn[1] == cells.corner_place
    return (GLYPHS if is_small else SCALES[cells.size].glyphs)[_shape(board, pawn)]


def _corner(board: BoardMap, pawn: Pawn, nest_index: int) -> Cell:
    """Return the top left pixel of a pawn's place. nest_index: which of the four, if in a nest."""
    cells = _cells(board)
    scale, cell = SCALES[cells.size], cells.cell(*pawn)
    if cell:
        return scale.corner(cell, cells.size)
    x, y = _nest_corner(cells, pawn[0])
    right, down = scale.pawns[min(max(nest_index, 0), PAWNS - 1)]
    nest = cells.nests[pawn[0]]
    return (x + down, y + right) if nest.high > nest.wide else (x + right, y + down)


def _nest_corner(cells: Cells, seat: int) -> Cell:
    """Return the top left pixel of a nest's outline, or of a line of pawns."""
    scale, nest = SCALES[cells.size], cells.nests[seat]
    if scale.nest is None:
        return scale.corner((nest.left, nest.top), cells.size)
    far = BOARD - scale.inset - scale.nest.width
    return FRAME + (far if nest.left else scale.inset), FRAME + (far if nest.top else scale.inset)


def _draw_edges(image: Image.Image, corner: int) -> None:
    """Draw the edges of a cloth's arms, a pixel apart. corner: the size of a corner in pixels."""
    far = MAP - FRAME - 1
    for near in (FRAME + corner - 2, far - corner + 2):
        for begin, end in ((FRAME, FRAME + corner - 1), (far - corner + 2, far + 1)):
            image.paste(LIT, (near, begin, near + 1, end))
            image.paste(LIT, (begin, near, end, near + 1))


@cache
def _draw_empty_board(
    layout: str, travel: str, safety: str, stars: str, viewer: int, seats: tuple[int, ...]
) -> Image.Image:
    """Return the board without pawns, as the seat `viewer` sees it, with the letters of `seats`."""
    cells = board_cells(layout, travel, viewer)
    scale = SCALES[cells.size]
    image = Image.new("1", (MAP, MAP))
    dotted = [cells.ring[space] for space in safety_spaces(layout, safety)]
    if cells.is_cloth:
        dotted = []
        for space in safety_spaces(layout, safety):
            image.paste(PICTURES["fort"], scale.corner(cells.ring[space], cells.size))
        _draw_edges(image, cells.nests[0].wide * scale.pitch)
    elif board_of(layout).is_goal or cells.home_is_cell:
        dotted += [cell for row in cells.rows for cell in row]
        dotted += [cells.centre] * cells.home_is_cell
        if not scale.nest:
            dotted += cells.ring
    else:
        image.paste(PICTURES["home"], (MAP // 2 - 2, MAP // 2 - 2))
    for space in star_spaces(layout, stars):
        image.paste(PICTURES["fort"], scale.corner(cells.ring[space], cells.size))
    middle = scale.glyphs[0].width // 2
    for cell in dotted:
        x, y = scale.corner(cell, cells.size)
        image.putpixel((x + middle, y + middle), LIT)
    for seat in range(SEATS):
        x, y = _nest_corner(cells, seat)
        if scale.nest and not cells.is_cloth:
            image.paste(scale.nest, (x, y))
        if seat in seats:
            letter = draw_text(WORDS, SEAT_LETTERS[seat]) if scale.nest else SMALL_LETTERS[seat]
            image.paste(letter, (x + scale.letter[0], y + scale.letter[1]))
    return image
