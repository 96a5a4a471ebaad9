"""hardware/enclosure/: every part can be printed without supports, and prints.csv is up to date."""

import os
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
import trimesh

from hardware.lists import HERE
from hardware.prints import LAYER, PRINTS, RESULTS, Print, load_results, table, volume
from tests.asked import extent
from tests.hardware.kept import check_table

pytestmark = pytest.mark.slow  # each part is cut into some hundred layers

STALE = "stale: run make hardware ONLY=prints"
OUTWARDS = 0.3  # mm: how far a line may lie beside the line below
FREE, BRIDGE = 3.0, 12.0  # mm: longest edge in mid-air, widest ceiling between walls all round
Mesh = Any  # trimesh and shapely have no strict types
OFF = 0.0137  # mm: no face of a part is at such a height, so each cut is clean


@cache
def loaded(part: str, turned: bool) -> Mesh:
    mesh = trimesh.load_mesh(HERE / "enclosure" / f"{part}.stl")
    if turned:
        mesh.apply_transform(trimesh.transformations.rotation_matrix(np.pi, (1, 0, 0)))
    return mesh


def layers(mesh: Mesh, most: int | None = None) -> list[Any]:
    """Return what the printer lays down in each layer, or in so many, from the bed upwards."""
    low, high = mesh.bounds[:, 2]
    heights = np.arange(LAYER / 2 + OFF, high - low, LAYER)[:most]
    cuts, _, _ = trimesh.intersections.mesh_multiplane(mesh, (0, 0, low), (0, 0, 1), heights)
    lines = [shapely.union_all(shapely.linestrings(cut.round(6)), grid_size=1e-3) for cut in cuts]
    return [shapely.build_area(line) for line in lines]


def overhangs(mesh: Mesh) -> list[str]:
    """Return a sentence for each piece of a layer that would need a support."""
    found = []
    areas = layers(mesh)
    for n, (below, layer) in enumerate(pairwise(areas), 1):
        assert layer.area > 0
        support = below.buffer(OUTWARDS)
        for piece in getattr(layer - support, "geoms", [layer - support]):
            if piece.is_empty:
                continue
            edges = shapely.line_merge(piece.boundary - support.buffer(0.01))
            free = max((edge.length for edge in shapely.get_parts(edges)), default=0.0)
            width = 2 * shapely.maximum_inscribed_circle(piece, tolerance=0.05).length
            if free > FREE or width > BRIDGE:
                at = f"{piece.centroid.x:.0f}, {piece.centroid.y:.0f}"
                found.append(f"layer {n} at {at}: {free:.1f} mm free, {width:.1f} mm wide")
    return found


# Writes what the slicer says of a part into the file after --output.
SLICE = """
while [ "$1" != --output ]; do shift; done
echo "; total filament used [g] = 9.5; printing time (normal mode) = 1h 2m 3s" >"$2"
"""
SLICED = PRINTS[:: extent(4, soak=1)]


@pytest.mark.soak
@pytest.mark.parametrize("item", SLICED, ids=[item.part for item in SLICED])
def test_a_part_needs_no_supports(item: Print) -> None:
    assert overhangs(loaded(item.part, item.turned)) == []


def column(*blocks: tuple[float, float]) -> Mesh:
    """Return square blocks of these widths and heights, one on top of the other."""
    solids, top = [], 0.0
    for width, height in blocks:
        at = trimesh.transformations.translation_matrix((0, 0, top + height / 2))
        solids.append(trimesh.creation.box((width, width, height), at))
        top += height
    return trimesh.util.concatenate(solids)


@pytest.mark.parametrize(("wider", "faults"), [(0.5, 0), (0.8, 1)])
def test_a_block_that_hangs_out_over_a_narrower_one_is_found(wider: float, faults: int) -> None:
    assert len(overhangs(column((10, 2), (10 + wider, 2)))) == faults


def test_a_part_stands_on_the_side_that_the_table_names() -> None:
    for item in PRINTS:
        [first] = layers(loaded(item.part, item.turned), most=1)
        assert first.area > 500, item.part  # a roof, a top or a lid: it does not fall over


def test_the_slicer_s_results_are_those_of_the_parts_of_today() -> None:
    results = load_results()
    assert list(results) == [item.part for item in PRINTS]
    for part, result in results.items():
        assert result.cm3 == pytest.approx(volume(part), rel=0.005), STALE
        solid = 1.27 * result.cm3  # grams of PETG; a part weighs less where it has infill
        assert 0.6 * solid <= result.grams <= 1.05 * solid


def test_a_slicer_that_fails_halfway_leaves_the_results_as_they_are(tmp_path: Path) -> None:
    slicer = tmp_path / "prusa-slicer"
    slicer.write_text('#!/bin/sh\ncase "$*" in *panel-C*) exit 1 ;; esac\n' + SLICE)
    slicer.chmod(0o755)
    before = RESULTS.read_bytes()
    path = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([sys.executable, "-m", "hardware.prints"], env=path, check=False)
    assert done.returncode == 1
    assert RESULTS.read_bytes() == before


def test_the_table_of_the_readme_has_the_slicer_s_results(redraw: bool) -> None:
    check_table("prints", table(), redraw)
