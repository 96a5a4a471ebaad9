"""A simulated table: a virtual clock, and mock buttons that the caller presses."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pi_app.config.keys import Config
from pi_app.devices.buttons import pin_factory
from pi_app.model.history import Row
from pi_app.record.clock import BootTime
from pi_app.record.files import memory_folder
from pi_app.runtime import wiring
from pi_app.runtime.assembly import Parts, open_table
from pi_app.runtime.dice import Dice
from pi_app.runtime.loop import App
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands
from pi_app.simulate.script import TAP_S, ScriptedPress
from pi_app.table.session import Reply

VIRTUAL_BOOT = BootTime("virtual", 0.0)  # a virtual clock does not advance between two runs
# The pause between two taps. The table ignores an OK for this time after a press that counts.
PAUSE_S = 0.4


@dataclass(slots=True)
class VirtualClock:
    """A clock whose time, in seconds, changes only when `now` is set."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def seeded_dice(seed: int) -> Dice:
    """Return dice that repeat their throws for the same seed. Their source is `simulated`."""
    return Dice("simulated", Random(seed).randrange)


def row_text(row: Row) -> str:
    return " | ".join(filter(None, (str(row.entry), row.position, row.source)))


@dataclass(slots=True)
class Simulation:
    app: App
    clock: VirtualClock
    hands: Hands  # press its buttons
    glass: DummyDisplay  # its display

    def wait_until(self, until_s: float) -> None:
        """Advance the clock to `until_s`. The app processes a tick each time one is due."""
        self.app.drain()
        while (due := self.app.next_tick_at()) is not None and due <= until_s:
            self.clock.now = max(self.clock.now, due)
            self.app.drain()
        self.clock.now = max(self.clock.now, until_s)

    def tap(self, name: str, hold_s: float = TAP_S) -> None:
        """Hold a button for `hold_s` seconds, release it, and wait for PAUSE_S."""
        self.hands.down(name)
        self.wait_until(self.clock.now + hold_s)
        self.hands.up(name)
        self.wait_until(self.clock.now + PAUSE_S)

    def play_script(self, presses: Iterable[ScriptedPress]) -> None:
        """Press the buttons at the given times. The presses may overlap."""
        edges: list[tuple[float, bool, str | None]] = []
        for press in presses:
            edges.append((press.at_s, True, press.button))
            if press.button is not None:
                edges.append((press.at_s + press.hold_s, False, press.button))
        for at_s, is_down, button in sorted(edges, key=lambda edge: edge[:2]):
            self.wait_until(at_s)
            if button is not None:
                (self.hands.down if is_down else self.hands.up)(button)
        self.app.drain()


@contextmanager
def open_simulation(
    config: Config,
    seed: int,
    folder: Path | None,
    on_row: Callable[[Row], None] = lambda row: None,
    ruleset: str = "",
    watch: Callable[[Reply], None] = lambda reply: None,
) -> Iterator[Simulation]:
    """Open a simulated table, and close it at the end of the `with` block.

    seed: seeds the dice. folder: where the journal is; with None it is temporary. on_row: called
    with each row. ruleset: the rules of the first game; "" means the configured rules.
    watch: called with each reply.
    """
    clock, factory, glass = VirtualClock(), pin_factory("mock"), DummyDisplay()
    with ExitStack() as stack:
        if folder is None:
            temporary_folder = tempfile.TemporaryDirectory("-referee", dir=memory_folder())
            folder = Path(stack.enter_context(temporary_folder))
        parts = Parts(
            factory=factory,
            devices=(lambda: glass,),
            folder=folder,
            dice=seeded_dice(seed),
            clock=clock,
            now=clock,
            clock_is_set=lambda: False,
            moment=lambda: VIRTUAL_BOOT,
            stepped=True,
            in_memory=lambda folder: False,  # a run is the same on every disk
            watch=watch,
            confirmed=on_row,
            ruleset=ruleset,
            report_error=_raise_error,
        )
        app = stack.enter_context(open_table(config, parts))
        yield Simulation(app, clock, Hands(wiring.button_pins(config), factory), glass)


def _raise_error(error: Exception) -> None:
    raise error
