"""The lists: pins.csv and bom.csv as values. Draws nothing."""

import csv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TIERS = ("plain", "lit", "deluxe")
EVENING = "evening"  # the first one, without soldering
PRICED = "2026-11"
EURO = f"euro {PRICED}"


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


def load_parts() -> dict[str, Part]:
    """Return the lines of bom.csv by the part's name."""
    return {row["part"]: _part(row) for row in _rows("bom.csv")}


def load_pins() -> tuple[Pin, ...]:
    """Return the lines of pins.csv."""
    return tuple(
        Pin(
            row["board"],
            row["part"],
            row["signal"],
            int(row["gpio"]) if row["gpio"] else None,
            int(row["header"]),
        )
        for row in _rows("pins.csv")
    )


def price(tier: str) -> float:
    """Return the price of all parts of a tier or of the first evening, in euro."""
    return sum(part.euro * part.counts[tier] for part in load_parts().values())


def table() -> str:
    """Return the parts as a Markdown table, with each tier's counts and total price."""
    heads = ["part", "what to buy", *TIERS, "euro each", "good to know"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for part in load_parts().values():
        if not any(part.counts[tier] for tier in TIERS):
            continue
        counts = [str(part.counts[tier] or "") for tier in TIERS]
        cells = [part.name, part.value, *counts, f"{part.euro:.2f}", part.remark]
        lines.append("| " + " | ".join(cells) + " |")
    totals = [f"**{price(tier):.2f} €**" for tier in TIERS]
    lines.append("| " + " | ".join(["**together**", "", *totals, "", ""]) + " |")
    return "\n".join([*lines, ""])


def evening_table() -> str:
    """Return the parts of the first evening as a Markdown table, with their total price."""
    lines = ["| part | what to buy | how many | euro each | later |", "|---|---|---|---|---|"]
    for part in load_parts().values():
        if count := part.counts[EVENING]:
            later = "in every tier" if all(part.counts[tier] for tier in TIERS) else ""
            later = later or (", ".join(tier for tier in TIERS if part.counts[tier]) or "no")
            lines.append(f"| {part.name} | {part.value} | {count} | {part.euro:.2f} | {later} |")
    return "\n".join([*lines, f"| **together** | | | **{price(EVENING):.2f} €** | |", ""])


def _part(row: dict[str, str]) -> Part:
    sides = (row["width"], row["depth"], row["height"])
    return Part(
        row["part"],
        {tier: int(row[tier] or 0) for tier in (*TIERS, EVENING)},
        row["value"],
        tuple(float(side) for side in sides if side),
        _measures(row["front"]),
        _measures(row["opening"]),
        _measures(row["holes"]),
        float(row[EURO]),
        row["remark"],
    )


def _measures(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in text.split("x")) if text else ()


def _rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
