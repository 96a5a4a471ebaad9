"""A module for each command of `referee`: its options, and what it does with them."""

import argparse
from pathlib import Path

from pi_app.config import DEFAULT


class UsageError(Exception):
    """Options that don't go together, or what they name is not there or can't be read."""


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
