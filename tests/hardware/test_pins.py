"""hardware/: the README's table, the picture and the parts are what the list of pins says."""

import re
from collections import Counter
from csv import DictReader
from math import ceil, floor
from pathlib import Path
from statistics import median

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from hardware import measures as m
from hardware.breadboard import breadboard
from hardware.lists import EVENING, LISTED, ORDERED, PINS, PRICED, WAYS
from hardware.pcb.circuit import KINDS, dice_circuit, pi_circuit
from hardware.pcb.place import Board, dice_board, pi_board
from hardware.shapes import COLOURS as SHEETS
from hardware.shopping import evening_table, items, order_price, order_table, price
from hardware.shopping import table as parts_table
from hardware.wiring import EVENING_WIRES
from pi_app.config.keys import DEFAULT, SHIPPED
from pi_app.config.reading import parse_config
from rules.board import SEAT_LETTERS
from tests.hardware.header import COLOURS, GROUNDS, SUPPLIES, picture, words
from tests.hardware.kept import README, STALE, check_table

HARDWARE = Path(__file__).parents[2] / "hardware"
PICTURE = HARDWARE / "header.svg"
SCREENS = Path(__file__).parents[1] / "screens"
FULL = 250  # mA: a display of 2.42 inch with all dots lit, by its makers
PAGE = Path(__file__).parents[2] / "pi_app" / "web" / "static" / "base.css"


WIRES = [pin for pin in PINS if pin.board == "pi"]


def table() -> str:
    """Return a row for each part, so for each cable: what its wires are and where they go."""
    cables: dict[str, list[str]] = {}
    for wire in WIRES:
        gpio = "" if wire.gpio is None else f" (GPIO{wire.gpio})"
        cables.setdefault(wire.part, []).append(f"{wire.signal} **{wire.header}**{gpio}")
    lines = [f"| {part} | {', '.join(ends)} |" for part, ends in cables.items()]
    return "\n".join(["| part | wires: header pin in bold |", "|---|---|", *lines, ""])


def test_the_table_is_what_the_list_of_pins_says(redraw: bool) -> None:
    check_table("wires", table(), redraw)


def test_the_picture_is_what_the_list_of_pins_says(redraw: bool) -> None:
    if redraw:
        PICTURE.write_text(picture(WIRES), encoding="utf-8", newline="\n")
    assert PICTURE.read_text(encoding="utf-8") == picture(WIRES), STALE


def test_the_picture_names_every_wire_once() -> None:
    drawn = PICTURE.read_text(encoding="utf-8")
    for wire in WIRES:
        assert drawn.count(f">{words(wire)}</text>") == 1


def test_a_seat_has_the_same_colour_in_the_picture_on_paper_and_on_the_page() -> None:
    found = re.findall(r"--seat(\d): (#\w{6});", PAGE.read_text(encoding="utf-8"))
    assert [COLOURS[f"panel {SEAT_LETTERS[int(seat)]}"] for seat, _ in found] == [
        colour for _, colour in found
    ]
    assert len(found) == 4
    assert list(SHEETS.values()) == [colour for _, colour in found]


def test_every_ground_and_supply_is_at_a_pin_of_that_kind() -> None:
    header = MockFactory().board_info.headers["J8"].pins
    kinds = {pin: header[pin].name for pin in range(1, 41)}
    assert tuple(pin for pin, kind in kinds.items() if kind == "GND") == GROUNDS
    supplies = {"3V3": "3.3 V", "5V": "5 V"}
    assert {pin: supplies[kind] for pin, kind in kinds.items() if kind in supplies} == SUPPLIES
    for wire in WIRES:
        if wire.gpio is None:
            wanted = "ground" if wire.header in GROUNDS else SUPPLIES[wire.header]
            assert wire.signal == wanted


def test_no_header_pin_has_two_wires() -> None:
    pins = [wire.header for wire in WIRES]
    assert sorted(set(pins)) == sorted(pins)


def counts(way: str) -> dict[str, int]:
    return {item.name: item.counts.get(way, 0) for item in items()}


@pytest.mark.parametrize("way", WAYS)
def test_the_parts_are_as_many_as_the_pins_need(way: str) -> None:
    bought = counts(way)
    signals = [wire.signal for wire in WIRES]
    panels = signals.count("ok")
    assert bought["push button, OK"] == panels
    assert bought["push button, NEXT"] == signals.count("next")
    assert bought["cable to a panel"] + 2 * bought["cable to two panels"] == panels
    dice = 14 if way != "plain" else 0  # two of seven
    assert bought["LED"] == signals.count("lamp") + dice
    for part, signal in (("dome button", "dome"), ("power button", "power"), ("piezo", "buzzer")):
        assert bought[part] == signals.count(signal)
    assert bought["stripboard, dice"] + bought["the dice's board"] == (way != "plain")
    assert bought["stripboard"] + bought["the Pi's board"] == 1


@pytest.mark.parametrize("way", [way for way in WAYS if way != ORDERED])
def test_a_stripboard_has_its_resistors_its_coupled_cords_and_no_part_of_a_board(way: str) -> None:
    bought = counts(way)
    assert bought["resistor for an LED"] == bought["LED"]
    assert bought["coupler for a cord"] == bought["cable to a panel"]
    boards = ("jack", "standoff, M2.5", "lead, 2 pins", "the Pi's board")
    assert [bought[part] for part in boards] == [0, 0, 0, 0]


def test_what_one_solders_onto_the_boards_to_order_is_bought_once_for_each_place() -> None:
    bought = counts(ORDERED)
    parts = [part for part in (*pi_circuit(PINS), *dice_circuit(PINS)) if KINDS[part.kind].fitted]
    by_hand = Counter(part.kind for part in parts if not KINDS[part.kind].small)
    assert by_hand == {
        "jack": 4,
        "socket": 1,
        "two-wire connector": 4,
        "display connector": 2,
        "row of twenty": 2,
        "LED": 14,
    }
    in_panels = {"LED": 4}
    assert {kind: bought[kind] - in_panels.get(kind, 0) for kind in by_hand} == by_hand
    assert bought["lead, 5 pins"] == by_hand["display connector"]
    assert bought["lead, 2 pins"] == by_hand["two-wire connector"] - 1  # that of the plain dome
    assert bought["cable to two panels"] * 2 == by_hand["jack"]
    assert bought["standoff, M2.5"] == bought["machine screw, M2.5"] == len(m.PI_HOLES)
    assert LISTED["standoff, M2.5"].size[2] == m.HAT[0]


def test_every_part_of_the_boards_has_a_price_in_one_list() -> None:
    for name, kind in KINDS.items():
        in_bom = LISTED[name].euro if name in LISTED else 0
        assert (kind.euro > 0) + (in_bom > 0) == kind.fitted, name


@pytest.mark.parametrize(
    ("board", "fees"), [(pi_board(), 5 + 8.75 + 3 * 2.75), (dice_board(), 5 + 8.75)]
)
def test_five_boards_cost_their_parts_and_the_fees(board: Board, fees: float) -> None:
    with (HARDWARE / "pcb" / f"{board.name}-parts.csv").open(encoding="utf-8", newline="") as file:
        pieces = {row["Part Number"]: len(row["Designator"].split(",")) for row in DictReader(file)}
    parts = sum(pieces.get(kind.number, 0) * kind.euro for kind in KINDS.values() if kind.small)
    assert order_price(board, soldered=False) == 5
    assert order_price(board, soldered=True) == pytest.approx(fees + 5 * parts)


def test_what_the_boards_to_order_replace_is_not_bought_with_them() -> None:
    bought, stripboard = counts(ORDERED), counts("deluxe, stripboard")
    assert {name for name, count in bought.items() if not count and stripboard[name]} == {
        "resistor for an LED",
        "resistor for a button and the piezo",
        "resistor across the piezo",
        "capacitor",
        "stripboard, dice",
        "stripboard",
        "cable to a panel",
        "coupler for a cord",
        "hook-up wire",
        "cable tie",
        "adhesive tape for electronics",
    }


def test_the_displays_regulator_and_its_resistor_are_as_warm_as_the_readme_says() -> None:
    ohms = float(KINDS["2.2 Ω"].value.split()[0])
    usual, most = (round((5.1 - ohms * amperes - 3.3) * amperes, 2) for amperes in (0.125, 0.3))
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert f"{usual:.2f} W into heat as usual and {most:.2f} W at most" in text
    assert f"before it at most {ohms * 0.3**2:.2f} W" in text
    assert f"{190 * usual:.0f} and {190 * most:.0f} K warmer" in text
    assert 5.1 - ohms * 0.6 - 3.3 > 0.4  # V: what it needs at its 0.6 A


def test_a_tier_has_its_displays_and_its_pico() -> None:
    names = (
        "OLED panel, 1.3 inch",
        "OLED panel, 2.42 inch",
        "Raspberry Pi Pico",
        "cable to a display",
    )
    deluxe = [0, 2, 1, 2]
    assert {way: [counts(way)[name] for name in names] for way in WAYS} == {
        "plain": [1, 0, 0, 1],
        "lit": [1, 0, 1, 1],
        **dict.fromkeys(WAYS[2:], deluxe),
    }


def test_the_prices_of_the_boards_in_the_readme_are_those_of_the_lists(redraw: bool) -> None:
    check_table("order", order_table(), redraw)


def test_the_parts_of_the_readme_are_those_of_the_list(redraw: bool) -> None:
    check_table("parts", parts_table(), redraw)
    assert PRICED in README.read_text(encoding="utf-8")


def test_the_parts_of_the_first_evening_are_those_of_the_list(redraw: bool) -> None:
    check_table("evening", evening_table(), redraw)
    assert price(EVENING) < price("plain")
    assert f"**Buy the parts**: {price(EVENING):.2f} €" in README.read_text(encoding="utf-8")


def test_the_hours_of_each_tier_are_the_sum_of_its_work() -> None:
    text = README.read_text(encoding="utf-8").partition(f"| work | {' | '.join(WAYS)} |\n")[2]
    rows = [
        re.findall(r"\|[ *]*([\d.]*)[ *]*(?=\|)", line)
        for line in text.split("\n\n")[0].splitlines()
    ]
    hours = [[float(cell or 0) for cell in row[-len(WAYS) :]] for row in rows[1:]]
    assert [sum(column[:-1]) for column in zip(*hours, strict=True)] == hours[-1]
    assert len(hours) == 10
    ordered, stripboard = (ceil(total) for total in hours[-1][2:])
    at_the_top = " ".join((HARDWARE.parent / "README.md").read_text(encoding="utf-8").split())
    assert f"takes [some {ordered} hours](" in at_the_top
    assert f"on stripboards {stripboard}." in at_the_top


def test_the_sums_for_the_resistors_are_right() -> None:
    text = README.read_text(encoding="utf-8")
    sums = re.findall(r"\(3\.3 V - (\d\.\d) V\) / (\d+) Ω = (\d\.\d) mA", text)
    assert len(sums) == 2
    for volts, ohms, milliamperes in sums:
        assert f"{(3.3 - float(volts)) / float(ohms) * 1000:.1f}" == milliamperes


def test_two_displays_take_of_the_3_3_v_what_the_screens_need() -> None:
    lit = []
    for file in SCREENS.rglob("*.png"):
        with Image.open(file) as image:
            if image.mode == "1" and file.stem != "play-test-all-dots":  # only the self test's
                lit.append(image.histogram()[255] / (image.width * image.height))
    assert len(lit) > 200
    assert 0.2 < median(lit) < 0.3
    assert 0.5 < max(lit) < 0.6
    assert "60 %, more than any screen | 125 mA | 300 mA |" in README.read_text(encoding="utf-8")
    rows = re.findall(r" \| ([\d.]+) mA \| ([\d.]+) mA \|$", README.read_text("utf-8"), re.M)
    *parts, together = [tuple(map(float, row)) for row in rows]
    assert parts[0] == (0.25 * 2 * FULL, 0.6 * 2 * FULL)
    assert together == tuple(round(sum(column)) for column in zip(*parts, strict=True))
    assert together[1] < 500  # what the Pi's 3.3 V pin should give


def test_the_readmes_configurations_have_the_shipped_names() -> None:
    """What the README says to write into the configuration are keys that are there."""
    shipped = DEFAULT.read_text(encoding="utf-8")
    keys = re.findall(r"`(?:\w+\.)*(\w+) = [^`]*`", README.read_text(encoding="utf-8"))
    assert len(keys) >= 4
    for key in keys:
        assert re.search(rf"^{key} = ", shipped, re.MULTILINE), key


def test_the_configuration_of_the_first_evening_is_two_one_button_panels_and_a_display() -> None:
    builds = (HARDWARE / "builds.toml").read_text(encoding="utf-8")
    config = parse_config(re.findall(r"^\[evening\]\n(.*?)^\[", builds, re.M | re.S)[0], SHIPPED)
    assert [(panel.seat, panel.next, panel.lamp) for panel in config.panels] == [
        (0, None, None),
        (2, None, None),
    ]
    assert (config.dome, config.power, config.buzzer) == (None, None, None)
    [display] = config.displays
    [part] = [part for part in LISTED.values() if part.counts[EVENING] and "OLED" in part.name]
    assert display.driver.upper() in part.value


def test_the_wires_of_the_first_evening_are_in_its_pictures_and_its_steps() -> None:
    drawn = (HARDWARE / "wiring" / "breadboard.svg").read_text(encoding="utf-8")
    assert drawn == breadboard(PINS), "stale: run make hardware"
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert "VCC to pin 1, GND to 6, SDA to 3, SCL to 5." in text
    assert "A's button goes to pins 11 and 9, C's to 36 and 34." in text
    pins = {pin.header for pin in PINS if pin.signal in EVENING_WIRES.get(pin.part, ())}
    assert pins == {1, 3, 5, 6, 9, 11, 34, 36}
    jumpers = 4 * LISTED["cable to a display"].counts[EVENING]
    assert jumpers + LISTED["jumper wires, socket to pin"].counts[EVENING] == len(pins)


def test_the_two_displays_that_the_readme_shows_can_be_used() -> None:
    [shown] = re.findall(r"^```toml\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    first, second = parse_config("panel.A.ok = 17\npanel.C.ok = 16\n" + shown).displays
    assert (first.rotation, second.rotation) == (0, 0)  # the console's slopes turn them
    assert (first.i2c_address, second.i2c_address) == (0x3C, 0x3D)


@pytest.mark.parametrize(("name", "signal"), [("OK", "ok"), ("NEXT", "next"), ("the lamp", "lamp")])
def test_what_is_tried_pin_by_pin_is_what_the_list_says(name: str, signal: str) -> None:
    gpios = ", ".join(str(wire.gpio) for wire in WIRES if wire.signal == signal)
    assert f"{name} is at {gpios};" in " ".join(README.read_text(encoding="utf-8").split())


def test_the_readings_of_resistors_are_five_per_cent_round_those_of_the_list() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    for name in ("resistor for an LED", "resistor for a button and the piezo"):
        number, unit, *_ = LISTED[name].value.replace(",", "").split()
        ohms = float(number) * (1000 if unit == "kΩ" else 1)
        assert f"{ceil(ohms * 0.95)} to {floor(ohms * 1.05)} " in text, name
