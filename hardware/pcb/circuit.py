"""The two boards to order as parts and nets, from pins.csv and parts.csv. Places nothing."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware.layout import BLEED, DICE, PIPS, RESISTORS
from hardware.lists import Pin

HERE = Path(__file__).parent
GROUND, FIVE, THREE, DISPLAYS = "GND", "+5V", "+3V3", "+3V3 displays"
COOLED = "+5V regulator"  # behind a resistor
SUPPLIES = {1: THREE, 17: THREE, 2: FIVE, 4: FIVE}  # the Pi's header; pins.csv has its grounds
PICO_GROUNDS = (3, 8, 13, 18, 23, 28, 38)  # the Pico's datasheet, "Pinout"
SEATS = {"panel A": "A", "panel B": "B", "panel C": "C", "panel D": "D"}
SIGNALS = ("ok", "next", "lamp")
# Pads by signal. Telephone cords swap the order of their wires: each line has its own resistor, so
# no swap does harm. USBLC6-4SC6: lines at 1, 3, 4 and 6, its supply at 5. AP2112K: its enable at 3.
JACK = {"lamp": "1", "ground": "2", "ok": "3", "next": "4"}
ARRAY = {"next": "1", "ground": "2", "lamp": "3", "supply": "5", "ok": "6"}
ROW = {"ground": "1", "next": "2", "ok": "3", "lamp": "4"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A line of parts.csv. euro: for one, 0 if bom.csv has it. rotation: what a maker's own library
    adds to KiCad's angle, in degrees.

    SOT-23 by 180: https://forum.kicad.info/t/placement-rotations-am-i-missing-something/38833
    """

    value: str
    footprint: str
    maker: str
    number: str
    rotation: int
    euro: float
    remark: str

    @property
    def fitted(self) -> bool:
        return self.value != "not fitted"

    @property
    def small(self) -> bool:
        """Whether a machine solders it."""
        return "_SMD:" in self.footprint


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a board. nets: by pad, as the footprint numbers its pads. label: for people."""

    reference: str
    kind: str
    nets: Mapping[str, str]
    label: str = ""


def pi_circuit(pins: Iterable[Pin]) -> tuple[Part, ...]:
    """Return the parts of the board on the Pi's header. SPI's pins have no wire on it."""
    mine = [pin for pin in pins if pin.board == "pi" and not pin.part.endswith("SPI")]
    return tuple(_number(_pi_parts(mine)))


def _pi_parts(pins: list[Pin]) -> Iterator[Part]:
    wired = {(pin.part, pin.signal): net_at(pin) for pin in pins}
    yield Part("J", "socket", {str(n): net for n, net in header_nets(pins).items()}, "Pi")
    for seat, letter in SEATS.items():
        lines = {signal: wire_of(f"{letter} {signal}") for signal in SIGNALS}
        lines |= {"ground": GROUND, "supply": THREE}
        yield Part("J", "jack", _by_pad(JACK, lines), letter)
        yield Part("J", "row of four", _by_pad(ROW, lines), f"{letter} wires")
        yield Part("U", "TVS array", _by_pad(ARRAY, lines), letter)
        yield Part("C", "100 nF", {"1": THREE, "2": GROUND}, f"{letter} array")
        for signal in SIGNALS:
            yield from guard(signal, f"{letter} {signal}", wired[seat, signal])
    for part, signal in (("power", "power"), ("chamber", "dome"), ("buzzer", "buzzer")):
        yield from guard(signal, signal, wired[part, signal])
        yield Part("J", "two-wire connector", {"1": wire_of(signal), "2": GROUND}, signal)
    yield Part("R", BLEED, {"1": wire_of("buzzer"), "2": GROUND}, "buzzer")
    bus = {"3": wired["display I2C", "sda"], "4": wired["display I2C", "scl"]}
    for part in ("display", "second display"):
        own = {"1": DISPLAYS, "2": GROUND, "5": wired[part, "reset"]}
        yield Part("J", "display connector", own | bus, part)
    yield Part("R", "2.2 Ω", {"1": FIVE, "2": COOLED}, COOLED)  # takes a third of its heat
    # On the Pi's 3.3 V: so the displays' pull-ups never feed a Pi that is off.
    yield Part("U", "regulator", {"1": COOLED, "2": GROUND, "3": THREE, "5": DISPLAYS})
    for kind, net in (("1 µF", COOLED), ("1 µF", DISPLAYS), ("10 µF", DISPLAYS)):
        yield Part("C", kind, {"1": net, "2": GROUND}, net)
    for label, net in pads_to_measure(wired).items():
        yield Part("TP", "test pad", {"1": net}, label)
    yield from (Part("H", "hole M2.5", {}, str(n)) for n in range(6))


def wire_of(label: str) -> str:
    """Return the net outside of a signal's resistor, which another net joins to its pin."""
    return f"{label} wire"


def guard(signal: str, label: str, pin: str) -> Iterator[Part]:
    """Yield what is between a wire and its pin: a resistor, and for a button a capacitor."""
    yield Part("R", RESISTORS[signal], {"1": wire_of(label), "2": pin}, label)
    if signal not in ("lamp", "buzzer"):
        yield Part("C", "100 nF", {"1": GROUND, "2": pin}, label)


def pads_to_measure(wired: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """Return the nets of the test pads by label: those of each panel in a row, then all others."""
    pads: dict[str, str] = {}
    for seat, letter in SEATS.items():
        pads |= {f"{letter} {signal}": wired[seat, signal] for signal in SIGNALS}
        pads[f"{letter} wire"] = wire_of(f"{letter} lamp")
    pads |= {"ground": GROUND, "3.3 V": THREE, "5 V": FIVE, "VCC": DISPLAYS}
    others = {"buzzer": ("buzzer",), "power": ("power",), "chamber": ("dome",)}
    for part, signals in (others | {"display I2C": ("sda", "scl")}).items():
        pads |= {signal: wired[part, signal] for signal in signals}
    return pads


def header_nets(pins: Iterable[Pin]) -> dict[int, str]:
    """Return the net of each pin of the Pi's header that has one."""
    return SUPPLIES | {pin.header: net_at(pin) for pin in pins}


def net_at(pin: Pin) -> str:
    """Return the net of a pin of the Pi or of the Pico."""
    if pin.gpio is None:
        return GROUND if pin.signal == "ground" else SUPPLIES[pin.header]
    return f"{'GPIO' if pin.board == 'pi' else 'GP'}{pin.gpio}"


def dice_circuit(pins: Iterable[Pin]) -> tuple[Part, ...]:
    """Return the parts of the dice's board, with the Pico's pins 1 to 20 and 21 to 40 below it."""
    return tuple(_number(_dice_parts([pin for pin in pins if pin.board == "pico"])))


def _dice_parts(pins: list[Pin]) -> Iterator[Part]:
    nets = {pin.header: net_at(pin) for pin in pins} | dict.fromkeys(PICO_GROUNDS, GROUND)
    for first in (0, 20):
        row = {str(n): nets[first + n] for n in range(1, 21) if first + n in nets}
        yield Part("J", "row of twenty", row, f"Pico {first + 1} to {first + 20}")
    for pin in pins:
        for n in range(len(PIPS[pin.signal]) if pin.part in DICE else 0):
            foot = f"{pin.part} {pin.signal} {n + 1}"
            yield Part("D", "LED", {"1": foot, "2": net_at(pin)}, foot)
            yield Part("R", RESISTORS["lamp"], {"1": foot, "2": GROUND}, foot)
    [dome] = [pin for pin in pins if pin.signal == "dome"]
    yield from guard("dome", "dome", net_at(dome))
    yield Part("J", "two-wire connector", {"1": wire_of("dome"), "2": GROUND}, "dome")
    yield from (Part("H", "hole M2", {}, str(n)) for n in range(4))


def _by_pad(pads: Mapping[str, str], nets: Mapping[str, str]) -> dict[str, str]:
    return {pad: nets[signal] for signal, pad in pads.items()}


def _number(parts: Iterable[Part]) -> Iterator[Part]:
    """Give each part its number among those of its letter."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts[part.reference] += 1
        reference = f"{part.reference}{counts[part.reference]}"
        yield Part(reference, part.kind, part.nets, part.label)


def read_kinds() -> dict[str, Kind]:
    """Return the lines of parts.csv by kind."""
    rows = csv.DictReader((HERE / "parts.csv").read_text(encoding="utf-8").splitlines())
    return {
        kind: Kind(value, footprint, maker, number, int(rotation or 0), float(euro or 0), remark)
        for kind, value, footprint, maker, number, rotation, euro, remark in map(dict.values, rows)
    }


KINDS = read_kinds()
