"""`referee run`: the table on a Raspberry Pi, with dice from the kernel alone."""

from __future__ import annotations

import argparse
import logging

from pi_app import config as configuration
from pi_app.assembly import Parts, decide_until_stopped, table
from pi_app.commands import add_config
from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.devices.oled import open_device
from pi_app.dice import KERNEL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options. The log tells when games begin and end, too."""
    parser.set_defaults(level=logging.INFO)
    add_config(parser, installed=True)


def main(options: argparse.Namespace) -> None:
    """Referee on a Pi, with dice from the kernel."""
    config = configuration.load_config(options.config)
    factory = pin_factory(config.pin_factory)
    device = open_device(config.display, factory)
    parts = Parts(
        factory=factory,
        device=device,
        folder=config.journal,
        dice=KERNEL,
        chamber=config.chamber,
    )
    with table(config, parts) as app:
        decide_until_stopped(app)
        if not app.alive():
            raise PinsError("the pins report no presses any more: start `referee run` again")
