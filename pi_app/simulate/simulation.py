"""A table on a virtual clock, its buttons mock pins. What is pressed comes from outside."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pi_app import wiring
from pi_app.app import App
from pi_app.assembly import Parts, open_table
from pi_app.config import Config
from pi_app.devices.buttons import pin_factory
from pi_app.dice import Dice
from pi_app.record.away import BootTime
from pi_app.record.files import memory_folder
from pi_app.rows.history import Row
from pi_app.simulate.clock import VirtualClock
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands
from pi_app.simulate.script import TAP_S, ScriptedPress

NEVER_OFF = BootTime("virtual", 0.0)  # between two runs of a virtual clock no time passes
PAUSE_S = 0.4  # between two taps: as long as an OK is deaf after one that counted


def seeded_dice(seed: int) -> Dice:
    """Return dice that fall alike for the same seed; their rows say so for ever."""
    return Dice("simulated", Random(seed).randrange)


def row_text(row: Row) -> str:
    """Return a confirmed row as the line that is printed."""
    return " | ".join(filter(None, (str(row.entry), row.position, row.source)))


@dataclass(slots=True)
class Simulation:
    """A table on a virtual clock, the hands on its buttons and the panel that they look at."""

    app: App
    clock: VirtualClock
    hands: Hands
    glass: DummyDisplay

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

    def play_script(self, presses: Iterable[ScriptedPress]) -> None:
        """Play timed presses, which may overlap."""
        for t, down, name in _edges(presses):
            self.wait_until(t)
            if name is not None:
                (self.hands.down if down else self.hands.up)(name)
        self.app.drain()


def _edges(presses: Iterable[ScriptedPress]) -> list[tuple[float, bool, str | None]]:
    edges: list[tuple[float, bool, str | None]] = []
    for press in presses:
        edges.append((press.t, True, press.button))
        if press.button is not None:
            edges.append((press.t + press.held, False, press.button))
    return sorted(edges, key=lambda edge: edge[:2])


@contextmanager
def open_simulation(
    config: Config,
    seed: int,
    folder: Path | None,
    confirmed: Callable[[Row], None] = lambda row: None,
    ruleset: str = "",
) -> Iterator[Simulation]:
    """Open a table on a virtual clock, by default with a new journal that is thrown away."""
    clock, factory, glass = VirtualClock(), pin_factory("mock"), DummyDisplay()
    with ExitStack() as closing:
        if folder is None:
            throwaway = tempfile.TemporaryDirectory("-referee", dir=memory_folder())
            folder = Path(closing.enter_context(throwaway))
        parts = Parts(
            factory=factory,
            devices=(lambda: glass,),
            folder=folder,
            dice=seeded_dice(seed),
            clock=clock,
            now=clock,
            clock_is_set=lambda: False,
            moment=lambda: NEVER_OFF,
            stepped=True,
            confirmed=confirmed,
            ruleset=ruleset,
            report_error=_raise,
        )
        app = closing.enter_context(open_table(config, parts))
        yield Simulation(app, clock, Hands(wiring.button_pins(config), factory), glass)


def _raise(fault: Exception) -> None:
    raise fault
