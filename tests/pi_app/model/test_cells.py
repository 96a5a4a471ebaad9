"""Where the spaces are, on every layout, for both directions of travel, seen from every seat."""

from itertools import pairwise, product

from pi_app.model.cells import Cell, Cells, board_cells
from rules.board import BOARDS, HOME, NEST, ROW, SEATS, board

WAYS = ("counterclockwise", "clockwise")
VIEWS = list(product(BOARDS, WAYS, range(SEATS)))

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
LUDO_52 = """
......ooo......
......*ro......
......or*......
......oro......
......oro......
......oro......
oo*ooo...oooo*o
orrrrr.H.rrrrro
o*oooo...ooo*oo
......o5o......
......o4o......
......o3o......
......*2o......
......o1E......
......oTo......
"""
RING_40 = """
....ooo....
....oro....
....oro....
....oro....
ooooorooooo
orrrr.rrrro
ooooo4ooooo
....o3o....
....o2o....
....o1o....
....oTE....
"""
RING_28 = """
oooooooo
o.r....o
o.rrrrro
o.r..4.o
o.r..3.o
orrrr2.o
o....1.o
oooooTEo
"""
RING_56 = """
......*oo......
......oro......
......oro......
......oro......
......oro......
......oro......
oooooooroooooo*
orrrrrrHrrrrrro
*oooooo6ooooooo
......o5o......
......o4o......
......o3o......
......o2o......
......o1o......
......oTE......
"""
TIP_ENTRY = STANDARD.replace("E", "*").replace("T", "E")
# On a cloth pawns wait in the centre, nearest to their letter, and those at home leave the board.
CROSS = PACHISI.replace("E", "*").replace("T", "E").replace("H", ".")
CROSS = CROSS[: (at := CROSS.index("7") - 19)] + "N" + CROSS[at + 1 :]
DRAWINGS = {
    "standard": STANDARD,
    "corner-64": CORNER_64,
    "pachisi": PACHISI,
    "tip-entry": TIP_ENTRY,
    "ludo-52": LUDO_52,
    "ring-40": RING_40,
    "ring-28": RING_28,
    "ring-56": RING_56,
    "cross": CROSS,
}
SQUARE = "ring-28"  # the others are crosses
CROSSES = [layout for layout in BOARDS if layout != SQUARE]


def drawing(layout: str, seen: Cells, seat: int) -> str:
    """Draw a board as one seat sees it, in the letters above."""
    safe = () if board(layout).is_goal else max(board(layout).safety.values(), key=len)
    marks: dict[Cell, str] = {
        cell: "*" if space in safe else "o" for space, cell in enumerate(seen.ring)
    }
    marks |= {cell: "r" for row in seen.rows for cell in row}
    own: list[tuple[int, str]] = [(board(layout).last, "T"), (0, "E"), (HOME, "H"), (NEST, "N")]
    own += [(ROW + n, str(n)) for n in range(1, board(layout).row + 1)]
    for place, mark in own:
        cell = seen.cell(seat, place)
        if cell and place in board(layout).places:
            marks[cell] = mark
    rows = ["".join(marks.get((x, y), ".") for x in range(seen.size)) for y in range(seen.size)]
    return "\n".join(["", *rows, ""])


def test_every_seat_sees_the_board_drawn_here() -> None:
    for layout, seat in product(BOARDS, range(SEATS)):
        seen = board_cells(layout, "counterclockwise", seat)
        assert drawing(layout, seen, seat) == DRAWINGS[layout], (layout, seat)


def test_a_clockwise_board_is_the_mirror_image() -> None:
    for layout in BOARDS:
        mirrored = "\n".join(row[::-1] for row in DRAWINGS[layout].split("\n"))
        assert drawing(layout, board_cells(layout, "clockwise", 2), 2) == mirrored, layout


def test_every_space_has_a_cell_of_its_own_outside_the_nests() -> None:
    for view in VIEWS:
        layout, travel, seat = view
        seen, this = board_cells(layout, travel, seat), board(layout)
        taken = [*seen.ring, *(cell for row in seen.rows for cell in row)]
        taken += [] if this.is_goal else [seen.centre]
        assert len(seen.ring) == this.ring, view
        spaces = this.ring + SEATS * this.row + (not this.is_goal)
        assert len(set(taken)) == len(taken) == spaces, view
        inner_corners = {(7, 7), (7, 11), (11, 7), (11, 11)} if layout == "corner-64" else set()
        assert {cell for cell in taken if in_a_nest(seen, cell)} == inner_corners, view


def in_a_nest(seen: Cells, cell: Cell) -> bool:
    return any(
        0 <= cell[0] - nest.left < nest.wide and 0 <= cell[1] - nest.top < nest.high
        for nest in seen.nests
    )


def test_a_pawn_walks_from_cell_to_neighbouring_cell() -> None:
    for view in VIEWS:
        layout, travel, seat = view
        seen = board_cells(layout, travel, seat)
        places = [place for place in board(layout).way if place not in (NEST, HOME)]
        way = [seen.cell(seat, place) for place in places]
        for (x, y), (next_x, next_y) in pairwise(cell for cell in way if cell):
            assert max(abs(next_x - x), abs(next_y - y)) == 1, (view, x, y)


def test_the_way_out_is_the_home_row_from_its_end() -> None:
    seen = board_cells("cross", "counterclockwise", 0)
    assert [seen.cell(0, NEST + n) for n in range(1, 8)] == [(9, y) for y in range(11, 18)]


def test_steps_across_a_corner_are_only_where_two_arms_meet() -> None:
    for layout in BOARDS:
        seen = board_cells(layout, "counterclockwise", 0)
        across = [
            (here, there)
            for here, there in pairwise((*seen.ring, seen.ring[0]))
            if here[0] != there[0] and here[1] != there[1]
        ]
        assert len(across) == {"corner-64": 8, "ring-40": 0, "ring-28": 0, "ring-56": 0}.get(
            layout, 4
        ), layout
        distances = (abs(n - seen.size // 2) for step in across for cell in step for n in cell)
        assert all(distance <= 3 for distance in distances), layout


def test_the_own_home_row_of_a_cross_leads_from_the_bottom_edge_up_to_the_centre() -> None:
    for view in product(CROSSES, WAYS, range(SEATS)):
        layout, travel, seat = view
        seen = board_cells(layout, travel, seat)
        middle, edge = seen.size // 2, seen.size - 1
        row = tuple((middle, edge - n) for n in range(1, board(layout).row + 1))
        assert seen.cell(seat, board(layout).last) == (middle, edge), view
        assert seen.rows[seat] == row, view
        assert seen.centre == (middle, middle), view


def test_the_own_nest_of_a_cross_is_at_the_bottom_on_the_side_where_the_pawn_enters() -> None:
    for view in product(CROSSES, WAYS, range(SEATS)):
        layout, travel, seat = view
        seen = board_cells(layout, travel, seat)
        right, middle = travel == "counterclockwise", seen.size // 2
        size = middle - 1
        assert seen.nests[seat] == (middle + 2 if right else 0, middle + 2, size, size), view
        offset = board(layout).ring - board(layout).last
        beside = middle + (1 if right else -1)
        entry = (beside, seen.size - offset) if offset else (middle, seen.size - 1)
        assert seen.cell(seat, 0) == entry, view
        assert seen.cell(seat, HOME if layout == "cross" else NEST) is None, view


def test_the_nests_of_the_square_are_four_cells_beside_home_row_and_entry() -> None:
    for seat in range(SEATS):
        assert board_cells(SQUARE, "counterclockwise", seat).nests[seat] == (6, 3, 1, 4)
    seen = board_cells(SQUARE, "clockwise", 0)
    assert seen.nests == ((1, 3, 1, 4), (1, 1, 4, 1), (6, 1, 1, 4), (3, 6, 4, 1))


def test_the_next_seat_in_the_direction_of_travel_sees_the_board_a_quarter_turn_on() -> None:
    for view in VIEWS:
        layout, travel, seat = view
        mine = board_cells(layout, travel, seat)
        theirs = board_cells(layout, travel, (seat + 1) % SEATS)
        far, counterclockwise = mine.size - 1, travel == "counterclockwise"
        turned = [(y, far - x) if counterclockwise else (far - y, x) for x, y in theirs.ring]
        assert list(mine.ring) == turned, view


def test_places_that_are_one_space_are_one_cell() -> None:
    for view in VIEWS:
        layout, travel, seat = view
        this, seen = board(layout), board_cells(layout, travel, seat)
        for step in range(this.last + 1):
            space = this.space(seat, step)
            for other in range(SEATS):
                assert space is not None
                assert seen.cell(other, this.seen_from(other, space)) == seen.cell(seat, step)
