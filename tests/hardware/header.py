"""The wiring picture of the Pi's 40-pin header, drawn from the list of pins. Reads no file."""

from collections.abc import Iterable, Iterator
from html import escape

from hardware.lists import Pin

# By part: each is told apart by its words, the colour only groups. A seat has that of the page.
COLOURS = {
    "panel A": "#b5342b",
    "panel B": "#1f5f8b",
    "panel C": "#2f6b41",
    "panel D": "#8a5a00",
    "chamber": "#9c3f7c",
    "power": "#4d5560",
    "buzzer": "#5b4bb3",
    "display": "#2b2f36",
    "display I2C": "#2b2f36",
    "second display": "#2b2f36",
    "display SPI": "#2b2f36",
    "second display SPI": "#2b2f36",
}
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)  # gpiozero's list of the header's pins has the same
SUPPLIES = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}

WIDTH, ROW, TOP = 860, 34, 92
LEFT, RIGHT = 412, 448  # the two columns' middles
HEIGHT = TOP + 20 * ROW + 62


def words(wire: Pin) -> str:
    """Return what a wire is called."""
    return wire.part if wire.signal == wire.part else f"{wire.part}  {wire.signal}"


def picture(wires: Iterable[Pin]) -> str:
    """Return the header as an SVG, each used pin with its wire, seen from above, pin 1 top left."""
    by_pin = {wire.header: wire for wire in wires}
    lines = [*_frame()]
    for pin in range(1, 41):
        lines += _pin(pin, by_pin.get(pin))
    return "\n".join([*lines, "</svg>", ""])


def _frame() -> Iterator[str]:
    middle, bottom = WIDTH // 2, TOP + 20 * ROW
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
    yield '  font-family="DejaVu Sans, Verdana, sans-serif" font-size="14">'
    yield "<title>The wires at the Raspberry Pi's 40-pin header</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="#fbfaf7"/>'
    yield _text(middle, 36, "The wires at the Pi's header", "#1f2328", 20, "middle", "600")
    grey = "#626a73"
    where = "seen from above, the SD card's end up; pin 1 is the square one"
    yield _text(middle, 60, where, grey, 13, "middle")
    yield f'<rect x="{LEFT - 22}" y="{TOP - 4}" width="{RIGHT - LEFT + 44}" height="{20 * ROW + 8}"'
    yield '  rx="7" fill="#24282e"/>'
    yield _text(60, bottom + 32, "◂ middle of the Pi", grey, 13, "start")
    yield _text(middle, bottom + 32, "dashed: a display on SPI, instead of I2C", grey, 13, "middle")
    yield _text(WIDTH - 60, bottom + 32, "edge of the Pi ▸", grey, 13, "end")


def _pin(pin: int, wire: Pin | None) -> Iterator[str]:
    odd = pin % 2 == 1
    x, y = (LEFT if odd else RIGHT), TOP + ROW // 2 + (pin - 1) // 2 * ROW
    fill = "#6a717b" if wire is None else "#e3b341"
    if pin == 1:
        yield f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" fill="{fill}"/>'
    else:
        yield f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}"/>'
    yield _text(x, y + 4, str(pin), "#16181c", 11, "middle", "600")
    if wire is not None:
        yield from _label(wire, y, -1 if odd else 1)
    elif pin in SUPPLIES:
        yield _beside(y, -1 if odd else 1, SUPPLIES[pin] + ", not used")


def _label(wire: Pin, y: int, side: int) -> Iterator[str]:
    """Yield what is at a pin: its GPIO near the header, then its wire on a plate."""
    colour = COLOURS[wire.part]
    start, plate = _x(side, 34), _x(side, 116)
    dashes = ' stroke-dasharray="5 4"' if "SPI" in wire.part else ""
    yield f'<path d="M{_x(side, 22)} {y}H{plate}" stroke="{colour}" stroke-width="2"{dashes}/>'
    name = wire.signal if wire.gpio is None else f"GPIO{wire.gpio}"
    width = 8 * len(name) + 8
    x = start if side > 0 else start - width
    yield f'<rect x="{x}" y="{y - 9}" width="{width}" height="18" fill="#fbfaf7"/>'
    yield _text(x + width // 2, y + 5, name, "#626a73", 13, "middle")
    x = plate if side > 0 else plate - 236
    hollow = "SPI" in wire.part or wire.gpio is None
    ink, paper = (colour, "#fbfaf7") if hollow else ("#ffffff", colour)
    yield f'<rect x="{x}" y="{y - 13}" width="236" height="26" rx="6" fill="{paper}"'
    yield f'  stroke="{colour}" stroke-width="1.5"{dashes}/>'
    yield _text(x + 118, y + 5, words(wire), ink, 14, "middle", "600")


def _beside(y: int, side: int, words: str) -> str:
    return _text(_x(side, 34), y + 5, words, "#8b929b", 13, "end" if side < 0 else "start")


def _x(side: int, away: int) -> int:
    return (LEFT if side < 0 else RIGHT) + side * away


def _text(x: int, y: int, words: str, fill: str, size: int, anchor: str, weight: str = "") -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x}" y="{y}" fill="{fill}" font-size="{size}" text-anchor="{anchor}"{bold}>'
        f"{escape(words)}</text>"
    )
