"""`make hardware`: makes wiring, enclosure and sheets; --check compares them with new ones."""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from build123d import export_step, export_stl
from PIL import Image
from wireviz.wireviz import parse

from hardware import enclosure, render, scene, sheets, solid
from hardware import measures as m
from hardware.digest import NAME, digest
from hardware.lists import HERE, TIERS, Part, parts, pins
from hardware.shapes import LETTERS
from hardware.stripboard import pictures
from hardware.wiring import wiring

TOLERANCE_MM, TOLERANCE_RAD = 0.08, 0.35  # mm and radians by which an STL may be off
STEP_FILE_NAME = re.compile(r"FILE_NAME\(.*?\);", re.DOTALL)
WIDTH = 720  # pixels
SCREEN = sheets.SCREENS / "play-choose.png"
DISPLAYS = (
    ("console-two", enclosure.LARGE, 1),
    ("console-two", enclosure.LARGE, 2),
    ("console-one", enclosure.SMALL, 1),
)
PLASTIC, DARK = (214, 204, 186), (70, 76, 86)
COLOURS = {
    "OK": (60, 130, 80),
    "NEXT": (226, 180, 60),
    "lamp": (190, 50, 40),
    "LED": (190, 50, 40),
    "dome": (170, 205, 225),
    "Pi": (60, 120, 80),
    "Pico": (60, 120, 80),
    "dice": (180, 140, 80),
    "stripboard": (180, 140, 80),
    "power button": (60, 60, 66),
    "plug": (60, 60, 66),
    "paint": (40, 44, 52),
}


def main() -> int:
    """Make all files, or compare them; return status 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare with the files in place")
    if not parser.parse_args().check:
        return _print_faults(make_all(HERE))
    with TemporaryDirectory() as name:
        folder = Path(name)
        return _print_faults(make_all(folder) or list(differences(HERE, folder)))


def make_all(folder: Path) -> list[str]:
    """Write all files to a folder; return a sentence for each fault of the solids."""
    for name in ("wiring", "enclosure", "sheets"):
        (folder / name).mkdir(exist_ok=True)
    draw_wiring(folder / "wiring")
    sheets.write(folder / "sheets")
    faults = make_solids(folder / "enclosure")
    (folder / NAME).write_text(digest(), encoding="utf-8")
    return faults


def draw_wiring(folder: Path) -> None:
    """Write each tier's WireViz input and its picture, and the pictures of the stripboards."""
    for tier in TIERS:
        file = folder / f"{tier}.yml"
        file.write_text(wiring(pins(), tier) + "\n", encoding="utf-8", newline="\n")
        parse(file, output_formats=("svg",), output_dir=folder, output_name=tier)
    for name, svg in pictures(pins()):
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8", newline="\n")


def make_solids(folder: Path) -> list[str]:
    """Write STL, STEP and pictures; return a sentence for each fault."""
    parts_by_name = parts()
    shapes = enclosure.printed_parts(parts_by_name)
    for name, shape in shapes.items():
        _write_stl(shape, folder / f"{name}.stl")
        if name[:6] != "panel-" or name in ("panel-A", "panel-lid"):
            _write_step(shape, folder / f"{name}.step")
    drawings = colour_solids(enclosure.assemble(shapes, parts_by_name), parts_by_name)
    for name, solids in drawings.items():
        draw_enclosure(name, solids, folder)
    whole = {
        f"panel-{letter}": panel_solids(shapes, drawings["panel"], letter) for letter in LETTERS
    }
    whole["console"] = list(drawings["console-two"].values())
    whole["dome"] = list(drawings["dome-lit"].values())
    _save(render.picture(scene.table(whole), 2 * WIDTH, turn=-15, tilt=48), folder / "table.png")
    return enclosure.find_faults(shapes, parts_by_name)


def colour_solids(
    enclosures: dict[str, dict[str, Any]], parts_by_name: dict[str, Part]
) -> dict[str, dict[str, scene.Shaded]]:
    """Return each enclosure's solids with their colours, and real screens on the displays."""
    solids_by_enclosure = {
        name: {part: (_solid(shape), _colour(part)) for part, shape in shapes.items()}
        for name, shapes in enclosures.items()
    }
    console = m.console(parts_by_name[enclosure.PI])
    with Image.open(SCREEN) as image:
        for name, part, n in DISPLAYS:
            lit = scene.dots(image, parts_by_name[part], console, opposite=n == 2)
            solids_by_enclosure[name][f"screen {n}"] = lit, scene.LIT
    return solids_by_enclosure


def panel_solids(
    shapes: dict[str, Any], solids: dict[str, scene.Shaded], letter: str
) -> list[scene.Shaded]:
    """Return a panel's solids with its own letter instead of A's."""
    others = [pair for part, pair in solids.items() if part not in ("panel-A", "paint")]
    paint = _solid(enclosure.cut(letter, m.CUT)), COLOURS["paint"]
    return [(_solid(shapes[f"panel-{letter}"]), PLASTIC), paint, *others]


def draw_enclosure(name: str, solids: dict[str, scene.Shaded], folder: Path) -> None:
    """Draw an enclosure closed, opened, and from below without its lid."""
    top = next(iter(solids))
    _save(render.picture(list(solids.values()), WIDTH), folder / f"{name}.png")
    within = [pair for part, pair in solids.items() if part != top]
    _save(render.picture(within, WIDTH), folder / f"{name}-inside.png")
    under = [pair for part, pair in solids.items() if "lid" not in part]
    _save(render.picture(under, WIDTH, tilt=-50), folder / f"{name}-below.png")


def differences(old: Path, new: Path) -> Iterator[str]:
    """Yield a sentence for each new file that differs from the old one or is missing."""
    for file in sorted(path for path in new.rglob("*") if path.suffix in COMPARED_BY):
        name = file.relative_to(new)
        if not (old / name).exists():
            yield f"{name} is missing: run make hardware"
        elif COMPARED_BY[file.suffix](file) != COMPARED_BY[file.suffix](old / name):
            yield f"{name} is stale: run make hardware"


def svg_words(file: Path) -> list[str]:
    """Return the words and edges of a picture: positions differ between versions of Graphviz."""
    text = file.read_text(encoding="utf-8")
    return sorted(re.findall(r"<title>.*?</title>|<text[^>]*>(.*?)</text>", text))


def stl_measures(file: Path) -> tuple[float, ...]:
    """Return an STL's volume and size to three digits, whatever its triangles."""
    read = solid.read(file)
    return tuple(float(f"{number:.3g}") for number in (read.volume, *read.size))


COMPARED_BY: dict[str, Callable[[Path], object]] = {
    ".yml": lambda file: file.read_bytes(),
    ".svg": svg_words,
    ".pdf": lambda file: file.read_bytes(),
    ".stl": stl_measures,
    ".txt": lambda file: file.read_bytes(),
}


def _colour(part: str) -> tuple[int, int, int]:
    if part.startswith("display"):
        return DARK
    return COLOURS.get(part) or COLOURS.get(part.split()[0], PLASTIC)


def _solid(shape: Any) -> solid.Solid:
    """Return the triangles of a shape, by way of an STL file."""
    with TemporaryDirectory() as place:
        _write_stl(shape, Path(place) / "one.stl")
        return solid.read(Path(place) / "one.stl")


def _write_stl(shape: Any, path: Path) -> None:
    export_stl(shape, str(path), tolerance=TOLERANCE_MM, angular_tolerance=TOLERANCE_RAD)


def _write_step(shape: Any, path: Path) -> None:
    """Write a STEP file without the time and folder in its head."""
    export_step(shape, str(path))
    text = path.read_text(encoding="utf-8")
    head = f"FILE_NAME('{path.stem}','',(''),(''),'','','');"
    path.write_text(STEP_FILE_NAME.sub(head, text, count=1), encoding="utf-8", newline="\n")


def _save(image: Any, path: Path) -> None:
    image.quantize(128, method=2).save(path, optimize=True)


def _print_faults(faults: list[str]) -> int:
    for fault in faults:
        print(f"hardware: {fault}", file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
