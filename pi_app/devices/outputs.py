"""What a reply means to each output: a picture, four lamps, tones, words. Decides nothing.

An output takes a reply and the time, returns at once, and says when it wants to be called again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.oled import Panel
from pi_app.devices.voice import Voice
from pi_app.display.view import draw, moved
from pi_app.table.events import Event, Notice, ToneName, Wishes
from pi_app.table.glow import Level
from pi_app.table.offers import name_of
from pi_app.table.screen import Screen
from pi_app.table.session import Reply
from pi_app.table.settings import BRIGHTNESS, VOLUME, Brightness, Volume
from pi_app.table.speech import SILENCE, Said, to_say, unheard
from pi_app.table.wishes import wishes
from pi_app.table.words import NEARLY_FULL, letters
from rules.game import Phase
from rules.ruleset import PRESETS, ruleset_text

log = logging.getLogger(__name__)

LEVELS: dict[Brightness, Level] = {"full": "bright", "half": "half", "low": "low"}
HEARD: dict[Volume, tuple[ToneName, ...]] = {
    "on": get_args(ToneName),
    "turns only": ("turn", "win"),
    "off": (),
}


@dataclass(slots=True)
class Picture:
    """The reply's screen on a panel, drawn anew only for what is to be seen of it.

    `stepped`: the panel has no thread of its own.
    """

    panel: Panel
    stepped: bool = False
    newest: tuple[Screen | None, Level, bool] | None = None
    stays: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        seen = None if reply.glow.level == "dark" else reply.screen
        level = LEVELS[reply.session.settings.get(BRIGHTNESS)]
        level = level if reply.glow.level == "bright" else reply.glow.level
        wanted = (seen, level, reply.glow.moved)
        if wanted != self.newest:
            image = draw(reply.screen)
            self.panel.show(moved(image) if reply.glow.moved else image, level)
            self.newest = wanted
        self.stays = reply.session.off
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
        heard = HEARD[reply.session.settings.get(VOLUME)]
        return self.buzzer.play([tone for tone in reply.tones if tone.name in heard], now)


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


@dataclass(slots=True)
class Chronicle:
    """Tells the log where a game begins or goes on, and where it is over."""

    playing: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        record = reply.session.record
        playing = record is not None and record.game.phase is not Phase.OVER
        if playing and not self.playing and record is not None:
            how = (
                "begins" if any(one.action.startswith("new ") for one in reply.rows) else "goes on"
            )
            log.info("a game %s: %s by %s", how, letters(record.game.seats), _rules(reply))
        elif self.playing and not playing:
            log.info("the game is over")
        self.playing = playing
        return None


def _rules(reply: Reply) -> str:
    """Return the game's rules by name, house rules with what they are."""
    ruleset = reply.session.playing.game.ruleset
    text = ruleset_text(ruleset)
    name = name_of(reply.session.settings, ruleset)
    return text if name in PRESETS else f"{name} {text}"


@dataclass(slots=True)
class Room:
    """Has the panel say before a game begins that the disk is nearly full.

    full: asks the disk; it is asked at start and whenever somebody joins or leaves. put: takes the
    notice, which is taken back when the game begins.
    """

    full: Callable[[], bool]
    put: Callable[[Event], None]
    joined: tuple[int, ...] | None = None  # None while a game is on the table
    said: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        joined = reply.session.joined if reply.session.record is None else None
        if joined == self.joined:
            return None
        self.joined = joined
        say = joined is not None and self.full()
        if say != self.said:
            self.said = say
            self.put(Notice("disk", NEARLY_FULL if say else None, now))
        return None
