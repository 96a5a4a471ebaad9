"""The results, as pi_app/players/README.md has them."""

from __future__ import annotations

import csv
from pathlib import Path

from pi_app.players.choosing import LEVELS

RESULTS = Path(__file__).parent / "results.csv"
HEAD = "| edition | seats | our bots | wins in 100 games | games |\n|---|---|---|---|---|"
Row = dict[str, str]


def told() -> str:
    """Return the strong player's results against `grace` as a table in Markdown."""
    lines = [
        f"| `{row['ruleset']}` | {row['seats']} | {row['ours'].replace(' ', ' by `')}` "
        f"| {row['wins']} ± {row['interval']} | {row['games']} |"
        for row in _rows()
        if _is_by_table(row) and row["against"].endswith(" grace")
    ]
    return "\n".join([HEAD, *lines])


def others_told() -> dict[str, str]:
    """Return in words what the weaker levels win against `grace`, and `grace` itself elsewhere."""
    return {
        row["ours"].split()[1]: f"{row['wins']} ± {row['interval']} ({row['games']} games)"
        for row in _rows()
        if not _is_by_table(row)
    }


def _rows() -> list[Row]:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _is_by_table(row: Row) -> bool:
    return row["ours"].split()[1] not in (*LEVELS, "grace")
