"""Pictures of solids, in the light of a lamp and of the room, with soft shadows on a ground."""

from collections.abc import Sequence
from math import cos, pi, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter
from trimesh import Trimesh
from trimesh.sample import sample_surface
from trimesh.util import concatenate, unitize

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

PAPER = (251, 250, 247)
FINER = 2  # drawn this much larger, then shrunk, for smooth edges
MARGIN = 0.04
FAR = 1e6  # mm: from there, near things look no larger than others
TOWARDS_LAMP = unitize((-0.55, 0.6, 0.6))  # right, up, towards us
LAMP, ROOM = (24, 0.05, 0.85), (96, 1.0, 0.55)  # directions, their spread about the lamp's, power
BOUNCED = 0.1  # of all light: from everything around
GRAIN, POINTS = 2.0, 4  # mm of a shadow, and points in a grain
GAP = 2.5  # mm between a surface and where its light is measured, so that nothing shades itself
GAMMA = 2.2

# Red, green and blue. A number above 255 makes a solid shine. An image covers its solid from above.
Colour = tuple[int, int, int]
Shaded = tuple[Trimesh, Colour | Image.Image]


def picture(
    solids: Sequence[Shaded],
    width: int,
    turn: float = -30,
    tilt: float = 35,
    distance: float = FAR,
    ground: Sequence[Shaded] = (),
) -> Image.Image:
    """Return solids as seen from `tilt` degrees above, turned by `turn` about the upright axis.

    distance: from the eye to the origin, in mm. ground: what is below them, and may reach beyond
    the picture; without it nothing throws a shadow.
    """
    view, everything = _view(turn, tilt), [*solids, *ground]
    triangles = np.concatenate([solid.triangles for solid, _ in everything]) @ view.T
    normals = np.concatenate([solid.face_normals for solid, _ in everything]) @ view.T
    owners = np.repeat(range(len(everything)), [len(solid.faces) for solid, _ in everything])
    faces, at = _see(triangles, owners < len(solids), width * FINER, distance)
    row, column = np.nonzero(faces >= 0)
    face = faces[row, column]
    bright = BOUNCED + np.maximum(normals @ TOWARDS_LAMP, 0)[face]
    if ground:
        whole = concatenate([solid for solid, colour in solids if not _shines(colour)])
        shading, _ = sample_surface(whole, int(whole.area * POINTS / GRAIN**2), seed=1)
        which = row % FINER * FINER + column % FINER
        bright = _light(at + normals[face] * GAP, normals[face], which, shading @ view.T)
    shines = np.array([_shines(colour) for _, colour in everything])[owners[face], None]
    colours = _colours(everything, owners[face], at @ view)
    drawn = np.full((*faces.shape, 3), PAPER, dtype=np.uint8)
    glow = np.zeros_like(drawn)
    shade = np.where(shines, 1, bright[:, None] ** (1 / GAMMA))
    drawn[row, column] = np.minimum(colours * shade, 255)
    glow[row, column] = np.clip(colours - 255, 0, 255) * shines
    shown, halo = (Image.fromarray(pixels).reduce(FINER) for pixels in (drawn, glow))
    for radius in width / 300, width / 90:
        shown = ImageChops.add(shown, halo.filter(ImageFilter.GaussianBlur(radius)))
    return shown


def _see(
    triangles: Floats, fitted: NDArray[np.bool_], width: int, distance: float
) -> tuple[Numbers, Floats]:
    """Return the number of the triangle in each pixel, or -1, and the points where there is one.

    fitted: which triangles the picture must show whole.
    """
    near = distance / (distance - triangles[:, :, 2:])  # this is linear on the picture
    seen = np.concatenate([triangles[:, :, :2] * near, near], axis=-1)
    low, high = (edge(seen[fitted], axis=(0, 1)) for edge in (np.min, np.max))
    scale = width * (1 - 2 * MARGIN) / (high[0] - low[0])
    left, top = low[0] - width * MARGIN / scale, high[1] + width * MARGIN / scale
    height = int((top - low[1]) * scale + width * MARGIN) // FINER * FINER
    placed = (seen - (left, top, 0)) * (scale, -scale, 1)
    nearest, faces = _rasterise(placed, width, height)
    row, column = np.nonzero(faces >= 0)
    x, y, near = (column + 0.5) / scale + left, top - (row + 0.5) / scale, nearest[row, column]
    return faces, np.stack([x / near, y / near, distance - distance / near], axis=-1)


def _view(turn: float, tilt: float) -> Floats:
    """Return the matrix from the model to right, up, towards us."""
    a, b = radians(turn), radians(tilt)
    return np.array(
        (
            (cos(a), -sin(a), 0),
            (sin(a) * sin(b), cos(a) * sin(b), cos(b)),
            (-sin(a) * cos(b), -cos(a) * cos(b), sin(b)),
        )
    )


def _shines(colour: Colour | Image.Image) -> bool:
    return not isinstance(colour, Image.Image) and max(colour) > 255


def _colours(everything: Sequence[Shaded], owners: Numbers, at: Floats) -> Floats:
    """Return the colour of each point of the model. owners: the numbers of their solids."""
    colours = np.zeros((len(at), 3))
    for number, (solid, colour) in enumerate(everything):
        own = owners == number
        if isinstance(colour, Image.Image):
            low, high = solid.bounds[:, :2]
            across, up = np.clip((at[own, :2] - low) / (high - low), 0, 0.9999).T
            pixels = np.asarray(colour)[::-1]
            colours[own] = pixels[
                (up * colour.height).astype(int), (across * colour.width).astype(int)
            ]
        else:
            colours[own] = colour
    return colours


def _light(at: Floats, normals: Floats, which: Numbers, shading: Floats) -> Floats:
    """Return how much light each point gets between other points, which may shade it.

    which: the number of a point in its pixel of the picture. Each gets some of the directions.
    """
    bright = np.full(len(at), BOUNCED)
    for count, spread, power in LAMP, ROOM:
        for n in range(count):  # evenly over a part of the half sphere about the lamp
            z, angle = 1 - spread * (n + 0.5) / count, n * pi * (3 - sqrt(5))
            out = sqrt(1 - z * z)
            axes = _axes(np.array((cos(angle) * out, sin(angle) * out, z)) @ _axes(TOWARDS_LAMP))
            own = np.flatnonzero(which == n % FINER**2)
            facing = np.maximum(_along(axes[2:], normals[own])[0], 0) * power * FINER**2 / count
            bright[own] += facing * _is_lit(_along(axes, at[own]), _along(axes, shading))
    return bright


def _axes(towards: Floats) -> Floats:
    """Return three axes, the third one in a direction."""
    third = unitize(towards)
    first = unitize(np.cross((0.0, 1.0, 0.1), third))
    return np.stack([first, np.cross(third, first), third])


def _along(axes: Floats, points: Floats) -> Floats:
    """Return the places of points along each axis, on one core: more would wait for each other."""
    return np.asarray(np.einsum("ij,kj", axes, points))


def _is_lit(at: Floats, shading: Floats) -> NDArray[np.bool_]:
    """Return which points nothing hides from far away along the third axis."""
    low = shading[:2].min(axis=1)[:, None] - GRAIN  # around all of them there is an empty grain
    column, row = ((shading[:2] - low) / GRAIN).astype(int)
    highest = np.full((row.max() + 2, column.max() + 2), -np.inf)
    np.maximum.at(highest, (row, column), shading[2])
    column, row = ((at[:2] - low) / GRAIN).astype(int)
    rows, columns = highest.shape
    return np.asarray(highest[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)] < at[2])


def _rasterise(triangles: Floats, width: int, height: int) -> tuple[Floats, Numbers]:
    """Return how near each pixel's nearest triangle is, and its number, or -1."""
    nearest, which = np.zeros((height, width)), np.full((height, width), -1)
    for number, ((ax, ay, az), (bx, by, bz), (cx, cy, cz)) in enumerate(triangles.tolist()):
        left, right = max(int(min(ax, bx, cx)), 0), min(int(max(ax, bx, cx)) + 1, width)
        top, low = max(int(min(ay, by, cy)), 0), min(int(max(ay, by, cy)) + 1, height)
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if left >= right or top >= low or area > -1e-9:  # beside the picture, or seen from behind
            continue
        x, y = np.arange(left, right) + 0.5, np.arange(top, low)[:, None] + 0.5
        v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        depth = az + v * (bz - az) + w * (cz - az)
        here = nearest[top:low, left:right]
        inside = (v >= 0) & (w >= 0) & (v + w <= 1) & (depth > here)
        here[inside] = depth[inside]
        which[top:low, left:right][inside] = number
    return nearest, which
