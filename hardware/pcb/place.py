"""Where each part of the two boards is, in mm; which tracks are laid by rule. Routes nothing.

x goes from the card's end of the Pi, y from the header's edge towards the middle of the Pi, both
seen from above; angles are KiCad's, counterclockwise. The dice's board begins at its middle.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from hardware import measures as m
from hardware.layout import DICE, DICE_HOLES, MIDDLE, PIPS, PITCH
from hardware.lists import LISTED, PINS
from hardware.pcb.circuit import (
    COOLED,
    DISPLAYS,
    FIVE,
    SIGNALS,
    Part,
    dice_circuit,
    pi_circuit,
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class At:
    """A part's place; below: on the board's other side, seen from above all the same."""

    x: float
    y: float
    angle: int = 0
    below: bool = False


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper. layer: 0 is above, 1 below. In mm."""

    net: str
    layer: int
    start: Point
    end: Point
    width: float


@dataclass(frozen=True, slots=True)
class Via:
    net: str
    at: Point


@dataclass(frozen=True, slots=True)
class Word:
    """What is printed on a board, around its middle. size: of its letters in mm."""

    text: str
    at: At
    size: float = 0.8


@dataclass(frozen=True, slots=True)
class Board:
    """A board before it is routed. words: what is printed on it. title: for people."""

    name: str
    title: str
    outline: tuple[Point, ...]
    parts: tuple[tuple[Part, At], ...]
    laid: tuple[Track | Via, ...]
    words: tuple[Word, ...]


# The board on the Pi. The four jacks are at the wall of the console's end (measures.CORD_JACKS), as
# far apart as screws and displays leave room: the outer ones pass below the displays' boards.
PI_DEPTH, HOLES_DEPTH = 56.0, 49.0  # of a Pi; its holes are 3.5 mm from the edges
WIDE, BAR, OVER = 65.0, 24.0, 42.5  # the board on the Pi; the jacks' bar, and half its length
MOUTH = 7.2, 1.53  # a jack's pad 1, from the card's end and from the jack's middle
ARRAY_X, ARRAY_C_X, ROW_X = 15.0, 18.4, 22.1
COLUMNS = {"A": 28.2, "B": 37.4, "C": 46.6, "D": 55.8}  # of resistors and capacitors
LINE_Y, LINE_STEP = 11.0, 3.1
OTHERS = {"power": COLUMNS["A"], "dome": COLUMNS["B"], "buzzer": COLUMNS["C"]}
OTHERS_Y, OTHERS_STEP, TWO_WIRES = 37.8, 2.3, (-1.25, 44.0)
DISPLAYS_X, DISPLAYS_Y = {"display": 28.0, "second display": 45.0}, 51.2
# Test pads: a row's first place, its step and its count; the panels' row, then the others'.
TESTS = (((24.75, 31.0), 2.3, 16), ((25.2, 33.8), 4.3, 9))
LETTER_WIDE = 0.72  # of KiCad's font at 0.8 mm
ZERO_HOLE = 26.5  # a Pi Zero's second row of holes
HEADER_1 = m.HEADER[0] - 9.5 * PITCH, m.HEADER[1] + PITCH / 2
SUPPLY, BUS = 0.6, 0.25  # widths; 0.6 mm carries an ampere and stays cool
PAD_0805 = 0.9125  # from the middle of a part of this size to its pads
BETWEEN_PINS = 0.4  # the width that passes between two pins of a header


def pi_board() -> Board:
    parts = pi_circuit(PINS)
    low, high = PI_DEPTH / 2 - OVER, PI_DEPTH / 2 + OVER
    bar = ((0, low), (BAR, low), (BAR, 0), (WIDE, 0), (WIDE, PI_DEPTH), (BAR, PI_DEPTH))
    places = pi_places()
    return Board(
        "pi",
        "The board on the Pi's header",
        (*bar, (BAR, high), (0, high)),
        _place(parts, places),
        tuple(_supply_and_bus()),
        tuple(_pi_words(places)),
    )


def _pi_words(places: dict[tuple[str, str], At]) -> Iterator[Word]:
    yield Word("Pachisi Referee", At(42, 8), 1.0)
    for letter in m.CORD_JACKS:
        yield Word(letter, At(ROW_X, jack_y(letter) - 6.3), 1.8)
    [(_, panels_y), *_], *_ = TESTS
    for (kind, label), at in places.items():
        if kind == "test pad" and at.y == panels_y:  # upright, with their ends above the pads
            yield Word(label, At(at.x, at.y - 1.2 - LETTER_WIDE * len(label) / 2, 90))
        elif kind == "test pad":
            yield Word(label, At(at.x, at.y + 1.5))
        elif kind == "two-wire connector":
            yield Word(label, At(at.x + 1.25, at.y + 4.12))
        elif kind == "display connector":
            for n, pin in enumerate(("VCC", "GND", "SDA", "SCL", "RES")):
                yield Word(pin, At(at.x + 2.5 * n, at.y + 4.2))


def jack_y(letter: str) -> float:
    return PI_DEPTH / 2 + m.CORD_JACKS[letter]


def pi_places() -> dict[tuple[str, str], At]:
    """Return the place of each part by kind and label."""
    places = {("socket", "Pi"): At(*HEADER_1, 270, below=True)}
    for letter, column in COLUMNS.items():
        y = jack_y(letter)
        places["jack", letter] = At(MOUTH[0], y + MOUTH[1], 90)
        places["row of four", f"{letter} wires"] = At(ROW_X, y - 1.5 * PITCH)
        places["TVS array", letter] = At(ARRAY_X, y)
        places["100 nF", f"{letter} array"] = At(ARRAY_C_X, y, 90)
        for n, signal in enumerate(SIGNALS):
            at = At(column, LINE_Y + 2 * n * LINE_STEP)
            places["470 Ω" if signal == "lamp" else "1 kΩ", f"{letter} {signal}"] = at
            places["100 nF", f"{letter} {signal}"] = replace(at, y=at.y + LINE_STEP)
    for name, x in OTHERS.items():
        second, angle = ("100 kΩ", 180) if name == "buzzer" else ("100 nF", 0)
        places["1 kΩ", name] = At(x, OTHERS_Y, angle)
        places[second, name] = At(x, OTHERS_Y + OTHERS_STEP, angle)
        places["two-wire connector", name] = At(x + TWO_WIRES[0], TWO_WIRES[1])
    for name, x in DISPLAYS_X.items():
        places["display connector", name] = At(x, DISPLAYS_Y)
    places["regulator", ""] = At(57, 39, 180)
    places["2.2 Ω", COOLED] = At(62.9, 44.5, 90)
    places["1 µF", COOLED] = At(60.6, 39.2, 90)
    for kind, x in (("1 µF", 53.4), ("10 µF", 51.4)):
        places[kind, DISPLAYS] = At(x, 39.2, 90)
    labels = iter([part.label for part in pi_circuit(PINS) if part.kind == "test pad"])
    for (x, y), step, count in TESTS:
        places |= {("test pad", next(labels)): At(x + n * step, y) for n in range(count)}
    holes = [At(x, y) for y in (3.5, ZERO_HOLE, 3.5 + HOLES_DEPTH) for x in (3.5, 61.5)]
    return places | {("hole M2.5", str(n)): at for n, at in enumerate(holes)}


def _supply_and_bus() -> Iterator[Track | Via]:
    """Yield the tracks that matter: 5 V to the regulator, its output, and the displays' bus.

    5 V, SDA and SCL go south side by side below, each turning east inside the one before.
    """
    (x, y), gap = HEADER_1, PITCH / 2
    down, east = (19.35, 20.1, 20.6), (54.9, 53.2, 49.0)
    yield from _run(FIVE, 0, BETWEEN_PINS, (x, y - PITCH), (x + PITCH, y - PITCH))
    aside = x + 1.5 * PITCH
    yield from _run(FIVE, 0, BETWEEN_PINS, (x + PITCH, y - PITCH), (aside, y - gap), (aside, 9.8))
    yield from _run(FIVE, 0, SUPPLY, (aside, 9.8), (down[0], 9.8))
    yield Via(FIVE, (down[0], 9.8))
    yield from _run(FIVE, 1, SUPPLY, (down[0], 9.8), (down[0], east[0]), (57.6, east[0]))
    yield from _run(FIVE, 1, SUPPLY, (57.6, east[0]), (57.6, 50.5), (60.9, 47.2))
    yield Via(FIVE, (60.9, 47.2))
    yield from _run(FIVE, 0, SUPPLY, (60.9, 47.2), (62.9, 46.81))
    yield from _run(COOLED, 0, SUPPLY, (62.9, 42.19), (61.2, 40.6), (60.6, 40.11), (59.4, 40.05))
    yield from _run(COOLED, 0, BETWEEN_PINS, (59.4, 40.05), (58.14, 39.95))
    yield from _run(DISPLAYS, 0, BETWEEN_PINS, (55.86, 39.95), (53.4, 40.11))
    yield from _run(DISPLAYS, 0, SUPPLY, (51.4, 40.11), (53.4, 40.11), (53.4, 47.5), (28, 47.5))
    sda, scl = (x + PITCH, y), (x + 2 * PITCH, y)
    yield from _run("GPIO2", 1, BUS, sda, (sda[0], 5.9), (sda[0] + 1.3, 7.2), (down[1] - 0.8, 7.2))
    yield from _run("GPIO2", 1, BUS, (down[1] - 0.8, 7.2), (down[1], 8), (down[1], east[1]))
    yield from _run("GPIO2", 1, BUS, (down[1], east[1]), (50, east[1]))
    yield from _run("GPIO3", 1, BUS, scl, (scl[0], 5.7), (scl[0] + 0.9, 6.6), (down[2] - 0.8, 6.6))
    yield from _run("GPIO3", 1, BUS, (down[2] - 0.8, 6.6), (down[2], 7.4), (down[2], east[2]))
    yield from _run("GPIO3", 1, BUS, (down[2], east[2]), (52.5, east[2]))
    for pin_1 in DISPLAYS_X.values():
        pins = [(pin_1 + 2.5 * n, DISPLAYS_Y) for n in range(5)]
        yield from _run(DISPLAYS, 0, SUPPLY, (pin_1, 47.5), pins[0])
        yield from _run("GPIO2", 1, BUS, (pins[2][0], east[1]), pins[2])
        yield from _run("GPIO3", 1, BUS, (pins[3][0], east[2]), pins[3])


def _run(net: str, layer: int, width: float, *points: Point) -> Iterator[Track]:
    for start, end in pairwise(points):
        yield Track(net, layer, start, end, width)


def _place(parts: Iterable[Part], places: dict[tuple[str, str], At]) -> tuple[tuple[Part, At], ...]:
    return tuple((part, places[part.kind, part.label]) for part in parts)


# The dice. LEDs are above, where the enclosure has their holes, all else is below. The Pico's
# components look down, its USB socket is at the board's edge towards the dome.
PICO_X, PICO_ROW = 51.0 / 2 - 42.0, 17.78 / 2  # its middle; from there to a row of its pins
DOME_Y = -18.5


def dice_board() -> Board:
    parts, size = dice_circuit(PINS), LISTED["stripboard, dice"]
    x, y = (side / 2 for side in size.size[:2])
    words = (Word("Pachisi Referee", At(0, -23), 1.0), Word("USB", At(-38, 0, 90, below=True), 1.0))
    return Board(
        "dice",
        "The dice and their Pico",
        ((-x, -y), (x, -y), (x, y), (-x, y)),
        _place(parts, dice_places()),
        (),
        words,
    )


def dice_places() -> dict[tuple[str, str], At]:
    """Return the place of each part by kind and label."""
    end = 9.5 * PITCH
    places = {
        ("row of twenty", "Pico 1 to 20"): At(PICO_X - end, -PICO_ROW, 270, below=True),
        ("row of twenty", "Pico 21 to 40"): At(PICO_X + end, PICO_ROW, 90, below=True),
        ("100 nF", "dome"): At(9, DOME_Y, below=True),
        ("1 kΩ", "dome"): At(14, DOME_Y, below=True),
        ("two-wire connector", "dome"): At(20, DOME_Y - 1.5, below=True),
    }
    middle = (DICE_HOLES + 1) / 2
    for die, hole in DICE.items():
        for signal, pips in PIPS.items():
            for n, (strip, right) in enumerate(pips, 1):
                x, y = (hole - middle + right) * PITCH, (strip - MIDDLE) * PITCH
                label = f"{die} {signal} {n}"
                places["LED", label] = At(x - PITCH / 2, y)
                aside = y + (-3 if strip < MIDDLE else 3)  # away from the Pico's pins
                places["470 Ω", label] = At(x - PITCH / 2 + PAD_0805, aside, below=True)
    holes = m.around(LISTED["stripboard, dice"])
    return places | {("hole M2", str(n)): At(*hole) for n, hole in enumerate(holes)}


BOARDS = (pi_board, dice_board)
