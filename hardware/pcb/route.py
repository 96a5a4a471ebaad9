"""Finds tracks for the nets of a board. Pure: pads and laid copper in, tracks and vias out.

The board is a grid on two layers, with a third for the places of vias. A path may cross what
another net has laid, at a price; then that piece is taken up and routed anew, and the price of the
place rises. So the nets agree at last, and the same board always gives the same tracks. Ground
comes last: each of its pads on one side has a via beside it, and both layers are filled with it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from heapq import heappop, heappush
from itertools import pairwise, product
from math import hypot, inf

from hardware.pcb.circuit import GROUND
from hardware.pcb.footprints import Pad
from hardware.pcb.place import LETTER_WIDE, Board, Point, Track, Via, Word

GRID = 0.254  # a tenth of the header's pitch
WIDTH, CLEARANCE = 0.25, 0.2  # KiCad's own defaults, as those of the vias
VIA, VIA_DRILL, TO_EDGE, TO_HOLE = 0.8, 0.4, 0.5, 0.25
SLACK = 0.03  # a diagonal between two cells passes nearer than they are
BESIDE = 1.5  # from a ground pad's middle to its via
STITCHES = 5.0  # from one via between the two grounds to the next
VIA_PRICE, ASIDE, MEETING, TURN = 10.0, 1.3, 8.0, 0.2  # in cells; aside: across a layer's way
AHEAD = 1.2  # above 1, a search is faster and its path a little longer
APART = 3  # cells between two vias of a path, by KiCad's 0.25 mm between holes
TRIES = 60  # of one net
AWAY = (0, 1, 2)  # the two layers, and the places of vias
Cell = int
Node = tuple[int, Cell]  # layer and cell
Path = list[Node]


STEPS = [
    [
        (x, y, hypot(x, y) * (ASIDE if (x, y)[layer] == 0 else 1))
        for x, y in product((-1, 0, 1), repeat=2)
        if x or y
    ]
    for layer in (0, 1)
]


class NoWayError(Exception):
    """Nets find no way on a board: parts must move apart."""


class Grid:
    """Which net may use which cell. A cell of a layer belongs to nobody, to one net or to all."""

    def __init__(self, board: Board) -> None:
        xs, ys = zip(*board.outline, strict=True)
        self.left, self.top = min(xs), min(ys)
        self.wide = int((max(xs) - self.left) / GRID) + 1
        self.high = int((max(ys) - self.top) / GRID) + 1
        self.fixed = [[""] * (self.wide * self.high) for _ in AWAY]
        self.laid: list[dict[Cell, Counter[str]]] = [{} for _ in AWAY]
        self.price = [Counter[Cell]() for _ in AWAY]
        self.meeting = MEETING
        self.holes: dict[Cell, Counter[str]] = {}  # where no second hole of the same net may be
        for cell in range(self.wide * self.high):
            apart = _inside(self.point(cell), board.outline)
            for kind in AWAY:
                if apart < _half(kind) + TO_EDGE + SLACK:
                    self.fixed[kind][cell] = "*"

    def point(self, cell: Cell) -> Point:
        return self.left + cell % self.wide * GRID, self.top + cell // self.wide * GRID

    def near(self, one: Point, other: Point, reach: float) -> Iterator[tuple[Cell, Point]]:
        """Yield the cells of the rectangle round two points, and where they are."""
        (x, y), (u, v) = one, other
        columns = _span(x, u, reach, self.left, self.wide)
        for row, column in product(_span(y, v, reach, self.top, self.high), columns):
            cell = row * self.wide + column
            yield cell, self.point(cell)

    def fix(self, kind: int, cell: Cell, net: str) -> None:
        owner = self.fixed[kind][cell]
        self.fixed[kind][cell] = net if owner in ("", net) else "*"

    def fix_pad(self, pad: Pad) -> None:
        """Keep other nets away from a pad's copper, and all of them from a hole without copper."""
        net, reach = pad.net or "*", VIA / 2 + CLEARANCE + SLACK
        for cell, at in self.near(pad.middle, pad.middle, max(pad.size) / 2 + reach):
            copper, hole = _from_pad(at, pad), _apart(at, pad.middle) - pad.drill / 2
            for kind in AWAY:
                ours = kind in pad.layers or (kind == 2 and pad.layers)
                if ours and copper < _half(kind) + CLEARANCE + SLACK:
                    self.fix(kind, cell, net)
                if pad.drill and not pad.layers and hole < _half(kind) + TO_HOLE + SLACK:
                    self.fix(kind, cell, "*")
            if pad.drill and hole < VIA_DRILL / 2 + TO_HOLE + SLACK:
                self.fix(2, cell, "*")
            if pad.paste and copper < VIA / 2:  # a via there would drink the pad's solder
                self.fix(2, cell, "*")

    def fix_word(self, word: Word) -> None:
        """Keep vias out of what is printed, whose letters they would break."""
        half = LETTER_WIDE * word.size / 0.8 * len(word.text) / 2
        start, end = ((word.at.x + n * half, word.at.y) for n in (-1, 1))
        reach = (word.size + VIA_DRILL) / 2
        for cell, at in self.near(start, end, reach):
            if from_line(at, start, end) < reach:
                self.fix(2, cell, "*")

    def fix_copper(self, piece: Track | Via) -> None:
        for kind, cell in self.around(piece):
            self.fix(kind, cell, piece.net)
        for cell in self.near_hole(piece):
            self.fix(2, cell, "*")

    def near_hole(self, piece: Track | Via) -> Iterator[Cell]:
        """Yield where no other via may be drilled, not even one of the same net."""
        if isinstance(piece, Via):
            reach = VIA_DRILL + TO_HOLE + SLACK
            for cell, at in self.near(piece.at, piece.at, reach):
                if _apart(at, piece.at) < reach:
                    yield cell

    def around(self, piece: Track | Via) -> Iterator[tuple[int, Cell]]:
        """Yield what other nets' tracks and vias may not use beside a piece of copper."""
        start, end = (piece.at, piece.at) if isinstance(piece, Via) else (piece.start, piece.end)
        half = VIA / 2 if isinstance(piece, Via) else piece.width / 2
        for cell, at in self.near(start, end, half + VIA / 2 + CLEARANCE + SLACK):
            apart = from_line(at, start, end) - half - CLEARANCE - SLACK
            for kind in AWAY:
                on = kind == 2 or isinstance(piece, Via) or kind == piece.layer
                if on and apart < _half(kind):
                    yield kind, cell

    def taken(self, net: str, path: Path) -> set[Node]:
        """Return what other nets may not use beside a path."""
        return {one for piece in self.copper(net, path) for one in self.around(piece)}

    def put(self, net: str, path: Path, count: int) -> None:
        """Lay a path, or take it up with a count of -1."""
        for kind, cell in self.taken(net, path):
            _count(self.laid[kind], cell, net, count)
        for piece in self.copper(net, path):
            for cell in self.near_hole(piece):
                _count(self.holes, cell, net, count)

    def copper(self, net: str, path: Path) -> Iterator[Track | Via]:
        """Yield a path as vias and straight tracks."""
        begin = path[0]
        for n, (one, other) in enumerate(pairwise(path)):
            if one[0] != other[0]:
                yield Via(net, self.point(one[1]))
                begin = other
                continue
            after = path[n + 2] if n + 2 < len(path) else None
            if after is None or after[0] != one[0] or after[1] - other[1] != other[1] - one[1]:
                ends = self.point(begin[1]), self.point(other[1])
                yield Track(net, one[0], *ends, WIDTH)
                begin = other

    def free(self, cell: Cell, net: str) -> bool:
        """Whether a via of a net may be at a cell."""
        others = set(self.laid[2].get(cell, ())) - {net}
        return (
            self.fixed[2][cell] in ("", net) and not others and net not in self.holes.get(cell, ())
        )


def _count(table: dict[Cell, Counter[str]], cell: Cell, net: str, count: int) -> None:
    nets = table.setdefault(cell, Counter())
    nets[net] += count
    if not nets[net]:
        del nets[net]


def route(board: Board, pads: list[Pad]) -> list[Track | Via]:
    """Return all copper of a board but its pads and fills, with what is laid by rule.

    Raises NoWayError with the nets that find no way.
    """
    grid = Grid(board)
    ruled = [*board.laid, *beside_ground(board, pads)]
    for pad in pads:
        grid.fix_pad(pad)
    for word in board.words:
        if not word.at.angle:  # between the upright ones is no room
            grid.fix_word(word)
    for piece in ruled:
        grid.fix_copper(piece)
    ends = {net: list(_ends(grid, net, pads, ruled)) for net in sorted({pad.net for pad in pads})}
    ends = {net: cells for net, cells in ends.items() if net and len(cells) > 1}
    ground = ends.pop(GROUND)
    paths = negotiate(grid, ends)
    tidy(grid, ends, paths)
    paths[GROUND] = list(join_ground(grid, ground))
    found = [
        piece for net in sorted(paths) for path in paths[net] for piece in grid.copper(net, path)
    ]
    joined = set().union(*ground, *map(set, paths[GROUND]))
    return [*ruled, *found, *stitches(grid, joined)]


def beside_ground(board: Board, pads: list[Pad]) -> Iterator[Track | Via]:
    """Yield a via and its track for each ground pad of one side, outwards from its part."""
    places = {part.reference: at for part, at in board.parts}
    for pad in pads:
        if pad.net == GROUND and not pad.drill and pad.reference[:2] != "TP":
            (x, y), at = pad.middle, places[pad.reference]
            far = hypot(x - at.x, y - at.y)
            via = (x + (x - at.x) / far * BESIDE, y + (y - at.y) / far * BESIDE)
            yield Track(GROUND, pad.layers[0], (x, y), via, 2 * WIDTH)
            yield Via(GROUND, via)


def stitches(grid: Grid, joined: set[Node]) -> Iterator[Track | Via]:
    """Yield vias that join the grounds of both sides wherever there is room, row by row.

    A track leads from each to the nearest ground: not every gap is wide enough for a fill.
    """
    step = int(STITCHES / GRID)
    for row, column in product(
        range(step // 2, grid.high, step), range(step // 2, grid.wide, step)
    ):
        cell = row * grid.wide + column
        if grid.free(cell, GROUND):
            via = Via(GROUND, grid.point(cell))
            grid.fix_copper(via)
            with suppress(NoWayError):
                path = find_path(grid, GROUND, {(0, cell), (1, cell)}, joined)
                grid.put(GROUND, path, 1)
                yield via
                yield from grid.copper(GROUND, path)


def negotiate(grid: Grid, ends: dict[str, list[set[Node]]]) -> dict[str, list[Path]]:
    """Return each net's paths, so that no two nets are in each other's way."""
    tries: Counter[str] = Counter()
    paths: dict[str, list[Path]] = {}
    queue = sorted(ends, key=lambda net: (_length(grid, ends[net]), net))
    while queue:
        net = queue.pop(0)
        tries[net] += 1
        if tries[net] > TRIES:
            raise NoWayError(f"no way for {', '.join([net, *queue])}: move parts apart")
        kept = paths.setdefault(net, [])
        hit: set[Node] = set()
        for path in _join(grid, net, _merge([*ends[net], *map(set, kept)])):
            hit.update(_meet(grid, net, path))
            grid.put(net, path, 1)
            kept.append(path)
        for other in sorted(
            {other for kind, cell in hit for other in grid.laid[kind][cell]} - {net}
        ):
            for path in [path for path in paths[other] if hit & grid.taken(other, path)]:
                paths[other].remove(path)
                grid.put(other, path, -1)
            if other not in queue:
                queue.append(other)
    return paths


def tidy(grid: Grid, ends: dict[str, list[set[Node]]], paths: dict[str, list[Path]]) -> None:
    """Route each net again between all others, without detours and stubs of the negotiation."""
    grid.price, grid.meeting = [Counter() for _ in AWAY], inf
    for net, old in paths.items():
        for path in old:
            grid.put(net, path, -1)
        new: list[Path] = []
        try:
            for path in _join(grid, net, ends[net]):
                grid.put(net, path, 1)
                new.append(path)
            paths[net] = new
        except NoWayError:
            for path, count in (*((path, -1) for path in new), *((path, 1) for path in old)):
                grid.put(net, path, count)


def join_ground(grid: Grid, ends: list[set[Node]]) -> Iterator[Path]:
    """Yield paths between the pieces of ground, where there is a way; the fills join the others."""
    joined = set(ends[0])
    for end in ends[1:]:
        with suppress(NoWayError):
            path = find_path(grid, GROUND, end, joined)
            grid.put(GROUND, path, 1)
            joined |= set(path)
            yield path
        joined |= end


def _merge(pieces: list[set[Node]]) -> list[set[Node]]:
    """Join the pieces of a net that share a cell."""
    merged: list[set[Node]] = []
    for piece in pieces:
        touching = [one for one in merged if one & piece]
        merged = [one for one in merged if not one & piece]
        merged.append(piece.union(*touching))
    return merged


def _join(grid: Grid, net: str, ends: list[set[Node]]) -> Iterator[Path]:
    """Yield the paths that join all ends of a net, the nearest end first."""
    joined, left = set(ends[0]), ends[1:]
    while left:
        path = find_path(grid, net, joined, set().union(*left))
        yield path
        joined |= set(path)
        for end in [end for end in left if path[-1] in end]:
            joined |= end
            left.remove(end)


def _meet(grid: Grid, net: str, path: Path) -> Iterator[Node]:
    """Yield where a path meets other nets, and raise the price of those places."""
    places = [*path, *((2, one[1]) for one, other in pairwise(path) if one[0] != other[0])]
    for kind, cell in places:
        if set(grid.laid[kind].get(cell, ())) - {net}:
            grid.price[kind][cell] += 1
            yield kind, cell


def find_path(grid: Grid, net: str, starts: set[Node], goals: set[Node]) -> Path:
    """Return the cheapest path from a start to a goal. Raises NoWayError if there is none."""
    columns, rows = zip(*(divmod(cell, grid.wide)[::-1] for _, cell in goals), strict=True)
    west, east, north, south = min(columns), max(columns), min(rows), max(rows)
    wide, fixed, laid, price, holes = grid.wide, grid.fixed, grid.laid, grid.price, grid.holes

    def ahead(cell: Cell) -> float:
        y, x = divmod(cell, wide)
        return float(AHEAD * max(west - x, 0, x - east, north - y, y - south))

    best = dict.fromkeys(starts, 0.0)
    came: dict[Node, Node] = {}
    heap = [(ahead(cell), 0.0, (layer, cell)) for layer, cell in sorted(starts)]
    done: set[Node] = set()
    while heap:
        _, spent, node = heappop(heap)
        if node in done:
            continue
        done.add(node)
        if node in goals:
            return _back(node, came)
        layer, cell = node
        moves = [(layer, layer, cell + dx + dy * wide, cost) for dx, dy, cost in STEPS[layer]]
        for kind, to, there, cost in (*moves, (2, 1 - layer, cell, VIA_PRICE)):
            if fixed[kind][there] not in ("", net) or (to, there) in done:
                continue
            if kind == 2 and (fixed[to][there] not in ("", net) or net in holes.get(there, ())):
                continue
            if kind == 2 and _just_drilled(node, came):
                continue
            total = spent + cost + price[kind][there]
            if nets := laid[kind].get(there):
                total += (len(nets) - (net in nets)) * (grid.meeting + 2 * price[kind][there])
            if node in came and there - cell != cell - came[node][1]:
                total += TURN
            if total < best.get((to, there), inf):
                best[to, there], came[to, there] = total, node
                heappush(heap, (total + ahead(there), total, (to, there)))
    raise NoWayError(f"no way for {net}: move parts apart")


def _just_drilled(node: Node, came: dict[Node, Node]) -> bool:
    """Whether the last steps have a via, to which another one would be too near."""
    layer = node[0]
    for _ in range(APART):
        node = came.get(node, node)
        if node[0] != layer:
            return True
    return False


def _back(node: Node, came: dict[Node, Node]) -> Path:
    path = [node]
    while path[-1] in came:
        path.append(came[path[-1]])
    return path[::-1]


def _ends(
    grid: Grid, net: str, pads: list[Pad], ruled: Iterable[Track | Via]
) -> Iterator[set[Node]]:
    """Yield the cells of each piece of a net that is joined already: pads, with what is laid."""
    pieces = [_cells_of_pad(grid, pad) for pad in pads if pad.net == net]
    for piece in ruled:
        if piece.net == net:
            pieces.append(set(_cells_of_copper(grid, piece)))
    yield from _merge(pieces)


def _cells_of_pad(grid: Grid, pad: Pad) -> set[Node]:
    cells = [
        cell
        for cell, at in grid.near(pad.middle, pad.middle, max(pad.size) / 2)
        if _from_pad(at, pad) == 0 and _apart(at, pad.middle) <= min(pad.size) / 2
    ]
    return {(layer, cell) for layer in pad.layers for cell in cells}


def _cells_of_copper(grid: Grid, piece: Track | Via) -> Iterator[Node]:
    start, end = (piece.at, piece.at) if isinstance(piece, Via) else (piece.start, piece.end)
    half = VIA / 2 if isinstance(piece, Via) else max(piece.width / 2, GRID * 0.75)
    layers = (0, 1) if isinstance(piece, Via) else (piece.layer,)
    for cell, at in grid.near(start, end, half):
        if from_line(at, start, end) <= half:
            yield from ((layer, cell) for layer in layers)


def _length(grid: Grid, ends: list[set[Node]]) -> float:
    cells = [min(end)[1] for end in ends]
    return max(_apart(grid.point(a), grid.point(b)) for a, b in product(cells, repeat=2))


def _half(kind: int) -> float:
    """Return half the width of what is laid on a layer, or at a via's place."""
    return (VIA if kind == 2 else WIDTH) / 2


def _span(one: float, other: float, reach: float, start: float, count: int) -> range:
    low, high = min(one, other) - reach, max(one, other) + reach
    return range(max(0, int((low - start) / GRID)), min(count, int((high - start) / GRID) + 2))


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _from_pad(at: Point, pad: Pad) -> float:
    """Return how far a point is from a pad's copper, in mm; 0 on it."""
    if pad.round:
        return max(0.0, _apart(at, pad.middle) - pad.size[0] / 2)
    right, down = (max(0.0, abs(at[n] - pad.middle[n]) - pad.size[n] / 2) for n in (0, 1))
    return hypot(right, down)


def from_line(at: Point, start: Point, end: Point) -> float:
    """Return how far a point is from a line between two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    along = ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / square if square else 0.0
    part = max(0.0, min(1.0, along))
    return hypot(at[0] - start[0] - part * dx, at[1] - start[1] - part * dy)


def _inside(at: Point, outline: tuple[Point, ...]) -> float:
    """Return how far inside an outline a point is; less than 0 outside."""
    x, y = at
    inside, apart = False, 1e9
    for (a, b), (c, d) in pairwise((*outline, outline[0])):
        apart = min(apart, from_line(at, (a, b), (c, d)))
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            inside = not inside
    return apart if inside else -apart
