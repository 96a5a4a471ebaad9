"""A simulated table: a virtual clock, and mock pins as buttons that the caller presses."""

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

NEVER_OFF = BootTime("virtual", 0.0)  # no time passes between two runs of a virtual clock
PAUSE_S = 0.4  # between two taps; an OK is ignored for so long after a press that counted


def seeded_dice(seed: int) -> Dice:
    """Return dice that repeat for the same seed. Their rows are marked `simulated`."""
    return Dice("simulated", Random(seed).randrange)


def row_text(row: Row) -> str:
    """Return a confirmed row as one line of text."""
    return " | ".join(filter(None, (str(row.entry), row.position, row.source)))


@dataclass(slots=True)
class Simulation:
    """A simulated table with its clock, the hands on its buttons, and its display `glass`."""

    app: App
    clock: VirtualClock
    hands: Hands
    glass: DummyDisplay

    def wait_until(self, t: float) -> None:
        """Advance the clock to `t`. The table ticks whenever it is due."""
        self.app.drain()
        while (due := self.app.next_tick_at()) is not None and due <= t:
            self.clock.now = max(self.clock.now, due)
            self.app.drain()
        self.clock.now = max(self.clock.now, t)

    def tap(self, name: str, hold_s: float = TAP_S) -> None:
        """Hold a button for `hold_s` seconds, release it, and wait for PAUSE_S."""
        self.hands.down(name)
        self.wait_until(self.clock.now + hold_s)
        self.hands.up(name)
        self.wait_until(self.clock.now + PAUSE_S)

    def play_script(self, presses: Iterable[ScriptedPress]) -> None:
        """Press the buttons at the given times. The presses may overlap."""
        edges: list[tuple[float, bool, str | None]] = []  # time, down, button
        for press in presses:
            edges.append((press.t, True, press.button))
            if press.button is not None:
                edges.append((press.t + press.held, False, press.button))
        for t, down, name in sorted(edges, key=lambda edge: edge[:2]):
            self.wait_until(t)
            if name is not None:
                (self.hands.down if down else self.hands.up)(name)
        self.app.drain()


@contextmanager
def open_simulation(
    config: Config,
    seed: int,
    folder: Path | None,
    confirmed: Callable[[Row], None] = lambda row: None,
    ruleset: str = "",
) -> Iterator[Simulation]:
    """Open a simulated table for this block.

    seed: of its dice. folder: of the journal; None for a journal that is deleted at the end.
    confirmed: called with each row. ruleset: the rules of the first game; "" for the configured.
    """
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
