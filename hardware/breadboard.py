"""Draws the first evening: the Pi's header, a display, two buttons on a breadboard. Pure.

On a breadboard the five holes of a row on one side of the gap are joined.
"""

from collections.abc import Iterable, Iterator

from hardware.lists import EVENING, PINS, Files, Pin
from hardware.svg import BLUE, INK, RED, svg_file, tag
from hardware.wiring import belongs

SIDE, ROWS = 22, 30
HEADER_X, BOARD_X, TOP = 150, 400, 70
COLUMNS = "abcdefghij"
GAP = 2  # holes between e and f
# By panel: the upper row of its button, whose legs are two rows apart and bridge the gap. Two
# diagonal legs are used: OK at the left one above, ground at the right one below.
BUTTON_ROWS = {"panel A": 6, "panel C": 19}
LEGS = 2
LEG_COLUMNS = 3, 6  # 12.5 mm apart: five holes
COLOURS = {"ok": "#2f8f4e", "ground": INK, "3.3 V": RED, "sda": BLUE, "scl": "#b58900"}
DISPLAY_PINS = ("ground", "3.3 V", "scl", "sda")
DISPLAY_AT = 30, 580  # its upper left corner


def files() -> Files:
    yield "wiring/breadboard.svg", breadboard(PINS).encode()


def breadboard(pins: Iterable[Pin]) -> str:
    """Return the picture of the Pi's header, the display and the breadboard with their wires."""
    used = [pin for pin in pins if belongs(pin, EVENING)]
    title = _text(30, 30, "A first evening: eight wires, nothing soldered", 15)
    lines = [title, *_header(used), *_board(), *_display(), *map(_wire, used)]
    return svg_file(BOARD_X + 16 * SIDE, TOP + (ROWS + 2) * SIDE, lines)


def _wire(pin: Pin) -> str:
    x, y = _header_at(pin.header)
    row = BUTTON_ROWS.get(pin.part)
    if row is None:
        n = DISPLAY_PINS.index(pin.signal)
        left, top = DISPLAY_AT
        far_x, far_y, middle = left + 28 + n * 24, top, 20 + 12 * n
        path = f"M{x} {y}{'' if pin.header % 2 else 'h22v18'}H{middle + 40}"
        path += f"V{far_y - 14 - 8 * n}H{far_x}V{far_y}"
    else:
        is_ok = pin.signal == "ok"
        column = COLUMNS.index("a" if is_ok else "j")
        far_x, far_y = _hole(row if is_ok else row + LEGS, column)
        below = far_y if is_ok else far_y + SIDE * 2  # round the button
        path = f"M{x} {y}C{x + 120} {y} {BOARD_X - 120} {below} {BOARD_X} {below}"
        path += f"H{far_x}V{far_y}"
    stroke = {"stroke": COLOURS[pin.signal], "stroke_width": 4, "stroke_opacity": 0.85}
    return tag("path", d=path, fill="none", **stroke)


def _header_at(pin: int) -> tuple[int, int]:
    return HEADER_X + (0 if pin % 2 else SIDE), TOP + SIDE * ((pin + 1) // 2)


def _hole(row: int, column: int) -> tuple[int, int]:
    return BOARD_X + SIDE * (column + 1 + (GAP if column > 4 else 0)), TOP + SIDE * row


def _header(used: list[Pin]) -> Iterator[str]:
    numbers = {pin.header for pin in used}
    yield _text(HEADER_X - 44, TOP - 6, "the Pi's header, SD card's end up")
    size = {"width": SIDE + 28, "height": 20 * SIDE + 4}
    yield tag("rect", x=HEADER_X - 14, y=TOP + 8, **size, rx=6, fill="#24282e")
    for pin in range(1, 41):
        x, y = _header_at(pin)
        yield tag("circle", cx=x, cy=y, r=9, fill="#e3b341" if pin in numbers else "#6a717b")
        yield _text(x, y + 4, str(pin), 9, "middle")


def _board() -> Iterator[str]:
    left, top = _hole(1, 0)
    right, bottom = _hole(ROWS, 9)
    size = {"width": right - left + 60, "height": bottom - top + 50}
    yield tag("rect", x=left - 30, y=top - 30, **size, rx=8, fill="#ffffff", stroke=INK)
    dots = {"stroke_width": 6, "stroke_linecap": "round", "stroke_dasharray": f"0 {SIDE}"}
    for column, letter in enumerate(COLUMNS):
        x, _ = _hole(1, column)
        yield _text(x, top - 14, letter, 11, "middle")
        yield tag("path", d=f"M{x} {top}V{bottom + 1}", stroke="#9aa1a9", **dots)
    for row in (1, *range(5, ROWS + 1, 5)):
        yield _text(left - 22, _hole(row, 0)[1] + 4, str(row), 9, "middle")
    for part, row in BUTTON_ROWS.items():
        (x, y), (far_x, far_y) = _hole(row, LEG_COLUMNS[0]), _hole(row + LEGS, LEG_COLUMNS[1])
        size = {"width": far_x - x + 16, "height": far_y - y + 16}
        yield tag("rect", x=x - 8, y=y - 8, **size, rx=5, fill="#d8dbe0", stroke=INK)
        for leg_row in (row, row + LEGS):
            for column in LEG_COLUMNS:
                leg_x, leg_y = _hole(leg_row, column)
                yield tag("circle", cx=leg_x, cy=leg_y, r=4, fill=INK)
        middle_x, middle_y = (x + far_x) // 2, (y + far_y) // 2
        yield tag("circle", cx=middle_x, cy=middle_y, r=15, fill="#3c825a")
        yield _text(middle_x, middle_y + 4, part[-1], 12, "middle", "#ffffff")


def _display() -> Iterator[str]:
    left, top = DISPLAY_AT
    yield tag("rect", x=left, y=top, width=150, height=140, rx=6, fill="#1f3b63")
    yield tag("rect", x=left + 10, y=top + 44, width=130, height=76, fill="#0b0d10")
    for n, name in enumerate(("GND", "VCC", "SCL", "SDA")):
        x = left + 28 + n * 24
        yield tag("circle", cx=x, cy=top + 6, r=5, fill="#e3b341")
        yield _text(x, top + 26, name, 9, "middle", "#ffffff")
    yield _text(left + 75, top + 86, "display", 12, "middle", "#ffffff")
    yield _text(left, top + 158, "Read your display's own labels:")
    yield _text(left, top + 174, "VCC and GND may be swapped.")


def _text(x: int, y: int, text: str, size: int = 12, anchor: str = "start", ink: str = INK) -> str:
    return tag("text", text, x=x, y=y, font_size=size, text_anchor=anchor, fill=ink)
