"""A table to sit at in tests: drives the session as the loop does, with dice and time given.

What its screens say is told by the ids of the messages. The words belong to `tests/pi_app/texts`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from pi_app.display import large, view
from pi_app.display.moment import FrameTime
from pi_app.model.events import (
    AdviceGiven,
    Button,
    ChamberPress,
    DiceDrawn,
    Down,
    Event,
    Kind,
    Resume,
    RowsSaved,
    Setup,
    Tick,
    Tone,
    Up,
)
from pi_app.model.history import Row
from pi_app.model.parts import Fault
from pi_app.model.screens import (
    BoardScreen,
    Message,
    Motion,
    Podium,
    Screen,
    Text,
    TextScreen,
    Value,
    WordedScreen,
    steps_since,
)
from pi_app.players.working import answer_line
from pi_app.settings.offers import family_of
from pi_app.settings.settings import Settings
from pi_app.table.core.acting import act, follow_up
from pi_app.table.core.advice import next_question
from pi_app.table.core.state import NO_SETTINGS
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.table.session import Reply, handle, new_session, refuse_press
from pi_app.texts.language import ENGLISH, Language, Place
from pi_app.texts.wording import word_screen
from rules.actions import parse_action
from rules.game import Game, at
from rules.history import Record
from rules.position import parse_position
from rules.ruleset import PRESETS, RuleSet
from tests.pi_app.texts.shown import Shown, note_shown

MOST_FRAMES = 40
# Messages that only arrange others, or name a place: those are on most screens, so they are short.
NOTATION = {
    "key": "{press}: {does}",
    "line-and-value": "{line}: {value}",
    "nth-of": "{n} of {all}",
    "of-seat": "{seat}: {what}",
    "pawn-from": "{seat}: {origin} →",
    "place-entry": "{seat}+0",
    "place-home": "home",
    "place-nest": "nest",
    "place-past": "{seat}+{spaces}",
    "plus": "+{number}",
    "seat-and-name": "{seat} {name}",
    "side": "{one}+{other}",
    "stopped-by": "{numbers}: {reason}",
    "sum": "{one}+{other}",
    "two-in-a-row": "{one} {other}",
    "two-lines": "{one}\n{other}",
    "uses-at": "{uses}: {place}",
    "uses-from": "{uses}: {origin} →",
}


class Ids(Language):
    """The language of the tests: says a message by its id and slots, as in `ask-leaves(C)`.

    Several slots have their names: `plays-for(seat=C, who=B)`.
    """

    def say(self, text: Text | Value, place: Place = "panel", form: str = "") -> str:
        if isinstance(text, tuple):
            return "+".join(map(self.say, text))
        if not isinstance(text, Message) or not text:
            return super().say(text)
        slots = {name: self.say(value) for name, value in text.slots}
        if text.id in NOTATION:
            return NOTATION[text.id].format(**slots)
        named = ", ".join(f"{name}={value}" for name, value in slots.items())
        values = "".join(slots.values()) if len(slots) == 1 else named
        return f"{text.id}({values})" if slots else text.id


IDS = Ids(ENGLISH.catalog)


@lru_cache(20_000)
def draw_once(screen: Screen, for_child: bool, language: Language = ENGLISH) -> None:
    """Draw all that a screen shows in turn, to see that it fits; view.Overflow names what does not.

    for_child: it is shown line by line. language: of its words.
    """
    motion = Motion(read_since=0.0 if for_child else None)
    seen: set[bytes] = set()
    t = 0.0
    for _ in range(MOST_FRAMES):
        image, until = view.frame(screen, motion, t, language)
        if until is None or image.tobytes() in seen:
            return
        seen.add(image.tobytes())
        t = max(until, t + view.BEAT_S)  # what blinks in between has no words


def must_fit(reply: Reply) -> None:
    """Draw a reply's screen; view.Overflow names what does not fit. Note it for other languages."""
    by_line = reply.motion.read_since is not None
    language = ENGLISH.in_idioms(*reply.session.idioms)
    note_shown(Shown(reply.screen, reply.motion.notice, by_line))
    draw_once(reply.screen, by_line, language)


class Sitting:
    """A session at the table: fingers, dice as given, and what came of it.

    `watch` is called with every reply; unless one is given, its screen must fit the display.
    `advise` answers what the session asks, None where nobody does.
    `rows` are all rows that were recorded so far, `waiting` those that wait to be. `refusing`: why
    the journal takes none now, as it names that.
    """

    def __init__(
        self,
        setup: Setup | None = None,
        dice: Iterable[tuple[int, ...]] = (),
        watch: Callable[[Reply], None] = must_fit,
        settings: Settings = NO_SETTINGS,
        advise: Callable[[str], str] | None = answer_line,
    ) -> None:
        self.session = new_session(setup or Setup(), settings)
        self.dice: Iterator[tuple[int, ...]] = iter(dice)
        self.watch = watch
        self.advise = advise
        self.t = 0.0
        self.rows: list[Row] = []
        self.waiting: list[Row] = []
        self.refusing: Fault | Literal[""] = ""
        self.tones: list[Tone] = []
        self.reply = self.tell(Tick(self.t))

    def tell(self, event: Event) -> Reply:
        """Hand in one event; dice that are asked for follow at once, as in the loop."""
        if self.waiting and not self.refusing:
            self._save()
        self.reply = self._answer(event)
        if (self.reply.rows or self.reply.puts) and self.refusing and not self.session.unsaved:
            self.reply = refuse_press(self.session, self.reply, self.refusing)
        self.session = self.reply.session
        (self.waiting if self.refusing else self.rows).extend(self.reply.rows)
        self.tones += self.reply.tones
        self.watch(self.reply)
        if self.advise is not None and (question := next_question(self.session)) is not None:
            answer = question.read(self.advise(question.line()))
            return self.tell(AdviceGiven(question, answer, event.t))
        return self.reply

    def _answer(self, event: Event) -> Reply:
        """Return the session's reply, with the dice that it asked for thrown, as one."""
        reply = handle(self.session, event)
        if not reply.draw:
            return reply
        press = (event.boot, event.n) if isinstance(event, ChamberPress) else ()
        faces = next(self.dice)[: reply.draw]
        after = handle(reply.session, DiceDrawn(faces, "simulated", event.t, *press))
        return replace(
            after,
            rows=reply.rows + after.rows,
            puts=reply.puts + after.puts,
            tones=reply.tones + after.tones,
        )

    def _save(self) -> None:
        self.rows += self.waiting
        self.waiting = []
        self.session = handle(self.session, RowsSaved(self.t)).session

    def resume(
        self, position: str, seat: int, ruleset: RuleSet | str = "royal-2023", doublets: int = 0
    ) -> Reply:
        """Put a game on the table in which this seat is to throw in this position."""
        rules = PRESETS[ruleset] if isinstance(ruleset, str) else ruleset
        game = at(rules, parse_position(position, rules), seat, doublets)
        return self.tell(Resume(Record(game, host=game.seats[0]), self.t))

    def wait(self, seconds: float) -> Reply:
        """Let time pass, with a tick whenever the session asked for one."""
        until = self.t + seconds
        while self.reply.wake_at is not None and self.reply.wake_at <= until:
            self.t = self.reply.wake_at
            self.tell(Tick(self.t))
        self.t = until
        return self.tell(Tick(self.t))

    def down(self, seat: int | None, kind: Kind) -> Reply:
        return self.tell(Down(Button(seat, kind), self.t))

    def up(self, seat: int | None, kind: Kind) -> Reply:
        return self.tell(Up(Button(seat, kind), self.t))

    def press(self, seat: int | None, kind: Kind, seconds: float = 0.1) -> Reply:
        """Press a button for so long and let it go."""
        self.down(seat, kind)
        self.wait(seconds)
        return self.up(seat, kind)

    def ok(self, seat: int) -> Reply:
        """Press OK once the screen that the last one brought has been read."""
        self.read(seat)
        return self.press(seat, "ok")

    def read(self, seat: int) -> None:
        """Wait until this seat's OK is no longer deaf."""
        self.wait(max(0.0, self.session.ok_deaf[seat] - self.t))

    def tell_ok(self, seat: int) -> Reply:
        """Press OK and let it go in no time."""
        self.down(seat, "ok")
        return self.up(seat, "ok")

    def next(self, seat: int) -> Reply:
        return self.press(seat, "next")

    def hold_ok(self, seat: int) -> Reply:
        self.read(seat)
        return self.press(seat, "ok", self.hold_s(seat))

    def hold_next(self, seat: int) -> Reply:
        return self.press(seat, "next", self.hold_s(seat))

    def go_on(self, seat: int) -> Reply:
        """Go on to the next choice: by NEXT, or by a click of a panel's only button."""
        return self.ok(seat) if self.session.setup.has_one_button(seat) else self.next(seat)

    def confirm(self, seat: int) -> Reply:
        """Do the choice that is shown: by OK, or by a hold of a panel's only button."""
        return self.hold_ok(seat) if self.session.setup.has_one_button(seat) else self.ok(seat)

    def open_menu(self, seat: int) -> Reply:
        """Open the menu out of turn: by a hold of NEXT, or of a panel's only button."""
        one = self.session.setup.has_one_button(seat)
        return self.hold_ok(seat) if one else self.hold_next(seat)

    def go_to(self, seat: int, *path: str) -> int:
        """Go on to each of these lines and do it; return how many presses that took."""
        presses = len(path)
        for line in path:
            while self.marked != line:
                self.go_on(seat)
                presses += 1
                assert presses < 60, f"{line} is not among {self.choices}"
            self.confirm(seat)
        return presses

    def hold_s(self, seat: int) -> float:
        """Return how long this seat's buttons are held; a child's must be for longer."""
        return 2.1 if self.session.seats.is_childs(seat) else 1.1

    def choose(self, seat: int, *path: str) -> Reply:
        """Open the menu on this panel if it is not open, and go through its lines.

        path: the lines' ids; where they are no menu's, their words.
        """
        if not isinstance(self.session.mode, Menu | FromMenu):
            self.hold_next(seat)
        for line in path:
            lines = self.choices
            assert line in lines, lines
            at = lines.index(line)
            for _ in range((at - self.chosen) % len(lines)):
                self.next(seat)
            self.ok(seat)
        return self.reply

    @property
    def choices(self) -> tuple[str, ...]:
        """The lines that one chooses from: a menu's ids, otherwise their words."""
        mode = self.session.mode
        return mode.ids(self.session) if isinstance(mode, Menu) else self.page.lines

    @property
    def marked(self) -> str:
        """The line of `choices` that OK would do."""
        return self.choices[self.chosen]

    @property
    def chosen(self) -> int:
        """The index of the marked line among `choices`."""
        mode = self.session.mode
        return mode.index if isinstance(mode, Menu) else self.page.chosen or 0

    def dome(self) -> Reply:
        return self.press(None, "dome")

    def throw(self) -> Reply:
        """Press the dome when it is no longer deaf, and wait until the dice stand."""
        self.wait(2.0)
        self.dome()
        return self.wait(2.2)

    def begin(self, *seats: int, ruleset: str | None = None) -> Reply:
        """Let these seats join in this order and begin, by a preset if one is named."""
        for seat in seats:
            self.ok(seat)
        if ruleset is not None and getattr(self.session.mode, "ruleset", ruleset) != ruleset:
            has_next = [seat for seat in seats if not self.session.setup.has_one_button(seat)]
            self.choose_rules(has_next[0], ruleset)
        self.hold_ok(seats[0])
        return self.reply if self.session.record is not None else self.hold_ok(seats[0])

    def choose_rules(self, seat: int, name: str) -> Reply:
        """Choose the next game's rules on this panel while players join."""
        self.next(seat)
        return self.choose(seat, family_of(self.session.settings, name), name)

    @property
    def record(self) -> Record:
        return self.session.playing

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def screen(self) -> WordedScreen:
        """The screen, with the ids of its messages for words."""
        return word_screen(self.reply.screen, IDS)

    @property
    def frame(self) -> view.Frame:
        """How the screen looks now, in English, and until when."""
        language = ENGLISH.in_idioms(*self.session.idioms)
        return view.frame(self.reply.screen, self.reply.motion, self.t, language)

    @property
    def notice(self) -> str:
        """The line over the bottom, or the lines of devices that take turns there."""
        return notice_of(self.reply)

    @property
    def beat(self) -> int:
        """How many of the keys have had their turn since the screen came up."""
        return steps_since(self.reply.motion.since, view.BEAT_S, self.t)

    @property
    def is_lit(self) -> bool:
        """Whether what blinks is seen now."""
        return steps_since(self.reply.motion.since, view.BLINK_S, self.t) % 2 == 0

    @property
    def line(self) -> large.LargeLine | WordedScreen:
        """What a child is shown now: a line, or the screen as usual."""
        screen, motion = self.screen, self.reply.motion
        if motion.read_since is None or not isinstance(screen, BoardScreen | TextScreen):
            return screen
        return large.visible_part(screen, FrameTime(self.t, motion.since), motion.read_since)

    @property
    def keys(self) -> tuple[str, ...]:
        """What to press and what that does, each as one text: `OK: go on`."""
        keys = getattr(self.screen, "keys", ())
        return tuple(f"{key.press}: {key.does}" for key in keys)

    @property
    def hint(self) -> str:
        """What stands at the bottom of a page: its hint, or all its keys."""
        return getattr(self.screen, "hint", "") or ", ".join(self.keys)

    @property
    def page(self) -> TextScreen[str]:
        assert isinstance(self.screen, TextScreen)
        return self.screen

    @property
    def podium(self) -> Podium[str]:
        assert isinstance(self.screen, Podium)
        return self.screen

    @property
    def table(self) -> BoardScreen[str]:
        assert isinstance(self.screen, BoardScreen)
        return self.screen


def enter_rows(table: Sitting, *entries: str) -> None:
    """Enter actions that no press has made."""
    for entry in entries:
        change = act(table.session, parse_action(entry))
        table.session = follow_up(table.session, change).session
    table.wait(0.1)


def notice_of(reply: Reply) -> str:
    """Return the line over the bottom of a reply's screen, or those of devices in their order."""
    return IDS.say(reply.motion.notice or reply.motion.notices)


def filled(table: Sitting) -> float:
    """Return how much of a hold is over, 0 to 1."""
    bar = table.reply.motion.bar
    assert bar is not None
    return (table.t - bar.since) / (bar.until - bar.since)


def told(table: Sitting) -> str:
    """Return what is used and from where, and what comes of it, as one line."""
    return " ".join(filter(None, (table.table.lead, *table.table.words)))


def marks(table: Sitting) -> str:
    """Return what the page says of each seat, as one line."""
    return " ".join(f"{'ABCD'[mark.seat]}:{mark.text or '-'}" for mark in table.page.seats)


def words(table: Sitting) -> str:
    """Return the large words beside the board as one line."""
    return " ".join(table.table.words)


def thrown(position: str, faces: tuple[int, int], ruleset: str = "royal-2023") -> Sitting:
    """Return a table at which A has thrown these faces in this position."""
    table = Sitting(dice=[faces])
    table.resume(position, 0, ruleset)
    table.throw()
    return table
