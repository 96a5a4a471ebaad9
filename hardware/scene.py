"""Scenes for pictures: a real screen's dots on the console, and the whole table. Writes no file."""

from collections.abc import Mapping
from math import cos, radians, sin

import numpy as np
from PIL import Image
from trimesh import Trimesh
from trimesh.creation import box
from trimesh.transformations import rotation_matrix, translation_matrix
from trimesh.triangles import to_kwargs

from hardware import measures as m
from hardware.lists import Part
from hardware.render import Colour, Floats

Shaded = tuple[Trimesh, Colour]
LIT = (235, 240, 255)
CARD, HALF, THICK = (214, 190, 140), 230.0, 4.0  # an ordinary board of 46 cm
PLACES = {  # each panel at the corner whose pawns it plays; degrees counterclockwise, x, y in mm
    "panel-A": (0, 120, -275),
    "panel-B": (90, 275, 120),
    "panel-C": (180, -120, 275),
    "panel-D": (270, -275, -120),
    "console": (0, 310, -70),
    "dome": (90, -330, 90),
}


def dots(image: Image.Image, part: Part, console: m.Console, opposite: bool) -> Trimesh:
    """Return the lit dots of a screen on the glass behind the console's window."""
    side = (part.opening[0] - 2) / image.width
    lit = np.argwhere(np.asarray(image.convert("1")))
    corners = np.array(((0, 0), (1, 1), (0, 1), (0, 0), (1, 0), (1, 1))) + lit[:, None, :]
    u = (corners[..., 1] - image.width / 2) * side
    v = (image.height / 2 - corners[..., 0]) * side + m.window(part)[2]
    points = np.stack([u, v, np.full_like(u, 0.05 - m.WALL)], axis=-1)
    return Trimesh(**to_kwargs(on_slope(points, console, opposite).reshape(-1, 3, 3)))


def on_slope(points: Floats, console: m.Console, opposite: bool) -> Floats:
    """Return points on a slope, with z out of it, as points of the model."""
    a = radians(m.SLOPE)
    turned = points @ np.array(((1, 0, 0), (0, cos(a), -sin(a)), (0, sin(a), cos(a)))).T
    y, z = (console.box.depth + console.flat) / 4, (console.low + console.box.height) / 2
    placed = turned + np.array((0, -y, z))
    return np.asarray(placed * (-1, -1, 1) if opposite else placed)


def table(things: Mapping[str, list[Shaded]]) -> list[Shaded]:
    """Return everything in its place around an ordinary board."""
    placed = [
        (solid.copy().apply_transform(_place(*PLACES[name])), colour)
        for name, solids in things.items()
        for solid, colour in solids
    ]
    size = (2 * HALF, 2 * HALF, THICK)
    return [(box(size, translation_matrix((0, 0, THICK / 2))), CARD), *placed]


def _place(turn: float, x: float, y: float) -> Floats:
    turned = rotation_matrix(radians(turn), (0, 0, 1))
    return np.asarray(translation_matrix((x, y, m.WALL)) @ turned)  # on its lid
