"""Our own measures of the enclosure, in mm; those of bought parts are in bom.csv. Draws nothing."""

from dataclasses import dataclass
from math import radians, tan

from hardware.lists import LISTED, Part

WALL = 2.4  # three lines of a 0.4 mm nozzle and more, and a window's edge does not bend
THINNEST = 1.2  # three lines of a 0.4 mm nozzle print firmly
FIT = 0.3  # a 0.4 mm nozzle prints holes this much too narrow
CLEARANCE = 0.5  # between a part and the wall beside it, each side
CORNER = 4.0  # radius of the upright edges
POST = 8.0  # the side of a corner post, which takes a screw of the lid
M3_BITES, M3_PASSES = 2.6, 3.4  # diameter of the hole in a post, and in a lid
POST_HIGH = 20.0  # the height of a corner post; a gusset of 45 degrees carries it in the printer
M25_BITES, M2_BITES = 2.0, 1.7
THIN_POST = 4.4  # diameter: there is no more room beside a display's glass
STANDOFF = 4.0  # under a board, so that solder does not touch
HEADER = 32.5, 3.5  # the middle of the Pi's header from the card's end, and from the nearer edge
# The stripboard on the header: height above the Pi's board, and overhang at its edge.
HAT = 11.0, 17.0
PLUG = 11.2, 1.6  # the middle of the Pi's power socket from the card's end, and above its board
NUT = 1.4  # how much wider than its thread a nut is
PI_BOARD, SOLDERED = 1.4, 4.0  # thickness of the Pi's board, and of the stripboard with its solder
BOARD = 1.6  # thickness of a board to order
CUT = 0.8  # depth of the letter and the shape
SLOPE = 45.0  # degrees: steeper is hard to read from a chair, flatter overhangs in the printer

SHEET = 0.5  # thickness of the clear sheet between a window and the display's glass
INTO_WALL = 1.2  # how deep a post's screw hole goes on into the wall behind it
CLAMP = 0.2  # how much lower a post beside a board is than the board: the washer presses on its rim
RIB, RIB_GAP = 1.2, 3.4  # thickness of the ribs in a window, and the widest gap between two
RIB_CELL = 10.0  # at most this far from one crossbar between the ribs to the next


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


PANEL = Box(130, 60, 42)
OK_DEEPEST = 35.0  # an OK button reaches at most this far below its rim, its tabs included
OK_AT, NEXT_AT = (-38.0, 0.0), (2.0, 0.0)
LAMP_AT, LETTER_AT, SHAPE_AT = (32.0, 0.0), (50.0, 11.0), (50.0, -11.0)
LETTER, SHAPE = 14.0, 12.0  # heights
JACK_UP = 19.9  # the middle of a jack in a panel's front: its hole ends within a printed layer
JACK_BORE = 3.5
LINE = 2.0  # width of an engraved outline, as wide as a letter's strokes

DOME = Box(172, 90, 64)
BUTTON_AT = (-46.0, 0.0)
DICE_AT = ((18.0, 0.0), (58.64, 0.0))  # sixteen holes of the stripboard apart
DICE_BOARD_AT = (38.32, 0.0)
PIPS = 12.7  # from one LED to the next: five holes of the stripboard
PROUD = 2.0  # how far an LED sticks out
LED_HOLE = 5.6  # fourteen LEDs on one board must find their holes at the same time
PICO_AT = (56.0, 0.0)

# The console's roof slopes towards A and towards C: the height at which the slopes begin, and the
# depth of its level middle.
DEPTH, LOW, FLAT = 134.0, 16.0, 20.0
PI = LISTED["Raspberry Pi with a 40-pin header"]  # its two short sides are at openings
CONSOLE = Box(
    PI.size[0] + 2 * (CLEARANCE + WALL), DEPTH, LOW + (DEPTH - FLAT) / 2 * tan(radians(SLOPE))
)
POWER_AT = (44.0, 10.0)  # y and z on the wall of the Pi's USB sockets
CABLES = ((-45.0, 9.5), (45.0, 9.5))  # y and z of the cables' two holes
CABLE = 15.0  # a plug fits through one, four cables through the other
EAVE = 4.0  # how far the roof's two ends stand out over the slots
VENT = 3.0, 14.0  # width and height of a slot; a wider one would need a support
VENTS_AT = tuple((y, 59.0) for y in (-11.0, -5.5, 0.0, 5.5, 11.0))  # y and z in both end walls
FLOOR_VENT, FLOOR_VENTS_AT = (50.0, 3.0), (-6.0, 0.0, 6.0)  # size, and y in the floor
CARD = 16.0, STANDOFF + 3  # width and height of the opening at the Pi's card
PIEZO_AT = (0.0, 47.0)
RING = 28.0, 22.0, 3.0  # the piezo's ring: outer and inner diameter, height

# The cords' jacks on the board to order: how far each middle is from the console's towards A, the
# largest class of jack, and its foot above the floor. Its mouth slides in a groove of the wall.
CORD_JACKS = {"A": 34.5, "B": 12.0, "C": -12.0, "D": -34.5}
CORD_JACK = 13.4, 13.4, 13.0
CORD_JACK_UP = STANDOFF + PI_BOARD + HAT[0] + BOARD

# The usual USB-C extension with a socket for a wall and two M3 screws. Its cable goes to the Pi.
# y and z on the wall of the Pi's USB sockets; its screws are above and below.
INLET_AT = -42.0, 14.0
INLET, INLET_SCREWS = (8.0, 13.0), 17.0  # depth and height of the opening; from screw to screw
INLET_BODY = 22.0  # how far the socket and the stiff end of its cable reach inwards
CORD = 4.0  # the diameter of its cable
# From the Pi's edge to the body of a plug, because the Pi's socket stands out (assumed); and the
# length of an angled plug's body on the side where no cable leaves.
PLUG_GAP, PLUG_HEAD = 2.5, 12.0


# Large displays come on boards of two sizes. The posts for both are at the same places: the holes
# of the wide board, which bom.csv has, are just outside the narrow one. So the screws are beside a
# narrow board, and their washers hold its rim.
NARROW = 61.5, 39.5


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


PI_HOLES = around(PI, (3.5 + (PI.holes[0] - PI.size[0]) / 2, 0.0))  # from the card's end: 3.5 mm
