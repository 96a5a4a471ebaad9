"""The session, and the base class of its modes. Decides nothing.

A mode is one kind of screen, and what each press does on it; they are in `pi_app.table.modes`. A
mode that ends leads on to `ToGame`, `ToJoining` or `ToMenu`, so that no mode needs to import those.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from pi_app.model.advice import Chances, ReviewQuestion, ThrowReview
from pi_app.model.events import Button, ClockRead, Finding, Lamp, Setup, Tone
from pi_app.model.history import Row
from pi_app.model.screens import AWAKE, Glow, Message, Screen, Text, glow, message
from pi_app.settings import offers
from pi_app.settings.settings import LANGUAGE, LATE_TURN, NUMBERS, Setting, Settings
from pi_app.table.core.gestures import HOLD_S, Fingers
from pi_app.table.core.seats import Seats
from pi_app.texts.language import NUMBERS as PRINTED
from rules.actions import Action
from rules.game import Game, Phase
from rules.history import EntryReport, PastAction, Record, WaitingThrow
from rules.ruleset import RuleSet

WHISPER_S = 1.5
OK_DEAF_S = 0.4
HINT_LEVELS = ("pawn", "step", "why")
NO_FINGERS = Fingers()
SEATS = (0, 1, 2, 3)
NO_SETTINGS = Settings()
NO_CLOCK = ClockRead(0.0, "", 0.0)
T = TypeVar("T")

Lamps = tuple[Lamp, Lamp, Lamp, Lamp]


@dataclass(frozen=True, slots=True)
class Whisper:
    """A line that is shown for a moment."""

    text: Text
    until: float
    stays: bool = False  # when the screen changes


class Tip(NamedTuple):
    game: Game
    action: Action
    why: Message


class Hints(NamedTuple):
    """The last hint, and the game in which one was shown last, at which level."""

    tip: Tip | None = None
    game: Game | None = None
    level: str = ""

    def tip_for(self, game: Game) -> Tip | None:
        return self.tip if self.tip is not None and self.tip.game == game else None

    def level_in(self, game: Game, is_marked: bool) -> str | None:
        """Return how much of a hint was shown for the choice in a game, or None.

        is_marked: the mode marks the best choice without being asked, which is "step".
        """
        if game == self.game:
            return self.level
        return "step" if is_marked and self.tip_for(game) is not None else None

    def keep_for(self, was: Game, now: Game) -> Self:
        """Return the hints after a game has changed in what no choice depends on."""
        tip = self.tip_for(was)
        kept = self if tip is None else self._replace(tip=tip._replace(game=now))
        return kept._replace(game=now) if self.game == was else kept

    def show(self, game: Game, level: str, is_marked: bool) -> Self:
        """Return the hints after a hint of this level was shown. A higher level stays."""
        farthest = max(level, self.level_in(game, is_marked) or level, key=HINT_LEVELS.index)
        return self._replace(game=game, level=farthest)


NO_HINTS = Hints()


class BotPlan(NamedTuple):
    """The play of a bot of this level: each action, with the game before it."""

    level: str
    steps: tuple[tuple[Game, Action], ...]


class Odds(NamedTuple):
    """Each seat's chance to win, None if it does not play or its chance is unknown."""

    game: Game  # that they are about, before a throw
    chances: Chances
    throws: int  # how many the game on the table had when they arrived
    # The throw and all after it that led there from the game of the odds before these, whose
    # chances are in `before`; () if something else did.
    play: tuple[EntryReport, ...] = ()
    before: Chances = ()


class ForcedStep(NamedTuple):
    """The only action that is left in a game. The dome confirms it from `counts_from` on."""

    game: Game
    action: Action
    counts_from: float


class TurnClock(NamedTuple):
    """The time that a player has for a throw, or for the play of one."""

    play: tuple[int, ...] = ()  # what it is for, () for nothing
    spent: float = 0.0  # the seconds before `since`
    since: float | None = None  # from when it runs, None while it stands still
    up: bool = False  # it has struck


UNTIMED = TurnClock()


class ReviewState(NamedTuple):
    """How far the review of a finished game has come."""

    past: tuple[PastAction, ...]  # the game's actions
    thrown: tuple[ReviewQuestion, ...]  # its throws
    found: tuple[ThrowReview, ...] = ()  # the reviews of the first of them, in order
    failed: bool = False  # the next throw could not be reviewed


class ChildReading(NamedTuple):
    """A child's screen, and since when it has been shown."""

    screen: Screen
    since: float


@dataclass(frozen=True, slots=True)
class Session:
    """All that the table knows: mode, game, the fingers on the buttons. Times in seconds."""

    setup: Setup
    mode: Mode
    t: float = 0.0  # of the last event
    record: Record | None = None  # the game on the table
    fingers: Fingers = NO_FINGERS
    whisper: Whisper | None = None
    notices: tuple[tuple[str, Message], ...] = ()  # lines of devices, by device
    noticed: float = 0.0  # from then on they take turns
    deaf_until: float = float("-inf")  # before that the dome has no effect
    throws_from: float = float("-inf")  # before that it does not throw
    ok_deaf: tuple[float, ...] = (float("-inf"),) * len(SEATS)  # before that OK has no effect
    forced: ForcedStep | None = None
    lit: bool = False  # the lit chamber is connected
    moment: int = 0  # counts rows and wakings of a dark screen, to know a chamber's late press
    unsaved: bool = False  # the players accepted that rows wait in memory
    held: tuple[WaitingThrow, ...] = ()  # that the journal refused, at most one of a seat
    resting_since: float | None = None  # nobody has pressed, and nothing is being decided
    settings: Settings = NO_SETTINGS
    facing: int | None = None  # who drives, or drove last alone; a flat display turns there
    findings: tuple[Finding, ...] = ()  # of the self test
    tests: int = 0  # how often the chamber's lights were tested
    wall: ClockRead = NO_CLOCK
    reading: ChildReading | None = None  # a child's screen is shown line by line
    plan: BotPlan | None = None  # of the bot whose turn it is or was
    hints: Hints = NO_HINTS
    review: ReviewState | None = None  # of the last game
    odds: Odds | None = None  # the newest, for spectators
    clock: TurnClock = UNTIMED
    minutes_since: float | None = None  # when those to the last round were as they are kept

    @property
    def glow(self) -> Glow:
        return AWAKE if self.resting_since is None else glow(self.t - self.resting_since)

    @property
    def playing(self) -> Record:
        """The game on the table. Raises LookupError without one."""
        if self.record is None:
            raise LookupError(f"no game is on the table in {self.mode!r}")
        return self.record

    @property
    def phase(self) -> Phase | None:
        return None if self.record is None else self.record.game.phase

    @property
    def seats(self) -> Seats:
        return Seats(self.setup, self.settings, self.record, self.facing)

    @property
    def ready(self) -> WaitingThrow | None:
        """The throw that the next seat to throw must get, or None if it must be drawn."""
        own = (held for held in self.held if held.seat == self.playing.game.seat)
        return self.playing.ready or next(own, None)

    @property
    def next_rules(self) -> str:
        """The name of the next game's rules: those chosen last, else those of this game."""
        name = offers.rules_name(self.settings, self.record.game.ruleset) if self.record else None
        return offers.offered_first(self.settings, self.setup, name)

    @property
    def rules(self) -> RuleSet:
        """The rules of the game on the table, or else those chosen for the next game so far."""
        if self.record is not None:
            return self.record.game.ruleset
        return offers.all_rules(self.settings)[self.mode.chosen_rules(self)]

    @property
    def idioms(self) -> tuple[str, ...]:
        """The idioms of those who play, or are about to play, by `rules`."""
        rules = self.rules
        has_numbers = self.settings.get(NUMBERS) == "on" and offers.has_printed_numbers(rules)
        return (PRINTED, *offers.idioms_of(rules)) if has_numbers else offers.idioms_of(rules)

    @property
    def language(self) -> str:
        return self.mode.language(self)

    @property
    def late(self) -> tuple[int, ...]:
        """The panel of the player whose time is up, () for nobody's."""
        return (self.seats.player_seat(self.playing.game.seat),) if self.clock.up else ()

    @property
    def clock_moves(self) -> bool:
        """Whether the clock plays the throw on the table. People move its pawns as a bot's."""
        moves = self.clock.up and self.settings.get(LATE_TURN) == "move"
        return moves and bool(self.playing.game.throw)

    @property
    def joined(self) -> tuple[int, ...]:
        return self.mode.joined(self)

    @property
    def dome(self) -> bool:
        """Whether there is a dome. Without one, a hold of OK throws."""
        return self.setup.dome or self.lit

    def set(self, setting: Setting[T], value: T) -> Session:
        """Return the session with another value of a setting, and without a notice about it."""
        after = self.with_notice(setting.key, None)
        return replace(after, settings=self.settings.put(setting, value))

    def unset(self, key: str) -> Session:
        """Return the session with a setting reset, and without a notice about it."""
        return replace(self.with_notice(key, None), settings=self.settings.without(key))

    def enter_mode(self, mode: Mode, **fields: Any) -> Session:
        return replace(self, mode=mode, **fields)

    def with_notice(self, device: str, text: Message | None) -> Session:
        """Return the session with this notice of a device; None removes it."""
        others = tuple(notice for notice in self.notices if notice[0] != device)
        if text is None and others == self.notices:
            return self
        new = ((device, text),) if text else ()
        return replace(self, notices=(*others, *new), noticed=self.t)

    def lead_to(self, mode: Mode, pressed: int | None = None, **fields: Any) -> Change:
        """Return the change to another mode. pressed: the seat whose press has its tone."""
        tones = () if pressed is None else (Tone(pressed, "press"),)
        return Change(self.enter_mode(mode, **fields), tones=tones)

    def refuse(self, text: Text) -> Change:
        """Return the change that shows a line with the reason why a press did nothing."""
        whisper = Whisper(text, self.t + WHISPER_S)
        return Change(replace(self, whisper=whisper), tones=(Tone(None, "refused"),))


class Shown(NamedTuple):
    """What a mode shows of a session, computed once a reply."""

    screen: Screen
    lamps: Lamps
    counts_from: float | None = None  # as `Mode.dome_counts_from`
    forced: ForcedStep | None = None  # what the dome confirms before it throws


@dataclass(frozen=True, slots=True)
class Change:
    """What a press or the passing of time does: the session after it, and what it causes."""

    session: Session
    rows: tuple[Row, ...] = ()
    draw: int = 0  # how many dice
    tones: tuple[Tone, ...] = ()


class Mode:
    """A kind of screen, and what each press does on it. By default a press does nothing.

    OK and NEXT are those of a driver. A seat that may not press is answered with `whose`.
    """

    __slots__ = ()
    hold_ok_s: ClassVar[float] = HOLD_S  # how long a hold of OK takes, if `holds_ok`
    off: ClassVar[bool] = False  # the table ends with this screen
    shows_throw: ClassVar[bool] = False  # the screen shows the dice of the last throw
    quick: ClassVar[bool] = False  # OK counts again at once
    runs_clocks: ClassVar[bool] = False  # the game waits for a player

    def joined(self, session: Session) -> tuple[int, ...]:
        """Return the seats whose panels may open the menu: those that play, if one has a panel."""
        return session.seats.of_panels

    def chosen_rules(self, session: Session) -> str:
        return session.next_rules

    def with_rules(self, name: str) -> Mode:
        """Return this mode with other rules for the next game, if it has chosen some."""
        return self

    def language(self, session: Session) -> str:
        """Return the name of the catalog for this screen, "" if nobody has chosen a language."""
        return session.settings.get(LANGUAGE)

    def drivers(self, session: Session) -> tuple[int, ...]:
        """Return the seats whose OK and NEXT count."""
        return ()

    def has_one_button(self, session: Session) -> bool:
        """Whether the panels of all drivers have one button."""
        return all(map(session.setup.has_one_button, self.drivers(session)))

    def whose(self, session: Session) -> Text:
        """Return the answer to other seats that press."""
        return message("wait")

    def holds_ok(self, session: Session, seat: int) -> bool:
        """Whether a hold of OK means something other than a press."""
        return False

    def may_press(self, session: Session, seat: int) -> bool:
        """Whether a panel's OK and NEXT count. A driver's always do."""
        return seat in self.drivers(session)

    def ok(self, session: Session, seat: int) -> Change:
        return Change(session)

    def hold_ok(self, session: Session, seat: int) -> Change:
        """Return what a driver's hold of OK does, if `holds_ok`."""
        return Change(session)

    def next(self, session: Session, seat: int) -> Change:
        return Change(session)

    def menu(self, session: Session, seat: int) -> Change:
        """Return the change that a hold of NEXT makes, by a seat that plays: it opens the menu."""
        return session.lead_to(ToMenu(seat, self), pressed=seat)

    def dome(self, session: Session) -> Change:
        return session.refuse(self.whose(session))

    def dome_counts_from(self, session: Session) -> float | None:
        """Return from when on a press of the dome has an effect here, None for never."""
        return None

    def pressed_now(self, session: Session, button: Button) -> Session:
        """Return the session after any button went down, before its gesture takes effect."""
        return session

    def show(self, session: Session) -> Shown:
        return Shown(self.screen(session), self.lamps(session), self.dome_counts_from(session))

    def screen(self, session: Session) -> Screen:
        raise NotImplementedError

    def lamps(self, session: Session) -> Lamps:
        """Return the four lamps: a single driver's is steady, those of several pulse."""
        return lamps(self.drivers(session))

    def shown_since(self, session: Session) -> float:
        """Return when this screen appeared; blinking and turning pages count from then."""
        return 0.0

    def wake_at(self, session: Session) -> float | None:
        """Return when time alone changes this mode next, or None. Outputs blink by themselves."""
        return None

    def pass_time(self, session: Session) -> Change:
        """Return the change that is due by `session.t`."""
        return Change(session)

    def hints(self, session: Session) -> bool:
        """Whether this mode needs to know the best step."""
        return False

    def reviews(self, session: Session) -> bool:
        """Whether this mode needs the review of the finished game."""
        return False

    def resting(self, session: Session) -> bool:
        """Whether nobody is deciding anything here, so that the screen may dim."""
        return False


# Where a mode leads without importing it; `pi_app.table.session` puts the real mode in its place.


@dataclass(frozen=True, slots=True)
class ToGame(Mode):
    """Back to the game on the table."""

    news: Text = ""  # what has just happened
    last: Text = ""  # what was confirmed last
    cheers: bool = False  # the game was just won


@dataclass(frozen=True, slots=True)
class ToJoining(Mode):
    """To joining the next game."""

    ruleset: str  # the name of the rules that are offered first


@dataclass(frozen=True, slots=True)
class ToMenu(Mode):
    """To the menu, driven by this seat, and then back."""

    seat: int
    back: Mode


def lamps(
    may: tuple[int, ...],
    on: tuple[int, ...] = (),
    blink: tuple[int, ...] = (),
    cheer: tuple[int, ...] = (),
) -> Lamps:
    """Return the four lamps.

    may: the seats that may press: a single one has a steady lamp, several have pulsing lamps. on:
    seats with a steady lamp. blink: seats with a blinking lamp. cheer: the winners.
    """
    lit: dict[int, Lamp] = dict.fromkeys(may, "breathe")
    lit |= dict.fromkeys(may if len(may) == 1 else on, "on")
    lit |= dict.fromkeys(blink, "blink")
    lit |= dict.fromkeys(cheer, "cheer")
    a, b, c, d = SEATS
    return lit.get(a, "off"), lit.get(b, "off"), lit.get(c, "off"), lit.get(d, "off")
