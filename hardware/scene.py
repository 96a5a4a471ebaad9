"""Scenes for pictures: a real screen's dots on the console, and a whole table. Writes no file."""

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

import numpy as np
from PIL import Image
from trimesh import Trimesh
from trimesh.creation import box, revolve
from trimesh.transformations import rotation_matrix, translation_matrix
from trimesh.triangles import to_kwargs

from hardware import measures as m
from hardware.board_picture import board_picture
from hardware.lists import Part
from hardware.ludo_board import WIDTH
from hardware.quarters import EDGE
from hardware.render import PAPER, Colour, Floats, Shaded
from hardware.shapes import COLOURS, LETTERS
from pi_app.model.cells import board_cells
from rules.position import parse_position
from rules.ruleset import PRESETS

GLASS, LIT_DOT = (16, 18, 24), (256, 256, 256)
DARK_LED, LIT_LED = (120, 34, 28), (700, 110, 60)
HALF, THICK = 230.0, 4.0  # an ordinary board of 46 cm
PLACES = {  # each panel at the corner whose pawns it plays; degrees counterclockwise, x, y in mm
    "panel-A": (0, 120, -275),
    "panel-B": (90, 275, 120),
    "panel-C": (180, -120, 275),
    "panel-D": (270, -275, -120),
    "console": (0, 310, -70),
    "dome": (90, -330, 90),
}
# The pawns on the board, and the throw of the first seat. The display shows the same.
RULES = PRESETS["royal-2023"]
POSITION, DICE = "44,12,N,N/28,1,N,N/40,20,N,N/r3,9,N,N", (6, 2)
# Which of the seven LEDs of a die show a face, counted as in `measures.pips`.
FACES = {1: "1", 2: "27", 3: "127", 4: "2457", 5: "12457", 6: "234567"}
PAWN = (  # from the middle and from the board, in mm
    *((0, 0), (8.5, 0), (8.5, 3), (6.5, 6), (3.4, 19), (5.2, 20.5), (3.6, 22)),
    *((5.2, 24), (5.9, 27), (5.4, 30), (4, 32.5), (2, 33.8), (0, 34.2)),
)
WOOD, TABLE_TOP = (128, 86, 56), 1600  # the side in mm
SHEET = box((900, 900, 2), translation_matrix((0, 0, -m.WALL - 1))), PAPER  # below one enclosure


def dots(image: Image.Image, part: Part, opposite: bool) -> Trimesh:
    """Return the lit dots of a screen on the glass behind the console's window."""
    side = (part.opening[0] - 2) / image.width
    lit = np.argwhere(np.asarray(image.convert("1")))
    corners = np.array(((0, 0), (1, 1), (0, 1), (0, 0), (1, 0), (1, 1))) + lit[:, None, :]
    u = (corners[..., 1] - image.width / 2) * side
    v = (image.height / 2 - corners[..., 0]) * side + m.window(part)[2]
    points = np.stack([u, v, np.full_like(u, 0.05 - m.WALL)], axis=-1)
    return Trimesh(**to_kwargs(on_slope(points, opposite).reshape(-1, 3, 3)))


def on_slope(points: Floats, opposite: bool) -> Floats:
    """Return points on a slope, with z out of it, as points of the model."""
    a = radians(m.SLOPE)
    turned = points @ np.array(((1, 0, 0), (0, cos(a), -sin(a)), (0, sin(a), cos(a)))).T
    y, z = (m.DEPTH + m.FLAT) / 4, (m.LOW + m.CONSOLE.height) / 2
    placed = turned + np.array((0, -y, z))
    return np.asarray(placed * (-1, -1, 1) if opposite else placed)


def table(things: Mapping[str, Mapping[str, Shaded]]) -> list[Shaded]:
    """Return everything in its place around an ordinary board, with its pawns."""
    placed = [
        (solid.copy().apply_transform(_place(*PLACES[name])), colour)
        for name, solids in things.items()
        for solid, colour in solids.values()
    ]
    card = box((2 * HALF, 2 * HALF, THICK), translation_matrix((0, 0, THICK / 2)))
    cells = board_cells(RULES.layout, "counterclockwise", 0)
    return [(card, board_picture(cells, RULES.safety)), *_pawns(), *placed]


def _place(turn: float, x: float, y: float) -> Floats:
    turned = rotation_matrix(radians(turn), (0, 0, 1))
    return np.asarray(translation_matrix((x, y, m.WALL)) @ turned)  # on its lid


def _pawns() -> Iterator[Shaded]:
    cells = board_cells(RULES.layout, "counterclockwise", 0)
    side = 2 * HALF * WIDTH / (WIDTH + 2 * EDGE) / cells.size
    for seat, places in enumerate(parse_position(POSITION, RULES)):
        nest = cells.nests[seat]
        for number, place in enumerate(places):
            if cell := cells.cell(seat, place):
                x, y = cell[0] + 0.5, cell[1] + 0.5
            else:  # on the circles of the nest
                x = nest.middle[0] + (-1 + number % 2 * 2) * nest.wide / 6
                y = nest.middle[1] + (-1 + number // 2 * 2) * nest.wide / 6
            pawn = revolve(np.array(PAWN), sections=32)
            at = (x - cells.size / 2) * side, (cells.size / 2 - y) * side, THICK
            yield pawn.apply_translation(at), seat_colour(LETTERS[seat])


def seat_colour(letter: str) -> Colour:
    red, green, blue = bytes.fromhex(COLOURS[letter].removeprefix("#"))
    return red, green, blue


def lit_leds() -> set[str]:
    """Return the names of the LEDs in the chamber that show `DICE`."""
    return {f"LED {7 * die + int(led)}" for die, face in enumerate(DICE) for led in FACES[face]}


def table_top() -> Shaded:
    across, along = np.arange(TABLE_TOP), np.arange(TABLE_TOP)[:, None]
    waves = np.sin(across / 340 + along / 120) * 2 + np.sin(across / 46 + along / 14) / 4
    grain = np.sin(along / 18 + waves) / 20
    light = 1 + grain - 0.25 * (along % 400 < 2)
    wood = Image.fromarray((light[:, :, None] * WOOD).astype(np.uint8))
    return box((TABLE_TOP, TABLE_TOP, 2), translation_matrix((0, 0, -1))), wood
