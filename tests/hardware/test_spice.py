"""The circuits in tests/hardware/spice/, simulated: what the README says of sparks and lamps."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.lists import HERE, LISTED, markdown_table, read_rows
from hardware.pcb.circuit import SIGNALS
from tests.hardware.kept import check_table

DECKS = Path(__file__).parent / "spice"
MISSING = (
    "ngspice is not installed, so NOBODY CHECKS what hardware/README.md says of sparks, cross-talk "
    "and lamps: run `sudo apt-get install ngspice`"
)
LOW, HIGH = 0.8, 2.0  # V: what a BCM2835's input reads for certain as low and as high
RESULT = re.compile(r"^(\w+)\s+=\s+(-?[\d.]+e[+-]\d+)", re.MULTILINE)


def simulate(deck: str, changed: str = "") -> dict[str, float]:
    """Return what a deck measures, by name, in V, A and s. changed: a text in place of its own."""
    if shutil.which("ngspice") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    text = changed or (DECKS / f"{deck}.cir").read_text()
    done = subprocess.run(
        ["ngspice", "-b"], cwd=DECKS, input=text, capture_output=True, text=True, check=False
    )
    found = {name: float(value) for name, value in RESULT.findall(done.stdout)}
    named = re.findall(r"^\.meas tran (\w+)", text, re.MULTILINE)
    assert set(named) == set(found), done.stdout + done.stderr
    return found


def test_the_decks_have_the_values_of_the_list() -> None:
    parts, line = LISTED, (DECKS / "line.inc").read_text()
    assert parts["resistor for a button and the piezo"].value.startswith("1 kΩ")
    assert parts["capacitor"].value.startswith("100 nF")
    assert ".param series=1k\n.param capacitor=100n\n" in line
    assert (
        f".param length={re.findall(r'([0-9.]+) m$', parts['cable to a panel'].value)[0]}" in line
    )
    lamp = (DECKS / "lamp.cir").read_text()
    assert parts["resistor for an LED"].value.startswith("470 Ω")
    assert lamp.count(" 470\n") == 2


def test_a_spark_near_a_cord_presses_no_button() -> None:
    found = simulate("spark")
    assert found["bare_low"] < 0  # without resistor and capacitor the pin would see a press
    assert found["dip"] == pytest.approx(0.08, abs=0.005)
    assert "the pin dips by 0.08 V" in " ".join((HERE / "README.md").read_text().split())


def direct(ohms: str, farads: str, array: bool) -> float:
    """Return what a pin takes when a spark jumps straight into its line's wire, in A."""
    text = (DECKS / "direct.cir").read_text()
    values = {"ohms=470": ohms or "1m", "farads=0": farads or "0", "way=1e9": "1m" * array or "1e9"}
    for old, value in values.items():
        new = f"{old.partition('=')[0]}={re.sub('Ω|F| ', '', value)}"
        assert text.count(f".param {old}\n") == 1
        text = text.replace(old, new)
    return simulate("direct", text)["ampere"]


def kinds_of_line() -> dict[tuple[str, str], list[str]]:
    """Return the signals of pins.csv by what is at their pin: farads first, then ohms."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for row in read_rows("pins.csv"):
        if row["gpio"]:
            found = re.match(r"(?:(\d+ nF) at the pin; )?(\d+ k?Ω)", row["remark"])
            signals = kinds.setdefault((found[1] or "", found[2]) if found else ("", ""), [])
            name = row["part"] if row["part"].startswith("die") else row["signal"]
            signals += [name] * (name not in signals)
    return kinds


def spark_table() -> str:
    rows = [["lines", "between the wire and the pin", "the pin takes"]]
    for (farads, ohms), signals in kinds_of_line().items():
        parts = ", ".join([ohms, *[f"{farads} at the pin"] * bool(farads)]) or "nothing"
        rows.append([", ".join(signals), parts, f"{direct(ohms, farads, array=False):.1f} A"])
        if guarded := [signal for signal in signals if signal in SIGNALS]:
            least = direct(ohms, farads, array=True)
            line = ", ".join(guarded) + " on the board to order"
            rows.append([line, f"an array, {parts}", f"{least:.2f} A"])
    return markdown_table(rows)


def test_what_each_kind_of_line_lets_through_of_a_direct_spark_is_in_the_readme(
    redraw: bool,
) -> None:
    assert len(kinds_of_line()) == 4
    check_table("sparks", spark_table(), redraw)


def test_a_lamp_that_switches_presses_no_button() -> None:
    found = simulate("crosstalk")
    assert found["bare_low"] > HIGH  # it does no harm even so
    assert found["low"] > 3.29


def test_a_press_and_a_release_are_seen_in_time() -> None:
    found = simulate("press")
    assert found["pressed"] < LOW / 10
    assert 0 < found["press_at"] - 1e-3 < 0.2e-3
    assert 0 < found["release_at"] - 11e-3 < 8e-3  # within the 20 ms that a contact may bounce


def test_a_pin_that_is_driven_by_mistake_is_not_shorted() -> None:
    assert abs(simulate("press")["driven_current"]) == pytest.approx(3.3e-3, rel=0.01)


def test_a_lamp_is_bright_at_either_drive_and_a_blue_one_is_not() -> None:
    found = {name: abs(value) for name, value in simulate("lamp").items()}
    assert found["red_volts"] == pytest.approx(2.0, abs=0.02)
    assert found["green_volts"] == pytest.approx(2.2, abs=0.02)
    for name in ("red_8", "red_4", "green_8", "green_4"):
        assert 2.3e-3 < found[name] < 2.8e-3
    assert found["blue_4"] < found["red_4"] / 2
    assert found["blue_volts"] < 3.2
