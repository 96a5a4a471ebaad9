"""`referee announce`: shows how the installation from a card goes. For systemd/card/install.sh."""

import argparse

from pi_app.commands import add_config
from pi_app.commands.last_screen import leave_on_displays
from pi_app.table.telling import last_pages

SCREENS = {
    "installing": last_pages.INSTALLING,
    "waiting": last_pages.INSTALLATION_WAITS,
    "stopped": last_pages.INSTALLATION_STOPPED,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("state", choices=tuple(SCREENS), help="of the installation: %(choices)s")
    add_config(parser)


def main(options: argparse.Namespace) -> None:
    leave_on_displays(SCREENS[options.state], options.config)
