"""The enclosure as solids, and the parts inside it as boxes and cylinders. Writes no file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil, sqrt
from typing import Any

from build123d import (
    Align,
    Axis,
    Circle,
    Compound,
    Cylinder,
    Kind,
    Plane,
    Polygon,
    Pos,
    Rectangle,
    Rot,
    extrude,
    fillet,
    offset,
)
from build123d import Box as Block

from hardware import measures as m
from hardware.lists import LISTED, Part
from hardware.shapes import DOTS, LETTERS, OUTLINES, Point

Solid = Any  # build123d has no types for mypy
UP = (Align.CENTER, Align.CENTER, Align.MIN)
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
INWARDS = (Align.MAX, Align.CENTER, Align.CENTER)
ALONG = (Align.MIN, Align.MIN, Align.CENTER)
OK, NEXT, LED = LISTED["push button, OK"], LISTED["push button, NEXT"], LISTED["LED"]
JACK = LISTED["switch jack"]
POWER, DOME = LISTED["power button"], LISTED["dome button"]
PICO, DICE = LISTED["Raspberry Pi Pico"], LISTED["stripboard, dice"]
LARGE = LISTED["OLED panel, 2.42 inch"]
NARROW = replace(LARGE, size=(*m.NARROW, LARGE.size[2]))
SHOWN = {  # the displays of each console; narrow boards have their posts at the same places
    "console-two": (LARGE, LARGE),
    "console-two-narrow": (NARROW, NARROW),
    "console-one": (LISTED["OLED panel, 1.3 inch"],),
}
# The middles of the slopes to A and to C, z pointing outwards.
UP_AT = (m.LOW + m.CONSOLE.height) / 2
SLOPES = (
    Pos(0, -(m.DEPTH + m.FLAT) / 4, UP_AT) * Rot(m.SLOPE, 0, 0),
    Pos(0, (m.DEPTH + m.FLAT) / 4, UP_AT) * Rot(0, 0, 180) * Rot(m.SLOPE, 0, 0),
)
# The middles of the windows for the cords' jacks.
CORD_WINDOWS = [
    (-m.CONSOLE.width / 2, -y, m.CORD_JACK_UP + m.CORD_JACK[2] / 2) for y in m.CORD_JACKS.values()
]


def printed_parts() -> dict[str, Solid]:
    """Return the printed parts by name, each in its place in the assembled model."""
    pico = m.around(PICO, m.PICO_AT)
    return {
        **{f"panel-{letter}": panel(letter) for letter in LETTERS},
        **{f"panel-jacks-{letter}": panel(letter, jacks=True) for letter in LETTERS},
        "panel-lid": lid(m.PANEL),
        **{name: console_top(displays) for name, displays in SHOWN.items()},
        "console-lid": console_lid(),
        "dome-lit": dome(lit=True),
        "dome-plain": dome(lit=False),
        "dome-lid": lid(m.DOME) + standoffs(pico, m.STANDOFF, m.M2_BITES, m.THIN_POST),
    }


def shell(box: m.Box) -> Solid:
    """Return a box that is open at the bottom, with a post in each corner for its lid's screw."""
    outer = Block(box.width, box.depth, box.height, align=UP)
    outer = fillet(outer.edges().filter_by(Axis.Z), m.CORNER)
    inner = Block(box.width - 2 * m.WALL, box.depth - 2 * m.WALL, box.height - m.WALL, align=UP)
    return outer - inner + posts(box) - bores(box)


def repeat(solid: Solid, places: Sequence[tuple[float, ...]]) -> Solid:
    return Compound([Pos(*at) * solid for at in places])


def posts(box: m.Box) -> Solid:
    """Return the four posts for the lid's screws, with a gusset above each.

    The printer builds the box upside down. A gusset grows out of the wall at 45 degrees, so that
    its post does not begin in mid-air.
    """
    half = m.POST / 2
    side = Polygon((-half, 0), (half, 0), (half, m.POST), align=None)
    post = Block(m.POST, m.POST, m.POST_HIGH, align=UP)
    post += Pos(0, 0, m.POST_HIGH) * prism(side, m.POST)
    return Compound([Pos(x, y) * Rot(0, 0, 0 if y > 0 else 180) * post for x, y in box.corners])


def bores(box: m.Box) -> Solid:
    """Return the four holes in the posts, as deep as the screws."""
    return repeat(Cylinder(m.M3_BITES / 2, 14, align=UP), box.corners)


def lid(box: m.Box) -> Solid:
    """Return the lid that closes a box at the bottom."""
    plate = Block(box.width, box.depth, m.WALL, align=DOWN)
    return fillet(plate.edges().filter_by(Axis.Z), m.CORNER) - passages(box)


def passages(box: m.Box) -> Solid:
    """Return the four holes in a lid, through which the screws pass."""
    bore = Cylinder(m.M3_PASSES / 2, 2 * m.WALL)
    return repeat(bore, [(x, y, -m.WALL / 2) for x, y in box.corners])


def standoffs(middles: Sequence[Point], length: float, bore: float, wide: float) -> Solid:
    """Return bored posts at x and y, on z = 0. length, bore, wide: height and diameters, in mm."""
    post = Cylinder(wide / 2, length, align=UP) - Cylinder(bore / 2, length, align=UP)
    return repeat(post, middles)


def panel(letter: str, jacks: bool = False) -> Solid:
    """Return a player's panel: holes for OK, NEXT and lamp; the letter and the shape, engraved.

    jacks: two jacks in its front for switches of one's own, in place of OK and NEXT.
    """
    top = shell(m.PANEL) - hole(LED, m.LAMP_AT, m.PANEL.height)
    top -= cut(letter, 2 * m.CUT, jacks)
    for at, part in ((m.OK_AT, OK), (m.NEXT_AT, NEXT)):
        top -= in_front(at) * hole(JACK, (0, 0), 0) if jacks else hole(part, at, m.PANEL.height)
    slot = Pos(0, m.PANEL.depth / 2, 6) * Rot(90, 0, 0) * Cylinder(3, 4 * m.WALL)
    return top - slot


def in_front(at: Point) -> Pos:
    """Return the place of a jack in a panel's front, below a button's, with z pointing outwards."""
    return Pos(at[0], -m.PANEL.depth / 2, m.JACK_UP) * Rot(90, 0, 0)


def cut(letter: str, height: float, jacks: bool = False) -> Solid:
    """Return what to cut out of a panel's top for a letter and its shape, `height` mm high.

    jacks: also the outlines of the two buttons, each behind its jack.
    """
    ground = m.PANEL.height - m.CUT
    lower = Pos(*m.SHAPE_AT, ground) * shape(letter, height)
    engraved = Pos(*m.LETTER_AT, ground) * dots(letter, height) + lower
    if jacks:
        ring, frame = Circle(OK.opening[0] / 2), Rectangle(*2 * NEXT.opening)
        for at, face in ((m.OK_AT, ring), (m.NEXT_AT, frame)):
            line = face - offset(face, -m.LINE, kind=Kind.INTERSECTION)
            engraved += Pos(*at, ground) * extrude(line, height, dir=(0, 0, 1))
    return engraved


def hole(part: Part, at: Point, height: float) -> Solid:
    """Return what to cut out of a box's top for a round part. height: of the box, in mm."""
    return Pos(*at, height) * Cylinder((part.opening[0] + m.FIT) / 2, 4 * m.WALL)


def dots(letter: str, height: float) -> Solid:
    """Return a letter made of dots, which overlap a little so that corners hold together."""
    side = m.LETTER / 7
    dot = Block(side * 1.1, side * 1.1, height, align=UP)
    first, *others = [
        Pos((x - 2) * side, (3 - y) * side) * dot
        for y, row in enumerate(DOTS[letter])
        for x, lit in enumerate(row)
        if lit == "#"
    ]
    return first.fuse(*others).clean()


def shape(letter: str, height: float) -> Solid:
    """Return a seat's shape as a solid, `height` mm high."""
    lines = [[(x * m.SHAPE, -y * m.SHAPE) for x, y in line] for line in OUTLINES[letter]]
    face, *holes = [Polygon(line, align=None) for line in lines]
    for hole in holes:
        face -= hole
    return extrude(face, height, dir=(0, 0, 1))


def roof() -> Solid:
    """Return the console's outline as a face, seen from its side: x is depth, y is height."""
    half, flat, high = m.DEPTH / 2, m.FLAT / 2, m.CONSOLE.height
    points = ((-half, 0), (half, 0), (half, m.LOW), (flat, high), (-flat, high), (-half, m.LOW))
    return Polygon(*points, align=None)


def prism(face: Solid, width: float) -> Solid:
    """Return a face of the side view as a solid, `width` mm wide."""
    return extrude(Plane.YZ * face, width / 2, both=True)


def console_top(displays: Sequence[Part]) -> Solid:
    """Return the console: the first display in the slope to A, the second in the slope to C."""
    box, face = m.CONSOLE, roof()
    inner = prism(offset(face, -m.WALL, kind=Kind.INTERSECTION), box.width - 2 * m.WALL)
    below = Block(box.width - 2 * m.WALL, box.depth - 2 * m.WALL, 2 * m.WALL, align=UP)
    outer = prism(face, box.width)
    top = outer - inner - below + (posts(box) & outer) - bores(box) + eaves(face)
    for display, seat in zip(displays, SLOPES, strict=False):
        top = top + seat * behind(display) - seat * screw_holes(display) - seat * window(display)
        wide, deep, up = m.window(display)
        top += seat * Pos(0, up) * ribs(wide, deep)
    end = Rot(0, 0, -90) * Rot(90, 0, 0) * ribs(*m.CORD_JACK[1:])
    top = top - grooves() - cord_windows() + repeat(end, CORD_WINDOWS)
    top -= sockets() + inlet()
    top += Pos(box.width / 2, *m.INLET_AT) * Block(m.WALL, m.RIB, m.INLET[1], align=INWARDS)
    top -= power_hole()
    for y, z in m.CABLES:
        upper = Pos(0, 0, z) * Rot(0, 90, 0) * Cylinder(m.CABLE / 2, 4 * m.WALL)
        top -= Pos(-box.width / 2, y) * (upper + Block(4 * m.WALL, m.CABLE, z, align=UP))
    for y, z in m.VENTS_AT:
        top -= Pos(0, y, z) * Block(2 * box.width, *m.VENT)
    return top


def eaves(face: Solid) -> Solid:
    """Return the roof's two ends, which stand out over the slots below them."""
    box = m.CONSOLE
    under = max(z for _, z in m.VENTS_AT) + m.VENT[1] / 2 + m.CLEARANCE
    above = Pos(0, 0, under) * Block(2 * box.width, box.depth, box.height, align=UP)
    return (prism(face, box.width + 2 * m.EAVE) - prism(face, box.width)) & above


def inlet() -> Solid:
    """Return the opening and the two screw holes for the socket of the USB-C extension."""
    hole = Rot(0, 90, 0) * Cylinder(m.M3_PASSES / 2, 4 * m.WALL)
    holes = repeat(hole, [(0, 0, -m.INLET_SCREWS / 2), (0, 0, m.INLET_SCREWS / 2)])
    return Pos(m.CONSOLE.width / 2, *m.INLET_AT) * (Block(4 * m.WALL, *m.INLET) + holes)


def grooves() -> Solid:
    """Return what to cut out of the end wall so that the cords' jacks slide in with the lid."""
    _, wide, high = m.CORD_JACK
    size = m.WALL, wide + 2 * m.CLEARANCE, m.CORD_JACK_UP + high + m.CLEARANCE
    groove = Pos(m.THINNEST - m.CONSOLE.width / 2) * Block(*size, align=(Align.MIN, *UP[1:]))
    return repeat(groove, [(0, y) for y in m.CORD_JACKS.values()])


def cord_windows() -> Solid:
    """Return what to cut out of the end wall for the cords' plugs."""
    return repeat(Block(4 * m.WALL, *m.CORD_JACK[1:]), CORD_WINDOWS)


def window(display: Part) -> Solid:
    """Return what to cut out of the wall for a display's window."""
    wide, deep, up = m.window(display)
    return Pos(0, up) * Block(wide, deep, 4 * m.WALL)


def ribs(wide: float, deep: float) -> Solid:
    """Return the ribs that the builder snips out of a window.

    Without them the window's last edge would begin in the printer as a line of plastic in mid-air.
    The crossbars keep the ribs from leaning.
    """
    rib = Block(m.RIB, deep, m.RIB, align=DOWN)
    bar = Block(wide, m.RIB, m.RIB, align=DOWN)
    across, along = (ceil((wide - m.RIB_GAP) / (m.RIB_GAP + m.RIB)), ceil(deep / m.RIB_CELL) - 1)
    gap = (wide - across * m.RIB) / (across + 1)
    first, *others = [
        *(Pos((n + 0.5) * (gap + m.RIB) + gap / 2 - wide / 2) * rib for n in range(across)),
        *(Pos(0, (n + 1) * deep / (along + 1) - deep / 2) * bar for n in range(along)),
    ]
    return first.fuse(*others)


def behind(display: Part) -> Solid:
    """Return the posts that hold a display's board behind the wall."""
    post = Cylinder(m.THIN_POST / 2, post_height(display), align=DOWN)
    return repeat(Pos(0, 0, -m.WALL) * post, m.around(display))


def screw_holes(display: Part) -> Solid:
    """Return what to cut out of a display's posts, and of the wall, for its screws."""
    deep = post_height(display) + m.INTO_WALL
    bore = Pos(0, 0, m.INTO_WALL - m.WALL) * Cylinder(m.M25_BITES / 2, deep, align=DOWN)
    return repeat(bore, m.around(display))


def post_height(display: Part) -> float:
    """Return how far a display's posts reach inwards: under its board, or beside a narrow one."""
    under = m.SHEET + display.front[2]
    is_narrow = display.size[:2] == m.NARROW
    return under + display.size[2] - m.CLAMP if is_narrow else under


def sockets() -> Solid:
    """Return the openings at the Pi's two ends, open to the lid on which the Pi is mounted."""
    high = m.STANDOFF + m.PI.size[2] + m.CLEARANCE
    usb = Block(4 * m.WALL, m.PI.front[1] + 2 * m.CLEARANCE, high, align=UP)
    card = Block(4 * m.WALL, *m.CARD, align=UP)
    end = m.CONSOLE.width / 2
    return Pos(end, 0, 0) * usb + Pos(-end, 0, 0) * card


def power_hole() -> Solid:
    """Return the hole for the power button, with a gable below, which the printer builds last."""
    half, end = (POWER.opening[0] + m.FIT) / 2, m.VENT[0] / 2  # the end is as wide as a slot
    low, flank = -half * sqrt(2) + end, half / sqrt(2)
    gable = Polygon((-flank, -flank), (-end, low), (end, low), (flank, -flank), align=None)
    face = Circle(half) + gable
    return Pos(m.CONSOLE.width / 2, *m.POWER_AT) * prism(face, 4 * m.WALL)


def console_lid() -> Solid:
    """Return the console's floor: standoffs for the Pi, a ring for the piezo, slots for air."""
    base = Block(m.CONSOLE.width, m.DEPTH, m.WALL, align=DOWN) - passages(m.CONSOLE)
    base -= repeat(Block(*m.FLOOR_VENT, 4 * m.WALL), [(0, y) for y in m.FLOOR_VENTS_AT])
    outer, inner, high = m.RING
    base += standoffs([m.PIEZO_AT], high, inner, outer)
    base -= repeat(Cylinder(m.M25_BITES / 2, m.INTO_WALL, align=DOWN), m.PI_HOLES)
    return base + standoffs(m.PI_HOLES, m.STANDOFF, m.M25_BITES, 6)


def dome(lit: bool) -> Solid:
    """Return the chamber's top: a hole for the dome button, and holes for two dice if `lit`."""
    box = m.DOME
    top = shell(box) - hole(DOME, m.BUTTON_AT, box.height)
    slot = Pos(box.width / 2, 0) * Block(4 * m.WALL, 13, m.STANDOFF + 7, align=UP)
    if not lit:
        return top - slot
    for at in (*m.pips(m.DICE_AT[0]), *m.pips(m.DICE_AT[1])):
        top -= Pos(*at, box.height) * Cylinder(m.LED_HOLE / 2, 4 * m.WALL)
    length = LED.size[2] - m.WALL - m.PROUD
    stand = standoffs(m.around(DICE, m.DICE_BOARD_AT), length, m.M2_BITES, m.THIN_POST)
    return top + Pos(0, 0, box.height - m.WALL - length) * stand - slot


# The bought parts.


def bought_parts() -> dict[str, dict[str, Solid]]:
    """Return for each enclosure, by its name, the bought parts inside it as boxes and cylinders."""
    return {
        "panel": {
            "OK": button(OK, m.OK_AT, m.PANEL.height),
            "NEXT": button(NEXT, m.NEXT_AT, m.PANEL.height),
            "lamp": button(LED, m.LAMP_AT, m.PANEL.height),
            "paint": cut("A", m.CUT),
        },
        "panel-jacks": {
            "jack OK": in_front(m.OK_AT) * jack(),
            "jack NEXT": in_front(m.NEXT_AT) * jack(),
            "lamp": button(LED, m.LAMP_AT, m.PANEL.height),
            "paint": cut("A", m.CUT, jacks=True),
        },
        **{name: inside(displays) for name, displays in SHOWN.items()},
        "dome-plain": {"dome": button(DOME, m.BUTTON_AT, m.DOME.height)},
        "dome-lit": chamber(),
    }


def button(part: Part, at: Point, height: float) -> Solid:
    """Return a button or LED in a top `height` mm high: its cap above, its body below."""
    wide, _, deep = part.size
    body = Cylinder(part.opening[0] / 2, deep, align=DOWN)
    if part.name == "LED":
        return Pos(*at, height + m.PROUD) * body
    square = "square" in part.value
    cap = Block(wide, wide, 6, align=UP) if square else Cylinder(wide / 2, wide / 3, align=UP)
    cap = fillet(cap.edges().group_by(Axis.Z)[-1], 1 if square else wide / 5)
    return Pos(*at, height) * (body + cap + nut(part))


def nut(part: Part) -> Solid:
    return Pos(0, 0, -m.WALL) * Cylinder(part.opening[0] / 2 * m.NUT, 3, align=DOWN)


def jack() -> Solid:
    """Return a jack in a wall: its body inside, its thread through the wall, its nut outside."""
    wide, _, deep = JACK.size
    thread = Cylinder(JACK.opening[0] / 2, m.WALL, align=DOWN)
    body = Pos(0, 0, -m.WALL) * Cylinder(wide / 2, deep, align=DOWN)
    ring = Cylinder(wide / 2, 2, align=UP) - Cylinder(m.JACK_BORE / 2, 2, align=UP)
    return thread + body + ring


def inside(displays: Sequence[Part]) -> dict[str, Solid]:
    """Return the bought parts in the console, by name."""
    piezo = LISTED["piezo"]
    body = Cylinder(POWER.opening[0] / 2, POWER.size[2], align=DOWN)
    cap = Cylinder(POWER.size[0] / 2, 2, align=UP)
    place = Pos(m.CONSOLE.width / 2, *m.POWER_AT) * Rot(0, 90, 0)
    numbered = list(enumerate(zip(displays, SLOPES, strict=False), 1))
    return {
        "Pi": raspberry(),
        "stripboard": stripboard(),
        "power button": place * (body + cap + nut(POWER)),
        "plug": plug(),
        "socket": socket(),
        "piezo": Pos(*m.PIEZO_AT, m.RING[2]) * Cylinder(piezo.size[0] / 2, piezo.size[2], align=UP),
        **{f"display {n}": seat * screen(part) for n, (part, seat) in numbered},
        **{f"display {n} sheet": seat * sheet(part) for n, (part, seat) in numbered},
    }


def socket() -> Solid:
    """Return the USB-C extension's socket behind the wall, without its cable."""
    ears = Block(3, m.INLET[0], m.INLET_SCREWS + 6, align=INWARDS)
    body = Block(m.INLET_BODY, *m.INLET, align=INWARDS)
    return Pos(m.CONSOLE.width / 2 - m.WALL, *m.INLET_AT) * (ears + body)


def raspberry() -> Solid:
    """Return the Pi on its standoffs, its sockets beyond the board's edge."""
    pi = m.PI
    board = Pos(0, 0, m.STANDOFF) * Block(*pi.size, align=UP)
    at = (pi.size[0] + pi.front[0]) / 2, 0, m.STANDOFF + pi.size[2] - pi.front[2]
    return board + Pos(*at) * Block(*pi.front, align=UP)


def plug() -> Solid:
    """Return the extension's angled plug in the Pi's power socket, and the start of its cable."""
    wide, deep, high = LISTED["USB-C extension"].size
    x, z = m.PLUG[0] - m.PI.size[0] / 2, m.STANDOFF + m.PI_BOARD + m.PLUG[1]
    back = Pos(x - m.PLUG_HEAD / 2, -m.PI.size[1] / 2 - m.PLUG_GAP - deep, z)
    cord = Pos(wide, m.CORD) * Rot(0, 90, 0) * Cylinder(m.CORD / 2, wide, align=UP)
    return back * (Block(wide, deep, high, align=ALONG) + cord)


def stripboard() -> Solid:
    """Return the part of the stripboard that overhangs the Pi's edge."""
    (above, beyond), pi = m.HAT, m.PI
    at = m.HEADER[0] - pi.size[0] / 2, (pi.size[1] + beyond) / 2, m.STANDOFF + m.PI_BOARD + above
    return Pos(*at) * Block(LISTED["stripboard"].size[0], beyond, m.SOLDERED, align=UP)


def screen(display: Part) -> Solid:
    """Return a display behind its window and the clear sheet: the glass, then the board."""
    glass = Block(*display.front, align=DOWN)
    board = Block(*display.size, align=DOWN)
    for x, y in m.around(display):
        board -= Pos(x, y) * Cylinder(1.3, 9)
    return Pos(0, 0, -m.WALL - m.SHEET) * (glass + Pos(0, 0, -display.front[2]) * board)


def sheet(display: Part) -> Solid:
    """Return the clear sheet between a window and the glass."""
    return Pos(0, 0, -m.WALL) * Block(*display.front[:2], m.SHEET, align=DOWN)


def chamber() -> dict[str, Solid]:
    """Return the bought parts in the lit chamber, by name."""
    high = m.DOME.height
    places = [at for middle in m.DICE_AT for at in m.pips(middle)]
    under = high + m.PROUD - LED.size[2]
    return {
        "dome": button(DOME, m.BUTTON_AT, high),
        **{f"LED {n}": button(LED, at, high) for n, at in enumerate(places, 1)},
        "dice": Pos(*m.DICE_BOARD_AT, under) * Block(*DICE.size, align=DOWN),
        "Pico": Pos(*m.PICO_AT, m.STANDOFF) * Block(*PICO.size, align=UP),
    }


# Checks.

TOUCH = 0.05  # mm^3: two solids that only touch may share this much


def assemble(made: Mapping[str, Solid]) -> dict[str, dict[str, Solid]]:
    """Return each enclosure's printed and bought parts, in place; ribs are snipped out."""
    assembled = {}
    for name, bought in bought_parts().items():
        top_name = f"{name}-A" if "panel" in name else name  # panels differ only in their letters
        lid_name, top = f"{name.partition('-')[0]}-lid", made[top_name]
        for display, seat in zip(SHOWN.get(name, ()), SLOPES, strict=False):
            top -= seat * window(display)
        if name in SHOWN:
            top -= inlet()
        assembled[name] = {top_name: top, lid_name: made[lid_name], **bought}
    return assembled


def find_faults(made: Mapping[str, Solid]) -> list[str]:
    """Return a sentence for each part that is not one valid solid, and for each overlap."""
    found = [f"{name} is not one solid" for name, solid in made.items() if len(solid.solids()) != 1]
    found += [f"{name} is not valid" for name, solid in made.items() if not solid.is_valid]
    return [*found, *find_overlaps(assemble(made))]


def find_overlaps(assembled: Mapping[str, Mapping[str, Solid]]) -> list[str]:
    """Return a sentence for each two solids that share a volume."""
    found = []
    for name, solids in assembled.items():
        for (one, a), (other, b) in combinations(solids.items(), 2):
            if a.bounding_box().disjoint(b.bounding_box()):  # this is fast
                continue
            shared = sum(solid.volume for solid in (a & b or Compound()).solids())
            if shared > TOUCH:
                found.append(f"{name}: {one} and {other} overlap by {shared:.1f} mm^3")
    return found
