"""Pachisi's cloth cross to print on four sheets of paper, and a card of its throws."""

from collections.abc import Iterator
from itertools import product
from math import cos, pi, sin

from hardware.paper import Paper
from hardware.quarters import Quarter, pale
from hardware.shapes import LETTERS, Point
from pi_app.model.cells import Cell, board_cells
from pi_app.model.screens import message
from pi_app.settings.offers import edition_title
from rules.board import SEATS, board, safety_spaces
from rules.ruleset import LOTS, PRESETS, SHELLS

LAYOUT = "cross"
CELLS = board_cells(LAYOUT, "counterclockwise", 0)
SQUARE = 19.0  # mm: so a quarter fits on A4 and on US letter
FORT = "#8d96a1"

# --- the cloth -----------------------------------------------------------------------------------


def draw_cloth_quarter(paper: Paper, part: int) -> None:
    """Draw a part of the cloth. part: 0 to 3."""
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
    quarter.write_below(message("sheet-cloth"), message("sheet-about-cloth"))


def _draw_fort(quarter: Quarter, cell: Cell) -> None:
    """Draw a cross. Each of its arms is in one quarter of the board only."""
    middle, width, end = (cell[0] + 0.5, cell[1] + 0.5), 0.08, 0.4
    arm = ((0, 0), (width, 0), (end, end - width), (end, end), (end - width, end), (0, width))
    for right, down in product((-1, 1), repeat=2):
        if quarter.holds((middle[0] + right * 0.2, middle[1] + down * 0.2)):
            points = [(right * x, down * y) for x, y in arm]
            quarter.draw_about(middle, 1, [points], FORT)


def _draw_name(quarter: Quarter, seat: int, end: Cell) -> None:
    """Draw a seat's letter and shape in the corner, beside the end of its arm."""
    x, y = CELLS.nests[seat].middle
    to_x, to_y = x - end[0] - 0.5, y - end[1] - 0.5
    at_side = abs(end[0] - CELLS.centre[0]) < abs(end[1] - CELLS.centre[1])
    dx, dy = ((to_x > 0) - (to_x < 0), 0) if at_side else (0, (to_y > 0) - (to_y < 0))
    at = end[0] + 0.5 + 2.6 * dx, end[1] + 0.5 + 2.6 * dy
    if quarter.holds(at):
        quarter.write(LETTERS[seat], (at[0] - 0.25, at[1] + 0.25), 13 / SQUARE)
        quarter.draw_mark(seat, (at[0] + dx, at[1] + dy), 0.6)


# --- the throws ----------------------------------------------------------------------------------

MARGIN, ROW = 14.0, 12.5  # mm
SHELL: tuple[Point, ...] = tuple((2.7 * cos(n * pi / 6), 4 * sin(n * pi / 6)) for n in range(12))
MOUTH: tuple[Point, ...] = ((-0.6, -2.8), (0.6, -2.8), (0.6, 2.8), (-0.6, 2.8))
GRACES = {"value": message("sheet-enters"), "enter": message("sheet-grace")}
EDITIONS = ("pachisi-mitra", "pachisi-modern")


def draw_throws(paper: Paper) -> None:
    """Draw a card with the table of throws of each Pachisi."""
    middle = paper.size[1] / 2
    for top, edition in zip((MARGIN, middle + 4), EDITIONS, strict=True):
        _draw_table(paper, edition, top)
    paper.line((MARGIN, middle), (paper.size[0] - MARGIN, middle))


def _draw_table(paper: Paper, edition: str, top: float) -> None:
    rules, room = PRESETS[edition], paper.size[0] - 2 * MARGIN
    title = message("sheet-throws", edition=edition_title(edition))
    paper.text((MARGIN, top + 8), title, 7, room, bold=True)
    for x, head in ((52, message("sheet-mouths-up")), (80, message("sheet-spaces"))):
        paper.text((MARGIN + x, top + 17), head, 3.8, 26)
    for up, lot in LOTS[rules.lots].items():
        y = top + 25 + up * ROW
        paper.shape(list(_shells(up, MARGIN + 4, y)), "#5b636d", None)
        paper.words((MARGIN + 58, y + 2.5), str(up), 7)
        paper.words((MARGIN + 80, y + 2.5), str(lot.value), 7, bold=True)
        does = (message("sheet-again"),) * lot.goes_on + (GRACES[rules.grace],) * lot.grace
        if does:
            paper.text((MARGIN + 97, y + 1.8), does, 4.6, room - 97)
    if rules.free_entry:
        at = MARGIN, top + 28 + (SHELLS + 1) * ROW
        paper.text(at, message("sheet-free-entry"), 4.6, room, 2)


def _shells(up: int, x: float, y: float) -> Iterator[list[Point]]:
    """Yield the outlines of six shells in a row, and the mouths of those that are up."""
    for number in range(SHELLS):
        for line in (SHELL, MOUTH) if number < up else (SHELL,):
            yield [(x + number * 8.4 + dx, y + dy) for dx, dy in line]
