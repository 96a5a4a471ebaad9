"""The Pi's board in the console, as blocks: what it overlaps. Writes no file."""

from collections.abc import Iterator
from typing import Any

from build123d import Box as Block
from build123d import Compound, Polygon, Pos, extrude

from hardware import enclosure, layout
from hardware import measures as m
from hardware.pcb.kicad_file import THICKNESS
from hardware.pcb.place import Board, Point, pi_board

Solid = Any  # build123d has no types for mypy
UNDER_PI = m.STANDOFF + m.PI_BOARD + m.HAT[0]  # the height of the board's lower side
JACK = (13.4, 13.4, 13.0)  # of the tallest class
USB_FROM = 65.5  # mm from the card's end: where the Pi's USB sockets begin, above a board of 65 mm
# Bodies above or, if negative, below the board: from the place of the part to the body's middle,
# width, depth, height. XH with its plug: 9.8 mm, JST's drawing.
BODIES = {
    "jack": (JACK[0] / 2 - 8.5, 1.53, *JACK),
    "socket": (9.5 * layout.PITCH, 1.27, 50.8, 5.0, -8.5),
    "display connector": (5.0, -0.5, 15.0, 5.75, 9.8),
    "two-wire connector": (1.25, -0.5, 7.4, 5.75, 9.8),
}


def overlaps() -> Iterator[str]:
    """Yield a sentence for each overlap of the Pi's board with the console or the parts in it.

    The console's end wall is taken to have an opening as large as each jack.
    """
    console = dict(bodies(pi_board(), _in_console, UNDER_PI))
    for name, displays in enclosure.SHOWN.items():
        top = enclosure.console_top(displays)
        for display, seat in zip(displays, enclosure.SLOPES, strict=False):
            top -= seat * enclosure.window(display)
        for jack in (body for part, body in console.items() if part.startswith("jack")):
            top -= Pos(-m.WALL, 0) * jack + jack
        parts = enclosure.inside(displays) | {
            "Pi": _pi(),
            "top": top,
            "lid": enclosure.console_lid(),
        }
        del parts["stripboard"]
        yield from _shared(name, console, parts)


def _in_console(point: Point) -> Point:
    """Return where a point of the Pi's board is in the console, whose middle is the Pi's."""
    return point[0] - m.PI.size[0] / 2, m.PI.size[1] / 2 - point[1]


def bodies(board: Board, turn: Any, height: float) -> Iterator[tuple[str, Solid]]:
    """Yield a board's bodies by name. turn: from its places to those in the enclosure."""
    face = Polygon(*map(turn, reversed(board.outline)), align=None)
    yield "board", Pos(0, 0, height) * extrude(face, THICKNESS, dir=(0, 0, 1))
    for part, at in board.parts:
        if part.kind in BODIES:
            right, up, wide, deep, high = BODIES[part.kind]
            x, y = turn((at.x, at.y))
            start = height if high < 0 else height + THICKNESS
            block = Block(wide, deep, abs(high), align=enclosure.UP if high > 0 else enclosure.DOWN)
            yield f"{part.kind} {part.label}", Pos(x + right, y + up, start) * block


def _pi() -> Solid:
    """Return the Pi without the envelope above it: its board, and its USB and network sockets."""
    pi = m.PI
    sockets = pi.size[0] - USB_FROM + pi.front[0]
    x = USB_FROM + sockets / 2 - pi.size[0] / 2
    block = Pos(x, 0, m.STANDOFF) * Block(sockets, pi.front[1], pi.size[2], align=enclosure.UP)
    return block + Pos(0, 0, m.STANDOFF) * Block(*pi.size[:2], m.PI_BOARD, align=enclosure.UP)


def _shared(name: str, ours: dict[str, Solid], others: dict[str, Solid]) -> Iterator[str]:
    for one, a in ours.items():
        for other, b in others.items():
            if a.bounding_box().disjoint(b.bounding_box()):
                continue
            shared = sum(solid.volume for solid in (a & b or Compound()).solids())
            if shared > enclosure.TOUCH:
                yield f"{name}: {one} and {other} overlap by {shared:.1f} mm^3"
