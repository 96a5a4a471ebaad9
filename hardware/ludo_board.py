"""Ludo boards to print on four sheets of paper, a quarter on each."""

from collections.abc import Set
from itertools import product

from hardware.paper import Paper
from hardware.quarters import FRAME, GREY, Quarter, pale
from hardware.shapes import LETTERS, Point
from pi_app.model.cells import board_cells
from pi_app.model.screens import message
from pi_app.texts.language import Language
from rules.board import board

WIDTH = 360.0  # mm, without the edge: so a quarter fits on A4 and on US letter
PALE_GREY = "#c9cdd2"
STAR: tuple[Point, ...] = (
    *((0, -0.4), (0.11, -0.13), (0.4, -0.12), (0.17, 0.06), (0.25, 0.34)),
    *((0, 0.18), (-0.25, 0.34), (-0.17, 0.06), (-0.4, -0.12), (-0.11, -0.13)),
)


def draw_ludo_quarter(layout: str, paper: Paper, part: int, language: Language) -> None:
    """Draw a part of the board of a layout. part: 0 to 3."""
    shape, cells = board(layout), board_cells(layout, "clockwise", 0)
    quarter = Quarter(paper, cells, WIDTH / cells.size, part)
    draw_board(quarter, shape.safety.get("entries-stars", frozenset()))
    title, about = message("sheet-ludo-board"), message("sheet-about-ludo-board")
    if shape.is_goal:
        title = message("sheet-goal-board", spaces=shape.ring)
        about = message("sheet-about-goal-board")
    quarter.write_below(language.in_idioms("ludo"), title, about)


def draw_board(quarter: Quarter, safety: Set[int]) -> None:
    """Draw a quarter of a board, with a star on each safety space that is not an entry."""
    cells, shape = quarter.cells, board(quarter.cells.layout)
    quarter.draw_edge()
    seats = {shape.space(seat, 0): seat for seat in range(len(LETTERS))}
    for space, (x, y) in enumerate(cells.ring):
        quarter.draw_square((x, y), pale(seats[space]) if space in seats else "#ffffff")
        middle = x + 0.5, y + 0.5
        if space in seats and quarter.holds(middle):
            quarter.draw_letter(seats[space], (x + 0.1, y + 0.68), quarter.square * 13 / 24)
            quarter.draw_mark(seats[space], (x + 0.72, y + 0.5), 0.42)
        elif space in safety and quarter.holds(middle):
            quarter.draw_about(middle, 0.95, STAR, PALE_GREY)
    for seat, row in enumerate(cells.rows):
        for cell in row:
            quarter.draw_square(cell, pale(seat))
        if not shape.is_goal:
            quarter.draw_centre(seat)
        _draw_nest(quarter, seat)


def _draw_nest(quarter: Quarter, seat: int) -> None:
    """Draw four round places: in a circle, or on the cells of a nest in which pawns are in line."""
    nest = quarter.cells.nests[seat]
    if nest.wide != nest.high:
        for right, down in product(range(nest.wide), range(nest.high)):
            _draw_rim(quarter, seat, (nest.left + right + 0.5, nest.top + down + 0.5), 0.42, 0.06)
    elif quarter.holds(nest.middle):
        (x, y), unit = nest.middle, nest.wide / 6
        _draw_rim(quarter, seat, nest.middle, 2.75 * unit, 0.38 * unit)
        for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            for radius, fill in ((0.52, GREY), (0.5, "#ffffff")):
                quarter.draw_disc((x + dx * unit, y + dy * unit), radius * unit, fill)
        quarter.draw_mark(seat, nest.middle, 0.9 * unit)


def _draw_rim(quarter: Quarter, seat: int, at: Point, radius: float, width: float) -> None:
    """Draw a white circle with a rim in a seat's pale colour, if its middle is in this quarter."""
    if quarter.holds(at):
        inside = radius - width
        for size, fill in ((radius + FRAME, GREY), (radius, pale(seat)), (inside, GREY)):
            quarter.draw_disc(at, size, fill)
        quarter.draw_disc(at, inside - FRAME, "#ffffff")
