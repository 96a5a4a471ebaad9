"""Where the spaces lie, on every layout, both ways round, seen from every seat."""

from itertools import pairwise, product

import pytest

from pi_app.screens.cells import CENTRE, GRID, Cell, Cells, board_cells
from rules.board import BOARDS, HOME, NEST, ROW, ROW_LENGTH, SEATS, board, safety_spaces

WAYS = ("counterclockwise", "clockwise")
VIEWS = [
    pytest.param(layout, travel, seat, id=f"{layout}-{travel}-{'ABCD'[seat]}")
    for layout, travel, seat in product(BOARDS, WAYS, range(SEATS))
]

# Seat A's view, counterclockwise: o ring, * safety space, E own entry, T own tip, 1 to 7 own home
# row, r other home rows, H home.
STANDARD = """
........o*o........
........oro........
........oro........
........oro........
........*r*........
........oro........
........oro........
........oro........
oooo*ooo...ooo*oooo
*rrrrrrr.H.rrrrrrr*
oooo*ooo...ooo*oooo
........o7o........
........o6o........
........o5o........
........*4E........
........o3o........
........o2o........
........o1o........
........oTo........
"""
CORNER_64 = """
........o*o........
........oro........
........oro........
........oro........
........*r*........
........oro........
........oro........
.......o.r.o.......
oooo*oo.....oo*oooo
*rrrrrrr.H.rrrrrrr*
oooo*oo.....oo*oooo
.......o.7.o.......
........o6o........
........o5o........
........*4E........
........o3o........
........o2o........
........o1o........
........oTo........
"""
PACHISI = """
........o*o........
........oro........
........oro........
........*r*........
........oro........
........oro........
........oro........
........oro........
ooo*oooo...oooo*ooo
*rrrrrrr.H.rrrrrrr*
ooo*oooo...oooo*ooo
........o7o........
........o6o........
........o5o........
........o4o........
........*3E........
........o2o........
........o1o........
........oTo........
"""
TIP_ENTRY = STANDARD.replace("E", "*").replace("T", "E")
DRAWINGS = {
    "standard": STANDARD,
    "corner-64": CORNER_64,
    "pachisi": PACHISI,
    "tip-entry": TIP_ENTRY,
}


def drawing(layout: str, seen: Cells, seat: int) -> str:
    """Draw a board as one seat sees it, in the letters above."""
    safe = safety_spaces(layout, "twelve")
    marks: dict[Cell, str] = {
        cell: "*" if space in safe else "o" for space, cell in enumerate(seen.ring)
    }
    marks |= {cell: "r" for row in seen.rows for cell in row}
    own: list[tuple[int, str]] = [(board(layout).last, "T"), (0, "E"), (HOME, "H")]
    own += [(ROW + n, str(n)) for n in range(1, ROW_LENGTH + 1)]
    for place, mark in own:
        cell = seen.cell(seat, place)
        assert cell is not None
        marks[cell] = mark
    rows = ["".join(marks.get((x, y), ".") for x in range(GRID)) for y in range(GRID)]
    return "\n".join(["", *rows, ""])


@pytest.mark.parametrize("seat", range(SEATS))
@pytest.mark.parametrize("layout", BOARDS)
def test_every_seat_sees_the_board_drawn_here(layout: str, seat: int) -> None:
    seen = board_cells(layout, "counterclockwise", seat)
    assert drawing(layout, seen, seat) == DRAWINGS[layout]


@pytest.mark.parametrize("layout", BOARDS)
def test_a_clockwise_board_is_the_mirror_image(layout: str) -> None:
    mirrored = "\n".join(row[::-1] for row in DRAWINGS[layout].split("\n"))
    assert drawing(layout, board_cells(layout, "clockwise", 2), 2) == mirrored


@pytest.mark.parametrize(("layout", "travel", "seat"), VIEWS)
def test_every_space_has_a_cell_of_its_own_outside_the_nests(
    layout: str, travel: str, seat: int
) -> None:
    seen = board_cells(layout, travel, seat)
    taken = [*seen.ring, *(cell for row in seen.rows for cell in row), CENTRE]
    assert len(seen.ring) == board(layout).ring
    assert len(set(taken)) == len(taken) == board(layout).ring + SEATS * ROW_LENGTH + 1
    inner_corners = {(7, 7), (7, 11), (11, 7), (11, 11)} if layout == "corner-64" else set()
    assert {cell for cell in taken if in_a_nest(seen, cell)} == inner_corners


def in_a_nest(seen: Cells, cell: Cell) -> bool:
    return any(0 <= cell[0] - x < 8 and 0 <= cell[1] - y < 8 for x, y in seen.nests)


@pytest.mark.parametrize(("layout", "travel", "seat"), VIEWS)
def test_a_pawn_walks_from_cell_to_neighbouring_cell(layout: str, travel: str, seat: int) -> None:
    seen = board_cells(layout, travel, seat)
    ring = [seen.cell(seat, step) for step in range(board(layout).last + 1)]
    row = [seen.cell(seat, ROW + n) for n in range(1, ROW_LENGTH + 1)]
    for (x, y), (next_x, next_y) in pairwise(cell for cell in ring + row if cell):
        assert max(abs(next_x - x), abs(next_y - y)) == 1


@pytest.mark.parametrize("layout", BOARDS)
def test_steps_across_a_corner_are_only_where_two_arms_meet(layout: str) -> None:
    ring = board_cells(layout, "counterclockwise", 0).ring
    across = [
        (here, there)
        for here, there in pairwise((*ring, ring[0]))
        if here[0] != there[0] and here[1] != there[1]
    ]
    assert len(across) == (8 if layout == "corner-64" else 4)
    assert all(abs(x - 9) <= 3 and abs(y - 9) <= 3 for pair in across for x, y in pair)


@pytest.mark.parametrize(("layout", "travel", "seat"), VIEWS)
def test_the_own_home_row_starts_at_the_bottom_edge_and_leads_up_to_the_centre(
    layout: str, travel: str, seat: int
) -> None:
    seen = board_cells(layout, travel, seat)
    assert seen.cell(seat, board(layout).last) == (9, 18)
    assert seen.rows[seat] == tuple((9, row) for row in range(17, 10, -1))
    assert seen.cell(seat, HOME) == CENTRE == (9, 9)


@pytest.mark.parametrize(("layout", "travel", "seat"), VIEWS)
def test_the_own_nest_is_at_the_bottom_on_the_side_where_the_pawn_enters(
    layout: str, travel: str, seat: int
) -> None:
    seen = board_cells(layout, travel, seat)
    right = travel == "counterclockwise"
    assert seen.nests[seat] == ((11, 11) if right else (0, 11))
    entry = seen.cell(seat, 0)
    offset = board(layout).entry_offset
    assert entry == ((10 if right else 8, 19 - offset) if offset else (9, 18))
    assert seen.cell(seat, NEST) is None


@pytest.mark.parametrize(("layout", "travel", "seat"), VIEWS)
def test_the_next_seat_in_the_direction_of_travel_sees_the_board_a_quarter_turn_on(
    layout: str, travel: str, seat: int
) -> None:
    mine, theirs = (
        board_cells(layout, travel, seat),
        board_cells(layout, travel, (seat + 1) % SEATS),
    )
    side = 1 if travel == "counterclockwise" else -1
    turned = [(9 + side * (y - 9), 9 - side * (x - 9)) for x, y in theirs.ring]
    assert list(mine.ring) == turned


@pytest.mark.parametrize(("layout", "travel", "seat"), VIEWS)
def test_places_that_are_one_space_are_one_cell(layout: str, travel: str, seat: int) -> None:
    this, seen = board(layout), board_cells(layout, travel, seat)
    for step in range(this.last + 1):
        space = this.space(seat, step)
        for other in range(SEATS):
            assert space is not None
            assert seen.cell(other, this.seen_from(other, space)) == seen.cell(seat, step)
