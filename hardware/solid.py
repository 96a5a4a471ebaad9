"""An STL file as triangles, with its volume, size, open edges and wall thickness. Knows no part."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HEAD, TRIANGLE = 84, 50  # sizes in bytes, in binary STL


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Triangles as (n, 3 corners, 3), in mm; corners counterclockwise seen from outside."""

    triangles: Floats

    @property
    def open_edges(self) -> int:
        """Return the number of edges without exactly one triangle on each side: 0 if closed."""
        _, corner = np.unique(self.triangles.reshape(-1, 3), axis=0, return_inverse=True)
        faces = corner.reshape(-1, 3)
        edges = Counter((int(f[i]), int(f[i - 2])) for f in faces for i in range(3))
        return sum(count != 1 or edges[b, a] != 1 for (a, b), count in edges.items())

    @property
    def volume(self) -> float:
        """Return the volume in mm^3, negative if the solid is inside out."""
        a, b, c = (self.triangles[:, n] for n in range(3))
        return float((a * np.cross(b, c)).sum() / 6)

    @property
    def size(self) -> tuple[float, ...]:
        """Return width, depth and height of the surrounding box, in mm."""
        corners = self.triangles.reshape(-1, 3)
        return tuple(float(side) for side in corners.max(axis=0) - corners.min(axis=0))

    @property
    def normals(self) -> Floats:
        """Return each triangle's outward normal, of length 1."""
        a, b, c = (self.triangles[:, n] for n in range(3))
        cross = np.cross(b - a, c - a)
        length = np.linalg.norm(cross, axis=1, keepdims=True)
        return np.asarray(cross / np.where(length > 0, length, 1))

    def thicknesses(self, count: int, seed: int) -> Floats:
        """Return how thick the wall is below `count` random points of the surface, in mm.

        Only where its other side looks the opposite way, within 30 degrees: an edge is no wall.
        """
        random, normals = np.random.default_rng(seed), self.normals
        a, b, c = (self.triangles[:, n] for n in range(3))
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        found = []
        for n in random.choice(len(areas), count, p=areas / areas.sum()):
            u, v = sorted(random.random(2))
            start = a[n] * u + b[n] * (v - u) + c[n] * (1 - v)
            far, hit = self._first(start - 1e-4 * normals[n], -normals[n])
            if hit >= 0 and normals[hit] @ normals[n] < -0.866:
                found.append(far)
        return np.array(found)

    def _first(self, start: Floats, step: Floats) -> tuple[float, int]:
        """Return the distance to the first triangle and its index (Moeller and Trumbore 1997)."""
        a, b, c = (self.triangles[:, n] for n in range(3))
        ab, ac, s = b - a, c - a, start - a
        p, q = np.cross(step, ac), np.cross(s, ab)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 1 / (ab * p).sum(axis=1)
            u, v, t = (scale * (x * y).sum(axis=1) for x, y in ((s, p), (step, q), (ac, q)))
            t = np.where((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0), t, np.inf)
        hit = int(np.argmin(t))
        return float(t[hit]), hit if np.isfinite(t[hit]) else -1


def read(path: Path) -> Solid:
    """Return the triangles of a binary STL file."""
    data = path.read_bytes()
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    return Solid(np.frombuffer(data[HEAD:], kind)["corners"].astype(np.float64))
