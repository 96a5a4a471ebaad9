"""The outputs for displays, lamps, buzzer, voice, chamber and log.

An output takes a reply and the time, returns at once, and returns when to call it again, if at all.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Thread
from time import sleep
from typing import Any, NamedTuple, get_args

from PIL.Image import Transpose

from pi_app.devices.buzzer import Buzzer
from pi_app.devices.closing import close_anyway
from pi_app.devices.oled import CONTRAST, Oled, describe_failure
from pi_app.devices.voice import Voice
from pi_app.display.moment import FrameTime
from pi_app.display.view import draw, frame, shift_left
from pi_app.model import events
from pi_app.model.history import New
from pi_app.model.screens import STILL, Level, Message, Motion, Pattern, Screen
from pi_app.settings.offers import rules_name
from pi_app.settings.settings import BRIGHTNESS, VOLUME
from pi_app.table.core.speech import SILENCE, Speech, new_words, speech_of
from pi_app.table.modes.care.self_test import SelfTestStep
from pi_app.table.modes.setup.requesting import Requesting, ShowingAddress
from pi_app.table.session import Reply
from pi_app.texts.language import Language, find_language
from pi_app.texts.words import seat_letter
from rules.game import Phase
from rules.ruleset import PRESETS, ruleset_text

log = logging.getLogger(__name__)

CLOCK_SET_S = 60.0  # if it differs by more, it was set; a crystal drifts less in a week
ADDRESS_S = 2.0  # how often the numeric address is read while it is shown
LEVELS: dict[str, Level] = {"full": "bright", "half": "half", "low": "low"}
AUDIBLE_TONES: dict[str, tuple[events.ToneName, ...]] = {
    "on": get_args(events.ToneName),
    "turns-only": ("turn", "win"),
    "off": (),
}
PATTERN_S = 2.0  # a test picture on one display, before it goes to the next
DISPLAY_TIMEOUT_S = 5.0  # ten times what a display needs at I2C's slowest


class PlacedDisplay(NamedTuple):
    """A display as it is placed and configured."""

    oled: Oled
    far_seats: frozenset[int] = frozenset()  # for which its picture is turned upside down
    language: str = ""  # the name of a catalog, "" for the table's language


class DisplayInputs(NamedTuple):
    """All that decides how the displays look, except the time. Without a screen they are dark."""

    screen: Screen | None
    motion: Motion
    level: Level
    moved: bool
    facing: int | None
    language: str
    idioms: tuple[str, ...]


@dataclass(slots=True)
class DisplayOutput:
    """Shows the reply's screen on each display. It draws once per language, and only changes.

    A test picture takes turns on the displays: together they would take too much of the Pi's 3.3 V.
    """

    displays: tuple[PlacedDisplay, ...]
    stepped: bool = False  # the displays have no threads, so this calls `step`
    find: Callable[[str], Language] = find_language  # by the name of its catalog
    newest: DisplayInputs | None = None  # what the displays show
    until: float | None = None  # until when the newest frame is valid
    stays: bool = False  # whether the last picture stays when the program ends

    def __call__(self, reply: Reply, now: float) -> float | None:
        level = LEVELS[reply.session.settings.get(BRIGHTNESS)]
        if reply.glow.level != "bright":
            level = reply.glow.level
        if isinstance(reply.screen, Pattern) and level == "bright":
            level = "half"  # all dots of a large display take half of what the Pi's 3.3 V gives
        is_dark = reply.glow.level == "dark"  # nothing moves on a dark display
        inputs = DisplayInputs(
            None if is_dark else reply.screen,
            STILL if is_dark else reply.motion,
            level,
            reply.glow.moved,
            reply.session.facing,
            reply.session.language,
            reply.session.idioms,
        )
        if inputs != self.newest or (self.until is not None and now >= self.until):
            self._show(inputs, reply.screen, now)
            self.newest = inputs
        self.stays = reply.session.mode.off
        steps = [display.oled.step(now) for display in self.displays] if self.stepped else []
        return events.earliest(self.until, *steps)

    def _show(self, inputs: DisplayInputs, screen: Screen, now: float) -> None:
        frames = {
            code: frame(screen, inputs.motion, now, self.find(code).in_idioms(*inputs.idioms))
            for code in {display.language or inputs.language for display in self.displays}
        }
        moment = FrameTime(now, inputs.motion.since)
        on_all = not isinstance(inputs.screen, Pattern)
        turn = 0 if on_all else moment.turn(PATTERN_S, len(self.displays))
        for number, (oled, far_seats, own_language) in enumerate(self.displays):
            image = frames[own_language or inputs.language].image
            image = shift_left(image) if inputs.moved else image
            if inputs.facing in far_seats:
                image = image.transpose(Transpose.ROTATE_180)
            oled.show(image, inputs.level if on_all or number == turn else "dark")
        self.until = events.earliest(moment.until, *(drawn.until for drawn in frames.values()))
        if inputs.screen is None:
            self.until = None

    def cover(self, notice: Message, now: float) -> None:
        """Show a notice over the bottom of the newest screen, until the next reply is shown.

        Another thread may call this while the deciding thread waits.
        """
        if (inputs := self.newest) is not None and inputs.screen is not None:
            motion = replace(inputs.motion, notice=notice)
            self._show(inputs._replace(motion=motion), inputs.screen, now)
            self.newest = None

    def start(self) -> None:
        for display in self.displays:
            display.oled.start()

    def close(self) -> None:
        """Blank and close the displays. A picture that stays is not blanked."""
        for oled in (display.oled for display in self.displays):
            close_anyway(oled.name, partial(oled.close, blank=not self.stays))


def display_names(count: int) -> tuple[str, ...]:
    """Return the names of `count` displays, one or two, for the log."""
    return ("the display",) if count == 1 else ("the first display", "the second display")


def show_and_leave(
    screen: Screen, openers: Sequence[Callable[[], Any]], languages: Sequence[Language]
) -> str | None:
    """Show a screen that stays on each display. A display that hangs does not stop the others.

    openers: each opens a display. languages: one for each display. Returns None if one of them
    shows the screen, otherwise the first trouble.
    """
    images = [draw(screen, language) for language in languages]
    names = display_names(len(openers))
    troubles: list[str | None] = [f"{name} does not answer: check its wires" for name in names]

    def put(n: int) -> None:
        reports: list[str | None] = []
        oled = Oled(openers[n], reports.append, name=names[n])
        oled.show(images[n])
        oled.close()
        troubles[n] = reports[-1] if reports else None

    threads = [Thread(target=put, args=(n,), daemon=True) for n in range(len(openers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DISPLAY_TIMEOUT_S)
    return None if None in troubles else troubles[0]


def show_in_turn(
    screens: Iterable[Screen], open_device: Callable[[], Any], name: str, look_s: float
) -> str | None:
    """Show screens on a display at half brightness, each for `look_s` seconds.

    Return the trouble, or None. name: which display, for the trouble.
    """
    images = [draw(screen) for screen in screens]
    troubles: list[str | None] = [f"{name} does not answer"]

    def show() -> None:
        try:
            device = open_device()
            device.contrast(CONTRAST["half"])
            for image in images:
                device.display(image)
                sleep(look_s)
            device.cleanup()
            troubles.append(None)
        except Exception as error:  # luma, smbus2, spidev and RPi.GPIO each raise their own
            troubles.append(describe_failure(error, name))

    thread = Thread(target=show, daemon=True)
    thread.start()
    thread.join(len(images) * look_s + DISPLAY_TIMEOUT_S)
    return troubles[-1]


@dataclass(frozen=True, slots=True)
class ToneOutput:
    """Plays the reply's tones. Without any, the last ones sound on."""

    buzzer: Buzzer

    def __call__(self, reply: Reply, now: float) -> float | None:
        is_test = isinstance(reply.session.mode, SelfTestStep)  # it plays all tones
        audible = AUDIBLE_TONES["on" if is_test else reply.session.settings.get(VOLUME)]
        return self.buzzer.play([tone for tone in reply.tones if tone.name in audible], now)


@dataclass(slots=True)
class VoiceOutput:
    """Speaks the words of each new screen, in the table's language."""

    voice: Voice
    find: Callable[[str], Language] = find_language  # by the name of its catalog
    before: Speech = SILENCE

    def __call__(self, reply: Reply, now: float) -> float | None:
        language = self.find(reply.session.language)
        speech = speech_of(reply.session, reply.screen, language)
        if text := new_words(self.before, speech):
            self.voice.say(text, language.code)
        self.before = speech
        return None


@dataclass(slots=True)
class LogOutput:
    """Logs when a game begins, goes on, or is over."""

    playing: bool = False

    def __call__(self, reply: Reply, now: float) -> float | None:
        record = reply.session.record
        playing = record is not None and record.game.phase is not Phase.OVER
        if playing and not self.playing and record is not None:
            how = "begins" if any(isinstance(row.entry, New) for row in reply.rows) else "goes on"
            seats = ", ".join(map(seat_letter, record.game.seats))
            ruleset = record.game.ruleset
            rules = ruleset_text(ruleset)
            name = rules_name(reply.session.settings, ruleset)
            if name not in PRESETS:
                rules = f"{name or 'house rules'} {rules}"
            log.info("a game %s: %s by %s", how, seats, rules)
        elif self.playing and not playing:
            log.info("the game is over")
        self.playing = playing
        return None


@dataclass(slots=True)
class SelfTestOutput:
    """Runs the checks of a self test for which nobody must see, hear or press anything."""

    # They run in a thread, the slowest last: it takes as long as a disk.
    checks: Sequence[Callable[[], events.Finding]]
    put: Callable[[events.Event], None]  # takes the results
    clock: Callable[[], float]
    stepped: bool = False  # whether to run them at once, without a thread
    testing: bool = False
    thread: Thread | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        testing = isinstance(reply.session.mode, SelfTestStep)
        begins, self.testing = testing and not self.testing, testing
        if begins and self.stepped:
            self._run_checks()
        elif begins and (self.thread is None or not self.thread.is_alive()):
            self.thread = Thread(target=self._run_checks, name="checks", daemon=True)
            self.thread.start()
        return None

    def _run_checks(self) -> None:
        for check in self.checks:
            try:
                self.put(events.PartChecked(check(), self.clock()))
            except Exception:  # the other checks go on
                log.exception("a check of the self test failed")


@dataclass(slots=True)
class ClockOutput:
    """Posts the computer's time, at start and whenever its clock was set."""

    now: Callable[[], float]  # seconds since 1970
    boot: str  # names this boot of the computer
    put: Callable[[events.Event], None]
    ahead: float | None = None  # of the monotonic clock, when last posted

    def __call__(self, reply: Reply, now: float) -> float | None:
        unix = self.now()
        if self.ahead is None or abs(unix - now - self.ahead) > CLOCK_SET_S:
            self.ahead = unix - now
            self.put(events.ClockRead(unix, self.boot, now))
        return None


def post_address(
    number: Callable[[], str], put: Callable[[events.Event], None], reply: Reply, now: float
) -> float | None:
    """Post the page's numeric address, "" for none, while a screen shows where the page is."""
    page = reply.session.setup.page
    if page is None or not isinstance(reply.session.mode, ShowingAddress):
        return None
    if (found := number()) != page.number:
        put(events.PageNumber(found, now))
    return now + ADDRESS_S


@dataclass(slots=True)
class RequestOutput:
    """Makes the request that a screen has confirmed, and posts the answer."""

    ask: Callable[[events.Request], events.Answer]  # waits for the answer, so it has a thread
    put: Callable[[events.Event], None]
    clock: Callable[[], float]
    made_at: float | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        mode = reply.session.mode
        if isinstance(mode, Requesting) and mode.made_at not in (None, self.made_at):
            self.made_at = mode.made_at
            Thread(target=self._ask, args=(mode.request, mode.made_at), daemon=True).start()
        return None

    def _ask(self, request: events.Request, made_at: float) -> None:
        self.put(events.RequestAnswered(self.ask(request), made_at, self.clock()))


@dataclass(slots=True)
class DiskOutput:
    """Shows a notice before a game if the disk may not keep it, until the game begins."""

    find_trouble: Callable[[], Message | None]  # asked whenever somebody joins or leaves
    put: Callable[[events.Event], None]
    joined: tuple[int, ...] | None = None  # None while a game is on the table
    notice: Message | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        joined = reply.session.joined if reply.session.record is None else None
        if joined == self.joined:
            return None
        self.joined = joined
        notice = self.find_trouble() if joined is not None else None
        if notice != self.notice:
            self.notice = notice
            self.put(events.Notice("disk", notice, now))
        return None
