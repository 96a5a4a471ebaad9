"""Boards to print on four sheets of paper, a quarter on each: a row for each board."""

from collections.abc import Mapping
from itertools import product
from math import cos, pi, sin
from typing import NamedTuple

from hardware.paper import Lines, Paper
from hardware.quarters import FRAME, GREY, Quarter, pale
from hardware.shapes import LETTERS, Point
from pi_app.model.cells import board_cells
from pi_app.model.editions import EDITION_TABLE
from pi_app.model.screens import Message, Text, message
from pi_app.settings.offers import edition_title
from rules.board import SEATS, board, safety_spaces
from rules.ruleset import PRESETS

WIDTH = 360.0  # mm, without the edge: so a quarter fits on A4 and on US letter
PALE_GREY, MIDDLE_GREY = "#c9cdd2", "#8d96a1"


def _ring(wide: float, high: float, width: float = 0.07) -> Lines:
    """Return an ellipse with a hole. wide, high: its half axes."""
    turns = [n * pi / 12 for n in range(24)]
    return [
        [(x * cos(turn), y * sin(turn)) for turn in turns]
        for x, y in ((wide, high), (wide - width, high - width))
    ]


# In a square of 1 about the middle, y downwards.
STAR: Lines = [
    [
        *((0, -0.4), (0.11, -0.13), (0.4, -0.12), (0.17, 0.06), (0.25, 0.34)),
        *((0, 0.18), (-0.25, 0.34), (-0.17, 0.06), (-0.4, -0.12), (-0.11, -0.13)),
    ]
]
GLOBE: Lines = [
    *_ring(0.4, 0.4),
    *_ring(0.19, 0.33),
    *(
        [(left, -0.035), (right, -0.035), (right, 0.035), (left, 0.035)]
        for left, right in ((-0.33, -0.19), (-0.12, 0.12), (0.19, 0.33))
    ),
]
BENCH: Lines = [
    [
        *((-0.42, -0.1), (0.42, -0.1), (0.42, 0.04), (0.34, 0.04), (0.34, 0.26), (0.22, 0.26)),
        *((0.22, 0.04), (-0.22, 0.04), (-0.22, 0.26), (-0.34, 0.26), (-0.34, 0.04), (-0.42, 0.04)),
    ]
]


class BoardSheet(NamedTuple):
    """A board by the rules of an edition. safe: the sign of safety spaces. ink: of all signs."""

    edition: str
    title: Text
    about: Message
    safe: Lines = STAR
    ink: str = PALE_GREY


ABOUT_GOAL = message("sheet-about-goal-board")
BOARDS = {
    "ludo-board": BoardSheet(
        "ludo-india", message("sheet-ludo-board"), message("sheet-about-ludo-board")
    ),
    "ludo-board-40": BoardSheet("ludo-de", message("sheet-goal-board", spaces=40), ABOUT_GOAL),
    "ludo-board-28": BoardSheet("pop-28", message("sheet-goal-board", spaces=28), ABOUT_GOAL),
    "ludo-board-stars": BoardSheet(
        "ludo-dk", edition_title("ludo-dk"), message("sheet-about-stars"), GLOBE, MIDDLE_GREY
    ),
    "ludo-board-ladder": BoardSheet(
        "petits-chevaux", edition_title("petits-chevaux"), message("sheet-about-ladder")
    ),
    "ludo-board-benches": BoardSheet(
        "ludo-ch", edition_title("ludo-ch"), message("sheet-about-benches"), BENCH, MIDDLE_GREY
    ),
}


def draw_ludo_quarter(name: str, paper: Paper, part: int) -> None:
    """Draw a part of a board by its name. part: 0 to 3."""
    sheet = BOARDS[name]
    rules = PRESETS[sheet.edition]
    cells = board_cells(rules.layout, rules.travel, 0)
    quarter = Quarter(paper, cells, WIDTH / cells.size, part)
    stars = board(rules.layout).stars if rules.stars == "jump" else ()
    signs = dict.fromkeys(stars, STAR)
    signs |= dict.fromkeys(safety_spaces(rules.layout, rules.safety), sheet.safe)
    is_ladder, is_numbered = rules.row_by == "ladder", EDITION_TABLE[sheet.edition].numbered
    draw_board(quarter, signs, sheet.ink, has_feet=is_ladder)
    if is_numbered:
        _number_ring(quarter)
    if is_ladder or is_numbered:
        _number_rows(quarter)
    quarter.write_below(sheet.title, sheet.about)


def draw_board(
    quarter: Quarter, signs: Mapping[int, Lines], ink: str = PALE_GREY, has_feet: bool = False
) -> None:
    """Draw a quarter of a board.

    signs: on spaces of the ring. An entry is a safety space without a star. has_feet: whether the
    tips have the colours of the home rows, too.
    """
    cells, shape = quarter.cells, board(quarter.cells.layout)
    quarter.draw_edge()
    entries = {shape.space(seat, 0): seat for seat in range(SEATS)}
    feet = {shape.space(seat, shape.last): seat for seat in range(SEATS)} if has_feet else {}
    tints = {space: pale(seat) for space, seat in (entries | feet).items()}
    for space, (x, y) in enumerate(cells.ring):
        quarter.draw_square((x, y), tints.get(space, "#ffffff"))
        middle, sign = (x + 0.5, y + 0.5), signs.get(space, ())
        if space not in entries:
            quarter.draw_about(middle, 0.95, sign, ink)
        elif quarter.holds(middle):
            seat, up = entries[space], 0.0 if sign in ((), STAR) else 0.05
            quarter.write(LETTERS[seat], (x + 0.1, y + 0.68 - up), 13 / 24)
            quarter.draw_mark(seat, (x + 0.72, y + 0.5 - up), 0.42)
            quarter.draw_about((x + 0.5, y + 0.83), 0.34, sign if up else (), GREY)
    for seat, row in enumerate(cells.rows):
        for cell in row:
            quarter.draw_square(cell, pale(seat))
        if not shape.is_goal:
            quarter.draw_centre(seat)
        _draw_nest(quarter, seat)


def _number_ring(quarter: Quarter) -> None:
    """Write the number of each space of the ring into its corner; A's tip has the last one."""
    ring = quarter.cells.ring
    tip = board(quarter.cells.layout).last
    for space, (x, y) in enumerate(ring):
        quarter.write(str((space - tip - 1) % len(ring) + 1), (x + 0.05, y + 0.19), 0.2, GREY)


def _number_rows(quarter: Quarter) -> None:
    """Number the spaces of each home row, on the half that no quarter's edge cuts."""
    for row in quarter.cells.rows:
        across = row[0][1] == row[-1][1]
        for number, (x, y) in enumerate(row, 1):
            at = (x + 0.39, y + 0.42) if across else (x + 0.12, y + 0.65)
            quarter.write(str(number), at, 0.42)


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
