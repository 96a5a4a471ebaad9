"""Joins the parts to a table. It decides nothing in the game."""

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from pi_app import __version__
from pi_app.config.keys import Config
from pi_app.devices.buttons import Buttons
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.closing import close_anyway
from pi_app.devices.lamps import Lamps
from pi_app.devices.link import ChamberLink
from pi_app.devices.oled import Oled
from pi_app.devices.voice import Voice, espeak_command
from pi_app.model import events
from pi_app.model.history import Row
from pi_app.model.parts import PowerState
from pi_app.model.screens import Message, message
from pi_app.record.clock import CLOSED, Clock, ClockCheck, boot_time
from pi_app.record.disk import LEAST_FREE, free_bytes, is_in_memory, is_nearly_full, probe
from pi_app.record.journal import FILE, OpenedJournal, load
from pi_app.runtime import outputs, wiring
from pi_app.runtime.adviser import Adviser, ImmediateAdviser
from pi_app.runtime.dice import Dice
from pi_app.runtime.loop import App, Output, log_error
from pi_app.runtime.recorder import Recorder
from pi_app.settings.settings import RULESET, Settings
from pi_app.system.logs import RateLimit
from pi_app.system.slow_disk import SlowDisk
from pi_app.system.supply import read_supply
from pi_app.table.session import Reply, new_session
from pi_app.table.telling import findings
from pi_app.table.wishes import wishes_of
from pi_app.texts.language import ENGLISH, language_names
from pi_app.texts.words import (
    GAMES_IN_MEMORY,
    NEARLY_FULL,
    SLOW_DISK,
    missing_moves_words,
    reset_words,
)
from rules.board import SEAT_LETTERS

log = logging.getLogger("referee")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts that differ between a Pi, a page and a simulated clock."""

    factory: Any  # gpiozero's pin factory
    devices: tuple[Callable[[], Any], ...]  # open the displays, in the configuration's order
    folder: Path  # of the journal
    dice: Dice
    clock: Callable[[], float] = time.monotonic  # in seconds
    now: Callable[[], float] = time.time  # since 1970, recorded only while `clock_is_set`
    clock_is_set: Callable[[], bool] = field(default_factory=ClockCheck)
    moment: Clock = boot_time  # returns this boot and the seconds since it
    stepped: bool = False  # the outputs have no threads; the caller steps the clock
    chamber: str = ""  # the port of the lit chamber, "" for none
    free: Callable[[Path], int | None] = free_bytes  # of a folder's disk
    in_memory: Callable[[Path], bool] = is_in_memory  # whether it is lost when the power goes
    supply: Callable[[], PowerState | None] = read_supply
    requests: tuple[events.Request, ...] = ()  # those that systemd takes from us
    # Makes a request, waits, and returns the answer.
    ask: Callable[[events.Request], events.Answer] = lambda request: events.Answer("not-taken")
    page: events.Address | None = None  # at which browsers can watch the table
    # Returns the same as a numeric address, "" without a network; None: it needs none.
    page_number: Callable[[], str] | None = None
    beat: Callable[[], None] = lambda: None  # called at least twice a second while the loop runs
    watch: Callable[[Reply], None] = lambda reply: None  # called with each reply
    confirmed: Callable[[Row], None] = lambda row: None  # called with each row that was committed
    ruleset: str = ""  # the edition to offer first, whatever was played last; "" for that one
    asks_language: bool = False  # the first screen of a new table asks for the language
    report_error: Callable[[Exception], None] = log_error  # called only once if it repeats


@contextmanager
def open_table(config: Config, parts: Parts) -> Iterator[App]:
    """Open a table and show its first screen. On exit, close its parts in reverse order."""
    with ExitStack() as closing:
        log.info("version %s, the journal in %s", __version__, parts.folder)
        closing.callback(log.info, "the table is closed")
        journal, found = load(parts.folder / FILE)
        recorder = Recorder(
            journal,
            now=lambda: parts.now() if parts.clock_is_set() else None,
            clock=parts.clock,
            loaded=parts.clock(),
            moment=parts.moment,
            confirmed=parts.confirmed,
        )
        closing.callback(close_anyway, "the journal", journal.close)
        stored = journal.settings()
        closed = stored.pop(CLOSED, None)
        settings = Settings(stored, config.first)
        if parts.ruleset:
            settings = settings.put(RULESET, parts.ruleset)  # for this run: it is not recorded
        inbox: SimpleQueue[events.Event | None] = SimpleQueue()
        buttons = Buttons(wiring.button_pins(config), inbox.put, parts.factory, parts.clock)
        closing.callback(close_anyway, "the buttons", buttons.close)
        chamber = ChamberLink(_log_chamber(inbox.put), parts.chamber, clock=parts.clock)
        closing.callback(close_anyway, "the line to the dice chamber", chamber.close)
        setup = replace(
            wiring.table_setup(config),
            requests=tuple(
                one for one in parts.requests if one != "restore" or found.record is None
            ),
            chamber=bool(parts.chamber),
            page=parts.page,
            languages=language_names(),
            asks_language=parts.asks_language and not any(one.language for one in config.displays),
            version=__version__,
            chances=config.page_chances and parts.page is not None,
        )
        picture = _open_display(config, parts, closing)
        disk = SlowDisk(parts.beat, lambda: picture.cover(SLOW_DISK, parts.clock()), parts.clock)
        closing.callback(disk.close)
        app = App(
            session=new_session(setup, settings),
            contacts=wiring.initial_contacts(config, buttons.levels()),
            read_pins=buttons.read,
            presses_arrive=buttons.alive,
            commit=disk.patiently(recorder.record),
            keep_in_memory=recorder.hold,
            save_waiting_rows=disk.patiently(recorder.save),
            finish_commit=disk.patiently(recorder.settle),
            dice=parts.dice,
            clock=parts.clock,
            outputs=_open_outputs(config, parts, picture, chamber, recorder, inbox.put, closing),
            report_error=parts.report_error,
            is_recorded=disk.patiently(journal.is_recorded),
            acknowledge=chamber.acknowledge,
            report_alive=parts.beat,
            inbox=inbox,
        )
        if is_nearly_full(parts.free(parts.folder)):
            log.warning("%s has less than %d MB free", parts.folder, LEAST_FREE // 1_000_000)
        if parts.in_memory(parts.folder):
            log.warning("%s is in memory: the games are lost when the power goes", parts.folder)
        _take_found(app, settings, found, recorder.was_away(closed))
        if parts.chamber:
            chamber.start()
        if not parts.stepped:
            disk.start()
        yield app
        # Only a normal end is recorded: an exception skips this line.
        close_anyway("the table", lambda: recorder.say_closed(app.session))


def _log_chamber(put: Callable[[events.Event], None]) -> Callable[[events.Event], None]:
    """Return a function that puts the chamber's events and logs the state of its line."""
    # A loose plug comes and goes all the time, so each message is logged at most once a minute.
    limit = RateLimit()

    def take(event: events.Event) -> None:
        put(event)
        if isinstance(event, events.Notice) and event.text is not None:
            words = ENGLISH.say(event.text)
            if limit.allows(words, event.t):
                log.warning("%s", words)
        elif isinstance(event, events.ChamberLine) and event.up and limit.allows("up", event.t):
            log.info("the dice chamber is there")

    return take


def _open_outputs(
    config: Config,
    parts: Parts,
    picture: outputs.DisplayOutput,
    chamber: ChamberLink,
    recorder: Recorder,
    put: Callable[[events.Event], None],
    closing: ExitStack,
) -> tuple[Output, ...]:
    """Return all outputs, in the order in which they get a reply. put: takes their events."""

    def watch(reply: Reply, now: float) -> None:
        parts.watch(replace(reply, number=recorder.journal.game))

    def wish(reply: Reply, now: float) -> None:
        chamber.set_wishes(wishes_of(reply.session))

    lamps = Lamps(config.lamps, parts.factory)
    closing.callback(close_anyway, "the lamps", lamps.close)
    buzzer = Buzzer(config.buzzer, parts.factory)
    closing.callback(close_anyway, "the buzzer", buzzer.close)
    voice = _open_voice(config, parts, closing)
    return (
        *([wish] if parts.chamber else []),
        picture,
        lambda reply, now: lamps.show(reply.lamps, now),  # they blink by the clock
        outputs.ToneOutput(buzzer),
        *([outputs.VoiceOutput(voice)] if voice else []),
        watch,
        outputs.LogOutput(),
        outputs.ClockOutput(parts.now, parts.moment().boot, put),
        *([partial(outputs.post_address, parts.page_number, put)] if parts.page_number else []),
        outputs.RequestOutput(parts.ask, put, parts.clock),
        outputs.DiskOutput(lambda: _disk_notice(parts), put),
        outputs.SelfTestOutput(
            (
                lambda: findings.chamber_finding(chamber.state),
                lambda: findings.power_finding(parts.supply()),
                lambda: findings.voice_finding(voice.speaks if voice else None),
                lambda: checked_journal(  # it may hang
                    parts.folder, parts.free(parts.folder), parts.in_memory(parts.folder)
                ),
            ),
            put,
            parts.clock,
            parts.stepped,
        ),
        _open_adviser(parts, put, closing),
    )


def _open_display(config: Config, parts: Parts, closing: ExitStack) -> outputs.DisplayOutput:
    """Return the output to the displays, which are opened."""
    names, placed = outputs.display_names(len(parts.devices)), []
    for display, opener, name in zip(config.displays, parts.devices, names, strict=False):
        oled = Oled(opener, _log_trouble(f"{name} is back"), parts.clock, name=name)
        turned_for = display.far_seats if display.rotation == "turn" else ()
        far_seats = frozenset(map(SEAT_LETTERS.index, turned_for))
        language = display.language.replace("-", "_")
        placed.append(outputs.PlacedDisplay(oled, far_seats, language))
    picture = outputs.DisplayOutput(tuple(placed), parts.stepped)
    closing.callback(close_anyway, "the display", picture.close)
    if not parts.stepped:
        picture.start()
    return picture


def _open_voice(config: Config, parts: Parts, closing: ExitStack) -> Voice | None:
    """Return the voice; None if there is none, or no time to speak by a simulated clock."""
    if not config.voice or parts.stepped:
        return None
    voice = Voice(
        partial(espeak_command, config.voice, config.voice_speed, config.voice_device),
        _log_trouble("the voice speaks again"),
    )
    closing.callback(close_anyway, "the voice", voice.close)
    voice.start()
    return voice


def _log_trouble(recovery: str) -> Callable[[str | None], None]:
    """Return a function that logs a device's trouble, and its recovery if called with None."""
    return lambda trouble: log.log(
        logging.WARNING if trouble else logging.INFO, "%s", trouble or recovery
    )


def _open_adviser(parts: Parts, put: Callable[[events.Event], None], closing: ExitStack) -> Output:
    """Return the output that answers the session's questions about plays, in its own process.

    The players' code is loaded when it is first needed: most tables never ask for advice.
    """

    def answer(line: str) -> str:
        from pi_app.players.working import answer_line

        return answer_line(line)

    def answer_without_weights(line: str) -> str:
        from pi_app.players.working import answer_as_grace

        return answer_as_grace(line)

    if parts.stepped:
        return ImmediateAdviser(put, answer)
    adviser = Adviser(put, answer_without_weights, parts.clock)
    closing.callback(close_anyway, "the adviser", adviser.close)
    return adviser


def _take_found(app: App, settings: Settings, found: OpenedJournal, is_away: bool) -> None:
    """Show the players which settings and moves can't be read. Go on with the last game.

    settings, found: as read from the journal. is_away: the table may have been away since.
    """
    now = app.clock()
    for key in settings.unreadable():
        log.warning("the setting %s can't be read: it is reset; set it in the menu", key)
        app.process(events.Notice(key, reset_words(key), now))
    for key in settings.unknown():
        log.warning("this version does not know the setting %s: it is kept, not used", key)
    if found.warning is not None:
        log.warning("%s", found.warning)
    if found.missing:
        app.process(events.Notice("journal", missing_moves_words(found.missing, found.aside), now))
    elif found.aside:
        app.process(events.Notice("journal", message("game-set-aside", file=found.aside), now))
    app.process(
        events.Resume(found.record, now, is_away) if found.record is not None else events.Tick(now)
    )


def _disk_notice(parts: Parts) -> Message | None:
    """Return the notice about a disk that may not keep the next game; None if it keeps it."""
    if parts.in_memory(parts.folder):
        return GAMES_IN_MEMORY
    return NEARLY_FULL if is_nearly_full(parts.free(parts.folder)) else None


def checked_journal(folder: Path, room: int | None, in_memory: bool) -> events.Finding:
    """Write to the journal of a folder, read it back, and return what a self test shows.

    room: the free bytes of its disk. in_memory: whether the folder is lost when the power goes.
    """
    return findings.journal_finding(probe(folder / FILE), room, is_nearly_full(room), in_memory)


def decide_until_stopped(app: App, begun: Callable[[], None] = lambda: None) -> None:
    """Run the table until Ctrl-C or SIGTERM. A second signal ends the process at once.

    begun: called when the first signal can be handled.
    """

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        app.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    begun()
    app.run()
