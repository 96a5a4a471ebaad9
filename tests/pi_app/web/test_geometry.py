"""Where the page has the board and its pawns, on every layout, for both directions of travel."""

from itertools import pairwise, product
from math import dist

import pytest

from pi_app.web.geometry import Point, board_geometry, find_way, pawn_diameter, pawn_point
from rules.board import BOARDS, HOME, NEST, ROW, SEATS
from rules.position import PAWNS
from rules.ruleset import OPTIONS

BOTH = [
    (layout, travel)
    for layout, travel in product(BOARDS, OPTIONS["travel"].values)
    if isinstance(travel, str)
]


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_no_two_places_lie_on_each_other(layout: str, travel: str) -> None:
    board = board_geometry(layout, travel, "none")
    places = [*board["ring"], *(spot for row in board["rows"] for spot in row)]
    places += [spot for nest in board["nests"] for spot in nest]
    apart = min(dist(one, other) for n, one in enumerate(places) for other in places[:n])
    assert apart >= 1.0
    assert all(0 < coordinate < board["size"] for spot in places for coordinate in spot)


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_a_pawn_goes_from_its_entry_home_by_single_spaces(layout: str, travel: str) -> None:
    places = [place for place in BOARDS[layout].way if place not in (NEST, HOME)]
    for seat in range(SEATS):
        for origin, target in pairwise(places):
            trail = find_way(layout, travel, seat, origin, target)
            assert len(trail) == 2, (seat, origin)
            assert dist(*trail) < 1.5, (seat, origin)


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


@pytest.mark.parametrize(
    ("back_over", "back"),
    [((ROW + 7, ROW + 6), [11.5, 12.5]), ((ROW + 7, ROW + 6, ROW + 5), [11.5, 12.5, 13.5])],
)
def test_the_way_of_a_pawn_that_goes_there_and_back_passes_home(
    back_over: tuple[int, ...], back: list[float]
) -> None:
    trail = find_way(
        "standard", "counterclockwise", 0, ROW + 6, back_over[-1], walk=(ROW + 7, HOME, *back_over)
    )
    assert trail == [(9.5, y) for y in (12.5, 11.5, 10.7, *back)]


def test_a_pawn_comes_out_of_the_centre_along_its_own_way() -> None:
    trail = find_way("cross", "counterclockwise", 0, NEST, 2)
    out = [(9.5, y + 0.5) for y in range(11, 18)]
    assert trail == [(9.5, 10.7), *out, (9.5, 18.5), (10.5, 18.5), (10.5, 17.5)]


def test_a_pawn_that_is_put_back_into_the_centre_is_shown_by_a_straight_line() -> None:
    assert find_way("cross", "counterclockwise", 0, 0, NEST) == [(9.5, 18.5), (9.5, 10.7)]


# Where the nests and the pawns at home are, written down from a drawing of the board.

CROSSES = [(layout, travel) for layout, travel in BOTH if layout != "ring-28"]
NESTS = {  # the middles of two of them, and how far the pawns are from them
    19: (4, 15, 1.05),
    15: (3, 12, 1.0),
    11: (2, 9, 0.7),
}
LADDER = "ring-56"  # where home is a single cell
HOMES = {  # the pawn nearest to the middle of its side's edge, from the middle of the board
    "counterclockwise": [(0, 1.2), (1.2, 0), (0, -1.2), (-1.2, 0)],
    "clockwise": [(0, 1.2), (-1.2, 0), (0, -1.2), (1.2, 0)],
}


@pytest.mark.parametrize(("layout", "travel"), CROSSES)
def test_a_nests_circles_are_about_the_middle_of_its_corner(layout: str, travel: str) -> None:
    geometry = board_geometry(layout, travel, "none")
    near, far, apart = NESTS[geometry["size"]]
    middles = [(far, far), (far, near), (near, near), (near, far)]
    assert geometry["nests"] == [
        [
            pytest.approx((x + dx * apart, y + dy * apart))
            for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1))
        ]
        for x, y in (middles if travel == "counterclockwise" else [*middles[3:], *middles[2::-1]])
    ]


def test_a_nest_of_the_square_is_a_line_of_four() -> None:
    left, top, right, low = board_geometry("ring-28", "clockwise", "none")["nests"]
    assert left == [(1.5, y + 0.5) for y in (3, 4, 5, 6)]
    assert top == [(x + 0.5, 1.5) for x in (4, 3, 2, 1)]
    assert right == [(6.5, y + 0.5) for y in (4, 3, 2, 1)]
    assert low == [(x + 0.5, 6.5) for x in (3, 4, 5, 6)]


@pytest.mark.parametrize("travel", OPTIONS["travel"].values)
def test_the_pawn_that_leaves_a_line_is_the_one_beside_its_entry(travel: str) -> None:
    for seat in range(SEATS):
        assert dist(*find_way("ring-28", travel, seat, NEST, 0, (PAWNS - 1, 0))) == 1.0


def test_pawns_in_a_line_leave_the_edge_of_their_nest_to_be_seen() -> None:
    inside = 2 * (board_geometry("ring-28", "clockwise", "none")["nestEdge"] - 0.12)
    assert 0.6 < pawn_diameter("ring-28", NEST, 4) < inside < pawn_diameter("ring-28", 5, 1)


@pytest.mark.parametrize(("layout", "travel"), CROSSES)
def test_pawns_at_home_are_on_their_own_side_of_the_middle(layout: str, travel: str) -> None:
    geometry = board_geometry(layout, travel, "none")
    x, y = geometry["centre"]
    homes = [pytest.approx((x + dx, y + dy)) for dx, dy in HOMES[travel]]
    assert geometry["homes"] == ([] if BOARDS[layout].is_goal else homes)
    place = NEST if layout == "cross" else HOME  # on a cloth pawns wait there
    if not BOARDS[layout].is_goal and layout != LADDER:
        assert [pawn_point(layout, travel, seat, place, 0, 1) for seat in range(4)] == homes


def test_home_at_the_end_of_ladders_is_a_space_that_its_pawns_share() -> None:
    home = [pawn_point(LADDER, "clockwise", seat, HOME, 0, 1) for seat in range(SEATS)]
    assert set(home) == {(7.5, 7.5)}
    assert pawn_diameter(LADDER, HOME, 1) == pawn_diameter(LADDER, 5, 1)
    assert pawn_point(LADDER, "clockwise", 0, HOME, 2, 1) == (7.5, 7.5)  # it comes third


def test_the_four_pawns_of_seat_a_at_home() -> None:
    home = [pawn_point("standard", "counterclockwise", 0, HOME, n, 4) for n in range(4)]
    assert home == [
        pytest.approx(at) for at in ((9.5, 10.7), (8.9, 10.7), (10.1, 10.7), (9.5, 10.15))
    ]


@pytest.mark.parametrize(("layout", "travel"), [one for one in CROSSES if one[0] != LADDER])
def test_no_two_of_sixteen_pawns_at_home_lie_on_each_other(layout: str, travel: str) -> None:
    home = [pawn_point(layout, travel, seat, HOME, n, 4) for seat in range(4) for n in range(4)]
    apart = min(dist(one, other) for n, one in enumerate(home) for other in home[:n])
    assert apart >= pawn_diameter("standard", HOME, 4)


@pytest.mark.parametrize("seat", range(4))
def test_two_pawns_on_a_space_touch_by_a_corner_at_most_and_stay_on_it(seat: int) -> None:
    one, other = (pawn_point("standard", "counterclockwise", seat, 20, n, 2) for n in range(2))
    middle = pawn_point("standard", "counterclockwise", seat, 20, 0, 1)
    across = abs(one[0] - other[0])
    assert across == pytest.approx(abs(one[1] - other[1]))
    assert pawn_diameter("standard", 20, 2) - across <= 0.1
    assert abs(one[0] - middle[0]) + pawn_diameter("standard", 20, 2) / 2 <= 0.65


@pytest.mark.parametrize("count", range(3, 17))
def test_pawns_that_share_a_space_hardly_overlap_each_other_or_leave_it(count: int) -> None:
    star = [pawn_point("ludo-52", "clockwise", 0, 8, n, count) for n in range(count)]
    size = pawn_diameter("standard", 8, count)
    apart = min(dist(one, other) for n, one in enumerate(star) for other in star[:n])
    x, y = pawn_point("ludo-52", "clockwise", 0, 8, 0, 1)
    assert apart >= 0.89 * size
    assert all(abs(a - x) + size / 2 <= 0.6 and abs(b - y) + size / 2 <= 0.6 for a, b in star)


def test_a_mirrored_board_is_the_mirror_image() -> None:
    seen = board_geometry("standard", "counterclockwise", "twelve")["ring"]
    mirrored = board_geometry("standard", "clockwise", "twelve")["ring"]
    assert mirrored == [(19 - x, y) for x, y in seen]


@pytest.mark.parametrize(
    "names",
    [
        ("round", "clockwise", "twelve"),
        ("standard", "sideways", "twelve"),
        ("standard", "clockwise", "entries-stars"),
    ],
)
def test_a_board_that_is_none_is_named(names: tuple[str, str, str]) -> None:
    with pytest.raises(KeyError):
        board_geometry(*names)
