"""Footprints of KiCad's library on a board: their pads as values, and their text in its file."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from pathlib import Path

from hardware.pcb.circuit import KINDS, Part
from hardware.pcb.place import At, Board, Point
from hardware.pcb.text import Tree, children, numbers, parse, quote, unquote

LIBRARY = Path("/usr/share/kicad/footprints")  # Debian's kicad-footprints
GRAPHICS = ("fp_line", "fp_arc", "fp_circle", "fp_poly", "fp_rect")
ANGLED = ("at", "start", "end", "mid", "center", "xy")  # what changes its side with the part
FRONT, BACK = '"F.', '"B.'
BESIDE = 0.6  # mm from a pad to a label


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad on a board, in mm, seen from above. net: "" if it has none. drill: 0 on one side.

    layers: on which it has copper; a hole without copper has none. paste: it is soldered by paste.
    round: a circle.
    """

    reference: str
    number: str
    net: str
    middle: Point
    size: Point
    layers: tuple[int, ...]
    drill: float
    paste: bool
    round: bool


@cache
def read_footprint(name: str) -> Tree:
    """Return a footprint of the library by its name, such as "Resistor_SMD:R_0805_2012Metric"."""
    library, footprint = name.split(":")
    file = LIBRARY / f"{library}.pretty" / f"{footprint}.kicad_mod"
    return parse(file.read_text(encoding="utf-8"))


def pads_of(board: Board) -> list[Pad]:
    return [
        pad_at(pad, part, at)
        for part, at in board.parts
        for pad in children(footprint_at(part, at), "pad")
    ]


def pad_at(pad: Tree, part: Part, at: At) -> Pad:
    """Return a pad of a footprint that is already on its side of the board."""
    number, kind, shape = unquote(pad[1]), pad[2], pad[3]
    x, y = numbers(pad, "at")[:2]
    wide, high = numbers(pad, "size")
    angle = (numbers(pad, "at") + [0.0] * 3)[2]
    if angle % 180:
        wide, high = high, wide
    layers = tuple(n for n, side in enumerate(("F.Cu", "B.Cu")) if side in _copper(pad))
    holes = children(pad, "drill")
    return Pad(
        part.reference,
        number,
        part.nets.get(number, ""),
        turn((x, y), at),
        (wide, high),
        () if kind == "np_thru_hole" else layers,
        float(holes[0][1]) if holes else 0.0,
        any("Paste" in layer for layer in children(pad, "layers")[0]),
        shape == "circle",
    )


def _copper(pad: Tree) -> set[str]:
    names = {unquote(name) for name in children(pad, "layers")[0][1:]}
    return names | {"F.Cu", "B.Cu"} if "*.Cu" in names else names


def turn(point: Point, at: At) -> Point:
    """Return where a point of a footprint, on its side, is on the board."""
    (x, y), angle = point, radians(at.angle)
    right, down = x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)
    return round(at.x + right, 6), round(at.y + down, 6)


def footprint_at(part: Part, at: At) -> Tree:
    """Return a part's footprint on its side, with nets by name and its own reference."""
    name = KINDS[part.kind].footprint
    tree = read_footprint(name)
    side = "B" if at.below else "F"
    kept: list[Tree] = [
        ["layer", quote(f"{side}.Cu")],
        ["at", f"{at.x:g}", f"{at.y:g}", f"{at.angle}"],
    ]
    kept += [one for key in ("descr", "tags", "attr") for one in children(tree, key)]
    kept += list(_texts(part, at))
    for one in tree:
        if isinstance(one, list) and one[0] in (*GRAPHICS, "pad"):
            kept.append(_to_side(one, at))
    return ["footprint", quote(name), *kept]


def _texts(part: Part, at: At) -> Iterator[Tree]:
    side = "B" if at.below else "F"
    # Right of the part, below it where it is upright, left of it where it is turned round.
    justify = ["justify", "mirror" if at.below else "right" if at.angle else "left"]
    pads = children(read_footprint(KINDS[part.kind].footprint), "pad")
    far = max(numbers(pad, "at")[0] + numbers(pad, "size")[0] / 2 for pad in pads) + BESIDE
    place = ("0", "1.7") if at.below else (f"{-far if at.angle == 90 else far:g}", "0")
    font: Tree = ["effects", ["font", ["size", "0.8", "0.8"], ["thickness", "0.12"]], justify]
    shown: Tree = [] if part.reference[0] in "RCD" else ["hide"]
    for what, words, layer in (
        ("reference", part.reference, "SilkS"),
        ("value", KINDS[part.kind].value, "Fab"),
    ):
        hidden = shown if what == "reference" else ["hide"]
        where: Tree = ["at", *place, f"{at.angle % 180}"]
        yield [
            "fp_text",
            what,
            quote(words),
            where,
            ["layer", quote(f"{side}.{layer}")],
            *hidden,
            font,
        ]


def _to_side(tree: Tree, at: At) -> Tree:
    """Return an item of a footprint as a board's file has it: mirrored if it is below."""
    done: Tree = []
    for one in tree:
        if not isinstance(one, list):
            done.append(_swap(one) if at.below else one)
        elif one[0] in ANGLED:
            x, y, *angle = one[1:]
            if at.below:
                y = f"{-float(y):g}"
                angle = [f"{-float(a):g}" for a in angle]
            if tree[0] == "pad":
                angle = [f"{(float(angle[0] if angle else 0) + at.angle) % 360:g}"]
            done.append([one[0], x, y, *angle])
        elif one[0] != "tstamp":
            done.append(_to_side(one, at))
    return done


def _swap(atom: str) -> str:
    return atom.replace(FRONT, BACK) if atom.startswith(FRONT) else atom.replace(BACK, FRONT)
