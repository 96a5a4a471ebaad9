"""A Ludo board of 15x15 spaces to print on four sheets of paper, a quarter of it on each."""

from hardware.paper import Paper
from hardware.quarters import GREY, Quarter, pale
from hardware.shapes import LETTERS, Point
from pi_app.model.cells import board_cells
from pi_app.model.screens import message
from pi_app.texts.language import Language
from rules.board import board, safety_spaces

LAYOUT = "ludo-52"
CELLS = board_cells(LAYOUT, "clockwise", 0)
SQUARE = 24.0  # mm: so a quarter fits on A4 and on US letter
PALE_GREY = "#c9cdd2"
STAR: tuple[Point, ...] = (
    *((0, -0.4), (0.11, -0.13), (0.4, -0.12), (0.17, 0.06), (0.25, 0.34)),
    *((0, 0.18), (-0.25, 0.34), (-0.17, 0.06), (-0.4, -0.12), (-0.11, -0.13)),
)


def draw_ludo_quarter(paper: Paper, part: int, language: Language) -> None:
    """Draw a part of the board. part: 0 to 3."""
    quarter = Quarter(paper, CELLS, SQUARE, part)
    quarter.draw_edge()
    seats = {board(LAYOUT).space(seat, 0): seat for seat in range(len(LETTERS))}
    stars = safety_spaces(LAYOUT, "entries-stars") - seats.keys()
    for space, (x, y) in enumerate(CELLS.ring):
        quarter.draw_square((x, y), pale(seats[space]) if space in seats else "#ffffff")
        middle = x + 0.5, y + 0.5
        if space in seats and quarter.holds(middle):
            quarter.draw_letter(seats[space], (x + 0.1, y + 0.68), 13)
            quarter.draw_mark(seats[space], (x + 0.72, y + 0.5), 0.42)
        if space in stars and quarter.holds(middle):
            quarter.draw_about(middle, 0.95, STAR, PALE_GREY)
    for seat, cells in enumerate(CELLS.rows):
        for cell in cells:
            quarter.draw_square(cell, pale(seat))
        quarter.draw_centre(seat)
        _draw_nest(quarter, seat)
    title, about = message("sheet-ludo-board"), message("sheet-about-ludo-board")
    quarter.write_below(language.in_idioms("ludo"), title, about)


def _draw_nest(quarter: Quarter, seat: int) -> None:
    x, y = CELLS.nests[seat]
    middle = x + CELLS.nest / 2, y + CELLS.nest / 2
    if not quarter.holds(middle):
        return
    for radius, fill in ((2.77, GREY), (2.75, pale(seat)), (2.37, GREY), (2.35, "#ffffff")):
        quarter.draw_disc(middle, radius, fill)
    for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        for radius, fill in ((0.52, GREY), (0.5, "#ffffff")):
            quarter.draw_disc((middle[0] + dx, middle[1] + dy), radius, fill)
    quarter.draw_mark(seat, middle, 0.9)
