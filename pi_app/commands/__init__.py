"""A module for each command of `referee`: its options, and what it does with them."""

import argparse
from pathlib import Path

from pi_app.config import DEFAULT, load_display
from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.devices.oled import open_device
from pi_app.devices.outputs import leave
from pi_app.table.screen import Screen


class UsageError(Exception):
    """Options that don't go together, or what they name is not there or can't be read."""


class LastingError(Exception):
    """What another start can't mend, so that none is tried: ends with EX_CONFIG of sysexits(3)."""


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a configuration."""
    parser.add_argument(
        "--config",
        type=Path,
        default=DEFAULT,
        metavar="FILE",
        help="your own configuration, by default the one that was shipped; "
        "check it by `referee check-config FILE`",
    )


def leave_on_panel(screen: Screen, config: Path) -> str | None:
    """Put a screen for good on the panel of a configuration that may be wrong.

    Return why that could not be done, None if it was. Only an SPI panel needs pins.
    """
    display, factory = load_display(config)
    try:
        pins = pin_factory(factory) if display.bus == "spi" else None
        return leave(screen, open_device(display, pins))
    except PinsError as error:
        return str(error)
