"""The two stripboards hole by hole: cuts, parts, wires; and their pictures. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from hardware.lists import Pin

Hole = tuple[int, int]  # strip from the top, hole from the left, both from 1
Pair = tuple[Hole, Hole]
PITCH = 2.54  # mm

# The Pi's: seen from above, copper up, the SD card's end at the top as in header.svg.
STRIPS, HOLES = 21, 19
ODD, EVEN = 12, 13  # the holes of the socket's two rows; six holes remain beyond the Pi's edge
RESISTORS = {"lamp": "470 Ω", "buzzer": "330 Ω"}
LEFT, RIGHT = (
    (11, 9, 7, 1),
    (14, 16, 18, 19),
)  # holes of the resistor's leg, the cut, its other leg, the cable's wire
JOINED = 4, 15  # holes in which the grounds are joined, left and right

# The dice's: seen from above, LEDs up, copper below; the short leg is a strip below the long one.
DICE_STRIPS, DICE_HOLES = 20, 33
UPPER, MIDDLE, LOWER = 5, 10, 15  # strips of the long legs
DICE = {"die 1": 9, "die 2": 25}  # hole of the die's middle
PIPS = {
    "centre": ((MIDDLE, 0),),
    "top-left and bottom-right": ((UPPER, -5), (LOWER, 5)),
    "top-right and bottom-left": ((UPPER, 5), (LOWER, -5)),
    "middle pair": ((MIDDLE, -5), (MIDDLE, 5)),
}
TO_GROUND = 4  # strips from an LED's long leg to the ground's
BRIDGE = 17  # hole in which the strips of ground are joined


@dataclass(frozen=True, slots=True)
class Layout:
    """A stripboard whose strips run from left to right.

    cuts: strip and place, 8 through the eighth hole, 8.5 between it and the ninth. ends: where a
    cable's wire begins, by its name. grounds, pairs: insulated wires on the board. socket: the
    pins' holes. leds: the long legs' holes.
    """

    strips: int
    holes: int
    cuts: frozenset[tuple[int, float]]
    ends: dict[str, Hole]
    resistors: dict[Pair, str]
    grounds: tuple[Pair, ...]
    pairs: tuple[Pair, ...] = ()
    socket: dict[int, Hole] = field(default_factory=dict)
    leds: tuple[Hole, ...] = ()


def hat(pins: Iterable[Pin]) -> Layout:
    """Return the board on the Pi's header: socket, resistors, grounds, the start of each cable."""
    mine = [pin for pin in pins if pin.board == "pi" and "SPI" not in pin.part]
    behind = {pin.header: RESISTORS[pin.signal] for pin in mine if pin.signal in RESISTORS}
    cuts = {(strip, (ODD + EVEN) / 2) for strip in range(1, 21)}
    return Layout(
        STRIPS,
        HOLES,
        frozenset(cuts | {_on(pin, 1) for pin in behind}),
        {f"{pin.part} {pin.signal}": _on(pin.header, 3) for pin in mine},
        {(_on(pin, 0), _on(pin, 2)): ohms for pin, ohms in behind.items()},
        tuple(_grounds([pin.header for pin in mine if pin.signal == "ground"])),
        socket={pin: _of(pin) for pin in range(1, 41)},
    )


def _of(pin: int) -> Hole:
    """Return the hole of a pin of the Pi's header."""
    return (pin + 1) // 2, ODD if pin % 2 else EVEN


def _on(pin: int, n: int) -> Hole:
    return _of(pin)[0], (LEFT if pin % 2 else RIGHT)[n]


def _grounds(pins: list[int]) -> Iterator[Pair]:
    """Yield the wires that join the grounds: down each side, and one across at the bottom."""
    odd = [(_of(pin)[0], JOINED[0]) for pin in sorted(pins) if pin % 2]
    even = [(_of(pin)[0], JOINED[1]) for pin in sorted(pins) if not pin % 2]
    yield from (*pairwise(odd), *pairwise(even), (odd[-1], even[-1]))


def dice(pins: Iterable[Pin]) -> Layout:
    """Return the dice's board: LEDs, their resistors, and the end of each of the Pico's wires."""
    lines = {pin: _leds(pin) for pin in pins if pin.part in DICE}
    leds = tuple(led for line in lines.values() for led in line)
    ends = {f"{pin.part} GP{pin.gpio}": _right(line[0], 1) for pin, line in lines.items()}
    grounds = {f"{die} ground": (UPPER + TO_GROUND, hole + 2) for die, hole in DICE.items()}
    cut = [(strip, hole + 3) for strip, hole in leds if hole + 5 < DICE_HOLES]
    resistors = {((s + 1, h - 1), (s + TO_GROUND, h + 1)): "470 Ω" for s, h in leds}
    bridge = [(strip + TO_GROUND, BRIDGE) for strip in (UPPER, MIDDLE, LOWER)]
    return Layout(
        DICE_STRIPS,
        DICE_HOLES,
        frozenset((strip + n, hole) for strip, hole in cut for n in (0, 1)),
        ends | grounds,
        resistors,
        tuple(pairwise(bridge)),
        tuple((_right(a, 2), _right(b, 2)) for line in lines.values() for a, b in pairwise(line)),
        leds=leds,
    )


def _leds(pin: Pin) -> list[Hole]:
    return [(strip, DICE[pin.part] + hole) for strip, hole in PIPS[pin.signal]]


def _right(hole: Hole, n: int) -> Hole:
    return hole[0], hole[1] + n


# The pictures.

BOARDS = {
    "stripboard": (
        hat,
        "On the Pi's header, seen from above, copper up, the SD card's end up",
        150,
    ),
    "dice": (dice, "The dice, seen from above: LEDs up, copper below; + is the long leg", 24),
}
SIDE, INK, COPPER, BOARD, PAPER = 24, "#16181c", "#dfa878", "#f3e6cf", "#fbfaf7"
GREY, BODY, RED, BLUE = "#7a828c", "#8fb7d9", "#b5342b", "#1f5f8b"
WIRES = {"ok": "#2f8f4e", "next": "#d8b400", "lamp": "#ffffff", "ground": INK, "V": RED}


def pictures(pins: Iterable[Pin]) -> Iterator[tuple[str, str]]:
    """Yield each board's name and its picture as SVG."""
    listed = tuple(pins)
    for name, (layout, title, margin) in BOARDS.items():
        yield name, drawn(layout(listed), title, margin)


def drawn(layout: Layout, title: str, margin: int) -> str:
    """Return a layout as SVG, with room for the wires' names on the left and right."""
    width, height = layout.holes * SIDE + 2 * margin, layout.strips * SIDE + 60
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="{INK}">'
    )
    lines = [head, f'<rect width="{width}" height="{height}" fill="{PAPER}"/>']
    lines.append(f'<text x="{margin}" y="26" font-size="15">{escape(title)}</text>')
    lines.append(f'<g transform="translate({margin - SIDE // 2} {42 - SIDE // 2})">')
    lines += [*_copper(layout), *_cuts(layout), *_leds_drawn(layout), *_wires(layout)]
    lines += [*_resistors(layout), *_socket(layout), *_ends(layout)]
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _copper(layout: Layout) -> Iterator[str]:
    wide, high = layout.holes * SIDE, layout.strips * SIDE
    yield f'<rect x="12" y="12" width="{wide}" height="{high}" fill="{BOARD}" stroke="{INK}"/>'
    for strip in range(1, layout.strips + 1):
        y = strip * SIDE - 7
        yield f'<rect x="14" y="{y}" width="{wide - 4}" height="14" fill="{COPPER}"/>'
        yield from (_dot((strip, hole), 2, PAPER) for hole in range(1, layout.holes + 1))


def _cuts(layout: Layout) -> Iterator[str]:
    for strip, place in sorted(layout.cuts):
        across = 16 if place % 1 == 0 else 4
        x, y = place * SIDE - across / 2, strip * SIDE - 9
        yield f'<rect x="{x:g}" y="{y}" width="{across}" height="18" fill="{BOARD}"/>'
        yield _line((strip - 0.3, place - 0.2), (strip + 0.3, place + 0.2), RED, 2)


def _wires(layout: Layout) -> Iterator[str]:
    for wires, colour in ((layout.pairs, BLUE), (layout.grounds, INK)):
        for a, b in wires:
            yield from (_line(a, b, colour, 3), _dot(a, 4, colour), _dot(b, 4, colour))


def _resistors(layout: Layout) -> Iterator[str]:
    for (a, b), ohms in layout.resistors.items():
        yield from (_line(a, b, GREY, 2), _dot(a, 4, GREY), _dot(b, 4, GREY))
        yield _line(_part_of(a, b, 0.2), _part_of(a, b, 0.8), BODY, 9)
        if a[0] == b[0]:
            yield _text(_part_of(a, b, 0.5), ohms, "middle")


def _part_of(a: Hole, b: Hole, part: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _socket(layout: Layout) -> Iterator[str]:
    for pin, hole in layout.socket.items():
        yield from (_dot(hole, 9, "#24272e"), _text(hole, str(pin), "middle", "#ffffff"))


def _leds_drawn(layout: Layout) -> Iterator[str]:
    for strip, hole in layout.leds:
        x, y = hole * SIDE, strip * SIDE + SIDE // 2
        yield f'<circle cx="{x}" cy="{y}" r="20" fill="#e2574c" fill-opacity="0.6"/>'
        yield from (_dot((strip, hole), 4, INK), _dot((strip + 1, hole), 4, INK))
        yield _text((strip, hole - 0.55), "+", "middle")


def _ends(layout: Layout) -> Iterator[str]:
    """Yield a dot at the start of each cable's wire; its name beside the board or above the dot."""
    for name, (strip, hole) in layout.ends.items():
        yield _dot((strip, hole), 7, WIRES.get(name.rpartition(" ")[2], BLUE))
        words = " ".join(dict.fromkeys(name.split(" ")))  # "power power" is the power button's
        if hole == 1:
            yield _text((strip, 0), words, "end")
        elif hole == layout.holes:
            yield _text((strip, hole + 1), words, "start")
        else:
            yield _text((strip - 0.9, hole - 0.3), name.split(" ", 2)[2], "start")


def _line(a: tuple[float, float], b: tuple[float, float], colour: str, width: int) -> str:
    (y, x), (v, u) = ((strip * SIDE, hole * SIDE) for strip, hole in (a, b))
    return (
        f'<line x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round"/>'
    )


def _dot(hole: Hole, radius: int, colour: str) -> str:
    edge = f' stroke="{INK}"' if radius == 7 else ""
    return (
        f'<circle cx="{hole[1] * SIDE}" cy="{hole[0] * SIDE}" r="{radius}" fill="{colour}"{edge}/>'
    )


def _text(at: tuple[float, float], text: str, anchor: str, ink: str = INK) -> str:
    x, y = at[1] * SIDE, at[0] * SIDE + 4
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="11" text-anchor="{anchor}" fill="{ink}">'
        f"{escape(text)}</text>"
    )
