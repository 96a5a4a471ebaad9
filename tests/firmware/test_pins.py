"""The Pico's pins, in the firmware as in the list that the solderer has."""

import csv
from pathlib import Path

from firmware.pins import DICE, DOME

PINS = Path(__file__).parents[2] / "hardware" / "pins.csv"


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
