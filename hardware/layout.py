"""The two stripboards hole by hole: cuts, parts and wires. Pure: it draws nothing.

A place is a strip, counted from the top, and a hole, counted from the left; both begin at 1.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from hardware.lists import Pin

Place = tuple[float, float]  # 8.5 is between hole 8 and hole 9
Hole = Place  # with two whole numbers
Pair = tuple[Hole, Hole]
Route = tuple[Place, ...]  # of a wire; its first and last places are holes
PITCH = 2.54  # mm

# The board on the Pi's header, seen from above, copper up, the SD card's end at the top as in
# header.svg. The parts hang below, so they are drawn as if the board were of glass.
STRIPS, HOLES = 21, 20
ODD, EVEN = 12, 13  # the holes of the socket's two rows; seven holes remain beyond the Pi's edge
RESISTORS = dict.fromkeys(("ok", "next", "dome", "power", "buzzer"), "1 kΩ") | {"lamp": "470 Ω"}
PULLED = frozenset({2, 4, 17})  # contacts without a wire, which would bring 5 V and 3.3 V
# Holes of the resistor's leg towards the socket, the cut, its other leg, and the cable's wire.
LEFT, RIGHT, RIGHT_BUZZER = (6, 4, 2, 1), (16, 17, 19, 20), (15, 17, 18, 20)
JOINED = 4, 17  # holes in which the grounds are joined, left and right
BELOW_SOCKET = 21  # the strip that joins left and right, round the socket's end
# The strips of pins 17 and 27, which are not used: ground to the left of these cuts.
EXTRA_GROUNDS = (9, 11), (14, 11)
# By pin of a button: the ground's strip to which its capacitor leads, and the capacitor's hole.
CAPACITORS = {
    7: (5, 7),
    11: (5, 9),
    13: (9, 7),
    16: (7, 15),
    29: (14, 9),
    31: (14, 7),
    35: (20, 7),
    36: (17, 15),
    37: (20, 9),
    38: (21, 15),
}
BLEED = "100 kΩ"  # across the piezo, which gives a voltage when somebody knocks on it
BLEED_AT = (6, 19), (3, 19)

# The dice, seen from above: LEDs up, copper below. The short leg is a strip below the long one.
DICE_STRIPS, DICE_HOLES = 20, 33
UPPER, MIDDLE, LOWER = 5, 10, 15  # strips of the long legs
DICE = {"die 1": 9, "die 2": 25}  # hole of the die's middle
PIPS = {
    "centre": ((MIDDLE, 0),),
    "top-left and bottom-right": ((UPPER, -5), (LOWER, 5)),
    "top-right and bottom-left": ((UPPER, 5), (LOWER, -5)),
    "middle pair": ((MIDDLE, -5), (MIDDLE, 5)),
}
# From the middle's hole: where the wire between the LEDs of a pair bends. It may lie over
# resistors, and passes no LED.
BENDS: dict[str, Route] = {
    "centre": (),
    "top-left and bottom-right": ((13, -2), (13, 7)),
    "top-right and bottom-left": ((7.5, 7), (7.5, -2)),
    "middle pair": ((8.5, -2), (8.5, 7)),
}
TO_GROUND = 4  # strips from an LED's long leg to the ground's
BRIDGE = 17  # hole in which the strips of ground are joined
DOME = 20  # the strip of the dome's line; the strip above is ground
DOME_WIRE, DOME_CAPACITOR, DOME_RESISTOR, DOME_CUT, DOME_BUTTON = 5, 7, (11, 15), 13, 18


@dataclass(frozen=True, slots=True)
class Layout:
    """A stripboard whose strips run from left to right.

    cuts: strip and place; 8 is through the eighth hole, 8.5 between it and the ninth. ends: where
    a cable's wire begins, by its name. capacitors: the leg at the pin, then the one at the ground.
    grounds, pairs: insulated wires on the board. socket: the pins' holes. leds: the long legs'
    holes.
    """

    strips: int
    holes: int
    cuts: frozenset[Place]
    ends: dict[str, Hole]
    resistors: dict[Pair, str]
    capacitors: tuple[Pair, ...]
    grounds: tuple[Pair, ...]
    pairs: tuple[Route, ...] = ()
    socket: dict[int, Hole] = field(default_factory=dict)
    leds: tuple[Hole, ...] = ()


def hat(pins: Iterable[Pin]) -> Layout:
    """Return the board on the Pi's header: socket, parts, grounds, the start of each cable."""
    mine = [pin for pin in pins if pin.board == "pi"]
    behind = {pin.header: RESISTORS[pin.signal] for pin in mine if pin.signal in RESISTORS}
    between_rows = {(strip, (ODD + EVEN) / 2) for strip in range(1, 21)}
    resistors = {(_on(pin, 0), _on(pin, 2)): ohms for pin, ohms in behind.items()}
    return Layout(
        STRIPS,
        HOLES,
        frozenset(between_rows | {_on(pin, 1) for pin in behind} | {*EXTRA_GROUNDS}),
        {f"{pin.part} {pin.signal}": _on(pin.header, 3) for pin in mine},
        resistors | {BLEED_AT: BLEED},
        tuple(((_of(pin)[0], hole), (ground, hole)) for pin, (ground, hole) in CAPACITORS.items()),
        tuple(_grounds([pin.header for pin in mine if pin.signal == "ground"])),
        socket={pin: _of(pin) for pin in range(1, 41)},
    )


def _of(pin: int) -> Hole:
    """Return the hole of a pin of the Pi's header."""
    return (pin + 1) // 2, ODD if pin % 2 else EVEN


def _on(pin: int, n: int) -> Hole:
    """Return the n-th of the holes LEFT or RIGHT on the strip of a pin."""
    holes = LEFT if pin % 2 else RIGHT_BUZZER if pin == 12 else RIGHT
    return _of(pin)[0], holes[n]


def _grounds(pins: list[int]) -> Iterator[Pair]:
    """Yield the wires that join the grounds, down each side to the strip below the socket."""
    extra = [strip for strip, _ in EXTRA_GROUNDS]
    left = [*extra, BELOW_SOCKET, *(_of(pin)[0] for pin in pins if pin % 2)]
    right = [BELOW_SOCKET, *(_of(pin)[0] for pin in pins if not pin % 2)]
    for strips, hole in zip((left, right), JOINED, strict=True):
        yield from pairwise((strip, hole) for strip in sorted(strips))


def dice(pins: Iterable[Pin]) -> Layout:
    """Return the dice's board: LEDs, the dome's line, and the end of each of the Pico's wires."""
    lines = {pin: _leds(pin) for pin in pins if pin.part in DICE}
    leds = tuple(led for line in lines.values() for led in line)
    ends = {f"{pin.part} GP{pin.gpio}": _right(line[0], 1) for pin, line in lines.items()}
    grounds = {f"{die} ground": (UPPER + TO_GROUND, hole + 2) for die, hole in DICE.items()}
    dome = {
        "Pico GP15": (DOME, DOME_WIRE),
        "Pico ground": (DOME - 1, DOME_WIRE),
        "dome button": (DOME, DOME_BUTTON),
        "dome ground": (DOME - 1, DOME_BUTTON),
    }
    cut = [(strip, hole + 3) for strip, hole in leds if hole + 5 < DICE_HOLES]
    resistors = {((s + 1, h + 2), (s + TO_GROUND, h)): "470 Ω" for s, h in leds}
    a, b = DOME_RESISTOR
    bridge = [(strip + TO_GROUND, BRIDGE) for strip in (UPPER, MIDDLE, LOWER)]
    return Layout(
        DICE_STRIPS,
        DICE_HOLES,
        frozenset({(strip + n, hole) for strip, hole in cut for n in (0, 1)} | {(DOME, DOME_CUT)}),
        ends | grounds | dome,
        resistors | {((DOME, a), (DOME, b)): "1 kΩ"},
        (((DOME, DOME_CAPACITOR), (DOME - 1, DOME_CAPACITOR)),),
        tuple(pairwise(bridge)),
        tuple(_pair(pin, *line) for pin, line in lines.items() if len(line) == 2),
        leds=leds,
    )


def _leds(pin: Pin) -> list[Hole]:
    return [_right(hole, DICE[pin.part]) for hole in PIPS[pin.signal]]


def _pair(pin: Pin, first: Hole, second: Hole) -> Route:
    """Return the wire that joins the two LEDs of a pair, round the other LEDs."""
    bends = (_right(bend, DICE[pin.part]) for bend in BENDS[pin.signal])
    return _right(first, 2), *bends, _right(second, 2)


def _right(place: Place, n: int) -> Place:
    return place[0], place[1] + n


def mirrored(layout: Layout) -> Layout:
    """Return a layout as seen from the board's other side."""
    last = layout.holes + 1

    def flip(place: Place) -> Place:
        return place[0], last - place[1]

    return replace(
        layout,
        cuts=frozenset(flip(cut) for cut in layout.cuts),
        ends={name: flip(hole) for name, hole in layout.ends.items()},
        resistors={(flip(a), flip(b)): ohms for (a, b), ohms in layout.resistors.items()},
        capacitors=tuple((flip(a), flip(b)) for a, b in layout.capacitors),
        grounds=tuple((flip(a), flip(b)) for a, b in layout.grounds),
        pairs=tuple(tuple(map(flip, route)) for route in layout.pairs),
        socket={pin: flip(hole) for pin, hole in layout.socket.items()},
        leds=tuple(map(flip, layout.leds)),
    )
