"""The sheets to print: letters, cards, rules, boards and drilling templates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from hardware import measures as m
from hardware.cloth import draw_cloth_quarter, draw_throws
from hardware.lists import HERE, Part, load_parts
from hardware.ludo_board import draw_ludo_quarter
from hardware.paper import INK, SIZES, Paper
from hardware.quarters import PARTS
from hardware.rules_cards import GAMES, draw_rules_card
from hardware.shapes import COLOURS, HOLES, LETTERS, OUTLINES, Point

SCREENS = HERE.parent / "tests" / "screens"
MARGIN = 10.0  # mm: printers leave this margin white
BOARDS = {"ludo-board": draw_ludo_quarter, "cloth": draw_cloth_quarter}
PDF_ONLY = (*BOARDS, "cowries")  # large files, which are only printed
GREY = "#5b636d"

# A card's screens with what they mean, each line to fit beside its screen.
STEPS = (
    (
        "play-joined",
        "Join",
        ("Press OK on your panel.", "NEXT: other rules.", "First one: hold OK to begin."),
    ),
    ("play-to-throw", "Throw", ("Your letter is at the top?", "Press the dome.")),
    (
        "play-choose",
        "Move",
        ("The map blinks: from, to.", "Move that pawn, then OK.", "NEXT: another move."),
    ),
    (
        "play-capture",
        "Capture",
        ("1 past B: one space on", "from the letter B. Take", "B's pawn to B's nest."),
    ),
    (
        "play-menu",
        "Wrong?",
        ("Hold NEXT: the menu.", "undo takes it back and", "says what to put where."),
    ),
)
CARD_SCREEN, CARD_STEP = 40.0, 22.0


def pages(size: str) -> Iterator[tuple[str, Paper]]:
    """Yield each sheet with its name, for a size of paper."""
    listed = load_parts()
    for name, draw in (("letters", _letters), ("cards", _cards), ("cowries", draw_throws)):
        paper = Paper(SIZES[size])
        draw(paper)
        yield f"{name}-{size}", paper
    for game in GAMES:
        paper = Paper(SIZES[size])
        draw_rules_card(paper, game)
        yield f"rules-{game}-{size}", paper
    for name, draw_quarter in BOARDS.items():
        for part in range(len(PARTS)):
            paper = Paper(SIZES[size])
            draw_quarter(paper, part)
            _ruler(paper, paper.size[1] - 18)
            yield f"{name}-{part + 1}-{size}", paper
    for name, template in (("drilling", _template), ("drilling-console", _console)):
        paper = Paper(SIZES[size])
        template(paper, listed)
        yield f"{name}-{size}", paper


def write_sheets(folder: Path) -> None:
    """Write every sheet as PDF, and as SVG unless its file would be large."""
    for size in SIZES:
        for name, paper in pages(size):
            if not name.startswith(PDF_ONLY):
                (folder / f"{name}.svg").write_text(paper.as_svg(), encoding="utf-8", newline="\n")
            (folder / f"{name}.pdf").write_bytes(paper.as_pdf())


def mark(paper: Paper, letter: str, x: float, y: float, side: float) -> None:
    """Draw a seat's shape about a middle, in its colour."""
    lines = [OUTLINES[letter], *([HOLES[letter]] if letter in HOLES else [])]
    placed = [[(x + a * side, y + b * side) for a, b in line] for line in lines]
    paper.shape(placed, COLOURS[letter], None)


# The letters for the board.


def _letters(paper: Paper) -> None:
    paper.words(MARGIN, 18, "Letters for the board", 7, bold=True)
    paper.words(
        MARGIN,
        25,
        "Cut out, and glue each beside the entry of its seat: the space where its pawns",
        4,
    )
    paper.words(
        MARGIN,
        30,
        "leave the nest. B is at A's right, C opposite, D at the left. Where pawns go",
        4,
    )
    paper.words(MARGIN, 35, "round clockwise, B and D change places.", 4)
    top = 42.0
    for width, height in ((42.0, 24.0), (30.0, 17.0), (21.0, 12.0)):
        for _ in range(2):
            for n, letter in enumerate(LETTERS):
                _tile(paper, letter, MARGIN + n * (width + 4), top, (width, height))
            top += height + 4
        top += 4
    _ruler(paper, top + 4)


def _tile(paper: Paper, letter: str, x: float, y: float, size: tuple[float, float]) -> None:
    width, height = size
    paper.box(x, y, width, height, "#ffffff", GREY)
    high = height * 0.9  # capitals are 0.72 of it
    paper.words(
        x + width * 0.3 - high * 0.361, y + height * 0.5 + high * 0.36, letter, high, bold=True
    )
    mark(paper, letter, x + width * 0.72, y + height / 2, height * 0.62)


# The cards.


def _cards(paper: Paper) -> None:
    width, height = paper.size[0] / 2, paper.size[1] / 2
    for n, letter in enumerate(LETTERS):
        _card(paper, letter, n % 2 * width, n // 2 * height)
    paper.line((width, 0), (width, paper.size[1]))
    paper.line((0, height), (paper.size[0], height))


def _card(paper: Paper, letter: str, left: float, top: float) -> None:
    x, y = left + 7, top + 8
    paper.words(x, y + 7.5, letter, 11, bold=True)
    mark(paper, letter, x + 15, y + 3.6, 8)
    paper.words(x + 23, y + 2.6, "The screen in a minute", 4.4, bold=True)
    paper.words(x + 23, y + 7.4, f"You are {letter}. The pictures show A's turn.", 3.2, ink=GREY)
    for n, (name, head, lines) in enumerate(STEPS):
        at, beside = y + 11 + n * CARD_STEP, x + CARD_SCREEN + 3
        paper.screen(x, at, CARD_SCREEN, SCREENS / f"{name}.png")
        paper.box(x, at, CARD_SCREEN, CARD_SCREEN / 2)
        paper.words(beside, at + 4, head, 4.2, bold=True)
        for line, text in enumerate(lines):
            paper.words(beside, at + 9 + line * 4.3, text, 3.5)
    paper.words(
        x, y + 124.5, "OK: I did it.   NEXT: show another.   Hold: keep it down.", 3.3, bold=True
    )


# The template for drilling.


def _template(paper: Paper, listed: Mapping[str, Part]) -> None:
    _head(paper, "Drilling template, 1:1")
    middle = paper.size[0] / 2
    _panel(paper, listed, middle, 60)
    _dome(paper, listed, middle, 144)
    _display(paper, listed["OLED panel, 2.42 inch"], MARGIN + 40, 220)
    _display(paper, listed["OLED panel, 1.3 inch"], middle + 45, 220)
    _ruler(paper, paper.size[1] - 30)


def _head(paper: Paper, title: str) -> None:
    paper.words(MARGIN, 15, title, 6, bold=True)
    words = "Print at 100 %, not fitted to the page. Measure the ruler at the foot first."
    paper.words(MARGIN, 20, words, 3.6)


def _panel(paper: Paper, listed: Mapping[str, Part], x: float, y: float) -> None:
    _outline(paper, "player's panel, from above", m.PANEL, x, y)
    for (dx, dy), name in (
        (m.OK_AT, "push button, OK"),
        (m.NEXT_AT, "push button, NEXT"),
        (m.LAMP_AT, "LED"),
    ):
        _drill(paper, x + dx, y - dy, listed[name].opening[0], name.split(", ")[-1])


def _dome(paper: Paper, listed: Mapping[str, Part], x: float, y: float) -> None:
    _outline(
        paper,
        f"dome's base, from above; fourteen holes of {m.LED_HOLE:g} mm where it is lit",
        m.DOME,
        x,
        y,
    )
    dx, dy = m.BUTTON_AT
    _drill(paper, x + dx, y - dy, listed["dome button"].opening[0], "dome")
    for dice in m.DICE_AT:
        for px, py in m.pips(dice):
            paper.circle(x + px, y - py, m.LED_HOLE / 2)


def _outline(paper: Paper, words: str, box: m.Box, x: float, y: float) -> None:
    left, top = x - box.width / 2, y - box.depth / 2
    paper.box(left, top, box.width, box.depth)
    paper.words(left, top - 1.5, f"{words}: {box.width:g} x {box.depth:g} mm", 3.6)


def _drill(paper: Paper, x: float, y: float, across: float, name: str) -> None:
    paper.circle(x, y, across / 2)
    paper.words(x + across / 2 + 1, y - across / 2 + 2, f"{name} {across:g}", 3)


def _display(paper: Paper, part: Part, x: float, y: float) -> None:
    wide, high, up = m.window(part)
    paper.box(x - wide / 2, y - up - high / 2, wide, high)
    for dx, dy in m.around(part):
        paper.circle(x + dx, y + dy, 1.25)
    name = f"{part.name}: {wide:g} x {high:g}, screws 2.5 mm"
    paper.words(x - wide / 2, y - high / 2 - 9, name, 3.2)


# The console's template. y and z are those of the console: towards C, and up from the floor.

Place = Callable[[float, float], Point]


def _console(paper: Paper, listed: Mapping[str, Part]) -> None:
    _head(paper, "Drilling template of the console, 1:1")
    pi, power = listed["Raspberry Pi with a 40-pin header"], listed["power button"]
    console = m.console(pi)
    depth, top = console.box.depth / 2, 30.0
    sockets = (0.0, 0.0), (pi.front[1] + 2 * m.CLEARANCE, m.STANDOFF + pi.size[2] + m.CLEARANCE)

    def turned(y: float, z: float) -> Point:
        return MARGIN + z, top + depth + y

    _wall(paper, console, turned, [sockets])
    _rectangle(paper, turned, (m.INLET_AT[0], m.INLET_AT[1] - m.INLET[1] / 2), m.INLET)
    for side in (-1, 1):
        screw = turned(m.INLET_AT[0], m.INLET_AT[1] + side * m.INLET_SCREWS / 2)
        paper.circle(*screw, m.M3_PASSES / 2)
    paper.circle(*turned(*m.POWER_AT), power.opening[0] / 2)
    paper.words(MARGIN, top - 1.5, "end with the USB sockets, from outside, A above", 3.2)

    _floor(paper, listed, MARGIN + console.box.height + 12 + console.box.width / 2, top + depth)

    foot = top + 2 * depth + 10 + console.box.height

    def upright(y: float, z: float) -> Point:
        return MARGIN + depth - y, foot - z

    slots = [((y, 0.0), (m.CABLE, z + m.CABLE / 2)) for y, z in m.CABLES]
    _wall(paper, console, upright, [((0.0, 0.0), m.CARD), *slots])
    words = "end with the card, from outside, A at the right"
    paper.words(MARGIN, top + 2 * depth + 8.5, words, 3.2)
    _ruler(paper, paper.size[1] - 18)


def _wall(
    paper: Paper,
    console: m.Console,
    place: Place,
    openings: Sequence[tuple[Point, Point]],
) -> None:
    """Draw an end wall with its slots for air. openings: the middle of the foot, and the size."""
    end, high = console.box.depth / 2, console.box.height
    roof = (-end, 0), (-end, console.low), (-console.flat / 2, high)
    corners = [*roof, *((-y, z) for y, z in reversed(roof)), roof[0]]
    paper.line(*(place(y, z) for y, z in corners))
    air = [((y, z - m.VENT[1] / 2), m.VENT) for y, z in m.VENTS_AT]
    for foot, size in (*openings, *air):
        _rectangle(paper, place, foot, size)


def _rectangle(paper: Paper, place: Place, foot: Point, size: Point) -> None:
    """Draw a rectangle that stands on the middle of its foot."""
    (y, z), (wide, high) = foot, size
    corners = [(-1, 0), (1, 0), (1, 1), (-1, 1), (-1, 0)]
    paper.line(*(place(y + a * wide / 2, z + b * high) for a, b in corners))


def _floor(paper: Paper, listed: Mapping[str, Part], x: float, y: float) -> None:
    """Draw the console's floor about a middle."""
    pi, piezo = listed["Raspberry Pi with a 40-pin header"], listed["piezo"]
    box = m.console(pi).box
    left, top = x - box.width / 2, y - box.depth / 2
    paper.box(left, top, box.width, box.depth)
    paper.words(
        left, top - 1.5, f"floor, from above, C above: {box.width:g} x {box.depth:g} mm", 3.2
    )
    for dx, dy in box.corners:
        paper.circle(x + dx, y - dy, m.M3_PASSES / 2)
    for dx, dy in m.holes(pi):
        paper.circle(x + dx, y - dy, m.M25_BITES / 2)
    for dy in m.FLOOR_VENTS_AT:
        paper.box(x - m.FLOOR_VENT[0] / 2, y - dy - m.FLOOR_VENT[1] / 2, *m.FLOOR_VENT)
    paper.circle(x + m.PIEZO_AT[0], y - m.PIEZO_AT[1], piezo.size[0] / 2)
    paper.words(x + piezo.size[0] / 2 + 2, y - m.PIEZO_AT[1] + 1, "piezo", 3)


def _ruler(paper: Paper, y: float) -> None:
    """Draw 100 mm with a tick every 10."""
    paper.line((MARGIN, y), (MARGIN + 100, y))
    for n in range(11):
        paper.line((MARGIN + 10 * n, y), (MARGIN + 10 * n, y - (5 if n % 5 == 0 else 3)))
    words = "From end to end it must be 100 mm. If not, the printer has scaled the page."
    paper.words(MARGIN, y + 5, words, 3.6, ink=INK)
