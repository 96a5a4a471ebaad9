"""The enclosure as solids, and the parts inside it as boxes and cylinders. Writes no file."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from build123d import (
    Align,
    Axis,
    Compound,
    Cylinder,
    Kind,
    Plane,
    Polygon,
    Pos,
    Rot,
    extrude,
    fillet,
    offset,
)
from build123d import Box as Block

from hardware import measures as m
from hardware.lists import Part
from hardware.shapes import DOTS, HOLES, LETTERS, OUTLINES

Solid = Any  # build123d has no types for mypy
UP = (Align.CENTER, Align.CENTER, Align.MIN)
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
PI = "Raspberry Pi with a 40-pin header"
LARGE, SMALL = "OLED panel, 2.42 inch", "OLED panel, 1.3 inch"
OK, NEXT, POWER, DOME = "push button, OK", "push button, NEXT", "power button", "dome button"
SUPPLY = "power supply"
PICO, DICE, HAT = "Raspberry Pi Pico", "stripboard, dice", "stripboard"


def printed_parts(parts: Mapping[str, Part]) -> dict[str, Solid]:
    """Return the printed parts by name, each in its place in the assembled model."""
    console = m.console(parts[PI])
    tops = {f"panel-{letter}": panel(parts, letter) for letter in LETTERS}
    return {
        **tops,
        "panel-lid": lid(m.PANEL),
        "console-two": console_top(parts, (parts[LARGE], parts[LARGE])),
        "console-one": console_top(parts, (parts[SMALL],)),
        "console-lid": console_lid(console, parts[PI]),
        "dome-lit": dome(parts, lit=True),
        "dome-plain": dome(parts, lit=False),
        "dome-lid": dome_lid(parts[PICO]),
    }


def shell(box: m.Box) -> Solid:
    """Return a box that is open at the bottom, with a post in each corner for its lid's screw."""
    outer = Block(box.width, box.depth, box.height, align=UP)
    outer = fillet(outer.edges().filter_by(Axis.Z), m.CORNER)
    inner = Block(box.width - 2 * m.WALL, box.depth - 2 * m.WALL, box.height - m.WALL, align=UP)
    return outer - inner + posts(box) - bores(box)


def posts(box: m.Box) -> Solid:
    """Return the four posts for the lid's screws."""
    post = Block(m.POST, m.POST, 20, align=UP)
    return Compound([Pos(x, y) * post for x, y in box.corners])


def bores(box: m.Box) -> Solid:
    """Return the four holes in the posts, as deep as the screws."""
    bore = Cylinder(m.M3_BITES / 2, 14, align=UP)
    return Compound([Pos(x, y) * bore for x, y in box.corners])


def lid(box: m.Box) -> Solid:
    """Return the lid that closes a box at the bottom."""
    plate = Block(box.width, box.depth, m.WALL, align=DOWN)
    plate = fillet(plate.edges().filter_by(Axis.Z), m.CORNER)
    bore = Cylinder(m.M3_PASSES / 2, 2 * m.WALL)
    return plate - Compound([Pos(x, y, -m.WALL / 2) * bore for x, y in box.corners])


def standoffs(
    middles: Sequence[tuple[float, float]], length: float, bore: float, wide: float
) -> Solid:
    """Return posts that stand on z = 0, bored through.

    middles: x and y of each. length, bore, wide: height, inner and outer diameter, in mm.
    """
    post = Cylinder(wide / 2, length, align=UP) - Cylinder(bore / 2, length, align=UP)
    return Compound([Pos(x, y) * post for x, y in middles])


def panel(parts: Mapping[str, Part], letter: str) -> Solid:
    """Return a player's panel: holes for OK, NEXT and lamp; the letter and the shape, engraved."""
    top = shell(m.PANEL)
    for at, name in ((m.OK_AT, OK), (m.NEXT_AT, NEXT), (m.LAMP_AT, "LED")):
        top -= hole(parts[name], at, m.PANEL.height)
    top -= cut(letter, 2 * m.CUT)
    slot = Pos(0, m.PANEL.depth / 2, 6) * Rot(90, 0, 0) * Cylinder(3, 4 * m.WALL)
    return top - slot


def cut(letter: str, height: float) -> Solid:
    """Return what to cut out of a panel's top for a letter and its shape, `height` mm high."""
    ground = m.PANEL.height - m.CUT
    lower = Pos(*m.SHAPE_AT, ground) * shape(letter, height)
    return Pos(*m.LETTER_AT, ground) * dots(letter, height) + lower


def hole(part: Part, at: tuple[float, float], height: float) -> Solid:
    """Return what to cut out of a box's top for a round part. height: of the box, in mm."""
    across = part.opening[0] + m.FIT
    return Pos(*at, height) * Cylinder(across / 2, 4 * m.WALL)


def dots(letter: str, height: float) -> Solid:
    """Return a letter made of dots, which overlap a little so that corners hold together."""
    side = m.LETTER / 7
    dot = Block(side * 1.1, side * 1.1, height, align=UP)
    places = [
        ((x - 2) * side, (3 - y) * side)
        for y, row in enumerate(DOTS[letter])
        for x, lit in enumerate(row)
        if lit == "#"
    ]
    first, *others = [Pos(x, y) * dot for x, y in places]
    return first.fuse(*others).clean()


def shape(letter: str, height: float) -> Solid:
    """Return a seat's shape as a solid, `height` mm high."""
    face = _face(OUTLINES[letter])
    if letter in HOLES:
        face -= _face(HOLES[letter])
    return extrude(face, height, dir=(0, 0, 1))


def _face(points: Sequence[tuple[float, float]]) -> Solid:
    return Polygon([(x * m.SHAPE, -y * m.SHAPE) for x, y in points], align=None)


def roof(console: m.Console) -> Solid:
    """Return the console's outline as a face, seen from its side: x is depth, y is height."""
    half, flat, high = console.box.depth / 2, console.flat / 2, console.box.height
    points = ((-half, 0), (half, 0), (half, console.low), (flat, high), (-flat, high))
    return Polygon(*points, (-half, console.low), align=None)


def prism(face: Solid, width: float) -> Solid:
    """Return a face of the side view as a solid, `width` mm wide."""
    return extrude(Plane.YZ * face, width / 2, both=True)


def console_top(parts: Mapping[str, Part], displays: Sequence[Part]) -> Solid:
    """Return the console: the first display in the slope to A, the second in the slope to C."""
    console = m.console(parts[PI])
    box, face = console.box, roof(m.console(parts[PI]))
    inner = prism(offset(face, -m.WALL, kind=Kind.INTERSECTION), box.width - 2 * m.WALL)
    below = Block(box.width - 2 * m.WALL, box.depth - 2 * m.WALL, 2 * m.WALL, align=UP)
    outer = prism(face, box.width)
    top = outer - inner - below + (posts(box) & outer) - bores(box)
    for display, seat in zip(displays, slopes(console), strict=False):
        top = top + seat * behind(display) - seat * window(display)
    top -= sockets(box, parts[PI])
    top -= hole_in_side(box, m.POWER_AT, parts[POWER].opening[0] + m.FIT, 1)
    for at in m.CABLES:
        top -= hole_in_side(box, at, m.CABLE, -1)
    return top - vents(box.height)


def slopes(console: m.Console) -> tuple[Solid, Solid]:
    """Return the places of the middles of the slopes to A and to C, z pointing outwards."""
    y = (console.box.depth + console.flat) / 4
    z = (console.low + console.box.height) / 2
    return Pos(0, -y, z) * Rot(m.SLOPE, 0, 0), Pos(0, y, z) * Rot(0, 0, 180) * Rot(m.SLOPE, 0, 0)


def window(display: Part) -> Solid:
    """Return what to cut out of the wall for a display's window."""
    wide, deep, up = m.window(display)
    return Pos(0, up) * Block(wide, deep, 4 * m.WALL)


def behind(display: Part) -> Solid:
    """Return the posts that hold a display's board, with holes for its screws."""
    stand = standoffs(m.around(display), display.front[2], m.M25_BITES, m.THIN_POST)
    return Pos(0, 0, -m.WALL - display.front[2]) * stand


def sockets(box: m.Box, pi: Part) -> Solid:
    """Return the openings at the Pi's two ends, open to the lid on which the Pi is mounted."""
    high = m.STANDOFF + pi.size[2] + m.CLEARANCE
    usb = Block(4 * m.WALL, pi.front[1] + 2 * m.CLEARANCE, high, align=UP)
    card = Block(4 * m.WALL, 16, m.STANDOFF + 3, align=UP)
    end = box.width / 2
    return Pos(end, 0, 0) * usb + Pos(-end, 0, 0) * card


def hole_in_side(box: m.Box, at: tuple[float, float], across: float, side: int) -> Solid:
    """Return a round hole in the wall at the card's end or at the sockets' end.

    at: y and z, in mm. across: the diameter, in mm. side: -1 for the card, 1 for the sockets.
    """
    return Pos(side * box.width / 2, *at) * Rot(0, 90, 0) * Cylinder(across / 2, 4 * m.WALL)


def vents(height: float) -> Solid:
    """Return slots for air, 3 mm wide, through a level wall at this height."""
    slot = Block(50, 3, 4 * m.WALL)
    return Compound([Pos(0, y, height) * slot for y in (-6, 0, 6)])


def console_lid(console: m.Console, pi: Part) -> Solid:
    """Return the console's floor, with the Pi's standoffs and slots for air."""
    base = Block(console.box.width, console.box.depth, m.WALL, align=DOWN)
    bore = Cylinder(m.M3_PASSES / 2, 2 * m.WALL)
    base -= Compound([Pos(x, y, -m.WALL / 2) * bore for x, y in console.box.corners])
    return base - vents(-m.WALL / 2) + standoffs(m.holes(pi), m.STANDOFF, m.M25_BITES, 6)


def dome(parts: Mapping[str, Part], lit: bool) -> Solid:
    """Return the chamber's top: a hole for the dome button, and holes for two dice if `lit`."""
    box, board = m.DOME, parts[DICE]
    top = shell(box) - hole(parts[DOME], m.BUTTON_AT, box.height)
    slot = Pos(box.width / 2, 0, m.STANDOFF + 2.5) * Block(4 * m.WALL, 13, 9)
    if not lit:
        return top - slot
    for middle in m.DICE_AT:
        for at in m.pips(middle):
            top -= hole(parts["LED"], at, box.height)
    length = parts["LED"].size[2] - m.WALL - m.PROUD
    stand = standoffs(m.around(board, _board()), length, m.M2_BITES, m.THIN_POST)
    return top + Pos(0, 0, box.height - m.WALL - length) * stand - slot


def dome_lid(pico: Part) -> Solid:
    """Return the chamber's floor, with the Pico's standoffs."""
    return lid(m.DOME) + standoffs(m.around(pico, m.PICO_AT), m.STANDOFF, m.M2_BITES, m.THIN_POST)


def _board() -> tuple[float, float]:
    (a, y), (b, _) = m.DICE_AT
    return (a + b) / 2, y


# The bought parts.


def bought_parts(parts: Mapping[str, Part]) -> dict[str, dict[str, Solid]]:
    """Return for each enclosure, by its name, the bought parts inside it as boxes and cylinders."""
    return {
        "panel": {
            "OK": button(parts[OK], m.OK_AT, m.PANEL.height),
            "NEXT": button(parts[NEXT], m.NEXT_AT, m.PANEL.height),
            "lamp": button(parts["LED"], m.LAMP_AT, m.PANEL.height),
            "paint": cut("A", m.CUT),
        },
        "console-two": inside(parts, (parts[LARGE], parts[LARGE])),
        "console-one": inside(parts, (parts[SMALL],)),
        "dome-plain": {"dome": button(parts[DOME], m.BUTTON_AT, m.DOME.height)},
        "dome-lit": chamber(parts),
    }


def button(part: Part, at: tuple[float, float], height: float) -> Solid:
    """Return a button or LED in a top `height` mm high: its cap above, its body below."""
    wide, _, deep = part.size
    if part.name == "LED":
        body = Cylinder(part.opening[0] / 2, deep, align=DOWN)
        return Pos(*at, height + m.PROUD) * body
    body = Cylinder(part.opening[0] / 2, deep, align=DOWN)
    square = "square" in part.value
    cap = Block(wide, wide, 6, align=UP) if square else Cylinder(wide / 2, wide / 3, align=UP)
    return Pos(*at, height) * (body + cap + nut(part))


def nut(part: Part) -> Solid:
    """Return a button's nut, behind the wall."""
    return Pos(0, 0, -m.WALL) * Cylinder(part.opening[0] / 2 * m.NUT, 3, align=DOWN)


def inside(parts: Mapping[str, Part], displays: Sequence[Part]) -> dict[str, Solid]:
    """Return the bought parts in the console, by name."""
    console, pi, power = m.console(parts[PI]), parts[PI], parts[POWER]
    body = Cylinder(power.opening[0] / 2, power.size[2], align=DOWN)
    cap = Cylinder(power.size[0] / 2, 2, align=UP)
    place = Pos(console.box.width / 2, *m.POWER_AT) * Rot(0, 90, 0)
    shown = zip(displays, slopes(console), strict=False)
    return {
        "Pi": raspberry(pi),
        "stripboard": stripboard(pi, parts[HAT]),
        "power button": place * (body + cap + nut(power)),
        "plug": plug(pi, parts[SUPPLY]),
        **{f"display {n}": seat * screen(part) for n, (part, seat) in enumerate(shown, 1)},
    }


def raspberry(pi: Part) -> Solid:
    """Return the Pi on its standoffs, its sockets beyond the board's edge."""
    board = Pos(0, 0, m.STANDOFF) * Block(*pi.size, align=UP)
    at = (pi.size[0] + pi.front[0]) / 2, 0, m.STANDOFF + pi.size[2] - pi.front[2]
    return board + Pos(*at) * Block(*pi.front, align=UP)


def plug(pi: Part, supply: Part) -> Solid:
    """Return the plug of the Pi's supply in its socket, without the cable."""
    wide, deep, high = supply.size
    x, z = m.PLUG[0] - pi.size[0] / 2, m.STANDOFF + m.PI_BOARD + m.PLUG[1]
    return Pos(x, -(pi.size[1] + deep) / 2, z) * Block(wide, deep, high)


def stripboard(pi: Part, board: Part) -> Solid:
    """Return the part of the stripboard that overhangs the Pi's edge."""
    above, beyond = m.HAT
    at = m.HEADER[0] - pi.size[0] / 2, (pi.size[1] + beyond) / 2, m.STANDOFF + m.PI_BOARD + above
    return Pos(*at) * Block(board.size[0], beyond, m.SOLDERED, align=UP)


def screen(display: Part) -> Solid:
    """Return a display behind its window: the glass, then the board."""
    glass = Block(*display.front, align=DOWN)
    board = Block(*display.size, align=DOWN)
    for x, y in m.around(display):
        board -= Pos(x, y) * Cylinder(1.3, 9)
    return Pos(0, 0, -m.WALL) * glass + Pos(0, 0, -m.WALL - display.front[2]) * board


def chamber(parts: Mapping[str, Part]) -> dict[str, Solid]:
    """Return the bought parts in the lit chamber, by name."""
    led, board, pico = parts["LED"], parts[DICE], parts[PICO]
    high = m.DOME.height
    places = [at for middle in m.DICE_AT for at in m.pips(middle)]
    under = high + m.PROUD - led.size[2]
    return {
        "dome": button(parts[DOME], m.BUTTON_AT, high),
        **{f"LED {n}": button(led, at, high) for n, at in enumerate(places, 1)},
        "dice": Pos(*_board(), under) * Block(*board.size, align=DOWN),
        "Pico": Pos(*m.PICO_AT, m.STANDOFF) * Block(*pico.size, align=UP),
    }


# Checks.

ASSEMBLED = {  # the two printed parts of each; the panels differ only in what is engraved
    "panel": ("panel-A", "panel-lid"),
    "console-two": ("console-two", "console-lid"),
    "console-one": ("console-one", "console-lid"),
    "dome-plain": ("dome-plain", "dome-lid"),
    "dome-lit": ("dome-lit", "dome-lid"),
}
TOUCH = 0.05  # mm^3: two solids that only touch may share this much


def assemble(made: Mapping[str, Solid], parts: Mapping[str, Part]) -> dict[str, dict[str, Solid]]:
    """Return each enclosure's printed and bought parts, in place."""
    into = bought_parts(parts)
    return {
        name: {**{one: made[one] for one in printed_ones}, **into[name]}
        for name, printed_ones in ASSEMBLED.items()
    }


def find_faults(made: Mapping[str, Solid], parts: Mapping[str, Part]) -> list[str]:
    """Return a sentence for each part that is not one valid solid, and for each overlap."""
    found = [f"{name} is not one solid" for name, solid in made.items() if len(solid.solids()) != 1]
    found += [f"{name} is not valid" for name, solid in made.items() if not _valid(solid)]
    for name, solids in assemble(made, parts).items():
        for (one, a), (other, b) in combinations(solids.items(), 2):
            shared = _shared(a, b)
            if shared > TOUCH:
                found.append(f"{name}: {one} and {other} overlap by {shared:.1f} mm^3")
    return found


def _valid(solid: Solid) -> bool:
    valid = solid.is_valid
    return bool(valid() if callable(valid) else valid)


def _shared(a: Solid, b: Solid) -> float:
    one, other = a.bounding_box(), b.bounding_box()
    apart = any(
        max(getattr(one.min, axis), getattr(other.min, axis))
        > min(getattr(one.max, axis), getattr(other.max, axis))
        for axis in "XYZ"
    )
    if apart:
        return 0.0
    common = a & b
    return float(sum(solid.volume for solid in common.solids())) if common else 0.0
