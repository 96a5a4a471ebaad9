"""A routed board as the text of KiCad's file, whose ids follow from what it says."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from uuid import NAMESPACE_URL, uuid5

from hardware import measures as m
from hardware.lists import PRICED
from hardware.pcb.circuit import GROUND
from hardware.pcb.footprints import footprint_at
from hardware.pcb.place import Board, Point, Track, Via
from hardware.pcb.route import VIA, VIA_DRILL
from hardware.pcb.text import Tree, children, quote, write

ORIGIN = 100.0, 70.0  # of the board on KiCad's sheet, which has no place left of 0
COPPER = ("F.Cu", "B.Cu")
# Numbers and names of KiCad's layers that the footprints and the makers need.
LAYERS = {
    0: "F.Cu",
    31: "B.Cu",
    34: "B.Paste",
    35: "F.Paste",
    36: "B.SilkS",
    37: "F.SilkS",
    38: "B.Mask",
    39: "F.Mask",
    44: "Edge.Cuts",
    46: "B.CrtYd",
    47: "F.CrtYd",
    48: "B.Fab",
    49: "F.Fab",
}
# Of the fills, in mm: from other nets, the thinnest piece, a pad's ring and the bridges over it.
ZONE_CLEARANCE, SMALLEST, THERMAL_GAP, THERMAL_BRIDGE = "0.25", "0.25", "0.3", "0.4"


def kicad_text(board: Board, copper: Iterable[Track | Via]) -> str:
    """Return a board as the text of a .kicad_pcb of KiCad 6. Its zones are not filled yet."""
    nets = sorted({net for part, _ in board.parts for net in part.nets.values()})
    codes = {net: str(n) for n, net in enumerate(nets, 1)}
    layers = [
        [str(n), quote(name), "signal" if name in COPPER else "user"] for n, name in LAYERS.items()
    ]
    head: list[Tree] = [
        ["general", ["thickness", f"{m.BOARD:g}"]],
        ["paper", quote("A4")],
        ["title_block", ["title", quote(board.title)], ["date", quote(PRICED)]],
        ["layers", *layers],
        ["setup", ["pad_to_mask_clearance", "0"], ["aux_axis_origin", *_xy((0, 0))]],
        ["net", "0", quote("")],
        *(["net", code, quote(net)] for net, code in codes.items()),
    ]
    items = [*_footprints(board, codes), *_drawings(board), *_copper(copper, codes)]
    items += [_zone(board, layer, codes[GROUND]) for layer in COPPER]
    lines = [write(one) for one in (*head, *(_with_ids(item, board.name) for item in items))]
    return "\n".join(["(kicad_pcb (version 20211014) (generator pcbnew)", *lines, ")", ""])


def _footprints(board: Board, codes: dict[str, str]) -> Iterator[Tree]:
    for part, at in board.parts:
        tree = footprint_at(part, at)
        for pad in children(tree, "pad"):
            if net := part.nets.get(pad[1].strip('"')):
                pad.append(["net", codes[net], quote(net)])
        [place] = children(tree, "at")
        place[1:3] = _xy((at.x, at.y))
        yield tree


def _drawings(board: Board) -> Iterator[Tree]:
    for start, end in pairwise((*board.outline, board.outline[0])):
        ends: list[Tree] = [["start", *_xy(start)], ["end", *_xy(end)]]
        yield ["gr_line", *ends, ["layer", quote("Edge.Cuts")], ["width", "0.1"]]
    for word in board.words:
        at, size = word.at, f"{word.size:g}"
        layer = quote(f"{'B' if at.below else 'F'}.SilkS")
        font: Tree = ["font", ["size", size, size], ["thickness", f"{word.size / 6:.2f}"]]
        effects: Tree = ["effects", font, *([["justify", "mirror"]] if at.below else [])]
        place: Tree = ["at", *_xy((at.x, at.y)), f"{at.angle}"]
        yield ["gr_text", quote(word.text), place, ["layer", layer], effects]


def _copper(copper: Iterable[Track | Via], codes: dict[str, str]) -> Iterator[Tree]:
    for piece in copper:
        net: Tree = ["net", codes[piece.net]]
        if isinstance(piece, Via):
            sizes: list[Tree] = [["size", f"{VIA:g}"], ["drill", f"{VIA_DRILL:g}"]]
            yield ["via", ["at", *_xy(piece.at)], *sizes, ["layers", *map(quote, COPPER)], net]
        else:
            ends: list[Tree] = [["start", *_xy(piece.start)], ["end", *_xy(piece.end)]]
            layer: Tree = ["layer", quote(COPPER[piece.layer])]
            yield ["segment", *ends, ["width", f"{piece.width:g}"], layer, net]


def _zone(board: Board, layer: str, code: str) -> Tree:
    return [
        "zone",
        ["net", code],
        ["net_name", quote(GROUND)],
        ["layer", quote(layer)],
        ["hatch", "edge", "0.5"],
        ["connect_pads", ["clearance", ZONE_CLEARANCE]],
        ["min_thickness", SMALLEST],
        ["fill", "yes", ["thermal_gap", THERMAL_GAP], ["thermal_bridge_width", THERMAL_BRIDGE]],
        ["polygon", ["pts", *(["xy", *_xy(point)] for point in board.outline)]],
    ]


def _with_ids(tree: Tree, name: str) -> Tree:
    """Give an item and all items in it an id that follows from their text."""
    inner = [_with_ids(one, name) if _has_id(one) else one for one in tree]
    return [*inner, ["tstamp", str(uuid5(NAMESPACE_URL, f"{name} {write(inner)}"))]]


def _has_id(one: Tree | str) -> bool:
    return isinstance(one, list) and (one[0] == "pad" or one[0].startswith("fp_"))


def _xy(point: Point) -> list[str]:
    return [f"{round(part + start, 6):g}" for part, start in zip(point, ORIGIN, strict=True)]
