"""The wiring of each tier as WireViz's input, made from pins.csv. Pure: values in, text out."""

from collections.abc import Iterable, Iterator
from json import dumps
from typing import Any

from hardware.lists import EVENING, Pin

COLOURS = {"ok": "GN", "next": "YE", "lamp": "WH", "ground": "BK", "3.3 V": "RD", "scl": "YE"}
SEATS = ("panel A", "panel B", "panel C", "panel D")
TIERS = {
    "plain": (*SEATS, "chamber", "power", "buzzer", "display", "display I2C"),
    "lit": (*SEATS, "power", "buzzer", "display", "display I2C"),
    "deluxe": (*SEATS, "power", "buzzer", "display", "second display", "display I2C"),
}
EVENING_WIRES = {"panel A": ("ok", "ground"), "panel C": ("ok", "ground")} | {
    "display": ("3.3 V", "ground"),
    "display I2C": ("sda", "scl"),
}
NOTES = {
    "panel": "OK and NEXT: 100 nF from the pin to ground and 1 kΩ on the stripboard, then the "
    "button between wire and ground. Lamp: 470 Ω on the stripboard, then the LED's long leg, its "
    "short leg to ground",
    "chamber": "100 nF from the pin to ground and 1 kΩ on the stripboard, then the button between "
    "the two wires",
    "power": "100 nF from the pin to ground and 1 kΩ on the stripboard, then the button between "
    "the two wires",
    "buzzer": "1 kΩ on the stripboard, then the piezo between the two wires, and 100 kΩ across it",
    "display": "to the pins of these names at the display; their order differs between makers. "
    "Reset only if the display has a pin RES",
    "dome": "100 nF from GP15 to ground and 1 kΩ on the dice's stripboard, then the button between "
    "the two wires",
    "die": "each LED: long leg to its wire, short leg by its own 470 Ω to ground",
}
PICO_GROUNDS = {"dome": 18, "die 1": 3, "die 2": 8}  # the Pico's nearest ground pins


def wiring_text(pins: Iterable[Pin], tier: str) -> str:
    """Return a tier's wiring as input for WireViz, in JSON, which is also YAML."""
    mine = [pin for pin in pins if _belongs(pin, tier)]
    cables = dict(_cables(mine, tier))
    boards = {f"{pin.board}": _board(mine, pin.board) for pin in mine}
    ends = {name: _end(name, ends) for name, (_, ends) in cables.items()}
    wires = {f"cable {name}": _cable(ends) for name, (_, ends) in cables.items()}
    joins = [_join(name, board, ends) for name, (board, ends) in cables.items()]
    if tier not in ("plain", EVENING):
        usb = {"type": "USB", "pinlabels": ["port"]}
        boards["pi"]["pins"].append("USB")
        boards["pi"]["pinlabels"].append("any USB socket")
        boards["pico"]["pins"].append("USB")
        boards["pico"]["pinlabels"].append("micro-B")
        wires["USB cable"] = {"wirecount": 1, "colors": ["GY"], "notes": usb["type"]}
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


def _belongs(pin: Pin, tier: str) -> bool:
    if tier == EVENING:
        return pin.board == "pi" and pin.signal in EVENING_WIRES.get(pin.part, ())
    return pin.part in TIERS[tier] if pin.board == "pi" else tier != "plain"


def _cables(pins: list[Pin], tier: str) -> Iterator[tuple[str, tuple[str, list[Pin]]]]:
    """Yield each cable's name, its board and its wires."""
    displays = [pin for pin in pins if pin.part.startswith("display")]
    second = [pin for pin in pins if pin.part == "second display"]
    others: dict[str, list[Pin]] = {}
    for pin in pins:
        if pin not in (*displays, *second):
            others.setdefault(pin.part, []).append(pin)
    for name, ends in others.items():
        board = ends[0].board
        if board == "pico":
            ends.append(Pin(board, name, "ground", None, PICO_GROUNDS[name]))
        yield name, (board, ends)
    if tier == "deluxe":
        yield "display 1 (0x3C)", ("pi", displays)
        shared = [pin for pin in displays if pin.signal != "reset"]
        yield "display 2 (0x3D)", ("pi", [*shared, *second])
    else:
        yield "display", ("pi", displays)


def _board(pins: list[Pin], board: str) -> dict[str, Any]:
    mine = sorted({(pin.header, _label(pin)) for pin in pins if pin.board == board})
    mine += [(n, "ground") for n in PICO_GROUNDS.values() if board == "pico"]
    mine.sort()
    name = "Raspberry Pi, 40-pin header" if board == "pi" else "Pico, pins 1 to 20"
    return {
        "type": name,
        "pins": [header for header, _ in mine],
        "pinlabels": [label for _, label in mine],
    }


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
    colours = [COLOURS.get(end.signal, "BU") for end in ends]
    return {"wirecount": len(ends), "colors": colours}


def _join(name: str, board: str, ends: list[Pin]) -> list[dict[str, list[object]]]:
    return [
        {board: [end.header for end in ends]},
        {f"cable {name}": list(range(1, len(ends) + 1))},
        {name: list(range(1, len(ends) + 1))},
    ]
