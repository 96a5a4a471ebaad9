"""Random fingers over a virtual clock: nothing raises, nobody is stuck, the rows tell the game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import pytest

from pi_app.model import history
from pi_app.model.advice import BotQuestion, HintQuestion, parse_question
from pi_app.model.events import (
    Address,
    Button,
    ChamberLine,
    ChamberPress,
    ChamberRolled,
    Down,
    Event,
    Kind,
    Resume,
    Setup,
    Tick,
    Up,
)
from pi_app.model.hint_reasons import HintReason
from pi_app.model.history import New, Row, apply, fold, start_row
from pi_app.model.screens import BoardScreen
from pi_app.settings.houses import HOUSE_PREFIX
from pi_app.settings.settings import (
    BOTS,
    CHILDREN,
    DICE,
    LAST_ROUND,
    LATE_TURN,
    LEVELS,
    TURN_LIMIT,
    Settings,
)
from pi_app.table.core.state import Mode, Session
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.menu.naming import Naming
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.modes.play.typed_dice import STEPPED_OK_S
from pi_app.table.modes.whole_menu import WholeMenu
from pi_app.table.session import Reply, handle, new_session
from pi_app.table.session_text import session_text
from pi_app.table.wishes import wishes_of
from pi_app.texts.words import seat_letter
from rules.actions import Choose, Correct, Move, Stop, Throw
from rules.board import SEATS
from rules.game import Game, IllegalAction, Phase, play
from rules.history import Record, new_record
from rules.ruleset import PRESETS, parse_ruleset
from tests.asked import extent
from tests.pi_app.sitting import Sitting, must_fit
from tests.pi_app.table.dome_checks import (
    BOOT,
    DOME,
    check_armed,
    check_quiet,
    check_round,
    check_rows,
    check_undone,
    check_wakes,
    is_press,
)
from tests.pi_app.table.session_reader import parse_session
from tests.rules.draw import house_rules, position
from tests.rules.from_the_texts import Options, options_of

PRESSES = extent(2_000, soak=30_000)
TABLES = extent(4, soak=6)  # as many draws of a table share the presses
DRAWN = extent(25, soak=5) / 100  # of the screens: drawing takes longest
# After one of so many presses the way to the menu and back is looked for.
LOOKED_FOR = extent(300, soak=1000)
MOST = 28  # presses to the menu by one button, 16 pawns having been put back
LEVEL = 8  # presses out of a section by one button: past six entries to "back", and in
SETTLED_S = 0.45  # an OK that was deaf counts again
ROOMS = (
    Setup(page=Address("pachisi.local", known=True)),
    Setup(next_buttons=(), page=Address("raspberrypi.local", known=False)),
    Setup(next_buttons=(0, 3), dome=False),
    Setup(next_buttons=(), dome=False),
    Setup(panels=(1, 2), next_buttons=(1, 2)),
    Setup(panels=(0, 1, 3), next_buttons=(1,)),
    Setup(dome=False, chamber=True),
    Setup(dome=False, chamber=True, rolls=True),
)
TRIED = 0.05  # of the screens: what the dome would do on them


@dataclass
class Fingers:
    """One table with its fingers: what it has recorded so far, and the game that this tells."""

    chance: Random

    def __post_init__(self) -> None:
        self.setup = self.chance.choice((*ROOMS, *[any_room(self.chance)] * len(ROOMS)))
        self.rows: list[Row] = []
        self.told: Record | None = None
        self.kept: dict[str, str] = {}
        panels = self.setup.panels
        seats = self.chance.sample(panels, self.chance.randint(2, len(panels)))
        bots = seats[1 : self.chance.randint(1, len(seats))]
        self.kept.update((BOTS[seat].key, self.chance.choice(LEVELS)) for seat in bots)
        children = [seat_letter(seat) for seat in range(4) if self.chance.random() < 0.1]
        if children:
            self.kept[CHILDREN.key] = "".join(children)
        if self.chance.random() < 0.1:
            self.kept[DICE.key] = "typed"
        self.kept[LAST_ROUND.key] = self.chance.choice(("0 minutes", "5 minutes", "3 turns"))
        self.kept[TURN_LIMIT.key] = self.chance.choice(("off", "off", "30"))
        self.kept[LATE_TURN.key] = self.chance.choice(("remind", "move"))
        self.event: Event
        self.pressed = 0  # how often the lit chamber's dome was
        self.stepped = float("-inf")  # when the dome last stepped back
        self.seen = Counter[str]()  # what the dome has done
        self.table = self._sitting(Settings(self.kept))
        self._begin(seats)

    def _sitting(self, settings: Settings) -> Sitting:
        self.before, self.event = new_session(self.setup, settings), Tick(0.0)
        return Sitting(self.setup, self._throws(), self._watch, settings, any_answer)

    def _begin(self, seats: list[int]) -> None:
        """Put a game by drawn rules of these seats on the table, often in a drawn position.

        Positions are drawn for Parcheesi alone.
        """
        ruleset = None
        while ruleset is None or (ruleset.partners and len(seats) < SEATS):
            name = self.chance.choice(list(PRESETS))
            options = house_rules(self.chance) if self.chance.random() < 0.5 else {"preset": name}
            ruleset = parse_ruleset(options)
        self.told = new_record(ruleset, seats)
        self.rows = [start_row(self.told)]
        if self.chance.random() < 0.7:
            while self.told.game.phase is not Phase.THROW:
                game = self.told.game
                order = Throw(tuple(self.chance.choices(range(1, 7), k=game.dice)))
                self._enter(Choose(seats[0]) if game.phase is Phase.STARTER else order)
            self._put_down(options_of(options))
        self._link()
        self._tell(Resume(self.told, self.table.t, self.chance.random() < 0.1))

    def _enter(self, entry: Throw | Choose | Correct) -> None:
        assert self.told is not None
        self.told, row, _ = history.act(self.told, entry, "simulated")
        self.rows.append(row)

    def _put_down(self, options: Options) -> None:
        """Correct the pawns to a drawn position, those of seats that do not play left out."""
        assert self.told is not None
        seats = self.told.game.seats
        for _ in range(20):
            drawn = position(self.chance, options)[0].split("/")
            pawns = [text if text != "-" else "N,N,N,N" for text in drawn]
            text = "/".join(pawns[seat] if seat in seats else "-" for seat in range(4))
            with suppress(IllegalAction):  # where they can't stand so, or that seat has won
                self._enter(Correct(text, self.chance.choice(seats)))
                return

    def _link(self) -> None:
        """Let the line to the lit chamber come up or be lost, if it belongs here."""
        if self.setup.chamber:
            self._tell(ChamberLine(self.chance.random() < 0.8, self.table.t))

    def _throws(self) -> Iterator[tuple[int, ...]]:
        while True:
            yield tuple(self.chance.choices(range(1, 7), k=2))

    def _watch(self, reply: Reply) -> None:
        """Check what holds of every reply, and follow what it records."""
        before, s = self.before, reply.session
        self.before = s
        check_rows(before, self.event, reply)
        assert not reply.rows or s.t >= self.stepped + STEPPED_OK_S
        if is_press(self.event) and stepped_back(before, s):
            self.stepped = s.t
            self.seen["back"] += 1
        if len(reply.rows) == 2:
            self.seen["confirmed"] += 1
            check_undone(before, s)
        if self.chance.random() < TRIED:
            check_armed(s)
            check_round(s)
            check_quiet(reply, self.chance.random())
        check_wakes(reply)
        if self.chance.random() < DRAWN:
            must_fit(reply)
        for row in reply.rows:
            new = isinstance(row.entry, New)
            self.told = fold([row]) if new or self.told is None else apply(self.told, row)
            self.rows = [row] if new else [*self.rows, row]
        for key, text in reply.puts:
            self.kept = {**self.kept, key: text} if text is not None else without(self.kept, key)
        assert reply.session.settings.kept == self.kept
        check_people(reply.session)
        if reply.rows and self.told is not None:
            assert reply.session.playing.game == self.told.game

    def press(self) -> None:
        """Press some button for some time, then wait some time: mostly what moves the game on."""
        table, chance = self.table, self.chance
        table.advise = any_answer if chance.random() < 0.8 else None  # bots think for a while
        button = self._button()
        held = chance.choices((0.1, 0.7, 1.1, 2.1), (12, 1, 4, 1))[0]
        waits = chance.choices((0.05, 0.5, 2.5, 31.0, 125.0), (30, 60, 8, 1, 0.3))[0]
        if chance.random() < 0.01:
            table.refusing = "" if table.refusing else "disk-full"
        if chance.random() < 0.01:
            self._link()
        if button == DOME and self.setup.chamber:
            self._press_lit()
        else:
            self._tell(Down(button, table.t))
            if button != DOME and chance.random() < 0.05:  # somebody else is quicker
                early = chance.random() * held
                self._pass(early)
                self._press_dome()
                held -= early
            self._pass(held)
            self._tell(Up(button, table.t))
        self._pass(waits)

    def _press_dome(self) -> None:
        if self.setup.chamber:
            self._press_lit()
        elif self.setup.dome:
            self._tell(Down(DOME, self.table.t))
            self._tell(Up(DOME, self.table.t))

    def _press_lit(self) -> None:
        """Press the lit chamber's dome, armed or late, with an ARM of now or of before."""
        s, t = self.table.session, self.table.t
        if not s.lit:
            return
        self.pressed += 1
        armed = wishes_of(s)
        key = armed.key if self.chance.random() < 0.95 else armed.key - 1
        if armed.mode == "roll" and s.record is not None:
            faces = tuple(self.chance.choices(range(1, 7), k=s.playing.game.dice))
            self._tell(ChamberRolled(BOOT, self.pressed, key, faces, t))
        else:
            self._tell(ChamberPress(BOOT, self.pressed, key, t))

    def _tell(self, event: Event) -> None:
        self.event = event
        self.table.tell(event)
        self.event = Tick(self.table.t)

    def _pass(self, seconds: float) -> None:
        """Let time pass in one go: what only blinks meanwhile is left out."""
        self.table.t += seconds
        self._tell(Tick(self.table.t))

    def _button(self) -> Button:
        s = self.table.session
        drivers = s.mode.drivers(s)
        what = self.chance.random()
        if what < 0.1 or not drivers:
            every = [Button(seat, kind) for seat in self.setup.panels for kind in ("ok", "next")]
            return self.chance.choice([*every, Button(None, "dome"), Button(None, "power")])
        if what < 0.25 and (self.setup.dome or self.setup.chamber):
            return DOME
        seat = self.chance.choice(drivers)
        kind: Kind = "ok" if s.setup.has_one_button(seat) or self.chance.random() < 0.6 else "next"
        return Button(seat, kind)

    def restart(self) -> None:
        """Pull the plug: the rows are folded anew and the game goes on."""
        if self.told is not None:
            record = fold(self.rows)
            assert stripped(record) == stripped(self.told)
            if self.table.session.record is not None:
                assert stripped(self.table.session.record) == stripped(record)
            self.table = self._sitting(self.table.session.settings)
            self.stepped = float("-inf")
            self._link()
            self._tell(Resume(record, self.table.t))


def any_room(chance: Random) -> Setup:
    """Return a table of some panels, of which any may have one button."""
    panels = tuple(sorted(chance.sample(range(4), chance.randint(2, 4))))
    two_buttons = tuple(seat for seat in panels if chance.random() < 0.5)
    chamber = chance.random() < 0.4
    dome = not chamber and chance.random() < 0.7
    rolls = chamber and chance.random() < 0.4
    return Setup(panels, two_buttons, dome=dome, rolls=rolls, chamber=chamber)


def stepped_back(before: Session, session: Session) -> bool:
    """Whether another choice of the same game is shown now."""
    was, now = before.mode, session.mode
    same = before.record is session.record
    return same and isinstance(was, Playing) and isinstance(now, Playing) and was.index != now.index


def any_answer(line: str) -> str:
    """Answer whatever is asked, quickly: with no good play, no good hint, hardly any luck."""
    question = parse_question(line)
    if isinstance(question, BotQuestion):
        return json.dumps(any_play(question.game))
    if isinstance(question, HintQuestion):
        return json.dumps([any_play(question.game)[0], HintReason("safer", many=12, of=36)])
    known = len(line) % 50 > 0  # else nobody can work it out
    return json.dumps([1.5, 0.5, [], [0.25, 0.25, 0.25, 0.25]] if known else None)


def any_play(game: Game) -> list[str]:
    """Return a legal play that is found at once."""
    actions = list[str]()
    while game.phase is Phase.MOVE:
        action = Move(max(game.steps)) if game.steps else Stop()
        actions.append(str(action))
        game, _ = play(game, action)
    return actions


def check_people(session: Session) -> None:
    """Check that bots are never alone, and that people may press for them."""
    if session.record is None:
        return
    bots = {seat for seat in session.playing.game.seats if session.seats.has_bot(seat)}
    assert bots < set(session.playing.game.seats)
    assert not isinstance(session.mode, Playing) or bots.isdisjoint(session.mode.drivers(session))


def without(texts: dict[str, str], key: str) -> dict[str, str]:
    """Return texts without one of them."""
    return {one: text for one, text in texts.items() if one != key}


def stripped(record: Record | None) -> Record | None:
    """Return a record without what only the hands have still to do."""
    return None if record is None else replace(record, displaced=None)


# The way to the menu, to its top and back: looked for on copies, the session being a value.

Seen = tuple[object, ...]
TAPS = (("next", 2.1), ("next", 0.1), ("ok", 2.1), ("ok", 0.1))  # 2 s: for children, too


def after_press(session: Session, seat: int, kind: str, held: float) -> Session:
    """Return the session after a press once the last screen has been read, nothing being drawn."""
    button = Button(seat, "ok" if kind == "ok" else "next")
    down = passed(session, SETTLED_S)
    down = handle(down, Down(button, down.t)).session
    up = passed(down, held)
    return handle(up, Up(button, up.t)).session


def passed(session: Session, seconds: float) -> Session:
    """Return the session after so long, without the steps in between that only blink."""
    return handle(session, Tick(session.t + seconds)).session


def found(
    session: Session, seats: tuple[int, ...], there: Callable[[Session], bool], most: int = MOST
) -> Session:
    """Return where it is so, by the fewest presses of these seats, no move and the same rules."""
    at, seen = [session], {seen_of(session)}
    for _ in range(most + 1):
        for one in at:
            if there(one):
                return one
        at = [after for one in at for after in following(one, seats, seen)]
    raise AssertionError(f"{seats} find no way by {most} presses from {session.mode}")


def following(session: Session, seats: tuple[int, ...], seen: set[Seen]) -> Iterator[Session]:
    """Yield what each press leads to that has not been seen, and moves no pawn and sets no rule."""
    for seat, (kind, held) in product(seats, TAPS):
        if kind == "ok" or not session.setup.has_one_button(seat):
            after = after_press(session, seat, kind, held)
            is_left = stripped(after.record) == stripped(session.record)
            is_left = is_left and house_texts(after) == house_texts(session)
            if is_left and seen_of(after) not in seen:
                seen.add(seen_of(after))
                yield after


def house_texts(session: Session) -> dict[str, str]:
    kept = session.settings.kept
    return {key: text for key, text in kept.items() if key.startswith(HOUSE_PREFIX)}


def seen_of(session: Session) -> Seen:
    """Return what tells sessions apart that lie on the way: the screen, but for what blinks."""
    screen = session.mode.show(session).screen
    words: object = screen
    if isinstance(screen, BoardScreen):
        words = screen.heading, screen.lead, screen.words, screen.note, screen.dice
    return type(session.mode).__name__, str(words), session.mode.drivers(session)


def in_menu(session: Session) -> bool:
    return isinstance(session.mode, Menu)


def at_top(session: Session) -> bool:
    return isinstance(session.mode, Menu) and session.mode.path == ()


def outside(session: Session) -> bool:
    return not isinstance(session.mode, Menu)


def check_ways(session: Session) -> None:
    """Check that who may press gets to the menu, to its top and back by a few presses."""
    lifted = session
    for finger in session.fingers.down:
        lifted = handle(lifted, Up(finger.button, lifted.t)).session
    if session.mode.off or not lifted.joined:
        return
    drivers = lifted.mode.drivers(lifted)
    if isinstance(lifted.mode, Naming) and lifted.setup.has_one_button(drivers[0]):
        return  # the way out comes after all letters
    others = tuple(seat for seat in lifted.joined if seat not in drivers)
    # While these are shown everybody may press; who may afterwards is one of them.
    is_short = isinstance(lifted.mode, RefusedPress | ShowingThrow)
    some = drivers if is_short else (*drivers[:1], *others[:1])
    menu = found(lifted, some, in_menu)
    assert isinstance(menu.mode, Menu)
    top = found(menu, menu.mode.drivers(menu), at_top, LEVEL * len(menu.mode.path))
    found(top, top.mode.drivers(top), outside)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(TABLES))
def test_random_fingers_find_no_fault_and_no_dead_end(seed: int) -> None:
    chance = Random(f"fingers {seed}")
    fingers, modes, looked = Fingers(chance), set[type[Mode]](), set[type[Mode]]()
    for n in range(PRESSES // TABLES):
        fingers.press()
        s = fingers.table.session
        modes.add(type(s.mode))
        if type(s.mode) not in looked or n % LOOKED_FOR == 0:
            looked.add(type(s.mode))
            check_ways(s)
            assert parse_session(session_text(s)) == s
        if s.mode.off or chance.random() < 0.002:
            fingers.restart()
        elif s.record is None and not s.joined and chance.random() < 0.1:
            fingers = Fingers(chance)
    assert modes >= {Playing, WholeMenu}
