"""Draws the two stripboards as SVG, each from both sides. Pure: values in, text out."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import pairwise

from hardware.layout import Layout, Place, dice, hat, mirrored
from hardware.lists import PINS, Files

TITLES = {
    "stripboard": "On the Pi's header, from above: the copper. The parts hang below",
    "stripboard-parts": "The same board from below, mirrored: the parts",
    "dice": "The dice, from above: the LEDs; + is the long leg",
    "dice-copper": "The same board from below, mirrored: the copper",
}
SIDE, INK, COPPER, BOARD, PAPER = 24, "#16181c", "#dfa878", "#f3e6cf", "#fbfaf7"
GREY, BODY, CERAMIC, RED, BLUE = "#7a828c", "#8fb7d9", "#e9b949", "#b5342b", "#1f5f8b"
WIRES = {"ok": "#2f8f4e", "next": "#d8b400", "lamp": "#ffffff", "ground": INK, "V": RED}
BEYOND = 0.35  # opacity of things on the far side of the board


def files() -> Files:
    of_header, of_dice = hat(PINS), dice(PINS)
    for name, layout, margin, copper_up in (
        ("stripboard", of_header, 170, True),
        ("stripboard-parts", mirrored(of_header), 170, False),
        ("dice", of_dice, 30, False),
        ("dice-copper", mirrored(of_dice), 30, True),
    ):
        svg = drawn(layout, TITLES[name], margin, copper_up)
        yield f"wiring/{name}.svg", svg.encode()


def drawn(layout: Layout, title: str, margin: int, copper_up: bool) -> str:
    """Return a layout as SVG, with room for the wires' names on the left and right.

    margin: that room, in the picture's units. copper_up: whether the eye sees the copper; if not,
    it sees the parts, and the other side is pale.
    """
    lines = [f'<text x="{margin}" y="26" font-size="15">{escape(title)}</text>']
    lines.append(f'<g transform="translate({margin - SIDE // 2} {42 - SIDE // 2})">')
    parts = [*_leds(layout), *_capacitors(layout), *_resistors(layout), *_wires(layout)]
    size = f'width="{layout.holes * SIDE}" height="{layout.strips * SIDE}"'
    lines.append(f'<rect x="12" y="12" {size} fill="{BOARD}" stroke="{INK}"/>')
    lines += [*_group([*_copper(layout), *_cuts(layout)], copper_up)]
    lines += [*_group(parts, not copper_up), *_words(layout), *_socket(layout)]
    lines += [*_group([*_ends(layout)], copper_up or bool(layout.socket)), "</g>"]
    return svg_file(layout.holes * SIDE + 2 * margin, layout.strips * SIDE + 76, lines)


def svg_file(width: int, height: int, lines: Iterable[str]) -> str:
    """Return lines of SVG as a file: a picture on paper."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="{INK}">'
    )
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, paper, *lines, "</svg>", ""])


def _group(lines: list[str], near: bool) -> list[str]:
    return lines if near else [f'<g opacity="{BEYOND}">', *lines, "</g>"]


def _copper(layout: Layout) -> Iterator[str]:
    for strip in range(1, layout.strips + 1):
        y, width = strip * SIDE - 7, layout.holes * SIDE - 4
        yield f'<rect x="14" y="{y}" width="{width}" height="14" fill="{COPPER}"/>'
        yield (  # round dashes without a length: a dot at each hole
            f'<path d="M{SIDE} {strip * SIDE}h{(layout.holes - 1) * SIDE + 1}" stroke="{PAPER}" '
            f'stroke-width="4" stroke-linecap="round" stroke-dasharray="0 {SIDE}"/>'
        )


def _cuts(layout: Layout) -> Iterator[str]:
    for strip, place in sorted(layout.cuts):
        across = 16 if place % 1 == 0 else 4
        x, y = place * SIDE - across / 2, strip * SIDE - 9
        yield f'<rect x="{x:g}" y="{y}" width="{across}" height="18" fill="{BOARD}"/>'
        yield _line((strip - 0.3, place - 0.2), (strip + 0.3, place + 0.2), RED, 2)


def _wires(layout: Layout) -> Iterator[str]:
    for routes, colour in ((layout.pairs, BLUE), (layout.grounds, INK)):
        for route in routes:
            yield from (_line(a, b, colour, 3) for a, b in pairwise(route))
            yield from (_dot(end, 4, colour) for end in (route[0], route[-1]))


def _resistors(layout: Layout) -> Iterator[str]:
    for a, b in layout.resistors:
        yield from (_line(a, b, GREY, 2), _dot(a, 4, GREY), _dot(b, 4, GREY))
        yield _line(_between(a, b, 0.22), _between(a, b, 0.78), BODY, 10)


def _capacitors(layout: Layout) -> Iterator[str]:
    for a, b in layout.capacitors:
        (y, x), height = _between(a, b, 0.5), 44
        yield (
            f'<rect x="{x * SIDE - 10:g}" y="{y * SIDE - height / 2:g}" width="20" '
            f'height="{height}" rx="9" fill="{CERAMIC}" stroke="{GREY}"/>'
        )
        yield from (_line(a, b, GREY, 2), _dot(a, 4, GREY), _dot(b, 4, GREY))


def _words(layout: Layout) -> Iterator[str]:
    """Yield each resistor's ohms, except those of the dice's LEDs, which are all 470 Ω."""
    for (a, b), ohms in layout.resistors.items():
        if a[0] == b[0] or a[1] == b[1]:
            yield _text(_between(a, b, 0.5), ohms, "middle", halo=PAPER)


def _between(a: Place, b: Place, part: float) -> Place:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _socket(layout: Layout) -> Iterator[str]:
    for pin, hole in layout.socket.items():
        if pin in layout.pulled:
            strip, place = hole
            yield _dot(hole, 9, "#ffffff")
            yield _line((strip - 0.25, place - 0.25), (strip + 0.25, place + 0.25), RED, 2)
            yield _line((strip - 0.25, place + 0.25), (strip + 0.25, place - 0.25), RED, 2)
        else:
            yield from (_dot(hole, 9, "#24272e"), _text(hole, str(pin), "middle", "#ffffff"))


def _leds(layout: Layout) -> Iterator[str]:
    for strip, hole in layout.leds:
        x, y = hole * SIDE, strip * SIDE + SIDE // 2
        yield f'<circle cx="{x}" cy="{y}" r="27" fill="#e2574c" fill-opacity="0.6"/>'
        yield from (_dot((strip, hole), 4, INK), _dot((strip + 1, hole), 4, INK))
        yield _text((strip, hole - 0.55), "+", "middle")


def _ends(layout: Layout) -> Iterator[str]:
    """Yield a dot at the start of each cable's wire; its name beside the board or at the dot."""
    for name, (strip, hole) in layout.ends.items():
        yield _dot((strip, hole), 7, WIRES.get(name.rpartition(" ")[2], BLUE))
        words = " ".join(dict.fromkeys(name.split(" ")))  # "power power" is the power button's
        if hole == 1:
            yield _text((strip, 0), words, "end")
        elif hole == layout.holes:
            yield _text((strip, hole + 1), words, "start")
        elif strip == layout.strips:
            yield _text((strip + 1, hole), f"{words}; its ground above", "middle")
        elif strip < layout.strips - 1:
            yield _text((strip - 0.9, hole - 0.3), name.rpartition(" ")[2], "start")


def _line(a: Place, b: Place, colour: str, width: int) -> str:
    (y, x), (v, u) = ((strip * SIDE, hole * SIDE) for strip, hole in (a, b))
    return (
        f'<line x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round"/>'
    )


def _dot(hole: Place, radius: int, colour: str) -> str:
    edge = f' stroke="{INK}"' if radius == 7 else ""
    x, y = (place * SIDE for place in (hole[1], hole[0]))
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="{colour}"{edge}/>'


def _text(at: Place, text: str, anchor: str, ink: str = INK, halo: str = "") -> str:
    x, y = at[1] * SIDE, at[0] * SIDE + 4
    edge = f' stroke="{halo}" stroke-width="4" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="11" text-anchor="{anchor}" fill="{ink}"{edge}>'
        f"{escape(text)}</text>"
    )
