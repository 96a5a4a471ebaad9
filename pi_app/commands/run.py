"""`referee run`: the table on a Raspberry Pi, with dice from the kernel alone."""

from __future__ import annotations

import argparse
import faulthandler
import logging
import os
import re
from pathlib import Path

from pi_app import config as configuration
from pi_app.assembly import Parts, decide_until_stopped, table
from pi_app.commands import LastingError, add_config, leave_on_panel
from pi_app.config import ConfigError
from pi_app.devices import power_off
from pi_app.devices.buttons import PinsAway, PinsError, pin_factory
from pi_app.devices.notify import Unit, this_unit
from pi_app.devices.oled import open_device
from pi_app.dice import KERNEL
from pi_app.record.trouble import JournalError, TooNewError
from pi_app.table import last_pages
from pi_app.table.screen import Page
from pi_app.table.standing import standing

AT_START = (ConfigError, PinsError, JournalError)  # what may keep a table from being there
LASTING = (ConfigError, PinsError, TooNewError)  # of these, what would come again at the next start


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options. The log tells when games begin and end, too."""
    parser.set_defaults(level=logging.INFO)
    add_config(parser, installed=True)


def main(options: argparse.Namespace) -> None:
    """Referee on a Pi; what keeps it from that is said on the panel and to systemd, too."""
    unit = this_unit()
    try:
        _referee(options.config, unit)
    except AT_START as error:
        unit.status(str(error).splitlines()[0])
        leave_on_panel(page(error), options.config)  # where there is no panel, it is said elsewhere
        if isinstance(error, LASTING) and not isinstance(error, PinsAway):
            raise LastingError(str(error)) from error
        raise


def _referee(path: Path, unit: Unit) -> None:
    config = configuration.load_config(path)
    factory = pin_factory(config.pin_factory)
    runtime = os.environ.get("RUNTIME_DIRECTORY")  # only a unit has one, with its power-off
    parts = Parts(
        factory=factory,
        devices=tuple(open_device(display, factory) for display in config.displays),
        folder=config.journal,
        dice=KERNEL,
        chamber=config.chamber,
        off=runtime is not None,
        beat=unit.beat,
        watch=lambda reply: unit.status(standing(reply.session)),
    )
    # So that where we decide is told when the watchdog aborts us; other threads run on meanwhile.
    faulthandler.enable(2, all_threads=False)
    with table(config, parts) as app:
        decide_until_stopped(app, unit.ready)
        unit.stopping()
        if not app.alive():
            raise PinsAway("the pins report no presses any more: start `referee run` again")
    if app.session.off and runtime is not None:
        power_off.ask(Path(runtime))


def page(error: Exception) -> Page:
    """Return what the panel says to who stands before a table that is not there."""
    match error:
        case ConfigError():
            line = re.search(r"\bline (\d+)", str(error))
            return last_pages.wrong_settings(line[1] if line else "")
        case PinsAway():
            return last_pages.no_pins()
        case PinsError():
            return last_pages.wrong_pins()
        case TooNewError():
            return last_pages.newer_games(error.maker)
        case JournalError():
            return last_pages.no_journal(error.brief)
    raise error
