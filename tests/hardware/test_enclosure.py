"""hardware/enclosure/: what is printed is closed, thick enough, and the parts of bom.csv fit it."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from math import cos, hypot, radians, sin, tan

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from trimesh import Trimesh, creation, load_mesh
from trimesh.sample import sample_surface
from trimesh.triangles import to_kwargs

from hardware import measures as m
from hardware.lists import DIGEST_FILE, HERE, LISTED, WAYS, Part, compute_digest
from hardware.render import Floats, picture
from hardware.scene import DICE, dots, lit_leds, on_slope
from hardware.shapes import LETTERS
from tests.asked import extent

pytestmark = pytest.mark.slow  # each solid is read, triangle by triangle

FOLDER = HERE / "enclosure"
NAMES = sorted(file.stem for file in FOLDER.glob("*.stl"))
PANELS = [f"panel-{letter}" for letter in LETTERS]
JACKS = [f"panel-jacks-{letter}" for letter in LETTERS]
CONSOLES = ["console-one", "console-two", "console-two-narrow"]
OTHERS = ["console-lid", *CONSOLES, "dome-lid", "dome-lit", "dome-plain"]
BED = 180.0  # mm: the smaller of the printers that are common
DISPLAYS = ("OLED panel, 2.42 inch", "OLED panel, 1.3 inch")


def read(name: str) -> Trimesh:
    return load_mesh(FOLDER / f"{name}.stl")


# The files.


def test_everything_was_made_from_the_lists_and_programs_of_today() -> None:
    assert (HERE / DIGEST_FILE).read_text() == compute_digest(), "stale: run make hardware"


def test_every_part_is_there_as_stl() -> None:
    assert sorted([*PANELS, *JACKS, "panel-lid", *OTHERS]) == NAMES


def test_what_is_kept_of_the_hardware_is_small() -> None:
    files = [file for file in HERE.rglob("*.*") if file.suffix not in {".step", ".pyc"}]
    assert sum(file.stat().st_size for file in files) < 7_200_000


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_a_closed_solid_that_a_printer_takes(name: str) -> None:
    solid = read(name)
    assert solid.is_volume  # closed, and its triangles look outwards
    assert 10_000 < solid.volume < 150_000
    assert max(solid.extents) <= BED


@pytest.mark.parametrize("name", NAMES)
def test_walls_are_at_least_what_is_printed_firmly(name: str) -> None:
    found = thicknesses(read(name), count=300)
    assert len(found) > 200
    assert found.min() >= m.THINNEST - 0.03  # a round post is a polygon in an STL


def thicknesses(solid: Trimesh, count: int) -> Floats:
    """Return how thick the wall is below `count` random points of the surface, in mm.

    Only where its other side looks the opposite way, within 30 degrees: an edge is no wall.
    """
    points, faces = sample_surface(solid, count, seed=1)
    normals = solid.face_normals[faces]
    far, rays, hits = solid.ray.intersects_location(
        points - 1e-4 * normals, -normals, multiple_hits=False
    )
    opposite = (normals[rays] * solid.face_normals[hits]).sum(axis=1) < -0.866
    return np.asarray(np.linalg.norm(far - points[rays], axis=1)[opposite])


def test_the_walls_of_a_cube_are_as_thick_as_it_is_wide() -> None:
    assert thicknesses(creation.box((2, 2, 2)), count=20) == pytest.approx(2)


def test_the_filament_of_the_list_is_enough() -> None:
    made = {name: read(name).volume / 1000 for name in NAMES}
    panels = sum(made[name] for name in PANELS) + 4 * made["panel-lid"]
    console = max(made[name] for name in CONSOLES) + made["console-lid"]
    dome = max(made["dome-lit"], made["dome-plain"]) + made["dome-lid"]
    grams = (panels + console + dome) * 1.27  # PETG, solid; g/cm^3
    assert f"{grams / 1000:.1f} kg" in LISTED["filament"].value


# The measures.


def test_the_enclosures_are_as_large_as_their_measures_say() -> None:
    for name, box, eave in (
        ("panel-A", m.PANEL, 0),
        ("panel-jacks-A", m.PANEL, 0),
        ("dome-lit", m.DOME, 0),
        ("console-two", m.CONSOLE, m.EAVE),
    ):
        size = read(name).extents
        assert size == pytest.approx((box.width + 2 * eave, box.depth, box.height), abs=0.1)


def test_buttons_fit_beside_each_other_and_above_the_floor() -> None:
    placed = [
        (LISTED["push button, OK"], m.OK_AT),
        (LISTED["push button, NEXT"], m.NEXT_AT),
        (LISTED["LED"], m.LAMP_AT),
    ]
    for (one, a), (other, b) in combinations(placed, 2):
        room = hypot(a[0] - b[0], a[1] - b[1]) - (one.size[0] + other.size[0]) / 2
        assert room >= 5, (one.name, other.name)  # fingers tell them apart
    assert LISTED["push button, OK"].size[2] <= m.OK_DEEPEST <= m.PANEL.height - 5
    for part, at in placed:
        assert m.PANEL.height - part.size[2] >= 5, part.name  # its wires bend there
        assert abs(at[1]) + part.size[1] / 2 <= m.PANEL.depth / 2 - m.WALL
        for corner in m.PANEL.corners:
            assert hypot(at[0] - corner[0], at[1] - corner[1]) > part.opening[0] / 2 + m.POST * 0.71


@pytest.mark.soak
@pytest.mark.parametrize("name", CONSOLES)
def test_no_opening_of_the_console_is_above_a_board(name: str) -> None:
    # A coin or a drink falls straight down. The displays close their windows.
    apart = float(extent(6, soak=3))  # mm
    x, y = np.meshgrid(np.arange(-42, 43, apart), np.arange(-63, 64, apart))  # between the walls
    top = read(name)
    large = "two" in name
    glass = LISTED[DISPLAYS[0 if large else 1]].front
    panes = [pane(glass, opposite) for opposite in (False, True)[: 1 + large]]
    assert openings_above(top, x, y).any()
    closed = Trimesh(**to_kwargs(np.concatenate([top.triangles, *panes])))
    assert not openings_above(closed, x, y).any()


def pane(glass: tuple[float, ...], opposite: bool) -> Floats:
    """Return a display's glass behind its window, as two triangles."""
    x, y, z = glass[0] / 2, glass[1] / 2, -m.WALL
    corners = np.array(((-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)))
    return on_slope(corners[[0, 1, 2, 0, 2, 3]], opposite).reshape(2, 3, 3)


def openings_above(solid: Trimesh, x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Return, for each point, whether no part of a solid is straight above or below it."""
    corners = solid.triangles[:, :, :2]
    points = np.stack([x.ravel(), y.ravel()], axis=-1)[:, None, :]
    sides = []
    for n in range(3):
        along, off = corners[:, (n + 1) % 3] - corners[:, n], points - corners[:, n]
        sides.append(along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0])
    left = np.stack(sides)
    level = np.abs(solid.face_normals[:, 2]) > 1e-6
    inside = ((left >= 0).all(axis=0) | (left <= 0).all(axis=0)) & level
    return np.asarray(~inside.any(axis=1))


def test_the_slots_for_air_are_below_an_eave_and_above_every_board() -> None:
    for y, z in m.VENTS_AT:
        assert z + m.VENT[1] / 2 < m.CONSOLE.height - m.EAVE
        assert z - m.VENT[1] / 2 > m.STANDOFF + LISTED["Raspberry Pi with a 40-pin header"].size[2]
        assert abs(y) + m.VENT[0] / 2 < m.FLAT / 2 + m.CONSOLE.height - z
    area = 2 * len(m.VENTS_AT) * m.VENT[0] * m.VENT[1]
    assert area >= 400  # mm^2: as much as the slots in the floor, nearly


@pytest.mark.parametrize("name", CONSOLES)
def test_the_jacks_of_the_board_slide_into_the_end_wall_with_the_lid(name: str) -> None:
    (_, wide, high), end = m.CORD_JACK, m.CONSOLE.width / 2
    top, lid, foot = read(name), 0.1, m.CORD_JACK_UP
    for y in m.CORD_JACKS.values():
        across = -y + np.linspace(-wide / 2, wide / 2, 9)
        assert not inside(top, m.THINNEST + 0.1 - end, across, np.arange(lid, foot + high, 3)).any()
        assert inside(top, m.THINNEST / 2 - end, across, np.array([foot - 0.3])).all()  # a sill
        ribs = inside(top, m.THINNEST / 2 - end, across, np.arange(foot + 0.5, foot + high, 2))
        assert 0 < ribs.mean() < 0.6


def inside(solid: Trimesh, x: float, ys: Floats, zs: Floats) -> NDArray[np.bool_]:
    """Return which points at x, each of ys and each of zs are inside a solid."""
    y, z = (grid.ravel() for grid in np.meshgrid(ys, zs))
    return np.asarray(solid.contains(np.stack([np.full_like(y, x), y, z], axis=-1)))


def test_a_finger_reaches_a_cord_s_latch_above_or_below_its_plug() -> None:
    finger, plug = 18.0, 9.65  # mm: a broad finger, and a plug of 47 CFR 68.500
    places = sorted(m.CORD_JACKS.values())
    for one, other in pairwise(places):
        assert other - one >= (finger + plug) / 2 + 5  # the finger is above its own plug
    assert m.CORD_JACK_UP + m.WALL + LISTED["rubber foot"].size[2] >= finger


def test_the_thread_of_a_standoff_bites_in_the_lid_and_does_not_reach_the_hole_s_end() -> None:
    [threads] = re.findall(r"thread of (\d) or (\d) mm", LISTED["standoff, M2.5"].value)
    for thread in map(float, threads):  # it passes the Pi's board
        assert 2.5 <= thread - m.PI_BOARD <= m.STANDOFF + m.INTO_WALL - 0.5


def test_behind_the_extension_s_plug_is_room_for_fingers() -> None:
    part = LISTED["USB-C extension"]
    room = m.CONSOLE.depth / 2 - m.WALL - LISTED["Raspberry Pi with a 40-pin header"].size[1] / 2
    assert room - m.PLUG_GAP - part.size[1] >= 15
    assert f"at most {part.size[1]:g} mm deep" in part.remark


def test_the_nut_of_a_jack_reaches_its_thread_and_its_body_is_in_the_panel() -> None:
    jack = LISTED["switch jack"]
    [thread] = re.findall(r"thread is at least (\d+) mm long", jack.remark)
    assert float(thread) >= m.WALL + 2  # a nut of M6 is 2 mm thick
    assert m.WALL + jack.size[0] / 2 + m.CLEARANCE <= m.JACK_UP <= m.PANEL.height - 15
    assert jack.size[2] <= m.PANEL.depth - 2 * m.WALL - 20  # where the solder tabs are


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_display_fits_its_window_and_its_posts(name: str) -> None:
    part = LISTED[name]
    assert all(hole < glass for hole, glass in zip(part.opening, part.front, strict=False))
    assert part.size[0] + 2 * m.CLEARANCE <= m.CONSOLE.width - 2 * m.WALL
    slope = (m.CONSOLE.depth - m.FLAT) / 2 / cos(radians(m.SLOPE))
    assert part.size[1] + 2 * m.CLEARANCE <= slope - 2 * m.WALL / tan(radians(m.SLOPE))
    for x, y in m.around(part):
        beside = max(abs(x) - part.front[0] / 2, abs(y) - part.front[1] / 2) - m.THIN_POST / 2
        assert beside >= m.CLEARANCE  # the post passes the glass
        assert abs(x) + m.M25_BITES / 2 < part.size[0] / 2
        assert abs(y) + m.M25_BITES / 2 < part.size[1] / 2


def test_the_pi_fits_between_the_walls_and_its_posts_are_under_it() -> None:
    pi = LISTED["Raspberry Pi with a 40-pin header"]
    assert m.CONSOLE.width - 2 * m.WALL - pi.size[0] >= 2 * m.CLEARANCE
    for x, y in m.PI_HOLES:
        assert abs(x) + 3 <= pi.size[0] / 2
        assert abs(y) + 3 <= pi.size[1] / 2


def test_the_dice_fit_beside_the_dome_and_their_board_between_the_walls() -> None:
    dome, board = LISTED["dome button"], LISTED["stripboard, dice"]
    middle = sum(x for x, _ in m.DICE_AT) / 2
    assert middle + board.size[0] / 2 + m.CLEARANCE <= m.DOME.width / 2 - m.WALL
    assert board.size[1] + 2 * m.CLEARANCE <= m.DOME.depth - 2 * m.WALL
    for dice in m.DICE_AT:
        assert len(set(m.pips(dice))) == 7
        for x, y in m.pips(dice):
            assert hypot(x - m.BUTTON_AT[0], y) > dome.size[0] / 2 + m.CLEARANCE
            assert abs(x - middle) <= board.size[0] / 2 - 2
            assert abs(y) <= board.size[1] / 2 - 2


@pytest.mark.parametrize(
    ("screw", "through", "bore"),
    [
        ("screw, M3", m.WALL, 14),
        ("screw, M2.5", m.PI_BOARD, m.STANDOFF + m.INTO_WALL),
        ("screw, M2", 1.0, m.STANDOFF),
        ("screw, M2", 1.6, LISTED["LED"].size[2] - m.WALL - m.PROUD),
    ],
)
def test_a_screw_bites_and_does_not_come_out_behind(
    screw: str, through: float, bore: float
) -> None:
    part: Part = LISTED[screw]
    assert 2 <= part.size[2] - through <= bore + 0.01


@pytest.mark.parametrize("board", [1.2, 1.6])
@pytest.mark.parametrize("is_narrow", [False, True])
def test_a_display_s_screw_bites_two_diameters_and_does_not_reach_the_hole_s_end(
    is_narrow: bool, board: float
) -> None:
    glass = LISTED[DISPLAYS[0]].front[2]
    beside = 0.0 if not is_narrow else LISTED[DISPLAYS[0]].size[2] - m.CLAMP
    screw, washer = LISTED["screw, M2.5"].size[2], LISTED["washer, M2.5"].size[2]
    bites = screw - washer - (0 if is_narrow else board)
    assert 2.5 <= bites <= m.SHEET + glass + beside + m.INTO_WALL - 0.5
    assert m.WALL - m.INTO_WALL >= m.THINNEST


def test_the_clear_sheet_is_as_large_as_the_glass_and_as_thick_as_the_room_for_it() -> None:
    sheet = LISTED["clear sheet"]
    assert sheet.size == (m.SHEET,)
    for name in DISPLAYS:
        wide, deep, _ = LISTED[name].front
        assert f"{wide:g} x {deep:g} mm for {name.split(', ')[1]}" in sheet.remark


def test_a_narrow_display_fits_between_the_posts_and_washers_hold_its_rim() -> None:
    x, _ = (side / 2 for side in LISTED[DISPLAYS[0]].holes)
    wide, deep = (side / 2 for side in m.NARROW)
    assert x - m.THIN_POST / 2 - wide == pytest.approx(0.3)
    assert x - LISTED["washer, M2.5"].size[0] / 2 <= wide - 1
    assert LISTED[DISPLAYS[0]].holes[1] / 2 <= deep


@pytest.mark.parametrize(
    ("outer", "bore"),
    [(m.POST, m.M3_BITES), (m.THIN_POST, m.M25_BITES), (m.THIN_POST, m.M2_BITES)],
)
def test_what_is_round_a_screw_is_thick_enough(outer: float, bore: float) -> None:
    assert (outer - bore) / 2 >= m.THINNEST - 1e-9
    assert m.WALL - m.CUT >= m.THINNEST


@pytest.mark.parametrize("way", WAYS)
def test_screws_and_feet_are_as_many_as_lids_and_boards_have_holes(way: str) -> None:
    counts = {name: part.counts[way] for name, part in LISTED.items()}
    lids = 4 + 1 + 1  # panels, console, dome
    assert counts["screw, M3"] == counts["rubber foot"] == 4 * lids
    held = counts["screw, M2.5"] + counts["standoff, M2.5"]
    assert held == 4 + 4 * sum(counts[name] for name in DISPLAYS)
    assert counts["washer, M2.5"] == 4 * counts["clear sheet"]
    assert counts["clear sheet"] == sum(counts[name] for name in DISPLAYS)
    assert counts["machine screw, M3"] == 2 * counts["USB-C extension"]
    on_lid = counts["stripboard, dice"]  # a Pico that is not on the dice's board
    assert counts["screw, M2"] == 4 * (counts["Raspberry Pi Pico"] + on_lid)
    assert LISTED["rubber foot"].size[2] >= LISTED["screw, M3"].size[0]  # more than a head is high


def test_a_window_s_third_number_moves_it_up_from_the_middle_of_the_screws() -> None:
    part = LISTED[DISPLAYS[0]]
    higher = replace(part, opening=(*part.opening, 1.5))
    assert m.window(part) == (*part.opening, 0)
    assert m.window(higher) == (*part.opening, 1.5)
    image = Image.new("1", (128, 64), 1)
    now, then = (dots(image, one, opposite=False).triangles for one in (part, higher))
    assert then - now == pytest.approx(np.full_like(now, 0) + up_the_slope(1.5))


def up_the_slope(length: float) -> tuple[float, float, float]:
    return 0, length * cos(radians(m.SLOPE)), length * sin(radians(m.SLOPE))


def test_the_readme_says_how_each_part_is_printed() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    for name in ["panel-A", "panel-D", *JACKS, "panel-lid", *OTHERS]:
        assert f"`{name}`" in text, name


# The pictures.


def test_what_is_nearer_hides_what_is_farther() -> None:
    far, near = (creation.box((2, 2, 2)).apply_translation((0, 0, z)) for z in (0, 3))
    solids = [(near, (255, 0, 0)), (far, (0, 0, 255))]
    seen = picture(solids, 40, turn=0, tilt=90)
    assert seen.getpixel((20, 20)) == picture(solids[::-1], 40, turn=0, tilt=90).getpixel((20, 20))
    red, _, blue = np.asarray(seen)[20, 20]
    assert red > 100 > blue


def test_a_solid_throws_a_shadow_away_from_the_lamp_and_a_shining_one_has_its_own_light() -> None:
    wall = creation.box((40, 40, 80)).apply_translation((0, 0, 40)), (200, 200, 200)
    lamp = creation.box((20, 20, 2)).apply_translation((0, 0, 81)), (300, 90, 60)
    ground = creation.box((400, 400, 2)).apply_translation((0, 0, -1)), (200, 200, 200)
    seen = picture([wall, lamp], 80, turn=0, tilt=90, ground=[ground])
    middle = seen.height // 2
    assert seen.getpixel((40, middle)) == (255, 90, 60)
    pixels = np.asarray(seen.convert("L"))
    assert int(pixels[middle, 1]) > int(pixels[middle, 78]) + 50  # the lamp is at the left


def test_the_chamber_in_the_picture_of_the_table_shows_the_throw() -> None:
    assert sorted(Counter(int(led[4:]) > 7 for led in lit_leds()).items()) == [
        (False, DICE[0]),
        (True, DICE[1]),
    ]


@pytest.mark.parametrize("opposite", [False, True])
def test_a_screen_s_dots_look_out_of_the_window_of_their_side(opposite: bool) -> None:
    image = Image.new("1", (128, 64), 1)
    part = LISTED[DISPLAYS[0]]
    screen = dots(image, part, opposite)
    assert len(screen.triangles) == 2 * 128 * 64
    side = 1 if opposite else -1
    assert screen.face_normals == pytest.approx(
        np.tile((0, side * sin(radians(m.SLOPE)), cos(radians(m.SLOPE))), (2 * 128 * 64, 1))
    )
    across, _, up = screen.extents
    assert across < part.opening[0]
    assert up / sin(radians(m.SLOPE)) < part.opening[1]


def test_every_picture_of_the_readme_is_light_and_every_solid_has_one() -> None:
    files = list(FOLDER.glob("*.png"))
    assert {file.stem for file in files} >= {"table", "panel", "console-two", "dome-lit"}
    assert all(file.stat().st_size < 200_000 for file in files)
