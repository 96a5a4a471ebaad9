"""A table on a virtual clock, its buttons mock pins. What is pressed comes from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from luma.core.device import dummy
from PIL import Image

from pi_app.app import App
from pi_app.dice import Dice
from pi_app.hands import Hands
from pi_app.history import Row
from pi_app.script import TAP_S, Press

PAUSE_S = 0.1  # between two taps


def seeded_dice(seed: int) -> Dice:
    """Return dice that fall alike for the same seed; their rows say so for ever."""
    return Dice("simulated", Random(seed).randrange)


def row_text(row: Row) -> str:
    """Return a confirmed row as the line that is printed."""
    return " | ".join(filter(None, (row.action, row.position, row.source)))


def memory_folder() -> str | None:
    """Return a folder in memory for what is thrown away, None where the system has none."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


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
    """A table on a virtual clock, the hands on its buttons and the panel that they look at."""

    app: App
    clock: VirtualClock
    hands: Hands
    glass: Glass

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
