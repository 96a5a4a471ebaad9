"""What a reply means to each output: a picture, four lamps, tones, words. Decides nothing.

An output takes a reply and the time, returns at once, and says when it wants to be called again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.oled import Panel
from pi_app.devices.voice import Voice
from pi_app.display.view import draw, moved
from pi_app.table.events import Wishes
from pi_app.table.glow import Glow
from pi_app.table.screen import Screen
from pi_app.table.session import Reply
from pi_app.table.speech import SILENCE, Said, to_say, unheard
from pi_app.table.wishes import wishes


@dataclass(slots=True)
class Picture:
    """The reply's screen on a panel, drawn anew only for what is to be seen of it.

    `stepped`: the panel has no thread of its own.
    """

    panel: Panel
    stepped: bool = False
    newest: tuple[Screen | None, Glow] | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        seen = None if reply.glow.level == "dark" else reply.screen
        if (seen, reply.glow) != self.newest:
            image = draw(reply.screen)
            self.panel.show(moved(image) if reply.glow.moved else image, reply.glow.level)
            self.newest = seen, reply.glow
        return self.panel.step(now) if self.stepped else None


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


@dataclass(slots=True)
class Spoken:
    """The reply's words, each once, by a voice."""

    voice: Voice
    before: Said = SILENCE

    def __call__(self, reply: Reply, now: float) -> float | None:
        said = to_say(reply.session, reply.screen)
        if text := unheard(self.before, said):
            self.voice.say(text)
        self.before = said
        return None


@dataclass(frozen=True, slots=True)
class Watch:
    """Hands each reply to somebody who only looks on."""

    watch: Callable[[Reply], None]

    def __call__(self, reply: Reply, now: float) -> float | None:
        self.watch(reply)
        return None
