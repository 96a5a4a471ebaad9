"""`make hardware`: generates the files for the wiring, the enclosure and the sheets.

With --check it only compares the existing files with new ones. In this package, a shape is a part
as a build123d object. A solid is the same part as a mesh of triangles.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from build123d import export_step, export_stl
from PIL import Image
from trimesh import Trimesh, load_mesh
from wireviz.wireviz import parse

from hardware import breadboard, enclosure, lists, paper, render, scene, sheets, stripboard, wiring
from hardware.lists import HERE
from hardware.measures import CUT
from hardware.pcb.bodies import with_boards
from hardware.shapes import LETTERS

Solids = dict[str, render.Shaded]  # by name
TOLERANCE_MM, TOLERANCE_RAD = 0.08, 0.35  # how far an STL may be from the exact shape
# Each yields the files of a thing to build: their names in this folder, and their bytes. The
# enclosure needs the CAD library and has more to write.
THINGS = (wiring.files, stripboard.files, breadboard.files, sheets.files)
STEP_FILE_NAME = re.compile(r"FILE_NAME\(.*?\);", re.DOTALL)
PICTURE_WIDTH, TABLE_WIDTH = 720, 1280  # pixels
SCREEN = sheets.SCREENS / "play-four-seats.png"
PLASTIC = (228, 221, 206)
COLOURS = {
    **dict.fromkeys(("lamp", "LED"), scene.DARK_LED),
    **dict.fromkeys(("Pi", "Pico", "board"), (60, 120, 80)),
    **dict.fromkeys(("dice", "stripboard"), (180, 140, 80)),
    **dict.fromkeys(("power button", "plug", "socket", "jack"), (60, 60, 66)),
    "display": scene.GLASS,
    "OK": scene.seat_colour("A"),
    "NEXT": (120, 114, 108),
    "dome": (196, 214, 224),
    "piezo": (200, 160, 70),
    "paint": (40, 44, 52),
}


def main() -> int:
    """Make all files, or compare existing ones with new ones. Return 1 if something is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware",
        description="generate the files for the wiring, the enclosure and the sheets",
    )
    what = "only compare the existing files with new ones"
    parser.add_argument("--check", action="store_true", help=what)
    if parser.parse_args().check:
        with TemporaryDirectory() as folder:
            faults = make_all(Path(folder)) or list(find_differences(HERE, Path(folder)))
    else:
        faults = make_all(HERE)
    for fault in faults:
        print(f"hardware: {fault}", file=sys.stderr)
    return int(bool(faults))


def make_all(folder: Path) -> list[str]:
    """Write all files to a folder. Return one sentence for each fault of the enclosure's parts."""
    for files in THINGS:
        lists.write(folder, files())
    for file in (folder / "wiring").glob("*.yml"):
        parse(file, output_formats=("svg",), output_dir=file.parent, output_name=file.stem)
    faults = make_enclosure(folder / "enclosure")
    (folder / lists.DIGEST_FILE).write_text(lists.compute_digest(), encoding="utf-8")
    return faults


def make_enclosure(folder: Path) -> list[str]:
    """Write STL, STEP and pictures. Return one sentence for each fault of the parts."""
    folder.mkdir(exist_ok=True)
    shapes = enclosure.printed_parts()
    write_steps(shapes, folder)
    for name, shape in shapes.items():
        _write_stl(shape, folder / f"{name}.stl")
    assembled = enclosure.assemble(shapes)
    enclosures, boards = add_colours_and_screens(assembled), with_boards(assembled)
    for name, solids in enclosures.items():
        draw_enclosure(name, solids, folder)
    panels = {f"panel-{one}": panel_solids(shapes, enclosures["panel"], one) for one in LETTERS}
    others = {"console": enclosures["console-two"], "dome": enclosures["dome-lit"]}
    table, ground = scene.table(panels | others), [scene.table_top()]
    picture = render.picture(table, TABLE_WIDTH, turn=-10, tilt=36, distance=1000, ground=ground)
    _save(picture, folder / "table.png")
    plugged = _add_colours(boards["console-two-jacks"])
    plugged["screen 1"] = enclosures["console-two"]["screen 1"]
    draw_enclosure("console-two-jacks", plugged, folder, turn=62, tilt=25)
    return [*enclosure.find_faults(shapes), *enclosure.find_overlaps(boards)]


def write_steps(shapes: dict[str, Any], folder: Path) -> None:
    """Write a STEP file of each shape, without the time and the folder in its header."""
    for name, shape in shapes.items():
        path = folder / f"{name}.step"
        export_step(shape, str(path))
        head = f"FILE_NAME('{name}','',(''),(''),'','','');"
        text = STEP_FILE_NAME.sub(head, path.read_text(encoding="utf-8"), count=1)
        path.write_text(text, encoding="utf-8", newline="\n")


def add_colours_and_screens(enclosures: dict[str, dict[str, Any]]) -> dict[str, Solids]:
    """Return the solids of each enclosure with their colours. Its displays show `SCREEN`."""
    solids_by_enclosure = {name: _add_colours(shapes) for name, shapes in enclosures.items()}
    with Image.open(SCREEN) as image:
        for name, displays in enclosure.SHOWN.items():
            for number, display in enumerate(displays, 1):
                lit_dots = scene.dots(image, display, opposite=number == 2)
                solids_by_enclosure[name][f"screen {number}"] = lit_dots, scene.LIT_DOT
    return solids_by_enclosure


def panel_solids(shapes: dict[str, Any], solids: Solids, letter: str) -> Solids:
    """Return the solids of the panel with this letter, made from those of panel A."""
    return solids | {
        "panel-A": (_to_solid(shapes[f"panel-{letter}"]), PLASTIC),
        "paint": (_to_solid(enclosure.cut(letter, CUT)), COLOURS["paint"]),
        "OK": (solids["OK"][0], scene.seat_colour(letter)),
        "lamp": (solids["lamp"][0], scene.LIT_LED if letter == "A" else scene.DARK_LED),
    }


def draw_enclosure(
    name: str, solids: Solids, folder: Path, turn: float = -30, tilt: float = 35
) -> None:
    """Draw an enclosure three times: closed, without its top, and from below without its lid."""
    everything = list(solids.values())  # the first one is its top
    without_lid = [solid for part, solid in solids.items() if "lid" not in part]
    for view, picture in (
        ("", render.picture(everything, PICTURE_WIDTH, turn, tilt, ground=[scene.SHEET])),
        ("-inside", render.picture(everything[1:], PICTURE_WIDTH, turn, tilt)),
        ("-below", render.picture(without_lid, PICTURE_WIDTH, turn, tilt=-50)),
    ):
        _save(picture, folder / f"{name}{view}.png")


def find_differences(old: Path, new: Path) -> Iterator[str]:
    """Yield a sentence for each new file whose old one is missing or differs."""
    for file in sorted(path for path in new.rglob("*") if path.suffix in READERS):
        name = file.relative_to(new)
        if not (old / name).exists():
            yield f"{name} is missing: run make hardware"
        elif READERS[file.suffix](file) != READERS[file.suffix](old / name):
            yield f"{name} is stale: run make hardware"


def svg_texts(file: Path) -> list[str]:
    """Return an SVG's texts, without their places, which depend on Graphviz's version."""
    text = file.read_text(encoding="utf-8")
    return sorted(re.findall(r"<title>.*?</title>|<text[^>]*>(.*?)</text>", text))


def stl_volume_and_size(file: Path) -> tuple[float, ...]:
    """Return an STL's volume and size with three digits, however it is cut into triangles."""
    solid = load_mesh(file)
    return tuple(float(f"{number:.3g}") for number in (solid.volume, *solid.extents))


READERS: dict[str, Callable[[Path], object]] = {
    ".yml": Path.read_bytes,
    ".svg": svg_texts,
    ".pdf": lambda file: paper.unpacked_pdf(file.read_bytes()),
    ".stl": stl_volume_and_size,
    ".txt": Path.read_bytes,
}


def _add_colours(shapes: dict[str, Any]) -> Solids:
    return {part: (_to_solid(shape), _colour(part)) for part, shape in shapes.items()}


def _colour(part: str) -> render.Colour:
    if part in scene.lit_leds():
        return scene.LIT_LED
    return COLOURS.get(part) or COLOURS.get(part.split()[0], PLASTIC)


def _to_solid(shape: Any) -> Trimesh:
    """Write a shape as an STL file and read its triangles back."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "shape.stl"
        _write_stl(shape, path)
        return load_mesh(path)


def _write_stl(shape: Any, path: Path) -> None:
    export_stl(shape, str(path), tolerance=TOLERANCE_MM, angular_tolerance=TOLERANCE_RAD)


def _save(image: Image.Image, path: Path) -> None:
    image.quantize(128, method=Image.Quantize.MEDIANCUT, kmeans=3).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
