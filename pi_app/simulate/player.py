"""A player that plays all seats of a game, and does so only with the buttons."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from pi_app.model.errors import UserError
from pi_app.model.events import Button
from pi_app.settings.settings import Level
from pi_app.simulate.hands import button_name
from pi_app.simulate.script import TAP_S
from pi_app.simulate.simulation import Simulation
from pi_app.table.core.seats import offered_level, offered_levels
from pi_app.table.modes.care.moving_back import MovingBack
from pi_app.table.modes.care.walking import AskingWalk
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.typed_dice import FACES, Typing, TypingEach
from pi_app.table.telling.choices import Deed
from rules.board import SEAT_LETTERS
from rules.game import Game, Phase

NO_BOTS: Mapping[int, Level] = MappingProxyType({})
HOLD_S = 2.2  # enough for a children's panel too
MAX_PRESSES = 40  # after so many presses without an effect, the table is stuck
DEADLOCK_THROWS = 200  # after so many throws without a move, nobody can win


class PlayerError(UserError):
    """The table does not go on. The text says in which state it is."""


@dataclass(slots=True)
class SimulatedPlayer:
    table: Simulation
    chance: Random  # draws among the choices that the table offers

    @property
    def game(self) -> Game:
        return self.table.app.session.playing.game

    def play(self, seats: tuple[int, ...], bots: Mapping[int, Level] = NO_BOTS) -> Game:
        """Begin a game, or continue the one in progress, and play until it is over.

        seats: all that take part. bots: the seats among them that bots play, with their levels.

        If no pawn can ever move again, the player ends the game from the menu. This happens, for
        example, if two dice count as one total: that never brings a pawn from r7 home.
        """
        if self.table.app.session.record is None or self.game.phase is Phase.OVER:
            self.begin(seats, bots)
        position, since = self.game.position, self.game.throws
        while self.game.phase is not Phase.OVER:
            self.act()
            if self.game.position != position:
                position, since = self.game.position, self.game.throws
            elif self.game.throws - since > DEADLOCK_THROWS:
                self.end()
        return self.game

    def begin(self, seats: tuple[int, ...], bots: Mapping[int, Level] = NO_BOTS) -> None:
        """Let the players join, add the bots from the first player's menu, and begin the game."""
        if self.table.app.session.record is not None:  # go from the end of a game to joining
            mode, session = self.settle(), self.table.app.session
            seat = mode.drivers(session)[0]
            deeds = [choice.deed for choice in mode.question(session).choices]
            self._tap(seat, "next", times=(deeds.index(Deed.NEW_GAME) - mode.index) % len(deeds))
            self._tap(seat, "ok", HOLD_S)
        players = [seat for seat in seats if seat not in bots]
        for seat in players:
            self._tap(seat, "ok")
        for seat in seats:
            if seat in bots:
                rules = self.table.app.session.rules
                presses = 1 + offered_levels(rules).index(offered_level(bots[seat], rules))
                self._choose(players[0], "game", "bots", *[SEAT_LETTERS[seat]] * presses)
                self.hold_next(players[0])
                self.hold_next(players[0])
        for _ in range(2):  # two neighbours are asked again whether to begin
            if self.table.app.session.record is None:
                self._tap(players[0], "ok", HOLD_S)
        if self.table.app.session.record is None:
            letters = ", ".join(SEAT_LETTERS[seat] for seat in seats)
            raise PlayerError(f"the seats {letters} joined, but no game began")

    def act(self) -> None:
        """Press what the game waits for, until the game changes."""
        before = self.game
        for _ in range(MAX_PRESSES):
            mode, session = self.settle(), self.table.app.session
            if self.game.phase in (Phase.ORDER, Phase.THROW):
                self.table.wait_until(session.deaf_until)
                if session.dome:
                    self.table.tap("dome")
                else:
                    self._tap(mode.drivers(session)[0], "ok", HOLD_S)
            else:
                driver = mode.drivers(session)[0]
                deeds = [choice.deed for choice in mode.question(session).choices]
                choices = len(deeds) - (Deed.MENU in deeds)
                self._tap(driver, "next", times=self.chance.randrange(choices))
                self._tap(driver, "ok")
            if self.game != before:
                return
        raise PlayerError(f"{MAX_PRESSES} presses changed nothing in {before!r}")

    def end(self) -> None:
        driver = self.settle().drivers(self.table.app.session)[0]
        self.choose_in_menu(driver, "game", "end")
        self._tap(driver, "ok", HOLD_S)

    def choose_in_menu(self, seat: int, *path: str) -> None:
        """Open the menu on a seat's panel, and choose lines by their ids."""
        self.settle()
        self._choose(seat, *path)

    def _choose(self, seat: int, *path: str) -> None:
        self.hold_next(seat)
        for line in path:
            session = self.table.app.session
            menu = session.mode
            ids = menu.ids(session) if isinstance(menu, Menu) else ()
            if not isinstance(menu, Menu) or line not in ids:
                raise PlayerError(f"{SEAT_LETTERS[seat]}'s menu has no {line!r}: {menu!r}")
            self._tap(seat, "next", times=(ids.index(line) - menu.index) % len(ids))
            self._tap(seat, "ok")

    def hold_next(self, seat: int) -> None:
        """Hold NEXT: this opens the menu, or goes back in it."""
        self._tap(seat, "next", HOLD_S)

    def settle(self) -> Playing:
        """Wait, and answer what the table asks first. Return the mode that waits for a choice."""
        for _ in range(MAX_PRESSES):
            session = self.table.app.session
            if isinstance(session.mode, Playing):
                return session.mode
            if isinstance(session.mode, MovingBack):
                self._tap(session.mode.drivers(session)[0], "ok")
            elif isinstance(session.mode, Typing | TypingEach):
                seat = session.mode.drivers(session)[0]
                self._tap(seat, "next", times=self.chance.randrange(FACES))
                self._tap(seat, "ok")
            elif isinstance(session.mode, AskingWalk):
                # This player moves the pawns itself.
                self._tap(session.mode.drivers(session)[0], "next")
            else:
                self.table.wait_until(self.table.app.next_tick_at() or self.table.clock.now)
        raise PlayerError(f"the table stays in {session.mode!r}")

    def _tap(
        self, seat: int, kind: Literal["ok", "next"], hold_s: float = TAP_S, times: int = 1
    ) -> None:
        if self.table.app.session.setup.has_one_button(seat):  # a hold of it means OK
            kind, hold_s = "ok", HOLD_S if kind == "ok" else TAP_S
        for _ in range(times):
            self.table.tap(button_name(Button(seat, kind)), hold_s)
