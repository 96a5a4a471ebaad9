"""hardware/pcb/circuit.py: parts and nets of the boards to order are what pins.csv says."""

from collections import Counter
from dataclasses import replace

from hardware.layout import RESISTORS
from hardware.lists import PINS
from hardware.pcb.circuit import GROUND, KINDS, SEATS, Part, dice_circuit, pi_circuit

PI, DICE = pi_circuit(PINS), dice_circuit(PINS)
GUARDED = ("ok", "next", "power", "dome")


def find(parts: tuple[Part, ...], kind: str, label: str = "") -> Part:
    [part] = [part for part in parts if part.kind == kind and label in ("", part.label)]
    return part


def between(parts: tuple[Part, ...], one: str, other: str) -> list[str]:
    """Return the kinds of the parts with two pads that join two nets."""
    return [part.kind for part in parts if sorted(part.nets.values()) == sorted((one, other))]


def test_each_part_has_its_own_reference_and_a_line_in_the_list_of_parts() -> None:
    for parts in (PI, DICE):
        references = [part.reference for part in parts]
        assert len(set(references)) == len(references)
        assert {part.kind for part in parts} <= set(KINDS)
    assert {part.kind for part in (*PI, *DICE)} == set(KINDS)
    assert all(kind.number for kind in KINDS.values() if kind.fitted)


def test_each_wire_of_a_panel_goes_from_its_jack_by_its_resistor_to_its_pin() -> None:
    socket = find(PI, "socket").nets
    for pin in PINS:
        if pin.part not in SEATS or pin.gpio is None:
            continue
        letter = SEATS[pin.part]
        wire = f"{letter} {pin.signal} wire"
        assert socket[str(pin.header)] == f"GPIO{pin.gpio}"
        for kind, label in (("jack", letter), ("row of four", f"{letter} wires")):
            assert wire in find(PI, kind, label).nets.values()
        assert wire in find(PI, "TVS array", letter).nets.values()
        assert between(PI, wire, f"GPIO{pin.gpio}") == [RESISTORS[pin.signal]]
        wanted = ["100 nF"] if pin.signal in GUARDED else []
        assert between(PI, f"GPIO{pin.gpio}", GROUND) == wanted


def test_no_order_of_a_cord_s_wires_joins_a_pin_to_another_or_to_ground_or_a_supply() -> None:
    at_the_header = set(find(PI, "socket").nets.values()) - {GROUND}
    for letter in SEATS.values():
        assert not at_the_header & set(find(PI, "jack", letter).nets.values())


def test_a_jack_is_numbered_as_the_cords_are() -> None:
    assert find(PI, "jack", "A").nets == {
        "1": "A lamp wire",
        "2": GROUND,
        "3": "A ok wire",
        "4": "A next wire",
    }


def test_the_displays_share_the_bus_and_have_their_own_supply_and_reset() -> None:
    first, second = (find(PI, "display connector", n).nets for n in ("display", "second display"))
    assert first == {"1": "+3V3 displays", "2": GROUND, "3": "GPIO2", "4": "GPIO3", "5": "GPIO25"}
    assert second == {**first, "5": "GPIO15"}
    assert find(PI, "regulator").nets == {
        "1": "+5V regulator",
        "2": GROUND,
        "3": "+3V3",
        "5": "+3V3 displays",
    }


def test_5_v_goes_to_a_test_pad_and_by_a_resistor_to_the_regulator_alone() -> None:
    kinds = Counter(part.kind for part in PI if "+5V" in part.nets.values())
    assert kinds == {"socket": 1, "2.2 Ω": 1, "test pad": 1}
    behind = Counter(part.kind for part in PI if "+5V regulator" in part.nets.values())
    assert behind == {"2.2 Ω": 1, "regulator": 1, "1 µF": 1}


def test_the_piezo_has_its_two_resistors() -> None:
    assert between(PI, "buzzer wire", "GPIO18") == ["1 kΩ"]
    assert between(PI, "buzzer wire", GROUND) == ["two-wire connector", "100 kΩ"]


def test_a_pin_without_a_wire_on_the_board_has_no_net() -> None:
    spi = {str(pin.header) for pin in PINS if pin.part.endswith("SPI")}
    assert not spi & set(find(PI, "socket").nets)
    assert set(map(str, range(1, 41))) - set(find(PI, "socket").nets) == spi | {"21", "27", "28"}


def test_each_led_of_the_dice_is_at_its_pin_and_has_its_own_resistor() -> None:
    feet = [part.nets["1"] for part in DICE if part.kind == "LED"]
    assert len(set(feet)) == 14
    assert all(between(DICE, foot, GROUND) == ["470 Ω"] for foot in feet)
    lines = Counter(part.nets["2"] for part in DICE if part.kind == "LED")
    assert lines == {f"GP{n}": 1 if n in (2, 6) else 2 for n in range(2, 10)}
    row = find(DICE, "row of twenty", "Pico 1 to 20").nets
    assert [row[n] for n in ("4", "5", "9", "20", "18")] == ["GP2", "GP3", "GP6", "GP15", GROUND]
    assert between(DICE, "dome wire", "GP15") == ["1 kΩ"]


def test_every_net_has_two_ends_or_more() -> None:
    for parts in (PI, DICE):
        ends = Counter(net for part in parts for net in part.nets.values())
        assert [net for net, count in ends.items() if count < 2] == []


def test_a_pin_that_moves_in_the_list_moves_on_the_board() -> None:
    moved = tuple(replace(pin, header=19) if pin.header == 11 else pin for pin in PINS)
    socket = find(pi_circuit(moved), "socket").nets
    assert "11" not in socket
    assert socket["19"] == "GPIO17"
