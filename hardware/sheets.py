"""The sheets to print: letters, cards, rules, boards, drilling templates and proof pictures.

Players' sheets are in each language, builders' templates in English.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from hardware import measures as m
from hardware.cloth import draw_cloth_quarter, draw_throws
from hardware.lists import HERE, LISTED, Files, Part
from hardware.ludo_board import BOARDS as LUDO_BOARDS
from hardware.ludo_board import draw_ludo_quarter
from hardware.paper import MARGIN, SIZES, Paper, as_pdf
from hardware.quarters import GREY, PARTS
from hardware.rules_cards import FOLDER, GAMES, draw_rules_card, rules_text
from hardware.shapes import LETTERS, Point
from pi_app.model.screens import Message, Seat, message
from pi_app.proof.pictures import proof_pictures
from pi_app.texts.language import ENGLISH, ENGLISH_CODE, Language, base_code, codes, language

SCREENS = HERE.parent / "tests" / "screens"
LETTER_CODES = (ENGLISH_CODE, "es", "fr")  # languages of countries that print on US letter
BOARDS: dict[str, tuple[str, Callable[[Paper, int], None]]] = {  # by name: idiom, and how to draw
    **{name: ("ludo", partial(draw_ludo_quarter, name)) for name in LUDO_BOARDS},
    "cloth": ("pachisi", draw_cloth_quarter),
}


PAST_B = message("place-past", spaces=1, seat=Seat(1), number=18)
CAPTURE = message("sheet-how-to-capture", place=PAST_B, seat=Seat(1))
UNDO = message("sheet-how-to-undo", undo=message("menu-undo"))
STEPS = {  # of a player's card: a screen, and beside it a heading and an explanation
    "play-joined": (message("sheet-join"), message("sheet-how-to-join")),
    "play-to-throw": (message("sheet-throw"), message("sheet-how-to-throw")),
    "play-choose": (message("sheet-move"), message("sheet-how-to-move")),
    "play-capture": (message("sheet-capture"), CAPTURE),
    "play-menu": (message("sheet-wrong"), UNDO),
}
CARD_SCREEN, CARD_STEP, CARD_LINES = 40.0, 22.0, 3
PROOF_SCREEN = 90.0  # mm across: larger than any display, so that a dot of it can be seen
FOLDED = 27.0  # mm of a panel's front on its template


class Sheet(NamedTuple):
    """A file to print. name: without the size of the paper, `es/cards`."""

    name: str
    size: str
    pages: Sequence[Paper]

    def path(self, suffix: str) -> str:
        return f"{self.name}-{self.size}{suffix}"


def all_sheets() -> Iterator[Sheet]:
    """Yield each sheet. That of a country's catalog is left out if it is like its language's."""
    for code in codes():
        for size in SIZES if code in LETTER_CODES else ("a4",):
            base = players_sheets(base_code(code) or code, size) if "_" in code else {}
            for name, pages in players_sheets(code, size).items():
                if pages != base.get(name):
                    yield Sheet(f"{code}/{name}", size, pages)
    for size in SIZES:
        for name, template in (*TEMPLATES.items(), ("proof", _proof)):
            yield Sheet(name, size, [_page(size, ENGLISH, template)])


def players_sheets(code: str, size: str) -> dict[str, list[Paper]]:
    """Return the pages of each sheet in a language, by its name."""
    spoken = language(code)
    sheets = {
        "letters": [_page(size, spoken, _letters)],
        "cards": [_page(size, spoken, _cards, code)],
        "cowries": [_page(size, spoken.in_idioms("pachisi"), draw_throws)],
    }
    for game in GAMES:
        sheets[f"rules-{game}"] = [_page(size, spoken, draw_rules_card, rules_text(game, code))]
    for name, (idiom, draw) in BOARDS.items():
        of_board = spoken.in_idioms(idiom)
        sheets[name] = [_page(size, of_board, draw, part) for part in range(PARTS)]
    return sheets


def _page(size: str, language: Language, draw: Callable[..., None], *details: object) -> Paper:
    paper = Paper(SIZES[size], language)
    draw(paper, *details)
    return paper


def untranslated(code: str) -> list[str]:
    """Return the files that a language lacks, so that its sheets have those of its base instead."""
    rules = [FOLDER / f"{game}.{code}.md" for game in GAMES]
    screens = [_own_screen(screen, code) for screen in STEPS]
    missing = (file for file in (*rules, *screens) if not file.exists())
    return [file.relative_to(HERE.parent).as_posix() for file in missing]


def too_long(code: str) -> list[str]:
    """Return each text of a language that needs more room than a sheet has, with the sheet."""
    sheets = players_sheets(code, "a4").items()
    found = {text: name for name, pages in sheets for page in pages for text in page.too_long}
    return [f"sheet {name}: too long: {text!r}" for text, name in found.items()]


def files() -> Files:
    """Yield every sheet as a PDF, and a template also as SVG, for machines that cut."""
    for sheet in all_sheets():
        yield f"sheets/{sheet.path('.pdf')}", as_pdf(sheet.pages)
        if sheet.name in TEMPLATES:
            [paper] = sheet.pages
            yield f"sheets/{sheet.path('.svg')}", paper.as_svg().encode()


# The letters for the board.


def _letters(paper: Paper) -> None:
    room = paper.size[0] - 2 * MARGIN
    paper.text((MARGIN, 18), message("sheet-letters"), 7, room, bold=True)
    paper.text((MARGIN, 25), message("sheet-glue"), 4, room, 4)
    top = 46.0
    for width, height in ((42.0, 24.0), (30.0, 17.0), (21.0, 12.0)):
        for _ in range(2):
            for n, letter in enumerate(LETTERS):
                _tile(paper, letter, (MARGIN + n * (width + 4), top), (width, height))
            top += height + 4
        top += 4
    paper.ruler(top + 4)


def _tile(paper: Paper, letter: str, at: Point, size: Point) -> None:
    (x, y), (width, height) = at, size
    paper.box(at, size, "#ffffff", GREY)
    high = height * 0.9  # capitals are 0.72 of it
    corner = x + width * 0.3 - high * 0.361, y + height * 0.5 + high * 0.36
    paper.words(corner, letter, high, bold=True)
    paper.mark(letter, (x + width * 0.72, y + height / 2), height * 0.62)


# The cards.


def _cards(paper: Paper, code: str) -> None:
    width, height = paper.size[0] / 2, paper.size[1] / 2
    for n in range(len(LETTERS)):
        _card(paper, code, n, (n % 2 * width, n // 2 * height))
    paper.line((width, 0), (width, paper.size[1]))
    paper.line((0, height), (paper.size[0], height))


def _card(paper: Paper, code: str, seat: int, corner: Point) -> None:
    x, y = corner[0] + 7, corner[1] + 8
    room = paper.size[0] / 2 - 7 - MARGIN / 2
    paper.words((x, y + 7.5), LETTERS[seat], 11, bold=True)
    paper.mark(LETTERS[seat], (x + 15, y + 3.6), 8)

    def write(text: Message, left: float, down: float, size: float, **how: Any) -> None:
        paper.text((x + left, y + down), text, size, room - left, **how)

    write(message("sheet-cards"), 23, 2.6, 4.4, bold=True)
    write(message("sheet-you-are", seat=Seat(seat), shown=Seat(0)), 23, 7.4, 3.2, ink=GREY)
    beside = CARD_SCREEN + 3
    for n, (screen, (head, how)) in enumerate(STEPS.items()):
        down = 11 + n * CARD_STEP
        paper.screen((x, y + down), CARD_SCREEN, screen_file(screen, code).read_bytes())
        paper.box((x, y + down), (CARD_SCREEN, CARD_SCREEN / 2))
        write(head, beside, down + 4, 4.2, bold=True)
        write(how, beside, down + 9, 3.5, most=CARD_LINES)
    write(message("sheet-keys"), 0, 124.5, 3.3, bold=True)


def screen_file(name: str, code: str) -> Path:
    """Return the picture of a screen; if a language has none, that of its base."""
    file, base = _own_screen(name, code), base_code(code)
    return screen_file(name, base) if base and not file.exists() else file


def _own_screen(name: str, code: str) -> Path:
    return (SCREENS if code == ENGLISH_CODE else SCREENS / code) / f"{name}.png"


# The pictures that a new referee's displays are compared with.


def _proof(paper: Paper) -> None:
    room = paper.size[0] - 2 * MARGIN
    paper.text((MARGIN, 15), "Pictures for a proof", 6, room, bold=True)
    words = "Hold the sheet beside the display. White here is lit there. Compare every dot."
    paper.text((MARGIN, 21), words, 3.6, room)
    for number, picture in enumerate(proof_pictures()):
        across, down = number % 2, number // 2
        x, y = MARGIN + across * (PROOF_SCREEN + 8), 34 + down * (PROOF_SCREEN / 2 + 24)
        paper.text((x, y - 2), str(number + 1), 6, room, bold=True)
        png = BytesIO()
        picture.save(png, "PNG")
        paper.screen((x, y), PROOF_SCREEN, png.getvalue())
        paper.box((x, y), (PROOF_SCREEN, PROOF_SCREEN / 2))


# The template for drilling.


def _template(paper: Paper) -> None:
    _head(paper, "Drilling template, 1:1")
    middle = paper.size[0] / 2
    _panel(paper, middle, 57)
    _dome(paper, middle, 164)
    _display(paper, LISTED["OLED panel, 2.42 inch"], MARGIN + 40, 236)
    _display(paper, LISTED["OLED panel, 1.3 inch"], middle + 45, 236)
    paper.ruler(paper.size[1] - 16)


def _head(paper: Paper, title: str) -> None:
    paper.words((MARGIN, 15), title, 6, bold=True)
    words = "Print at 100 %, not fitted to the page. Measure the ruler at the foot first."
    paper.words((MARGIN, 20), words, 3.6)


def _panel(paper: Paper, x: float, y: float) -> None:
    _outline(paper, "player's panel, from above", m.PANEL, x, y)
    names = {"push button, OK": m.OK_AT, "push button, NEXT": m.NEXT_AT, "LED": m.LAMP_AT}
    left, edge = x - m.PANEL.width / 2, y + m.PANEL.depth / 2
    paper.box((left, edge), (m.PANEL.width, FOLDED))
    words = "its front, folded down: two switch jacks in place of OK and NEXT"
    paper.words((left + 2, edge + 5), words, 3.2)
    for name, (dx, dy) in names.items():
        said = name.split(", ")[-1]
        _drill(paper, (x + dx, y - dy), LISTED[name].opening[0], said)
        if name != "LED":
            in_front = x + dx, edge + m.PANEL.height - m.JACK_UP
            _drill(paper, in_front, LISTED["switch jack"].opening[0], said)


def _dome(paper: Paper, x: float, y: float) -> None:
    words = f"dome's base, from above; fourteen holes of {m.LED_HOLE:g} mm where it is lit"
    _outline(paper, words, m.DOME, x, y)
    dx, dy = m.BUTTON_AT
    _drill(paper, (x + dx, y - dy), LISTED["dome button"].opening[0], "dome")
    for dice in m.DICE_AT:
        for px, py in m.pips(dice):
            paper.circle((x + px, y - py), m.LED_HOLE / 2)


def _outline(paper: Paper, words: str, box: m.Box, x: float, y: float, size: float = 3.6) -> None:
    corner = x - box.width / 2, y - box.depth / 2
    paper.box(corner, (box.width, box.depth))
    said = f"{words}: {box.width:g} x {box.depth:g} mm"
    paper.words((corner[0], corner[1] - 1.5), said, size)


def _drill(paper: Paper, at: Point, across: float, name: str) -> None:
    paper.circle(at, across / 2)
    beside = at[0] + across / 2 + 1, at[1] - across / 2 + 2
    paper.words(beside, f"{name} {across:g}", 3)


def _display(paper: Paper, part: Part, x: float, y: float) -> None:
    wide, high, up = m.window(part)
    paper.box((x - wide / 2, y - up - high / 2), (wide, high))
    for dx, dy in m.around(part):
        paper.circle((x + dx, y + dy), 1.25)
    name = f"{part.name}: {wide:g} x {high:g}, screws 2.5 mm"
    paper.words((x - wide / 2, y - high / 2 - 9), name, 3.2)


# The console's template. y and z are those of the console: towards C, and up from the floor.

Place = Callable[[float, float], Point]


def _console(paper: Paper) -> None:
    _head(paper, "Drilling template of the console, 1:1")
    pi, console = m.PI, m.CONSOLE
    depth, top = console.depth / 2, 30.0
    sockets = (0.0, 0.0), (pi.front[1] + 2 * m.CLEARANCE, m.STANDOFF + pi.size[2] + m.CLEARANCE)

    def turned(y: float, z: float) -> Point:
        return MARGIN + z, top + depth + y

    _wall(paper, turned, [sockets])
    _rectangle(paper, turned, (m.INLET_AT[0], m.INLET_AT[1] - m.INLET[1] / 2), m.INLET)
    for side in (-1, 1):
        screw = turned(m.INLET_AT[0], m.INLET_AT[1] + side * m.INLET_SCREWS / 2)
        paper.circle(screw, m.M3_PASSES / 2)
    paper.circle(turned(*m.POWER_AT), LISTED["power button"].opening[0] / 2)
    paper.words((MARGIN, top - 1.5), "end with the USB sockets, from outside, A above", 3.2)

    _floor(paper, MARGIN + console.height + 12 + console.width / 2, top + depth)

    foot = top + 2 * depth + 10 + console.height

    def upright(y: float, z: float) -> Point:
        return MARGIN + depth - y, foot - z

    slots = [((y, 0.0), (m.CABLE, z + m.CABLE / 2)) for y, z in m.CABLES]
    _, wide, high = m.CORD_JACK
    jack = wide + 2 * m.CLEARANCE, high + 2 * m.CLEARANCE
    jacks = [((-y, m.CORD_JACK_UP - m.CLEARANCE), jack) for y in m.CORD_JACKS.values()]
    _wall(paper, upright, [((0.0, 0.0), m.CARD), *slots, *jacks])
    paper.words(upright(21, m.CORD_JACK_UP + high + 2), "only for the board to order", 3.2)
    words = "end with the card, from outside, A at the right"
    paper.words((MARGIN, top + 2 * depth + 8.5), words, 3.2)
    paper.ruler(paper.size[1] - 18)


def _wall(paper: Paper, place: Place, openings: Sequence[tuple[Point, Point]]) -> None:
    """Draw an end wall with its slots for air. openings: the middle of the foot, and the size."""
    end = m.DEPTH / 2
    roof = (-end, 0), (-end, m.LOW), (-m.FLAT / 2, m.CONSOLE.height)
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


def _floor(paper: Paper, x: float, y: float) -> None:
    _outline(paper, "floor, from above, C above", m.CONSOLE, x, y, 3.2)
    for dx, dy in m.CONSOLE.corners:
        paper.circle((x + dx, y - dy), m.M3_PASSES / 2)
    for dx, dy in m.PI_HOLES:
        paper.circle((x + dx, y - dy), m.M25_BITES / 2)
    for dy in m.FLOOR_VENTS_AT:
        corner = x - m.FLOOR_VENT[0] / 2, y - dy - m.FLOOR_VENT[1] / 2
        paper.box(corner, m.FLOOR_VENT)
    dx, dy = m.PIEZO_AT
    radius = LISTED["piezo"].size[0] / 2
    paper.circle((x + dx, y - dy), radius)
    paper.words((x + radius + 2, y - dy + 1), "piezo", 3)


TEMPLATES = {"drilling": _template, "drilling-console": _console}
