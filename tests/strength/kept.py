"""Where results are kept: those on the way in build/strength, the final ones beside this file."""

import csv
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from pi_app.players.tables import table_data
from tests.strength.yardsticks import YARDSTICKS

WORK = Path(__file__).parents[2] / "build" / "strength"
FOLDER = Path(__file__).parent


def mark(name: str) -> str:
    """Return a mark of a yardstick or of one state of a table, so that results are never mixed.

    name: of a yardstick or of a table that ships, or a table's file.
    """
    if name in YARDSTICKS:
        return name
    data = Path(name).read_bytes() if name.endswith(".bin") else table_data(name)
    return f"{crc32(data):08x}"


def keep_row(file: Path, columns: Sequence[str], keys: int, row: Sequence[object]) -> None:
    """Put a row into a sorted table of results. It replaces one with the same first cells.

    columns: the table's head. keys: how many of the first cells identify a row.
    """
    rows = []
    if file.exists():
        with file.open(encoding="utf-8", newline="") as old:
            rows = list(csv.reader(old))[1:]
    added = list(map(str, row))
    rows = [old for old in rows if old[:keys] != added[:keys]]
    with file.open("w", encoding="utf-8", newline="") as new:
        csv.writer(new, lineterminator="\n").writerows([columns, *sorted([*rows, added])])
