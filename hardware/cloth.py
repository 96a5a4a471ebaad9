"""Pachisi's cloth cross to print on four sheets of paper, and a card of its throws."""

from collections.abc import Iterator
from itertools import product
from math import cos, pi, sin

from hardware.paper import Paper
from hardware.quarters import Quarter, pale
from hardware.shapes import Point
from pi_app.screens.cells import Cell, board_cells
from rules.board import SEATS, board, safety_spaces
from rules.ruleset import LOTS, PRESETS, SHELLS

LAYOUT = "cross"
CELLS = board_cells(LAYOUT, "counterclockwise", 0)
SQUARE = 19.0  # mm: so a quarter fits on A4 and on US letter
FORT = "#8d96a1"
LINES = (
    "Pawns wait in the centre, go down the middle of their own arm, round the cross",
    "counterclockwise, and up the middle of their own arm again: then they lie on their side.",
    "The twelve crosses are forts, where no pawn is captured.",
)

# --- the cloth -----------------------------------------------------------------------------------


def draw_cloth_quarter(paper: Paper, part: int) -> None:
    """Draw a part of the cloth. part: an index of `PARTS`."""
    quarter = Quarter(paper, CELLS, SQUARE, part)
    quarter.draw_edge()
    ends = {seat * board(LAYOUT).arm: seat for seat in range(SEATS)}
    forts = safety_spaces(LAYOUT, "twelve")
    for space, cell in enumerate(CELLS.ring):
        quarter.draw_square(cell, pale(ends[space]) if space in ends else "#ffffff")
        if space in forts:
            _draw_fort(quarter, cell)
    for space, seat in ends.items():
        for cell in CELLS.rows[seat]:
            quarter.draw_square(cell, pale(seat))
        quarter.draw_centre(seat)
        _draw_name(quarter, seat, CELLS.ring[space])
    quarter.write_below("Pachisi cloth", LINES)


def _draw_fort(quarter: Quarter, cell: Cell) -> None:
    """Draw a cross. Each of its arms is in one quarter of the board only."""
    middle, width, end = (cell[0] + 0.5, cell[1] + 0.5), 0.08, 0.4
    arm = ((0, 0), (width, 0), (end, end - width), (end, end), (end - width, end), (0, width))
    for right, down in product((-1, 1), repeat=2):
        if quarter.holds((middle[0] + right * 0.2, middle[1] + down * 0.2)):
            points = [(right * x, down * y) for x, y in arm]
            quarter.draw_about(middle, 1, points, FORT)


def _draw_name(quarter: Quarter, seat: int, end: Cell) -> None:
    """Draw a seat's letter and shape in the corner, beside the end of its arm."""
    x, y = CELLS.nests[seat]
    to_x, to_y = x + CELLS.nest / 2 - end[0] - 0.5, y + CELLS.nest / 2 - end[1] - 0.5
    at_side = abs(end[0] - CELLS.centre[0]) < abs(end[1] - CELLS.centre[1])
    dx, dy = ((to_x > 0) - (to_x < 0), 0) if at_side else (0, (to_y > 0) - (to_y < 0))
    at = end[0] + 0.5 + 2.6 * dx, end[1] + 0.5 + 2.6 * dy
    if quarter.holds(at):
        quarter.draw_letter(seat, (at[0] - 0.25, at[1] + 0.25), 13)
        quarter.draw_mark(seat, (at[0] + dx, at[1] + dy), 0.6)


# --- the throws ----------------------------------------------------------------------------------

MARGIN, ROW = 14.0, 12.5  # mm
SHELL: tuple[Point, ...] = tuple((2.7 * cos(n * pi / 6), 4 * sin(n * pi / 6)) for n in range(12))
MOUTH: tuple[Point, ...] = ((-0.6, -2.8), (0.6, -2.8), (0.6, 2.8), (-0.6, 2.8))
GRACES = {"value": "brings a pawn in", "enter": "and 1 to bring a pawn in"}


def draw_throws(paper: Paper) -> None:
    """Draw a card with the table of throws of each Pachisi."""
    tops = (MARGIN, paper.size[1] / 2 + 4)
    presets = ("pachisi-mitra", "pachisi-modern")
    for top, preset, title in zip(tops, presets, ("Bengal 1879", "as told today"), strict=True):
        rules = PRESETS[preset]
        paper.words(MARGIN, top + 8, f"Pachisi, {title}: six cowries", 7, bold=True)
        paper.words(MARGIN + 58, top + 17, "mouths up", 3.8)
        paper.words(MARGIN + 82, top + 17, "spaces", 3.8)
        for up, lot in LOTS[rules.lots].items():
            y = top + 25 + up * ROW
            paper.shape(list(_shells(up, MARGIN + 4, y)), "#5b636d", None)
            paper.words(MARGIN + 63, y + 2.5, str(up), 7)
            paper.words(MARGIN + 82, y + 2.5, str(lot.value), 7, bold=True)
            words = ["throw again"] * lot.goes_on + [GRACES[rules.grace]] * lot.grace
            paper.words(MARGIN + 99, y + 1.8, ", ".join(words), 4.6)
        if rules.free_entry:
            free = "While all four of your pawns wait, any throw brings one in."
            paper.words(MARGIN, top + 28 + (SHELLS + 1) * ROW, free, 4.6)
    middle = paper.size[1] / 2
    paper.line((MARGIN, middle), (paper.size[0] - MARGIN, middle))


def _shells(up: int, x: float, y: float) -> Iterator[list[Point]]:
    """Yield the outlines of six shells in a row, and the mouths of those that are up."""
    for number in range(SHELLS):
        for line in (SHELL, MOUTH) if number < up else (SHELL,):
            yield [(x + number * 8.4 + dx, y + dy) for dx, dy in line]
