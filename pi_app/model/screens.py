"""Screens and messages for the outputs, with motion and brightness. Frozen values.

A mode makes a screen of messages. Each output puts them into the words of a language, which makes a
screen of texts. A screen does not contain what only time changes: what blinks, tumbles, fills or
takes turns. A `Motion` has the times for that, and an output draws each moment by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from math import floor
from typing import Generic, Literal, NamedTuple, TypeVar

from rules.game import Game
from rules.increments import is_doublet, throw_value
from rules.position import Position
from rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat, 0 to 3. Every language writes its letter."""

    number: int


@dataclass(frozen=True, slots=True)
class Message:
    """A text by its id, with values for its slots. It is false if there is nothing to say.

    id: a `msgid` of the catalogs. slots: pairs of name and value, sorted by name. A string is what
    somebody typed, or the name of a file, and is not translated. A tuple becomes a list.
    """

    id: str = ""
    slots: tuple[tuple[str, Value], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.id)


Value = int | str | Seat | Message | tuple["Value", ...]
Text = Message | str  # a string is not translated
NOTHING = Message()


def message(name: str, /, **slots: Value) -> Message:
    """Return the message of this id with these values in its slots."""
    return Message(name, tuple(sorted(slots.items())))


W = TypeVar("W", bound=Text, covariant=True)  # the texts of a screen: messages, or words

Pawn = tuple[int, int]  # seat, place


class ByHand(NamedTuple):
    seat: int
    origin: int
    target: int
    there: bool = False  # the map shows it at its target already
    walk: tuple[int, ...] = ()  # the places that it touches, the target last; () if it is no step


class KeyHint(NamedTuple, Generic[W]):
    """What to press, and what that does: `OK` and `go on`."""

    press: W
    does: W


@dataclass(frozen=True, slots=True)
class BoardMap:
    """The board with its pawns, turned so that the home row of `seat` starts at the bottom edge.

    layout, travel, safety, stars: as in the rule set. origin, target: the places that blink.
    """

    layout: str
    travel: str
    safety: str
    seat: int
    position: Position
    seats: tuple[int, ...]  # those that play
    origin: Pawn | None
    target: Pawn | None
    still: bool = False  # nothing blinks; only pawns that share a space take turns
    also: tuple[ByHand, ...] = ()  # other pawns to move by hand
    # Whether a hand moves the pawn from origin to target, and at which of them the map shows it.
    hand: Literal["moves", "moved", "rests"] = "moves"
    stars: str = "none"
    walk: tuple[int, ...] = ()  # as in `ByHand`

    @property
    def by_hand(self) -> tuple[ByHand, ...]:
        """Every pawn to move by hand, the chosen one first."""
        if self.origin is None or self.target in (None, self.origin) or self.hand == "rests":
            return self.also
        chosen = ByHand(*self.origin, self.target[1], self.hand == "moved", self.walk)
        return (chosen, *self.also)


@dataclass(frozen=True, slots=True)
class Die:
    """One die, face 1 to 6. The face is not shown while it tumbles."""

    face: int
    tumbling: bool = False


@dataclass(frozen=True, slots=True)
class Shells:
    """A throw of cowries."""

    up: int  # how many mouths are up; this is not shown while they tumble
    value: int  # the spaces that they count
    again: bool  # the seat throws again
    tumbling: bool = False


ShownThrow = tuple[Die | Shells, ...]


@dataclass(frozen=True, slots=True)
class Increment(Generic[W]):
    """One increment of the throw or bonus, and whether it can still be used."""

    text: W
    state: Literal["open", "spent", "chosen"]


@dataclass(frozen=True, slots=True)
class BoardScreen(Generic[W]):
    """The map on the left, one seat's words on the right."""

    board: BoardMap
    seat: int
    heading: W  # a few letters ("A moves")
    dice: ShownThrow = ()
    increments: tuple[Increment[W], ...] = ()
    words: tuple[W, ...] = ()  # the lines that matter, at least 10 pixels high
    lead: W | str = ""  # a small line above the words
    note: W | str = ""  # smaller lines that an output wraps
    last: W | str = ""  # what was confirmed last
    keys: tuple[KeyHint[W], ...] = ()  # what to press; several are shown in turn
    star: bool = False  # this choice is the best one
    passing: bool = False  # the screen is shown for a moment only, too short to be spoken
    short_lead: W | str = ""  # the same as `lead` if that is too long


@dataclass(frozen=True, slots=True)
class SeatMark(Generic[W]):
    """A seat's glyph and letter with a short text. An empty text is shown as a dash."""

    seat: int
    text: W


@dataclass(frozen=True, slots=True)
class TextScreen(Generic[W]):
    """A text screen over the full width."""

    title: W
    lines: tuple[W, ...]
    keys: tuple[KeyHint[W], ...] = ()  # what to press, all in one row
    hint: W | str = ""  # a small line in their place
    seats: tuple[SeatMark[W], ...] = ()  # lines for seats
    chosen: int | None = None  # the index of the marked line
    corner: W | str = ""  # a few small letters at the right end of the title
    large: W | str = ""  # one or two figures three times as large, in place of lines
    # The map for pages, if the pawns are not where the game has them; displays have no room for it.
    board: BoardMap | None = None


@dataclass(frozen=True, slots=True)
class Podium(Generic[W]):
    """The end of a game, ready for a photo: the winner in large letters, and the other seats."""

    winners: tuple[int, ...]  # the seat, or the two of a side; () if nobody has won
    title: W
    seats: tuple[SeatMark[W], ...]
    line: W  # how long the game was
    keys: tuple[KeyHint[W], ...]
    cheers: bool = False  # the screen celebrates the winners and shows only that and the title


@dataclass(frozen=True, slots=True)
class Curve(Generic[W]):
    """Each seat's chance to win over the game, as a line over the full width, one seat at a time.

    chances: after each turn, by seat, 0 to 1 or None for a seat that does not play. turns: how many
    turns the game has; the chances of the last ones may still be missing. partners: a
    chance is that of a seat's side, so a side has one line.
    """

    title: W
    chances: tuple[tuple[float | None, ...], ...]
    turns: int
    keys: tuple[KeyHint[W], ...]
    partners: bool = False


@dataclass(frozen=True, slots=True)
class QrScreen(Generic[W]):
    """A QR code to scan, and beside it the same address or line to read and type."""

    scanned: str  # the text in the code, at most 47 characters, in capitals
    lead: W  # one small line
    # The address, which may be broken anywhere, and after a space another one, if there is room.
    text: W
    key: KeyHint[W]  # what to press


PatternName = Literal["all-dots", "the-edge", "checks"]


@dataclass(frozen=True, slots=True)
class Pattern(Generic[W]):
    """A picture without words that shows which dots of a display are broken."""

    picture: PatternName


class Bar(NamedTuple):
    """A hold in progress: since when, and when it takes effect."""

    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Motion:
    """The times for what moves on a screen, for outputs to draw around its content."""

    since: float = 0.0  # when the screen appeared; blinking, tumbling and turns count from then
    bar: Bar | None = None  # the hold that fills the bar at the bottom
    notice: Text = NOTHING  # a line over the bottom
    notices: tuple[Text, ...] = ()  # of devices; without a `notice` they take turns from `noticed`
    noticed: float = 0.0
    read_since: float | None = None  # a child reads it line by line since then; None: all at once


STILL = Motion()


_Screen = BoardScreen[W] | TextScreen[W] | Podium[W] | Curve[W] | QrScreen[W] | Pattern[W]
Screen = _Screen[Text]
WordedScreen = _Screen[str]


def table_map(
    game: Game,
    origin: Pawn | None = None,
    target: Pawn | None = None,
    also: tuple[ByHand, ...] = (),
    still: bool = False,
    seat: int | None = None,
) -> BoardMap:
    """Return the map of a game, turned to a seat, or to the one whose turn it is if None.

    origin, target, also, still: as in `BoardMap`.
    """
    rules, viewer = game.ruleset, game.seat if seat is None else seat
    where = rules.layout, rules.travel, rules.safety, viewer, game.position, game.seats
    return BoardMap(*where, origin, target, still, also, stars=rules.stars)


def show_throw(
    ruleset: RuleSet, faces: tuple[int, ...], tumbling: bool = False, in_turn: bool = True
) -> ShownThrow:
    """Return a throw of dice or shells as a screen shows it.

    in_turn: it is not thrown for who begins, so that it may go on.
    """
    if not ruleset.throws_shells:
        return tuple([Die(1 if tumbling else face, tumbling) for face in faces])
    return tuple(
        Shells(up, throw_value(ruleset, faces), in_turn and is_doublet(ruleset, faces), tumbling)
        for up in faces
    )


def moved_pawns(before: Position, after: Position) -> tuple[ByHand, ...]:
    """Return each pawn that has another place in the second position, which is the one shown."""
    moves: list[ByHand] = []
    for seat, (gone, come) in enumerate(zip(before, after, strict=True)):
        if gone == come:
            continue
        origins = (Counter(gone) - Counter(come)).elements()
        targets = (Counter(come) - Counter(gone)).elements()
        ways = zip(origins, targets, strict=False)  # a seat that has left has no pawns
        moves += [ByHand(seat, origin, target, there=True) for origin, target in ways]
    return tuple(moves)


def steps_since(since: float, length: float, t: float) -> int:
    """Return how many steps of `length` seconds have passed since then."""
    return floor((t - since) / length + 1e-6)


Level = Literal["bright", "half", "low", "dim", "dark"]

DIM_AFTER_S = 60.0  # longer than a throw takes
MOVE_S = 60.0  # so rarely that nobody notices
DARK_AFTER_S = 600.0  # a meal, not a glance at the board


class Glow(NamedTuple):
    """How bright the screen is, and whether its picture is moved by a dot against burn-in."""

    level: Level = "bright"
    moved: bool = False


AWAKE = Glow()
STEPS = range(int(DIM_AFTER_S), int(DARK_AFTER_S) + 1, int(MOVE_S))


def glow(rested_s: float) -> Glow:
    """Return the brightness of the screen after a rest of so many seconds."""
    steps = bisect_right(STEPS, rested_s + 1e-6)
    if steps == len(STEPS):
        return Glow("dark")
    return Glow("dim", moved=steps % 2 == 0) if steps else AWAKE


def next_glow(rested_s: float) -> float | None:
    """Return after how long a rest, in seconds, the glow changes next, or None if it stays."""
    steps = bisect_right(STEPS, rested_s + 1e-6)
    return STEPS[steps] if steps < len(STEPS) else None
