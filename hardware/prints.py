"""`make hardware ONLY=prints`: slices every printed part, and stores its print time and its weight.

Needs Debian's prusa-slicer. The results are in prints.csv, and README.md has a table of them.
"""

import argparse
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

from trimesh import load_mesh

from hardware.lists import HERE, markdown_table, read_rows
from hardware.shapes import LETTERS

RESULTS = HERE / "prints.csv"
LAYER = 0.2  # mm
SETTINGS = {  # the speeds are the slicer's own, 60 mm/s for most lines
    "layer-height": LAYER,
    "first-layer-height": LAYER,
    "nozzle-diameter": 0.4,
    "perimeters": 4,
    "fill-density": "20%",
    "filament-diameter": 1.75,
    "filament-density": 1.27,  # g/cm^3, of PETG
    "bed-shape": "0x0,180x0,180x180,0x180",
    "center": "90,90",
}
TIME = re.compile(r"printing time \(normal mode\) = (?:(\d+)d )?(?:(\d+)h )?(?:(\d+)m )?(\d+)s")
GRAMS = re.compile(r"total filament used \[g\] = ([\d.]+)")
ALL, NARROW = "all tiers", "deluxe, displays on narrow boards"


@dataclass(frozen=True, slots=True)
class Print:
    """How a part is printed: how many, in which tiers, upside down or not, its brim in mm."""

    part: str
    count: int
    tiers: str
    position: str
    turned: bool = True
    brim: int = 0


ENGRAVED = "on its top; the letter is engraved, fill it with a felt pen or paint"
ROOF = "on its flat roof"
PRINTS = (
    *(Print(f"panel-{letter}", 1, ALL, ENGRAVED) for letter in LETTERS),
    *(
        Print(f"panel-jacks-{letter}", 1, f"any, in place of `panel-{letter}`", ENGRAVED)
        for letter in LETTERS
    ),
    Print("panel-lid", 4, ALL, "flat", turned=False),
    Print("console-two", 1, "deluxe, displays on wide boards", ROOF, brim=8),
    Print("console-two-narrow", 1, NARROW, ROOF, brim=8),
    Print("console-one", 1, "plain, lit", ROOF, brim=8),
    Print("console-lid", 1, ALL, "flat, standoffs up", turned=False),
    Print("dome-lit", 1, "lit, deluxe", "on its top"),
    Print("dome-plain", 1, "plain", "on its top"),
    Print("dome-lid", 1, ALL, "flat, standoffs up", turned=False),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What the slicer computed for one piece. cm3: the part's volume, by which we know it again."""

    minutes: int
    grams: float
    cm3: float


def main() -> None:
    """Slice every part and write prints.csv; with names, slice only these parts and print them."""
    parser = argparse.ArgumentParser("python -m hardware.prints", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help="such as panel-lid; all if none")
    names = parser.parse_args().parts
    if unknown := set(names) - {item.part for item in PRINTS}:
        parser.error(f"there is no part {min(unknown)!r}")
    if not shutil.which("prusa-slicer"):
        raise SystemExit("prusa-slicer is missing: sudo apt-get install prusa-slicer")
    lines = ["part,minutes,grams,cm3"]
    for item in PRINTS:
        if item.part in names or not names:
            result = slice_part(item)
            lines.append(f"{item.part},{result.minutes},{result.grams},{result.cm3}")
    text = "\n".join(lines) + "\n"
    if names:
        sys.stdout.write(text)
    else:
        RESULTS.write_text(text, encoding="utf-8", newline="\n")


def slice_part(item: Print) -> Result:
    """Return the slicer's time and weight for one piece of a part."""
    stl = HERE / "enclosure" / f"{item.part}.stl"
    options = SETTINGS | {"brim-width": item.brim, "rotate-x": 180 if item.turned else 0}
    with TemporaryDirectory() as folder:
        gcode = Path(folder) / "part.gcode"
        flags = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        command = ["prusa-slicer", "--export-gcode", *flags, "--output", str(gcode), str(stl)]
        run(command, check=True, capture_output=True)
        text = gcode.read_text(encoding="utf-8")
    time, grams = TIME.search(text), GRAMS.search(text)
    if not (time and grams):
        raise ValueError(f"{item.part}: the slicer gave no time or no weight")
    days, hours, minutes, seconds = (int(number or 0) for number in time.groups())
    total = (days * 24 + hours) * 60 + minutes + round(seconds / 60)
    return Result(total, round(float(grams[1]), 1), volume(item.part))


def volume(part: str) -> float:
    """Return a part's volume in cm^3, as its STL has it."""
    return float(round(load_mesh(HERE / "enclosure" / f"{part}.stl").volume / 1000, 1))


def load_results() -> dict[str, Result]:
    """Return the lines of prints.csv by the part's name."""
    return {
        row["part"]: Result(int(row["minutes"]), float(row["grams"]), float(row["cm3"]))
        for row in read_rows(RESULTS.name)
    }


def table() -> str:
    """Return the printed parts as a Markdown table. Times and weights are for one piece."""
    results = load_results()
    rows = [["part", "how many", "tiers", "position on the printer", "time", "weight"]]
    for item in PRINTS:
        result = results[item.part]
        hours, minutes = divmod(result.minutes, 60)
        brim = f", with a brim of {item.brim} mm" if item.brim else ""
        cells = [f"`{item.part}`", f"{item.count}", item.tiers, item.position + brim]
        rows.append([*cells, f"{hours} h {minutes:02} min", f"{result.grams:.0f} g"])
    # The last row is a deluxe tier with narrow displays.
    made = [one for one in PRINTS if one.tiers in (ALL, "lit, deluxe", NARROW)]
    hours, minutes = divmod(sum(item.count * results[item.part].minutes for item in made), 60)
    grams = sum(item.count * results[item.part].grams for item in made)
    totals = [f"**{hours} h {minutes:02} min**", f"**{grams:.0f} g**"]
    return markdown_table([*rows, ["**deluxe, together**", "", "", "", *totals]])


if __name__ == "__main__":
    main()
