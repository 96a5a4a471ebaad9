"""`make hardware ONLY=boards`: makes the boards to order, and all that a maker asks for.

With --check it makes them in another folder, compares all bytes with those of this folder, and
tries whether KiCad still finds a seeded short and a seeded cut. Needs Debian's KiCad 6.
"""

import argparse
import csv
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from math import dist
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hardware import enclosure
from hardware.pcb.bodies import with_boards
from hardware.pcb.circuit import HERE, KINDS
from hardware.pcb.footprints import LIBRARY, pads_of
from hardware.pcb.kicad_file import kicad_text
from hardware.pcb.place import BOARDS, Board, Via
from hardware.pcb.plot import draw, read_back, write_parts_page
from hardware.pcb.route import route
from hardware.pcb.schematic import schematic
from hardware.pcb.text import numbers, parse, write

# InteractiveHtmlBom beside this Python's own packages: the Makefile puts it there.
PARTS_PAGE = Path(sys.prefix) / "parts-page/InteractiveHtmlBom/generate_interactive_bom.py"
PYTHON, PROGRAM = "/usr/bin/python3", HERE / "kicad.py"
MISSING = (
    "KiCad is not installed, so NOBODY MAKES OR JUDGES the boards to order: run "
    "`sudo apt-get install --no-install-recommends kicad kicad-footprints`"
)
DATE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([+-]\d\d:\d\d)?|\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}"
)
LONG = re.compile(r"-?\d+\.\d{5,}")
FAULT = re.compile(r"^\[\w+\]: (.*)\n.*Severity: error\n +(.*)", re.MULTILINE)


def main() -> int:
    """Make the boards, or compare. Return 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m hardware.pcb", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare, and seed two faults")
    has_kicad = subprocess.run([PYTHON, "-c", "import pcbnew"], capture_output=True, check=False)
    if parser.parse_args().check:
        faults = list(check()) if not has_kicad.returncode else [MISSING]
    elif has_kicad.returncode or not LIBRARY.exists():
        faults = [MISSING]
    else:
        faults = [fault for board in BOARDS for fault in make(board(), HERE)]
        for board in BOARDS:
            draw(board(), HERE / f"{board().name}-gerbers.zip")
    for fault in faults:
        print(f"boards: {fault}", file=sys.stderr)
    return int(bool(faults))


def make(board: Board, folder: Path) -> list[str]:
    """Write all files of a board. Return KiCad's faults, one sentence each."""
    file = folder / f"{board.name}.kicad_pcb"
    pads = pads_of(board)
    copper = route(board, pads)
    vias = sum(isinstance(piece, Via) for piece in copper)
    file.write_text(kicad_text(board, copper), encoding="utf-8")
    run("fill", file)
    for other in ("pro", "prl"):  # what KiCad writes beside it
        file.with_suffix(f".kicad_{other}").unlink()
    file.write_text(compact(file.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    archive = folder / f"{board.name}-gerbers.zip"
    archive.write_bytes(pack_gerbers(file))
    for name, rows in (("parts", list_parts(board)), ("placement", list_places(board))):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        (folder / f"{board.name}-{name}.csv").write_text(text.getvalue(), encoding="utf-8")
    svg = schematic(board)
    (folder / f"{board.name}-schematic.svg").write_text(svg, encoding="utf-8", newline="\n")
    write_parts_page(PYTHON, PARTS_PAGE, file)
    faults = *judge(file), *read_back(board, pads, vias, archive)
    return [f"{board.name}: {fault}" for fault in faults]


def run(*words: object) -> None:
    subprocess.run([PYTHON, str(PROGRAM), *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def compact(text: str) -> str:
    """Return a board's file with an item a line and tenths of a micrometre, half as large."""
    shorter = LONG.sub(lambda found: f"{round(float(found[0]), 4):g}", text)
    head, *items = parse(shorter)
    return "\n".join([f"({head}", *map(write, items), ")", ""])


def judge(file: Path) -> list[str]:
    """Return each error that KiCad's rules of design find in a board, with its first place."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.txt"
        run("judge", file, report)
        text = report.read_text(encoding="utf-8")
    return [f"{found[1]}: {found[2]}" for found in FAULT.finditer(text)]


def pack_gerbers(file: Path) -> bytes:
    """Return the Gerber X2 and drill files of a board as a ZIP, without the times of today."""
    packed = io.BytesIO()
    with TemporaryDirectory() as folder, ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        run("plot", file, folder)
        for made in sorted(Path(folder).iterdir()):
            text = DATE.sub("2026-01-01T00:00:00", made.read_text(encoding="utf-8"))
            archive.writestr(ZipInfo(made.name), text, ZIP_DEFLATED)
    return packed.getvalue()


def list_parts(board: Board) -> Iterator[list[str]]:
    """Yield the list of parts as JLC and others read it, with the makers' own numbers."""
    yield ["Comment", "Designator", "Footprint", "Manufacturer", "Part Number", "Remark"]
    for name, kind in KINDS.items():
        found = [part.reference for part, _ in board.parts if part.kind == name and kind.fitted]
        if found:
            footprint = kind.footprint.partition(":")[2]
            yield [kind.value, ",".join(found), footprint, kind.maker, kind.number, kind.remark]


def list_places(board: Board) -> Iterator[list[str]]:
    """Yield the places of what a machine solders, from the Gerbers' origin, y upwards.

    Rotation is KiCad's angle with the correction of parts.csv, which has a column of its own.
    """
    yield ["Designator", "Mid X", "Mid Y", "Layer", "Rotation", "Correction"]
    for part, at in board.parts:
        kind = KINDS[part.kind]
        if kind.small:
            angle = (at.angle + kind.rotation) % 360
            side = "Bottom" if at.below else "Top"
            place = [f"{at.x:.3f}mm", f"{-at.y:.3f}mm"]
            yield [part.reference, *place, side, str(angle), str(kind.rotation)]


def check() -> Iterator[str]:
    """Yield a sentence for each stale file, each overlap, and each seeded fault not found."""
    assembled = enclosure.assemble(enclosure.printed_parts())
    boards = with_boards(assembled)
    yield from enclosure.find_overlaps(boards)
    seeded = assembled["console-two"] | {"plug A": boards["console-two-jacks"]["plug A"]}
    if not enclosure.find_overlaps({"seeded": seeded}):
        yield "a plug in a window whose ribs are left in is no overlap"
    with TemporaryDirectory() as name:
        folder = Path(name)
        for board in BOARDS:
            yield from make(board(), folder)
            draw(board(), folder / f"{board().name}-gerbers.zip")
        for file in sorted(file for file in folder.iterdir() if file.suffix != ".png"):
            kept = HERE / file.name
            if not kept.exists() or kept.read_bytes() != file.read_bytes():
                yield f"{file.name} is stale: run make hardware ONLY=boards"
        text = (folder / "pi.kicad_pcb").read_text(encoding="utf-8")
        tracks = re.findall(r"^\(segment .*\)$", text, re.MULTILINE)
        longest, *_ = sorted(tracks, key=_length, reverse=True)
        other = next(track for track in tracks if _net(track) != _net(longest))
        start = "(start {:g} {:g})".format(*numbers(parse(other), "start"))
        led_there = re.sub(r"\(start [^)]*\)", start, longest)
        file = folder / "seeded.kicad_pcb"
        for what, track in (("cut", ""), ("short", led_there)):
            file.write_text(text.replace(longest, track), encoding="utf-8")
            if not judge(file):
                yield f"KiCad does not find a seeded {what}"


def _net(track: str) -> list[float]:
    return numbers(parse(track), "net")


def _length(track: str) -> float:
    tree = parse(track)
    return dist(numbers(tree, "start"), numbers(tree, "end"))


if __name__ == "__main__":
    sys.exit(main())
