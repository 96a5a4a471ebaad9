"""The one place where the parts are joined to a table. Decides nothing of the game."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from pi_app import __version__, wiring
from pi_app.app import App, Output, log_fault
from pi_app.config import Config
from pi_app.devices.buttons import Buttons
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.closing import close_anyway
from pi_app.devices.lamps import Lamps
from pi_app.devices.link import ChamberLink
from pi_app.devices.oled import Oled
from pi_app.devices.supply import read_supply
from pi_app.devices.voice import Voice, espeak_command
from pi_app.dice import Dice
from pi_app.input.events import (
    Address,
    ChamberLine,
    Event,
    Finding,
    Notice,
    Resume,
    Setup,
    Tick,
)
from pi_app.input.parts import Supply
from pi_app.logs import Seldom
from pi_app.outputs.adviser import Adviser, ImmediateAdviser
from pi_app.outputs.outputs import (
    ChamberOutput,
    ClockOutput,
    DiskSpaceOutput,
    DisplayOutput,
    LampOutput,
    LogOutput,
    PlacedDisplay,
    SelfTestOutput,
    SpectatorOutput,
    ToneOutput,
    VoiceOutput,
    display_names,
)
from pi_app.record.away import CLOSED, Clock, boot_time
from pi_app.record.backlog import Backlog
from pi_app.record.dating import ClockCheck
from pi_app.record.journal import FILE, OpenedJournal, load
from pi_app.record.probe import probe
from pi_app.record.space import LEAST_FREE, free_bytes, is_nearly_full
from pi_app.recorder import Recorder
from pi_app.rows.history import Row
from pi_app.settings.settings import RULESET, Settings
from pi_app.table.session import Reply, new_session
from pi_app.table.telling.findings import chamber_finding, disk_finding, power_finding
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import missing_moves_words, reset_words, set_aside_words
from rules.board import SEAT_LETTERS

log = logging.getLogger("referee")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What differs between a table on a Pi, on the page and on a virtual clock.

    factory: gpiozero's pin factory. devices: open the panels, in the configuration's order. clock:
    monotonic seconds; now: seconds since 1970, to be kept only where clock_is_set; moment: since
    this computer's start. stepped: the panels have no threads of their own. watch: sees each reply;
    confirmed: each row that is committed. ruleset: the rules to offer first, whatever was played
    last. chamber: the lit chamber's port, "" for none. free: the bytes that are free on a folder's
    disk. supply: what is known of the power. off: the computer can be switched off from the table.
    page: where browsers find what is to be seen of the table.
    beat: called as long as the deciding thread is not stuck.
    """

    factory: Any
    devices: tuple[Callable[[], Any], ...]
    folder: Path
    dice: Dice
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    clock_is_set: Callable[[], bool] = field(default_factory=ClockCheck)
    moment: Clock = boot_time
    stepped: bool = False
    chamber: str = ""
    free: Callable[[Path], int | None] = free_bytes
    supply: Callable[[], Supply | None] = read_supply
    off: bool = False
    page: Address | None = None
    beat: Callable[[], None] = lambda: None
    watch: Callable[[Reply], None] = lambda reply: None
    confirmed: Callable[[Row], None] = lambda row: None
    ruleset: str = ""
    fault: Callable[[Exception], None] = log_fault


@contextmanager
def open_table(config: Config, parts: Parts) -> Iterator[App]:
    """Open a table with its first picture shown; closing it is opening it backwards."""
    with ExitStack() as closing:
        log.info("version %s, the journal in %s", __version__, parts.folder)
        closing.callback(log.info, "the table is closed")
        journal, found = load(parts.folder / FILE)
        recorder = Recorder(
            Backlog(journal),
            now=lambda: parts.now() if parts.clock_is_set() else None,
            clock=parts.clock,
            loaded=parts.clock(),
            moment=parts.moment,
            confirmed=parts.confirmed,
        )
        closing.callback(close_anyway, "the journal", recorder.backlog.close)
        kept = journal.settings()
        closed = kept.pop(CLOSED, None)
        settings = Settings(kept, config.first)
        if parts.ruleset:
            settings = settings.put(RULESET, parts.ruleset)  # for this run: it is not recorded
        inbox: SimpleQueue[Event | None] = SimpleQueue()
        buttons = Buttons(wiring.button_pins(config), inbox.put, parts.factory, parts.clock)
        closing.callback(close_anyway, "the buttons", buttons.close)

        chamber = ChamberLink(_logged(inbox.put), parts.chamber, clock=parts.clock)
        closing.callback(close_anyway, "the line to the dice chamber", chamber.close)
        app = App(
            session=new_session(_setup(config, parts), settings),
            contacts=wiring.initial_contacts(config, buttons.levels()),
            read=buttons.read,
            alive=buttons.alive,
            record=recorder.record,
            hold=recorder.hold,
            save=recorder.save,
            settle=recorder.settle,
            dice=parts.dice,
            clock=parts.clock,
            outputs=(
                ChamberOutput(chamber.set_wishes),
                *_outputs(config, parts, closing),
                ClockOutput(parts.now, parts.moment().boot, inbox.put),
                DiskSpaceOutput(lambda: is_nearly_full(parts.free(parts.folder)), inbox.put),
                SelfTestOutput(_checks(parts, chamber), inbox.put, parts.clock, parts.stepped),
                _advising(parts, inbox.put, closing),
            ),
            fault=parts.fault,
            seen=recorder.backlog.seen,
            got=chamber.acknowledge,
            beat=parts.beat,
            inbox=inbox,
        )
        if is_nearly_full(parts.free(parts.folder)):
            log.warning("%s has less than %d MB free", parts.folder, LEAST_FREE // 1_000_000)
        _say_unreadable(app, settings, parts.clock())
        away = recorder.was_away(closed)
        _say_found(app, found, away, parts.clock())
        if parts.chamber:
            chamber.start()
        yield app
        # What ends by an exception has not ended well.
        close_anyway("the table", lambda: recorder.say_closed(app.session))


def _setup(config: Config, parts: Parts) -> Setup:
    """Return what the session has to know of how the table is built, and of what is round it."""
    chamber = bool(parts.chamber)
    setup = replace(wiring.table_setup(config), off=parts.off, chamber=chamber, page=parts.page)
    return setup if setup.page is not None else replace(setup, chances=False)


def _say_found(app: App, found: OpenedJournal, away: bool, now: float) -> None:
    """Put the game in progress on the table; say what of it, or of older ones, is missing."""
    if found.warning is not None:
        log.warning("%s", found.warning)
    if found.missing:
        app.take(Notice("journal", missing_moves_words(found.missing, found.aside), now))
    elif found.aside:
        app.take(Notice("journal", set_aside_words(found.aside), now))
    app.take(Resume(found.record, now, away) if found.record is not None else Tick(now))


def _say_unreadable(app: App, settings: Settings, now: float) -> None:
    """Say which settings are as at first because they can't be read."""
    for key in settings.unreadable():
        log.warning("the setting %s can't be read: it is as at first; set it in the menu", key)
        app.take(Notice(key, reset_words(key), now))
    for key in settings.unknown():
        log.warning("the setting %s is none that this version knows: it is kept, not used", key)


def _advising(parts: Parts, put: Callable[[Event], None], closing: ExitStack) -> Output:
    """Return what has the session's questions worked out: by a process, which has its own time."""
    if parts.stepped:
        return ImmediateAdviser(put, _answer)
    adviser = Adviser(put, _answer_as_grace, parts.clock)
    closing.callback(close_anyway, "the adviser", adviser.close)
    return adviser


def _answer(line: str) -> str:
    from pi_app.players.working import answer_line  # most tables never ask for it

    return answer_line(line)


def _answer_as_grace(line: str) -> str:
    from pi_app.players.working import answer_as_grace

    return answer_as_grace(line)


def _logged(put: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return what takes the chamber's events and tells the log how its line is.

    Each of that is logged once a minute at most: a loose plug comes and goes all the time.
    """
    seldom = Seldom()

    def take(event: Event) -> None:
        put(event)
        if isinstance(event, Notice) and event.text is not None:
            words = ENGLISH.say(event.text)
            if seldom.may_tell(words, event.t):
                log.warning("%s", words)
        elif isinstance(event, ChamberLine) and event.up and seldom.may_tell("up", event.t):
            log.info("the dice chamber is there")

    return take


def _checks(parts: Parts, chamber: ChamberLink) -> tuple[Callable[[], Finding], ...]:
    """Return what a self test looks after; that of the disk, which may hang, is the last."""
    return (
        lambda: chamber_finding(chamber.state),
        lambda: power_finding(parts.supply()),
        lambda: checked_journal(parts.folder, parts.free(parts.folder)),
    )


def checked_journal(folder: Path, room: int | None) -> Finding:
    """Write into the journal of a folder and read it back. room: what is free there."""
    return disk_finding(probe(folder / FILE), room, is_nearly_full(room))


def _outputs(config: Config, parts: Parts, closing: ExitStack) -> tuple[Output, ...]:
    picture = DisplayOutput(_panels(config, parts), parts.stepped)
    closing.callback(close_anyway, "the display", picture.close)
    lamps = Lamps(config.lamps, parts.factory)
    closing.callback(close_anyway, "the lamps", lamps.close)
    buzzer = Buzzer(config.buzzer, parts.factory)
    closing.callback(close_anyway, "the buzzer", buzzer.close)
    if not parts.stepped:
        picture.start()
    return (
        picture,
        LampOutput(lamps),
        ToneOutput(buzzer),
        *_spoken(config, parts, closing),
        SpectatorOutput(parts.watch),
        LogOutput(),
    )


def _panels(config: Config, parts: Parts) -> tuple[PlacedDisplay, ...]:
    return tuple(
        PlacedDisplay(
            Oled(open_device, _panel_sayer(name), parts.clock, name=name),
            frozenset(map(SEAT_LETTERS.index, display.turned_for)),
        )
        for display, open_device, name in zip(
            config.displays, parts.devices, display_names(len(parts.devices)), strict=False
        )
    )


def _spoken(config: Config, parts: Parts, closing: ExitStack) -> tuple[Output, ...]:
    """Return the voice if there is one; a clock that runs ahead leaves no time to speak."""
    if not config.voice or parts.stepped:
        return ()
    voice = Voice(espeak_command(config.voice, config.voice_speed), _say_voice)
    closing.callback(close_anyway, "the voice", voice.close)
    voice.start()
    return (VoiceOutput(voice),)


def _say_voice(trouble: str | None) -> None:
    if trouble is None:
        log.info("the voice speaks again")
    else:
        log.warning("%s", trouble)


def _panel_sayer(name: str) -> Callable[[str | None], None]:
    def say(trouble: str | None) -> None:
        if trouble is None:
            log.info("%s is back", name)
        else:
            log.warning("%s", trouble)

    return say


def decide_until_stopped(app: App, begun: Callable[[], None] = lambda: None) -> None:
    """Run the table until Ctrl-C or SIGTERM; a second one ends the process at once.

    begun: called when the first may come.
    """

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        app.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    begun()
    app.run()
