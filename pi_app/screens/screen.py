"""What outputs are given: messages, screens, how they move and how they rest. Frozen values.

A mode makes a screen of messages; each output puts them into words, and has a screen of texts. What
only time changes - what blinks, tumbles, fills or is shown in turn - is not in it: a `Motion` says
since when, and an output draws each moment by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from math import floor
from typing import Generic, Literal, NamedTuple, TypeVar

from rules.game import Game
from rules.position import Position


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat, 0 to 3, of which every language says the letter."""

    number: int


@dataclass(frozen=True, slots=True)
class Message:
    """A text by its id, and what goes into its slots; false where there is nothing to say.

    id: a `msgid` of the catalogs. slots: each one's name and value, by name. A text is what
    somebody typed, or a file's name: it is said as it is. Several values are said in a row.
    """

    id: str = ""
    slots: tuple[tuple[str, Value], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.id)


Value = int | str | Seat | Message | tuple["Value", ...]
Text = Message | str  # a text is said as it is
NOTHING = Message()


def message(name: str, /, **slots: Value) -> Message:
    """Return the message of this id with these values in its slots."""
    return Message(name, tuple(sorted(slots.items())))


W = TypeVar("W", bound=Text, covariant=True)  # what texts are made of: messages, or words

Pawn = tuple[int, int]  # seat, place


class ByHand(NamedTuple):
    """A pawn that a hand moves from one place to another; `there`: shown there already."""

    seat: int
    origin: int
    target: int
    there: bool = False


class KeyHint(NamedTuple, Generic[W]):
    """What to press, and what that does: `OK` and `go on`."""

    press: W
    does: W


@dataclass(frozen=True, slots=True)
class BoardMap:
    """The board turned so that the home row of `seat` starts at the bottom edge.

    `origin` and `target` are the places (seat, place) that blink, as blockades do unless the board
    is `still`. `hand`: whether a hand moves the pawn from one to the other, and which is shown
    there already; `also` are those it moves besides.
    """

    layout: str
    travel: str
    safety: str
    seat: int
    position: Position
    seats: tuple[int, ...]
    origin: Pawn | None
    target: Pawn | None
    still: bool = False
    also: tuple[ByHand, ...] = ()
    hand: Literal["moves", "moved", "rests"] = "moves"

    @property
    def by_hand(self) -> tuple[ByHand, ...]:
        """Every pawn to be moved by hand, the one chosen first."""
        if self.origin is None or self.target in (None, self.origin) or self.hand == "rests":
            return self.also
        return (ByHand(*self.origin, self.target[1], self.hand == "moved"), *self.also)


@dataclass(frozen=True, slots=True)
class Die:
    """One die, face 1 to 6; while it tumbles its face is not shown yet."""

    face: int
    tumbling: bool = False


@dataclass(frozen=True, slots=True)
class Increment(Generic[W]):
    """One increment of the throw, or a bonus, and whether it is still to be used."""

    text: W
    state: Literal["open", "spent", "chosen"]


@dataclass(frozen=True, slots=True)
class BoardScreen(Generic[W]):
    """The board on the left, one seat's words on the right.

    heading: a few letters ("A moves"). lead: one small line above the words, `short_lead` where
    that has no room. words: the lines
    that decide, at least 10 pixels high. note: smaller lines, wrapped by the view. last: what was
    confirmed last. keys: what to press; where there are several, one is shown at a time. star: what
    is shown is the best that can be done. passing: it stands for a moment only, too short to be
    heard.
    """

    board: BoardMap
    seat: int
    heading: W
    dice: tuple[Die, ...]
    increments: tuple[Increment[W], ...]
    words: tuple[W, ...]
    lead: W | str = ""
    note: W | str = ""
    last: W | str = ""
    keys: tuple[KeyHint[W], ...] = ()
    star: bool = False
    passing: bool = False
    short_lead: W | str = ""


@dataclass(frozen=True, slots=True)
class SeatMark(Generic[W]):
    """A seat's glyph and letter, and beside them a short text, or a dash where it is empty."""

    seat: int
    text: W


@dataclass(frozen=True, slots=True)
class TextScreen(Generic[W]):
    """A text screen over the full width; `chosen` is the line that is marked.

    keys: what to press, all in one row. hint: a small line in place of them. corner: a few small
    letters at the right end of the title. large: a figure or two, three times as large as words, in
    place of lines. board: how the pawns stand, where that is not as they are recorded; the panel
    has no room for it.
    """

    title: W
    lines: tuple[W, ...]
    keys: tuple[KeyHint[W], ...] = ()
    hint: W | str = ""
    seats: tuple[SeatMark[W], ...] = ()
    chosen: int | None = None
    corner: W | str = ""
    large: W | str = ""
    board: BoardMap | None = None


@dataclass(frozen=True, slots=True)
class Podium(Generic[W]):
    """The end of a game, to be photographed: who has won, large, and how the others stand.

    winner: the seat, None where nobody has won. line: how long it was. cheers: the winner is
    celebrated, in place of all but the title.
    """

    winner: int | None
    title: W
    seats: tuple[SeatMark[W], ...]
    line: W
    keys: tuple[KeyHint[W], ...]
    cheers: bool = False


@dataclass(frozen=True, slots=True)
class Curve(Generic[W]):
    """How each seat's chance to win went, as a line over the full width.

    chances: after each turn, 0 to 1 by seat, None of one that does not play for it; one seat's line
    is shown at a time. turns: how many there are in all, where not all are known yet.
    """

    title: W
    chances: tuple[tuple[float | None, ...], ...]
    turns: int
    keys: tuple[KeyHint[W], ...]


@dataclass(frozen=True, slots=True)
class QrScreen(Generic[W]):
    """A QR code to be scanned, and beside it the same to be read and typed.

    scanned: the text in it, capitals, 47 of them at most. lead: one small line. text: a word of any
    length, broken where it has to be. key: what to press.
    """

    scanned: str
    lead: W
    text: W
    key: KeyHint[W]


PatternName = Literal["all-dots", "the-edge", "checks"]


@dataclass(frozen=True, slots=True)
class Pattern(Generic[W]):
    """A picture of no words, by which a panel's missing dots are found."""

    picture: PatternName


class Bar(NamedTuple):
    """A hold that fills the bar at the bottom: since when, and when it acts."""

    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Motion:
    """What moves on a screen, for outputs to put around its content. Times are those of events.

    since: when it came up; what blinks, tumbles and is shown in turn counts from then. bar: the
    hold that fills. notice: one line over the bottom, for as long as it is here. notices: what
    devices have to say, in turn from `noticed` on while there is no `notice`. read_since: since
    when a child has had the screen, to whom it is shown line by line; None: all at once.
    """

    since: float = 0.0
    bar: Bar | None = None
    notice: Text = NOTHING
    notices: tuple[Text, ...] = ()
    noticed: float = 0.0
    read_since: float | None = None


STILL = Motion()


Screen = (
    BoardScreen[Text]
    | TextScreen[Text]
    | Podium[Text]
    | Curve[Text]
    | QrScreen[Text]
    | Pattern[Text]
)
WordedScreen = (
    BoardScreen[str] | TextScreen[str] | Podium[str] | Curve[str] | QrScreen[str] | Pattern[str]
)


def table_map(
    game: Game,
    origin: Pawn | None,
    target: Pawn | None,
    also: tuple[ByHand, ...] = (),
    still: bool = False,
    seat: int | None = None,
) -> BoardMap:
    """Return the board of a game, turned to a seat: to the one whose turn it is unless named."""
    rules = game.ruleset
    return BoardMap(
        rules.layout,
        rules.travel,
        rules.safety,
        game.seat if seat is None else seat,
        game.position,
        game.seats,
        origin,
        target,
        still,
        also,
    )


def moved_pawns(before: Position, after: Position) -> tuple[ByHand, ...]:
    """Return each pawn that stands elsewhere in the second position, which is the one shown."""
    moves: list[ByHand] = []
    for seat, (gone, come) in enumerate(zip(before, after, strict=True)):
        origins = (Counter(gone) - Counter(come)).elements()
        targets = (Counter(come) - Counter(gone)).elements()
        ways = zip(origins, targets, strict=False)  # a seat that leaves has no pawns any more
        moves += [ByHand(seat, origin, target, there=True) for origin, target in ways]
    return tuple(moves)


def steps_since(since: float, length: float, t: float) -> int:
    """Return how many steps of this length have passed since then."""
    return floor((t - since) / length + 1e-6)


Level = Literal["bright", "half", "low", "dim", "dark"]

DIM_AFTER_S = 60.0  # longer than a throw takes
MOVE_S = 60.0  # so slow that nobody sees it move
DARK_AFTER_S = 600.0  # a meal, not a glance at the board


class Glow(NamedTuple):
    """How bright the screen is, and whether its picture is moved by a dot."""

    level: Level = "bright"
    moved: bool = False


AWAKE = Glow()
STEPS = range(int(DIM_AFTER_S), int(DARK_AFTER_S) + 1, int(MOVE_S))


def glow(rested_s: float) -> Glow:
    """Return how the screen glows after so long a rest."""
    steps = bisect_right(STEPS, rested_s + 1e-6)
    if steps == len(STEPS):
        return Glow("dark")
    return Glow("dim", moved=steps % 2 == 0) if steps else AWAKE


def next_glow(rested_s: float) -> float | None:
    """Return after how long a rest the glow is another one next, None if it stays."""
    steps = bisect_right(STEPS, rested_s + 1e-6)
    return STEPS[steps] if steps < len(STEPS) else None
