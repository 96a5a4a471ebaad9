"""hardware/wiring/: what WireViz draws is what the list of pins says, for each tier."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from hardware.lists import EVENING, HERE, PINS, TIERS, Pin
from hardware.wiring import PICO_GROUNDS, wiring_text

STALE = "stale: run make hardware"
PICO_HEADER_GROUNDS = (3, 8, 13, 18, 23, 28, 38)  # the Pico's datasheet, "Pinout"


def words(tier: str) -> list[str]:
    text = (HERE / "wiring" / f"{tier}.svg").read_text(encoding="utf-8")
    return [unescape(found).strip() for found in re.findall(r"<text[^>]*>(.*?)</text>", text)]


def ends(tier: str) -> set[tuple[str, str, int]]:
    """Return the wires drawn, each as board, signal and pin, read from the cables' rows."""
    boards = re.compile(r"(pi|pico):(\d+):\S")
    rows, found = words(tier), set()
    for n, row in enumerate(rows):
        if start := boards.match(row):
            signal = rows[n + 2].rpartition(":")[2]
            found.add((start[1], signal, int(start[2])))
    return found


def wanted(tier: str, every: tuple[Pin, ...]) -> set[tuple[str, str, int]]:
    other = {"display SPI", "second display SPI", *(() if tier == "plain" else ("chamber",))}
    boards = {"pi"} if tier == "plain" else {"pi", "pico"}
    if tier != "deluxe":
        other.add("second display")
    mine = [pin for pin in every if pin.board in boards and pin.part not in other]
    grounds = {("pico", "ground", n) for n in PICO_GROUNDS.values() if tier != "plain"}
    return {(pin.board, pin.signal, pin.header) for pin in mine} | grounds


@pytest.mark.parametrize("tier", [*TIERS, EVENING])
def test_what_wireviz_reads_is_what_the_list_of_pins_says(tier: str) -> None:
    file = HERE / "wiring" / f"{tier}.yml"
    assert file.read_text(encoding="utf-8") == wiring_text(PINS, tier) + "\n", STALE


@pytest.mark.parametrize("tier", TIERS)
def test_a_picture_has_every_wire_of_its_tier_and_no_other(tier: str) -> None:
    assert ends(tier) == wanted(tier, PINS), STALE


def test_a_pin_that_is_moved_in_the_list_makes_the_picture_stale() -> None:
    first, *others = PINS
    moved = Pin(first.board, first.part, first.signal, first.gpio, 38)
    assert ends("plain") != wanted("plain", (moved, *others))


def test_both_displays_of_the_deluxe_tier_share_four_pins_and_have_their_own_reset() -> None:
    joins = json.loads(wiring_text(PINS, "deluxe"))["connections"]
    [first, second] = [join for join in joins if "display" in next(iter(join[2]))]
    assert first[0] == {"pi": [1, 6, 22, 3, 5]}
    assert second[0] == {"pi": [1, 6, 3, 5, 10]}


def test_the_grounds_of_the_pico_are_grounds() -> None:
    assert set(PICO_GROUNDS.values()) <= set(PICO_HEADER_GROUNDS)


def test_only_the_tiers_with_a_pico_draw_one() -> None:
    assert [tier for tier in TIERS if "pico" in words(tier)] == ["lit", "deluxe"]
    assert all(Path(HERE / "wiring" / f"{tier}.svg").stat().st_size < 200_000 for tier in TIERS)
