"""Draws the two stripboards as SVG, each from both sides. Pure: values in, text out."""

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from hardware.layout import PULLED, Layout, Place, dice, hat, mirrored
from hardware.lists import PINS, Files
from hardware.svg import BLUE, INK, PAPER, RED, svg_file, tag

TITLES = {
    "stripboard": "On the Pi's header, from above: the copper. The parts hang below",
    "stripboard-parts": "The same board from below, mirrored: the parts",
    "dice": "The dice, from above: the LEDs; + is the long leg",
    "dice-copper": "The same board from below, mirrored: the copper",
}
SIDE, COPPER, BOARD = 24, "#dfa878", "#f3e6cf"
GREY, BODY, CERAMIC = "#7a828c", "#8fb7d9", "#e9b949"
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
    lines = [tag("text", escape(title), x=margin, y=26, font_size=15)]
    lines.append(f'<g transform="translate({margin - SIDE // 2} {42 - SIDE // 2})">')
    parts = [*_leds(layout), *_capacitors(layout), *_resistors(layout), *_wires(layout)]
    width, height = layout.holes * SIDE, layout.strips * SIDE
    lines.append(tag("rect", x=12, y=12, width=width, height=height, fill=BOARD, stroke=INK))
    lines += [*_group([*_copper(layout), *_cuts(layout)], copper_up)]
    lines += [*_group(parts, not copper_up), *_words(layout), *_socket(layout)]
    lines += [*_group([*_ends(layout)], copper_up or bool(layout.socket)), "</g>"]
    return svg_file(width + 2 * margin, height + 76, lines)


def _group(lines: list[str], near: bool) -> list[str]:
    return lines if near else [f'<g opacity="{BEYOND}">', *lines, "</g>"]


def _copper(layout: Layout) -> Iterator[str]:
    # Round dashes without a length: a dot at each hole.
    dots = {"stroke_width": 4, "stroke_linecap": "round", "stroke_dasharray": f"0 {SIDE}"}
    for strip in range(1, layout.strips + 1):
        y, width = strip * SIDE, layout.holes * SIDE
        yield tag("rect", x=14, y=y - 7, width=width - 4, height=14, fill=COPPER)
        yield tag("path", d=f"M{SIDE} {y}h{width - SIDE + 1}", stroke=PAPER, **dots)


def _cuts(layout: Layout) -> Iterator[str]:
    for strip, place in sorted(layout.cuts):
        across = 16 if place % 1 == 0 else 4
        x, y = place * SIDE - across / 2, strip * SIDE - 9
        yield tag("rect", x=x, y=y, width=across, height=18, fill=BOARD)
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
        y, x = (place * SIDE for place in _between(a, b, 0.5))
        size = {"x": x - 10, "y": y - 22, "width": 20, "height": 44, "rx": 9}
        yield tag("rect", **size, fill=CERAMIC, stroke=GREY)
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
        if pin in PULLED:
            strip, place = hole
            yield _dot(hole, 9, "#ffffff")
            yield _line((strip - 0.25, place - 0.25), (strip + 0.25, place + 0.25), RED, 2)
            yield _line((strip - 0.25, place + 0.25), (strip + 0.25, place - 0.25), RED, 2)
        else:
            yield from (_dot(hole, 9, "#24272e"), _text(hole, str(pin), "middle", "#ffffff"))


def _leds(layout: Layout) -> Iterator[str]:
    for strip, hole in layout.leds:
        x, y = hole * SIDE, strip * SIDE + SIDE // 2
        yield tag("circle", cx=x, cy=y, r=27, fill="#e2574c", fill_opacity=0.6)
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
    y, x, v, u = (place * SIDE for place in (*a, *b))
    stroke = {"stroke": colour, "stroke_width": width, "stroke_linecap": "round"}
    return tag("line", x1=x, y1=y, x2=u, y2=v, **stroke)


def _dot(hole: Place, radius: int, colour: str) -> str:
    edge = {"stroke": INK} if radius == 7 else {}
    return tag("circle", cx=hole[1] * SIDE, cy=hole[0] * SIDE, r=radius, fill=colour, **edge)


def _text(at: Place, text: str, anchor: str, ink: str = INK, halo: str = "") -> str:
    look: dict[str, object] = {"font_size": 11, "text_anchor": anchor, "fill": ink}
    if halo:
        look |= {"stroke": halo, "stroke_width": 4, "paint_order": "stroke"}
    return tag("text", escape(text), x=at[1] * SIDE, y=at[0] * SIDE + 4, **look)
