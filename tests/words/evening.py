"""A whole evening in a language: what each press shows and says, in the country's own game.

Three players switch a new referee on and play. They make the mistakes that the manual is about, end
the game by its last round, change the rules, win, and switch off. Each press is one that people
make, and the session answers it as it does in a living room; only the dice are given.
"""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple, get_args

from PIL import Image

from pi_app.display.view import draw, frame
from pi_app.model.events import Button, Kind, Notice, Request, Resume, Setup, Stuck
from pi_app.model.screens import Message, Seat, message
from pi_app.table.core.gestures import OFF_S
from pi_app.table.core.speech import SILENCE, join_lines, new_words, screen_words, speech_of
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.table.modes.play.play import CHEER_S, Playing
from pi_app.table.modes.play.typed_dice import Typing
from pi_app.table.session import Reply
from pi_app.table.telling import last_pages
from pi_app.texts.language import Language, find_language, language, language_names
from rules.board import HOME, NEST
from rules.game import Phase
from tests.pi_app.sitting import Sitting
from tests.pi_app.texts.shown import Shown, messages_of

A, B, C = range(3)
THROWING = (Phase.ORDER, Phase.THROW)
SEED = 1  # of the dice that are not given
MOST_PRESSES = 2000  # of a game
MOST_LINES = 10  # of the end of a game


class Moment(NamedTuple):
    """A screen of the evening.

    pressed: what was pressed since the last one. said: what the voice speaks when it appears, "" if
    that is nothing new.
    """

    pressed: tuple[Message, ...]
    shown: Shown
    language: Language
    said: str


class Picture(NamedTuple):
    """A picture of the manual. words: what the voice reads there."""

    image: Image.Image
    words: str


@cache
def evening(code: str) -> "Evening":
    """Return the evening in a language, by the name of its catalog."""
    return Evening(code)


class Evening(Sitting):
    """The moments of an evening in their order, and the pictures of the manual by their names."""

    def __init__(self, code: str) -> None:
        self.moments: list[Moment] = []
        self.pictures: dict[str, Picture] = {}
        self._pressed: list[Message] = []
        self._spoken = SILENCE
        self._given: list[tuple[int, int]] = []
        setup = Setup(
            languages=language_names(),
            asks_language=True,
            voice=True,
            requests=get_args(Request),
            version="1.0",
        )
        super().__init__(setup, self._throws(), self._keep)
        self._start(code)
        self._join()
        self._choose_a_move()
        self._find_faults()
        self._take_back()
        self._take_real_dice()
        self._cut_the_power()
        self._correct()
        self._fill_the_disk()
        self._leave()
        self._end_by_last_round()
        self._change_the_rules()
        self._win()
        self._switch_off(code)

    def news(self) -> Iterator[Moment]:
        """Yield each moment that has other messages than all before it, with all presses before."""
        seen = set[tuple[object, ...]]()
        pressed: list[Message] = []
        for moment in self.moments:
            pressed += moment.pressed
            screen, _, by_line = moment.shown
            kind = type(screen), by_line, frozenset(messages_of(moment.shown))
            if kind not in seen:
                seen.add(kind)
                yield moment._replace(pressed=tuple(pressed))
                pressed.clear()

    # What the players see, hear and throw.

    def _keep(self, reply: Reply) -> None:
        """Keep a new screen, unless it is only there while dice tumble."""
        language = find_language(reply.session.language).in_idioms(*reply.session.idioms)
        speech = speech_of(reply.session, reply.screen, language)
        said, self._spoken = new_words(self._spoken, speech), speech
        by_line = reply.motion.read_since is not None
        shown = Shown(reply.screen, reply.motion.notice, by_line)
        if not speech.parts or (self.moments and self.moments[-1].shown == shown):
            return
        self.moments.append(Moment(tuple(self._pressed), shown, language, said))
        self._pressed.clear()

    def press(self, seat: int | None, kind: Kind, seconds: float = 0.1) -> Reply:
        what = message(f"press-hold-{kind}" if seconds > 1 else f"press-{kind}")
        self._pressed.append(
            what if seat is None else message("of-seat", seat=Seat(seat), what=what)
        )
        return super().press(seat, kind, seconds)

    def _picture(self, name: str) -> None:
        """Keep the screen of now as a picture of the manual."""
        spoken, notice = self.moments[-1].language, self.reply.motion.notice
        image = frame(self.reply.screen, self.reply.motion, self.t, spoken).image
        lines = screen_words(self.reply.screen, spoken), spoken.say(notice, "voice")
        self.pictures[name] = Picture(image, join_lines(lines))

    def _throws(self) -> Iterator[tuple[int, int]]:
        """Yield the throws that are given, and otherwise those of a seed."""
        chance = Random(SEED)
        while True:
            drawn = chance.randint(1, 6), chance.randint(1, 6)
            yield self._given.pop(0) if self._given else drawn

    # What the players do.

    def _play_until(self, is_reached: Callable[[], bool]) -> None:
        """Play by the first choice of each screen. Picture the first throw that moves nothing."""
        for _ in range(MOST_PRESSES):
            if "no-move" not in self.pictures and self._has("no-move"):
                self._picture("no-move")
            if is_reached():
                return
            if self.game.phase in THROWING:
                self.throw()
            else:
                self.ok(self._driver)
        raise AssertionError(f"{MOST_PRESSES} presses have not led there")

    def _next_until(self, name: str) -> None:
        """Press A's NEXT until the screen has a message of this id."""
        for _ in range(MOST_LINES):
            if self._has(name):
                return
            self.next(A)
        raise AssertionError(f"no screen has {name}")

    def _leave_menu(self, seat: int) -> None:
        while isinstance(self.session.mode, Menu | FromMenu):
            self.hold_next(seat)

    @property
    def _driver(self) -> int:
        return self.session.mode.drivers(self.session)[0]

    @property
    def _plays(self) -> int:
        """How many moves there are to choose from."""
        mode = self.session.mode
        if self.game.phase is not Phase.MOVE or not isinstance(mode, Playing):
            return 0
        return len(mode.question(self.session).choices)

    def _has(self, name: str) -> bool:
        """Whether the screen has a message of this id."""
        return name in messages_of(Shown(self.reply.screen))

    def _is_to_throw(self, seat: int) -> bool:
        return self.game.seat == seat and self.game.phase is Phase.THROW and not self.session.held

    # The first game.

    def _start(self, code: str) -> None:
        for _ in range([one.code for one in self.session.setup.languages].index(code)):
            self.next(A)
        self._picture("language")
        self.ok(A)

    def _join(self) -> None:
        for seat in (A, B, C):
            self.ok(seat)
        self._picture("joined")
        self.choose(C, "setup", "children")
        self._leave_menu(C)
        self._given = [(4, 3), (4, 3), (2, 1), (5, 2), (3, 1)]  # A and B must throw again
        self.hold_ok(A)
        self._play_until(lambda: self._is_to_throw(A))
        self._picture("to-throw")

    def _choose_a_move(self) -> None:
        self._play_until(lambda: self._plays > 2 and self._driver != C)
        self._picture("choose")
        self.next(self._driver)
        self.dome()
        self.choose(self._driver, "hint")
        self.next(self._driver)
        self.next(self._driver)
        self.ok(self._driver)
        self.hold_next(self._driver)
        self._picture("menu")
        self.choose(self._driver, "board")
        self._picture("menu-board")
        self.choose(self._driver, "why")
        self._picture("why-not")
        self._leave_menu(self._driver)

    def _find_faults(self) -> None:
        other = B if self._driver == A else A
        self.ok(other)
        self._picture("not-your-turn")
        self.wait(5.0)
        self.tell(Stuck(Button(other, "ok"), self.t))
        self._picture("stuck")
        self.up(other, "ok")
        self.tell(Notice("chamber", message("chamber-missing"), self.t))
        self._picture("chamber-missing")
        self.tell(Notice("chamber", None, self.t))

    def _take_back(self) -> None:
        self.ok(self._driver)
        self.choose(self._driver, "undo")
        self._picture("undone")
        self.ok(self._driver)

    def _take_real_dice(self) -> None:
        self._play_until(lambda: self._is_to_throw(A))
        self.choose(A, "dice", "type")
        while isinstance(self.session.mode, Typing):
            self.next(A)
            self.next(A)
            self.ok(A)
        self.choose(self._driver, "dice", "retype")
        while isinstance(self.session.mode, Typing):
            self.ok(A)

    def _cut_the_power(self) -> None:
        self._play_until(lambda: self._is_to_throw(B))
        self.tell(Resume(self.record, self.t, walk=True))
        self._picture("was-off")
        self.ok(B)
        self.next(B)
        self._picture("walk")
        while self._has("has"):
            self.ok(B)

    def _correct(self) -> None:
        """Let B put A's first pawn onto another space."""
        self.choose(B, "board", "correct")
        self._picture("correct")
        self.ok(B)
        self.ok(B)
        for _ in range(2):
            self.next(B)
            self.ok(B)
        self.ok(B)
        self._leave_menu(B)

    def _fill_the_disk(self) -> None:
        self.refusing = "disk-full"
        self.wait(2.0)
        self.dome()
        self._picture("not-saved")
        self.refusing = ""
        self.ok(B)

    def _leave(self) -> None:
        """Let the child go to bed, and a neighbour play on."""
        self._play_until(lambda: self._plays > 1 and self._driver == C)
        self._picture("child")
        self.choose(B, "game", "someone-leaves")
        self._picture("who-leaves")
        self.choose(B, "C")
        self.choose(B, next(line for line in self.choices if line.startswith("plays-for")))
        self.hold_ok(B)

    def _end_by_last_round(self) -> None:
        self._play_until(lambda: "no-move" in self.pictures)
        self.choose(self._driver, "last-round", "now")
        self._play_until(lambda: self.game.phase is Phase.OVER)
        self.wait(CHEER_S)
        self._next_until("luck-and-skill")
        self._picture("luck")
        self.next(A)
        self._picture("chances")
        self._next_until("new-game")
        self.hold_ok(A)

    # The second game, by house rules.

    def _change_the_rules(self) -> None:
        """Let one pawn home win, and a third six or doublet cost something if it does not yet."""
        self.ok(A)
        self.ok(B)
        self.next(A)
        self.next(A)
        self.ok(A)
        self._picture("house-rules")
        self.ok(A)
        self._picture("to-win")
        self.ok(A)
        if self.session.rules.third_doublet == "none":
            self.choose(A, "third_doublet", "last-moved")
        self.choose(A, "show")
        self._leave_menu(A)

    def _win(self) -> None:
        self._given = [(4, 2), (2, 1)]
        self.hold_ok(A)
        self.hold_ok(A)  # B sits beside A
        self._play_until(lambda: self._is_to_throw(A) and self._has_a_pawn_out(A))
        self._given = [(6, 6)] * 3
        self._play_until(lambda: self.game.phase is Phase.OVER)
        self.wait(CHEER_S)
        self._picture("won")

    def _has_a_pawn_out(self, seat: int) -> bool:
        return any(place not in (NEST, HOME) for place in self.game.position[seat])

    def _switch_off(self, code: str) -> None:
        self.choose(A, "setup", "off")
        self.read(A)
        self.press(A, "ok", OFF_S + 0.1)
        spoken = language(code)
        for name, screen in {
            "safe-to-unplug": last_pages.SAFE_TO_UNPLUG,
            "cant-start": last_pages.wrong_settings("112"),
        }.items():
            self.pictures[name] = Picture(draw(screen, spoken), screen_words(screen, spoken))
