"""bom.csv: the cables reach round an ordinary board, and go through the holes that are for them."""

import re
from math import cos, hypot, pi, radians, sin, sqrt

import pytest

from hardware import measures as m
from hardware.lists import HERE, LISTED
from hardware.scene import HALF, PLACES

HOLE = -m.CONSOLE.width / 2, m.CABLES[1][0]  # beside the header
SOCKETS = m.CONSOLE.width / 2, 0.0
WITHIN = 350.0  # mm: to the solder at both ends, the knots, and to open the enclosures by
CHAMBER = 250.0  # mm: from the chamber's wall to the Pico on the board to order
GROUNDS = 100.0  # mm: for the panel's wires of ground
PANEL = 6.0  # mm: the hole behind a panel
PLUG = 9.65, 8.3  # mm: a 6P4C plug with its latch (IEC 60603-7)
KNOT = 3.0  # an overhand knot is about three times as thick as its cord


def place(name: str, at: tuple[float, float]) -> tuple[float, float]:
    """Return where a point of an enclosure lies on the table, from the board's middle."""
    turn, x, y = PLACES[name]
    a = radians(turn)
    return x + at[0] * cos(a) - at[1] * sin(a), y + at[0] * sin(a) + at[1] * cos(a)


def round_the_board(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return how long the shorter way along the board's edges is, from point to point."""
    (start, before), (end, after) = along(a), along(b)
    apart = abs(start - end)
    return min(apart, 8 * HALF - apart) + before + after


def along(point: tuple[float, float]) -> tuple[float, float]:
    """Return how far round the edge the nearest point lies, from the corner at A's left, and how
    far off the edge the point is."""
    x, y = (min(max(value, -HALF), HALF) for value in point)
    off = hypot(point[0] - x, point[1] - y)
    if y == -HALF:
        return x + HALF, off
    if x == HALF:
        return 3 * HALF + y, off
    if y == HALF:
        return 5 * HALF - x, off
    return 7 * HALF - y, off


def length(name: str) -> float:
    [metres] = re.findall(r"([\d.]+) m$", LISTED[name].value)
    return 1000 * float(metres)


@pytest.mark.parametrize("letter", "ABCD")
def test_a_panel_s_cable_reaches_round_the_board(letter: str) -> None:
    way = round_the_board(place("console", HOLE), place(f"panel-{letter}", (0, m.PANEL.depth / 2)))
    assert way + WITHIN <= length("cable to a panel")
    assert way + WITHIN + GROUNDS <= length("cable to two panels") / 2


@pytest.mark.parametrize(
    ("name", "start", "within"),
    [("cable to the dome, plain", HOLE, WITHIN), ("USB cable to the Pico", SOCKETS, 100 + CHAMBER)],
)
def test_the_cable_to_the_dome_reaches_round_the_board(
    name: str, start: tuple[float, float], within: float
) -> None:
    way = round_the_board(place("console", start), place("dome", (m.DOME.width / 2, 0)))
    assert way + within <= length(name)


def test_everything_stands_on_the_table_that_the_readme_names() -> None:
    boxes = {"console": m.CONSOLE, "dome": m.DOME}
    corners = [
        place(name, (i * box.width / 2, j * box.depth / 2))
        for name in PLACES
        for box in [boxes.get(name, m.PANEL)]
        for i in (-1, 1)
        for j in (-1, 1)
    ]
    wide, deep = (max(side) - min(side) for side in zip(*corners, strict=True))
    assert (wide < 800, deep < 650) == (True, True)
    text = (HERE / "README.md").read_text(encoding="utf-8")
    assert f"a board of {2 * HALF / 10:.0f} cm takes a table of 80 x 65 cm" in text


def test_the_way_round_a_board_is_along_its_edges() -> None:
    assert round_the_board((-HALF, -HALF - 10), (HALF, -HALF - 20)) == 2 * HALF + 30
    assert round_the_board((-HALF - 5, 0), (HALF + 5, 0)) == 4 * HALF + 10


def test_the_cables_go_through_their_holes_and_their_plugs_too() -> None:
    thick = LISTED["cable to a panel"].size[0]
    assert LISTED["cable to the dome, plain"].size[0] <= thick
    assert thick + 1 <= PANEL
    assert 2.71 * thick <= m.CABLE  # five round ones in a round hole
    assert hypot(*PLUG) < m.CABLE


def test_a_knot_does_not_follow_a_pull_through_the_hole() -> None:
    wide, thin = LISTED["cable to a panel"].size
    assert KNOT * _thickness(wide * thin) > PANEL
    high = m.CABLES[1][1] + m.CABLE / 2  # the slot, down to the lid
    assert KNOT * _thickness(4 * wide * thin) > hypot(m.CABLE, high)


def _thickness(area: float) -> float:
    """Return the diameter of a round bundle of this area."""
    return sqrt(4 * area / pi)
