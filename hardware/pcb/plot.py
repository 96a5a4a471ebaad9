"""What people look at: both sides as pictures, drawn from the Gerbers, and a page of the parts.

gerbonara, which is nobody's who plotted them, reads the Gerbers back. Chromium makes PNG of its
SVG; InteractiveHtmlBom, for KiCad's own Python, makes the page.
"""

import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from gerbonara import LayerStack

from hardware.pcb.footprints import Pad
from hardware.pcb.place import Board

BROWSERS = ("chromium-headless-shell", "chromium")
DOTS_A_MM = 10
NO_WINDOW = {"INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"}


def read_back(board: Board, pads: list[Pad], vias: int, archive: Path) -> Iterator[str]:
    """Yield a sentence for each layer, size or hole that is not in the archive as on the board."""
    stack = _open(archive)
    xs, ys = zip(*board.outline, strict=True)
    wanted = max(xs) - min(xs), max(ys) - min(ys)
    (left, low), (right, high) = stack.board_bounds()
    if any(abs(a - b) > 0.11 for a, b in zip((right - left, high - low), wanted, strict=True)):
        yield f"{archive.name} has another size than the board"
    layers = len(list(stack.graphic_layers))
    if layers != 9:
        yield f"{archive.name} has {layers} layers instead of 9"
    bare = sum(pad.drill > 0 and not pad.layers for pad in pads)
    plated = sum(pad.drill > 0 and pad.layers != () for pad in pads) + vias
    for what, layer, wanted_holes in (
        ("bare", stack.drill_npth, bare),
        ("plated", stack.drill_pth, plated),
    ):
        if (found := len(layer.objects)) != wanted_holes:
            yield f"{archive.name} has {found} {what} holes instead of {wanted_holes}"


def draw(board: Board, archive: Path) -> None:
    """Write a picture of each side beside the archive."""
    browser = next(filter(shutil.which, BROWSERS), BROWSERS[0])
    xs, ys = zip(*board.outline, strict=True)
    wide, high = (round((max(side) - min(side) + 4) * DOTS_A_MM) for side in (xs, ys))
    stack = _open(archive)
    for side in ("top", "bottom"):
        with TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            with warnings.catch_warnings(action="ignore"):  # of KiCad's macros
                svg = str(stack.to_pretty_svg(side=side)).partition("?>")[2]
            style = "body{margin:2mm}svg{width:calc(100vw - 4mm);height:auto}"
            page.write_text(f"<style>{style}</style>{svg}", encoding="utf-8")
            picture = archive.parent / f"{board.name}-{side}.png"
            words = ["--no-sandbox", "--hide-scrollbars", f"--window-size={wide},{high}"]
            words += [f"--screenshot={picture}", page.as_uri()]
            subprocess.run([browser, *words], check=True, capture_output=True)


def write_parts_page(python: str, program: Path, file: Path) -> None:
    """Write a page on which each part of a board shows where it is. program: of the package."""
    words = ["--no-browser", f"--dest-dir={file.parent}", "--name-format=%f-parts", str(file)]
    where = {**os.environ, **NO_WINDOW, "PYTHONPATH": str(program.parents[1])}
    subprocess.run([python, str(program), *words], check=True, capture_output=True, env=where)


def _open(archive: Path) -> LayerStack:
    with warnings.catch_warnings(action="ignore"):  # of KiCad's order of words in drill files
        return LayerStack.open(archive)
