"""The lists: pins.csv and bom.csv as values. Draws nothing."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
TIERS = ("plain", "lit", "deluxe")
ORDERED = "deluxe"  # with the boards to order
WAYS = (*TIERS, "deluxe, stripboard")  # to build a tier
EVENING = "evening"  # the first one, without soldering
PRICED = "2026-11"
EURO = f"euro {PRICED}"
DIGEST_FILE = "made-from.txt"
SOURCES = (
    "bom.csv",
    "pins.csv",
    "*.py",
    "pcb/parts.csv",
    "pcb/*.py",
)  # from which the files of this folder are made
Files = Iterator[tuple[str, bytes]]  # names in this folder, such as "wiring/lit.yml", and contents


@dataclass(frozen=True, slots=True)
class Part:
    """A line of bom.csv. Measures are in mm, and empty where the list has none; euro is for one.

    size: width, depth, height; for a button the part under the wall. front: what sticks out of a
    board, such as a display's glass or a Pi's sockets. opening: the hole in a wall; a display may
    have a third number, the height of its middle above that of its screws. holes: the distances
    between mounting holes.
    """

    name: str
    counts: dict[str, int]
    value: str
    size: tuple[float, ...]
    front: tuple[float, ...]
    opening: tuple[float, ...]
    holes: tuple[float, ...]
    euro: float
    remark: str


@dataclass(frozen=True, slots=True)
class Pin:
    """A line of pins.csv: one wire's end at a board. gpio is None for ground and supply."""

    board: str
    part: str
    signal: str
    gpio: int | None
    header: int


def markdown_table(rows: Iterable[list[str]]) -> str:
    """Return rows of cells as Markdown. The first row has the heads."""
    heads, *lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([heads, "|" + "---|" * (heads.count("|") - 1), *lines, ""])


def compute_digest() -> str:
    """Return a line for each of SOURCES with its SHA-256 and its path."""
    files = sorted({file for pattern in SOURCES for file in HERE.glob(pattern)})
    return "".join(
        f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(HERE).as_posix()}\n"
        for file in files
    )


def write(folder: Path, files: Files) -> None:
    for name, content in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _part(row: dict[str, str]) -> Part:
    return Part(
        row["part"],
        {way: int(row[way] or 0) for way in (*WAYS, EVENING)},
        row["value"],
        tuple(float(row[side]) for side in ("width", "depth", "height") if row[side]),
        _measures(row["front"]),
        _measures(row["opening"]),
        _measures(row["holes"]),
        float(row[EURO]),
        row["remark"],
    )


def _measures(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in text.split("x")) if text else ()


def read_rows(name: str) -> list[dict[str, str]]:
    """Return the lines of a list, each by the heads of its columns."""
    return list(csv.DictReader((HERE / name).read_text(encoding="utf-8").splitlines()))


LISTED = {row["part"]: _part(row) for row in read_rows("bom.csv")}
PINS = tuple(
    Pin(board, part, signal, int(gpio) if gpio else None, int(header))
    for board, part, signal, gpio, header, *_ in map(dict.values, read_rows("pins.csv"))
)
