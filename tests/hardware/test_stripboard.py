"""The stripboards: copper leads each pin to its wire and to nothing else, and bodies fit."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist
from typing import Any

import numpy as np
import pytest

from hardware import measures as m
from hardware.layout import (
    BLEED,
    DOME,
    EVEN,
    ODD,
    PIPS,
    PITCH,
    PULLED,
    RESISTORS,
    Hole,
    Layout,
    Pair,
    Place,
    dice,
    hat,
    mirrored,
)
from hardware.lists import HERE, LISTED, PINS
from hardware.stripboard import files

HAT, DICE = hat(PINS), dice(PINS)
MINE = [pin for pin in PINS if pin.board == "pi"]
BUTTONS = [pin for pin in MINE if RESISTORS.get(pin.signal) == "1 kΩ" and pin.part != "buzzer"]


def joins(layout: Layout) -> list[Pair]:
    """Return the holes that each insulated wire joins."""
    ends = [(route[0], route[-1]) for route in layout.pairs]
    return [*layout.grounds, *(((int(s), int(h)), (int(t), int(k))) for (s, h), (t, k) in ends)]


def nets(layout: Layout) -> dict[Hole, int]:
    """Return for each hole a number that it shares with all holes that copper and wires join."""
    found: dict[Hole, int] = {}
    for strip in range(1, layout.strips + 1):
        cuts = [place for at, place in layout.cuts if at == strip]
        for hole in range(1, layout.holes + 1):
            found[strip, hole] = 1000 * strip + sum(place <= hole for place in cuts)
    for a, b in joins(layout):
        old, new = found[a], found[b]
        found = {hole: new if net == old else net for hole, net in found.items()}
    return found


def soldered(layout: Layout) -> list[Hole]:
    pairs = [*layout.resistors, *layout.capacitors, *joins(layout)]
    ends = [hole for pair in pairs for hole in pair]
    short = [(strip + 1, hole) for strip, hole in layout.leds]
    return [*layout.socket.values(), *layout.leds, *short, *layout.ends.values(), *ends]


def test_each_pin_of_the_header_leads_to_its_wire_directly_or_by_its_resistor() -> None:
    net = nets(HAT)
    for pin in MINE:
        start = net[HAT.socket[pin.header]]
        end = net[HAT.ends[f"{pin.part} {pin.signal}"]]
        by = [ohms for (a, b), ohms in HAT.resistors.items() if {net[a], net[b]} == {start, end}]
        wanted = [RESISTORS[pin.signal]] if pin.signal in RESISTORS else []
        assert by == wanted, pin
        assert (start == end) == (not wanted), pin
    assert len(HAT.resistors) == 4 + len(BUTTONS) + 2


def test_each_button_has_a_capacitor_between_its_pin_and_ground() -> None:
    net = nets(HAT)
    ground = net[HAT.socket[6]]
    pins = [net[HAT.socket[pin.header]] for pin in BUTTONS]
    assert sorted(net[a] for a, _ in HAT.capacitors) == sorted(pins)
    assert {net[b] for _, b in HAT.capacitors} == {ground}
    assert len(HAT.capacitors) == len(BUTTONS) == 10


def test_a_resistor_is_across_the_piezo() -> None:
    net = nets(HAT)
    [across] = [pair for pair, ohms in HAT.resistors.items() if ohms == BLEED]
    assert {net[hole] for hole in across} == {
        net[HAT.ends["buzzer buzzer"]],
        net[HAT.ends["buzzer ground"]],
    }


def test_no_5_v_and_no_3_3_v_that_nobody_uses_is_on_the_board() -> None:
    used = {pin.header for pin in MINE}
    assert {2, 4, 17} == PULLED
    assert not PULLED & used
    for pin in PULLED:  # and the copper there leads nowhere
        assert [
            hole for hole in soldered(HAT) if nets(HAT)[hole] == nets(HAT)[HAT.socket[pin]]
        ] == [HAT.socket[pin]]


def test_no_two_pins_of_the_header_are_joined_but_the_grounds() -> None:
    net = nets(HAT)
    grounds = {pin.header for pin in MINE if pin.signal == "ground"}
    assert len({net[HAT.socket[n]] for n in grounds}) == 1
    others = [net[HAT.socket[n]] for n in range(1, 41) if n not in grounds]
    ends = [net[b] for (_, b), ohms in HAT.resistors.items() if ohms != BLEED]
    assert len(set(others + ends)) == len(others) + len(ends) == 47
    assert net[HAT.socket[6]] not in others + ends


def test_each_led_of_a_die_hangs_on_its_line_and_by_its_own_resistor_on_ground() -> None:
    net = nets(DICE)
    ground, dies = net[DICE.ends["die 1 ground"]], ("die 1", "die 2")
    assert net[DICE.ends["die 2 ground"]] == ground
    lines = {
        net[hole]: name
        for name, hole in DICE.ends.items()
        if name.startswith("die") and "GP" in name
    }
    assert len(lines) == 8
    assert ground not in lines
    wanted = {
        (pin.part, f"GP{pin.gpio}"): len(PIPS[pin.signal]) for pin in PINS if pin.part in dies
    }
    found = Counter(tuple(lines[net[led]].rsplit(" ", 1)) for led in DICE.leds)
    assert found == wanted
    shorts = [net[strip + 1, hole] for strip, hole in DICE.leds]
    for short in shorts:
        [(other, ohms)] = [(b, ohms) for (a, b), ohms in DICE.resistors.items() if net[a] == short]
        assert (net[other], ohms) == (ground, "470 Ω")
    assert len(set(shorts)) == len(shorts) == len(DICE.resistors) - 1 == 14
    assert not set(shorts) & {*lines, ground}


def test_the_dome_of_the_chamber_has_its_resistor_and_its_capacitor_too() -> None:
    net = nets(DICE)
    ground = net[DICE.ends["die 1 ground"]]
    pin, button = net[DICE.ends["Pico GP15"]], net[DICE.ends["dome button"]]
    [ohms] = [ohms for (a, b), ohms in DICE.resistors.items() if (net[a], net[b]) == (pin, button)]
    assert ohms == "1 kΩ"
    assert [(net[a], net[b]) for a, b in DICE.capacitors] == [(pin, ground)]
    assert net[DICE.ends["Pico ground"]] == net[DICE.ends["dome ground"]] == ground
    assert len({pin, button, ground} | {net[led] for led in DICE.leds}) == 3 + 8


def test_the_leds_of_the_board_lie_under_the_holes_of_the_chamber() -> None:
    (a, _), (b, _) = m.DICE_AT
    middle = (a + b) / 2
    wanted = {
        (round((x - middle) / PITCH, 2), round(-y / PITCH, 2))
        for at in m.DICE_AT
        for x, y in m.pips(at)
    }
    x, y = (DICE.holes + 1) / 2, (DICE.strips + 1) / 2
    assert {(hole - x, strip + 0.5 - y) for strip, hole in DICE.leds} == wanted


def test_nothing_is_soldered_in_a_cut_or_in_a_hole_that_is_taken_and_all_is_on_the_board() -> None:
    for layout in (HAT, DICE):
        holes = soldered(layout)
        once = [hole for hole in holes if holes.count(hole) == 1]
        joints = {hole for pair in layout.grounds for hole in pair}  # where a row of wires goes on
        assert set(holes) - set(once) <= joints
        assert not {(strip, float(hole)) for strip, hole in holes} & layout.cuts
        assert all(1 <= s <= layout.strips and 1 <= h <= layout.holes for s, h in holes)


# Bodies, in mm. Each is its name, points that fill it, and a radius around each point.

Body = tuple[str, Any, float]
RIM = 5.8  # an LED of 5 mm is so wide at its foot
WIRE = 1.1  # hook-up wire of 0.14 mm2 with its insulation
ROUND = 0.5  # the radius of a body's corners
ROOM = 0.2  # between two parts: resistors on neighbouring strips have 0.24


def line(name: str, a: Place, b: Place, part: tuple[float, ...]) -> Body:
    """Return the body of a part in the middle between its legs. part: its length and width."""
    start, end = PITCH * np.array(a), PITCH * np.array(b)
    along = (end - start) / np.hypot(*(end - start))
    across = np.array((-along[1], along[0]))
    length, width = (side / 2 - ROUND for side in part[:2])
    middle = (start + end) / 2
    points = [
        middle + p * along + q * across
        for p in np.linspace(-length, length, max(2, round(8 * length)))
        for q in np.linspace(-width, width, 8)
    ]
    return name, np.array(points), ROUND


def parts_of(layout: Layout) -> Iterator[Body]:
    resistor, capacitor = (LISTED[name].size for name in ("resistor for an LED", "capacitor"))
    for a, b in layout.resistors:
        yield line(f"resistor {a}", a, b, resistor)
    for a, b in layout.capacitors:
        yield line(f"capacitor {a}", a, b, capacitor)
        if layout is DICE:  # it lies flat there, to the right of its legs
            flat = (a[0], a[1] + (capacitor[2] + capacitor[1] / 2) / PITCH / 2)
            yield line(f"flat {a}", flat, (b[0], flat[1]), (capacitor[0], capacitor[2]))
    for strip, hole in layout.leds:
        yield f"LED {strip, hole}", PITCH * np.array([[strip + 0.5, hole]]), RIM / 2
    if layout.socket:
        socket = LISTED["socket"].size
        yield line("socket", (1, (ODD + EVEN) / 2), (20, (ODD + EVEN) / 2), socket)


def wires_of(layout: Layout) -> Iterator[Body]:
    for route in (*layout.grounds, *layout.pairs):
        for a, b in pairwise(route):
            length = PITCH * dist(a, b)
            yield line(f"wire {a} to {b}", a, b, (length, WIRE))


def room(one: Body, other: Body) -> float:
    """Return the room between two bodies, in mm; less than 0 if they overlap."""
    (_, first, r), (_, second, s) = one, other
    apart = np.hypot(*(first[:, None] - second[None]).transpose(2, 0, 1))
    return float(apart.min()) - r - s


@pytest.mark.parametrize("layout", [HAT, DICE], ids=["hat", "dice"])
def test_no_part_touches_another(layout: Layout) -> None:
    for one, other in combinations(parts_of(layout), 2):
        if {one[0].partition(" ")[0], other[0].partition(" ")[0]} != {"flat", "capacitor"}:
            assert room(one, other) > ROOM, (one[0], other[0])


def test_an_led_has_room_beside_its_resistor() -> None:
    leds = [body for body in parts_of(DICE) if body[0].startswith("LED")]
    resistors = [body for body in parts_of(DICE) if body[0].startswith("resistor")]
    assert min(room(led, part) for led in leds for part in resistors) > 0.85


@pytest.mark.parametrize("layout", [HAT, DICE], ids=["hat", "dice"])
def test_wires_go_round_everything_but_resistors(layout: Layout) -> None:
    for wire in wires_of(layout):
        for part in parts_of(layout):
            if not part[0].startswith("resistor"):
                assert room(wire, part) > 0, (wire[0], part[0])


def test_bodies_that_overlap_are_found() -> None:
    across = line("resistor", (6, 4), (9, 6), (6.3, 2.3))
    led = "LED", PITCH * np.array([[5.5, 5]]), RIM / 2
    assert room(across, led) < -0.7


def test_the_legs_of_a_part_reach_their_holes() -> None:
    for layout in (HAT, DICE):
        for a, b in layout.resistors:
            assert 7.5 <= PITCH * dist(a, b) <= 13  # its body is 6.3 mm long
        for a, b in layout.capacitors:
            assert PITCH * dist(a, b) in (PITCH, 2 * PITCH)  # its legs are bent apart for two


def test_the_flat_capacitor_of_the_dice_fits_under_the_roof() -> None:
    led, capacitor = LISTED["LED"], LISTED["capacitor"]
    below_the_roof = led.size[2] - m.PROUD - m.WALL
    assert capacitor.size[1] < below_the_roof < capacitor.size[2]
    assert DICE.strips == DOME


def test_a_mirrored_board_is_the_same_board() -> None:
    for layout in (HAT, DICE):
        other = mirrored(layout)
        assert mirrored(other) == layout
        assert other.cuts != layout.cuts
        assert {hole for _, hole in soldered(other)} <= set(range(1, layout.holes + 1))


def test_the_screws_of_the_dice_s_board_miss_what_is_soldered() -> None:
    part = LISTED["stripboard, dice"]
    middle = (DICE.strips + 1) / 2, (DICE.holes + 1) / 2
    for strip, hole in soldered(DICE):
        down, right = abs(strip - middle[0]) * PITCH, abs(hole - middle[1]) * PITCH
        assert max(part.holes[0] / 2 - right, part.holes[1] / 2 - down) >= 2.5  # the head's radius


def test_the_boards_of_the_list_have_the_strips_and_holes() -> None:
    for name, layout in (("stripboard", HAT), ("stripboard, dice", DICE)):
        sides = sorted(LISTED[name].size[:2])
        needed = sorted((PITCH * (layout.strips - 1) + 1.5, PITCH * (layout.holes - 1) + 1.5))
        for side, need in zip(sides, needed, strict=True):
            assert need <= side < need + PITCH, name


def test_the_pictures_are_what_the_lists_say() -> None:
    for name, svg in files():
        assert (HERE / name).read_bytes() == svg, "stale: run make hardware"


def test_the_board_on_the_header_stands_out_beyond_the_pi_as_far_as_the_console_has_room() -> None:
    edge = m.HEADER[1] - PITCH / 2  # from the outer row of pins to the Pi's edge
    margin = (LISTED["stripboard"].size[1] - PITCH * (HAT.holes - 1)) / 2
    assert abs((HAT.holes - EVEN) * PITCH - edge + margin - m.HAT[1]) < 0.5
