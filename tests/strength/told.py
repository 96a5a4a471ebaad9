"""The table of results as the README tells it."""

from __future__ import annotations

import csv
from pathlib import Path

RESULTS = Path(__file__).parent / "results.csv"
HEAD = "| edition | seats | ours | wins in 100 games | games |\n|---|---|---|---|---|"


def told() -> str:
    """Return the results against `grace` as a table in Markdown, the README's."""
    with RESULTS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["against"].endswith(" grace")]
    lines = [
        f"| `{row['ruleset']}` | {row['seats']} | {row['ours'].replace(' ', ' by `')}` "
        f"| {row['wins']} ± {row['interval']} | {row['games']} |"
        for row in rows
    ]
    return "\n".join([HEAD, *lines])
