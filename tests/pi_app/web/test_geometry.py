"""Where the page's board and its pawns lie, on every layout and both ways of travel."""

from itertools import pairwise, product
from math import dist

import pytest

from pi_app.web.geometry import Point, board_geometry, find_way, pawn_diameter, pawn_point
from rules.board import BOARDS, HOME, NEST, ROW
from rules.ruleset import OPTIONS

BOTH = [
    (layout, travel)
    for layout, travel in product(BOARDS, OPTIONS["travel"].values)
    if isinstance(travel, str)
]


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_no_two_places_lie_on_each_other(layout: str, travel: str) -> None:
    board = board_geometry(layout, travel, "twelve")
    places = [*board["ring"], *(spot for row in board["rows"] for spot in row)]
    places += [spot for nest in board["nests"] for spot in nest]
    apart = min(dist(one, other) for n, one in enumerate(places) for other in places[:n])
    assert apart >= 1.0
    assert all(0 < coordinate < 19 for spot in places for coordinate in spot)


@pytest.mark.parametrize(("layout", "travel"), BOTH)
@pytest.mark.parametrize("seat", range(4))
def test_a_pawn_goes_from_its_entry_home_by_single_spaces(
    layout: str, travel: str, seat: int
) -> None:
    last = BOARDS[layout].last
    places = [*range(last + 1), *range(ROW + 1, HOME)]
    for origin, target in pairwise(places):
        trail = find_way(layout, travel, seat, origin, target)
        assert len(trail) == 2
        assert dist(*trail) < 1.5


def test_the_way_passes_the_tip_into_the_home_row() -> None:
    trail = find_way("standard", "counterclockwise", 0, 61, ROW + 2)
    assert trail == [(8.5, 17.5), (8.5, 18.5), (9.5, 18.5), (9.5, 17.5), (9.5, 16.5)]


def test_the_way_of_a_second_circuit_passes_the_home_row() -> None:
    down = [(8.5, y + 0.5) for y in range(6)]
    assert find_way("standard", "counterclockwise", 2, 63, 1) == [(9.5, 0.5), *down]


@pytest.mark.parametrize(
    ("origin", "target", "line"),
    [
        (NEST, 0, [(13.95, 2.95), (14.5, 8.5)]),
        (40, NEST, [(8.5, 13.5), (13.95, 2.95)]),
        (40, 20, [(8.5, 13.5), (8.5, 7.5)]),
        (ROW + 3, 60, [(15.5, 9.5), (16.5, 10.5)]),
    ],
    ids=str,
)
def test_a_pawn_that_enters_or_is_put_back_is_shown_by_a_straight_line(
    origin: int, target: int, line: list[Point]
) -> None:
    assert find_way("standard", "counterclockwise", 1, origin, target) == line


# Where the nests and the pawns at home are, written down from a drawing of the board.

NESTS = {  # the middles, counterclockwise and clockwise
    "counterclockwise": [(15, 15), (15, 4), (4, 4), (4, 15)],
    "clockwise": [(4, 15), (4, 4), (15, 4), (15, 15)],
}
HOMES = {  # the pawn nearest to the middle of its side's edge
    "counterclockwise": [(9.5, 10.7), (10.7, 9.5), (9.5, 8.3), (8.3, 9.5)],
    "clockwise": [(9.5, 10.7), (8.3, 9.5), (9.5, 8.3), (10.7, 9.5)],
}


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_a_nests_circles_lie_about_the_middle_of_its_corner(layout: str, travel: str) -> None:
    nests = board_geometry(layout, travel, "twelve")["nests"]
    assert nests == [
        [
            pytest.approx((x + dx, y + dy))
            for dx, dy in ((-1.05, -1.05), (1.05, -1.05), (-1.05, 1.05), (1.05, 1.05))
        ]
        for x, y in NESTS[travel]
    ]


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_pawns_at_home_lie_on_their_own_side_of_the_middle(layout: str, travel: str) -> None:
    assert [pawn_point(layout, travel, seat, HOME, 0, 1) for seat in range(4)] == [
        pytest.approx(home) for home in HOMES[travel]
    ]
    assert board_geometry(layout, travel, "twelve")["homes"] == [
        pytest.approx(home) for home in HOMES[travel]
    ]


def test_the_four_pawns_of_seat_a_at_home() -> None:
    home = [pawn_point("standard", "counterclockwise", 0, HOME, n, 4) for n in range(4)]
    assert home == [
        pytest.approx(at) for at in ((9.5, 10.7), (8.9, 10.7), (10.1, 10.7), (9.5, 10.15))
    ]


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_no_two_of_sixteen_pawns_at_home_lie_on_each_other(layout: str, travel: str) -> None:
    home = [pawn_point(layout, travel, seat, HOME, n, 4) for seat in range(4) for n in range(4)]
    apart = min(dist(one, other) for n, one in enumerate(home) for other in home[:n])
    assert apart >= pawn_diameter(HOME, 4)


@pytest.mark.parametrize("seat", range(4))
def test_two_pawns_on_a_space_touch_by_a_corner_at_most_and_stay_on_it(seat: int) -> None:
    one, other = (pawn_point("standard", "counterclockwise", seat, 20, n, 2) for n in range(2))
    middle = pawn_point("standard", "counterclockwise", seat, 20, 0, 1)
    across = abs(one[0] - other[0])
    assert across == pytest.approx(abs(one[1] - other[1]))
    assert pawn_diameter(20, 2) - across <= 0.1
    assert abs(one[0] - middle[0]) + pawn_diameter(20, 2) / 2 <= 0.65


def test_a_mirrored_board_is_the_mirror_image() -> None:
    seen = board_geometry("standard", "counterclockwise", "twelve")["ring"]
    mirrored = board_geometry("standard", "clockwise", "twelve")["ring"]
    assert mirrored == [(19 - x, y) for x, y in seen]


@pytest.mark.parametrize(
    "names",
    [
        ("round", "clockwise", "twelve"),
        ("standard", "sideways", "twelve"),
        ("standard", "clockwise", "all"),
    ],
)
def test_a_board_that_is_none_is_named(names: tuple[str, str, str]) -> None:
    with pytest.raises(KeyError):
        board_geometry(*names)
