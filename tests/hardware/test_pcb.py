"""hardware/pcb/: the boards as kept, read without KiCad: copper joins what the nets say."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import combinations
from math import dist
from zipfile import ZipFile

import pytest
from shapely import Point, Polygon, STRtree, affinity, box
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from hardware import measures as m
from hardware.layout import DICE, DICE_HOLES, MIDDLE, PIPS, PITCH
from hardware.lists import HERE, LISTED, PINS
from hardware.pcb.circuit import KINDS, Part, dice_circuit, header_nets, pi_circuit
from hardware.pcb.kicad_file import ORIGIN
from hardware.pcb.text import Tree, children, numbers, parse, unquote

PCB = HERE / "pcb"
CIRCUITS = {"pi": pi_circuit(PINS), "dice": dice_circuit(PINS)}
SIDES = ("F.Cu", "B.Cu")
APART = 0.2  # mm between nets: the least that the cheap makers take is 0.127
ROUNDING = 0.002


@dataclass(frozen=True, slots=True)
class Copper:
    """A piece of copper on one side. owner: the pad's name, as "J1 3"; "" for all else.

    drilled: joined with its twin on the other side.
    """

    net: str
    side: str
    shape: BaseGeometry
    owner: str = ""
    drilled: bool = False


@cache
def read(name: str) -> Tree:
    return parse((PCB / f"{name}.kicad_pcb").read_text(encoding="utf-8"))


def placed(x: float, y: float, at: list[float]) -> tuple[float, float]:
    """Return a point of a footprint on the sheet. KiCad turns counterclockwise, y looks down."""
    turned = affinity.rotate(Point(x, y), -(at[2] if len(at) > 2 else 0), origin=(0, 0))
    return at[0] + turned.x, at[1] + turned.y


def reference(footprint: Tree) -> str:
    [name] = [text[2] for text in children(footprint, "fp_text") if text[1] == "reference"]
    return unquote(name)


def pads(board: Tree) -> Iterator[tuple[str, Tree, tuple[float, float]]]:
    """Yield each pad with its part's reference and its place on the sheet."""
    for footprint in children(board, "footprint"):
        at = numbers(footprint, "at")
        for pad in children(footprint, "pad"):
            x, y = numbers(pad, "at")[:2]
            yield reference(footprint), pad, placed(x, y, at)


def net_of(tree: Tree) -> str:
    return unquote(children(tree, "net")[0][2]) if children(tree, "net") else ""


def copper(board: Tree) -> list[Copper]:
    """Return all pieces of copper of a board."""
    names = {net[1]: unquote(net[2]) for net in children(board, "net")}
    found = list(pad_copper(board))
    for track in children(board, "segment"):
        line = LineString([numbers(track, "start"), numbers(track, "end")])
        side = unquote(children(track, "layer")[0][1])
        net = names[children(track, "net")[0][1]]
        found.append(Copper(net, side, line.buffer(numbers(track, "width")[0] / 2)))
    for via in children(board, "via"):
        round_ = Point(*numbers(via, "at")).buffer(numbers(via, "size")[0] / 2)
        net = names[children(via, "net")[0][1]]
        found += [Copper(net, side, round_, drilled=True) for side in SIDES]
    for zone in children(board, "zone"):
        for fill in children(zone, "filled_polygon"):
            points = [tuple(map(float, point[1:])) for point in children(fill, "pts")[0][1:]]
            side = unquote(children(fill, "layer")[0][1])
            found.append(
                Copper(names[children(zone, "net")[0][1]], side, Polygon(points).buffer(0))
            )
    return found


def pad_copper(board: Tree) -> Iterator[Copper]:
    for part, pad, (x, y) in pads(board):
        if pad[2] == "np_thru_hole":
            continue
        wide, high = numbers(pad, "size")
        ratio = {"rect": 0, "circle": 0.5, "oval": 0.5}.get(pad[3])
        round_ = min(wide, high) * (numbers(pad, "roundrect_rratio")[0] if ratio is None else ratio)
        inner = (wide / 2 - round_, high / 2 - round_)
        shape = box(x - inner[0], y - inner[1], x + inner[0], y + inner[1]).buffer(
            round_, join_style="round" if round_ else "mitre"
        )
        turn = [*numbers(pad, "at"), 0.0][2]
        layers = {unquote(layer) for layer in children(pad, "layers")[0][1:]}
        for side in SIDES:
            if {side, "*.Cu"} & layers:
                shape_there = affinity.rotate(shape, -turn, origin=(x, y))
                owner = f"{part} {unquote(pad[1])}"
                yield Copper(net_of(pad), side, shape_there, owner, pad[2] == "thru_hole")


def groups(pieces: list[Copper]) -> list[set[int]]:
    """Return the numbers of the pieces that touch, group by group, whatever their nets say.

    A pad through the board and a via join both sides.
    """
    parent = list(range(len(pieces)))

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    tree = STRtree([piece.shape for piece in pieces])
    for n, piece in enumerate(pieces):
        for other in map(int, tree.query(piece.shape, predicate="intersects")):
            one, two = piece, pieces[other]
            through = one.drilled and two.drilled and one.shape.equals(two.shape)
            if one.side == two.side or through:
                parent[root(n)] = root(other)
    found: dict[int, set[int]] = {}
    for n in range(len(pieces)):
        found.setdefault(root(n), set()).add(n)
    return list(found.values())


def faults(board: Tree, parts: tuple[Part, ...]) -> list[str]:
    """Return what the copper joins and should not, and what it should join and does not."""
    pieces = copper(board)
    wanted = {f"{part.reference} {pad}": net for part in parts for pad, net in part.nets.items()}
    found: list[str] = []
    seen: dict[str, int] = {}
    for number, group in enumerate(groups(pieces)):
        owners = {pieces[n].owner for n in group} - {""}
        nets = {wanted.get(owner, f"nothing at {owner}") for owner in owners}
        if len(nets) > 1:
            found.append(f"short: {', '.join(sorted(nets))}")
        for net in nets:
            if seen.setdefault(net, number) != number:
                found.append(f"open: {net}")
    return sorted(set(found))


@pytest.mark.slow
@pytest.mark.parametrize("name", CIRCUITS)
def test_the_copper_joins_every_net_and_no_two_nets(name: str) -> None:
    assert faults(read(name), CIRCUITS[name]) == []


@pytest.mark.slow
def test_a_cut_and_a_short_are_found() -> None:
    board = read("pi")
    [cut, *_] = [one for one in children(board, "segment") if numbers(one, "width") == [0.6]]
    nets = {net[1]: unquote(net[2]) for net in children(board, "net")}
    without = [one for one in board if one is not cut]
    assert faults(without, CIRCUITS["pi"]) == [f"open: {nets[children(cut, 'net')[0][1]]}"]
    places = {f"{part} {unquote(pad[1])}": at for part, pad, at in pads(board)}
    ends = [["start", *map(str, places["J1 11"])], ["end", *map(str, places["J1 13"])]]
    short = ["segment", *ends, ["width", "0.25"], ["layer", '"F.Cu"'], ["net", "1"]]
    [found] = faults([*board, short], CIRCUITS["pi"])
    assert re.fullmatch("short: (.*, )?GPIO17, GPIO27", found)


@pytest.mark.slow
@pytest.mark.parametrize("name", CIRCUITS)
def test_nets_keep_their_distance(name: str) -> None:
    pieces = copper(read(name))
    tree = STRtree([piece.shape for piece in pieces])
    for piece in pieces:
        for n in map(int, tree.query(piece.shape.buffer(APART))):
            other = pieces[n]
            if other.side == piece.side and other.net != piece.net:
                near = piece.shape.distance(other.shape)
                assert near >= APART - ROUNDING, (piece.net, other.net, piece.shape.centroid)


@pytest.mark.parametrize("name", CIRCUITS)
def test_the_board_has_the_parts_and_nets_of_the_lists(name: str) -> None:
    board, parts = read(name), CIRCUITS[name]
    kept = {reference(one): unquote(one[1]) for one in children(board, "footprint")}
    assert kept == {part.reference: KINDS[part.kind].footprint for part in parts}
    nets = {(part, unquote(pad[1])): net_of(pad) for part, pad, _ in pads(board)}
    wanted = {(part.reference, pad): net for part in parts for pad, net in part.nets.items()}
    assert {pad: net for pad, net in nets.items() if net} == wanted


def on_board(at: tuple[float, float]) -> tuple[float, float]:
    return round(at[0] - ORIGIN[0], 3), round(at[1] - ORIGIN[1], 3)


def test_the_socket_s_forty_pads_are_where_the_pi_s_pins_are() -> None:
    socket = [(int(unquote(pad[1])), pad, at) for part, pad, at in pads(read("pi")) if part == "J1"]
    found = {pin: on_board(at) for pin, _, at in socket}
    # The Pi's drawing: pin 1 is inside, 2 at the edge; the header's middle is 29 mm from a hole's.
    assert found == {
        n: (round(3.5 + 29 - 9.5 * 2.54 + (n - 1) // 2 * 2.54, 3), 4.77 if n % 2 else 2.23)
        for n in range(1, 41)
    }
    nets = {pin: net_of(pad) for pin, pad, _ in socket}
    mine = [pin for pin in PINS if pin.board == "pi" and not pin.part.endswith("SPI")]
    assert {pin: net for pin, net in nets.items() if net} == header_nets(mine)


def test_the_pico_s_pads_are_where_its_pins_are_seen_from_above_its_back() -> None:
    west, middle = -42 + 51 / 2 - 9.5 * 2.54, 17.78 / 2  # flush with the board's edge
    for part, pad, at in pads(read("dice")):
        n = int(unquote(pad[1]) or 0)
        if part == "J1":
            assert dist(on_board(at), (west + (n - 1) * 2.54, -middle)) < 0.01
        if part == "J2":  # its pad 1 is the Pico's pin 21, opposite pin 20
            assert dist(on_board(at), (west + (20 - n) * 2.54, middle)) < 0.01


def test_the_leds_are_under_the_holes_of_the_chamber() -> None:
    board = read("dice")
    leds: dict[str, list[tuple[float, float]]] = {}
    for part, _, at in pads(board):
        if part[0] == "D":
            leds.setdefault(part, []).append(on_board(at))
    middles = {(round((a[0] + b[0]) / 2, 2), round(a[1], 2)) for a, b in leds.values()}
    middle = m.DICE_BOARD_AT
    places = {at for one in m.DICE_AT for at in m.pips(one)}
    assert middles == {(round(x - middle[0], 2), round(y - middle[1], 2)) for x, y in places}
    columns = {round((hole - (DICE_HOLES + 1) / 2) * PITCH, 2) for hole in DICE.values()}
    assert columns == {-20.32, 20.32}
    assert PIPS["centre"] == ((MIDDLE, 0),)


def test_the_outlines_are_as_large_as_the_enclosure_takes() -> None:
    for name, size in (("pi", (65, 85)), ("dice", LISTED["stripboard, dice"].size[:2])):
        points = [
            tuple(numbers(line, end))
            for line in children(read(name), "gr_line")
            for end in ("start", "end")
        ]
        assert all(points.count(point) == 2 for point in points)  # closed
        xs, ys = zip(*points, strict=True)
        assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx(size)


def test_the_jacks_are_at_the_end_wall_and_near_enough_to_the_console_s_middle() -> None:
    jacks = {part.reference for part in CIRCUITS["pi"] if part.kind == "jack"}
    middles = []
    for footprint in children(read("pi"), "footprint"):
        if reference(footprint) in jacks:
            at = numbers(footprint, "at")
            pegs = [placed(x, -2.3, at) for x in (7.53, -4.47)]
            middles.append((pegs[0][1] + pegs[1][1]) / 2 - ORIGIN[1] - 28)
            mouth = placed(0, -8.5, at)[0] - ORIGIN[0]
            assert m.THINNEST - m.WALL < mouth + m.CLEARANCE < 0  # in the wall's groove
    assert sorted(middles) == pytest.approx(sorted(m.CORD_JACKS.values()))
    assert all(b - a >= 15 for a, b in combinations(sorted(middles), 2))


def test_the_screws_are_at_the_holes_of_a_pi_and_of_a_zero() -> None:
    found = sorted(on_board(at) for part, _, at in pads(read("pi")) if part[0] == "H")
    assert found == [(x, y) for x in (3.5, 61.5) for y in (3.5, 26.5, 52.5)]


def test_it_is_not_called_a_hat() -> None:
    words = re.findall(r'"([^"]*)"', (PCB / "pi.kicad_pcb").read_text(encoding="utf-8"))
    assert "Pachisi Referee" in words
    assert [word for word in words if re.search(r"\bHAT\b", word)] == []


def test_the_archives_have_what_a_maker_needs() -> None:
    for name in CIRCUITS:
        with ZipFile(BytesIO((PCB / f"{name}-gerbers.zip").read_bytes())) as archive:
            names = archive.namelist()
        assert len(names) == 11
        for part in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "Edge_Cuts", "PTH.drl", "NPTH.drl"):
            assert any(part in one for one in names), part


def test_each_fitted_part_is_once_in_the_list_to_order() -> None:
    for name, parts in CIRCUITS.items():
        with (PCB / f"{name}-parts.csv").open(encoding="utf-8", newline="") as file:
            listed = [one for row in csv.DictReader(file) for one in row["Designator"].split(",")]
        fitted = [part.reference for part in parts if KINDS[part.kind].fitted]
        assert sorted(listed) == sorted(fitted)
