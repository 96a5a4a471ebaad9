"""Pictures of solids: flat-shaded, seen at an angle, the nearer hides the farther."""

from collections.abc import Sequence
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from trimesh import Trimesh

Floats = NDArray[np.float64]

PAPER = (251, 250, 247)
LIGHT = np.array((0.35, 0.25, 0.9)) / np.linalg.norm((0.35, 0.25, 0.9))  # right, up, towards us
FINER = 2  # drawn this much larger, then shrunk, for smooth edges
MARGIN = 0.04

Colour = tuple[int, int, int]


def picture(
    solids: Sequence[tuple[Trimesh, Colour]], width: int, turn: float = -30, tilt: float = 35
) -> Image.Image:
    """Return solids as seen from `tilt` degrees above, turned by `turn` about the upright axis."""
    view = _view(turn, tilt)
    seen = [
        (solid.triangles @ view.T, solid.face_normals @ view.T, colour) for solid, colour in solids
    ]
    corners = np.concatenate([triangles.reshape(-1, 3) for triangles, _, _ in seen])
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = width * FINER * (1 - 2 * MARGIN) / (high[0] - low[0])
    edge = width * FINER * MARGIN
    size = width * FINER, int((high[1] - low[1]) * scale + 2 * edge)
    pixels = np.full((size[1], size[0], 3), PAPER, dtype=np.uint8)
    nearest = np.full((size[1], size[0]), -np.inf)
    for triangles, normals, colour in seen:
        at = triangles.copy()
        at[:, :, 0] = (at[:, :, 0] - low[0]) * scale + edge
        at[:, :, 1] = (high[1] - at[:, :, 1]) * scale + edge
        for corner, normal in zip(at, normals, strict=True):
            if normal[2] > 0:
                bright = 0.45 + 0.55 * max(0.0, float(normal @ LIGHT))
                _fill(pixels, nearest, corner, np.array(colour) * bright)
    return Image.fromarray(pixels).resize((width, size[1] // FINER), Image.Resampling.LANCZOS)


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


def _fill(pixels: NDArray[np.uint8], nearest: Floats, corner: Floats, colour: Floats) -> None:
    """Fill one triangle where nothing nearer covers it."""
    low = np.maximum(np.floor(corner[:, :2].min(axis=0)).astype(int), 0)
    high = np.ceil(corner[:, :2].max(axis=0)).astype(int) + 1
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corner
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return
    v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    depth = az + v * (bz - az) + w * (cz - az)
    here = nearest[low[1] : high[1], low[0] : high[0]]
    rows, columns = here.shape
    inside = ((v >= 0) & (w >= 0) & (v + w <= 1))[:rows, :columns]
    inside &= depth[:rows, :columns] > here
    here[inside] = depth[:rows, :columns][inside]
    pixels[low[1] : high[1], low[0] : high[0]][inside] = colour.astype(np.uint8)
