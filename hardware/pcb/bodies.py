"""The boards to order in their enclosures, as blocks with what is plugged in. Writes no file."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import sqrt
from typing import Any

from build123d import Box as Block
from build123d import Cylinder, Polygon, Pos, Rot, extrude

from hardware import enclosure, layout
from hardware import measures as m
from hardware.lists import LISTED
from hardware.pcb.place import PICO_X, Board, Point, dice_board, pi_board

Solid = Any  # build123d has no types for mypy
Solids = dict[str, Solid]
UP, DOWN = enclosure.UP, enclosure.DOWN
UNDER_PI = m.CORD_JACK_UP - m.BOARD  # the height of the lower side of the Pi's board
SPACER = 2.5  # between the dice's board and the Pico, on its pins
USB_FROM = 65.5  # mm from the card's end: where the Pi's USB sockets begin, above a board of 65 mm
# Plugs outside their sockets, with levers and angled cables: length, width, height. Assumed; a
# cord's plug is 0.38 inch wide (47 CFR 68.500, from memory).
CORD_PLUG = Block(12.0, 9.65, 11.0, align=enclosure.INWARDS)
USB_PLUG = Block(29.0, 11.0, 8.0, align=enclosure.INWARDS)
MOUTH = 8.5, 1.53  # a jack's pad 1, from its mouth and from its middle
# A part's kind, a body's name, and the body on the upper side of a board, from the part's place. XH
# with its plug: 9.8 mm, JST's drawing.
BODIES = (
    ("jack", "jack", Pos(m.CORD_JACK[0] / 2 - MOUTH[0], MOUTH[1]) * Block(*m.CORD_JACK, align=UP)),
    ("jack", "plug", Pos(-MOUTH[0], MOUTH[1], m.CORD_JACK[2] / 2) * CORD_PLUG),
    ("socket", "socket", Pos(9.5 * layout.PITCH, -1.27) * Block(50.8, 5.0, 8.5, align=UP)),
    ("display connector", "XH", Pos(5.0, -0.5) * Block(15.0, 5.75, 9.8, align=UP)),
    ("two-wire connector", "XH", Pos(1.25, -0.5) * Block(7.4, 5.75, 9.8, align=UP)),
    ("LED", "LED", Pos(layout.PITCH / 2) * Cylinder(2.5, enclosure.LED.size[2], align=UP)),
)


def with_boards(assembled: Mapping[str, Mapping[str, Solid]]) -> dict[str, Solids]:
    """Return each console and the lit chamber with its board to order instead of a stripboard.

    assembled: by name, as `enclosure.assemble` returns it.
    """
    made = {}
    console = _pi_in_console()
    for name in enclosure.SHOWN:
        opened = {name: assembled[name][name] - enclosure.cord_windows()}  # ribs are snipped out
        made[f"{name}-jacks"] = {**assembled[name], **opened, **console}
        del made[f"{name}-jacks"]["stripboard"]
    chamber = assembled["dome-lit"].items()
    kept = {part: one for part, one in chamber if part.split()[0] not in ("dice", "Pico", "LED")}
    return made | {"dome-lit-board": kept | _dice_in_chamber()}


def _pi_in_console() -> Solids:
    """Return the Pi, and on it the standoffs and the board with the cords' plugs."""
    pi = m.PI
    sockets = pi.size[0] - USB_FROM + pi.front[0]
    at = USB_FROM + (sockets - pi.size[0]) / 2, 0, m.STANDOFF
    bare = Pos(*at) * Block(sockets, pi.front[1], pi.size[2], align=UP)
    bare += Pos(0, 0, m.STANDOFF) * Block(*pi.size[:2], m.PI_BOARD, align=UP)
    flats, _, high = LISTED["standoff, M2.5"].size
    standoff = Pos(0, 0, m.STANDOFF + m.PI_BOARD) * Cylinder(flats / sqrt(3), high, align=UP)
    return {
        "Pi": bare,
        "standoffs": enclosure.repeat(standoff, m.PI_HOLES),
        **dict(bodies(pi_board(), _in_console, UNDER_PI)),
    }


def _in_console(point: Point) -> Point:
    """Return where a point of the Pi's board is in the console, whose middle is the Pi's."""
    return point[0] - m.PI.size[0] / 2, m.PI.size[1] / 2 - point[1]


def _dice_in_chamber() -> Solids:
    """Return the dice's board, the Pico below it, and the plug of the Pico's cable."""
    pico, lower = enclosure.PICO.size, m.DOME.height + m.PROUD - enclosure.LED.size[2] - m.BOARD
    x, y = _in_chamber((PICO_X, 0))
    plug = Pos(x - pico[0] / 2, y, lower - SPACER - pico[2] / 2)
    return {
        **dict(bodies(dice_board(), _in_chamber, lower)),
        "Pico": Pos(x, y, lower) * Block(*pico[:2], SPACER + pico[2], align=DOWN),
        "USB plug": plug * USB_PLUG,
    }


def _in_chamber(point: Point) -> Point:
    return m.DICE_BOARD_AT[0] + point[0], m.DICE_BOARD_AT[1] - point[1]


def bodies(
    board: Board, place: Callable[[Point], Point], lower: float
) -> Iterator[tuple[str, Solid]]:
    """Yield a board's bodies by name. place: of a point of the board. lower: its height in mm."""
    face = Polygon(*map(place, reversed(board.outline)), align=None)
    yield "board", Pos(0, 0, lower) * extrude(face, m.BOARD, dir=(0, 0, 1))
    for (kind, name, body), (part, at) in product(BODIES, board.parts):
        if part.kind == kind:
            side = Pos(0, 0, lower) * Rot(180) if at.below else Pos(0, 0, lower + m.BOARD)
            yield f"{name} {part.label}", Pos(*place((at.x, at.y))) * side * body
