"""The session's value, and what all its modes have in common. Says what is; decides nothing.

A mode is one kind of screen, with what each press does on it: `pi_app.table.modes` has them. A mode
that ends names where to by `ToGame`, `ToJoining` or `ToMenu`, so that none needs to know another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, TypeVar

from pi_app.advice.reviews import ThrowContext, ThrowReview
from pi_app.input.events import Button, ClockRead, Finding, Lamp, Setup, Tone
from pi_app.input.gestures import HOLD_S, Fingers
from pi_app.rows.faults import Fault
from pi_app.rows.history import Row
from pi_app.screens.screen import AWAKE, NOTHING, Glow, Message, Screen, Seat, Text, glow, message
from pi_app.settings.offers import offered_first, offers, rules_name
from pi_app.settings.players import Player
from pi_app.settings.settings import BOT, DICE, HINTS, Level, Setting, Settings
from pi_app.texts.words import PAWN_NAMES, seat_letter, unsaved_words
from rules.actions import Action, Throw
from rules.board import SEAT_LETTERS
from rules.game import Game, Phase
from rules.history import PastAction, Record, WaitingThrow

WHISPER_S = 1.5
BOT_NAME = "BOX"  # all of them have one score of the evening
HINT_LEVELS = ("pawn", "step", "why")
NO_FINGERS = Fingers()
SEATS = (0, 1, 2, 3)
NO_SETTINGS = Settings()
NO_CLOCK = ClockRead(0.0, "", 0.0)
T = TypeVar("T")

Lamps = tuple[Lamp, Lamp, Lamp, Lamp]


@dataclass(frozen=True, slots=True)
class Whisper:
    """A line that is shown for a moment; `stays`: on the screens that follow, too."""

    text: Text
    until: float
    stays: bool = False


class PendingThrow(NamedTuple):
    """The game's n-th throw, which was drawn but could not be recorded: it is not drawn again."""

    n: int
    waiting: WaitingThrow


class BotPlan(NamedTuple):
    """What a box of this level does in each game that its play comes to, step by step."""

    level: str
    steps: tuple[tuple[Game, Action], ...]


class Tip(NamedTuple):
    """The best that can be done in a game, and why."""

    game: Game
    action: Action
    why: Message


class Odds(NamedTuple):
    """Each seat's chance to win, None for a seat that can't or where nobody knows.

    game: the one that they are of, which is to be thrown in. throws: how many throws
    the game on the table had when they were told.
    """

    game: Game
    chances: tuple[float | None, ...]
    throws: int = 0


class ForcedStep(NamedTuple):
    """The only thing that is left to do in a game, which the dome confirms from a time on."""

    game: Game
    action: Action
    counts_from: float


class HintShown(NamedTuple):
    """How far a hint was asked for in a game: one of `HINT_LEVELS`."""

    game: Game
    how_far: str


class ReviewState(NamedTuple):
    """What is known of the luck and skill in a game that is over.

    past: that game's. found: of the first throws, in their order. failed: nobody could work out
    the next one.
    """

    past: tuple[PastAction, ...]
    thrown: tuple[ThrowContext, ...]
    found: tuple[ThrowReview, ...] = ()
    failed: bool = False


class ChildReading(NamedTuple):
    """A child's screen, and since when it has been there."""

    screen: Screen
    since: float


class MenuPlace(NamedTuple):
    """Where the menu was last used: in which turn, and in which sections which line, by ids."""

    turn: tuple[int, int] | None
    path: tuple[str, ...]
    line: str


@dataclass(frozen=True, slots=True)
class Session:
    """All that the table knows: the mode it is in, the game, the fingers on its buttons.

    `deaf_until` is the time before which the dome does not count, `throws_from` that before which
    it does not throw; `ok_deaf` the times before which the seats' OKs do not count.
    `forced`: what the dome confirms before it throws. `lit`: the lit chamber is there, whose dome
    `lit_only_throws` where its firmware is an older one.
    `moment` counts what was recorded and each waking of a dark screen, so that a late press of that
    chamber is known as late. `resting_since`: nothing is being decided and no button was pressed.
    `facing`: the seat that drives, or was the last to do so alone; a flat panel turns to it.
    `findings` are what a self test has found; `tests` counts those of the lit chamber's lights.
    `unsaved`: the players chose that rows may wait in memory. `held` is a throw for its next try.
    `reading`: the panel whose turn it is is a child's, to whom the screen is shown line by line.
    `plan`: what the box that has the turn wants to do, or did that had it last. `tip`: what was
    last told of the best step, `hinted` how far that was asked for. `review`: of the last game.
    `odds`: the chances that spectators are shown, the newest that are known.
    """

    setup: Setup
    mode: Mode
    t: float = 0.0
    record: Record | None = None
    fingers: Fingers = NO_FINGERS
    whisper: Whisper | None = None
    notices: tuple[tuple[str, Message], ...] = ()
    noticed: float = 0.0
    deaf_until: float = float("-inf")
    throws_from: float = float("-inf")
    ok_deaf: tuple[float, ...] = (float("-inf"),) * len(SEATS)
    forced: ForcedStep | None = None
    lit: bool = False
    lit_only_throws: bool = False
    menu_place: MenuPlace | None = None
    moment: int = 0
    unsaved: bool = False
    held: PendingThrow | None = None
    resting_since: float | None = None
    settings: Settings = NO_SETTINGS
    facing: int | None = None
    findings: tuple[Finding, ...] = ()
    tests: int = 0
    wall: ClockRead = NO_CLOCK
    reading: ChildReading | None = None
    plan: BotPlan | None = None
    tip: Tip | None = None
    hinted: HintShown | None = None
    review: ReviewState | None = None
    odds: Odds | None = None

    @property
    def glow(self) -> Glow:
        """How the screen glows now."""
        return AWAKE if self.resting_since is None else glow(self.t - self.resting_since)

    @property
    def playing(self) -> Record:
        """The game on the table; only for modes that have one."""
        if self.record is None:
            raise LookupError(f"no game is on the table in {self.mode!r}")
        return self.record

    @property
    def throws(self) -> int:
        """How many throws the game has now, those that undo took back left out."""
        return sum(isinstance(done.action, Throw) for done in self.playing.past)

    @property
    def ready(self) -> WaitingThrow | None:
        """The throw that the seat now to throw must get, None if it is to be drawn."""
        key = (self.throws + 1, self.playing.game.seat)
        held = self.held
        again = held.waiting if held and (held.n, held.waiting.seat) == key else None
        return self.playing.ready or again

    @property
    def next_rules(self) -> str:
        """The name of the next game's rules: those chosen last, else those of the game there is."""
        usual = self.setup.ruleset
        same = usual if self.record is None else rules_name(self.settings, self.record.game.ruleset)
        return offered_first(self.settings, same, usual)

    @property
    def other_rules(self) -> bool:
        """Whether other rules than those of the game on the table were chosen for the next."""
        offered = offers(self.settings)
        known = self.playing.game.ruleset in offered.values()
        return known and offered[self.next_rules] != self.playing.game.ruleset

    @property
    def joined(self) -> tuple[int, ...]:
        """The seats that play."""
        return self.mode.joined(self)

    @property
    def off(self) -> bool:
        """Whether the table is being switched off: nothing more is decided."""
        return self.mode.off

    @property
    def dome(self) -> bool:
        """Whether there is a dome to press; without one, holding OK throws."""
        return self.setup.dome or self.lit

    @property
    def dome_chooses(self) -> bool:
        """Whether there is a dome that can step back or confirm, and not only throw."""
        return self.setup.dome or (self.lit and not self.lit_only_throws)

    def only(self, seat: int) -> bool:
        """Whether a seat's panel has one button."""
        return seat not in self.setup.next_buttons

    def is_childs(self, seat: int) -> bool:
        """Whether a seat's panel is a child's."""
        return self.settings.seats[seat].is_childs

    # Who plays a seat, as the screens name them. Letters stay what a seat is known by.

    def level(self, seat: int) -> Level | None:
        """Return how well a box plays a seat, None where people do."""
        return self.settings.seats[seat].level

    def player(self, seat: int) -> Player:
        """Return who sits at a seat's panel; nobody who has a name where a box plays."""
        sits = self.settings.seats[seat]
        return sits.player if sits.level is None else sits.player._replace(name="")

    def named(self, seat: int) -> Text:
        """Return a seat's letter, and its player's name if there is one: `A LUC`, `C box`."""
        if self.level(seat) is not None:
            return message("seat-box", seat=Seat(seat))
        name = self.player(seat).name
        return message("seat-and-name", seat=Seat(seat), name=name) if name else seat_letter(seat)

    def known_as(self, seat: int) -> str:
        """Return the name of a seat's player, or the seat's letter."""
        if self.level(seat) is not None:
            return BOT_NAME
        return self.player(seat).name or seat_letter(seat)

    def called(self, seat: int) -> Message:
        """Return what a seat's pawns are called, nothing where that was not said."""
        return PAWN_NAMES.get(self.player(seat).pawns, NOTHING)

    def played_by(self, seat: int) -> int:
        """Return the seat whose panel plays for a seat: its own, or one that plays on for it."""
        other = self.settings.seats[seat].stand_in
        return SEAT_LETTERS.index(other) if other else seat

    def people(self) -> tuple[int, ...]:
        """Return the seats of the game whose own players are there; all, should there be none."""
        seats = self.playing.game.seats
        there = [one for one in seats if self.level(one) is None and self.played_by(one) == one]
        return tuple(there) or seats

    def panels_of(self, seat: int) -> tuple[int, ...]:
        """Return the seats whose panels play for a seat: for a box those of all people."""
        return (self.played_by(seat),) if self.level(seat) is None else self.people()

    def may_press_for(self, seat: int, panel: int) -> bool:
        """Whether a panel counts on a seat's turn; on a bot's, that of every seat does."""
        if self.level(seat) is not None:
            return panel in self.playing.game.seats
        return panel == self.played_by(seat)

    def seen_by(self, seat: int) -> int:
        """Return the seat to which the board is turned on a seat's turn: who moves its pawns."""
        panels = self.panels_of(seat)
        return self.facing if self.facing in panels else panels[0]

    def turn(self, seat: int, does: Text) -> Text:
        """Return whose turn it is: `does`, which says what the seat does, or `B for C`."""
        if self.level(seat) is not None:
            return message("box-for", who=Seat(seat))
        other = self.played_by(seat)
        return does if other == seat else message("plays-seat", who=Seat(other), seat=Seat(seat))

    # What is told of the best step, and how far that was asked for.

    @property
    def can_hint(self) -> bool:
        """Whether there is anything to choose for people, who want to be told."""
        if self.record is None or not self.settings.hints:
            return False
        game = self.record.game
        return self.level(game.seat) is None and game.phase is Phase.MOVE and bool(game.steps)

    @property
    def best(self) -> Tip | None:
        """What is best now, None where it is not known."""
        if self.record is None or self.tip is None or self.tip.game != self.record.game:
            return None
        return self.tip

    def hint_as_far(self, how_far: str) -> Session:
        """Return the session in which a hint was asked for as far as this, or farther before."""
        farthest = max(how_far, self.hint_given or how_far, key=HINT_LEVELS.index)
        return replace(self, hinted=HintShown(self.playing.game, farthest))

    @property
    def hint_given(self) -> str | None:
        """How far a hint was given for what is to be done now, None where none was.

        The best choice may have been marked without being asked for.
        """
        if self.record is None:
            return None
        if self.hinted is not None and self.hinted.game == self.record.game:
            return self.hinted.how_far
        return "step" if self.best is not None and self.mode.hints(self) else None

    def set(self, setting: Setting[T], value: T) -> Session:
        """Return the session with a setting of another value; what was said of it is taken back."""
        after = self.with_notice(setting.key, None)
        return replace(after, settings=self.settings.put(setting, value))

    def unset(self, key: str) -> Session:
        """Return the session as if a setting had never been set here."""
        return replace(self.with_notice(key, None), settings=self.settings.without(key))

    def into(self, mode: Mode, **fields: Any) -> Session:
        """Return the session in another mode."""
        return replace(self, mode=mode, **fields)

    def with_fields(self, **fields: Any) -> Session:
        """Return the session with these fields: itself where it has them already, as mostly."""
        for name, value in fields.items():
            if getattr(self, name) != value:
                return replace(self, **fields)
        return self

    def faced(self, drivers: tuple[int, ...]) -> Session:
        """Face the one seat that drives; never while a finger is down, whoever reads on then."""
        if len(drivers) != 1 or self.facing == drivers[0] or self.fingers.down:
            return self
        return replace(self, facing=drivers[0])

    def at_rest(self, news: Text = "", last: Text = "", cheers: bool = False) -> Session:
        """Return the session back at what it waits for, told what has just happened.

        cheers: the game has just been won.
        """
        return self.into(ToGame(news, last, cheers))

    def anew(self) -> Session:
        """Return the session ready for the next game, by the rules that it has.

        How the last one's dice were thrown was chosen for that one only, and so were its boxes and
        whether there are hints.
        """
        settings = self.settings.without(DICE.key).without(HINTS.key)
        for seat in settings.named(BOT):
            settings = settings.without(f"{BOT}{seat}")
        return self.into(ToJoining(self.next_rules), record=None, held=None, settings=settings)

    def play_on_unsaved(self, fault: Fault) -> Session:
        """Return the session of players who chose that rows may wait in memory, and why."""
        return replace(self.with_notice("journal", unsaved_words(fault)), unsaved=True)

    def with_notice(self, device: str, text: Message | None) -> Session:
        """Return the session with what a device has to say; None takes it back."""
        others = tuple(notice for notice in self.notices if notice[0] != device)
        if text is None and others == self.notices:
            return self
        new = ((device, text),) if text else ()
        return replace(self, notices=(*others, *new), noticed=self.t)

    def open_menu(self, seat: int, top: bool = False) -> Change:
        """Return this session with the menu open, which this seat drives.

        top: not where it was last used.
        """
        return Change(self.into(ToMenu(seat, self.mode, top)), tones=(Tone(seat, "press"),))

    def refuse(self, text: Text) -> Change:
        """Return this session with a line saying why a press did nothing."""
        whisper = Whisper(text, self.t + WHISPER_S)
        return Change(replace(self, whisper=whisper), tones=(Tone(None, "refused"),))


class Shown(NamedTuple):
    """What a mode shows of a session, worked out once a reply.

    facing: the seat that a flat panel is turned to. counts_from: when a press of the dome does
    something, None where it never does. forced: what it confirms before it throws.
    """

    drivers: tuple[int, ...]
    facing: int | None
    screen: Screen
    lamps: Lamps
    counts_from: float | None = None
    forced: ForcedStep | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a press or the passing of time makes of a session."""

    session: Session
    rows: tuple[Row, ...] = ()
    draw: int = 0
    tones: tuple[Tone, ...] = ()


class Mode:
    """What a screen shows and what presses do; unless a mode says otherwise, nothing.

    Presses of seats that may not press are answered with `whose` and do nothing.
    hold_ok_s: how long OK is held where `holds_ok`. off: the table ends, its picture stays.
    shows_throw: the dice of a throw that was just made are on the screen.
    quick: presses of OK that follow each other at once all count.
    """

    __slots__ = ()
    hold_ok_s: ClassVar[float] = HOLD_S
    off: ClassVar[bool] = False
    shows_throw: ClassVar[bool] = False
    quick: ClassVar[bool] = False

    def joined(self, session: Session) -> tuple[int, ...]:
        """Return the seats that play; each of them may open the menu."""
        return session.playing.game.seats

    def drivers(self, session: Session) -> tuple[int, ...]:
        """Return the seats whose OK and NEXT count."""
        return ()

    def whose(self, session: Session) -> Text:
        """Return what the others are told when they press."""
        return message("wait")

    def holds_ok(self, session: Session, seat: int) -> bool:
        """Whether holding OK means something other than pressing it."""
        return False

    def may_press(self, session: Session, seat: int) -> bool:
        """Whether a panel's OK and NEXT count; those of the drivers always do."""
        return seat in self.drivers(session)

    def ok(self, session: Session, seat: int) -> Change:
        """A driver pressed OK."""
        return Change(session)

    def hold_ok(self, session: Session, seat: int) -> Change:
        """A driver held OK, where `holds_ok`."""
        return Change(session)

    def next(self, session: Session, seat: int) -> Change:
        """A driver pressed NEXT."""
        return Change(session)

    def menu(self, session: Session, seat: int) -> Change:
        """A seat that plays held NEXT."""
        return session.open_menu(seat)

    def dome(self, session: Session) -> Change:
        """The dome was pressed."""
        return session.refuse(self.whose(session))

    def dome_counts_from(self, session: Session) -> float | None:
        """Return when a press of the dome does something here, None where it never does."""
        return None

    def passes_on(self, session: Session, seat: int) -> bool:
        """Whether OK of this seat counts, too, though it is no driver's."""
        return False

    def pressed_now(self, session: Session, button: Button) -> Session:
        """Return the session after any button went down, before what that means is done."""
        return session

    def show(self, session: Session) -> Shown:
        """Return all that this shows, and who drives it."""
        drivers = self.drivers(session)
        session = session.faced(drivers)
        screen, lamps = self.screen(session), self.lamps(session)
        return Shown(drivers, session.facing, screen, lamps, self.dome_counts_from(session))

    def screen(self, session: Session) -> Screen:
        """Return what the display shows."""
        raise NotImplementedError

    def lamps(self, session: Session) -> Lamps:
        """Return what the four lamps show: lit where one may press, else breathing."""
        return lamps(self.drivers(session))

    def shown_since(self, session: Session) -> float:
        """Return when this screen came up: what blinks and comes in turn counts from then."""
        return 0.0

    def wake_at(self, session: Session) -> float | None:
        """Return when time itself changes next what this is: blinking is the outputs' business."""
        return None

    def pass_time(self, session: Session) -> Change:
        """Do what is due by `s.t`."""
        return Change(session)

    def hints(self, session: Session) -> bool:
        """Whether it wants to know which step is best."""
        return False

    def reviews(self, session: Session) -> bool:
        """Whether it wants to know who was lucky in the game that is over."""
        return False

    def resting(self, session: Session) -> bool:
        """Whether nothing is being decided, so that the screen may dim."""
        return False


# Where a mode leads without knowing what is there: `pi_app.table.session` puts that in its place.


@dataclass(frozen=True, slots=True)
class ToGame(Mode):
    """Back to what the game on the table waits for.

    news: what has just happened. last: what was confirmed. cheers: the game has just been won.
    """

    news: Text = ""
    last: Text = ""
    cheers: bool = False


@dataclass(frozen=True, slots=True)
class ToJoining(Mode):
    """To the next game, which by default has these rules."""

    ruleset: str


@dataclass(frozen=True, slots=True)
class ToMenu(Mode):
    """To the menu, driven by this seat, and then back. top: not to where it was last used."""

    seat: int
    back: Mode
    top: bool = False


def lamps(
    may: tuple[int, ...],
    on: tuple[int, ...] = (),
    blink: tuple[int, ...] = (),
    cheer: int | None = None,
) -> Lamps:
    """Return the four lamps: blinking, else lit, else breathing where one of several may press.

    may: whose press counts; it is the turn of a single one, whose lamp is lit. cheer: the winner.
    """
    lit: dict[int, Lamp] = dict.fromkeys(may, "breathe")
    lit |= dict.fromkeys(may if len(may) == 1 else on, "on")
    lit |= dict.fromkeys(blink, "blink")
    if cheer is not None:
        lit[cheer] = "cheer"
    a, b, c, d = SEATS
    return lit.get(a, "off"), lit.get(b, "off"), lit.get(c, "off"), lit.get(d, "off")
