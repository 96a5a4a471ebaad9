"""hardware/stripboard.py: along the copper each pin leads to its wire and to nothing else."""

from collections import Counter

from hardware import measures as m
from hardware.lists import HERE, load_parts, load_pins
from hardware.stripboard import (
    EVEN,
    PIPS,
    PITCH,
    Hole,
    Layout,
    dice,
    hat,
    pictures,
)

HAT, DICE = hat(load_pins()), dice(load_pins())
MINE = [pin for pin in load_pins() if pin.board == "pi" and "SPI" not in pin.part]


def nets(layout: Layout) -> dict[Hole, int]:
    """Return for each hole a number that it shares with all holes that copper and wires join."""
    found = {}
    for strip in range(1, layout.strips + 1):
        cuts = [place for at, place in layout.cuts if at == strip]
        for hole in range(1, layout.holes + 1):
            found[strip, hole] = 1000 * strip + sum(place <= hole for place in cuts)
    for a, b in layout.grounds + layout.pairs:
        old, new = found[a], found[b]
        found = {hole: new if net == old else net for hole, net in found.items()}
    return found


def soldered(layout: Layout) -> list[Hole]:
    ends = [hole for pair in [*layout.resistors, *layout.grounds, *layout.pairs] for hole in pair]
    short = [(strip + 1, hole) for strip, hole in layout.leds]
    return [*layout.socket.values(), *layout.leds, *short, *layout.ends.values(), *ends]


def test_each_pin_of_the_header_leads_to_its_wire_and_lamps_by_their_resistor() -> None:
    net = nets(HAT)
    for pin in MINE:
        start = net[HAT.socket[pin.header]]
        end = net[HAT.ends[f"{pin.part} {pin.signal}"]]
        by = [ohms for (a, b), ohms in HAT.resistors.items() if {net[a], net[b]} == {start, end}]
        wanted = {"lamp": ["470 Ω"], "buzzer": ["330 Ω"]}.get(pin.signal, [])
        assert by == wanted
        assert (start == end) == (not wanted), pin
    assert len(HAT.resistors) == 5


def test_no_two_pins_of_the_header_are_joined_but_the_grounds() -> None:
    net = nets(HAT)
    grounds = {pin.header for pin in MINE if pin.signal == "ground"}
    assert len({net[HAT.socket[n]] for n in grounds}) == 1
    others = [net[HAT.socket[n]] for n in range(1, 41) if n not in grounds]
    ends = [net[b] for _, b in HAT.resistors]
    assert len(set(others + ends)) == len(others) + len(ends) == 37
    assert net[HAT.socket[6]] not in others + ends


def test_each_led_of_a_die_hangs_on_its_line_and_by_its_own_resistor_on_ground() -> None:
    net = nets(DICE)
    ground, dies = net[DICE.ends["die 1 ground"]], ("die 1", "die 2")
    assert net[DICE.ends["die 2 ground"]] == ground
    lines = {net[hole]: name for name, hole in DICE.ends.items() if "GP" in name}
    assert len(lines) == 8
    assert ground not in lines
    wanted = {
        (pin.part, f"GP{pin.gpio}"): len(PIPS[pin.signal])
        for pin in load_pins()
        if pin.part in dies
    }
    found = Counter(tuple(lines[net[led]].rsplit(" ", 1)) for led in DICE.leds)
    assert found == wanted
    shorts = [net[strip + 1, hole] for strip, hole in DICE.leds]
    for short in shorts:
        [other] = [b for a, b in DICE.resistors if net[a] == short]
        assert net[other] == ground
    assert len(set(shorts)) == len(shorts) == len(DICE.resistors) == 14
    assert not set(shorts) & {*lines, ground}


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


def test_a_resistor_lies_between_its_holes() -> None:
    for layout in (HAT, DICE):
        for (a, x), (b, y) in layout.resistors:
            assert 9 <= PITCH * ((a - b) ** 2 + (x - y) ** 2) ** 0.5 <= 13  # its body is 6.3 mm


def test_the_screws_of_the_dice_s_board_miss_what_is_soldered() -> None:
    part = load_parts()["stripboard, dice"]
    middle = (DICE.strips + 1) / 2, (DICE.holes + 1) / 2
    for strip, hole in soldered(DICE):
        down, right = abs(strip - middle[0]) * PITCH, abs(hole - middle[1]) * PITCH
        assert max(part.holes[0] / 2 - right, part.holes[1] / 2 - down) >= 2.5  # the head's radius


def test_the_boards_of_the_list_have_the_strips_and_holes() -> None:
    for name, layout in (("stripboard", HAT), ("stripboard, dice", DICE)):
        sides = sorted(load_parts()[name].size[:2])
        needed = sorted((PITCH * (layout.strips - 1) + 1.5, PITCH * (layout.holes - 1) + 1.5))
        for side, need in zip(sides, needed, strict=True):
            assert need <= side < need + PITCH, name


def test_the_pictures_are_what_the_lists_say() -> None:
    for name, svg in pictures(load_pins()):
        found = (HERE / "wiring" / f"{name}.svg").read_text(encoding="utf-8")
        assert found == svg, "stale: run make hardware"


def test_the_board_on_the_header_stands_out_beyond_the_pi_as_far_as_the_console_has_room() -> None:
    edge = m.HEADER[1] - PITCH / 2  # from the outer row of pins to the Pi's edge
    margin = (load_parts()["stripboard"].size[1] - PITCH * (HAT.holes - 1)) / 2
    assert abs((HAT.holes - EVEN) * PITCH - edge + margin - m.HAT[1]) < 0.5
