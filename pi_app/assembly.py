"""The one place where the parts are joined to a table. Decides nothing of the game."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from pi_app import __version__
from pi_app.app import App, Output, report
from pi_app.config import Config
from pi_app.devices.buttons import Buttons
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.link import Link
from pi_app.devices.oled import Panel
from pi_app.devices.outputs import Chronicle, Lights, Lit, Picture, Room, Spoken, Tones, Watch
from pi_app.devices.voice import Voice, espeak
from pi_app.dice import Dice
from pi_app.record.backlog import Backlog
from pi_app.record.history import Row
from pi_app.record.journal import FILE, Found, load
from pi_app.record.space import LEAST_FREE, free, nearly_full
from pi_app.table.events import ChamberLine, Event, Notice, Resume, Tick
from pi_app.table.session import Reply, new_session
from pi_app.table.settings import RULESET, Settings
from pi_app.table.words import SET_ASIDE, as_at_first, missing_moves
from rules.game import Phase

log = logging.getLogger("referee")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What differs between a table on a Pi, on the page and on a virtual clock.

    factory: gpiozero's pin factory. device: opens the panel. clock: monotonic seconds; now: seconds
    since 1970. stepped: the panel has no thread of its own. watch: sees each reply; confirmed: each
    row that is committed. ruleset: the rules to offer first, whatever was played last. chamber: the
    lit chamber's port, "" for none. free: the bytes that are free on a folder's disk. off: the
    computer can be switched off from the table. beat: called as long as the deciding thread is not
    stuck.
    """

    factory: Any
    device: Callable[[], Any]
    folder: Path
    dice: Dice
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    stepped: bool = False
    chamber: str = ""
    free: Callable[[Path], int | None] = free
    off: bool = False
    beat: Callable[[], None] = lambda: None
    watch: Callable[[Reply], None] = lambda reply: None
    confirmed: Callable[[Row], None] = lambda row: None
    ruleset: str = ""
    fault: Callable[[Exception], None] = report


@contextmanager
def table(config: Config, parts: Parts) -> Iterator[App]:
    """Open a table with its first picture shown; closing it is opening it backwards."""
    with ExitStack() as closing:
        log.info("version %s, the journal in %s", __version__, parts.folder)
        closing.callback(log.info, "the table is closed")
        journal, found = load(parts.folder / FILE)
        settings = Settings(journal.settings(), config.first)
        if parts.ruleset:
            settings = settings.put(RULESET, parts.ruleset)  # for this run: it is not recorded
        backlog = Backlog(journal)
        closing.callback(backlog.close)
        inbox: SimpleQueue[Event | None] = SimpleQueue()
        buttons = Buttons(config.buttons, inbox.put, parts.factory, parts.clock)
        closing.callback(buttons.close)

        def commit(reply: Reply) -> None:
            confirm(backlog.append(reply.rows, parts.now(), _is_over(reply), reply.puts))

        def hold(reply: Reply) -> None:
            backlog.wait(reply.rows, parts.now(), _is_over(reply), reply.puts)

        def save() -> None:
            confirm(backlog.save())

        def confirm(rows: tuple[Row, ...]) -> None:
            for row in rows:
                parts.confirmed(row)

        def settle(reply: Reply) -> None:
            journal.settle(_turn_is_over(reply))

        chamber = Link(_logged(inbox.put), parts.chamber, clock=parts.clock)
        closing.callback(chamber.close)
        app = App(
            session=new_session(replace(config.setup, off=parts.off), settings),
            contacts=config.contacts(buttons.levels()),
            read=buttons.read,
            alive=buttons.alive,
            record=commit,
            hold=hold,
            save=save,
            settle=settle,
            dice=parts.dice,
            clock=parts.clock,
            outputs=(
                Lit(chamber.wish),
                *_outputs(config, parts, closing),
                Room(lambda: nearly_full(parts.free(parts.folder)), inbox.put),
            ),
            fault=parts.fault,
            seen=backlog.seen,
            got=chamber.got,
            beat=parts.beat,
            inbox=inbox,
        )
        if nearly_full(parts.free(parts.folder)):
            log.warning("%s has less than %d MB free", parts.folder, LEAST_FREE // 1_000_000)
        _say_unreadable(app, settings, parts.clock())
        _say_found(app, found, parts.clock())
        if parts.chamber:
            chamber.start()
        yield app


def _say_found(app: App, found: Found, now: float) -> None:
    """Put the game in progress on the table; say what of it, or of older ones, is missing."""
    if found.warning is not None:
        log.warning("%s", found.warning)
    if found.missing:
        app.take(Notice("journal", missing_moves(found.missing), now))
    elif found.aside:
        app.take(Notice("journal", SET_ASIDE, now))
    app.take(Resume(found.record, now) if found.record is not None else Tick(now))


def _say_unreadable(app: App, settings: Settings, now: float) -> None:
    """Say which settings are as at first because they can't be read."""
    for key in settings.unreadable():
        log.warning("the setting %s can't be read: it is as at first; set it in the menu", key)
        app.take(Notice(key, as_at_first(key), now))
    for key in settings.unknown():
        log.warning("the setting %s is none that this version knows: it is kept, not used", key)


def _logged(put: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return what takes the chamber's events and tells the log how its line is."""

    def take(event: Event) -> None:
        put(event)
        if isinstance(event, Notice) and event.text is not None:
            log.warning("%s", event.text)
        elif isinstance(event, ChamberLine) and event.up:
            log.info("the dice chamber is there")

    return take


def _outputs(config: Config, parts: Parts, closing: ExitStack) -> tuple[Output, ...]:
    panel = Panel(parts.device, _say_panel, parts.clock)
    picture = Picture(panel, parts.stepped)
    closing.callback(picture.close)
    lamps = Lamps(config.lamps, parts.factory)
    closing.callback(lamps.close)
    buzzer = Buzzer(config.buzzer, parts.factory)
    closing.callback(buzzer.close)
    if not parts.stepped:
        panel.start()
    return (
        picture,
        Lights(lamps),
        Tones(buzzer),
        *_spoken(config, parts, closing),
        Watch(parts.watch),
        Chronicle(),
    )


def _spoken(config: Config, parts: Parts, closing: ExitStack) -> tuple[Output, ...]:
    """Return the voice if there is one; a clock that runs ahead leaves no time to speak."""
    if not config.voice or parts.stepped:
        return ()
    voice = Voice(espeak(config.voice, config.voice_speed), _say_voice)
    closing.callback(voice.close)
    voice.start()
    return (Spoken(voice),)


def _say_voice(trouble: str | None) -> None:
    if trouble is None:
        log.info("the voice speaks again")
    else:
        log.warning("%s", trouble)


def _say_panel(trouble: str | None) -> None:
    if trouble is None:
        log.info("the display is back")
    else:
        log.warning("%s", trouble)


def _is_over(reply: Reply) -> bool:
    record = reply.session.record
    return record is not None and record.game.phase is Phase.OVER


def _turn_is_over(reply: Reply) -> bool:
    record = reply.session.record
    return record is not None and (
        record.game.phase is Phase.OVER
        or (record.game.phase is Phase.THROW and not record.game.doublets)
    )


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
