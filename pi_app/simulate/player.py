"""A player that plays all seats of a game by itself. It has only the buttons to do so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from pi_app.errors import UserError
from pi_app.input.events import Button
from pi_app.settings.settings import LEVELS, Level
from pi_app.simulate.hands import button_name
from pi_app.simulate.script import TAP_S
from pi_app.simulate.simulation import Simulation
from pi_app.table.modes.care.moving_back import MovingBack
from pi_app.table.modes.care.walking import AskingWalk
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.typing import FACES, Typing
from pi_app.table.modes.play.typing_each import TypingEach
from pi_app.table.telling.choices import Deed
from rules.board import SEAT_LETTERS
from rules.game import Game, Phase

NO_BOTS: Mapping[int, Level] = MappingProxyType({})
HOLD_S = 2.2  # enough for a children's panel, too
MAX_PRESSES = 40  # presses without any effect after which the table is stuck
DEADLOCK_THROWS = 200  # throws by which no pawn was moved after which nobody can win any more


class PlayerError(UserError):
    """The table does not go on; one sentence says where it stands."""


@dataclass(slots=True)
class SimulatedPlayer:
    """Chooses among what is offered by `chance`; waits for dice and puts pawns back as told."""

    table: Simulation
    chance: Random

    @property
    def game(self) -> Game:
        """The game on the table."""
        return self.table.app.session.playing.game

    def play(self, seats: tuple[int, ...], boxes: Mapping[int, Level] = NO_BOTS) -> Game:
        """Begin a game, or go on with the one in progress, and play until it is over.

        boxes: the seats among them that boxes play, and how well.

        Where no pawn can ever move again (two dice as one total never bring a pawn from r7 home),
        the player ends the game by the menu.
        """
        if self.table.app.session.record is None or self.game.phase is Phase.OVER:
            self.begin(seats, boxes)
        position, since = self.game.position, self.game.throws
        while self.game.phase is not Phase.OVER:
            self.act()
            if self.game.position != position:
                position, since = self.game.position, self.game.throws
            elif self.game.throws - since > DEADLOCK_THROWS:
                self.end()
        return self.game

    def begin(self, seats: tuple[int, ...], boxes: Mapping[int, Level] = NO_BOTS) -> None:
        """Let these seats join but for boxes, and the first of them seat those and begin."""
        if self.table.app.session.record is not None:
            self._leave_the_end(self.settle().drivers(self.table.app.session)[0])
        joining = [seat for seat in seats if seat not in boxes]
        for seat in joining:
            self._tap(seat, "ok")
        for seat in seats:
            if seat in boxes:
                self._seat(joining[0], seat, boxes[seat])
        for _ in range(2):  # neighbours are asked again
            if self.table.app.session.record is None:
                self._tap(joining[0], "ok", HOLD_S)
        if self.table.app.session.record is None:
            letters = ", ".join(SEAT_LETTERS[seat] for seat in seats)
            raise PlayerError(f"the seats {letters} joined, but no game began")

    def act(self) -> None:
        """Press what the game waits for, until something comes of it."""
        before = self.game
        for _ in range(MAX_PRESSES):
            self._press_once()
            if self.game != before:
                return
        raise PlayerError(f"nothing came of {MAX_PRESSES} presses in {before!r}")

    def end(self) -> None:
        """End the game by the menu."""
        driver = self.settle().drivers(self.table.app.session)[0]
        self.choose_in_menu(driver, "game", "end")
        self._tap(driver, "ok", HOLD_S)

    def _seat(self, host: int, seat: int, how_well: Level) -> None:
        """Have a box play a seat that nobody has joined, by the menu, which stays closed."""
        times = 1 + LEVELS.index(how_well)
        self._choose(host, "game", "boxes", *[SEAT_LETTERS[seat]] * times)
        self.hold_next(host)
        self.hold_next(host)

    def choose_in_menu(self, seat: int, *path: str) -> None:
        """Open the menu on a seat's panel and choose lines by their ids, each in the one before."""
        self.settle()
        self._choose(seat, *path)

    def _choose(self, seat: int, *path: str) -> None:
        self.hold_next(seat)
        opened = self.table.app.session.mode
        back = ("back",) * len(opened.path) if isinstance(opened, Menu) else ()
        for line in (*back, *path):
            session = self.table.app.session
            menu = session.mode
            ids = menu.ids(session) if isinstance(menu, Menu) else ()
            if not isinstance(menu, Menu) or line not in ids:
                raise PlayerError(f"{SEAT_LETTERS[seat]}'s menu has no {line!r}: {menu!r}")
            for _ in range((ids.index(line) - menu.index) % len(ids)):
                self._tap(seat, "next")
            self._tap(seat, "ok")

    def _leave_the_end(self, seat: int) -> None:
        """Go from the end of a game to where players join."""
        mode, session = self.settle(), self.table.app.session
        deeds = [choice.deed for choice in mode.question(session).choices]
        for _ in range((deeds.index(Deed.NEW_GAME) - mode.index) % len(deeds)):
            self._tap(seat, "next")
        self._tap(seat, "ok", HOLD_S)

    def hold_next(self, seat: int) -> None:
        """Hold NEXT, which opens the menu or goes back."""
        self._tap(seat, "next", HOLD_S)

    def _press_once(self) -> None:
        mode, session = self.settle(), self.table.app.session
        if self.game.phase in (Phase.ORDER, Phase.THROW):
            self.table.wait_until(session.deaf_until)
            self.table.tap("dome")
            return
        driver = mode.drivers(session)[0]
        for _ in range(self.chance.randrange(len(mode.question(session).choices))):
            self._tap(driver, "next")
        self._tap(driver, "ok")

    def settle(self) -> Playing:
        """Return the mode in which the game waits for a choice, after what comes before it."""
        for _ in range(MAX_PRESSES):
            session = self.table.app.session
            if isinstance(session.mode, Playing):
                return session.mode
            if isinstance(session.mode, MovingBack):
                self._tap(session.mode.drivers(session)[0], "ok")
            elif isinstance(session.mode, Typing | TypingEach):
                self._type(session.mode.drivers(session)[0])
            elif isinstance(session.mode, AskingWalk):
                self._tap(session.mode.drivers(session)[0], "next")  # it moves no pawns but ours
            else:
                self.table.wait_until(self.table.app.due() or self.table.clock.now)
        raise PlayerError(f"the table stays in {session.mode!r}")

    def _type(self, seat: int) -> None:
        """Type in the next of the real dice."""
        for _ in range(self.chance.randrange(FACES)):
            self._tap(seat, "next")
        self._tap(seat, "ok")

    def _tap(self, seat: int, kind: Literal["ok", "next"], held: float = TAP_S) -> None:
        self.table.tap(button_name(Button(seat, kind)), held)
