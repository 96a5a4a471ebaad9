"""The whole table with a lit chamber on a pseudo-terminal, its loop in a thread of its own."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from pi_app.config.keys import Config
from pi_app.config.reading import parse_config
from pi_app.devices.buttons import pin_factory
from pi_app.devices.link import ChamberLink
from pi_app.model.events import Button, Down, Tick, Up
from pi_app.model.history import Row, start_row
from pi_app.record.journal import FILE, load
from pi_app.runtime.assembly import Parts, open_table
from pi_app.runtime.dice import KERNEL
from pi_app.runtime.loop import App
from pi_app.simulate.glass import DummyDisplay
from pi_app.table.core.state import OK_DEAF_S
from pi_app.table.wishes import wishes_of
from rules.actions import Throw
from rules.game import Phase
from rules.history import new_record
from rules.ruleset import PRESETS
from tests.pi_app.devices.gadget import Gadget, wait_for
from tests.pi_app.record.journals import commit

BOOT = "b007b007"
TWO_PANELS = "panel.A = {ok = 5, next = 6}\npanel.C = {ok = 12, next = 13}\n"
DOME = "pins.dome = 23\n"


class Clock:
    """Monotonic time that a test may move on."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@dataclass
class LitApp:
    """A running table, its chamber's end in the test's hands."""

    app: App
    gadget: Gadget
    clock: Clock
    rows: list[Row]
    session: str = ""

    def join(self, mode: str = "press 2", boot: str = BOOT) -> None:
        """Answer the greeting and the first command."""
        self.session = self.gadget.expect("HI 1 ").split()[2]
        self.gadget.send(f"HELLO 1 0.2.0 e661 {boot} {self.session} 0")
        assert self.gadget.expect("MODE 1 ") == f"MODE 1 {mode}"
        self.gadget.send("OK 1")

    def take(self, word: str) -> list[str]:
        """Wait for this command and accept it; commands before it are accepted too."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            words = self.gadget.expect("").split()
            if words[0] in ("MODE", "SHOW", "BLANK", "ARM", "HOLD", "TEST"):
                self.gadget.send(f"OK {words[1]}")
            if words[0] == word:
                return words
        raise AssertionError(f"no {word} came; the table is at {self.app.session}")

    @property
    def armed(self) -> bool:
        """Whether the chamber has been told that a press counts now."""
        wanted = wishes_of(self.app.session)
        return wanted.seat is not None and self.link.conversation.state.arm == (
            wanted.key,
            wanted.seat,
        )

    @property
    def link(self) -> ChamberLink:
        """The table's end of the line."""
        link = self.app.acknowledge.__self__  # type: ignore[attr-defined]
        assert isinstance(link, ChamberLink)
        return link

    def live(self) -> None:
        """Send a sign of life, and wait until it is heard: a jump of the clock is no silence."""
        now = self.clock()
        self.gadget.send("ALIVE")
        wait_for(lambda: self.link.conversation.last_received_at >= now)

    def ok(self, seat: int) -> None:
        button = Button(seat, "ok")
        self.app.inbox.put(Down(button, self.clock()))
        self.app.inbox.put(Up(button, self.clock()))

    def dome(self) -> None:
        self.app.inbox.put(Down(Button(None, "dome"), self.clock()))
        self.app.inbox.put(Up(Button(None, "dome"), self.clock()))

    def settle(self) -> None:
        """Let the loop take all that it has been given, and show it."""
        for _ in range(2):
            now = self.clock()
            self.app.inbox.put(Tick(now))
            wait_for(lambda: self.app.session.t >= now)  # noqa: B023

    def next_throw(self) -> None:
        """Let the dice stand, and confirm whatever there is until somebody may throw."""
        self.live()
        self.clock.ahead += 1.7
        self.settle()
        while self.app.session.playing.game.phase in (Phase.MOVE, Phase.PENALTY):
            for seat in (0, 2):
                self.ok(seat)
            self.live()
            self.clock.ahead += OK_DEAF_S
            self.settle()

    def throws(self) -> list[Row]:
        return [row for row in self.rows if isinstance(row.entry, Throw)]


def config(text: str = "") -> Config:
    return parse_config(TWO_PANELS + text)


def new_game(folder: Path) -> None:
    """Have a game of seats A and C in the journal, ready for its first throw."""
    record = new_record(PRESETS["royal-2023"], (0, 2))
    journal, _ = load(folder / FILE)
    commit(journal, (start_row(record),), 0.0)
    journal.close()


@contextmanager
def running(folder: Path, gadget: Gadget, config: Config) -> Iterator[LitApp]:
    """Run the table of this folder with this chamber."""
    clock, rows = Clock(), list[Row]()
    glass: Callable[[], DummyDisplay] = DummyDisplay
    parts = Parts(
        factory=pin_factory("mock"),
        devices=(glass,),
        folder=folder,
        dice=KERNEL,
        clock=clock,
        chamber=str(gadget.path),
        confirmed=rows.append,
    )
    with open_table(replace(config, chamber=str(gadget.path)), parts) as app:
        loop = Thread(target=app.run)
        loop.start()
        try:
            yield LitApp(app, gadget, clock, rows)
        finally:
            app.stop()
            loop.join()
