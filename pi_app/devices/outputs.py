"""What a reply means to each output: a picture, four lamps, tones. Decides nothing.

An output takes a reply and the time, returns at once, and says when it wants to be called again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.oled import Panel
from pi_app.display.view import draw
from pi_app.table.events import Wishes
from pi_app.table.screen import Screen
from pi_app.table.session import Reply
from pi_app.table.wishes import wishes


@dataclass(slots=True)
class Picture:
    """The reply's screen on a panel. `stepped`: the panel has no thread of its own."""

    panel: Panel
    stepped: bool = False
    newest: Screen | None = None
    stays: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        if reply.screen != self.newest:
            self.panel.show(draw(reply.screen))
            self.newest = reply.screen
        self.stays = reply.session.off
        self.panel.may_dim(reply.dim, now)
        return self.panel.step(now) if self.stepped else None

    def close(self) -> None:
        """Blank the panel, but for a last picture that is to stay."""
        self.panel.close(blank=not self.stays)


def leave(screen: Screen, open_device: Callable[[], Any]) -> str | None:
    """Put a screen on the panel for good; return why that could not be done, None if it was."""
    troubles: list[str | None] = []
    panel = Panel(open_device, troubles.append)
    panel.show(draw(screen))
    panel.close()
    return troubles[-1] if troubles else None


@dataclass(frozen=True, slots=True)
class Lit:
    """What the reply's session wishes of the lit chamber."""

    wish: Callable[[Wishes], None]

    def __call__(self, reply: Reply, now: float) -> float | None:
        self.wish(wishes(reply.session))
        return None


@dataclass(frozen=True, slots=True)
class Lights:
    """The reply's lamps, which blink by the clock."""

    lamps: Lamps

    def __call__(self, reply: Reply, now: float) -> float | None:
        return self.lamps.show(reply.lamps, now)


@dataclass(frozen=True, slots=True)
class Tones:
    """The reply's tones; a reply without any lets the last ones sound on."""

    buzzer: Buzzer

    def __call__(self, reply: Reply, now: float) -> float | None:
        return self.buzzer.play(reply.tones, now)


@dataclass(frozen=True, slots=True)
class Watch:
    """Hands each reply to somebody who only looks on."""

    watch: Callable[[Reply], None]

    def __call__(self, reply: Reply, now: float) -> float | None:
        self.watch(reply)
        return None
