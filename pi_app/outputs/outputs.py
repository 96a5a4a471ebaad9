"""What a reply means to each output: a picture, four lamps, tones, words. Decides nothing.

An output takes a reply and the time, returns at once, and says when it wants to be called again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Thread
from time import sleep
from typing import Any, NamedTuple, get_args

from PIL.Image import Image, Transpose

from pi_app.devices.buzzer import Buzzer
from pi_app.devices.closing import close_anyway
from pi_app.devices.lamps import Lamps
from pi_app.devices.oled import Oled, describe_failure
from pi_app.devices.voice import Voice
from pi_app.display.view import draw, frame, shift_left
from pi_app.input.events import ClockRead, Event, Finding, Notice, PartChecked, ToneName, Wishes
from pi_app.rows.history import New
from pi_app.screens.screen import STILL, Level, Motion, Screen
from pi_app.settings.offers import name_of_rules
from pi_app.settings.settings import BRIGHTNESS, VOLUME, Brightness, Volume
from pi_app.table.core.speech import SILENCE, Said, new_words, speech_of
from pi_app.table.modes.care.self_test import SelfTestStep
from pi_app.table.session import Reply
from pi_app.table.wishes import wishes_of
from pi_app.texts.language import ENGLISH, Language
from pi_app.texts.words import NEARLY_FULL, seat_letter
from rules.game import Phase
from rules.ruleset import PRESETS, ruleset_text

log = logging.getLogger(__name__)

SET_S = 60.0  # a clock that differs by more was set; a crystal drifts less than that in a week
LEVELS: dict[Brightness, Level] = {"full": "bright", "half": "half", "low": "low"}
HEARD: dict[Volume, tuple[ToneName, ...]] = {
    "on": get_args(ToneName),
    "turns-only": ("turn", "win"),
    "off": (),
}
LEAVE_S = 5.0  # ten times what a panel takes at I2C's slowest


class Facing(NamedTuple):
    """A panel, the seats for which its picture is turned upside down, and its language."""

    panel: Oled
    far_seats: frozenset[int] = frozenset()
    language: Language = ENGLISH


class DisplayInputs(NamedTuple):
    """What decides, besides the time, how the panels look. Without a screen they are dark."""

    screen: Screen | None
    motion: Motion
    level: Level
    moved: bool
    facing: int | None


@dataclass(slots=True)
class DisplayOutput:
    """The reply's screen on each panel, drawn anew only where it looks otherwise, once a language.

    `stepped`: the panels have no threads of their own. `until`: when the newest looks otherwise by
    time alone.
    """

    panels: tuple[Facing, ...]
    stepped: bool = False
    newest: DisplayInputs | None = None
    until: float | None = None
    stays: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        seen = _seen(reply)
        if seen != self.newest or (self.until is not None and now >= self.until):
            self._show(seen, reply.screen, now)
            self.newest = seen
        self.stays = reply.session.off
        steps = [facing.panel.step(now) for facing in self.panels] if self.stepped else []
        return min((due for due in (self.until, *steps) if due is not None), default=None)

    def _show(self, seen: DisplayInputs, screen: Screen, now: float) -> None:
        languages = {facing.language for facing in self.panels}
        frames = {one: frame(screen, seen.motion, now, one) for one in languages}
        for panel, far_seats, language in self.panels:
            image = frames[language].image
            image = shift_left(image) if seen.moved else image
            turned = seen.facing in far_seats
            panel.show(image.transpose(Transpose.ROTATE_180) if turned else image, seen.level)
        dues = [one.until for one in frames.values() if one.until is not None]
        self.until = min(dues, default=None) if seen.screen is not None else None

    def start(self) -> None:
        """Give each panel a thread of its own."""
        for facing in self.panels:
            facing.panel.start()

    def close(self) -> None:
        """Blank the panels, but for a last picture that is to stay."""
        for panel in (facing.panel for facing in self.panels):
            close_anyway(panel.name, partial(panel.close, blank=not self.stays))


def _seen(reply: Reply) -> DisplayInputs:
    """Return what the panels show of a reply. Nothing moves on a dark panel."""
    level = LEVELS[reply.session.settings.get(BRIGHTNESS)]
    level = level if reply.glow.level == "bright" else reply.glow.level
    if reply.glow.level == "dark":
        return DisplayInputs(None, STILL, level, reply.glow.moved, reply.session.facing)
    return DisplayInputs(reply.screen, reply.motion, level, reply.glow.moved, reply.session.facing)


def display_names(count: int) -> tuple[str, ...]:
    """Return what each of so many panels is called in the log."""
    return ("the display",) if count == 1 else ("the first display", "the second display")


def leave(
    screen: Screen, openers: Sequence[Callable[[], Any]], language: Language = ENGLISH
) -> str | None:
    """Put a screen on each panel for good; return why none has it, None if one has.

    openers: each opens a panel. One that hangs is not waited for, and keeps no other from it.
    """
    image, known = draw(screen, language), display_names(len(openers))
    troubles: list[str | None] = [f"{name} does not answer: look after its wires" for name in known]

    def put(n: int) -> None:
        troubles[n] = _put(image, openers[n], known[n])

    threads = [Thread(target=put, args=(n,), daemon=True) for n in range(len(openers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LEAVE_S)
    return None if None in troubles else troubles[0]


def _put(image: Image, open_device: Callable[[], Any], name: str) -> str | None:
    troubles: list[str | None] = []
    panel = Oled(open_device, troubles.append, name=name)
    panel.show(image)
    panel.close()
    return troubles[-1] if troubles else None


def show_in_turn(
    screens: Iterable[Screen], open_device: Callable[[], Any], name: str, look_s: float
) -> str | None:
    """Show screens on a panel for so many seconds each; return why that could not be done."""
    images = [draw(screen) for screen in screens]
    troubles: list[str | None] = [f"{name} does not answer"]

    def show() -> None:
        try:
            device = open_device()
            for image in images:
                device.display(image)
                sleep(look_s)
            device.cleanup()
            troubles.append(None)
        except Exception as error:  # luma, smbus2, spidev and RPi.GPIO each raise their own
            troubles.append(describe_failure(error, name))

    thread = Thread(target=show, daemon=True)
    thread.start()
    thread.join(len(images) * look_s + LEAVE_S)
    return troubles[-1]


@dataclass(frozen=True, slots=True)
class ChamberOutput:
    """What the reply's session wishes of the lit chamber."""

    wish: Callable[[Wishes], None]

    def __call__(self, reply: Reply, now: float) -> float | None:
        self.wish(wishes_of(reply.session))
        return None


@dataclass(frozen=True, slots=True)
class LampOutput:
    """The reply's lamps, which blink by the clock."""

    lamps: Lamps

    def __call__(self, reply: Reply, now: float) -> float | None:
        return self.lamps.show(reply.lamps, now)


@dataclass(frozen=True, slots=True)
class ToneOutput:
    """The reply's tones; a reply without any lets the last ones sound on."""

    buzzer: Buzzer

    def __call__(self, reply: Reply, now: float) -> float | None:
        tested = isinstance(reply.session.mode, SelfTestStep)  # there all is to be heard
        heard = HEARD["on" if tested else reply.session.settings.get(VOLUME)]
        return self.buzzer.play([tone for tone in reply.tones if tone.name in heard], now)


@dataclass(slots=True)
class VoiceOutput:
    """The reply's words, each once, by a voice in its language."""

    voice: Voice
    language: Language = ENGLISH
    before: Said = SILENCE

    def __call__(self, reply: Reply, now: float) -> float | None:
        said = speech_of(reply.session, reply.screen, self.language)
        if text := new_words(self.before, said):
            self.voice.say(text)
        self.before = said
        return None


@dataclass(frozen=True, slots=True)
class SpectatorOutput:
    """Hands each reply to somebody who only looks on."""

    watch: Callable[[Reply], None]

    def __call__(self, reply: Reply, now: float) -> float | None:
        self.watch(reply)
        return None


@dataclass(slots=True)
class LogOutput:
    """Tells the log where a game begins or goes on, and where it is over."""

    playing: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        record = reply.session.record
        playing = record is not None and record.game.phase is not Phase.OVER
        if playing and not self.playing and record is not None:
            how = "begins" if any(isinstance(row.entry, New) for row in reply.rows) else "goes on"
            seats = ", ".join(map(seat_letter, record.game.seats))
            log.info("a game %s: %s by %s", how, seats, _rules(reply))
        elif self.playing and not playing:
            log.info("the game is over")
        self.playing = playing
        return None


def _rules(reply: Reply) -> str:
    """Return the game's rules by name, house rules with what they are."""
    ruleset = reply.session.playing.game.ruleset
    text = ruleset_text(ruleset)
    name = name_of_rules(reply.session.settings, ruleset)
    return text if name in PRESETS else f"{name or 'house rules'} {text}"


@dataclass(slots=True)
class SelfTestOutput:
    """Looks after what a self test can't see, hear or press, once one begins.

    checks: each may take as long as a disk does, so they have a thread; the slowest is the last.
    """

    checks: Sequence[Callable[[], Finding]]
    put: Callable[[Event], None]
    clock: Callable[[], float]
    stepped: bool = False
    testing: bool = False
    thread: Thread | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        testing = isinstance(reply.session.mode, SelfTestStep)
        begins, self.testing = testing and not self.testing, testing
        if begins and self.stepped:
            self._look()
        elif begins and (self.thread is None or not self.thread.is_alive()):
            self.thread = Thread(target=self._look, name="checks", daemon=True)
            self.thread.start()
        return None

    def _look(self) -> None:
        for check in self.checks:
            try:
                self.put(PartChecked(check(), self.clock()))
            except Exception:  # the others are looked after all the same
                log.exception("a part of the self test could not be looked after")


@dataclass(slots=True)
class ClockOutput:
    """Tells the table what the computer's clock says, at start and whenever that was set.

    now: seconds since 1970. boot: names this boot of the computer. put: takes what is told.
    """

    now: Callable[[], float]
    boot: str
    put: Callable[[Event], None]
    ahead: float | None = None  # of the monotonic clock, when it was last told

    def __call__(self, reply: Reply, now: float) -> float | None:
        unix = self.now()
        if self.ahead is None or abs(unix - now - self.ahead) > SET_S:
            self.ahead = unix - now
            self.put(ClockRead(unix, self.boot, now))
        return None


@dataclass(slots=True)
class DiskSpaceOutput:
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
