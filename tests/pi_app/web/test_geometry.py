"""Where the page's board and its pawns lie, on every layout and both ways of travel."""

from itertools import pairwise, product
from math import dist

import pytest

from pi_app.web.geometry import geometry, spot, way
from rules.board import BOARDS, HOME, NEST, ROW
from rules.ruleset import OPTIONS

BOTH = [
    (layout, travel)
    for layout, travel in product(BOARDS, OPTIONS["travel"].values)
    if isinstance(travel, str)
]


@pytest.mark.parametrize(("layout", "travel"), BOTH)
def test_no_two_places_lie_on_each_other(layout: str, travel: str) -> None:
    board = geometry(layout, travel, "twelve")
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
        trail = way(layout, travel, seat, origin, target)
        assert len(trail) == 2
        assert dist(*trail) < 1.5


def test_the_way_passes_the_tip_into_the_home_row() -> None:
    trail = way("standard", "counterclockwise", 0, 61, ROW + 2)
    assert trail == [
        spot("standard", "counterclockwise", 0, place, 0, 1)
        for place in (61, 62, 63, ROW + 1, ROW + 2)
    ]


def test_the_way_of_a_second_circuit_passes_the_home_row() -> None:
    places = (63, 64, 65, 66, 67, 0, 1)
    assert way("standard", "counterclockwise", 2, 63, 1) == [
        spot("standard", "counterclockwise", 2, place, 0, 1) for place in places
    ]


@pytest.mark.parametrize(
    ("origin", "target"), [(NEST, 0), (40, NEST), (40, 20), (ROW + 3, 60)], ids=str
)
def test_a_pawn_that_enters_or_is_put_back_is_shown_by_a_straight_line(
    origin: int, target: int
) -> None:
    trail = way("standard", "counterclockwise", 1, origin, target)
    assert trail == [
        spot("standard", "counterclockwise", 1, place, 0, 1) for place in (origin, target)
    ]


def test_a_mirrored_board_is_the_mirror_image() -> None:
    seen = geometry("standard", "counterclockwise", "twelve")["ring"]
    mirrored = geometry("standard", "clockwise", "twelve")["ring"]
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
        geometry(*names)
