"""The results, in the words and tables of pi_app/players/README.md."""

import csv
from pathlib import Path

from pi_app.players.choosing import LEVELS

FOLDER = Path(__file__).parent
RESULTS, CHANCES, LOSSES = (FOLDER / f"{name}.csv" for name in ("results", "chances", "losses"))
CHANCES_HEAD = "| edition | leader | error | greatest | positions |\n|---|---|---|---|---|"
HEAD = "| edition | seats | our bots | wins in 100 games | games |\n|---|---|---|---|---|"
HOUSES_HEAD = "| house rules | against | wins in 100 games | games |\n|---|---|---|---|"
Row = dict[str, str]


def told(foe: str = "grace") -> str:
    """Return the strong player's results against a yardstick as a table in Markdown."""
    lines = [
        f"| `{row['ruleset']}` | {row['seats']} | {row['ours'].replace(' ', ' by `')}` "
        f"| {row['wins']} ± {row['interval']} | {row['games']} |"
        for row in _rows(RESULTS)
        if _is_by_table(row) and row["against"].endswith(f" {foe}")
    ]
    return "\n".join([HEAD, *lines])


def others_told() -> dict[str, str]:
    """Return in words what the weaker levels win against `grace`, and `grace` itself elsewhere."""
    return {
        row["ours"].split()[1]: f"{row['wins']} ± {row['interval']} ({row['games']} games)"
        for row in _rows(RESULTS)
        if row["ours"].split()[1] in (*LEVELS, "grace")
    }


def houses_told() -> str:
    """Return as a table in Markdown what bots win that play without a table of weights."""
    lines = [
        f"| {row['ruleset']} | `{row['against'].split()[1]}` "
        f"| {row['wins']} ± {row['interval']} | {row['games']} |"
        for row in _rows(RESULTS)
        if row["ours"].endswith(" spaces")
    ]
    return "\n".join([HOUSES_HEAD, *lines])


def chances_told() -> str:
    """Return how far the chances are off as a table in Markdown."""
    lines = [
        f"| `{row['ruleset']}` | {row['leader']} "
        f"| {row['off']} ({row['low']} to {row['high']}) | {row['beyond']} | {row['positions']} |"
        for row in _rows(CHANCES)
    ]
    return "\n".join([CHANCES_HEAD, *lines])


def losses_told() -> list[str]:
    """Return in words what a decision of each measured edition gives away."""
    return [
        f"`{row['ruleset']}`: {row['loss']} ± {row['interval']} ({row['decisions']} decisions)"
        for row in _rows(LOSSES)
    ]


def _rows(file: Path) -> list[Row]:
    with file.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


def _is_by_table(row: Row) -> bool:
    return row["ours"].split()[1] not in (*LEVELS, "grace", "spaces")
