"""What a reply means to each output: a picture, four lamps, tones. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.oled import Panel
from pi_app.events import Lamp, Reply
from pi_app.screen import Screen
from pi_app.view import draw

DARK: tuple[Lamp, Lamp, Lamp, Lamp] = ("off", "off", "off", "off")


@dataclass(slots=True)
class PictureOutput:
    """The reply's screen, drawn for the panel. `stepped`: the panel has no thread of its own."""

    panel: Panel
    stepped: bool = False
    newest: Screen | None = None

    def show(self, reply: Reply, now: float) -> float | None:
        if reply.screen != self.newest:
            self.panel.show(draw(reply.screen))
            self.newest = reply.screen
        return self.step(now)

    def step(self, now: float) -> float | None:
        return self.panel.step(now) if self.stepped else None


@dataclass(slots=True)
class LampsOutput:
    """The reply's lamps, which blink by the clock."""

    lamps: Lamps
    newest: tuple[Lamp, Lamp, Lamp, Lamp] = DARK

    def show(self, reply: Reply, now: float) -> float | None:
        self.newest = reply.lamps
        return self.step(now)

    def step(self, now: float) -> float | None:
        return self.lamps.show(self.newest, now)


@dataclass(slots=True)
class TonesOutput:
    """The reply's tones; a reply without any lets the last ones sound on."""

    buzzer: Buzzer

    def show(self, reply: Reply, now: float) -> float | None:
        return self.buzzer.play(reply.tones, now) if reply.tones else self.buzzer.step(now)

    def step(self, now: float) -> float | None:
        return self.buzzer.step(now)


@dataclass(slots=True)
class WatchOutput:
    """Hands each reply to someone who only looks on."""

    watch: Callable[[Reply], None]

    def show(self, reply: Reply, now: float) -> float | None:
        self.watch(reply)
        return None

    def step(self, now: float) -> float | None:
        return None
