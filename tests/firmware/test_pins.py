"""The Pico's pins, in the firmware as in the list that the solderer has."""

import csv
import re
from pathlib import Path

import pytest

from firmware.pins import DICE, DOME

ROOT = Path(__file__).parents[2]
PINS = ROOT / "hardware" / "pins.csv"
PAGES = [*sorted((ROOT / "firmware").glob("*.[pm][yd]")), ROOT / "hardware" / "chamber.md"]
A_FILE = r"(?:[\w.-]+/)*[\w-]+\.(?:csv|md|py|mjs|toml)\b"


def test_the_list_of_pins_and_the_firmware_are_the_same() -> None:
    with PINS.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["board"] == "pico"]
    listed = {(row["part"], row["signal"]): int(row["gpio"]) for row in rows}
    lines = ("centre", "top-left and bottom-right", "top-right and bottom-left", "middle pair")
    dice = [("die 1", line) for line in lines] + [("die 2", line) for line in lines]
    assert listed == {("dome", "dome"): DOME, **dict(zip(dice, DICE, strict=True))}


def test_the_pico_s_header_pins_are_its_own() -> None:
    """The Pico's GPIO numbers run along the left edge from header pin 1, a ground every five."""
    edge = [pin for pin in range(1, 21) if pin % 5 != 3]
    with PINS.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["board"] == "pico":
                assert int(row["header"]) == edge[int(row["gpio"])], row


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_is_named_in_words_is_there(page: Path) -> None:
    """Beside the page that names it, or below the repository's root."""
    named = set(re.findall(A_FILE, page.read_text()))
    assert not [
        name for name in named if not any((base / name).exists() for base in (page.parent, ROOT))
    ]
