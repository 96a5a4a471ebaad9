"""A table played without people or hardware: a virtual clock, scripts, a player of its own.

Both press mock pins and see what people see; the table behind the pins is the real one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal

from luma.core.device import dummy
from PIL import Image

from pi_app.app import App
from pi_app.dice import Dice
from pi_app.events import Button, Row
from pi_app.hands import Hands, button_name
from pi_app.play import Play
from pi_app.script import TAP_S, Press
from rules.board import SEAT_LETTERS
from rules.game import Game, Phase

HOLD_S = 1.2
PAUSE_S = 0.1  # between two presses of the player
PATIENCE = 40  # presses without anything confirmed after which a table is stuck


class SimulationError(Exception):
    """The table does not go on; one sentence says where it stands."""


def seeded_dice(seed: int) -> Dice:
    """Return dice that fall alike for the same seed; their rows say so for ever."""
    return Dice("simulated", Random(seed).randrange)


def row_text(row: Row) -> str:
    """Return a confirmed row as the line that is printed."""
    return " | ".join(filter(None, (row.action, row.position, row.source)))


class Glass(dummy):  # type: ignore[misc]
    """A panel without hardware that tells somebody whenever it shows a new picture."""

    def __init__(self) -> None:
        super().__init__(128, 64, mode="1")
        self.changed: Callable[[], None] = lambda: None

    def display(self, image: Image.Image) -> None:
        super().display(image)
        self.changed()


@dataclass(slots=True)
class VirtualClock:
    """Time that passes only when it is told to, in seconds."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class Simulation:
    """A table on a virtual clock, and the hands on its buttons."""

    app: App
    clock: VirtualClock
    hands: Hands

    def wait_until(self, t: float) -> None:
        """Let time pass; the table ticks whenever it wants to."""
        self.app.drain()
        while (due := self.app.due()) is not None and due <= t:
            self.clock.now = max(self.clock.now, due)
            self.app.drain()
        self.clock.now = max(self.clock.now, t)

    def tap(self, name: str, held: float = TAP_S) -> None:
        """Press a button, hold it so long, let go, and leave a short pause."""
        self.hands.down(name)
        self.wait_until(self.clock.now + held)
        self.hands.up(name)
        self.wait_until(self.clock.now + PAUSE_S)

    def play_script(self, presses: Iterable[Press]) -> None:
        """Play timed presses, which may overlap."""
        for t, down, name in _edges(presses):
            self.wait_until(t)
            if name is not None:
                (self.hands.down if down else self.hands.up)(name)
        self.app.drain()


def _edges(presses: Iterable[Press]) -> list[tuple[float, bool, str | None]]:
    edges: list[tuple[float, bool, str | None]] = []
    for press in presses:
        edges.append((press.t, True, press.button))
        if press.button is not None:
            edges.append((press.t + press.held, False, press.button))
    return sorted(edges, key=lambda edge: edge[:2])


@dataclass(slots=True)
class AutoPlayer:
    """Plays all seats of a game by the buttons; the seed decides what is chosen."""

    table: Simulation
    chance: Random

    def play(self, seats: tuple[int, ...]) -> Game:
        """Begin a game, or go on with the one in progress, and play until it is over."""
        if self.table.app.session.record is None or self._game().phase is Phase.OVER:
            self.begin(seats)
        stuck_at = 0
        while (game := self._game()).phase is not Phase.OVER:
            before = game
            self.act(game)
            stuck_at = 0 if self._game() != before else stuck_at + 1
            if stuck_at > PATIENCE:
                raise SimulationError(f"nothing has changed for {PATIENCE} presses: {game!r}")
        return game

    def begin(self, seats: tuple[int, ...]) -> None:
        """Let these seats join, and the first of them begin."""
        if self.table.app.session.record is not None:
            self._tap(self._game().seats[0], "ok")  # the game before is over
        for seat in seats:
            self._tap(seat, "ok")
        for _ in range(2):  # neighbours are asked again
            if self.table.app.session.record is None:
                self._tap(seats[0], "ok", HOLD_S)
        if self.table.app.session.record is None:
            letters = ", ".join(SEAT_LETTERS[seat] for seat in seats)
            raise SimulationError(f"the seats {letters} joined, but no game began")

    def act(self, game: Game) -> None:
        """Press what the game waits for: the dome, or NEXT some times and then OK."""
        mode = self._mode()
        if game.phase in (Phase.ORDER, Phase.THROW):
            self.table.wait_until(self.table.app.session.deaf_until)
            self.table.tap("dome")
            return
        session = self.table.app.session
        driver = mode.drivers(session)[0]
        for _ in range(self.chance.randrange(len(mode.choices(session)))):
            self._tap(driver, "next")
        self._tap(driver, "ok")

    def _mode(self) -> Play:
        """Return the mode in which the game waits for a press; dice that tumble are waited for."""
        for _ in range(PATIENCE):
            if isinstance(mode := self.table.app.session.mode, Play):
                return mode
            self.table.wait_until(self.table.app.due() or self.table.clock.now)
        raise SimulationError(f"the table stays in {mode!r}")

    def _game(self) -> Game:
        return self.table.app.session.playing.game

    def _tap(self, seat: int, kind: Literal["ok", "next"], held: float = TAP_S) -> None:
        self.table.tap(button_name(Button(seat, kind)), held)
