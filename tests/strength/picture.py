"""Draws the shown chances against rollouts: one panel for each stage, before and now.

`make strength` keeps what is drawn: in `shown.csv` the chances of today's tables. `before.csv` has
those that the tables of 2026-11-23 showed in the same positions.
"""

import csv
from collections import defaultdict
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from tests.strength.positions import LIMITS

FOLDER = Path(__file__).parent
SHOWN, BEFORE = FOLDER / "shown.csv", FOLDER / "before.csv"
PICTURE = FOLDER.parent / "screens" / "chances.svg"
COLUMNS = ("ruleset", "leader", "position", "seat", "rolled", "variance", "shown")
KEYS = 4  # of the columns
SIDE, GAP, MARGIN = 200, 24, 44  # of a panel and around it, in pixels
ROWS = {"before": BEFORE, "now": SHOWN}


class Shown(NamedTuple):
    """One seat's chance in one position: by rollouts with their variance, and as it is shown."""

    rolled: float
    variance: float
    shown: float


def read_shown(file: Path) -> dict[str, list[Shown]]:
    """Return the chances in a file, by the stage."""
    found = defaultdict(list)
    with file.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            numbers = (float(row[name]) for name in COLUMNS[KEYS:])
            found[row["leader"]].append(Shown(*numbers))
    return found


def draw_picture() -> str:
    """Return the picture as SVG."""
    width, height = MARGIN + 3 * (SIDE + GAP), 2 * MARGIN + 2 * (SIDE + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for row, (when, file) in enumerate(ROWS.items()):
        chances, top = read_shown(file), MARGIN + row * (SIDE + GAP + 10)
        middle = top + SIDE / 2
        parts.append(f'<text transform="translate(16 {middle}) rotate(-90)">shown {when}</text>')
        for column, stage in enumerate(LIMITS):
            parts += _draw_panel(chances[stage], MARGIN + column * (SIDE + GAP), top)
            if not row:
                left = MARGIN + column * (SIDE + GAP)
                parts.append(f'<text x="{left + SIDE / 2}" y="16">leader has {stage} to go</text>')
    foot = f'<text x="{width / 2}" y="{height - 8}">chance by rollouts, 0 to 100</text>'
    return "\n".join([*parts, foot, "</svg>", ""])


def _draw_panel(chances: list[Shown], left: int, top: int) -> list[str]:
    off = 100 * sqrt(max(0.0, fmean((c.shown - c.rolled) ** 2 - c.variance for c in chances)))
    dots = "".join(
        f"M{left + SIDE * c.rolled:.1f} {top + SIDE * (1 - c.shown):.1f}h0" for c in chances
    )
    return [
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#888"/>',
        f'<path d="M{left} {top + SIDE}l{SIDE} -{SIDE}" stroke="#888"/>',
        f'<path d="{dots}" stroke="#0050a0" stroke-width="4" stroke-linecap="round" '
        'stroke-opacity="0.5"/>',
        f'<text x="{left + SIDE / 2}" y="{top - 8}">off by {off:.1f} points</text>',
    ]
