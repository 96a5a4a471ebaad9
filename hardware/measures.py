"""Our own measures of the enclosure, in mm; those of bought parts are in bom.csv. Draws nothing."""

from dataclasses import dataclass
from math import cos, radians, tan

from hardware.lists import Part

WALL = 2.4  # three lines of a 0.4 mm nozzle and more, and a window's edge does not bend
THINNEST = 1.2  # three lines of a 0.4 mm nozzle print firmly
FIT = 0.3  # a 0.4 mm nozzle prints holes this much too narrow
CLEARANCE = 0.5  # between a part and the wall beside it, each side
CORNER = 4.0  # radius of the upright edges
POST = 8.0  # the side of a corner post, which takes a screw of the lid
M3_BITES, M3_PASSES = 2.6, 3.4  # diameter of the hole in a post, and in a lid
M25_BITES, M2_BITES = 2.0, 1.7
THIN_POST = 4.4  # diameter: there is no more room beside a display's glass
STANDOFF = 4.0  # under a board, so that solder does not touch
HEADER = 32.5, 3.5  # the middle of the Pi's header from the card's end, and from the nearer edge
HAT = (
    11.0,
    14.5,
)  # the stripboard on the header: height above the Pi's board, and overhang at its edge
PLUG = 11.2, 1.6  # the middle of the Pi's power socket from the card's end, and above its board
NUT = 1.4  # how much wider than its thread a nut is
PI_BOARD, SOLDERED = 1.4, 4.0  # thickness of the Pi's board, and of the stripboard with its solder
CUT = 0.8  # depth of the letter and the shape
SLOPE = 45.0  # degrees: steeper is hard to read from a chair, flatter overhangs in the printer


@dataclass(frozen=True, slots=True)
class Box:
    """A box that is open at the bottom, where its lid closes it. In mm, seen from above."""

    width: float
    depth: float
    height: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Return the middles of the four posts for the lid's screws."""
        x, y = (side / 2 - WALL - POST / 2 + 0.5 for side in (self.width, self.depth))
        return (-x, -y), (x, -y), (-x, y), (x, y)


@dataclass(frozen=True, slots=True)
class Console:
    """The console: a box whose roof slopes towards A and towards C. In mm."""

    box: Box
    low: float  # height at which the slopes begin
    flat: float  # depth of the roof's level middle

    @property
    def run(self) -> float:
        """Return the depth of a slope, seen from above."""
        return (self.box.depth - self.flat) / 2

    @property
    def slope(self) -> float:
        """Return the length of a slope."""
        return self.run / cos(radians(SLOPE))


PANEL = Box(130, 60, 42)
OK_AT, NEXT_AT = (-38.0, 0.0), (2.0, 0.0)
LAMP_AT, LETTER_AT, SHAPE_AT = (32.0, 0.0), (50.0, 11.0), (50.0, -11.0)
LETTER, SHAPE = 14.0, 12.0  # heights

DOME = Box(172, 90, 64)
BUTTON_AT = (-46.0, 0.0)
DICE_AT = ((18.0, 0.0), (58.64, 0.0))  # sixteen holes of the stripboard apart
PIPS = 12.7  # from one LED to the next: five holes of the stripboard
PROUD = 2.0  # how far an LED sticks out
PICO_AT = (56.0, 0.0)

DEPTH, LOW, FLAT = 120.0, 16.0, 20.0
POWER_AT = (-40.0, 10.0)  # y and z on the wall of the Pi's USB sockets
CABLES = ((-41.0, 9.5), (41.0, 9.5))  # y and z of the cables' two holes
CABLE = 15.0  # the plug of the Pi's supply goes through one, four cables through the other


def console(pi: Part) -> Console:
    """Return the console that holds a Pi whose two short sides are at openings."""
    width = pi.size[0] + 2 * (CLEARANCE + WALL)
    rise = (DEPTH - FLAT) / 2 * tan(radians(SLOPE))
    return Console(Box(width, DEPTH, LOW + rise), LOW, FLAT)


def window(display: Part) -> tuple[float, float, float]:
    """Return a display's window: width, depth, and the height of its middle above its screws'."""
    wide, deep, *up = display.opening
    return wide, deep, sum(up)


def pips(middle: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Return the places of the seven LEDs of a die."""
    x, y = middle
    ends = [(x + i * PIPS, y + j * PIPS) for i in (-1, 1) for j in (-1, 0, 1)]
    return ((x, y), *ends)


def around(part: Part, middle: tuple[float, float] = (0.0, 0.0)) -> tuple[tuple[float, float], ...]:
    """Return the middles of a board's four mounting holes."""
    x, y = (side / 2 for side in part.holes)
    return tuple((middle[0] + i * x, middle[1] + j * y) for i in (-1, 1) for j in (-1, 1))


def holes(part: Part) -> tuple[tuple[float, float], ...]:
    """Return a Pi's mounting holes about its middle: they begin 3.5 mm from the card's end."""
    shift = 3.5 + part.holes[0] / 2 - part.size[0] / 2
    return around(part, (shift, 0.0))
