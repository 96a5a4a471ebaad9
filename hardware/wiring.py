"""The wiring of each tier as WireViz's input, made from pins.csv. Pure: values in, text out."""

from collections.abc import Iterable
from json import dumps
from typing import Any

from hardware.lists import EVENING, PINS, TIERS, Files, Pin

COLOURS = {"ok": "GN", "next": "YE", "lamp": "WH", "ground": "BK", "3.3 V": "RD", "scl": "YE"}
SEATS = ("panel A", "panel B", "panel C", "panel D")
PARTS = {  # of the Pi's wires, in each tier
    "plain": (*SEATS, "chamber", "power", "buzzer", "display", "display I2C"),
    "lit": (*SEATS, "power", "buzzer", "display", "display I2C"),
    "deluxe": (*SEATS, "power", "buzzer", "display", "second display", "display I2C"),
}
EVENING_WIRES = {
    **dict.fromkeys(("panel A", "panel C"), ("ok", "ground")),
    "display": ("3.3 V", "ground"),
    "display I2C": ("sda", "scl"),
}
FILTER = "100 nF from the pin to ground and 1 kΩ on the board, then the button between"
NOTES = {
    "panel": f"OK and NEXT: {FILTER} wire and ground. Lamp: 470 Ω on the board, then the "
    "LED's long leg, its short leg to ground",
    **dict.fromkeys(("chamber", "power"), f"{FILTER} the two wires"),
    "buzzer": "1 kΩ on the board, then the piezo between the two wires, and 100 kΩ across it",
    "display": "to the pins of these names at the display; their order differs between makers. "
    "Reset only if the display has a pin RES. Its pin DC to ground, at the second display to 3.3 V",
    "dome": "100 nF from GP15 to ground and 1 kΩ on the dice's board, then the button between "
    "the two wires",
    "die": "each LED: long leg to its wire, short leg by its own 470 Ω to ground",
}
PICO_GROUNDS = {"dome": 18, "die 1": 3, "die 2": 8}  # the Pico's nearest ground pins


def files() -> Files:
    for tier in (*TIERS, EVENING):
        yield f"wiring/{tier}.yml", f"{wiring_text(PINS, tier)}\n".encode()


def wiring_text(pins: Iterable[Pin], tier: str) -> str:
    """Return a tier's wiring as input for WireViz, in JSON, which is also YAML."""
    mine = [pin for pin in pins if belongs(pin, tier)]
    cables = _cables(mine, tier)
    boards = {pin.board: _board(mine, pin.board) for pin in mine}
    ends = {name: _end(name, ends) for name, ends in cables.items()}
    wires = {f"cable {name}": _cable(ends) for name, ends in cables.items()}
    joins = [_join(name, ends) for name, ends in cables.items()]
    if tier not in ("plain", EVENING):
        for board, label in (("pi", "any USB socket"), ("pico", "micro-B")):
            boards[board]["pins"].append("USB")
            boards[board]["pinlabels"].append(label)
        wires["USB cable"] = {"wirecount": 1, "colors": ["GY"], "notes": "USB"}
        joins.append([{"pi": ["USB"]}, {"USB cable": [1]}, {"pico": ["USB"]}])
    return dumps(
        {
            "metadata": {"title": f"Wiring, {tier}"},
            "options": {"color_mode": "full"},
            "connectors": {**boards, **ends},
            "cables": wires,
            "connections": joins,
        },
        indent=1,
        ensure_ascii=False,
    )


def belongs(pin: Pin, tier: str) -> bool:
    """Whether a tier, or the first evening, has a wire at this pin."""
    if tier == EVENING:
        return pin.board == "pi" and pin.signal in EVENING_WIRES.get(pin.part, ())
    return pin.part in PARTS[tier] if pin.board == "pi" else tier != "plain"


def _cables(pins: list[Pin], tier: str) -> dict[str, list[Pin]]:
    """Return each cable's wires by its name."""
    cables: dict[str, list[Pin]] = {}
    for pin in pins:
        if "display" not in pin.part:
            cables.setdefault(pin.part, []).append(pin)
    for name, ends in cables.items():
        if name in PICO_GROUNDS:
            ends.append(Pin("pico", name, "ground", None, PICO_GROUNDS[name]))
    first = [pin for pin in pins if pin.part.startswith("display")]
    if tier != "deluxe":
        return {**cables, "display": first}
    shared = [pin for pin in first if pin.signal != "reset"]
    second = [*shared, *(pin for pin in pins if pin.part == "second display")]
    return {**cables, "display 1 (0x3C)": first, "display 2 (0x3D)": second}


def _board(pins: list[Pin], board: str) -> dict[str, Any]:
    mine = {(pin.header, _label(pin)) for pin in pins if pin.board == board}
    if board == "pico":
        mine |= {(header, "ground") for header in PICO_GROUNDS.values()}
    headers, labels = zip(*sorted(mine), strict=True)
    name = "Raspberry Pi, 40-pin header" if board == "pi" else "Pico, pins 1 to 20"
    return {"type": name, "pins": list(headers), "pinlabels": list(labels)}


def _label(pin: Pin) -> str:
    if pin.gpio is None:
        return pin.signal
    return f"GPIO{pin.gpio}" if pin.board == "pi" else f"GP{pin.gpio}"


def _end(name: str, ends: list[Pin]) -> dict[str, object]:
    notes = next(note for start, note in NOTES.items() if name.startswith(start))
    if name.startswith("panel") and len(ends) == 2:
        notes = "a button on the breadboard, between the two wires"
    if name == "display" and len(ends) == 4:
        notes = "to the pins of these names at the display; their order differs"
    return {"pinlabels": [end.signal for end in ends], "notes": notes}


def _cable(ends: list[Pin]) -> dict[str, object]:
    return {"wirecount": len(ends), "colors": [COLOURS.get(end.signal, "BU") for end in ends]}


def _join(name: str, ends: list[Pin]) -> list[dict[str, list[Any]]]:
    wires = list(range(1, len(ends) + 1))
    return [{ends[0].board: [end.header for end in ends]}, {f"cable {name}": wires}, {name: wires}]
